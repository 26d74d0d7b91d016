//! Receives the tree builder's orders and keeps the growing tree as linked nodes in one vector.
//!
//! The tree builder moves subtrees about while it works (misnested formatting, text before
//! tables), so the flat, final order exists only at the end: [`Sink::finish`] writes it out.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag as TagToken, TagKind};
use html5ever::{Attribute as RawAttribute, LocalName, QualName, local_name, ns};
use typed_arena::Arena;

use crate::limits::Cut;
use crate::tag::{Tag, TagTable};
use crate::tree::{Attribute, Dom, Node, Span};

const NONE: u32 = u32::MAX;

/// Element names live in an arena of their own, because the tree builder asks for them by
/// reference all the time while the tree keeps growing.
pub(crate) type Names = Arena<QualName>;

#[derive(Clone, Copy)]
pub(crate) struct Handle<'a> {
    id: u32,
    name: &'a QualName,
}

struct Linked {
    tag: Tag,
    foreign: bool,
    attributes: u16,
    depth: u16,
    parent: u32,
    previous: u32,
    next: u32,
    first_child: u32,
    last_child: u32,
    /// First attribute, or first piece of a text.
    data: u32,
    last_piece: u32,
    open: Span,
    close: Span,
}

/// A stretch of text in the arena and the stretch that follows it in the same node.
struct Piece {
    text: Span,
    next: u32,
}

/// A run of characters on its way through the tree builder.
struct Waiting {
    text: StrTendril,
    span: Span,
}

pub(crate) struct Sink<'a> {
    names: &'a Names,
    document: Handle<'a>,
    tree: RefCell<Tree>,
    /// Where the current token stands in the text.
    token: Cell<Span>,
    /// The name of the start tag being read, until an element takes it for its own.
    start_tag: RefCell<Option<LocalName>>,
    /// The element that did.
    owner: Cell<u32>,
    /// The elements that the next node may go into, outermost first, as far as orders tell: the
    /// tree builder keeps such a stack, but does not say when it takes elements off.
    open: RefCell<Vec<u32>>,
    /// Character tokens whose text has not been placed yet: the tree builder holds text inside
    /// tables back until it knows where that goes.
    waiting: RefCell<VecDeque<Waiting>>,
    /// Children moved from node to node, which only misnested markup causes.
    moved: Cell<u64>,
}

struct Tree {
    nodes: Vec<Linked>,
    pieces: Vec<Piece>,
    attributes: Vec<Attribute>,
    arena: String,
    tags: TagTable,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(names: &'a Names, text_len: usize) -> Self {
        let name = names.alloc(QualName::new(None, ns!(), LocalName::from("")));
        let sink = Sink {
            names,
            document: Handle { id: 0, name },
            tree: RefCell::new(Tree {
                nodes: Vec::with_capacity(text_len / 24 + 16),
                pieces: Vec::with_capacity(text_len / 48 + 16),
                attributes: Vec::with_capacity(text_len / 48 + 16),
                arena: String::with_capacity(text_len / 2 + 16),
                tags: TagTable::new(),
            }),
            token: Cell::default(),
            start_tag: RefCell::default(),
            owner: Cell::new(NONE),
            open: RefCell::default(),
            waiting: RefCell::default(),
            moved: Cell::new(0),
        };
        sink.tree.borrow_mut().push(Tag::DOCUMENT, Span::default());
        sink
    }

    /// Announces the token that the tree builder is about to see.
    pub(crate) fn at(&self, span: Span, tag: Option<&TagToken>) {
        self.token.set(span);
        self.owner.set(NONE);
        let mut start_tag = self.start_tag.borrow_mut();
        *start_tag = None;
        match tag {
            Some(tag) if tag.kind == TagKind::StartTag => *start_tag = Some(tag.name.clone()),
            Some(tag) => self.close(&tag.name, span),
            None => {}
        }
    }

