//! Records: finds the texts that hold a value that must survive.

use std::collections::BTreeMap;

use super::grams::Grams;
use super::page_words::{PageWords, Vocabulary};
use super::{Aligned, NodeGold};
use crate::gold::Text;
use crate::tokens::flat;

/// A value of one word with at most this many letters matches whole texts only: a `4` occurs in
/// many.
const SHORT_WORD: usize = 6;
/// The same for the letters of all words of a value, as in `4.5`.
const SHORT_VALUE: usize = 3;
/// A text of at least this many words that is part of a value holds it, even if the rest is not
/// adjacent.
const LONG_PIECE: usize = 3;

pub(super) fn align(texts: &[&str], values: &BTreeMap<String, Vec<Text>>) -> Vec<Aligned> {
    let mut vocabulary = Vocabulary::default();
    let page = PageWords::new(texts, &mut vocabulary, &Grams::new(&[]));
    let mut held = vec![false; page.words().len()];
    for value in values.values().flatten() {
        let words = vocabulary.ids(value.as_str());
        if words.is_empty() {
            continue;
        }
        let value = flat(value.as_str());
        let letters = value.chars().filter(|c| *c != ' ').count();
        let is_short = match words.len() {
            1 => letters <= SHORT_WORD,
            _ => letters <= SHORT_VALUE,
        };
        let mut is_found = false;
        for (at, candidate) in page.words().windows(words.len()).enumerate() {
            let place = at..at + words.len();
            let is_whole = page.starts_text(at) && page.ends_text(place.end - 1);
            if candidate == words && (is_whole || !is_short) {
                held[place].fill(true);
                is_found = true;
            }
        }
        if !is_found {
            hold_pieces(&page, &words, &mut held);
        }
    }
    let of_text = |text: usize| match held[page.range(text)].contains(&true) {
        true => Aligned {
            gold: NodeGold::Content,
            content: 1.0,
        },
        false => Aligned::GREY,
    };
    (0..texts.len()).map(of_text).collect()
}

fn hold_pieces(page: &PageWords, value: &[u32], held: &mut [bool]) {
    for text in 0..page.texts() {
        let words = page.of_text(text);
        if words.len() >= LONG_PIECE
            && value
                .windows(words.len())
                .any(|candidate| candidate == words)
        {
            held[page.range(text)].fill(true);
        }
    }
}
