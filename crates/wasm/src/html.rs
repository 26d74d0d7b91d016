//! The source of a page: a string, or bytes in any charset.

use unframe::dom::Span;
use unframe::{Page, PageBytes};
use wasm_bindgen::{JsCast, JsError, JsValue};

/// What a caller passed as the source of a page.
pub struct Html {
    pub bytes: Vec<u8>,
    /// The charset that the transport stated; a string has none to state.
    pub charset: Option<String>,
    /// It was a string: its positions are counted in UTF-16 units.
    pub is_text: bool,
}

impl Html {
    /// Reads a string or bytes.
    pub fn new(value: &JsValue, charset: Option<String>) -> Result<Html, JsError> {
        if let Some(text) = value.as_string() {
            return Ok(Html {
                bytes: text.into_bytes(),
                charset: Some("utf-8".into()),
                is_text: true,
            });
        }
        let bytes = match (
            value.dyn_ref::<js_sys::Uint8Array>(),
            value.dyn_ref::<js_sys::ArrayBuffer>(),
        ) {
            (Some(bytes), _) => bytes.to_vec(),
            (None, Some(buffer)) => js_sys::Uint8Array::new(buffer).to_vec(),
            (None, None) => {
                return Err(JsError::new(
                    "html: must be a string, a Uint8Array or an ArrayBuffer",
                ));
            }
        };
        Ok(Html {
            bytes,
            charset,
            is_text: false,
        })
    }

    /// The same for the engine.
    pub fn into_parts(self) -> (PageBytes, Option<String>) {
        (self.bytes.into(), self.charset)
    }
}

/// Positions in a page as its caller counts them.
pub struct Positions<'a> {
    page: &'a Page,
    is_text: bool,
    /// Of a text, how many UTF-16 units are before each block of bytes.
    before: Vec<usize>,
}

/// How many bytes are counted for a position, at most.
const BLOCK: usize = 256;

impl<'a> Positions<'a> {
    /// Of a page that was given as text or as bytes.
    pub fn new(page: &'a Page, is_text: bool) -> Positions<'a> {
        let mut before = vec![0];
        if is_text {
            for block in page.bytes().chunks(BLOCK) {
                before.push(before[before.len() - 1] + utf16_units(block));
            }
        }
        Positions {
            page,
            is_text,
            before,
        }
    }

    /// Where a range of the page's own bytes begins and ends.
    pub fn of_bytes(&self, start: usize, end: usize) -> (usize, usize) {
        match self.is_text {
            true => (self.units(start), self.units(end)),
            false => (start, end),
        }
    }

    /// Where a range of the decoded page begins and ends.
    pub fn of_span(&self, span: Span) -> (usize, usize) {
        let range = self.page.source(span);
        self.of_bytes(range.start, range.end)
    }

    fn units(&self, byte: usize) -> usize {
        let bytes = self.page.bytes();
        let byte = byte.min(bytes.len());
        let block = byte / BLOCK;
        self.before[block] + utf16_units(&bytes[block * BLOCK..byte])
    }
}

/// How many UTF-16 units this UTF-8 has: one for each character, two for those of four bytes.
fn utf16_units(utf8: &[u8]) -> usize {
    let units = utf8.iter().map(|byte| match byte {
        0x80..=0xBF => 0,
        0xF0..=0xFF => 2,
        _ => 1,
    });
    units.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe::Limits;

    #[test]
    fn positions_are_those_of_the_caller() {
        let html = "<p>é😀x";
        let page = Page::parse(html.into(), None, Some("utf-8"), &Limits::default());
        let x = html.find('x').unwrap();
        assert_eq!(Positions::new(&page, false).of_bytes(3, x), (3, 9));
        let text = Positions::new(&page, true);
        assert_eq!(text.of_bytes(3, x), (3, 6));
        assert_eq!(text.of_bytes(0, 3), (0, 3));
    }

    #[test]
    fn positions_of_long_texts() {
        let html = "aé😀".repeat(BLOCK);
        let page = Page::parse(html.clone().into(), None, Some("utf-8"), &Limits::default());
        let text = Positions::new(&page, true);
        let mut units = 0;
        for (byte, c) in html.char_indices() {
            assert_eq!(text.of_bytes(0, byte), (0, units));
            units += c.len_utf16();
        }
        assert_eq!(text.of_bytes(html.len(), usize::MAX), (units, units));
    }
}
