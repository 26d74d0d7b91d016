//! Inserts nodes into the tree.

use super::class::Class;
use super::stack::Open;
use super::{Builder, StartTag, Step, Text};
use crate::attribute::Run;
use crate::growing_tree::NONE;
use crate::tag::Tag;
use crate::tree::Span;

impl Builder<'_> {
    /// The innermost open element.
    #[inline]
    pub(super) fn current(&self) -> Open {
        *self.stack.last().expect("the root is always open")
    }

    /// True if the innermost open element is in one of these categories.
    #[inline]
    pub(super) fn current_is(&self, kinds: Class) -> bool {
        self.stack.last().is_some_and(|open| open.class.on(kinds))
    }

    /// True if the innermost open element is this HTML element.
    pub(super) fn current_is_a(&self, tag: Tag) -> bool {
        self.stack.last().is_some_and(|open| open.is(tag))
    }

    /// The `html` element.
    pub(super) fn root(&self) -> u32 {
        self.stack.get(0).map_or(0, |open| open.id)
    }

    /// The insertion point for the next node: its parent, and the sibling it precedes.
    #[inline]
    pub(super) fn place(&self) -> (u32, u32) {
        self.place_in(self.current())
    }

    /// The insertion point for a node whose parent would be `target`.
    #[inline]
    pub(super) fn place_in(&self, target: Open) -> (u32, u32) {
        match self.fosters && target.class.on(Class::FOSTERS) {
            true => self.place_before_table(),
            false => (target.id, NONE),
        }
    }

    fn place_before_table(&self) -> (u32, u32) {
        for (at, open) in self.stack.iter().enumerate().rev() {
            if open.is(Tag::TEMPLATE) {
                return (open.id, NONE);
            }
            if open.is(Tag::TABLE) {
                return match self.tree.nodes[open.id as usize].parent {
                    NONE => (self.stack.get(at - 1).map_or(0, |open| open.id), NONE),
                    parent => (parent, open.id),
                };
            }
        }
        (self.root(), NONE)
    }

    /// Creates an element at the current insertion point.
    #[inline]
    fn place_new(&mut self, tag: Tag, markup: Span, attributes: Run) -> u32 {
        let id = self.tree.push(tag, markup);
        self.tree.set_attributes(id, attributes);
        let (parent, before) = self.place();
        self.tree.link(id, parent, before);
        self.has_noscript |= tag == Tag::NOSCRIPT;
        id
    }

    /// Creates the element of a start tag and opens it.
    #[inline]
    pub(super) fn insert(&mut self, tag: StartTag) -> u32 {
        let id = self.place_new(tag.tag, tag.markup, tag.attributes);
        self.stack.push(Open::html(id, tag.tag));
        id
    }

    /// Creates the element of a start tag that has no content.
    #[inline]
    pub(super) fn insert_void(&mut self, tag: StartTag) -> Step {
        self.place_new(tag.tag, tag.markup, tag.attributes);
        Step::Done
    }

    /// Creates and opens an element that has no markup.
    pub(super) fn insert_implied(&mut self, tag: Tag, attributes: Run) -> u32 {
        let id = self.place_new(tag, Span::default(), attributes);
        self.stack.push(Open::html(id, tag));
        id
    }

    /// Creates an SVG or MathML element.
    pub(super) fn insert_foreign(&mut self, tag: StartTag, name: Tag, class: Class) {
        let id = self.place_new(name, tag.markup, tag.attributes);
        self.tree.nodes[id as usize].foreign = true;
        if !tag.is_self_closing {
            self.stack.push(Open {
                id,
                tag: tag.tag,
                class,
            });
        }
    }

    /// Creates a copy of an element that is not in the tree yet.
    pub(super) fn copy(&mut self, tag: Tag, attributes: Run) -> u32 {
        let id = self.tree.push(tag, Span::default());
        self.tree.set_attributes(id, attributes);
        id
    }

    /// Creates the root.
    pub(super) fn insert_root(&mut self, markup: Span, attributes: Run) {
        let id = self.tree.push(Tag::HTML, markup);
        self.tree.set_attributes(id, attributes);
        self.tree.link(id, 0, NONE);
        self.stack.push(Open::html(id, Tag::HTML));
    }

    /// Closes an open element and everything inside it, by an end tag.
    #[inline]
    pub(super) fn close(&mut self, at: usize, markup: Span) -> Step {
        if let Some(open) = self.stack.get(at) {
            self.tree.nodes[open.id as usize].close = markup;
        }
        self.stack.truncate(at);
        Step::Done
    }

    /// Closes the innermost element of this name, if it is in scope.
    pub(super) fn close_in_scope(&mut self, tag: Tag, ends: Class, markup: Span) -> Step {
        match self.stack.in_scope(tag, ends) {
            Some(at) => self.close(at, markup),
            None => Step::Done,
        }
    }

    /// Closes an open paragraph, because the next element cannot be inside one.
    #[inline]
    pub(super) fn end_paragraph(&mut self) {
        if let Some(at) = self.stack.in_scope(Tag::P, Class::SCOPE.and(Class::BUTTON)) {
            self.stack.truncate(at);
        }
    }

    /// Closes elements that need no end tag, except those named `except`.
    pub(super) fn end_implied(&mut self, except: Option<Tag>) {
        while let Some(open) = self.stack.last()
            && open.class.on(Class::IMPLIED)
            && Some(open.tag) != except
        {
            self.stack.pop();
        }
    }

    /// Removes an element from the stack of open elements, wherever it is.
    pub(super) fn forget(&mut self, id: u32) {
        if let Some(at) = self.stack.find(id) {
            self.stack.remove(at);
        }
    }

    pub(super) fn insert_text(&mut self, text: Text) {
        let (parent, before) = self.place();
        let tree = &mut self.tree;
        // The text of scripts and style sheets is a large part of a page and never used.
        if matches!(tree.nodes[parent as usize].tag, Tag::SCRIPT | Tag::STYLE) {
            return;
        }
        let neighbour = match before {
            NONE => tree.nodes[parent as usize].last_child,
            sibling => tree.nodes[sibling as usize].previous,
        };
        if neighbour != NONE && tree.nodes[neighbour as usize].tag == Tag::TEXT {
            tree.extend_text(neighbour, text.text, text.markup);
            return;
        }
        let id = tree.push(Tag::TEXT, text.markup);
        let node = &mut tree.nodes[id as usize];
        (node.data, node.data_end) = (text.text.start, text.text.end);
        tree.link(id, parent, before);
    }

    pub(super) fn read(&self, text: Text) -> &str {
        self.tree.arena.get(self.source, text.text)
    }

    /// Splits a text. Both parts of a text that the source spells differently keep the whole
    /// markup.
    pub(super) fn split(&self, text: Text, length: usize) -> (Text, Text) {
        let middle = text.text.start + length as u32;
        let part = |start, end| {
            let part = Span { start, end };
            Text {
                text: part,
                markup: match self.tree.arena.holds(part) {
                    true => text.markup,
                    false => part,
                },
            }
        };
        match length {
            0 => (part(middle, middle), text),
            _ if middle == text.text.end => (text, part(middle, middle)),
            _ => (part(text.text.start, middle), part(middle, text.text.end)),
        }
    }
}
