//! Text from the inputs, made harmless for a terminal.
//!
//! File names, URLs and titles can contain escape sequences that clear the screen or change its
//! colours, line breaks that forge a message, and marks that reverse the order of letters. Messages
//! show them as `\u001b`, which is also valid in JSON. Data is written as it is.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// A name in a message: control characters, line breaks, and marks that reorder text are escaped.
pub fn printable(name: &str) -> Cow<'_, str> {
    match name.contains(is_active) {
        false => Cow::Borrowed(name),
        true => {
            let mut shown = String::with_capacity(name.len() + 16);
            name.chars().for_each(|c| escape(c, &mut shown));
            Cow::Owned(shown)
        }
    }
}

/// A path in a message.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Whether a terminal would act on a character instead of showing it.
pub fn is_active(c: char) -> bool {
    let is_separator = matches!(c, '\u{2028}' | '\u{2029}');
    let reorders = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || is_separator || reorders
}

/// Appends a character, escaped if it is active.
pub fn escape(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if is_active(c) => _ = write!(out, "\\u{:04x}", u32::from(c)),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_terminal_acts_on_is_escaped() {
        for (name, expected) in [
            ("a/b c.html", "a/b c.html"),
            ("Grüße 漢字 שלום 🙂", "Grüße 漢字 שלום 🙂"),
            ("\u{1b}[2J\u{7}", "\\u001b[2J\\u0007"),
            ("a\nb\tc\r", "a\\nb\\tc\\r"),
            ("\u{7f}\u{9b}31m", "\\u007f\\u009b31m"),
            (
                "\u{202e}lmth.exe\u{2066}\u{2028}",
                "\\u202elmth.exe\\u2066\\u2028",
            ),
        ] {
            assert_eq!(printable(name), expected);
        }
    }
}
