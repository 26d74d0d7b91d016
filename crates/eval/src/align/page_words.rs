//! Words as numbers, and the sequence of all words of a page's texts.

use std::collections::HashMap;
use std::ops::Range;

use super::grams::Grams;
use crate::tokens::words;

/// Assigns a number to each word.
#[derive(Default)]
pub(super) struct Vocabulary {
    numbers: HashMap<String, u32>,
}

impl Vocabulary {
    pub(super) fn ids(&mut self, text: &str) -> Vec<u32> {
        let lowered = text.to_lowercase();
        words(&lowered).map(|word| self.id(word)).collect()
    }

    fn id(&mut self, word: &str) -> u32 {
        let next = self.numbers.len() as u32;
        match self.numbers.get(word) {
            Some(number) => *number,
            None => {
                self.numbers.insert(word.to_owned(), next);
                next
            }
        }
    }
}

/// The words of a page's texts, in order.
///
/// A word may span several texts (`<b>W</b>ord`). It is one word here and belongs to each of them.
/// The texts alone do not tell whether two of them touch, so words are joined only if the label has
/// the whole word and not the adjacent parts.
pub(super) struct PageWords {
    words: Vec<u32>,
    of_text: Vec<Range<usize>>,
    starts_text: Vec<bool>,
    ends_text: Vec<bool>,
}

impl PageWords {
    pub(super) fn new(texts: &[&str], vocabulary: &mut Vocabulary, label: &Grams) -> Self {
        let mut page = PageWords {
            words: Vec::new(),
            of_text: Vec::with_capacity(texts.len()),
            starts_text: Vec::new(),
            ends_text: Vec::new(),
        };
        // The last word, if the previous text ends with it.
        let mut open: Option<String> = None;
        for text in texts {
            let lowered = text.to_lowercase();
            let mut start = page.words.len();
            let mut last = None;
            for word in words(&lowered) {
                let id = vocabulary.id(word);
                let is_first = last.is_none();
                let whole = open
                    .take()
                    .filter(|_| is_first && lowered.starts_with(word))
                    .map(|before| before + word)
                    .filter(|whole| words(whole).count() == 1);
                let joined = whole.filter(|whole| {
                    let before = page.words[page.words.len() - 1];
                    let id_of_whole = vocabulary.numbers.get(whole.as_str());
                    id_of_whole.is_some_and(|id| label.has(&[*id])) && !label.has(&[before, id])
                });
                match joined {
                    Some(whole) => {
                        start -= 1;
                        page.words[start] = vocabulary.id(&whole);
                        page.ends_text[start] = false;
                        last = Some(whole);
                    }
                    None => {
                        page.words.push(id);
                        page.starts_text.push(is_first);
                        page.ends_text.push(false);
                        last = Some(word.to_owned());
                    }
                }
            }
            page.of_text.push(start..page.words.len());
            if last.is_some() {
                *page.ends_text.last_mut().expect("has a word") = true;
            }
            open = last.filter(|_| lowered.ends_with(|c: char| c.is_alphanumeric()));
        }
        page
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The range of the words of a text.
    pub(super) fn range(&self, text: usize) -> Range<usize> {
        self.of_text[text].clone()
    }

    pub(super) fn of_text(&self, text: usize) -> &[u32] {
        &self.words[self.range(text)]
    }

    pub(super) fn texts(&self) -> usize {
        self.of_text.len()
    }

    /// Whether a word is the first of a text and not part of the previous one.
    pub(super) fn starts_text(&self, word: usize) -> bool {
        self.starts_text[word]
    }

    /// Whether a word is the last of a text and not part of the next one.
    pub(super) fn ends_text(&self, word: usize) -> bool {
        self.ends_text[word]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_over_several_texts_are_one_word_of_each() {
        for (label, texts, expected) in [
            ("word", &["W", "ord ", "on"][..], &[0..1, 0..1, 1..2][..]),
            ("word", &["W ", "ord"], &[0..1, 1..2]),
            ("w ord word", &["w", "ord"], &[0..1, 1..2]),
            ("homepage", &["Home", "|", "page"], &[0..1, 1..1, 1..2]),
            ("ab c", &["a", "b", "c"], &[0..1, 0..1, 1..2]),
            ("中文", &["中", "文"], &[0..1, 1..2]),
        ] {
            let mut vocabulary = Vocabulary::default();
            let label = Grams::new(&vocabulary.ids(label));
            let page = PageWords::new(texts, &mut vocabulary, &label);
            assert_eq!(page.of_text, expected, "{texts:?}");
        }
    }

    #[test]
    fn texts_start_and_end() {
        let mut vocabulary = Vocabulary::default();
        let label = Grams::new(&vocabulary.ids("word on"));
        let page = PageWords::new(&["a w", "ord on", "b"], &mut vocabulary, &label);
        assert_eq!(page.starts_text, [true, false, false, true]);
        assert_eq!(page.ends_text, [false, false, true, true]);
    }
}
