//! The reference: html5ever's tree of a page, in the format of
//! [`Dom::outline`](unframe_dom::Dom::outline).

use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::fmt::Write;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, ns, parse_document};
use unframe_dom::Scripts;

/// A tree built by html5ever.
pub struct Reference(RefCell<Vec<Node>>);

struct Node {
    what: What,
    parent: Option<usize>,
    children: Vec<usize>,
}

enum What {
    Document,
    Doctype,
    Comment,
    Text(StrTendril),
    Element(QualName, Vec<Attribute>),
}

/// Parses with html5ever alone.
pub fn parse_with_html5ever(text: &str, scripts: Scripts) -> Reference {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: scripts == Scripts::On,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let empty = Reference(RefCell::default());
    empty.make(What::Document);
    parse_document(empty, options).one(text)
}

impl Reference {
    /// The number of nodes created.
    #[allow(dead_code, reason = "used by benchmarks only")]
    pub fn node_count(&self) -> usize {
        self.0.borrow().len()
    }

    /// One line per node, indented by depth.
    #[allow(dead_code, reason = "used by tests only")]
    pub fn outline(&self) -> String {
        let nodes = self.0.borrow();
        let mut out = String::new();
        let mut left: Vec<(usize, usize)> = nodes[0].children.iter().map(|id| (*id, 0)).collect();
        left.reverse();
        while let Some((id, depth)) = left.pop() {
            let indent = "  ".repeat(depth);
            let mut is_program = false;
            match &nodes[id].what {
                What::Document => {}
                What::Doctype => out.push_str(&(indent + "#doctype\n")),
                What::Comment => out.push_str(&(indent + "#comment\n")),
                What::Text(text) => writeln!(out, "{indent}{:?}", &**text).unwrap(),
                What::Element(name, _) if name.ns != ns!(html) => {
                    is_program = matches!(&*name.local, "script" | "style");
                    writeln!(out, "{indent}{} (foreign)", name.local).unwrap();
                }
                What::Element(name, attributes) => {
                    is_program = matches!(&*name.local, "script" | "style");
                    write!(out, "{indent}{}", name.local).unwrap();
                    for attribute in attributes {
                        let value = &*attribute.value;
                        write!(out, " {}={value:?}", attribute.name.local).unwrap();
                    }
                    out.push('\n');
                }
            }
            // The text of scripts and style sheets is left out.
            let is_kept = |id: &&usize| !is_program || !matches!(nodes[**id].what, What::Text(_));
            let children = nodes[id].children.iter().rev().filter(is_kept);
            left.extend(children.map(|child| (*child, depth + 1)));
        }
        out
    }

    fn make(&self, what: What) -> usize {
        let mut nodes = self.0.borrow_mut();
        nodes.push(Node {
            what,
            parent: None,
            children: Vec::new(),
        });
        nodes.len() - 1
    }

    /// Inserts a child at this index of its parent's children.
    fn put(&self, parent: usize, at: usize, child: NodeOrText<usize>) {
        let id = match child {
            NodeOrText::AppendNode(id) => id,
            NodeOrText::AppendText(text) => {
                let nodes = &mut *self.0.borrow_mut();
                let before = at
                    .checked_sub(1)
                    .map(|before| nodes[parent].children[before]);
                if let Some(before) = before
                    && let What::Text(had) = &mut nodes[before].what
                {
                    had.push_tendril(&text);
                    return;
                }
                nodes.push(Node {
                    what: What::Text(text),
                    parent: None,
                    children: Vec::new(),
                });
                nodes.len() - 1
            }
        };
        let nodes = &mut *self.0.borrow_mut();
        nodes[id].parent = Some(parent);
        nodes[parent].children.insert(at, id);
    }

    fn place_of(&self, id: usize) -> Option<(usize, usize)> {
        let nodes = self.0.borrow();
        let parent = nodes[id].parent?;
        let at = nodes[parent]
            .children
            .iter()
            .rposition(|child| *child == id);
        Some((parent, at.expect("a child is among its parent's")))
    }
}

impl TreeSink for Reference {
    type Handle = usize;
    type Output = Self;
    type ElemName<'n> = Ref<'n, QualName>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'n>(&'n self, target: &'n usize) -> Ref<'n, QualName> {
        Ref::map(self.0.borrow(), |nodes| match &nodes[*target].what {
            What::Element(name, _) => name,
            _ => panic!("only elements have names"),
        })
    }

    fn create_element(&self, name: QualName, own: Vec<Attribute>, _: ElementFlags) -> usize {
        self.make(What::Element(name, own))
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.make(What::Comment)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.make(What::Comment)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(id) = &child {
            self.remove_from_parent(id);
        }
        let at = self.0.borrow()[*parent].children.len();
        self.put(*parent, at, child);
    }

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(id) = &child {
            self.remove_from_parent(id);
        }
        if let Some((parent, at)) = self.place_of(*sibling) {
            self.put(parent, at, child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &usize,
        previous: &usize,
        child: NodeOrText<usize>,
    ) {
        match self.place_of(*element) {
            Some(_) => self.append_before_sibling(element, child),
            None => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {
        let id = self.make(What::Doctype);
        self.append(&0, NodeOrText::AppendNode(id));
    }

    /// The contents of a `<template>` are attached to it like any other children.
    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &usize, added: Vec<Attribute>) {
        if let What::Element(_, own) = &mut self.0.borrow_mut()[*target].what {
            for attribute in added {
                if own.iter().all(|have| have.name != attribute.name) {
                    own.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        if let Some((parent, at)) = self.place_of(*target) {
            let nodes = &mut *self.0.borrow_mut();
            nodes[parent].children.remove(at);
            nodes[*target].parent = None;
        }
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let nodes = &mut *self.0.borrow_mut();
        let children = std::mem::take(&mut nodes[*node].children);
        for child in &children {
            nodes[*child].parent = Some(*new_parent);
        }
        nodes[*new_parent].children.extend(children);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &usize) -> bool {
        let What::Element(name, own) = &self.0.borrow()[*handle].what else {
            return false;
        };
        let is_html = |value: &str| {
            value.eq_ignore_ascii_case("text/html")
                || value.eq_ignore_ascii_case("application/xhtml+xml")
        };
        &*name.local == "annotation-xml"
            && own
                .iter()
                .any(|attribute| &*attribute.name.local == "encoding" && is_html(&attribute.value))
    }
}
