//! Texts of a page: most stand in its source to the letter and are not copied.
//!
//! A text is a [`Span`]. Up to the end of the source it is a range of the source; beyond it is a
//! range of the arena, which holds the texts that the source spells in another way, with entities
//! or with the line ends of another system.

use crate::tree::Span;

/// Texts that do not stand in the source to the letter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    /// Where the arena's spans begin: one past the end of the source, so that no text that ends
    /// with the source ever touches one of the arena.
    base: u32,
    text: String,
}

impl Arena {
    /// For a page whose source has this many bytes.
    pub(crate) fn after(source: usize) -> Self {
        Arena {
            base: source as u32 + 1,
            text: String::new(),
        }
    }

    /// True if a text is one of the arena's.
    pub(crate) fn holds(&self, text: Span) -> bool {
        text.start >= self.base
    }

    /// A text as a string.
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

    /// Adds a text that is put together from others.
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
