//! A text as it is compared with others, whatever page it is on.

use std::cell::RefCell;
use std::rc::Rc;

use unframe_page::{Fingerprint, Kind, Memo, mask_digits, normalise};

use crate::auto::page::text_stats::TextStats;
use crate::auto::page::title_overlap::MOST_WORDS;

/// Hashes and statistics of a text.
#[derive(Clone, Debug)]
pub(crate) struct TextKey {
    pub stats: TextStats,
    /// Hash of the normalised text.
    pub hash: u64,
    /// The same with digits masked, if it has any ASCII digit.
    pub masked: Option<u64>,
    /// Hashes of its first words in lower case.
    pub words: Rc<[u64]>,
}

thread_local! {
    /// Most texts of a page are on other pages of its site, too.
    static CACHE: RefCell<Memo<TextKey>> = RefCell::default();
}

impl TextKey {
    /// Reads a text.
    pub fn of(source: &str) -> TextKey {
        CACHE.with_borrow_mut(|cache| cache.get_or_insert_with(source, TextKey::read))
    }

    fn read(source: &str) -> TextKey {
        let mut out = String::new();
        let text = normalise(source, &mut out);
        let (mut words, mut count) = ([0; MOST_WORDS], 0);
        let stats = TextStats::with_words(text, |word| {
            if let Some(free) = words.get_mut(count) {
                *free = word;
                count += 1;
            }
        });
        let hash = |text: &str| Fingerprint::of(Kind::Text, text).0 as u64;
        TextKey {
            stats,
            hash: hash(text),
            masked: has_digits(text).then(|| hash(&mask_digits(text))),
            words: words[..count].into(),
        }
    }
}

/// Tests 32 bytes at a time, which the compiler vectorises.
fn has_digits(text: &str) -> bool {
    let has = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(false, |has, byte| has | byte.is_ascii_digit())
    };
    text.as_bytes().chunks(32).any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_normalised_and_digits_are_masked() {
        let texts = ["May 12,\n 2024", "May 12, 2024", "May 7, 1999", "May"];
        let [broken, plain, other, short] = texts.map(TextKey::of);
        assert_eq!(broken.hash, plain.hash);
        assert_ne!(plain.hash, other.hash);
        assert_eq!((plain.masked, short.masked), (other.masked, None));
        assert_eq!((plain.words.len(), plain.stats.words), (3, 3));
        assert_eq!(plain.words[..1], *short.words);
    }

    #[test]
    fn long_texts_keep_their_first_words() {
        let long = TextKey::of(&"word ".repeat(1000));
        assert_eq!((long.words.len(), long.stats.words), (MOST_WORDS, 1000));
    }
}
