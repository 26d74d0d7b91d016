//! The page as a flat tree: nodes in document order in one vector.
//!
//! A subtree is a contiguous range, so sums over subtrees are differences of prefix sums, and every
//! traversal is a loop whatever the nesting. Positions refer to the decoded text. Scripts and style
//! sheets are elements without their text.

use std::ops::Range;

use bytestring::ByteString;

use crate::arena::Arena;
use crate::attribute::{Attribute, Names};
use crate::limits::Cut;
use crate::shown::Noscripts;
use crate::tag::Tag;

/// The number of a node in its [`Dom`], in document order.
pub type NodeId = u32;

/// A range of the decoded text; empty if the node has no markup of its own there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// True if nothing is covered.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The span as a range of indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// Element name, or the kind of node.
    pub tag: Tag,
    /// True for elements of SVG and MathML.
    pub foreign: bool,
    /// Distance from the document node.
    pub depth: u16,
    pub(crate) attributes: u16,
    /// The parent; the document is its own parent.
    pub parent: NodeId,
    /// One past the last node of the subtree.
    pub end: NodeId,
    /// Index of the first attribute of an element, or the start of a text (see [`Arena`]).
    pub(crate) data: u32,
    pub(crate) data_len: u32,
    /// The start tag of an element, or the whole of a text or comment.
    pub open: Span,
    /// The end tag, if the markup has one.
    pub close: Span,
}

/// A parsed page.
#[derive(Clone, Debug)]
pub struct Dom {
    /// The text that was parsed.
    pub(crate) source: ByteString,
    pub(crate) nodes: Vec<Node>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) attribute_names: Names,
    /// Further source ranges of texts that were joined from several, by node.
    pub(crate) text_apart: Vec<(NodeId, Span)>,
    /// Texts and attribute values that do not occur verbatim in the source.
    pub(crate) arena: Arena,
    pub(crate) own_tags: Vec<Box<str>>,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) noscripts: Noscripts,
}

impl Dom {
    /// The whole text that was parsed, including any part after a cut.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// All nodes in document order; the first is the document.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The name of an element or the kind of another node.
    pub fn tag_name(&self, tag: Tag) -> &str {
        match tag.known_name() {
            Some(name) => name,
            None => &self.own_tags[usize::from(tag.0 - Tag::KNOWN)],
        }
    }

    /// The text of a text node with entities decoded; empty for other nodes.
    pub fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        if node.tag != Tag::TEXT {
            return "";
        }
        let text = Span {
            start: node.data,
            end: node.data + node.data_len,
        };
        self.arena.get(&self.source, text)
    }

    /// Where a text occurs in the source. This is one range, except for texts that the parser moved
    /// out of a table and then joined.
    pub fn text_spans(&self, id: NodeId) -> impl Iterator<Item = Span> {
        let first = self.text_apart.partition_point(|(node, _)| *node < id);
        let apart = self.text_apart[first..]
            .iter()
            .take_while(move |(node, _)| *node == id);
        std::iter::once(self.node(id).open).chain(apart.map(|(_, span)| *span))
    }

    /// Names and values of an element's attributes in order of appearance.
    pub fn attributes(&self, id: NodeId) -> impl Iterator<Item = (&str, &str)> {
        self.own_attributes(id).iter().map(|attribute| {
            let name = self.attribute_names.name(attribute.name);
            (name, self.arena.get(&self.source, attribute.value))
        })
    }

    /// The value of an attribute.
    pub fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        let own = self.own_attributes(id);
        if own.is_empty() {
            return None;
        }
        let number = self.attribute_names.find(name.as_bytes())?;
        let found = own.iter().find(|attribute| attribute.name == number)?;
        Some(self.arena.get(&self.source, found.value))
    }

    /// Looks up the same attributes for many elements: the names are resolved once.
    ///
    /// ```
    /// use unframe_dom::{Limits, Tag, parse};
    ///
    /// let dom = parse("<p class=note id=first>text", &Limits::default());
    /// let paragraph = dom.find(Tag::P).unwrap();
    /// let values = dom.values_of(["id", "title"]);
    /// assert_eq!(values(paragraph), [Some("first"), None]);
    /// ```
    pub fn values_of<'a, const N: usize>(
        &'a self,
        names: [&str; N],
    ) -> impl Fn(NodeId) -> [Option<&'a str>; N] + use<'a, N> {
        let numbers = names.map(|name| self.attribute_names.find(name.as_bytes()));
        move |id| {
            let mut values = [None; N];
            for attribute in self.own_attributes(id) {
                let asked = numbers
                    .iter()
                    .position(|number| *number == Some(attribute.name));
                if let Some(at) = asked {
                    values[at] = Some(self.arena.get(&self.source, attribute.value));
                }
            }
            values
        }
    }

    fn own_attributes(&self, id: NodeId) -> &[Attribute] {
        let node = self.node(id);
        match node.attributes {
            0 => &[],
            count => &self.attributes[node.data as usize..][..usize::from(count)],
        }
    }

    /// The nodes of a subtree, its root first.
    pub fn subtree(&self, id: NodeId) -> Range<NodeId> {
        id..self.node(id).end
    }

    /// The children of a node in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.node(id).end;
        let first = Some(id + 1).filter(|child| *child < end);
        std::iter::successors(first, move |child| {
            Some(self.node(*child).end).filter(|next| *next < end)
        })
    }

    /// Ancestors from the parent upwards, without the document.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(self.node(id).parent), |up| Some(self.node(*up).parent))
            .take_while(|up| *up != 0)
    }

    /// The first element of this name, in document order.
    pub fn find(&self, tag: Tag) -> Option<NodeId> {
        self.nodes
            .iter()
            .position(|node| node.tag == tag && !node.foreign)
            .map(|at| at as NodeId)
    }

    /// The limits that cut the page.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// An outline for tests and debugging: one line per node, indented by depth.
    pub fn outline(&self) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        for (id, node) in self.nodes.iter().enumerate().skip(1) {
            let id = id as NodeId;
            let indent = "  ".repeat(usize::from(node.depth) - 1);
            let _ = match node.tag {
                Tag::TEXT => write!(out, "{indent}{:?}", self.text(id)),
                tag => write!(out, "{indent}{}", self.tag_name(tag)),
            };
            // Parsers differ in how they spell the attributes of SVG and MathML.
            if node.foreign {
                out.push_str(" (foreign)\n");
                continue;
            }
            for (name, value) in self.attributes(id) {
                let _ = write!(out, " {name}={value:?}");
            }
            out.push('\n');
        }
        out
    }
}
