//! Decodes bytes to text: detects the charset and maps positions in the text back to bytes.
//!
//! Sources of the charset are trusted in the usual order: byte order mark, transport header,
//! `<meta>` near the start, then a detector that inspects the bytes. There are two exceptions. A
//! `<meta>` is ignored if the bytes are clearly UTF-8: somebody saved the page in UTF-8 and left the
//! `<meta>` unchanged. And a header or `<meta>` that says UTF-8 is ignored if the bytes are clearly
//! not: text in windows-1252 would lose every accented letter. Decoding never fails; invalid bytes
//! become U+FFFD. Valid UTF-8 is used as it is, without a copy, and positions in the text are byte
//! positions. For all other pages a [`SourceMap`] maps positions back to the original bytes.

use bytestring::ByteString;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, ISO_8859_2, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254,
    WINDOWS_1257, WINDOWS_1258,
};

use crate::page_bytes::PageBytes;
use crate::source_map::SourceMap;

/// How many bytes are searched for a `<meta charset>`. The standard says 1,024 bytes. Browsers
/// search further, because some pages put scripts first, and so do we.
const META_PRESCAN: usize = 4096;

/// Maximum number of bytes that the detector sees.
const DETECT_BYTES: usize = 16 << 10;
/// Bytes of context that the detector sees on either side of non-ASCII bytes.
const DETECT_CONTEXT: usize = 64;

/// How the charset was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The `Content-Type` header of the transport.
    Transport,
    /// A `<meta>` element.
    Meta,
    /// The form of the bytes, which other charsets do not have: UTF-8, or UTF-16 without a mark.
    Detected,
    /// Statistics of the bytes, because no charset was stated or the stated UTF-8 was wrong.
    Guessed,
}

/// A page as text.
#[derive(Debug)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: ByteString,
    /// The page's bytes, if they differ from those of the text.
    pub original: Option<PageBytes>,
    /// The charset of the bytes.
    pub encoding: &'static Encoding,
    /// How the charset was determined.
    pub source: CharsetSource,
    /// Maps positions in `text` to positions in the bytes.
    pub map: SourceMap,
}

/// Decodes a page. `transport` is the charset that the transport stated, if any.
pub fn decode(bytes: impl Into<PageBytes>, transport: Option<&str>) -> Decoded {
    let bytes = bytes.into();
    let (mut encoding, mut source, bom) = choose(&bytes, transport);
    if encoding == UTF_8
        && bom == 0
        && let Ok(text) = ByteString::try_from(bytes.clone().into_bytes())
    {
        return Decoded {
            text,
            original: None,
            encoding,
            source,
            map: SourceMap::shifted(0),
        };
    }
    if encoding == UTF_8 && bom == 0 && !resembles_utf8(&bytes) {
        (encoding, source) = (detect(&bytes), CharsetSource::Guessed);
    }
    let body = &bytes[bom..];
    let (text, map) = match std::str::from_utf8(body) {
        Ok(text) if encoding == UTF_8 => (text.to_string(), SourceMap::shifted(bom)),
        _ => SourceMap::decode(body, encoding, bom),
    };
    Decoded {
        text: text.into(),
        original: Some(bytes),
        encoding,
        source,
        map,
    }
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
    // Text in another charset is hardly ever valid UTF-8 by chance. If it is not valid, it is looked
    // at again.
    (UTF_8, CharsetSource::Detected, 0)
}

/// True if enough of the bytes that are not ASCII form characters of UTF-8: the page is in UTF-8 with
/// some damage. In text of other charsets hardly any do. A character that is cut at the end is no damage, and neither is half of a surrogate
/// pair, which JSON can contain.
fn resembles_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0usize, 0usize);
    let (mut at, mut known) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() && at >= known {
            let is_surrogate = matches!(bytes[at..], [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..]);
            let is_cut = at + chunk.invalid().len() == bytes.len()
                && std::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
            match is_surrogate {
                true => (good, known) = (good + 1, at + 3),
                false => bad += usize::from(!is_cut),
            }
        }
        at += chunk.invalid().len();
    }
    bad <= 2 * good
}

/// True if a page that declares another charset is UTF-8, and not by chance.
fn is_rather_utf8(bytes: &[u8], said: &'static Encoding) -> bool {
    if said == UTF_8 {
        return false;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The page may be cut inside a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    // In windows-1252 most of these bytes would read like `Ã©` or `â€™`, which nobody writes.
    // Others may be a capital and a quotation mark; in other charsets, a letter or two.
    let is_telling = |c: char| said == WINDOWS_1252 && !matches!(c, '\u{100}'..'\u{800}');
    let weight = |c: char| if is_telling(c) { CHANCE } else { 1 };
    let others = text.chars().filter(|c| !c.is_ascii());
    others.take(CHANCE).map(weight).sum::<usize>() >= CHANCE
}

/// This many non-ASCII characters are not all valid UTF-8 by chance.
const CHANCE: usize = 8;

/// Guesses the charset of bytes that are not UTF-8. The detector is slow, so it sees only the surroundings of
/// non-ASCII bytes; the rest of a page tells it nothing.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // ISO-2022-JP text is all ASCII; an escape may begin a word of it.
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
        // No charset uses these bytes inside a character.
        let is_apart = |byte: &u8| *byte <= b'/' || (b':'..=b'?').contains(byte);
        let rest = bytes[end..].iter().position(is_apart);
        let end = rest.map_or(bytes.len(), |rest| end + rest);
        detector.feed(&bytes[start..end], false);
        shown += end - start;
        done = end;
    }
    detector.feed(b"", true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    match is_latin(guess) || !are_apart(bytes) {
        true => guess,
        // From a few dashes and accents the detector concludes anything.
        false => WINDOWS_1252,
    }
}

