//! Normalisation, length and tokens of texts.

use std::ops::Range;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::word_runs::for_each_word_run;

/// The normal form of a text: Unicode NFC, every run of white space (with U+200B and U+FEFF) one
/// space, none at the ends. Case is kept. An empty result means that nothing is visible. Most texts are in
/// normal form except for their ends, and are borrowed; the others are written to `out`.
///
/// ```
/// let mut out = String::new();
/// assert_eq!(unframe_page::normalise("  a\u{a0}\n b ", &mut out), "a b");
/// ```
pub fn normalise<'a>(text: &'a str, out: &'a mut String) -> &'a str {
    let (mut first, mut several) = ("", false);
    let composed = for_each_word_run(text, |run| {
        if first.is_empty() {
            first = run;
            return;
        }
        if !several {
            several = true;
            out.clear();
            out.push_str(first);
        }
        out.push(' ');
        out.push_str(run);
    });
    if !composed {
        let normal = if several { out.as_str() } else { first };
        if is_nfc_quick(normal.chars()) != IsNormalized::Yes {
            *out = normal.nfc().collect();
            return out;
        }
    }
    if several { out } else { first }
}

/// White space for the purpose of normalisation.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}' | '\u{FEFF}')
}

/// True if the normal form is empty; cheaper than normalising.
pub fn is_blank(text: &str) -> bool {
    let rest = text.trim_ascii_start();
    // Most texts start with a visible character.
    match rest.as_bytes().first() {
        None => true,
        Some(first) if first.is_ascii_graphic() => false,
        Some(_) => rest.chars().all(is_space),
    }
}

/// Length of the normal form of a text; cheaper than normalising it.
///
/// ```
/// assert_eq!(unframe_page::normalised_length("  a\u{a0}\n b "), 3);
/// ```
pub fn normalised_length(text: &str) -> u32 {
    let (mut chars, mut runs) = (0, 0u32);
    let composed = for_each_word_run(text, |run| {
        chars += length(run);
        runs += 1;
    });
    match composed {
        true => chars + runs.saturating_sub(1),
        false => length(normalise(text, &mut String::new())),
    }
}

/// Length of a normalised text: Unicode scalar values.
pub fn length(text: &str) -> u32 {
    match text.is_ascii() {
        true => text.len() as u32,
        false => text.chars().count() as u32,
    }
}

/// The tokens of a text, as ranges: maximal runs of alphanumerics, maximal runs of other symbols,
/// and one by one the characters of scripts that are written without spaces.
pub fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, kind, mut end) = loop {
            let (at, c) = chars.next()?;
            if let Some(kind) = CharKind::of(c) {
                break (at, kind, at + c.len_utf8());
            }
        };
        while kind != CharKind::Unspaced
            && let Some((at, c)) = chars.next_if(|(_, c)| CharKind::of(*c) == Some(kind))
        {
            end = at + c.len_utf8();
        }
        Some(start..end)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Word,
    Symbol,
    Unspaced,
}

impl CharKind {
    fn of(c: char) -> Option<CharKind> {
        if is_space(c) {
            None
        } else if is_written_without_spaces(c) {
            Some(CharKind::Unspaced)
        } else if c.is_alphanumeric() {
            Some(CharKind::Word)
        } else {
            Some(CharKind::Symbol)
        }
    }
}

/// Han, kana, hangul, Thai, Lao, Khmer and Myanmar.
fn is_written_without_spaces(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}

/// Replaces every run of digits by one `0`, so that dates and counters become equal.
pub fn mask_digits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Most texts are ASCII, which needs no decoding.
    if text.is_ascii() {
        let mut was_digit = false;
        for byte in text.bytes() {
            let is_digit = byte.is_ascii_digit();
            if !(is_digit && was_digit) {
                out.push(if is_digit { '0' } else { char::from(byte) });
            }
            was_digit = is_digit;
        }
        return out;
    }
    let mut rest = text;
    loop {
        let until = rest.find(is_numeric).unwrap_or(rest.len());
        out.push_str(&rest[..until]);
        if until == rest.len() {
            return out;
        }
        out.push('0');
        rest = rest[until..].trim_start_matches(is_numeric);
    }
}

/// The same as [`char::is_numeric`], which searches a table for every character beyond ASCII. Most of those
/// are letters of a few scripts.
fn is_numeric(c: char) -> bool {
    match c {
        '\0'..='\u{7F}' => c.is_ascii_digit(),
        '\u{C0}'..='\u{65F}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' => false,
        _ => c.is_numeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn normal_forms() {
        for (text, expected) in [
            ("", ""),
            (" \t\n\u{a0}\u{200b}\u{feff}", ""),
            ("plain", "plain"),
            (" a \r\n b ", "a b"),
            ("a\x0Bb", "a b"),
            ("a\u{a0}\u{2003}b", "a b"),
            ("zero\u{200b}width", "zero width"),
            ("e\u{301}", "é"),
            ("Case Stays", "Case Stays"),
            ("漢字\u{3000}かな", "漢字 かな"),
        ] {
            let mut out = "rest".to_string();
            assert_eq!(normalise(text, &mut out), expected, "{text:?}");
            assert_eq!(is_blank(text), expected.is_empty(), "{text:?}");
        }
        assert_eq!(length("naïve 漢"), 7);
    }

    #[test]
    fn token_tables() {
        for (text, expected) in [
            ("", vec![]),
            ("the cat", vec!["the", "cat"]),
            ("© 2024, Inc.", vec!["©", "2024", ",", "Inc", "."]),
            ("a--b", vec!["a", "--", "b"]),
            ("漢字kana かな", vec!["漢", "字", "kana", "か", "な"]),
            ("ไทย", vec!["ไ", "ท", "ย"]),
        ] {
            let found: Vec<_> = tokens(text).map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn numerals_are_those_of_the_standard_library() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            assert_eq!(is_numeric(c), c.is_numeric(), "{c}");
        }
    }

    #[test]
    fn digits_are_masked() {
        assert_eq!(mask_digits("12 Jan 2024, 1.5"), "0 Jan 0, 0.0");
        assert_eq!(mask_digits("12 März ٢٠٢٤–7"), "0 März 0–0");
    }

    proptest! {
        #[test]
        fn the_normal_form_is_words_composed(text in "[a é \\t\\n\\x0B\\x1Ce\u{301}\u{a0}\u{3000}я漢]{0,80}") {
            let words: Vec<_> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            let expected: String = words.join(" ").nfc().collect();
            let mut out = "rest".to_string();
            prop_assert_eq!(normalise(&text, &mut out), expected);
        }

        #[test]
        fn normalising_twice_is_normalising_once(text in "\\PC{0,30}") {
            let (mut first, mut second) = (String::new(), String::new());
            let once = normalise(&text, &mut first);
            prop_assert_eq!(once, normalise(once, &mut second));
            prop_assert_eq!(once.is_empty(), is_blank(&text));
        }

        #[test]
        fn tokens_cover_all_but_space(text in "\\PC{0,30}") {
            let kept: String = tokens(&text).map(|range| text[range].to_string()).collect();
            let expected: String = text.chars().filter(|c| !is_space(*c)).collect();
            prop_assert_eq!(kept, expected);
        }
    }
}
