//! Undoes HTTP: from the bytes a server sent to the page.
//!
//! What enters: the bytes of a response as an archive holds them. What leaves: the status, the
//! stated content type, and the body with its transfer and content encodings undone. Archives hold
//! what servers really sent, and tools that rewrote the body often left the old headers in place,
//! so no header is believed against the body's own bytes, and nothing here fails: the worst case is
//! the body as it is.

mod chunked;
mod content;
mod head;

pub(crate) use head::{Head, MediaType, read_head};

/// A body, and whether some of it is missing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) truncated: bool,
}

/// The body behind a response's head, at most `limit` bytes of it.
pub(crate) fn decode(head: &Head, raw: &[u8], limit: usize) -> Body {
    let mut body = match head.chunked {
        true => chunked::decode(raw),
        false => Body {
            bytes: raw.to_vec(),
            truncated: false,
        },
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
