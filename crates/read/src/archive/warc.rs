//! The headers of WARC records, versions 0.17 to 1.1.
//! <https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/>

use super::digest::{Digest, Digests};
use super::{BadHead, MAX_LINE, RecordHead, RecordKind};
use crate::unpack::{LineEnd, Unpacked};

/// `WARC/1.0` and its line end.
pub(super) const LONGEST_START: usize = 16;
/// Maximum number of lines in a record header.
const MAX_LINES: usize = 1000;

/// Whether the text begins with a version line. A truncated line counts if the version is there.
pub(super) fn begins(text: &[u8]) -> bool {
    let Some(version) = text.strip_prefix(b"WARC/") else {
        return false;
    };
    let version = &version[..version.len().min(LONGEST_START - 5)];
    let line = version
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    matches!(line, [b'0' | b'1', b'.', minor @ ..] if !minor.is_empty() && minor.iter().all(u8::is_ascii_digit))
}

/// Reads a header up to and including its empty line.
pub(super) fn read_head(stream: &mut Unpacked) -> Result<RecordHead, BadHead> {
    let mut fields: Vec<Vec<u8>> = Vec::new();
    for number in 0..MAX_LINES {
        let mut line = Vec::new();
        match stream.read_line(&mut line, MAX_LINE) {
            LineEnd::End => return Err(BadHead::Cut),
            LineEnd::TooLong => {
                return Err(BadHead::Wrong(
                    "a line of a record header is too long".to_owned(),
                ));
            }
            LineEnd::Newline => {}
        }
        if number == 0 {
            continue;
        }
        if begins(&line) {
            line.push(b'\n');
            stream.put_back(&line);
            let how = "a record header is cut off by the next record";
            return Err(BadHead::Wrong(how.to_owned()));
        }
        match line.first() {
            _ if line.trim_ascii().is_empty() => return understand(&fields),
            Some(b' ' | b'\t') if !fields.is_empty() => fields[0].extend_from_slice(&line),
            _ => fields.insert(0, line),
        }
    }
    Err(BadHead::Wrong(
        "a record header has too many lines".to_owned(),
    ))
}

/// `fields` has the last field first.
fn understand(fields: &[Vec<u8>]) -> Result<RecordHead, BadHead> {
    let value = |name: &str| {
        fields.iter().rev().find_map(|field| {
            let colon = memchr::memchr(b':', field)?;
            let same = field[..colon]
                .trim_ascii()
                .eq_ignore_ascii_case(name.as_bytes());
            same.then(|| String::from_utf8_lossy(field[colon + 1..].trim_ascii()).into_owned())
        })
    };
    let Some(length) = value("Content-Length") else {
        return Err(BadHead::Wrong(
            "a record header has no Content-Length".to_owned(),
        ));
    };
    let Ok(length) = length.parse() else {
        let how = format!("a record's Content-Length is not a valid length: `{length}`");
        return Err(BadHead::Wrong(how));
    };
    let kind = value("WARC-Type").unwrap_or_default().to_ascii_lowercase();
    Ok(RecordHead {
        kind: match kind.as_str() {
            "response" => RecordKind::Response,
            "resource" => RecordKind::Resource,
            "revisit" => RecordKind::Revisit,
            "" => RecordKind::Other("untyped".to_owned()),
            _ => RecordKind::Other(kind),
        },
        url: value("WARC-Target-URI")
            .map(|url| unwrap_url(&url))
            .filter(|url| !url.is_empty()),
        content_type: value("Content-Type").filter(|value| !value.is_empty()),
        length,
        date: value("WARC-Date").filter(|value| !value.is_empty()),
        id: value("WARC-Record-ID").filter(|value| !value.is_empty()),
        truncated: value("WARC-Truncated").is_some(),
        digests: Digests {
            block: value("WARC-Block-Digest").and_then(|field| Digest::read(&field)),
            // The payload of a segment is only a part of what was hashed.
            payload: value("WARC-Payload-Digest")
                .filter(|_| value("WARC-Segment-Number").is_none())
                .and_then(|field| Digest::read(&field)),
        },
    })
}

/// Some tools, such as wget, follow WARC 1.0 literally and write `<http://…>`.
fn unwrap_url(url: &str) -> String {
    let inner = url.strip_prefix('<').and_then(|url| url.strip_suffix('>'));
    inner.unwrap_or(url).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn head_of(text: &str) -> Result<RecordHead, String> {
        let mut stream = Unpacked::new(Box::new(Cursor::new(text.as_bytes().to_vec())));
        read_head(&mut stream).map_err(|bad| match bad {
            BadHead::Wrong(how) => how,
            BadHead::Cut => "cut".to_owned(),
        })
    }

    #[test]
    fn version_lines_are_recognised() {
        let rows = [
            ("WARC/1.0\r\n", true),
            ("WARC/1.1\n", true),
            ("WARC/0.17 \r\n", true),
            ("WARC/1.0", true),
            ("WARC/1.0\r\nWARC-Type: response", true),
            ("WARC/", false),
            ("WARC/1.", false),
            ("WARC/2.0\r\n", false),
            ("WARC/1.0 is a format", false),
            ("warc/1.0\r\n", false),
        ];
        for (text, expected) in rows {
            assert_eq!(begins(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn heads_are_read_forgivingly() {
        let head = head_of(
            "WARC/1.0\nwarc-type: Response\nWARC-Target-URI: <http://e.org/>\nX:\r\n folded\n\
             no colon\ncontent-length:  12 \nContent-Type: application/http;\n msgtype=response\n\n",
        );
        let expected = RecordHead {
            kind: RecordKind::Response,
            url: Some("http://e.org/".to_owned()),
            content_type: Some("application/http; msgtype=response".to_owned()),
            length: 12,
            date: None,
            id: None,
            truncated: false,
            digests: Digests::default(),
        };
        assert_eq!(head, Ok(expected));
    }

    #[test]
    fn impossible_heads_say_why() {
        let rows = [
            ("WARC/1.0\r\nWARC-Type: x\r\n\r\n", "no Content-Length"),
            ("WARC/1.0\r\nContent-Length: -1\r\n\r\n", "`-1`"),
            (
                "WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "not a valid length: `99999999999999999999`",
            ),
            ("WARC/1.0\r\nContent-Le", "cut"),
            (
                "WARC/1.0\r\nWARC-Type: x\r\nWARC/1.0\r\n",
                "cut off by the next record",
            ),
        ];
        for (text, expected) in rows {
            let how = head_of(text).unwrap_err();
            assert!(how.contains(expected), "{how}");
        }
    }
}
