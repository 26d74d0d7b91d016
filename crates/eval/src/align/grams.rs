//! The phrases of a part of a label: all runs of up to four words.

use std::collections::HashSet;

/// Words of the longest phrase that is kept.
pub(super) const LONGEST: usize = 4;

/// A text of which one may ask whether, and how far, another is in it.
///
/// A long text counts as being in it if all its phrases are: that costs the same for any text,
/// which looking it up as a whole would not.
pub(super) struct Grams {
    of_length: [HashSet<[u32; LONGEST]>; LONGEST],
}

impl Grams {
    pub(super) fn new(words: &[u32]) -> Self {
        Grams::of_stretches([words])
    }

    /// The phrases of several stretches, none of which goes over a border.
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

    /// Share of the phrases of `words` that are here; those of fewer than four words have one.
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

    /// Whether all phrases of `words` are here.
    pub(super) fn has(&self, words: &[u32]) -> bool {
        self.share(words) == 1.0
    }
}

fn key(phrase: &[u32]) -> [u32; LONGEST] {
    let mut key = [u32::MAX; LONGEST];
    key[..phrase.len()].copy_from_slice(phrase);
    key
}
