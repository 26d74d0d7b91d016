//! Formatting elements (`b`, `i`, `a` …), which may overlap with other elements. They are reopened
//! where they were cut off, and blocks are moved out of them if they end inside a block.

use super::class::Class;
use super::stack::Open;
use super::{Builder, StartTag, Step};
use crate::attribute::Run;
use crate::growing_tree::NONE;
use crate::tag::Tag;
use crate::tree::Span;

/// Maximum number of identical elements that are reopened. The number is the standard's and
/// protects against pages that never close them.
const MOST_ALIKE: usize = 3;
/// Maximum number of rounds per end tag, and the depth that each round considers. The numbers are
/// the standard's.
const ROUNDS: usize = 8;
const LEVELS: usize = 3;

/// An entry in the list of active formatting elements.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    id: u32,
    tag: Tag,
    attributes: Run,
    /// Hash of its attributes.
    hash: u64,
}

impl Entry {
    /// Formatting before a marker does not apply after it.
    pub(super) const MARKER: Entry = Entry {
        id: NONE,
        tag: Tag::DOCUMENT,
        attributes: (0, 0),
        hash: 0,
    };

    fn is_marker(&self) -> bool {
        self.id == NONE
    }
}

impl Builder<'_> {
    /// Reopens the formatting elements that were cut off.
    #[inline]
    pub(super) fn reopen_formatting(&mut self) {
        if let Some(last) = self.formatting.last()
            && !self.is_marker_or_open(last)
        {
            self.reopen_from_first();
        }
    }

    #[inline]
    fn is_marker_or_open(&self, entry: &Entry) -> bool {
        entry.is_marker() || self.stack.find(entry.id).is_some()
    }

    fn reopen_from_first(&mut self) {
        let open = |entry: &Entry| self.is_marker_or_open(entry);
        let first = self
            .formatting
            .iter()
            .rposition(open)
            .map_or(0, |at| at + 1);
        self.work += ((self.formatting.len() - first) * self.stack.len()) as u64;
        for at in first..self.formatting.len() {
            let Entry {
                tag, attributes, ..
            } = self.formatting[at];
            self.formatting[at].id = self.insert_implied(tag, attributes);
        }
    }

    /// Index of the first entry after the last marker.
    fn first_after_marker(&self) -> usize {
        let marker = self.formatting.iter().rposition(Entry::is_marker);
        marker.map_or(0, |at| at + 1)
    }

    pub(super) fn clear_formatting_to_marker(&mut self) {
        let marker = self.formatting.iter().rposition(Entry::is_marker);
        self.formatting.truncate(marker.unwrap_or(0));
    }

    fn find_formatting(&self, id: u32) -> Option<usize> {
        self.formatting.iter().rposition(|entry| entry.id == id)
    }

    pub(super) fn insert_formatting(&mut self, tag: StartTag) -> Step {
        let from = self.first_after_marker();
        let (tree, source) = (&self.tree, self.source);
        let hash = tree.attributes.hash(tag.attributes, source, &tree.arena);
        let is_alike = |entry: &Entry| {
            let (one, other) = (entry.attributes, tag.attributes);
            entry.tag == tag.tag
                && entry.hash == hash
                && tree.attributes.are_alike(one, other, source, &tree.arena)
        };
        let mut alike = (from..self.formatting.len()).filter(|at| is_alike(&self.formatting[*at]));
        let first = alike.next();
        let count = alike.count() + usize::from(first.is_some());
        self.work += count as u64 * u64::from(tag.attributes.1).pow(2);
        if count >= MOST_ALIKE
            && let Some(first) = first
        {
            self.formatting.remove(first);
        }
        let id = self.insert(tag);
        self.formatting.push(Entry {
            id,
            tag: tag.tag,
            attributes: tag.attributes,
            hash,
        });
        Step::Done
    }

    /// Closes an open link because another begins.
    pub(super) fn end_link(&mut self) {
        let active = &self.formatting[self.first_after_marker()..];
        let Some(link) = active.iter().rev().find(|entry| entry.tag == Tag::A) else {
            return;
        };
        let id = link.id;
        self.end_formatting(Tag::A, None);
        if let Some(at) = self.find_formatting(id) {
            self.formatting.remove(at);
        }
        self.forget(id);
    }

    /// Closes a formatting element, by an end tag if `markup` is given: the standard's adoption
    /// agency algorithm.
    pub(super) fn end_formatting(&mut self, tag: Tag, markup: Option<Span>) {
        // The whole list may be searched, and markers can remain in it forever.
        self.work += self.formatting.len() as u64;
        let current = self.current();
        if current.is(tag) && self.find_formatting(current.id).is_none() {
            self.close(self.stack.len() - 1, markup.unwrap_or_default());
            return;
        }
        for round in 0..ROUNDS {
            let from = self.first_after_marker();
            let active = &self.formatting[from..];
            let Some(at) = active.iter().rposition(|entry| entry.tag == tag) else {
                self.end_any_other(tag, markup.filter(|_| round == 0));
                return;
            };
            let at = from + at;
            let element = self.formatting[at].id;
            let Some(on_stack) = self.stack.find(element) else {
                self.formatting.remove(at);
                return;
            };
            let same = |open: &Open| open.id == element;
            if self.stack.find_in_scope(same, Class::SCOPE).is_none() {
                return;
            }
            if round == 0 {
                self.tree.nodes[element as usize].close = markup.unwrap_or_default();
            }
            let mut inside = self.stack.iter().enumerate().skip(on_stack);
            let block = inside.find(|(_, open)| open.class.on(Class::SPECIAL));
            let Some((block, _)) = block else {
                self.stack.truncate(on_stack);
                self.formatting.remove(at);
                return;
            };
            self.take_block_out(at, on_stack, block);
        }
    }

    /// Moves the block at `block` on the stack out of the formatting element at `on_stack`, whose
    /// entry is at `at`. The elements open between them, and the formatting element itself,
    /// continue inside the block as copies.
    fn take_block_out(&mut self, at: usize, on_stack: usize, block: usize) {
        self.work += ((block - on_stack) * self.formatting.len()) as u64;
        let entry = self.formatting[at];
        let ancestor = *self
            .stack
            .get(on_stack - 1)
            .expect("the root is not formatting");
        let block_element = *self.stack.get(block).expect("the block is on the stack");
        // Where the copy of the element is inserted in the list.
        let mut bookmark = at;
        let mut last = block_element.id;
        let mut level = 0;
        for between in (on_stack + 1..block).rev() {
            level += 1;
            let id = self.stack.get(between).map_or(NONE, |open| open.id);
            let mut active = self.find_formatting(id);
            if level > LEVELS
                && let Some(found) = active.take()
            {
                self.formatting.remove(found);
                bookmark -= usize::from(found < bookmark);
            }
            let Some(active) = active else {
                self.stack.remove(between);
                continue;
            };
            let copy = self.copy(
                self.formatting[active].tag,
                self.formatting[active].attributes,
            );
            self.stack.replace(between, copy);
            self.formatting[active].id = copy;
            if last == block_element.id {
                bookmark = active + 1;
            }
            self.tree.unlink(last);
            self.tree.link(last, copy, NONE);
            last = copy;
        }
        self.tree.unlink(last);
        let (parent, before) = self.place_in(ancestor);
        self.tree.link(last, parent, before);
        let copy = self.copy(entry.tag, entry.attributes);
        self.work += self.tree.move_children(block_element.id, copy);
        self.tree.link(copy, block_element.id, NONE);
        let old = self
            .find_formatting(entry.id)
            .expect("the entry is still in the list");
        self.formatting.remove(old);
        bookmark -= usize::from(old < bookmark);
        self.formatting
            .insert(bookmark, Entry { id: copy, ..entry });
        self.forget(entry.id);
        let block = self
            .stack
            .find(block_element.id)
            .expect("the block is still open");
        self.stack.insert(block + 1, Open::html(copy, entry.tag));
    }
}
