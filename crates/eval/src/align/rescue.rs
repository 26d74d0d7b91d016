//! Matches texts that the label has in a different order than the page.

use std::collections::HashMap;

use super::CONTENT;
use super::grams::{Grams, LONGEST};
use super::page_words::PageWords;

/// Minimum share of the n-grams of a text that the label must have.
const PHRASES: f32 = 0.7;
/// Minimum share of the words of a text that must be unmatched in the label.
const UNSPENT: f32 = 0.7;

/// Raises the shares of texts that were not matched in order, using the unmatched segments of the
/// label. Each word of the label is used once.
pub(super) fn rescue<'a>(
    page: &PageWords,
    left: impl Iterator<Item = &'a [u32]> + Clone,
    in_frame: &[bool],
    shares: &mut [f32],
) {
    let phrases = Grams::of_stretches(left.clone());
    let mut unspent: HashMap<u32, u32> = HashMap::new();
    for word in left.flatten() {
        *unspent.entry(*word).or_default() += 1;
    }
    for (text, share) in shares.iter_mut().enumerate() {
        let words = page.of_text(text);
        let is_long = words.len() > LONGEST;
        if is_long && *share < CONTENT && phrases.share(words) >= PHRASES {
            take(words, UNSPENT, &mut unspent, share);
        }
    }
    // A short text is in the label by chance unless its neighbours are content.
    let worded: Vec<usize> = (0..page.texts())
        .filter(|text| !page.of_text(*text).is_empty())
        .collect();
    for around in worded.windows(3) {
        let [before, text, after] = *around else {
            continue;
        };
        let words = page.of_text(text);
        let is_candidate = words.len() <= LONGEST && shares[text] < CONTENT && !in_frame[text];
        let stands_in_content = shares[before] >= CONTENT && shares[after] >= CONTENT;
        if is_candidate && stands_in_content && phrases.has(words) {
            take(words, 1.0, &mut unspent, &mut shares[text]);
        }
    }
}

/// Uses the words of a text, if at least this share of them is unmatched.
fn take(words: &[u32], least: f32, unspent: &mut HashMap<u32, u32>, share: &mut f32) {
    let mut taken = Vec::new();
    for word in words {
        if let Some(left) = unspent.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            taken.push(*word);
        }
    }
    let found = taken.len() as f32 / words.len() as f32;
    if found >= least && found > *share {
        *share = found;
        return;
    }
    for word in taken {
        *unspent.entry(word).or_default() += 1;
    }
}
