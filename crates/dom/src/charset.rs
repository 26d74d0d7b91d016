//! Bytes to text: which charset a page is in, and how positions in the text map back to bytes.
//!
//! The order of trust is the web's: byte order mark, transport header, `<meta>` at the beginning,
//! then a detector that looks at the bytes. One thing is different: a `<meta>` is not believed if
//! the bytes are UTF-8 beyond doubt. Whoever saved the page has recoded it and left the `<meta>` as
//! it was. Decoding never fails; what does not decode becomes U+FFFD. Pages in valid UTF-8 become
//! text as they are, without a copy, and their positions are the bytes' own; for all others a
//! [`SourceMap`] leads back to the original bytes.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::source_map::SourceMap;

/// How far into a page a `<meta charset>` is looked for. The standard says 1,024 bytes; pages
/// that put scripts first made browsers look further, and so do we.
const META_PRESCAN: usize = 4096;

/// How much of a page the detector looks at.
const DETECT_BYTES: usize = 16 << 10;
/// How much it looks at on either side of what is not ASCII.
const DETECT_CONTEXT: usize = 64;

/// What told the charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The `Content-Type` of the transport.
    Transport,
    /// A `<meta>` element.
    Meta,
    /// The look of the bytes.
    Detected,
}

/// A page as text.
#[derive(Debug)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// The page's bytes, where those of the text are not the same.
    pub original: Option<Vec<u8>>,
    /// The charset it was in.
    pub encoding: &'static Encoding,
    /// What told the charset.
    pub source: CharsetSource,
    /// Leads from positions in `text` to positions in the bytes.
    pub map: SourceMap,
}

/// Decodes a page; `transport` is the charset that came with it, if any.
pub fn decode(bytes: impl Into<Vec<u8>>, transport: Option<&str>) -> Decoded {
    let bytes = bytes.into();
    let (encoding, source, bom) = choose(&bytes, transport);
    let decoded = |text, original, map| Decoded {
        text,
        original,
        encoding,
        source,
        map,
    };
    let bytes = match encoding == UTF_8 && bom == 0 {
        true => match String::from_utf8(bytes) {
            Ok(text) => return decoded(text, None, SourceMap::shifted(0)),
            Err(error) => error.into_bytes(),
        },
        false => bytes,
    };
    let body = &bytes[bom..];
    let (text, map) = match std::str::from_utf8(body) {
        Ok(text) if encoding == UTF_8 => (text.to_string(), SourceMap::shifted(bom)),
        _ => SourceMap::decode(body, encoding, bom),
    };
    decoded(text, Some(bytes), map)
}

fn choose(bytes: &[u8], transport: Option<&str>) -> (&'static Encoding, CharsetSource, usize) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return (encoding, CharsetSource::Bom, length);
    }
    if let Some(encoding) = transport.and_then(|label| Encoding::for_label(label.trim().as_bytes()))
    {
        return (encoding, CharsetSource::Transport, 0);
    }
    if let Some(encoding) = utf16_without_bom(bytes) {
        return (encoding, CharsetSource::Detected, 0);
    }
    if let Some(encoding) = meta_charset(&bytes[..bytes.len().min(META_PRESCAN)]) {
        return match is_rather_utf8(bytes, encoding) {
            true => (UTF_8, CharsetSource::Detected, 0),
            false => (encoding, CharsetSource::Meta, 0),
        };
    }
    // Valid UTF-8 is UTF-8: text of another charset is hardly ever valid by chance.
    if std::str::from_utf8(bytes).is_ok() {
        return (UTF_8, CharsetSource::Detected, 0);
    }
    (detect(bytes), CharsetSource::Detected, 0)
}

