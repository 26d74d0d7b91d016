//! Feeds html5gum so that no markup can overflow its stack.
//!
//! html5gum 0.9 implements the states of a double-quoted attribute as nested calls, one round for
//! each such attribute of a tag. A tag with some ten thousand of them overflows the stack and ends
//! the process. A reader error makes all these calls return, and the tokenizer resumes in the same
//! state when called again, so this reader pauses every few attributes. The only state where this
//! is safe is the one that reads the quoted value: it is the only one that asks for text up to a
//! `"` first, and the tokenizer's saved state is up to date when it is entered.

use html5gum::{Readable, Reader, StringReader};

/// Quoted attributes between two pauses.
const ROUNDS: u32 = 64;

/// Not a failure: the caller must ask for the next token again.
#[derive(Debug)]
pub(crate) struct Pause;

impl std::fmt::Display for Pause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the tokenizer is paused")
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
