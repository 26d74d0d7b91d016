//! The stack of open elements, outermost first.

use super::class::Class;
use crate::tag::Tag;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) id: u32,
    /// The name in lower case. The tree may differ: SVG has names with capitals.
    pub(super) tag: Tag,
    pub(super) class: Class,
}

impl Open {
    /// An open HTML element.
    pub(super) fn html(id: u32, tag: Tag) -> Open {
        Open {
            id,
            tag,
            class: Class::of(tag),
        }
    }

    /// True for an HTML element of this name.
    #[inline]
    pub(super) fn is(&self, tag: Tag) -> bool {
        self.tag == tag && !self.class.on(Class::FOREIGN)
    }
}

/// The stack, with a count for each HTML element name. Most queries are for elements that are not
/// open, and the count answers those.
pub(super) struct Stack {
    items: Vec<Open>,
    counts: [u32; Tag::KNOWN as usize],
}

impl Stack {
    pub(super) fn new() -> Self {
        Stack {
            items: Vec::with_capacity(64),
            counts: [0; Tag::KNOWN as usize],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    #[inline]
    pub(super) fn last(&self) -> Option<&Open> {
        self.items.last()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Open> {
        self.items.get(at)
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Open> {
        self.items.iter()
    }

    /// True if an HTML element of this name is open.
    pub(super) fn has(&self, tag: Tag) -> bool {
        match self.counts.get(usize::from(tag.0)) {
            Some(count) => *count > 0,
            None => self.items.iter().any(|open| open.is(tag)),
        }
    }

    /// The index of the innermost HTML element of this name, unless one of `ends` is nearer.
    pub(super) fn in_scope(&self, tag: Tag, ends: Class) -> Option<usize> {
        if !self.has(tag) {
            return None;
        }
        self.find_in_scope(|open| open.is(tag), ends)
    }

    /// The index of the innermost element that fits, unless one of `ends` is nearer.
    pub(super) fn find_in_scope(&self, fits: impl Fn(&Open) -> bool, ends: Class) -> Option<usize> {
        for (at, open) in self.items.iter().enumerate().rev() {
            if fits(open) {
                return Some(at);
            }
            if open.class.on(ends) {
                return None;
            }
        }
        None
    }

    /// The index of the element with this id.
    pub(super) fn find(&self, id: u32) -> Option<usize> {
        self.items.iter().rposition(|open| open.id == id)
    }

    #[inline]
    fn count(&mut self, open: Open, by: i32) {
        if !open.class.on(Class::FOREIGN)
            && let Some(count) = self.counts.get_mut(usize::from(open.tag.0))
        {
            *count = count.wrapping_add_signed(by);
        }
    }

    #[inline]
    pub(super) fn push(&mut self, open: Open) {
        self.count(open, 1);
        self.items.push(open);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(open) = self.items.pop() {
            self.count(open, -1);
        }
    }

    /// Removes all elements from index `length` on.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.items.len() > length {
            self.pop();
        }
    }

    /// Removes elements until the innermost is one of these.
    pub(super) fn pop_to(&mut self, kinds: Class) {
        while self.last().is_some_and(|open| !open.class.on(kinds)) {
            self.pop();
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        let open = self.items.remove(at);
        self.count(open, -1);
    }

    pub(super) fn insert(&mut self, at: usize, open: Open) {
        self.count(open, 1);
        self.items.insert(at, open);
    }

    /// Replaces an element by a copy.
    pub(super) fn replace(&mut self, at: usize, copy: u32) {
        self.items[at].id = copy;
    }
}
