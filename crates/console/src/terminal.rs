//! Output that people read: messages on standard error, and tables and texts on standard output.
//!
//! What comes from the inputs must not control the terminal, so control characters are escaped here,
//! in one place; line breaks and tabs remain, and names escape theirs with
//! [`printable`](unframe::read::printable). Data that goes to a file or a pipe is written as it is. While
//! a progress bar is shown, it is removed before anything is printed, and drawn again after it.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use unframe::read::printable::{escape, is_active};

/// The progress bar on the terminal, if there is one.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Prints a message to standard error; a closed standard error is ignored.
pub fn say(text: std::fmt::Arguments<'_>) {
    let text = harmless(&text.to_string());
    around_bar(|| {
        let _ = io::stderr().write_all(text.as_bytes());
    });
}

/// Standard output for tables and other text that people read.
pub fn people() -> Printer {
    Printer::new(true)
}

/// Standard output for data; it is exact unless it is a terminal.
pub fn data() -> Printer {
    Printer::new(io::stdout().is_terminal())
}

/// Shows the progress bar, or none.
pub(crate) fn set_bar(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

fn around_bar<T>(print: impl FnOnce() -> T) -> T {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// The text with its control characters escaped, except line breaks and tabs.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_active) {
        let c = rest[at..].chars().next().unwrap_or_default();
        let after = &rest[at + c.len_utf8()..];
        out.push_str(&rest[..at]);
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if after.starts_with('\n') => out.push(c),
            c => escape(c, &mut out),
        }
        rest = after;
    }
    out + rest
}

/// Standard output, with control characters escaped where people read it.
pub struct Printer {
    out: io::Stdout,
    escapes: bool,
    is_terminal: bool,
    /// The end of what was written, if more is needed to judge it: part of a character, or a `\r`.
    rest: Vec<u8>,
}

impl Printer {
    fn new(escapes: bool) -> Printer {
        let out = io::stdout();
        Printer {
            is_terminal: out.is_terminal(),
            out,
            escapes,
            rest: Vec::new(),
        }
    }

    fn print(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.is_terminal {
            // The bar must not be drawn into half a line.
            true => around_bar(|| self.out.write_all(bytes).and_then(|()| self.out.flush())),
            false => self.out.write_all(bytes),
        }
    }

    /// What is left, when nothing follows it.
    fn print_rest(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.rest);
        match rest.is_empty() {
            true => Ok(()),
            false => self.print(escaped(&rest).as_bytes()),
        }
    }
}

/// How many of the last bytes cannot be judged yet.
fn undecided(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return 1;
    }
    match std::str::from_utf8(&bytes[bytes.len().saturating_sub(3)..]) {
        Err(error) if error.error_len().is_none() => bytes.len().min(3) - error.valid_up_to(),
        _ => {
            // The last three bytes may begin inside a character; look for the start of one.
            let tail = &bytes[bytes.len().saturating_sub(3)..];
            let start = tail.iter().rposition(|byte| *byte >= 0xC0);
            let cut = |at: &usize| {
                let end = std::str::from_utf8(&tail[*at..]);
                end.is_err_and(|error| error.error_len().is_none())
            };
            start.filter(cut).map_or(0, |at| tail.len() - at)
        }
    }
}

fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(&harmless(chunk.valid()));
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.escapes {
            self.print(bytes)?;
            return Ok(bytes.len());
        }
        let mut whole = std::mem::take(&mut self.rest);
        whole.extend_from_slice(bytes);
        let end = whole.len() - undecided(&whole);
        self.rest = whole.split_off(end);
        let text = escaped(&whole);
        self.print(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        let _ = self.print_rest();
        let _ = self.out.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_lines_remain() {
        let text = "a\tb\r\n\u{1b}[31mred\u{9b}\u{202e}\rc\n";
        let shown = "a\tb\r\n\\u001b[31mred\\u009b\\u202e\\rc\n";
        assert_eq!(harmless(text), shown);
        assert_eq!(escaped(b"caf\xe9\x9b!"), "caf\\xe9\\x9b!");
    }

    #[test]
    fn the_end_of_a_piece_waits_for_the_next() {
        for (bytes, waiting) in [
            (&b"abc"[..], 0),
            (b"abc\r", 1),
            (b"ab\xc3", 1),
            (b"a\xe2\x80", 2),
            (b"\xf0\x9f\x99", 3),
            (b"\xe2\x80\xa6", 0),
            (b"x\xe9abc", 0),
            (b"\x80\x80\x80", 0),
            (b"", 0),
        ] {
            assert_eq!(undecided(bytes), waiting, "{bytes:?}");
        }
    }
}
