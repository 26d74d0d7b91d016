//! The runs of words of a text: the parts between white space that is more than a single space.
//!
//! Nearly every text of a page passes through here, so it is fast for common text: plain ASCII is tested 16
//! bytes at a time, other common scripts by the first byte of a character, and only the rest character by
//! character.

use crate::text::is_space;

/// Calls `work` for each run in order: it has no white space at its ends, and only single spaces inside.
/// Returns true if NFC certainly changes nothing in the text.
///
/// ```
/// let mut found = Vec::new();
/// unframe_page::for_each_word_run(" two words\n  and\u{a0}more ", |run| found.push(run));
/// assert_eq!(found, ["two words", "and", "more"]);
/// ```
pub fn for_each_word_run<'a>(text: &'a str, mut work: impl FnMut(&'a str)) -> bool {
    let text = text.trim_ascii();
    if is_plain(text) {
        if !text.is_empty() {
            work(text);
        }
        return true;
    }
    let bytes = text.as_bytes();
    let mut composed = true;
    let (mut start, mut at) = (0, 0);
    loop {
        at = plain_until(bytes, at);
        let step = match bytes.get(at) {
            None => Step::space(0),
            Some(_) => Step::at(text, at),
        };
        composed &= step.composed;
        if step.space {
            let run = &text[start..at];
            // A single space may have been taken for a part of the run.
            let run = run.strip_suffix(' ').unwrap_or(run);
            if !run.is_empty() {
                work(run);
            }
            if at == bytes.len() {
                return composed;
            }
            start = at + step.width;
        }
        at += step.width;
        if step.space && bytes.get(at) == Some(&b' ') {
            // The next run does not start with spaces.
            let spaces = bytes[at..].iter().take_while(|byte| **byte == b' ').count();
            at += spaces;
            start = at;
        }
    }
}

/// Bytes that are tested together.
const PIECE: usize = 16;

/// True if a trimmed text has only printable ASCII and single spaces, like most texts.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(rest) = bytes.len().checked_sub(PIECE + 1) else {
        let mut piece = [b'x'; PIECE + 1];
        piece[..bytes.len()].copy_from_slice(bytes);
        return is_plain_piece(&piece);
    };
    // The last piece may overlap the one before; the last byte is tested by itself.
    let pieces = (0..rest).step_by(PIECE).chain([rest]);
    let piece = |at: usize| bytes[at..].first_chunk().expect("long enough");
    pieces.map(piece).all(is_plain_piece) && is_special(bytes[bytes.len() - 1], 0) == 0
}

/// True if no byte except perhaps the last is special. The loop has no early exit, so that it is
/// vectorised.
fn is_plain_piece(piece: &[u8; PIECE + 1]) -> bool {
    let fold = |bad: u8, at: usize| bad | is_special(piece[at], piece[at + 1]);
    (0..PIECE).fold(0, fold) == 0
}

/// 1 if a byte is not printable ASCII, or is the first of two spaces.
fn is_special(byte: u8, next: u8) -> u8 {
    let hidden = byte.wrapping_sub(b' ') > b'~' - b' ';
    u8::from(hidden) | u8::from((byte == b' ') & (next == b' '))
}

/// The position of the first special byte from `at` on.
fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    while bytes[at..].first_chunk().is_some_and(is_plain_piece) {
        at += PIECE;
    }
    let next = |at: usize| bytes.get(at + 1).copied().unwrap_or(0);
    while at < bytes.len() && is_special(bytes[at], next(at)) == 0 {
        at += 1;
    }
    at
}

/// The width of a character by its first byte, if that is enough to know that it is not white space and that
/// NFC does not change it; else 0.
const LETTERS: [u8; 256] = {
    let mut widths = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        widths[byte] = match byte as u8 {
            b'!'..=b'~' => 1,
            // U+00C0 to U+02FF, U+03C0 to U+047F.
            0xC3..=0xCB | 0xCF..=0xD1 => 2,
            // U+5000 to U+9FFF, U+B000 to U+CFFF: Han and hangul.
            0xE5..=0xE9 | 0xEB | 0xEC => 3,
            _ => 0,
        };
        byte += 1;
    }
    widths
};

/// A character that is not plain, or a run of letters.
struct Step {
    width: usize,
    space: bool,
    composed: bool,
}

impl Step {
    fn space(width: usize) -> Step {
        Step {
            width,
            space: true,
            composed: true,
        }
    }

    fn letter(width: usize) -> Step {
        Step {
            width,
            space: false,
            composed: true,
        }
    }

    fn at(text: &str, at: usize) -> Step {
        let bytes = text.as_bytes();
        match bytes[at] {
            b' ' | 9..=13 => Step::space(1),
            0..=0x7F => Step::letter(1),
            byte if LETTERS[usize::from(byte)] > 0 => {
                let width = |at: &usize| usize::from(LETTERS[usize::from(bytes[*at])]);
                let mut end = at;
                // Letters of other scripts come in runs.
                while end < bytes.len() && width(&end) > 0 {
                    end += width(&end);
                }
                Step::letter(end - at)
            }
            // U+0388 to U+03BF: Greek.
            0xCE if bytes[at + 1] >= 0x88 => Step::letter(2),
            // U+2010 to U+2027: dashes and quotes.
            0xE2 if bytes[at + 1] == 0x80 && matches!(bytes[at + 2], 0x90..=0xA7) => {
                Step::letter(3)
            }
            _ => {
                let c = text[at..].chars().next().expect("a character starts here");
                let space = is_space(c);
                Step {
                    width: c.len_utf8(),
                    space,
                    composed: space || is_surely_composed(c),
                }
            }
        }
    }
}

/// Common characters that NFC never changes, whatever is next to them, so that its tables are not needed:
/// Latin, Greek, Cyrillic, punctuation, kana, Han, hangul.
fn is_surely_composed(c: char) -> bool {
    matches!(c,
        '\0'..='\u{2FF}' | '\u{388}'..='\u{482}' | '\u{48A}'..='\u{52F}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{20A0}'..='\u{20BF}'
        | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FC}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FF9D}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

    #[test]
    fn surely_composed_characters_are_not_changed() {
        for c in ('\0'..=char::MAX).filter(|c| is_surely_composed(*c)) {
            let next = ['a', '\u{301}', c];
            for other in next {
                let text: String = [c, other].iter().collect();
                let alone = is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes;
                assert!(alone, "{c:?}");
                if is_surely_composed(other) {
                    assert_eq!(text.nfc().collect::<String>(), text, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_byte_classifies_as_the_character_does() {
        for c in '\u{80}'..=char::MAX {
            let step = Step::at(&c.to_string(), 0);
            assert_eq!(step.width, c.len_utf8(), "{c:?}");
            assert_eq!(step.space, is_space(c), "{c:?}");
            let composed = is_space(c) || is_surely_composed(c);
            assert_eq!(step.composed, composed, "{c:?}");
        }
    }

    #[test]
    fn plain_texts() {
        for (text, plain) in [
            ("", true),
            ("a", true),
            ("a b.~", true),
            ("a  b", false),
            ("a\tb", false),
            ("a\u{7F}", false),
            ("é", false),
        ] {
            assert_eq!(is_plain(text), plain, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn runs_are_the_words(text in "[a é\u{a0} \\t\\n\\x0B\\x1C\\x0C\u{3000}\u{feff}я漢—]{0,80}") {
            let mut found = Vec::new();
            for_each_word_run(&text, |run| {
                assert!(!run.is_empty() && run.trim() == run);
                assert!(!run.contains("  "), "{run:?}");
                found.extend(run.split(' '));
            });
            let expected: Vec<_> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
