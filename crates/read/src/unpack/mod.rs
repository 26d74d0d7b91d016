//! A decompressed view of a file that survives damage.
//!
//! Input: a reader of plain, gzip or zstd bytes. Output: the decompressed bytes, the [`Place`] of
//! each in the file, and, between bytes, [`Break`]s: a member that is corrupt or truncated, or
//! garbage between members. After a break, reading continues with the next member that can be
//! found, so that one bad sector costs one record and not the rest of the archive.
//!
//! A plain file is treated as one member without an end. No allocation depends on a length that the
//! file states, apart from zstd's window, which the zstd library limits to 128 MiB.

mod decoder;
mod members;
mod window;

use std::collections::VecDeque;
use std::fmt;
use std::io::Read;

use decoder::Decoder;
pub(crate) use decoder::Packing;
use window::Window;

/// Where in the file a byte comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    packing: Packing,
    member: u64,
    within: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.packing, self.within) {
            (Packing::Plain, within) => write!(f, "{within}"),
            (_, 0) => write!(f, "{}", self.member),
            (_, within) => write!(f, "{}+{within}", self.member),
        }
    }
}

/// A place where bytes are missing, and what happened there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Break {
    pub(crate) place: Place,
    pub(crate) problem: String,
    /// Whether the system failed to read, as opposed to damaged bytes.
    pub(crate) unreadable: bool,
}

/// How a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Newline,
    /// The line is longer than the limit; the rest of it was dropped.
    TooLong,
    /// The file ends, or breaks, here.
    End,
}

/// See the module documentation.
pub(crate) struct Unpacked {
    window: Window,
    packing: Packing,
    dictionary: Vec<u8>,
    /// The decoder of the open member; `None` between members.
    decoder: Option<Decoder>,
    out: Vec<u8>,
    /// Index in `out` of the first byte not yet consumed.
    next: usize,
    /// How many bytes were decompressed before `out[0]`.
    out_start: u64,
    /// For each member, how many bytes were decompressed before it, and its offset in the file.
    marks: VecDeque<(u64, u64)>,
    /// The problem after the bytes in `out`.
    broken: Option<Break>,
    /// Whether the next member has to be searched for.
    lost: bool,
    ended: bool,
}

impl Unpacked {
    pub(crate) fn new(source: Box<dyn Read + Send>) -> Self {
        let mut unpacked = Unpacked {
            window: Window::new(source),
            packing: Packing::Plain,
            dictionary: Vec::new(),
            decoder: None,
            out: Vec::new(),
            next: 0,
            out_start: 0,
            marks: VecDeque::from([(0, 0)]),
            broken: None,
            lost: false,
            ended: false,
        };
        if let Err(error) = unpacked.look_at_start() {
            unpacked.fail_reading(&error);
        }
        unpacked
    }

    pub(crate) fn packing(&self) -> Packing {
        self.packing
    }

    /// The bytes not yet consumed: at least `count`, unless the file ends or breaks earlier.
    pub(crate) fn peek(&mut self, count: usize) -> &[u8] {
        while self.out.len() - self.next < count && self.broken.is_none() && !self.ended {
            if self.decoder.is_some() {
                self.decompress();
            } else if let Err(error) = self.open_member() {
                self.fail_reading(&error);
            }
        }
        &self.out[self.next..]
    }

    /// Takes the break at which [`peek`](Self::peek) stopped, so that reading continues after it.
    pub(crate) fn take_break(&mut self) -> Option<Break> {
        if self.next < self.out.len() {
            return None;
        }
        self.broken.take()
    }

    pub(crate) fn advance(&mut self, count: usize) {
        self.next = (self.next + count).min(self.out.len());
    }

    /// Puts bytes back that were consumed, to be read again.
    pub(crate) fn put_back(&mut self, bytes: &[u8]) {
        if let Some(start) = self.next.checked_sub(bytes.len()) {
            self.out[start..self.next].copy_from_slice(bytes);
            self.next = start;
            return;
        }
        self.out_start = self.position().saturating_sub(bytes.len() as u64);
        self.out.splice(..self.next, bytes.iter().copied());
        self.next = 0;
    }

    /// How many decompressed bytes were consumed.
    pub(crate) fn position(&self) -> u64 {
        self.out_start + self.next as u64
    }

    pub(crate) fn place(&self) -> Place {
        let position = self.position();
        let behind = self.marks.partition_point(|&(start, _)| start <= position);
        let (start, member) = self.marks[behind.saturating_sub(1)];
        Place {
            packing: self.packing,
            member,
            within: position.saturating_sub(start),
        }
    }

    /// How many of the peeked bytes belong to the current member.
    pub(crate) fn rest_of_member(&self) -> usize {
        let position = self.position();
        let behind = self.marks.partition_point(|&(start, _)| start <= position);
        let rest = self.out.len() - self.next;
        match self.marks.get(behind) {
            Some(&(start, _)) => rest.min((start - position) as usize),
            None => rest,
        }
    }

    /// Whether the next byte is the first of a compressed member.
    pub(crate) fn at_member(&self) -> bool {
        self.packing != Packing::Plain && self.place().within == 0
    }

    /// Appends the next line to `line`, without its newline and at most `limit` bytes of it.
    pub(crate) fn read_line(&mut self, line: &mut Vec<u8>, limit: usize) -> LineEnd {
        let mut room = limit;
        let mut cut = false;
        loop {
            let bytes = self.peek(1);
            if bytes.is_empty() {
                return LineEnd::End;
            }
            let newline = memchr::memchr(b'\n', bytes);
            let text = &bytes[..newline.unwrap_or(bytes.len())];
            let fits = text.len().min(room);
            line.extend_from_slice(&text[..fits]);
            room -= fits;
            cut |= fits < text.len();
            let used = text.len() + usize::from(newline.is_some());
            self.advance(used);
            if newline.is_some() {
                return if cut {
                    LineEnd::TooLong
                } else {
                    LineEnd::Newline
                };
            }
        }
    }

    /// Appends up to `limit` bytes to `out`. Returns whether more bytes follow, and the break that
    /// ended the bytes.
    pub(crate) fn read_up_to(&mut self, out: &mut Vec<u8>, limit: usize) -> (bool, Option<Break>) {
        if self.packing == Packing::Plain {
            self.read_plain_up_to(out, limit);
        }
        loop {
            let bytes = self.peek(1);
            let count = bytes.len().min(limit.saturating_sub(out.len()));
            if bytes.is_empty() || count == 0 {
                return (!bytes.is_empty(), self.take_break());
            }
            out.extend_from_slice(&bytes[..count]);
            self.advance(count);
        }
    }

    /// Plain bytes bypass the buffer for decompressed ones.
    fn read_plain_up_to(&mut self, out: &mut Vec<u8>, limit: usize) {
        let waiting = &self.out[self.next..];
        let count = waiting.len().min(limit.saturating_sub(out.len()));
        out.extend_from_slice(&waiting[..count]);
        self.advance(count);
        if self.next < self.out.len() || self.broken.is_some() || self.ended {
            return;
        }
        self.out_start = self.position();
        self.out.clear();
        self.next = 0;
        let before = out.len();
        let moved = self.window.move_to(out, limit);
        self.out_start += (out.len() - before) as u64;
        if let Err(error) = moved {
            self.fail_reading(&error);
        }
    }
}

#[cfg(test)]
mod tests;