/// True if a page that says it is in some charset is in UTF-8, and not by chance.
fn is_rather_utf8(bytes: &[u8], said: &'static Encoding) -> bool {
    if said == UTF_8 {
        return false;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // A page may be cut within a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    // In windows-1252 the bytes of most would be like `Ã©` or `â€™`, which nobody writes. Those of
    // some may be a capital and a quotation mark, in other charsets a letter or two.
    let is_telling = |c: char| said == WINDOWS_1252 && !matches!(c, '\u{100}'..'\u{800}');
    let weight = |c: char| if is_telling(c) { CHANCE } else { 1 };
    let others = text.chars().filter(|c| !c.is_ascii());
    others.take(CHANCE).map(weight).sum::<usize>() >= CHANCE
}

/// So many characters are not all valid UTF-8 by chance.
const CHANCE: usize = 8;

/// What the bytes look like. The detector is shown the places where there is something else than
/// ASCII: the rest of a page tells it nothing, and it is slow.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // An escape may begin a word in ISO-2022-JP, which is all ASCII.
    if memchr::memchr(0x1B, bytes).is_some() {
        detector.feed(&bytes[..bytes.len().min(DETECT_BYTES)], false);
    }
    let (mut shown, mut done) = (0, 0);
    while shown < DETECT_BYTES
        && let Some(found) = bytes[done..].iter().position(|byte| !byte.is_ascii())
    {
        let at = done + found;
        let start = at.saturating_sub(DETECT_CONTEXT).max(done);
        let end = bytes.len().min(at + DETECT_CONTEXT);
        // No charset has these bytes in the middle of a character.
        let is_apart = |byte: &u8| *byte <= b'/' || (b':'..=b'?').contains(byte);
        let rest = bytes[end..].iter().position(is_apart);
        let end = rest.map_or(bytes.len(), |rest| end + rest);
        detector.feed(&bytes[start..end], false);
        shown += end - start;
        done = end;
    }
    detector.feed(b"", true);
    detector.guess(None, Utf8Detection::Allow)
}

/// UTF-16 that forgot its mark: a page begins with markup, which is ASCII, so that every second
/// byte is zero.
fn utf16_without_bom(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(24) & !1];
    if head.len() < 8 {
        return None;
    }
    let zeros = |offset: usize| {
        head[offset..]
            .iter()
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    let pairs = head.len() / 2;
    match (zeros(0), zeros(1)) {
        (0, odd) if odd * 4 >= pairs * 3 => Some(UTF_16LE),
        (even, 0) if even * 4 >= pairs * 3 => Some(UTF_16BE),
        _ => None,
    }
}

/// The charset that a `<meta>` in `head` names, by the standard's prescan: comments are skipped,
/// `charset=` counts in an attribute of its own or inside `content`.
fn meta_charset(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &head[at..]) {
        at += found;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            at += 4 + memchr::memmem::find(&rest[4..], b"-->")?;
        } else if rest.len() > 5
            && rest[1..5].eq_ignore_ascii_case(b"meta")
            && (rest[5].is_ascii_whitespace() || rest[5] == b'/')
        {
            let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
            if let Some(encoding) = charset_in(&rest[5..end]) {
                return Some(encoding);
            }
            at += end;
        } else {
            at += 1;
        }
    }
    None
}

