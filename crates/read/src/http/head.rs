//! Parses the header of an HTTP response leniently: it accepts bare newlines, folded lines, lines
//! without a colon, and a status line without a reason. A strict parser (httparse) rejects the
//! whole header for one bad line, and old crawls contain many of them.

/// The fields of a response header that are used.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The status code, if it is readable.
    pub(crate) status: Option<u16>,
    pub(crate) media_type: Option<MediaType>,
    pub(super) chunked: bool,
    /// The content encodings, in the order they were applied.
    pub(super) encodings: Vec<String>,
}

/// A content type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaType {
    /// Type and subtype in lower case.
    pub essence: String,
    /// The charset label, as written.
    pub charset: Option<String>,
}

/// More encodings than this are not decoded; no legitimate server sends them.
pub(super) const MAX_ENCODINGS: usize = 4;

/// Splits a response into header and body; `None` if it does not begin like a response. Without an
/// empty line, everything is header.
pub(crate) fn read_head(response: &[u8]) -> Option<(Head, &[u8])> {
    let (first, mut rest) = split_line(response);
    if !is_status_line(first) {
        return None;
    }
    let mut head = Head::default();
    let mut words = first
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    head.status = words
        .nth(1)
        .and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
    let mut field: Vec<u8> = Vec::new();
    loop {
        let (line, after) = split_line(rest);
        let folded = line
            .first()
            .is_some_and(|byte| matches!(byte, b' ' | b'\t'));
        if !folded || line.trim_ascii().is_empty() {
            head.note(&field);
            field.clear();
        }
        if line.is_empty() {
            return Some((head, after));
        }
        field.extend_from_slice(line);
        rest = after;
    }
}

/// Whether a line begins with a protocol and its version. The name of the protocol is not checked:
/// `ICY/1.0` and mangled names such as `HTTPX/1.1` occur, and pages do not begin like this.
fn is_status_line(line: &[u8]) -> bool {
    let name = line
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    name > 0 && matches!(line[name..], [b'/', version, ..] if version.is_ascii_digit())
}

impl Head {
    fn note(&mut self, field: &[u8]) {
        let Some(colon) = memchr::memchr(b':', field) else {
            return;
        };
        let name = field[..colon].trim_ascii().to_ascii_lowercase();
        let value = String::from_utf8_lossy(&field[colon + 1..]);
        match &name[..] {
            // If there are several, browsers use the last.
            b"content-type" => self.media_type = MediaType::read(&value).or(self.media_type.take()),
            b"content-encoding" => self.note_encodings(&value),
            b"transfer-encoding" => {
                self.chunked |= value.to_ascii_lowercase().contains("chunked");
                self.note_encodings(&value);
            }
            _ => {}
        }
    }

    fn note_encodings(&mut self, value: &str) {
        let room = MAX_ENCODINGS - self.encodings.len();
        self.encodings.extend(encodings(value).take(room));
    }
}

/// The encodings listed in a field, in the order they were applied.
pub(super) fn encodings(value: &str) -> impl Iterator<Item = String> {
    let names = value
        .split(',')
        .map(|name| name.trim().to_ascii_lowercase());
    names.filter(|name| !name.is_empty() && name != "chunked" && name != "identity")
}

impl MediaType {
    /// Parses the value of a `Content-Type` field; `None` if it states no type.
    pub fn read(value: &str) -> Option<MediaType> {
        let mut parts = value.split(';');
        let essence = parts.next()?.split(',').next()?.trim().to_ascii_lowercase();
        if !essence.contains('/') || essence.contains(char::is_whitespace) {
            return None;
        }
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            if !name.trim().eq_ignore_ascii_case("charset") {
                return None;
            }
            let value = value.trim().trim_matches(|c| c == '"' || c == '\'').trim();
            (!value.is_empty()).then(|| value.to_owned())
        });
        Some(MediaType { essence, charset })
    }

    /// Whether this is the type of a web page.
    pub fn is_html(&self) -> bool {
        let html = [
            "text/html",
            "application/xhtml+xml",
            "application/vnd.wap.xhtml+xml",
        ];
        html.contains(&self.essence.as_str())
    }

    /// Whether the type carries no information, so that the body has to be inspected.
    pub fn is_unknown(&self) -> bool {
        ["unknown/unknown", "application/unknown", "*/*"].contains(&self.essence.as_str())
    }
}

/// The first line without its line end, and the rest.
fn split_line(text: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match memchr::memchr(b'\n', text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &text[text.len()..]),
    };
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_all_shapes_are_read() {
        let rows: [(&str, Option<u16>, &str, &str); 10] = [
            ("HTTPX/1.1 200 OK\n\nbody", Some(200), "", "body"),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nbody",
                Some(200),
                "text/html",
                "body",
            ),
            (
                "HTTP/1.0 200\nContent-Type:text/html\n\nbody",
                Some(200),
                "text/html",
                "body",
            ),
            ("http/1.1  404  Not Found\r\n\r\n", Some(404), "", ""),
            (
                "HTTP/2 200 \r\nnonsense\r\ncontent-TYPE : Text/HTML ; x\r\n\r\nb",
                Some(200),
                "text/html",
                "b",
            ),
            ("HTTP/1.1 OK\r\n\r\nb", None, "", "b"),
            (
                "HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html\r\n\r\nb",
                Some(200),
                "text/html",
                "b",
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n\r\n",
                Some(200),
                "c/d",
                "",
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Type: none\r\n\r\n",
                Some(200),
                "a/b",
                "",
            ),
            ("HTTP/1.1 200 OK\r\nContent-Type: a/b", Some(200), "a/b", ""),
        ];
        for (response, status, essence, body) in rows {
            let (head, rest) = read_head(response.as_bytes()).unwrap();
            assert_eq!(head.status, status, "{response}");
            assert_eq!(
                head.media_type.map_or(String::new(), |m| m.essence),
                essence,
                "{response}"
            );
            assert_eq!(rest, body.as_bytes(), "{response}");
        }
        assert_eq!(read_head(b"<html>"), None);
        assert_eq!(read_head(b""), None);
    }

    #[test]
    fn charsets_are_found_among_parameters() {
        let rows = [
            ("text/html; charset=utf-8", Some("utf-8")),
            ("text/html;Charset=\"ISO-8859-1\"", Some("ISO-8859-1")),
            ("text/html; a=b; charset = 'x' ", Some("x")),
            ("text/html; charset=", None),
            ("text/html", None),
        ];
        for (value, charset) in rows {
            assert_eq!(
                MediaType::read(value).unwrap().charset.as_deref(),
                charset,
                "{value}"
            );
        }
        for value in ["", "html", "no type/at all"] {
            assert_eq!(MediaType::read(value), None, "{value}");
        }
    }
}
