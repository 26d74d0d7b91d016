//! Storage for the texts of a page. Most occur verbatim in the source and are not copied.
//!
//! A text is a [`Span`]. A span that ends within the source is a range of the source. A span beyond
//! it is a range of the arena, which holds the texts that the source spells differently: with
//! entities, or with other line endings.

use crate::tree::Span;

/// Texts that do not occur verbatim in the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    /// Where the arena's spans begin: one past the end of the source, so that a text that ends with
    /// the source never touches one in the arena.
    base: u32,
    text: String,
}

impl Arena {
    /// Creates the arena for a page whose source has `source` bytes.
    pub(crate) fn after(source: usize) -> Self {
        Arena {
            base: source as u32 + 1,
            text: String::new(),
        }
    }

    /// True if the text is stored in the arena.
    pub(crate) fn holds(&self, text: Span) -> bool {
        text.start >= self.base
    }

    /// Returns a text as a string.
    pub(crate) fn get<'t>(&'t self, source: &'t str, text: Span) -> &'t str {
        match self.holds(text) {
            false => &source[text.range()],
            true => &self.text[(text.start - self.base) as usize..(text.end - self.base) as usize],
        }
    }

    /// Adds a text.
    pub(crate) fn push(&mut self, text: &str) -> Span {
        let start = self.end();
        self.text.push_str(text);
        Span {
            start,
            end: self.end(),
        }
    }

    /// Adds the concatenation of several texts.
    pub(crate) fn join(&mut self, source: &str, parts: &[Span]) -> Span {
        let start = self.end();
        for part in parts {
            match self.holds(*part) {
                false => self.text.push_str(&source[part.range()]),
                true => {
                    let from = (part.start - self.base) as usize;
                    let to = (part.end - self.base) as usize;
                    self.text.extend_from_within(from..to);
                }
            }
        }
        Span {
            start,
            end: self.end(),
        }
    }

    fn end(&self) -> u32 {
        self.base + self.text.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_both_kinds() {
        let source = "a&amp;b";
        let mut arena = Arena::after(source.len());
        let own = Span { start: 0, end: 7 };
        let decoded = arena.push("a&b");
        assert_eq!(arena.get(source, own), "a&amp;b");
        assert_eq!(arena.get(source, decoded), "a&b");
        assert!(decoded.start > own.end);
        let joined = arena.join(source, &[decoded, own, decoded]);
        assert_eq!(arena.get(source, joined), "a&ba&amp;ba&b");
    }
}
