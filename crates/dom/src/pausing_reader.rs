//! Feeds html5gum so that no markup can overflow its stack.
//!
//! html5gum 0.9 runs the states of a double-quoted attribute as calls inside each other and goes
//! round that circle once for every such attribute of a tag: a tag with some ten thousand of them
//! ends the process. An error of the reader makes all those calls return, and the tokenizer goes
//! on where it was when it is asked again; so the reader pauses every few attributes. The one
//! place where this is safe is the state that reads the quoted value: it alone asks for text up
//! to a `"` first, and it is entered with the tokenizer's own note of its state up to date.

use html5gum::{Readable, Reader, StringReader};

/// Quoted attributes between two pauses.
const ROUNDS: u32 = 64;

/// Not a failure: ask for the next token again.
#[derive(Debug)]
pub(crate) struct Pause;

impl std::fmt::Display for Pause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the tokenizer pauses")
    }
}

impl std::error::Error for Pause {}

pub(crate) struct PausingReader<'a> {
    text: StringReader<'a>,
    rounds: u32,
}

impl<'a> PausingReader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        PausingReader {
            text: text.to_reader(),
            rounds: 0,
        }
    }
}

impl Reader for PausingReader<'_> {
    type Error = Pause;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Pause> {
        self.text.read_byte().map_err(|never| match never {})
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Pause> {
        self.text
            .try_read_string(text, case_sensitive)
            .map_err(|never| match never {})
    }

    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Pause> {
        if needle.first() == Some(&b'"') {
            self.rounds += 1;
            if self.rounds > ROUNDS {
                self.rounds = 0;
                return Err(Pause);
            }
        }
        self.text
            .read_until(needle, buffer)
            .map_err(|never| match never {})
    }
}
