//! 128-bit fingerprints of texts, paths and pages.
//!
//! A memory is stored under fingerprints, never under the text itself, so they must be the same in every
//! version and on every machine. The specification:
//!
//! > XXH3-128, seed 0, over: the byte [`VERSION`], the byte of the [`Kind`], then the fields. A
//! > field that is a fingerprint is its 16 bytes, big-endian; a field that is a text is its UTF-8
//! > bytes. A kind has at most one text, and it comes last, so no two inputs give the same bytes.
//!
//! A change to that, or to the normalisation of the texts, is a new version, and what was
//! stored under the old one is no longer found. At 10⁹ keys the odds of any collision are about 10⁻²¹.

use std::fmt;

use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

/// The version of the specification.
pub const VERSION: u8 = 1;

/// What a fingerprint is of, so that equal bytes of different kinds get different fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Tag names from the root to a node.
    TagPath = 1,
    /// Tag names, stable classes, id and role from the root to a node.
    StyledPath = 2,
    /// A normalised text.
    Text = 3,
    /// A normalised text at a tag path.
    Segment = 4,
    /// The identity of a page: its URL, or its place in the input.
    Page = 5,
    /// The bytes of a page.
    Content = 6,
    /// The text of a chunk.
    Chunk = 7,
    /// The text of a chunk below the tag path where it begins.
    PlacedChunk = 8,
    /// The place of a page in a sample: its identity, then the seed in decimal digits.
    Sample = 9,
}

/// A 128-bit fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// The fingerprint of a text or of bytes.
    pub fn of(kind: Kind, text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        // Nearly all inputs are short, and hashed in one piece from the stack.
        let mut buffer = [0; 240];
        if text.len() + 2 <= buffer.len() {
            buffer[0] = VERSION;
            buffer[1] = kind as u8;
            buffer[2..2 + text.len()].copy_from_slice(text);
            return Fingerprint(xxh3_128(&buffer[..2 + text.len()]));
        }
        let mut hasher = Xxh3Default::new();
        hasher.update(&[VERSION, kind as u8]);
        hasher.update(text);
        Fingerprint(hasher.digest128())
    }

    /// The fingerprint of a parent fingerprint and a text.
    pub fn below(kind: Kind, above: Fingerprint, text: &str) -> Self {
        let text = text.as_bytes();
        let head = above.0.to_be_bytes();
        let mut buffer = [0; 240];
        if text.len() + 18 <= buffer.len() {
            buffer[0] = VERSION;
            buffer[1] = kind as u8;
            buffer[2..18].copy_from_slice(&head);
            buffer[18..18 + text.len()].copy_from_slice(text);
            return Fingerprint(xxh3_128(&buffer[..18 + text.len()]));
        }
        let mut hasher = Xxh3Default::new();
        hasher.update(&[VERSION, kind as u8]);
        hasher.update(&head);
        hasher.update(text);
        Fingerprint(hasher.digest128())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored states depend on these values: they may change only together with [`VERSION`].
    /// They were computed by another implementation of XXH3.
    #[test]
    fn the_specification_is_fixed() {
        let text = Fingerprint::of(Kind::Text, "Home");
        assert_eq!(text.to_string(), "2aa79d96aead123e92826dab1a26f077");
        let path = Fingerprint::below(Kind::TagPath, Fingerprint(0), "html");
        assert_eq!(path.to_string(), "28a4875808344f9653951375dbe488fd");
        let long = Fingerprint::below(Kind::Segment, path, &"long text ".repeat(50));
        assert_eq!(long.to_string(), "ef59fd10aa58ef94a553acbb8d438521");
    }

    #[test]
    fn long_and_short_inputs_follow_one_specification() {
        for length in [0, 1, 221, 222, 223, 237, 238, 239, 1000] {
            let text = "x".repeat(length);
            let mut spelled = vec![VERSION, Kind::Text as u8];
            spelled.extend(text.as_bytes());
            assert_eq!(Fingerprint::of(Kind::Text, &text).0, xxh3_128(&spelled));

            let above = Fingerprint(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
            let mut spelled = vec![VERSION, Kind::Segment as u8];
            spelled.extend(1..=16u8);
            spelled.extend(text.as_bytes());
            let below = Fingerprint::below(Kind::Segment, above, &text);
            assert_eq!(below.0, xxh3_128(&spelled));
        }
    }
}
