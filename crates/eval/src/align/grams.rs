//! The n-grams of a part of a label: all runs of up to four words.

use std::collections::HashSet;

/// Maximum length of an n-gram in words.
pub(super) const LONGEST: usize = 4;

/// The n-grams of a text, to test whether, and to what extent, another text is contained in it.
///
/// A long text counts as contained if all its n-grams are. This costs the same for any text, unlike
/// a search for the whole text.
pub(super) struct Grams {
    of_length: [HashSet<[u32; LONGEST]>; LONGEST],
}

impl Grams {
    pub(super) fn new(words: &[u32]) -> Self {
        Grams::of_stretches([words])
    }

    /// The n-grams of several segments; none crosses a boundary.
    pub(super) fn of_stretches<'a>(
        stretches: impl IntoIterator<Item = &'a [u32], IntoIter: Clone>,
    ) -> Self {
        let stretches = stretches.into_iter();
        let of_length = std::array::from_fn(|at| {
            let phrases = stretches.clone().flat_map(|words| words.windows(at + 1));
            phrases.map(key).collect()
        });
        Grams { of_length }
    }

    /// The share of the n-grams of `words` that are here; texts of fewer than four words have one.
    pub(super) fn share(&self, words: &[u32]) -> f32 {
        let length = words.len().min(LONGEST);
        if length == 0 {
            return 0.0;
        }
        let known = &self.of_length[length - 1];
        let phrases = words.windows(length);
        let count = phrases.len();
        let hits = phrases.filter(|phrase| known.contains(&key(phrase)));
        hits.count() as f32 / count as f32
    }

    /// Whether all n-grams of `words` are here.
    pub(super) fn has(&self, words: &[u32]) -> bool {
        self.share(words) == 1.0
    }
}

fn key(phrase: &[u32]) -> [u32; LONGEST] {
    let mut key = [u32::MAX; LONGEST];
    key[..phrase.len()].copy_from_slice(phrase);
    key
}
