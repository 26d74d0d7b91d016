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

/// Positions in a page as its caller counts them. They must be asked for in ascending order.
pub struct Positions<'a> {
    page: &'a Page,
    is_text: bool,
    /// The byte that was reached, and its number of UTF-16 units.
    reached: (usize, usize),
}

impl<'a> Positions<'a> {
    /// Of a page that was given as text or as bytes.
    pub fn new(page: &'a Page, is_text: bool) -> Positions<'a> {
        Positions {
            page,
            is_text,
            reached: (0, 0),
        }
    }

    /// Where a range of the page's own bytes begins and ends.
    pub fn of_bytes(&mut self, start: usize, end: usize) -> (usize, usize) {
        match self.is_text {
            true => (self.units(start), self.units(end)),
            false => (start, end),
        }
    }

    /// Where a range of the decoded page begins and ends.
    pub fn of_span(&mut self, span: Span) -> (usize, usize) {
        let range = self.page.source(span);
        self.of_bytes(range.start, range.end)
    }

    fn units(&mut self, byte: usize) -> usize {
        let bytes = self.page.bytes();
        let byte = byte.min(bytes.len());
        // Regions may be nested, so a position can be before the last one.
        if byte < self.reached.0 {
            self.reached = (0, 0);
        }
        let (from, before) = self.reached;
        self.reached = (byte, before + utf16_units(&bytes[from..byte]));
        self.reached.1
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
        let mut text = Positions::new(&page, true);
        assert_eq!(text.of_bytes(3, x), (3, 6));
        assert_eq!(text.of_bytes(0, 3), (0, 3));
    }
}
