//! A text that arrives in chunks. It is kept as a range of the source as long as it is one.

use crate::arena::Arena;
use crate::tree::Span;

/// Chunks of one text.
#[derive(Default)]
pub(crate) struct Gathered {
    /// Its range of the source, if the buffer is empty.
    span: Span,
    /// The text, once a chunk arrived that does not follow the others in the source.
    buffer: Vec<u8>,
}

impl Gathered {
    pub(crate) fn is_empty(&self) -> bool {
        self.span.is_empty() && self.buffer.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.span = Span::default();
        self.buffer.clear();
    }

    /// Sets the text to a range of the source.
    pub(crate) fn set(&mut self, span: Span) {
        self.buffer.clear();
        self.span = span;
    }

    /// Adds a chunk. It is either a slice of `source`, or the bytes of it just before `position`,
    /// or spelled differently there.
    pub(crate) fn push(&mut self, chunk: &[u8], source: &str, position: usize) {
        if self.buffer.is_empty()
            && let Some(start) = place_in(source, chunk, position)
        {
            let chunk = Span {
                start: start as u32,
                end: (start + chunk.len()) as u32,
            };
            if self.span.is_empty() {
                self.span = chunk;
                return;
            }
            if self.span.end == chunk.start {
                self.span.end = chunk.end;
                return;
            }
        }
        if self.buffer.is_empty() {
            let before = &source.as_bytes()[self.span.range()];
            self.buffer.extend_from_slice(before);
        }
        self.buffer.extend_from_slice(chunk);
    }

    /// Returns the whole text and leaves this empty.
    pub(crate) fn take(&mut self, arena: &mut Arena) -> Span {
        let span = std::mem::take(&mut self.span);
        if self.buffer.is_empty() {
            return span;
        }
        let text = arena.push(&String::from_utf8_lossy(&self.buffer));
        self.buffer.clear();
        text
    }
}

/// Finds a chunk in the source. The tokenizer returns slices of its input, so the address is
/// enough. Single characters may be copies, but then they are the last that the tokenizer read.
fn place_in(source: &str, chunk: &[u8], position: usize) -> Option<usize> {
    let offset = (chunk.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
    if offset < source.len() {
        return Some(offset);
    }
    let start = position.checked_sub(chunk.len())?;
    (source.as_bytes().get(start..position)? == chunk).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gather(source: &str, chunks: &[(&[u8], usize)]) -> (Span, String) {
        let mut gathered = Gathered::default();
        for (chunk, position) in chunks {
            gathered.push(chunk, source, *position);
        }
        let mut arena = Arena::after(source.len());
        let span = gathered.take(&mut arena);
        assert!(gathered.is_empty());
        (span, arena.get(source, span).to_string())
    }

    #[test]
    fn what_stands_in_the_source_is_not_copied() {
        let source = String::from("Fish &amp; chips");
        let bytes = source.as_bytes();
        let (span, text) = gather(&source, &[(&bytes[..2], 0), (&bytes[2..4], 0)]);
        assert_eq!((span.range(), text.as_str()), (0..4, "Fish"));
        let (span, text) = gather(&source, &[(b"F", 1), (&bytes[1..4], 4)]);
        assert_eq!((span.range(), text.as_str()), (0..4, "Fish"));
        let chunks: [(&[u8], usize); 3] = [(&bytes[..5], 5), (b"&", 10), (&bytes[10..], 16)];
        let (span, text) = gather(&source, &chunks);
        assert!(span.start as usize > source.len());
        assert_eq!(text, "Fish & chips");
    }

    #[test]
    fn half_characters_are_put_together() {
        let (_, text) = gather("x", &[(b"\xC3", 0), (b"\xA9", 0), (b"\xFF", 0)]);
        assert_eq!(text, "é\u{FFFD}");
    }
}