fn charset_in(attributes: &[u8]) -> Option<&'static Encoding> {
    let lower = attributes.to_ascii_lowercase();
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&lower[at..], b"charset") {
        at += found + b"charset".len();
        let Some(value) = lower[at..].trim_ascii_start().strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let end = value
            .iter()
            .position(|b| matches!(b, b'"' | b'\'' | b';' | b'/') || b.is_ascii_whitespace())
            .unwrap_or(value.len());
        if let Some(encoding) = Encoding::for_label(&value[..end]) {
            // A <meta> that could be read as ASCII cannot be in UTF-16; the standard says UTF-8.
            let wide = encoding == UTF_16LE || encoding == UTF_16BE;
            return Some(if wide { UTF_8 } else { encoding });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::*;

    /// Encodes `text` and requires that it comes back as it was.
    fn check(text: &str, encoding: &'static Encoding, transport: Option<&str>) -> CharsetSource {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{text}");
        let decoded = decode(&bytes[..], transport);
        assert_eq!(decoded.encoding, encoding);
        assert_eq!(decoded.text, text);
        decoded.source
    }

    #[test]
    fn transport_header_names_the_charset() {
        for (text, encoding) in [
            ("<p>Größe “quoted” €", WINDOWS_1252),
            ("<p>Привет, мир", WINDOWS_1251),
            ("<p>Καλημέρα", WINDOWS_1253),
            ("<p>Zażółć gęślą", WINDOWS_1250),
            ("<p>شكرا", WINDOWS_1256),
            ("<p>中文网页", GBK),
            ("<p>中文網頁", BIG5),
            ("<p>日本語のページ", SHIFT_JIS),
            ("<p>日本語のページ", EUC_JP),
            ("<p>日本語のページ", ISO_2022_JP),
            ("<p>한국어 문서", EUC_KR),
            ("<p>Привет", KOI8_R),
        ] {
            assert_eq!(
                check(text, encoding, Some(encoding.name())),
                CharsetSource::Transport
            );
        }
        // Labels are the web's: gb2312 means gbk, latin-1 means windows-1252.
        assert_eq!(decode(b"<p>", Some("gb2312")).encoding, GBK);
        assert_eq!(decode(b"<p>", Some(" ISO-8859-1 ")).encoding, WINDOWS_1252);
    }

    #[test]
    fn meta_names_the_charset() {
        for meta in [
            "<meta charset=windows-1251>",
            "<META CHARSET=\"windows-1251\"/>",
            "<!-- <meta charset=utf-8> --><meta charset='windows-1251'>",
            "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>",
            "<meta name=x content=y><meta content=\"text/html;charset = windows-1251\">",
        ] {
            let text = format!("<html>{meta}<p>Привет");
            assert_eq!(
                check(&text, WINDOWS_1251, None),
                CharsetSource::Meta,
                "{meta}"
            );
        }
        assert_eq!(decode(b"<meta charset=utf-16><p>", None).encoding, UTF_8);
        assert_eq!(decode(b"<meta charset=nonsense><p>", None).encoding, UTF_8);
    }

    #[test]
    fn a_recoded_page_is_read_as_it_is() {
        for (meta, text, encoding) in [
            ("iso-8859-1", "caf\u{e9}", UTF_8),
            ("iso-8859-1", "tea\u{2019}s", UTF_8),
            ("gb2312", "中文网页中文网页", UTF_8),
            // Two letters may be UTF-8 by chance; none tell nothing.
            ("gb2312", "\u{44e}\u{44f}", GBK),
            ("windows-1251", "tea", WINDOWS_1251),
        ] {
            let page = format!("<meta charset={meta}><p>{text}");
            let decoded = decode(page.as_bytes(), None);
            assert_eq!(decoded.encoding, encoding, "{page}");
            assert_eq!(decoded.text == page, encoding == UTF_8 || page.is_ascii());
            // What came with the page is believed.
            let served = decode(page.as_bytes(), Some("gbk"));
            assert_eq!(served.source, CharsetSource::Transport);
        }
        // `CAFÉ’S` in windows-1252 is valid UTF-8, too.
        let bytes = b"<meta charset=iso-8859-1><p>CAF\xC9\x92S";
        assert_eq!(decode(&bytes[..], None).encoding, WINDOWS_1252);
        // The last character may be cut.
        let bytes = b"<meta charset=iso-8859-1><p>caf\xC3\xA9 caf\xC3";
        assert_eq!(decode(&bytes[..], None).encoding, UTF_8);
        // What is no UTF-8 as a whole is what it says.
        let bytes = b"<meta charset=iso-8859-1><p>caf\xC3\xA9 caf\xE9 noir";
        assert_eq!(decode(&bytes[..], None).encoding, WINDOWS_1252);
    }

    #[test]
    fn a_mark_wins_over_everything() {
        let mut bytes = b"\xEF\xBB\xBF".to_vec();
        bytes.extend("<meta charset=gbk><p>ä".as_bytes());
        let decoded = decode(bytes.as_slice(), Some("shift_jis"));
        assert_eq!(
            (decoded.encoding, decoded.source),
            (UTF_8, CharsetSource::Bom)
        );
        assert_eq!(decoded.text, "<meta charset=gbk><p>ä");
        assert_eq!(decoded.map.to_source(&bytes, 3), 6);
    }

    #[test]
    fn utf_16_with_and_without_mark() {
        let text = "<html><body>żółć 漢字";
        for (big, mark) in [(false, true), (true, true), (false, false), (true, false)] {
            let mut bytes = Vec::new();
            let prefix = if mark { "\u{FEFF}" } else { "" };
            for unit in format!("{prefix}{text}").encode_utf16() {
                bytes.extend(if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                });
            }
            assert_eq!(
                decode(bytes.as_slice(), None).text,
                text,
                "big={big} mark={mark}"
            );
        }
    }

    #[test]
    fn the_detector_reads_unlabelled_pages() {
        let russian = "<p>Сегодня в городе прошёл дождь, и улицы были пусты до самого вечера.";
        assert_eq!(check(russian, WINDOWS_1251, None), CharsetSource::Detected);
        let japanese = "<p>今日は朝から雨が降っていたので、町の通りには誰もいなかった。カタカナで書かれたことばも、ひらがなのことばもあります。わたしたちは家でテレビをみていました。";
        assert_eq!(check(japanese, SHIFT_JIS, None), CharsetSource::Detected);
        let korean =
            "<p>오늘은 아침부터 비가 내려서 거리에 아무도 없었다. 그래서 우리는 집에 있었다.";
        assert_eq!(check(korean, EUC_KR, None), CharsetSource::Detected);
    }

    #[test]
    fn nothing_fails_to_decode() {
        for bytes in [
            &b""[..],
            b"\xFF",
            b"\xFE\xFF\x00",
            b"\x00\x00\x00",
            b"<meta",
            b"<!--",
        ] {
            decode(bytes, None);
            decode(bytes, Some("no-such-charset"));
            decode(bytes, Some("utf-8"));
        }
    }
}
