//! Extracts the page from the bytes that a server sent.
//!
//! Input: the bytes of a response as an archive holds them. Output: the status, the stated content
//! type, and the body with its transfer and content encodings decoded. Archives hold what servers
//! really sent, and tools that rewrote the body often left the old headers in place. Therefore no
//! header is trusted against the bytes of the body, and nothing here fails: in the worst case the
//! body is returned unchanged, with the reason.

mod chunked;
mod content;
mod head;

use thiserror::Error;

pub use head::MediaType;
pub(crate) use head::{Head, read_head};

use crate::sniff::looks_like_html;

/// A body, and whether some of it is missing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) truncated: bool,
    /// The encoding that could not be undone, and why. The bytes may still be text.
    pub(crate) undecoded: Option<String>,
}

impl Body {
    pub(crate) fn whole(bytes: Vec<u8>) -> Body {
        Body {
            bytes,
            truncated: false,
            undecoded: None,
        }
    }

    fn cut(bytes: Vec<u8>) -> Body {
        Body {
            truncated: true,
            ..Body::whole(bytes)
        }
    }
}

/// The body with its chunks joined, if it is chunked.
pub(crate) fn join_chunks(head: &Head, raw: &[u8]) -> Option<Vec<u8>> {
    head.chunked.then(|| chunked::decode(raw).bytes)
}

/// Decodes the body after a response header, at most `limit` bytes of it.
pub(crate) fn decode(head: &Head, raw: &[u8], limit: usize) -> Body {
    let mut body = match head.chunked {
        true => chunked::decode(raw),
        false => Body::whole(raw.to_vec()),
    };
    // Encodings are listed in the order in which they were applied.
    for encoding in head.encodings.iter().rev() {
        body = content::decode(encoding, body, limit);
    }
    if body.bytes.len() > limit {
        body.bytes.truncate(limit);
        body.truncated = true;
    }
    body
}

/// Why the body of a live response could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Undecodable {
    /// It is longer than the limit when decoded: a very long page, or a decompression bomb.
    #[error("exceeds the size limit when decompressed")]
    TooLong,
    /// It does not match its header, or is truncated.
    #[error("cannot be decompressed ({encoding}: {problem})")]
    Damaged {
        /// The content encoding.
        encoding: String,
        /// The error of the decoder.
        problem: String,
    },
    /// The content encoding is unknown.
    #[error("has an unsupported Content-Encoding ({0})")]
    Unknown(String),
}

/// Decodes the encodings that a `Content-Encoding` field lists, completely or not at all: unlike a
/// page in an archive, a page that is being fetched can be fetched again. Only a plain page that
/// wrongly carries the field is used as it is.
pub fn decode_content(field: &str, raw: Vec<u8>, limit: usize) -> Result<Vec<u8>, Undecodable> {
    let encodings: Vec<String> = head::encodings(field).collect();
    if encodings.len() > head::MAX_ENCODINGS {
        return Err(Undecodable::Unknown(format!(
            "{} encodings",
            encodings.len()
        )));
    }
    let mut bytes = raw;
    for encoding in encodings.into_iter().rev() {
        if looks_like_html(&bytes) {
            break;
        }
        let Some((decoded, result)) = content::undo(&encoding, &bytes, limit) else {
            return Err(Undecodable::Unknown(encoding));
        };
        if decoded.len() > limit {
            return Err(Undecodable::TooLong);
        }
        if let Err(error) = result {
            let problem = error.to_string();
            return Err(Undecodable::Damaged { encoding, problem });
        }
        bytes = decoded;
    }
    if bytes.len() > limit {
        return Err(Undecodable::TooLong);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn live_bodies_are_decoded_whole_or_not_at_all() {
        let page = b"<!doctype html>".repeat(9);
        let decode = |field: &str, raw: &[u8]| decode_content(field, raw.to_vec(), page.len());
        let twice = gzip(&gzip(&page));
        assert_eq!(decode("", &page).unwrap(), page);
        assert_eq!(decode("identity", &page).unwrap(), page);
        assert_eq!(decode("GZIP", &gzip(&page)).unwrap(), page);
        assert_eq!(decode("gzip, gzip", &twice).unwrap(), page);
        assert_eq!(decode("gzip", &page).unwrap(), page, "a wrong header");
        let longer = [&page[..], b"."].concat();
        assert_eq!(decode("gzip", &gzip(&longer)), Err(Undecodable::TooLong));
        assert_eq!(decode("", &longer), Err(Undecodable::TooLong));
        let cut = gzip(&page);
        let cut = &cut[..cut.len() - 9];
        assert!(matches!(
            decode("gzip", cut),
            Err(Undecodable::Damaged { .. })
        ));
        assert!(matches!(
            decode("gzip", b"no gzip"),
            Err(Undecodable::Damaged { .. })
        ));
        let unknown = Undecodable::Unknown("compress".to_owned());
        assert_eq!(decode("compress", b"x"), Err(unknown));
        assert!(matches!(
            decode("gzip,gzip,gzip,gzip,gzip", b"x"),
            Err(Undecodable::Unknown(_))
        ));
    }
}
