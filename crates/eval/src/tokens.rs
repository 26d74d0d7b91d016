//! Splits text into words, the units in which everything here is counted.
//!
//! A word is a run of letters and digits of the lower-cased text. Scripts written without spaces
//! (Thai, Lao, Burmese, Khmer, kana, Han, Hangul) yield one token per character instead, because a
//! run would be a whole sentence and a single wrong character would lose all of it.
//!
//! Two consequences look like mistakes and are part of the definition. A run that *starts* with
//! another script includes the characters that follow it (`iPhone手機` is one word). Combining marks
//! outside of those scripts are neither letters nor digits, so they end a word: Devanagari splits
//! at its vowel signs, and `İ`, whose lower case is `i` and a combining dot, splits too.

use std::collections::HashMap;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::markup::shown;

/// A multiset of words.
pub type Bag = HashMap<String, u32>;

/// The words of `lowered`, which must be in lower case, in order.
///
/// Lower-casing is left to the caller because it can change the words (see the module
/// documentation) and because the words borrow from its result.
pub fn words(lowered: &str) -> impl Iterator<Item = &str> {
    let mut rest = lowered;
    std::iter::from_fn(move || {
        let start = rest.find(|c| is_spaceless(c) || is_letter_or_digit(c))?;
        rest = &rest[start..];
        let first = rest.chars().next()?;
        let end = match is_spaceless(first) {
            true => first.len_utf8(),
            false => rest.find(|c| !is_letter_or_digit(c)).unwrap_or(rest.len()),
        };
        let word;
        (word, rest) = rest.split_at(end);
        Some(word)
    })
}

/// Whether a character is of a script that is written without spaces.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        || matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// `char::is_alphanumeric` is not suitable: it includes some combining marks.
pub(crate) fn is_letter_or_digit(c: char) -> bool {
    use GeneralCategoryGroup::{Letter, Number};
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric(),
        false => matches!(c.general_category_group(), Letter | Number),
    }
}

/// The words of `text` with their counts.
pub fn bag(text: &str) -> Bag {
    let mut bag = Bag::new();
    for word in words(&text.to_lowercase()) {
        match bag.get_mut(word) {
            Some(count) => *count += 1,
            None => {
                bag.insert(word.to_owned(), 1);
            }
        }
    }
    bag
}

/// The words of `text` separated by one space, so that phrases can be searched for.
pub fn flat(text: &str) -> String {
    let lowered = text.to_lowercase();
    let mut flat = String::with_capacity(lowered.len());
    for word in words(&lowered) {
        if !flat.is_empty() {
            flat.push(' ');
        }
        flat.push_str(word);
    }
    flat
}

/// The number of words that a page shows, after a crude removal of its markup; at least 1.
///
/// This is a denominator that must not depend on any parser, including ours. For the same reason
/// the bytes are read as UTF-8, whatever the page declares.
pub fn words_on_page(html: &[u8]) -> usize {
    let html = String::from_utf8_lossy(html);
    shown(&html).map(count_words).sum::<usize>().max(1)
}

fn count_words(text: &str) -> usize {
    words(&text.to_lowercase()).count()
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn words_by_script() {
        // The expected words come from the reference scorer.
        for (text, expected) in [
            ("", ""),
            ("Hello, wide World 2", "hello wide world 2"),
            ("snake_case __init__", "snake case init"),
            ("中文abc def中文", "中 文 abc def中文"),
            ("カタ", "カ タ"),
            ("한글", "한 글"),
            ("กิน ข้าว", "ก ิ น ข ้ า ว"),
            ("abกิน", "abก ิ น"),
            ("हिन्दी", "ह न द"),
            ("İstanbul ISPARTA", "i stanbul isparta"),
            ("ΟΔΥΣΣΕΥΣ ΣΑΣ.", "οδυσσευς σας"),
            ("x² ½ Ⅳ ٣", "x² ½ ⅳ ٣"),
            ("cafe\u{301} café", "cafe café"),
            ("a\u{200d}b can't", "a b can t"),
        ] {
            assert_eq!(flat(text), expected, "{text:?}");
        }
    }

    /// The definition as patterns. Characters that one of the two versions of Unicode does not know yet are
    /// left out.
    #[test]
    fn words_are_those_of_the_patterns() {
        let word = Regex::new(
            r"[\u{0e00}-\u{0eff}\u{1000}-\u{109f}\u{1780}-\u{17ff}\u{3040}-\u{30ff}\u{3400}-\u{9fff}\u{ac00}-\u{d7af}]|[\p{L}\p{N}]+",
        )
        .unwrap();
        let unassigned = Regex::new(r"\p{Cn}").unwrap();
        let is_known = |c: &char| {
            c.general_category_group() != GeneralCategoryGroup::Other
                && !unassigned.is_match(c.encode_utf8(&mut [0; 4]))
        };
        for c in ('\0'..=char::MAX).filter(is_known) {
            let text = format!("a{c}b {c}");
            let expected: Vec<&str> = word.find_iter(&text).map(|word| word.as_str()).collect();
            assert_eq!(words(&text).collect::<Vec<_>>(), expected, "{c:?}");
        }
    }

    #[test]
    fn what_is_never_closed_is_searched_once() {
        let page = "<script <style <!-- ".repeat(1 << 18);
        assert_eq!(words_on_page(page.as_bytes()), 2 << 18);
    }

    #[test]
    fn a_bag_counts() {
        let bag = bag("To be, or not TO BE");
        assert_eq!((bag["to"], bag["be"], bag["or"], bag.len()), (2, 2, 1, 4));
    }

    #[test]
    fn markup_is_no_word() {
        // The expected counts come from the reference scorer.
        for (html, expected) in [
            ("", 1),
            ("one<b>two</b>three", 3),
            ("<head><title>no</title></head>yes", 1),
            ("<header>one two</header>", 2),
            ("<HEAD\n>no</heaD >yes yes", 2),
            ("<script>a</script><script src=x></SCRIPT\t>b", 1),
            ("<script>never closed", 2),
            ("<style>a</script>b</style>c", 1),
            ("<script</script>a", 1),
            ("<!-- a > b -->c", 1),
            ("<!-- a > b c", 2),
            ("a < b and c", 4),
            ("a < b > c", 2),
            ("<noscript>x<noscript>y</noscript>z</noscript>", 1),
            ("<headß>a</head>b", 2),
        ] {
            assert_eq!(words_on_page(html.as_bytes()), expected, "{html:?}");
        }
        assert_eq!(words_on_page(b"caf\xe9 na\xefve"), 3);
    }
}
