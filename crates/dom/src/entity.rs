//! Decodes the simple character references: the common ones, with their semicolon.
//!
//! Names that are not in this table, numbers that the standard maps to another character, and
//! references without a semicolon are left to html5gum.

/// Names and their characters, most frequent first.
const NAMED: [(&[u8], char); 52] = [
    (b"quot", '"'),
    (b"nbsp", '\u{A0}'),
    (b"amp", '&'),
    (b"gt", '>'),
    (b"lt", '<'),
    (b"rsquo", '’'),
    (b"para", '¶'),
    (b"copy", '©'),
    (b"rdquo", '”'),
    (b"ldquo", '“'),
    (b"raquo", '»'),
    (b"bull", '•'),
    (b"rarr", '→'),
    (b"shy", '\u{AD}'),
    (b"hellip", '…'),
    (b"mdash", '—'),
    (b"ndash", '–'),
    (b"oacute", 'ó'),
    (b"apos", '\''),
    (b"laquo", '«'),
    (b"lsquo", '‘'),
    (b"larr", '←'),
    (b"middot", '·'),
    (b"reg", '®'),
    (b"trade", '™'),
    (b"times", '×'),
    (b"euro", '€'),
    (b"pound", '£'),
    (b"deg", '°'),
    (b"sect", '§'),
    (b"eacute", 'é'),
    (b"aacute", 'á'),
    (b"iacute", 'í'),
    (b"uacute", 'ú'),
    (b"ntilde", 'ñ'),
    (b"agrave", 'à'),
    (b"egrave", 'è'),
    (b"ecirc", 'ê'),
    (b"acirc", 'â'),
    (b"ccedil", 'ç'),
    (b"atilde", 'ã'),
    (b"auml", 'ä'),
    (b"ouml", 'ö'),
    (b"uuml", 'ü'),
    (b"Auml", 'Ä'),
    (b"Ouml", 'Ö'),
    (b"Uuml", 'Ü'),
    (b"szlig", 'ß'),
    (b"aring", 'å'),
    (b"oslash", 'ø'),
    (b"thinsp", '\u{2009}'),
    (b"zwnj", '\u{200C}'),
];

/// Longest reference that is decoded here, in bytes.
const MOST: usize = 10;

/// Decodes the reference after an `&` at the start of `bytes`. Returns the character and the number
/// of bytes it takes, or `None` if it is not a simple reference.
pub(crate) fn read(bytes: &[u8]) -> Option<(char, usize)> {
    let next = *bytes.get(1)?;
    if !next.is_ascii_alphanumeric() && next != b'#' {
        return Some(('&', 1));
    }
    let near = &bytes[1..bytes.len().min(MOST)];
    let end = memchr::memchr(b';', near)?;
    let character = match near[..end].strip_prefix(b"#") {
        Some(number) => numbered(number)?,
        None => {
            let named = NAMED.iter().find(|(name, _)| *name == &near[..end])?;
            named.1
        }
    };
    Some((character, end + 2))
}

/// The character with this number, if the standard does not map it to another one.
fn numbered(number: &[u8]) -> Option<char> {
    let (digits, radix) = match number {
        [b'x' | b'X', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()?;
    // Excludes control characters and the numbers next to them, which are windows-1252 in disguise.
    let is_plain = matches!(code, 0x20..0x7F | 0xA0..);
    char::from_u32(code).filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_references() {
        for (text, expected) in [
            ("&amp;x", Some(('&', 5))),
            ("&nbsp;", Some(('\u{A0}', 6))),
            ("&#39;s", Some(('\'', 5))),
            ("&#x2019;", Some(('’', 8))),
            ("& ", Some(('&', 1))),
            ("&&", Some(('&', 1))),
            ("&amp", None),
            ("&ampx;", None),
            ("&#150;", None),
            ("&#xD800;", None),
            ("&#+65;", None),
            ("&#;", None),
            ("&", None),
        ] {
            assert_eq!(read(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn names_fit() {
        assert!(NAMED.iter().all(|(name, _)| name.len() + 2 <= MOST));
    }
}
