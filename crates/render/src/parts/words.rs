//! Words of short texts, to compare what a page shows with what it states.

use foldhash::HashSet;
use unframe_page::tokens;

/// The first character of the scripts in which [`tokens`] are single characters.
const WITHOUT_SPACES: char = '\u{0E00}';

/// The words of a text, in lower case; characters where words are not separated.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = tokens(text).map(|range| &text[range]);
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    words.map(str::to_lowercase).collect()
}

/// The number of words; two characters count as one where words are not separated.
pub(super) fn size(text: &str) -> f32 {
    let words = tokens(text).map(|range| &text[range]);
    let sizes = words.filter_map(|word| {
        let first = word.chars().find(|c| c.is_alphanumeric())?;
        let is_one = first >= WITHOUT_SPACES && word.len() == first.len_utf8();
        Some(if is_one { 0.5 } else { 1.0 })
    });
    sizes.sum()
}

/// How equal two texts are by their distinct words, from 0 to 1 (Dice's coefficient).
pub(super) fn likeness(one: &[String], other: &[String]) -> f32 {
    let distinct = |words: &[String]| words.iter().cloned().collect::<HashSet<String>>();
    let (one, other) = (distinct(one), distinct(other));
    match one.len() + other.len() {
        0 => 0.0,
        all => 2.0 * one.intersection(&other).count() as f32 / all as f32,
    }
}

/// Whether the words contain these, one after another.
pub(super) fn contains(words: &[String], these: &[String]) -> bool {
    !these.is_empty() && words.windows(these.len()).any(|window| window == these)
}
