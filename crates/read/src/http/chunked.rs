//! Decodes the chunked transfer encoding.
//!
//! Tools that store a body already joined often leave the header that says it is chunked, so the
//! first chunk has to prove it: a size line, that many bytes, and a line end after them.

use super::Body;

/// Maximum length of a chunk size line with extensions.
const MAX_SIZE_LINE: usize = 1024;

/// The joined chunks. A body that is not chunked is returned unchanged. A body with a bad chunk is
/// returned up to that chunk, marked truncated.
pub(super) fn decode(raw: &[u8]) -> Body {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    let mut first = true;
    loop {
        let Some((size, data)) = read_size(rest) else {
            if first {
                return Body::whole(raw.to_vec());
            }
            return Body::cut(bytes);
        };
        if size == 0 {
            return Body::whole(bytes);
        }
        let Some(chunk) = data.get(..size) else {
            // The body ends inside this chunk.
            bytes.extend_from_slice(data);
            return Body::cut(bytes);
        };
        rest = &data[size..];
        let end = if rest.starts_with(b"\r\n") {
            2
        } else {
            usize::from(rest.starts_with(b"\n"))
        };
        if end == 0 && !rest.is_empty() && first {
            return Body::whole(raw.to_vec());
        }
        bytes.extend_from_slice(chunk);
        rest = &rest[end..];
        first = false;
    }
}

/// The number on a chunk's size line, and the rest after the line.
fn read_size(text: &[u8]) -> Option<(usize, &[u8])> {
    let window = &text[..text.len().min(MAX_SIZE_LINE)];
    let end = memchr::memchr(b'\n', window)?;
    let line = window[..end]
        .split(|&byte| byte == b';')
        .next()?
        .trim_ascii();
    if !line.first()?.is_ascii_hexdigit() {
        return None;
    }
    let size = usize::from_str_radix(std::str::from_utf8(line).ok()?, 16).ok()?;
    Some((size, &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined_as_far_as_they_go() {
        let rows = [
            ("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde", false),
            ("003 ; x=y\r\nabc\r\n0\r\nTrailer: x\r\n\r\n", "abc", false),
            ("3\nabc\n0\n\n", "abc", false),
            ("0\r\n\r\n", "", false),
            ("", "", false),
            ("<p>not chunked", "<p>not chunked", false),
            // A word that happens to be a hexadecimal number cannot be distinguished from a size.
            ("abc\nis a word", "is a word", true),
            ("3\r\nabcdef\r\n", "3\r\nabcdef\r\n", false),
            ("3\r\nabc\r\n9\r\nde", "abcde", true),
            ("3\r\nabc\r\nzz\r\nde\r\n", "abc", true),
            ("3\r\nabc\r\n", "abc", true),
            ("ffffffffffffffff\r\nabc", "abc", true),
            (
                "fffffffffffffffff\r\nabc",
                "fffffffffffffffff\r\nabc",
                false,
            ),
        ];
        for (raw, joined, truncated) in rows {
            let body = decode(raw.as_bytes());
            let text = String::from_utf8(body.bytes).unwrap();
            assert_eq!(
                (text.as_str(), body.truncated),
                (joined, truncated),
                "{raw:?}"
            );
        }
    }
}
