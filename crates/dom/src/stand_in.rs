//! Texts on their way through the tree builder, where short stand-ins take their place.
//!
//! The tree builder copies and counts texts, holds some back, drops others and takes white space
//! off their front, but never looks at what they say: all it asks is whether a character is white
//! space. So it gets a stand-in of eight bytes, which it can hold without asking for memory. The
//! stand-in has white space where the text has it (in front, everywhere, or nowhere), and is a
//! number otherwise, by which the text is found again when the tree builder places it.
//!
//! Where the tree builder does look closer, the text is sent as it is: after `<pre>`, which drops
//! one line feed, and in frame sets, which keep the white space of a text and drop the rest.

use html5ever::tendril::StrTendril;

use crate::arena::Arena;
use crate::digits;
use crate::tree::Span;

/// A text that was sent.
#[derive(Clone, Copy)]
struct Sent {
    text: Span,
    /// The markup it comes from.
    place: Span,
    /// White space in front, in bytes.
    lead: u32,
}

/// What the tree builder placed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) text: Span,
    /// The markup it comes from.
    pub(crate) place: Span,
}

/// All texts that were sent, in order.
#[derive(Default)]
pub(crate) struct StandIns {
    sent: Vec<Sent>,
    /// The last text was sent as it is, and this much of it has been placed or passed over.
    spelled: Option<u32>,
}

/// Digits of a number that is nothing but white space.
const BLANKS: &[u8; 4] = b" \t\n\x0C";
/// Bytes of a stand-in for white space.
const LENGTH: usize = digits::LENGTH + 1;

impl StandIns {
    /// Room for this many texts.
    pub(crate) fn with_capacity(count: usize) -> Self {
        StandIns {
            sent: Vec::with_capacity(count),
            spelled: None,
        }
    }

    /// Sends a text: what the tree builder is to get for it.
    pub(crate) fn send(&mut self, text: Span, place: Span, content: &str) -> StrTendril {
        let lead = content.len() - content.trim_ascii_start().len();
        let number = self.sent.len();
        self.sent.push(Sent {
            text,
            place,
            lead: lead as u32,
        });
        self.spelled = None;
        let mut bytes = [b' '; LENGTH];
        if lead == content.len() {
            for (at, byte) in bytes.iter_mut().enumerate() {
                *byte = BLANKS[number >> (2 * at) & 3];
            }
        } else {
            bytes[1..].copy_from_slice(&digits::write(number));
        }
        let from = usize::from(lead == 0);
        let stand_in = std::str::from_utf8(&bytes[from..]).expect("all digits are ASCII");
        StrTendril::from_slice(stand_in)
    }

    /// Sends a text as it is.
    pub(crate) fn spell(&mut self, text: Span, place: Span, content: &str) -> StrTendril {
        self.sent.push(Sent {
            text,
            place,
            lead: 0,
        });
        self.spelled = Some(0);
        StrTendril::from_slice(content)
    }

    /// What the tree builder has placed; `None` if that was never sent: it has texts of its own.
    pub(crate) fn receive(&mut self, got: &str, source: &str, arena: &Arena) -> Option<Placed> {
        let last = self.sent.len().checked_sub(1)?;
        if let Some(done) = self.spelled {
            let sent = self.sent[last];
            let rest = &arena.get(source, sent.text)[done as usize..];
            let from = done + rest.find(got)? as u32;
            self.spelled = Some(from + got.len() as u32);
            return Some(part(sent, from, got.len() as u32, arena));
        }
        if !got.is_ascii() {
            return None;
        }
        let number = got.trim_ascii_start();
        if number.is_empty() {
            return Some(match got.len() == LENGTH {
                true => whole(self.sent[blank_number(got, last)]),
                // White space was taken off the front of the text that was sent last.
                false => part(self.sent[last], 0, self.sent[last].lead, arena),
            });
        }
        let sent = self.sent[digits::read(number).min(last)];
        let length = sent.text.end - sent.text.start;
        Some(match number.len() < got.len() {
            true => whole(sent),
            false => part(sent, sent.lead, length - sent.lead, arena),
        })
    }
}

fn whole(sent: Sent) -> Placed {
    Placed {
        text: sent.text,
        place: sent.place,
    }
}

/// A part of a text. What the source spells in another way comes from the whole of its markup.
fn part(sent: Sent, from: u32, length: u32, arena: &Arena) -> Placed {
    let start = sent.text.start + from;
    let text = Span {
        start,
        end: start + length,
    };
    let place = match arena.holds(text) {
        true => sent.place,
        false => text,
    };
    Placed { text, place }
}

/// White space holds the lower bits of a number only; it is the last number with these bits, as
/// no text waits that long.
fn blank_number(blanks: &str, last: usize) -> usize {
    let value = |byte: u8| BLANKS.iter().position(|blank| *blank == byte).unwrap_or(0);
    let bits = blanks
        .bytes()
        .rev()
        .fold(0, |number, byte| number << 2 | value(byte));
    let behind = last.wrapping_sub(bits) & ((1 << (2 * LENGTH)) - 1);
    last.saturating_sub(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    #[test]
    fn texts_come_back_whole_or_without_white_space_in_front() {
        let source = "one  two \n end";
        let arena = Arena::after(source.len());
        let mut texts = StandIns::default();
        let mut sent = Vec::new();
        for (from, to) in [(0, 3), (3, 8), (8, 11)] {
            let text = span(from, to);
            sent.push(texts.send(text, text, &source[text.range()]));
        }
        assert!(sent.iter().all(|stand_in| stand_in.len() <= LENGTH));
        let mut receive = |got: &str| texts.receive(got, source, &arena).unwrap().text.range();
        assert_eq!(receive(&sent[0]), 0..3);
        assert_eq!(receive(&sent[1]), 3..8);
        assert_eq!(receive(sent[1].trim_start()), 5..8);
        assert_eq!(receive(&sent[2]), 8..11);
        assert_eq!(receive(" "), 8..11);
    }

    #[test]
    fn texts_that_were_sent_as_they_are_come_back_in_parts() {
        let source = "\n\na b";
        let arena = Arena::after(source.len());
        let mut texts = StandIns::default();
        let all = span(0, 5);
        assert_eq!(&*texts.spell(all, all, source), source);
        let mut receive = |got: &str| texts.receive(got, source, &arena).unwrap().place.range();
        assert_eq!(receive("\na"), 1..3);
        assert_eq!(receive(" b"), 3..5);
    }

    #[test]
    fn numbers_stay_apart_far_beyond_the_digits_of_white_space() {
        let source = " x ";
        let arena = Arena::after(source.len());
        let mut texts = StandIns::default();
        let (word, blank) = (span(0, 2), span(2, 3));
        for _ in 0..70_000 {
            let sent = (texts.send(word, word, " x"), texts.send(blank, blank, " "));
            assert_eq!(texts.receive(&sent.0, source, &arena).unwrap().text, word);
            assert_eq!(texts.receive(&sent.1, source, &arena).unwrap().text, blank);
        }
    }
}
