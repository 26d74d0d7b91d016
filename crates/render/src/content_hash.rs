//! A hash of the kept text, to see whether the content of a page has changed.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use unframe_page::normalise;

/// SHA-256 of a kept text, in 64 hexadecimal digits. The text is normalised first: each run of white
/// space (Unicode's, zero width spaces and byte order marks) becomes one space, none remains at the
/// ends, and characters are composed (NFC). The result is hashed as UTF-8.
///
/// The frame of the page and white space make no difference, as long as the same text is kept.
///
/// ```
/// use unframe_render::content_hash;
///
/// assert_eq!(content_hash("Green tea.\n\nIt is hot.\n"), content_hash("Green  tea. It is hot."));
/// assert_ne!(content_hash("Green tea."), content_hash("Black tea."));
/// ```
pub fn content_hash(text: &str) -> String {
    let mut normal = String::new();
    HEXLOWER.encode(&Sha256::digest(normalise(text, &mut normal).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As other programs compute it: `printf 'Café au lait' | sha256sum`.
    #[test]
    fn the_hash_is_that_of_the_normalised_text() {
        let hash = "793e7643ce558259f6fe71f9ecaaf268acbcd011a2bb4c7f561df05a133d4d08";
        for text in ["Café au lait", " Cafe\u{301}\u{a0}au\n\nlait\u{200b}\n"] {
            assert_eq!(content_hash(text), hash, "{text:?}");
        }
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(content_hash(" \n"), empty);
    }
}
