//! Tells text from binary data, whatever its charset.
//!
//! Bodies arrive encrypted, compressed in unknown ways, damaged, or as images with the name of a
//! page. Learned from, they would teach a site garbage. All charsets of the web use the control
//! characters of ASCII alike, and pages hardly ever contain any, while one byte in ten of binary data
//! is one. Only UTF-16 uses these bytes in letters.

use bytes::Bytes;

/// The body is examined in blocks of this many bytes.
const BLOCK: usize = 1024;

/// The text of a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// All of it is text.
    Whole(Bytes),
    /// Some blocks were binary data and are left out.
    Part(Bytes),
    /// None of it is text.
    Nothing,
}

impl Text {
    pub(crate) fn of(body: Bytes) -> Text {
        // The common case.
        if !body.chunks(BLOCK).any(is_binary_block) || is_utf16(&body) {
            return Text::Whole(body);
        }
        let blocks = body.chunks(BLOCK).filter(|block| !is_binary_block(block));
        let text: Vec<u8> = blocks.flatten().copied().collect();
        // Half a page is worth reading; words between binary data are not.
        match text.len() * 4 < body.len() || text.trim_ascii().is_empty() {
            true => Text::Nothing,
            false => Text::Part(text.into()),
        }
    }
}

/// Whether the beginning of a file is plainly not text. A few control characters, including NULs,
/// occur in real pages.
pub(crate) fn is_binary(head: &[u8]) -> bool {
    is_binary_block(&head[..head.len().min(BLOCK)]) && !is_utf16(head)
}

fn is_binary_block(block: &[u8]) -> bool {
    // Nearly all blocks end here. Without a branch in it, the compiler tests 16 bytes at a time.
    let has_control = |has, byte: &u8| has | is_control_or_nul(*byte);
    if !block.iter().fold(false, has_control) {
        return false;
    }
    let is_control = |byte: u8| byte != 0 && is_control_or_nul(byte);
    let found = block.iter().filter(|&&byte| is_control(byte)).count();
    // Some programs put NULs between words, where they do no harm.
    let nuls = || block.iter().filter(|&&byte| byte == 0).count();
    (found >= 2 && found * 50 > block.len()) || nuls() * 2 > block.len()
}

/// White space and the shift characters of ISO-2022 are part of text.
fn is_control_or_nul(byte: u8) -> bool {
    (byte < b'\t') | ((byte > 0x0f) & (byte < 0x20) & (byte != 0x1b))
}

/// Whether the text is in UTF-16: it has a byte order mark and is valid, or the zeros of ASCII letters
/// are all on one side.
fn is_utf16(text: &[u8]) -> bool {
    let head = &text[..text.len().min(BLOCK) & !1];
    let order = match head {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    if let Some(order) = order {
        let units = head.chunks_exact(2).map(|pair| order([pair[0], pair[1]]));
        // In random data, every thirtieth unit is half of a pair.
        let unpaired = char::decode_utf16(units).filter(Result::is_err).count();
        return unpaired * 100 <= head.len();
    }
    let zeros = |start: usize| {
        let side = head.iter().skip(start).step_by(2);
        side.filter(|&&byte| byte == 0).count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    (even + odd) * 20 > head.len() && even.max(odd) >= 8 * even.min(odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes without any pattern.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    #[test]
    fn text_in_any_charset_is_text() {
        let utf16 = |order: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
            let text = format!("{mark}<p>Grüße 漢字かな交じり文</p>").repeat(200);
            text.encode_utf16().flat_map(order).collect()
        };
        let mut few = vec![b'a'; 200];
        few[3] = 0;
        for text in [
            utf16(u16::to_le_bytes, "\u{feff}"),
            utf16(u16::to_be_bytes, "\u{feff}"),
            utf16(u16::to_le_bytes, ""),
            utf16(u16::to_be_bytes, ""),
            few,
            b"one\0two\0 ".repeat(999),
            b"\x1b$B$3$l$O\x1b(B".repeat(99),
            (0x80..=0xff).cycle().take(9999).collect(),
            b"a\x01".to_vec(),
            Vec::new(),
        ] {
            assert!(!is_binary(&text), "{:?}", &text[..text.len().min(40)]);
            let text = Bytes::from(text);
            assert_eq!(Text::of(text.clone()), Text::Whole(text));
        }
    }

    #[test]
    fn binary_data_is_not_text() {
        let marked = |mark: &[u8]| [mark, &noise(5000)].concat();
        for length in [40, 100, 1000, 1025, 100_000] {
            assert_eq!(Text::of(noise(length).into()), Text::Nothing, "{length}");
        }
        for data in [
            vec![0; 100],
            vec![1, 0, 0, 0, 7, 7, 0, 0, 0, 0, 3],
            marked(b"\xff\xfe"),
            marked(b"<p>"),
        ] {
            assert!(is_binary(&data));
            assert_eq!(Text::of(data.into()), Text::Nothing);
        }
    }

    #[test]
    fn binary_blocks_are_left_out_of_text() {
        let text = b"<p>some words </p>".repeat(500);
        let body = [&text[..], &noise(3000), &text].concat();
        let Text::Part(kept) = Text::of(body.into()) else {
            panic!("there is text and noise");
        };
        assert!(kept.len() > 2 * text.len() - 2 * BLOCK && kept.len() < 2 * text.len() + BLOCK);
        assert_eq!(kept[..text.len() - BLOCK], text[..text.len() - BLOCK]);
    }
}