/// The charsets of languages in Latin letters, other than those with the letters of windows-1252.
fn is_latin(encoding: &'static Encoding) -> bool {
    [
        WINDOWS_1250,
        WINDOWS_1254,
        WINDOWS_1257,
        WINDOWS_1258,
        ISO_8859_2,
    ]
    .contains(&encoding)
}

/// True if most of the bytes that are not ASCII are single or in pairs, as accented letters, dashes and
/// quotation marks are. Words in other scripts are longer runs.
fn are_apart(bytes: &[u8]) -> bool {
    let runs = bytes.split(u8::is_ascii).map(<[u8]>::len);
    let (mut apart, mut together) = (0, 0);
    for length in runs {
        match length {
            0 => {}
            1 | 2 => apart += length,
            _ => together += length,
        }
    }
    apart > together
}

/// Detects UTF-16 without a byte order mark: a page begins with markup, which is ASCII, so every
/// second byte is zero.
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

/// The charset that a `<meta>` in `head` names, found by the standard's prescan: comments are
/// skipped, and `charset=` counts both as an attribute and inside `content`.
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
            // A <meta> that is readable as ASCII cannot be in UTF-16; the standard says to use
            // UTF-8.
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

    /// Encodes `text` and checks that decoding restores it.
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
        // Labels are interpreted as on the web: gb2312 means gbk, latin-1 means windows-1252.
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
            // Two letters may be UTF-8 by chance; pure ASCII proves nothing.
            ("gb2312", "\u{44e}\u{44f}", GBK),
            ("windows-1251", "tea", WINDOWS_1251),
        ] {
            let page = format!("<meta charset={meta}><p>{text}");
            let decoded = decode(page.as_bytes(), None);
            assert_eq!(decoded.encoding, encoding, "{page}");
            assert_eq!(decoded.text == page, encoding == UTF_8 || page.is_ascii());
            // The transport header is trusted.
            let served = decode(page.as_bytes(), Some("gbk"));
            assert_eq!(served.source, CharsetSource::Transport);
        }
        // `CAFÉ’S` in windows-1252 happens to be valid UTF-8.
        let bytes = b"<meta charset=iso-8859-1><p>CAF\xC9\x92S";
        assert_eq!(decode(&bytes[..], None).encoding, WINDOWS_1252);
        // The last character may be cut.
        let bytes = b"<meta charset=iso-8859-1><p>caf\xC3\xA9 caf\xC3";
        assert_eq!(decode(&bytes[..], None).encoding, UTF_8);
        // If the page as a whole is not UTF-8, the declared charset is used.
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
        assert_eq!(check(russian, WINDOWS_1251, None), CharsetSource::Guessed);
        let japanese = "<p>今日は朝から雨が降っていたので、町の通りには誰もいなかった。カタカナで書かれたことばも、ひらがなのことばもあります。わたしたちは家でテレビをみていました。";
        assert_eq!(check(japanese, SHIFT_JIS, None), CharsetSource::Guessed);
        let korean =
            "<p>오늘은 아침부터 비가 내려서 거리에 아무도 없었다. 그래서 우리는 집에 있었다.";
        assert_eq!(check(korean, EUC_KR, None), CharsetSource::Guessed);
    }

    #[test]
    fn a_page_that_is_wrongly_called_utf_8_is_guessed() {
        let french = "<p>Les élèves français préfèrent l’été à l’hiver, où tout est gelé.";
        let russian = "<p>Сегодня в городе прошёл дождь, и улицы были пусты до самого вечера.";
        let one = "<p>A café in the harbour, open all day and most of the night.";
        let quotes = "<p>The harbour master’s “new” lamp";
        for (text, encoding) in [
            (french, WINDOWS_1252),
            (russian, WINDOWS_1251),
            (one, WINDOWS_1252),
            (quotes, WINDOWS_1252),
            // The detector takes this for Russian under DOS.
            ("<p>this agreement — no other access, §§12", WINDOWS_1252),
        ] {
            let source = check(text, encoding, Some("utf-8"));
            assert_eq!(source, CharsetSource::Guessed, "{text}");
            let meta = format!("<meta charset=utf-8>{text}");
            assert_eq!(check(&meta, encoding, None), CharsetSource::Guessed);
        }
    }

    #[test]
    fn damaged_utf_8_remains_utf_8() {
        let mark = char::REPLACEMENT_CHARACTER;
        for (bytes, text) in [
            // One bad byte among good characters.
            (&b"<p>\xC3\xA9t\xC3\xA9 \xE9"[..], format!("<p>été {mark}")),
            // More damage than characters.
            (
                b"<p>sch\xC3\xB6n caf\xE9 \x97",
                format!("<p>schön caf{mark} {mark}"),
            ),
            // A character that is cut at the end, with and without others before it.
            (b"<p>\xC3\xA9t\xC3", format!("<p>ét{mark}")),
            (b"<p>abc\xE2\x80", format!("<p>abc{mark}")),
            // Half of a surrogate pair, as Python writes it.
            (
                b"<p>\xED\xA0\xBD smile",
                format!("<p>{mark}{mark}{mark} smile"),
            ),
        ] {
            for transport in [Some("utf-8"), None] {
                let decoded = decode(bytes, transport);
                assert_eq!(decoded.encoding, UTF_8);
                assert_eq!(decoded.text, text);
                assert_ne!(decoded.source, CharsetSource::Guessed);
            }
        }
        // A mark is believed.
        assert_eq!(decode(&b"\xEF\xBB\xBF<p>caf\xE9"[..], None).encoding, UTF_8);
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
