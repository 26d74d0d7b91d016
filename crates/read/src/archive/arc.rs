//! The record lines of ARC files, versions 1 and 2.
//! <https://archive.org/web/researcher/ArcFileFormat.php>
//!
//! ```text
//! http://example.com/ 93.184.216.119 20140216050221 text/html 1591
//! ```
//!
//! URLs may contain spaces, so words are counted from the end of the line. The first record,
//! `filedesc://`, names the words of the following record lines and thereby tells how many there
//! are.

use super::digest::Digests;
use super::{BadHead, MAX_LINE, RecordHead, RecordKind};
use crate::date;
use crate::unpack::{LineEnd, Unpacked};

/// URL, IP address, date, content type, length.
pub(super) const WORDS_OF_VERSION_1: usize = 5;
/// Version 2 adds result code, checksum, location, offset and file name before the length.
const WORDS_OF_VERSION_2: usize = 10;
/// A line longer than this, URL included, is not recognised as the beginning of a record.
pub(super) const LONGEST_START: usize = 8 << 10;

struct Line<'a> {
    url: &'a str,
    date: &'a str,
    content_type: &'a str,
    length: u64,
}

impl<'a> Line<'a> {
    fn read(line: &'a str, words: usize) -> Option<Line<'a>> {
        let parts: Vec<&str> = line.trim_end().rsplitn(words, ' ').collect();
        if parts.len() < words {
            return None;
        }
        let (url, date, content_type) = (parts[words - 1], parts[words - 3], parts[words - 4]);
        let (scheme, _) = url.split_once(':')?;
        let plausible = !scheme.is_empty()
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        let length = parts[0].parse().ok()?;
        plausible.then_some(Line {
            url,
            date,
            content_type,
            length,
        })
    }

    /// The number of words to expect. The `filedesc` line has five in both versions.
    fn words(line: &str, words: usize) -> usize {
        if line.starts_with("filedesc:") {
            WORDS_OF_VERSION_1
        } else {
            words
        }
    }
}

/// Whether the text begins with a record line. Its date must be a date, or the word that broken
/// writers put in its place, because lines of five words that end in a number occur in text.
pub(super) fn begins(text: &[u8], words: usize) -> bool {
    if !text.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let end = memchr::memchr(b'\n', &text[..text.len().min(LONGEST_START)]);
    let Some(line) = end.map(|end| String::from_utf8_lossy(&text[..end])) else {
        return false;
    };
    Line::read(&line, Line::words(&line, words)).is_some_and(|line| {
        let digits = line.date.bytes().all(|byte| byte.is_ascii_digit());
        (digits && (8..=17).contains(&line.date.len())) || line.date == "null"
    })
}

pub(super) fn read_head(stream: &mut Unpacked, words: usize) -> Result<RecordHead, BadHead> {
    let mut line = Vec::new();
    match stream.read_line(&mut line, MAX_LINE) {
        LineEnd::End => return Err(BadHead::Cut),
        LineEnd::TooLong | LineEnd::Newline => {}
    }
    let line = String::from_utf8_lossy(&line);
    let Some(line) = Line::read(&line, Line::words(&line, words)) else {
        return Err(BadHead::Wrong(
            "the line is not a valid ARC record line".to_owned(),
        ));
    };
    let scheme = line.url.split(':').next().unwrap_or_default();
    Ok(RecordHead {
        kind: match scheme {
            "filedesc" | "dns" => RecordKind::Other(scheme.to_owned()),
            _ => RecordKind::Response,
        },
        url: Some(line.url.to_owned()),
        content_type: line
            .content_type
            .contains('/')
            .then(|| line.content_type.to_owned()),
        length: line.length,
        date: date::from_digits(line.date),
        id: None,
        truncated: false,
        digests: Digests::default(),
    })
}

/// The number of words per record line that the block of the `filedesc` record announces.
pub(super) fn stated_words(block: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(block);
    let names = text.lines().take(3).find(|line| line.starts_with("URL "))?;
    let words = names.split_whitespace().count();
    [WORDS_OF_VERSION_1, WORDS_OF_VERSION_2]
        .contains(&words)
        .then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_before_records_are_recognised() {
        let rows = [
            (
                "http://e.org/ 1.2.3.4 20140216050221 text/html 1591\n",
                5,
                true,
            ),
            (
                "http://e.org/a b c 1.2.3.4 20140216050221 text/html 7\n",
                5,
                true,
            ),
            ("http://e.org/ 1.2.3.4 null text/html 7\r\n", 5, true),
            ("dns:e.org 1.2.3.4 20140216050221 text/dns 7\n", 5, true),
            (
                "http://e.org/ 1.2.3.4 20140216050221 text/html 200 - - 0 f.arc 7\n",
                10,
                true,
            ),
            (
                "filedesc://f.arc 0.0.0.0 20140216050221 text/plain 7\n",
                10,
                true,
            ),
            ("http://e.org/ 1.2.3.4 20140216050221 text/html\n", 5, false),
            ("http://e.org/ 1.2.3.4 20140216050221 text/html 7", 5, false),
            ("note: there are many words 7\n", 5, false),
            ("HTTP/1.1 200 OK\n", 5, false),
            ("", 5, false),
        ];
        for (text, words, expected) in rows {
            assert_eq!(begins(text.as_bytes(), words), expected, "{text:?}");
        }
    }

    #[test]
    fn the_first_record_states_the_version() {
        let version_1 = "1 0 X\nURL IP-address Archive-date Content-type Archive-length\n";
        let version_2 = "2 0 X\nURL IP-address Archive-date Content-type Result-code Checksum \
                         Location Offset Filename Archive-length\n";
        assert_eq!(stated_words(version_1.as_bytes()), Some(5));
        assert_eq!(stated_words(version_2.as_bytes()), Some(10));
        assert_eq!(stated_words(b"nothing"), None);
    }
}
