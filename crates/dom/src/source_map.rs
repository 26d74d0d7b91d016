//! Maps positions in the decoded text to positions in the original bytes.
//!
//! The tokenizer works on decoded text, but users cut original bytes. For UTF-8 the two agree
//! except for a byte order mark. Text in other charsets is decoded in pieces whose start positions
//! are stored; a position inside a piece is found by decoding that piece again, byte by byte.
//! Pieces begin at a `<`, where no character can be half read. They are about a kilobyte long:
//! shorter ones would slow down decoding for every page, although few pages are asked for
//! positions.

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_16BE, UTF_16LE};

/// Minimum length of a piece in bytes.
const PIECE: usize = 1024;

/// Maps positions in decoded text to positions in the page's bytes.
#[derive(Debug, Clone)]
pub struct SourceMap {
    /// Length of the byte order mark, that is, the position of the first decoded byte.
    shift: usize,
    pieces: Option<Pieces>,
}

#[derive(Debug, Clone)]
struct Pieces {
    encoding: &'static Encoding,
    /// Starts of the pieces: (in the text, in the bytes), ascending from (0, 0).
    starts: Vec<(u32, u32)>,
}

impl SourceMap {
    /// The text equals the bytes, apart from a mark of `shift` bytes.
    pub(crate) fn shifted(shift: usize) -> Self {
        SourceMap {
            shift,
            pieces: None,
        }
    }

    /// Decodes `source`, which begins `shift` bytes into the page, and stores the piece starts.
    pub(crate) fn decode(
        source: &[u8],
        encoding: &'static Encoding,
        shift: usize,
    ) -> (String, SourceMap) {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(source.len() + source.len() / 8);
        let mut starts = vec![(0, 0)];
        let mut fed = 0;
        if encoding == UTF_16LE || encoding == UTF_16BE {
            let high_byte = usize::from(encoding == UTF_16LE);
            for to in (PIECE..source.len()).step_by(PIECE) {
                feed(&mut decoder, &source[fed..to], &mut text, false);
                fed = to;
                // The decoder holds half a surrogate pair: a piece cannot begin here.
                if !(0xD8..0xDC).contains(&source[to - 2 + high_byte]) {
                    starts.push((text.len() as u32, to as u32));
                }
            }
        } else {
            while let Some(found) = source
                .get(fed + PIECE..)
                .and_then(|rest| memchr::memchr(b'<', rest))
            {
                let at = fed + PIECE + found;
                feed(&mut decoder, &source[fed..=at], &mut text, false);
                fed = at + 1;
                // In a stateful charset the byte may be half a character.
                if text.ends_with('<') {
                    starts.push((text.len() as u32 - 1, at as u32));
                }
            }
        }
        feed(&mut decoder, &source[fed..], &mut text, true);
        let pieces = Some(Pieces { encoding, starts });
        (text, SourceMap { shift, pieces })
    }

    /// The position in `page`, the bytes that were decoded, of the character at `position` of the
    /// text.
    pub fn to_source(&self, page: &[u8], position: usize) -> usize {
        match &self.pieces {
            None => self.shift + position,
            Some(pieces) => self.shift + pieces.to_source(&page[self.shift..], position),
        }
    }
}

impl Pieces {
    fn to_source(&self, source: &[u8], position: usize) -> usize {
        let at = self
            .starts
            .partition_point(|(text, _)| *text as usize <= position)
            - 1;
        let (text, mut at) = (self.starts[at].0 as usize, self.starts[at].1 as usize);
        let missing = position - text;
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let mut written = String::new();
        while written.len() < missing && at < source.len() {
            feed(&mut decoder, &source[at..=at], &mut written, false);
            at += 1;
        }
        // The byte that ends a broken character is decoded together with it.
        at - usize::from(written.len() > missing)
    }
}

fn feed(decoder: &mut Decoder, mut input: &[u8], text: &mut String, last: bool) {
    // Decoding straight into the string would clear its spare capacity at each call.
    let mut buffer = [0; 1024];
    loop {
        let (result, read, written, _) = decoder.decode_to_utf8(input, &mut buffer, last);
        text.push_str(std::str::from_utf8(&buffer[..written]).expect("decoders write UTF-8"));
        input = &input[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::*;

    #[test]
    fn every_ascii_character_maps_back() {
        let text = "<p>Größe</p> 日本 <b>語の</b>ページ <i>é</i>".repeat(9);
        for encoding in [WINDOWS_1252, SHIFT_JIS, GBK, EUC_JP, GB18030] {
            let kept: String = text
                .chars()
                .filter(|c| !encoding.encode(&c.to_string()).2)
                .collect();
            let (bytes, _, _) = encoding.encode(&kept);
            let (decoded, map) = SourceMap::decode(&bytes, encoding, 0);
            assert_eq!(decoded, kept);
            for (at, c) in decoded.char_indices().filter(|(_, c)| c.is_ascii()) {
                let source = map.to_source(&bytes, at);
                assert_eq!(bytes[source], c as u8, "{} {at}", encoding.name());
            }
            assert_eq!(map.to_source(&bytes, decoded.len()), bytes.len());
        }
    }

    #[test]
    fn utf_16_maps_back_across_pieces() {
        let text = "<p>żółć 𝄞 漢字</p>".repeat(200);
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (decoded, map) = SourceMap::decode(&bytes, UTF_16LE, 0);
        assert_eq!(decoded, text);
        for (at, c) in decoded.char_indices().filter(|(_, c)| c.is_ascii()) {
            assert_eq!(bytes[map.to_source(&bytes, at)], c as u8, "{at}");
        }
    }

    #[test]
    fn broken_utf_8_still_maps() {
        let page = b"BOM<p>a\xFFb</p><i>\xC3</i>";
        let (decoded, map) = SourceMap::decode(&page[3..], UTF_8, 3);
        assert_eq!(decoded, "<p>a\u{FFFD}b</p><i>\u{FFFD}</i>");
        for needle in ["b</p>", "</p>", "<i>", "</i>"] {
            let found = map.to_source(page, decoded.find(needle).unwrap());
            assert!(page[found..].starts_with(needle.as_bytes()), "{needle}");
        }
    }
}
