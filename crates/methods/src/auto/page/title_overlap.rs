//! Which words of a block are in the title and description of the page.

/// Words of a block that are compared, at most.
pub(crate) const MOST_WORDS: usize = 60;

/// Slots of the hash table: about twice as many as words, so that probes are short.
const SLOTS: usize = 128;

/// Counts the distinct words of one block after another, without clearing its table in between.
pub(crate) struct TitleOverlap {
    /// Words, each with the number of the block that it was last seen in.
    seen: Box<[(u64, u32); SLOTS]>,
    block: u32,
    /// Words of this block, repetitions included.
    read: usize,
    /// Distinct words …
    pub words: u32,
    /// … and how many of them are in each text of the head.
    pub shared: [u32; 3],
}

impl TitleOverlap {
    pub fn new() -> TitleOverlap {
        TitleOverlap {
            seen: Box::new([(0, 0); SLOTS]),
            block: 1,
            read: 0,
            words: 0,
            shared: [0; 3],
        }
    }

    /// How many more words this block may have.
    fn room(&self) -> usize {
        MOST_WORDS.saturating_sub(self.read)
    }

    /// Adds a word; `texts` gives the texts of the head that have it, one bit each.
    pub fn add_word(&mut self, word: u64, texts: impl FnOnce() -> u8) {
        if self.room() == 0 {
            return;
        }
        self.read += 1;
        let mut at = (word >> 32) as usize % SLOTS;
        while self.seen[at].1 == self.block {
            if self.seen[at].0 == word {
                return;
            }
            at = (at + 1) % SLOTS;
        }
        self.seen[at] = (word, self.block);
        self.words += 1;
        let texts = texts();
        for (text, shared) in self.shared.iter_mut().enumerate() {
            *shared += u32::from(texts >> text & 1);
        }
    }

    /// Starts another block.
    pub fn clear(&mut self) {
        self.block += 1;
        (self.read, self.words, self.shared) = (0, 0, [0; 3]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_counts_once_a_block() {
        let mut overlap = TitleOverlap::new();
        for block in 0..3 {
            for word in [1, 2, 1 << 32, 2, 1] {
                overlap.add_word(word, || if word == 2 { 0b101 } else { 0b100 });
            }
            assert_eq!((overlap.words, overlap.shared), (3, [1, 0, 3]), "{block}");
            overlap.clear();
        }
    }

    #[test]
    fn a_block_has_so_many_words() {
        let mut overlap = TitleOverlap::new();
        (0..500).for_each(|word| overlap.add_word(word, || 1));
        assert_eq!((overlap.words, overlap.room()), (MOST_WORDS as u32, 0));
    }
}
