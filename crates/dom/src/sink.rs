//! Receives the tree builder's orders, and finds out for each node which markup it stands for.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute as RawAttribute, LocalName, QualName, local_name, ns};

use crate::attribute::Run;
use crate::gathered::Gathered;
use crate::growing_tree::{GrowingTree, NONE};
use crate::stand_in::{Placed, StandIns};
use crate::tag::Tag;
use crate::tree::Span;

/// Element names live in an arena of their own, because the tree builder asks for them by
/// reference all the time while the tree keeps growing.
pub(crate) type Names = typed_arena::Arena<QualName>;

#[derive(Clone, Copy)]
pub(crate) struct Handle<'a> {
    id: u32,
    name: &'a QualName,
}

pub(crate) struct Sink<'a> {
    /// The text that is parsed.
    source: &'a str,
    names: &'a Names,
    /// Those of HTML's own elements, by number: a page uses few of them, again and again.
    html_names: RefCell<Vec<Option<&'a QualName>>>,
    document: Handle<'a>,
    tree: RefCell<GrowingTree>,
    /// Where the current token stands in the text.
    token: Cell<Span>,
    /// The name of the start tag being read, until an element takes it for its own.
    start_tag: RefCell<Option<LocalName>>,
    /// The number of that name.
    start_number: Cell<Tag>,
    /// The element that did.
    owner: Cell<u32>,
    /// That tag's attributes.
    start_attributes: Cell<Run>,
    /// The tree builder was not shown them.
    bypassed: Cell<bool>,
    /// The elements that the next node may go into, outermost first, as far as orders tell: the
    /// tree builder keeps such a stack, but does not say when it takes elements off.
    open: RefCell<Vec<u32>>,
    /// Texts that the tree builder was sent.
    texts: RefCell<StandIns>,
    /// The tree builder looks at the next text itself.
    spell: Cell<bool>,
    /// There are frames, in which it looks at all texts.
    frames: Cell<bool>,
    /// Children moved from node to node, which only misnested markup causes.
    moved: Cell<u64>,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(names: &'a Names, source: &'a str) -> Self {
        let name = names.alloc(QualName::new(None, ns!(), LocalName::from("")));
        Sink {
            source,
            names,
            html_names: RefCell::new(vec![None; usize::from(Tag::KNOWN)]),
            document: Handle { id: 0, name },
            tree: RefCell::new(GrowingTree::new(source.len())),
            token: Cell::default(),
            start_tag: RefCell::default(),
            start_number: Cell::new(Tag::DOCUMENT),
            owner: Cell::new(NONE),
            start_attributes: Cell::default(),
            bypassed: Cell::new(false),
            open: RefCell::default(),
            texts: RefCell::new(StandIns::with_capacity(source.len() / 64)),
            spell: Cell::new(false),
            frames: Cell::new(false),
            moved: Cell::new(0),
        }
    }

    /// The name in these bytes as the tree builder wants it, and its number.
    pub(crate) fn read_name(&self, name: &[u8]) -> (LocalName, Tag) {
        self.tree.borrow_mut().tags.read(name)
    }

    /// Announces a token other than a tag that the tree builder is about to see.
    pub(crate) fn at(&self, span: Span) {
        self.token.set(span);
        self.owner.set(NONE);
        *self.start_tag.borrow_mut() = None;
    }

    /// Announces a start tag. Returns what the tree builder gets to see of its attributes.
    pub(crate) fn at_start_tag(&self, name: &LocalName, tag: Tag, span: Span) -> Vec<RawAttribute> {
        self.token.set(span);
        self.owner.set(NONE);
        *self.start_tag.borrow_mut() = Some(name.clone());
        self.start_number.set(tag);
        // These may drop the line feed that they begin with.
        self.spell
            .set(matches!(tag, Tag::PRE | Tag::LISTING | Tag::TEXTAREA));
        self.attributes_for_builder(name, tag)
    }

    /// Announces an end tag.
    pub(crate) fn at_end_tag(&self, tag: Tag, span: Span) {
        self.at(span);
        self.spell.set(false);
        self.close(tag, span);
    }

    /// The markup of a new element. Elements that the tree builder implies or copies have none;
    /// the one that a start tag stands for is the last of its name made for it.
    fn markup_of(&self, tree: &mut GrowingTree, id: u32, name: &LocalName) -> Span {
        let start_tag = self.start_tag.borrow();
        if !start_tag
            .as_ref()
            .is_some_and(|tag| tag == name || tag.eq_ignore_ascii_case(name))
        {
            return Span::default();
        }
        let former = self.owner.replace(id);
        if former != NONE {
            tree.nodes[former as usize].open = Span::default();
        }
        self.token.get()
    }

    /// Notes the end tag of the innermost open element of this name. Whether it really ends there
    /// is seen at the end: what comes later may still go into it.
    fn close(&self, tag: Tag, span: Span) {
        let tree = &mut *self.tree.borrow_mut();
        let mut open = self.open.borrow_mut();
        for at in (0..open.len()).rev() {
            let node = &mut tree.nodes[open[at] as usize];
            if node.tag == tag {
                node.close = span;
                open.truncate(at);
                return;
            }
            // An end tag inside a cell does not reach out of it, unless it is the table's.
            if matches!(node.tag, Tag::TD | Tag::TH | Tag::CAPTION | Tag::TEMPLATE)
                && !ends_cells(tag)
            {
                return;
            }
        }
    }

    /// Takes the elements inside `parent` off the open ones: something goes into it directly.
    fn reopen(&self, parent: u32) {
        let mut open = self.open.borrow_mut();
        if let Some(at) = open.iter().rposition(|id| *id == parent) {
            open.truncate(at + 1);
        }
    }

    /// A start tag begins.
    pub(crate) fn begin_attributes(&self) {
        self.tree.borrow_mut().attributes.begin();
    }

    /// How many attributes the start tag has so far.
    pub(crate) fn attribute_count(&self) -> usize {
        self.tree.borrow().attributes.count()
    }

    /// Adds an attribute; `value` moves its value to the arena if need be.
    pub(crate) fn push_attribute(&self, name: &[u8], value: &mut Gathered) {
        let tree = &mut *self.tree.borrow_mut();
        let value = value.take(&mut tree.arena);
        tree.attributes.push(name, value);
    }

    fn attributes_for_builder(&self, name: &LocalName, tag: Tag) -> Vec<RawAttribute> {
        let tree = &mut *self.tree.borrow_mut();
        self.start_attributes.set(tree.attributes.current());
        self.bypassed.set(false);
        match tag {
            // It merges those of `html` and `body`, renames `image`, and decides by the others.
            Tag::HTML | Tag::BODY | Tag::INPUT | Tag::FONT | Tag::TEMPLATE | Tag::IMAGE => {
                tree.attributes.spelled(self.source, &tree.arena)
            }
            _ if *name == local_name!("annotation-xml") => {
                tree.attributes.spelled(self.source, &tree.arena)
            }
            // It makes copies of these.
            Tag::A
            | Tag::B
            | Tag::BIG
            | Tag::CODE
            | Tag::EM
            | Tag::I
            | Tag::NOBR
            | Tag::S
            | Tag::SMALL
            | Tag::STRIKE
            | Tag::STRONG
            | Tag::TT
            | Tag::U => tree.attributes.as_set(self.source, &tree.arena),
            _ => {
                self.bypassed.set(true);
                Vec::new()
            }
        }
    }

    /// Moves a text that was gathered to where texts are.
    pub(crate) fn take_text(&self, gathered: &mut Gathered) -> Span {
        gathered.take(&mut self.tree.borrow_mut().arena)
    }

    /// The parts of a text between its NULs, if there are any: they are tokens of their own.
    pub(crate) fn split_at_nuls(&self, text: Span) -> Option<Vec<Span>> {
        let tree = self.tree.borrow();
        let content = tree.arena.get(self.source, text).as_bytes();
        memchr::memchr(0, content)?;
        let mut start = text.start;
        let parts = content.split(|byte| *byte == 0).map(|part| {
            let end = start + part.len() as u32;
            let part = Span { start, end };
            start = end + 1;
            part
        });
        Some(parts.collect())
    }

    /// What the tree builder is to be sent for a text that stands at `place`.
    pub(crate) fn send_text(&self, text: Span, place: Span) -> StrTendril {
        let tree = self.tree.borrow();
        let content = tree.arena.get(self.source, text);
        let mut texts = self.texts.borrow_mut();
        match self.spell.replace(false) || self.frames.get() {
            true => texts.spell(text, place, content),
            false => texts.send(text, place, content),
        }
    }

    /// Depth of the element that the next node goes into.
    pub(crate) fn depth(&self) -> u16 {
        let open = self.open.borrow();
        open.last()
            .map_or(0, |id| self.tree.borrow().nodes[*id as usize].depth)
    }

    /// How many elements a tag may have to be compared with.
    pub(crate) fn open_elements(&self) -> u64 {
        self.open.borrow().len() as u64
    }

    pub(crate) fn node_count(&self) -> usize {
        self.tree.borrow().nodes.len()
    }

    pub(crate) fn moved(&self) -> u64 {
        self.moved.get()
    }

    fn insert_text(&self, tree: &mut GrowingTree, parent: u32, before: u32, got: &str) {
        // Scripts and style sheets are much of a page and never looked at.
        if matches!(tree.nodes[parent as usize].tag, Tag::SCRIPT | Tag::STYLE) {
            return;
        }
        let received = self
            .texts
            .borrow_mut()
            .receive(got, self.source, &tree.arena);
        let Placed { text, place } = received.unwrap_or_else(|| Placed {
            text: tree.arena.push(got),
            place: self.token.get(),
        });
        if text.is_empty() {
            return;
        }
        let neighbour = match before {
            NONE => tree.nodes[parent as usize].last_child,
            sibling => tree.nodes[sibling as usize].previous,
        };
        if neighbour != NONE && tree.nodes[neighbour as usize].tag == Tag::TEXT {
            tree.extend_text(neighbour, text, place);
            return;
        }
        let id = tree.push(Tag::TEXT, place);
        let node = &mut tree.nodes[id as usize];
        (node.data, node.data_end) = (text.start, text.end);
        tree.link(id, parent, before);
    }

    fn insert(&self, parent: u32, before: u32, child: NodeOrText<Handle<'a>>) {
        let tree = &mut *self.tree.borrow_mut();
        // What goes before a sibling was moved out of a table, which stays open.
        if before == NONE {
            self.reopen(parent);
        }
        match child {
            NodeOrText::AppendText(text) => self.insert_text(tree, parent, before, &text),
            NodeOrText::AppendNode(node) => {
                tree.unlink(node.id);
                tree.link(node.id, parent, before);
                let tag = tree.nodes[node.id as usize].tag;
                if tag.is_element() && !tag.is_void() {
                    self.open.borrow_mut().push(node.id);
                }
            }
        }
    }

    /// The name of a new element, to be had by reference.
    fn keep_name(&self, name: QualName, tag: Tag) -> &'a QualName {
        if name.ns != ns!(html) {
            return self.names.alloc(name);
        }
        match self.html_names.borrow_mut().get_mut(usize::from(tag.0)) {
            Some(kept) => kept.get_or_insert_with(|| self.names.alloc(name)),
            None => self.names.alloc(name),
        }
    }

    /// True if an element of HTML of this fixed name was made.
    pub(crate) fn has_made(&self, tag: Tag) -> bool {
        self.html_names.borrow()[usize::from(tag.0)].is_some()
    }

    /// What has grown.
    pub(crate) fn into_tree(self) -> GrowingTree {
        self.tree.into_inner()
    }
}

