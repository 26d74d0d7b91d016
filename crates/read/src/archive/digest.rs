//! The digests of WARC records: `sha1:` and others, in base32 or hexadecimal.
//!
//! The digest of a block is that of its bytes. What the payload is depends on the writer: the body as
//! it was sent, with its chunks joined, or decoded. Any of these is accepted.

use std::borrow::Cow;

use data_encoding::{BASE32_NOPAD, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};

/// The digests that a record states, as far as their algorithms are known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Digests {
    pub(super) block: Option<Digest>,
    pub(super) payload: Option<Digest>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Digest {
    algorithm: Algorithm,
    value: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Md5,
    Sha1,
    Sha256,
    Sha512,
}

impl Algorithm {
    fn of(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Algorithm::Md5 => Md5::digest(bytes).to_vec(),
            Algorithm::Sha1 => Sha1::digest(bytes).to_vec(),
            Algorithm::Sha256 => Sha256::digest(bytes).to_vec(),
            Algorithm::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }

    fn length(self) -> usize {
        match self {
            Algorithm::Md5 => 16,
            Algorithm::Sha1 => 20,
            Algorithm::Sha256 => 32,
            Algorithm::Sha512 => 64,
        }
    }
}

impl Digest {
    /// Reads the value of a field; `None` if the algorithm or the form is unknown.
    pub(super) fn read(field: &str) -> Option<Digest> {
        let (name, text) = field.trim().split_once(':')?;
        let algorithm = match name.to_ascii_lowercase().as_str() {
            "md5" => Algorithm::Md5,
            "sha1" | "sha-1" => Algorithm::Sha1,
            "sha256" | "sha-256" => Algorithm::Sha256,
            "sha512" | "sha-512" => Algorithm::Sha512,
            _ => return None,
        };
        let text = text.trim().trim_end_matches('=');
        let value = match text.len() == 2 * algorithm.length() {
            true => HEXLOWER_PERMISSIVE.decode(text.as_bytes()),
            false => BASE32_NOPAD.decode(text.to_ascii_uppercase().as_bytes()),
        };
        let value = value.ok().filter(|value| value.len() == algorithm.length());
        value.map(|value| Digest { algorithm, value })
    }

    fn is_of(&self, bytes: &[u8]) -> bool {
        self.algorithm.of(bytes) == self.value
    }
}

impl Digests {
    /// What the digests say of a whole block: `None` if they match or there are none. `payloads` are
    /// the forms of its payload; those after the first that matches are not made.
    pub(super) fn mismatch<'a>(
        &self,
        block: &[u8],
        mut payloads: impl Iterator<Item = Cow<'a, [u8]>>,
    ) -> Option<&'static str> {
        if self
            .block
            .as_ref()
            .is_some_and(|digest| !digest.is_of(block))
        {
            return Some("its bytes do not match its WARC-Block-Digest");
        }
        let payload = self.payload.as_ref()?;
        let matches = payloads.any(|form| payload.is_of(&form));
        (!matches).then_some("its body does not match its WARC-Payload-Digest")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_read_in_all_forms() {
        for field in [
            "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            "SHA-1: 3i42h3s6nnfq2msvx7xzkyayscx5qbyj ",
            "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====",
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "md5:D41D8CD98F00B204E9800998ECF8427E",
            "md5:2QOYZWMPACZAJ2MABGMOZ6CCPY",
        ] {
            let digest = Digest::read(field).expect(field);
            assert!(digest.is_of(b""), "{field}");
            assert!(!digest.is_of(b"x"), "{field}");
        }
        for field in [
            "", "sha1:", "sha1:xyz", "xxh3:00", "3I42H3S6", "sha1:é", "md5:@@@@",
        ] {
            assert_eq!(Digest::read(field), None, "{field}");
        }
    }
}