    /// The markup of a new element. Elements that the tree builder implies or copies have none;
    /// the one that a start tag stands for is the last of its name made for it.
    fn markup_of(&self, tree: &mut Tree, id: u32, name: &LocalName) -> Span {
        let start_tag = self.start_tag.borrow();
        if !start_tag
            .as_ref()
            .is_some_and(|tag| tag.eq_ignore_ascii_case(name))
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
    fn close(&self, name: &LocalName, span: Span) {
        let tree = &mut *self.tree.borrow_mut();
        let tag = tree.tags.number(name);
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

    /// Announces characters that the tree builder is about to see.
    pub(crate) fn characters(&self, text: StrTendril, span: Span) {
        let mut waiting = self.waiting.borrow_mut();
        // Whatever is older than this was dropped by the tree builder, never to be placed.
        if waiting.len() > 4096 {
            waiting.pop_front();
        }
        waiting.push_back(Waiting { text, span });
    }

    /// Depth of the element that the next node goes into.
    pub(crate) fn depth(&self) -> u16 {
        let open = self.open.borrow();
        open.last()
            .map_or(0, |id| self.tree.borrow().nodes[*id as usize].depth)
    }

    pub(crate) fn node_count(&self) -> usize {
        self.tree.borrow().nodes.len()
    }

    pub(crate) fn moved(&self) -> u64 {
        self.moved.get()
    }

    /// Where in the source a placed text came from: the oldest waiting run that holds it.
    fn locate(&self, text: &str) -> Span {
        let mut waiting = self.waiting.borrow_mut();
        while let Some(front) = waiting.front_mut() {
            let skipped = if front.text.starts_with(text) {
                0
            } else {
                let trimmed = front
                    .text
                    .trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']);
                if !trimmed.starts_with(text) {
                    waiting.pop_front();
                    continue;
                }
                front.text.len() - trimmed.len()
            };
            let used = skipped + text.len();
            let verbatim = (front.span.end - front.span.start) as usize == front.text.len();
            let span = if verbatim {
                Span {
                    start: front.span.start + skipped as u32,
                    end: front.span.start + used as u32,
                }
            } else {
                front.span
            };
            if used == front.text.len() {
                waiting.pop_front();
            } else {
                front.text.pop_front(used as u32);
                if verbatim {
                    front.span.start += used as u32;
                }
            }
            return span;
        }
        self.token.get()
    }

    fn insert_text(&self, tree: &mut Tree, parent: u32, before: u32, text: &str) {
        if text.is_empty() {
            return;
        }
        let span = self.locate(text);
        let neighbour = match before {
            NONE => tree.nodes[parent as usize].last_child,
            sibling => tree.nodes[sibling as usize].previous,
        };
        if neighbour != NONE && tree.nodes[neighbour as usize].tag == Tag::TEXT {
            let piece = tree.push_piece(text);
            let node = &mut tree.nodes[neighbour as usize];
            let last = std::mem::replace(&mut node.last_piece, piece);
            node.open.start = node.open.start.min(span.start);
            node.open.end = node.open.end.max(span.end);
            tree.pieces[last as usize].next = piece;
            return;
        }
        let id = tree.push(Tag::TEXT, span);
        let piece = tree.push_piece(text);
        let node = &mut tree.nodes[id as usize];
        (node.data, node.last_piece) = (piece, piece);
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

    /// Writes the tree out in document order.
    pub(crate) fn finish_with(self, mut cuts: Vec<Cut>) -> Dom {
        let Tree {
            nodes: linked,
            pieces,
            mut attributes,
            mut arena,
            tags,
        } = self.tree.into_inner();
        let mut nodes: Vec<Node> = Vec::with_capacity(linked.len());
        let (mut from, mut parent, mut depth) = (0u32, 0u32, 0u16);
        'walk: loop {
            let source = &linked[from as usize];
            let id = nodes.len() as u32;
            let (data, data_len) = match source.tag {
                Tag::TEXT => join_pieces(&pieces, source.data, &mut arena),
                _ => (source.data, 0),
            };
            nodes.push(Node {
                tag: source.tag,
                foreign: source.foreign,
                depth,
                attributes: source.attributes,
                parent,
                end: id + 1,
                data,
                data_len,
                open: source.open,
                close: source.close,
            });
            if source.first_child != NONE {
                from = source.first_child;
                parent = id;
                depth = depth.saturating_add(1);
                continue;
            }
            // Up until there is a next sibling, closing subtrees on the way.
            let mut up = from;
            loop {
                if up == 0 {
                    break 'walk;
                }
                let source = &linked[up as usize];
                if source.next != NONE {
                    from = source.next;
                    break;
                }
                let end = nodes.len() as u32;
                let closing = &mut nodes[parent as usize];
                closing.end = end;
                up = source.parent;
                parent = closing.parent;
                depth = depth.saturating_sub(1);
            }
        }
        drop_wrong_ends(&mut nodes);
        attributes.shrink_to_fit();
        cuts.sort();
        cuts.dedup();
        Dom {
            nodes,
            attributes,
            arena,
            own_tags: tags.own,
            cuts,
        }
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

/// An end tag that stands before something inside its element was ignored by the tree builder.
fn drop_wrong_ends(nodes: &mut [Node]) {
    let mut last: Vec<u32> = nodes.iter().map(|node| node.open.end).collect();
    for id in (1..nodes.len()).rev() {
        if !nodes[id].close.is_empty() {
            match nodes[id].close.start < last[id] {
                true => nodes[id].close = Span::default(),
                false => last[id] = nodes[id].close.end,
            }
        }
        let parent = nodes[id].parent as usize;
        last[parent] = last[parent].max(last[id]);
    }
}

/// The text of a node as one stretch of the arena; only a text that was merged is written anew.
fn join_pieces(pieces: &[Piece], first: u32, arena: &mut String) -> (u32, u32) {
    let piece = &pieces[first as usize];
    if piece.next == NONE {
        return (piece.text.start, piece.text.end - piece.text.start);
    }
    let start = arena.len();
    let mut at = first;
    while at != NONE {
        arena.extend_from_within(pieces[at as usize].text.range());
        at = pieces[at as usize].next;
    }
    (start as u32, (arena.len() - start) as u32)
}

impl Tree {
    fn push(&mut self, tag: Tag, open: Span) -> u32 {
        self.nodes.push(Linked {
            tag,
            foreign: false,
            attributes: 0,
            depth: 0,
            parent: NONE,
            previous: NONE,
            next: NONE,
            first_child: NONE,
            last_child: NONE,
            data: 0,
            last_piece: NONE,
            open,
            close: Span::default(),
        });
        self.nodes.len() as u32 - 1
    }

    fn push_text(&mut self, text: &str) -> Span {
        let start = self.arena.len() as u32;
        self.arena.push_str(text);
        Span {
            start,
            end: self.arena.len() as u32,
        }
    }

    fn push_piece(&mut self, text: &str) -> u32 {
        let text = self.push_text(text);
        self.pieces.push(Piece { text, next: NONE });
        self.pieces.len() as u32 - 1
    }

    fn push_attributes(&mut self, id: u32, attributes: Vec<RawAttribute>) {
        let first = self.attributes.len() as u32;
        for attribute in attributes {
            let value = self.push_text(&attribute.value);
            self.attributes.push(Attribute {
                name: attribute.name.local,
                value,
            });
        }
        let node = &mut self.nodes[id as usize];
        node.attributes = (self.attributes.len() as u32 - first) as u16;
        node.data = first;
    }

    /// Puts a loose node under `parent`, before a sibling or last.
    fn link(&mut self, id: u32, parent: u32, before: u32) {
        let previous = match before {
            NONE => self.nodes[parent as usize].last_child,
            sibling => self.nodes[sibling as usize].previous,
        };
        let depth = self.nodes[parent as usize].depth.saturating_add(1);
        let node = &mut self.nodes[id as usize];
        (node.parent, node.previous, node.next) = (parent, previous, before);
        node.depth = depth;
        match previous {
            NONE => self.nodes[parent as usize].first_child = id,
            previous => self.nodes[previous as usize].next = id,
        }
        match before {
            NONE => self.nodes[parent as usize].last_child = id,
            sibling => self.nodes[sibling as usize].previous = id,
        }
    }

    fn unlink(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        let (parent, previous, next) = (node.parent, node.previous, node.next);
        if parent == NONE {
            return;
        }
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
        match previous {
            NONE => self.nodes[parent as usize].first_child = next,
            previous => self.nodes[previous as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last_child = previous,
            next => self.nodes[next as usize].previous = previous,
        }
    }
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
        let tag = tree.tags.number(&name.local);
        let id = tree.push(tag, Span::default());
        tree.nodes[id as usize].open = self.markup_of(tree, id, &name.local);
        tree.nodes[id as usize].foreign = name.ns != ns!(html);
        tree.push_attributes(id, attributes);
        let name = self.names.alloc(name);
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
        let from = node.data as usize;
        let own = from..from + usize::from(node.attributes);
        let mut all: Vec<Attribute> = tree.attributes[own].to_vec();
        for attribute in added {
            if all.iter().all(|have| have.name != attribute.name.local) {
                let value = tree.push_text(&attribute.value);
                all.push(Attribute {
                    name: attribute.name.local,
                    value,
                });
            }
        }
        all.truncate(usize::from(u16::MAX));
        let first = tree.attributes.len() as u32;
        let node = &mut tree.nodes[target.id as usize];
        (node.data, node.attributes) = (first, all.len() as u16);
        tree.attributes.extend(all);
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
        let from = node.data as usize;
        tree.attributes[from..from + usize::from(node.attributes)]
            .iter()
            .filter(|attribute| &*attribute.name == "encoding")
            .any(|attribute| {
                let value = &tree.arena[attribute.value.range()];
                value.eq_ignore_ascii_case("text/html")
                    || value.eq_ignore_ascii_case("application/xhtml+xml")
            })
    }
}