/// End tags that reach past a cell: the table's own, and those of the cells themselves.
fn ends_cells(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::TABLE
            | Tag::TBODY
            | Tag::THEAD
            | Tag::TFOOT
            | Tag::TR
            | Tag::TD
            | Tag::TH
            | Tag::CAPTION
            | Tag::TEMPLATE
            | Tag::BODY
            | Tag::HTML
    )
}

impl<'a> TreeSink for Sink<'a> {
    type Handle = Handle<'a>;
    type Output = Self;
    type ElemName<'n>
        = &'a QualName
    where
        Self: 'n;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle<'a> {
        self.document
    }

    fn elem_name<'n>(&'n self, target: &'n Handle<'a>) -> &'a QualName {
        target.name
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<RawAttribute>,
        _: ElementFlags,
    ) -> Handle<'a> {
        let tree = &mut *self.tree.borrow_mut();
        let tag = match self.start_tag.borrow().as_ref() == Some(&name.local) {
            true => self.start_number.get(),
            false => tree.tags.number(&name.local),
        };
        let id = tree.push(tag, Span::default());
        let markup = self.markup_of(tree, id, &name.local);
        tree.nodes[id as usize].open = markup;
        // What the tree builder did not get to see goes to the element that the tag stands for.
        let own = (!markup.is_empty()).then(|| self.start_attributes.get());
        let run = match own.filter(|_| self.bypassed.get()) {
            Some(own) => own,
            None => {
                let (attributes_of_page, arena) = (&mut tree.attributes, &mut tree.arena);
                attributes_of_page.take(attributes, own, self.source, arena)
            }
        };
        tree.set_attributes(id, run);
        tree.nodes[id as usize].foreign = name.ns != ns!(html);
        if tag == Tag::FRAMESET {
            self.frames.set(true);
        }
        let name = self.keep_name(name, tag);
        Handle { id, name }
    }

    fn create_comment(&self, _: StrTendril) -> Handle<'a> {
        let id = self.tree.borrow_mut().push(Tag::COMMENT, self.token.get());
        Handle {
            id,
            name: self.document.name,
        }
    }

    fn create_pi(&self, _: StrTendril, data: StrTendril) -> Handle<'a> {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle<'a>, child: NodeOrText<Handle<'a>>) {
        self.insert(parent.id, NONE, child);
    }

    fn append_before_sibling(&self, sibling: &Handle<'a>, child: NodeOrText<Handle<'a>>) {
        let parent = self.tree.borrow().nodes[sibling.id as usize].parent;
        if parent != NONE {
            self.insert(parent, sibling.id, child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle<'a>,
        previous: &Handle<'a>,
        child: NodeOrText<Handle<'a>>,
    ) {
        let has_parent = self.tree.borrow().nodes[element.id as usize].parent != NONE;
        match has_parent {
            true => self.append_before_sibling(element, child),
            false => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {
        let tree = &mut *self.tree.borrow_mut();
        let id = tree.push(Tag::DOCTYPE, self.token.get());
        tree.link(id, 0, NONE);
    }

    /// The contents of a `<template>` hang below it like any other children.
    fn get_template_contents(&self, target: &Handle<'a>) -> Handle<'a> {
        *target
    }

    fn same_node(&self, x: &Handle<'a>, y: &Handle<'a>) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &Handle<'a>, added: Vec<RawAttribute>) {
        let tree = &mut *self.tree.borrow_mut();
        let node = &tree.nodes[target.id as usize];
        let own = (node.data, node.attributes);
        let run = tree.attributes.extend(own, added, &mut tree.arena);
        tree.set_attributes(target.id, run);
    }

    fn remove_from_parent(&self, target: &Handle<'a>) {
        self.tree.borrow_mut().unlink(target.id);
    }

    fn reparent_children(&self, node: &Handle<'a>, new_parent: &Handle<'a>) {
        let tree = &mut *self.tree.borrow_mut();
        let mut moved = 0;
        loop {
            let child = tree.nodes[node.id as usize].first_child;
            if child == NONE {
                break;
            }
            tree.unlink(child);
            tree.link(child, new_parent.id, NONE);
            moved += 1;
        }
        self.moved.set(self.moved.get() + moved);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle<'a>) -> bool {
        if handle.name.local != local_name!("annotation-xml") {
            return false;
        }
        let tree = self.tree.borrow();
        let node = &tree.nodes[handle.id as usize];
        let encoding = tree.attributes.names.find(b"encoding");
        let own = &tree.attributes.all[node.data as usize..][..usize::from(node.attributes)];
        own.iter()
            .filter(|attribute| Some(attribute.name) == encoding)
            .any(|attribute| {
                let value = tree.arena.get(self.source, attribute.value);
                value.eq_ignore_ascii_case("text/html")
                    || value.eq_ignore_ascii_case("application/xhtml+xml")
            })
    }
}
