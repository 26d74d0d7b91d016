//! Which words of a block are in the title and description of the page.

use crate::auto::page::head::Head;

/// Words of a block that are compared, at most.
pub(crate) const MOST_WORDS: usize = 60;

/// Slots of the hash table: about twice as many as words, so that probes are short.
const SLOTS: usize = 128;

/// What a block shares with the texts of the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Distinct words of the block; 0 if it shares none …
    pub words: u32,
    /// … and how many of them are in each text of the head.
    pub with: [u32; 3],
}

/// Compares one block after another with the head, without clearing its table in between.
pub(crate) struct TitleOverlap {
    /// Words, each with the number of the block that it was last seen in.
    seen: Box<[(u64, u32); SLOTS]>,
    block: u32,
    /// Words of this block, repetitions included.
    words: Vec<u64>,
    /// One of them may be in the head. Most blocks have none, and need not be counted.
    may_share: bool,
}

impl TitleOverlap {
    pub fn new() -> TitleOverlap {
        TitleOverlap {
            seen: Box::new([(0, 0); SLOTS]),
            block: 0,
            words: Vec::with_capacity(MOST_WORDS),
            may_share: false,
        }
    }

    /// Adds words to this block, as far as it may have more.
    pub fn add_words(&mut self, words: &[u64], head: &Head) {
        let words = &words[..words.len().min(MOST_WORDS - self.words.len())];
        self.may_share |= words
            .iter()
            .fold(false, |may, word| may | head.may_have(*word));
        self.words.extend_from_slice(words);
    }

    /// Ends this block and starts another.
    pub fn end_block(&mut self, head: &Head) -> Shared {
        let mut shared = Shared::default();
        if self.may_share {
            self.block += 1;
            for at in 0..self.words.len() {
                self.count(self.words[at], head, &mut shared);
            }
        }
        self.words.clear();
        self.may_share = false;
        shared
    }

    fn count(&mut self, word: u64, head: &Head, shared: &mut Shared) {
        let mut at = (word >> 32) as usize % SLOTS;
        while self.seen[at].1 == self.block {
            if self.seen[at].0 == word {
                return;
            }
            at = (at + 1) % SLOTS;
        }
        self.seen[at] = (word, self.block);
        shared.words += 1;
        let texts = head.texts_with(word);
        for (text, with) in shared.with.iter_mut().enumerate() {
            *with += u32::from(texts >> text & 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;
    use crate::auto::page::text_key::TextKey;

    fn head(title: &str) -> Head {
        let html = format!("<title>{title}</title>");
        Head::of(&Page::parse(html.into(), None, None, &Limits::default()))
    }

    #[test]
    fn each_word_counts_once_a_block() {
        let head = head("the river");
        let mut overlap = TitleOverlap::new();
        for block in 0..3 {
            for text in ["The long", "river, the", "long way"] {
                overlap.add_words(&TextKey::of(text).words, &head);
            }
            let shared = overlap.end_block(&head);
            assert_eq!((shared.words, shared.with), (4, [2, 0, 0]), "{block}");
        }
    }

    #[test]
    fn a_block_has_so_many_words() {
        let head = head("w3 w500");
        let mut overlap = TitleOverlap::new();
        for number in 0..600 {
            let word = format!("w{number}");
            overlap.add_words(&TextKey::of(&word).words, &head);
        }
        let shared = overlap.end_block(&head);
        assert_eq!((shared.words, shared.with), (MOST_WORDS as u32, [1, 0, 0]));
        assert_eq!(overlap.end_block(&head), Shared::default());
    }
}
