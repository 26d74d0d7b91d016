//! A decompressed view of a file that survives damage.
//!
//! What enters: a reader of plain, gzip or zstd bytes. What leaves: the decompressed bytes, the
//! [`Place`] of each in the file, and, between bytes, [`Break`]s: a member that is corrupt or
//! clipped, garbage between members. After a break the bytes go on with the next member that can be
//! found, so that one bad sector costs one record and not the rest of the archive.
//!
//! A plain file is one member that has no end. Nothing here is allocated by a length the file
//! states, apart from zstd's window, which the zstd library limits to 128 MiB.

mod decoder;
mod window;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};

pub(crate) use decoder::Packing;
use decoder::{Decoder, LONGEST_START, ZSTD_DICTIONARY};
use window::Window;

/// How much is decompressed at once.
const STEP: usize = 64 << 10;
/// Dictionaries are some hundred KiB; a larger one is a wrong length.
const MAX_DICTIONARY: u64 = 16 << 20;
/// How many member boundaries are remembered, for places of bytes that are put back.
const MAX_MARKS: usize = 4096;

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
    /// Whether the system failed to read, rather than the bytes being damaged.
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

/// See the module's description.
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
    /// What is wrong behind the bytes in `out`.
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

    fn look_at_start(&mut self) -> io::Result<()> {
        self.packing = Packing::of(self.window.at_least(LONGEST_START)?);
        if self.packing == Packing::Plain {
            self.decoder = Some(Decoder::Plain);
        } else if self.window.at_least(LONGEST_START)?.starts_with(ZSTD_DICTIONARY) {
            self.read_dictionary()?;
        }
        Ok(())
    }

    /// A `.warc.zst` may begin with a skippable frame that holds the dictionary of all other
    /// frames, itself compressed or not.
    /// <https://iipc.github.io/warc-specifications/specifications/warc-zstd/>
    fn read_dictionary(&mut self) -> io::Result<()> {
        let head = self.window.at_least(8)?;
        let Some(length) = head.get(4..8) else {
            return Ok(());
        };
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        if u64::from(length) > MAX_DICTIONARY {
            return Ok(());
        }
        self.window.consume(8);
        let mut frame = Vec::new();
        while frame.len() < length as usize {
            let bytes = self.window.at_least(1)?;
            let count = bytes.len().min(length as usize - frame.len());
            if count == 0 {
                break;
            }
            frame.extend_from_slice(&bytes[..count]);
            self.window.consume(count);
        }
        if Packing::of(&frame) == Packing::Zstd {
            let decoder = zstd::stream::read::Decoder::new(&frame[..])?;
            decoder.take(MAX_DICTIONARY).read_to_end(&mut self.dictionary)?;
        } else {
            self.dictionary = frame;
        }
        Ok(())
    }

    pub(crate) fn packing(&self) -> Packing {
        self.packing
    }

    /// The bytes not yet consumed: at least `count`, unless the file ends or breaks before.
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

    /// Takes the break that [`peek`](Self::peek) stopped at, so that reading goes on behind it.
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
        Place { packing: self.packing, member, within: position.saturating_sub(start) }
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
                return if cut { LineEnd::TooLong } else { LineEnd::Newline };
            }
        }
    }

    /// Appends to `out` up to `limit` bytes. The answer is whether there would have been more,
    /// and the break that ended the bytes.
    pub(crate) fn read_up_to(&mut self, out: &mut Vec<u8>, limit: usize) -> (bool, Option<Break>) {
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

    /// How many bytes were decompressed so far, consumed or not.
    fn decompressed(&self) -> u64 {
        self.out_start + self.out.len() as u64
    }

    /// Does one step of decompression.
    fn decompress(&mut self) {
        self.out.drain(..self.next);
        self.out_start += self.next as u64;
        self.next = 0;
        let filled = self.out.len();
        let input = match self.window.at_least(1) {
            Ok(input) => input,
            Err(error) => return self.fail_reading(&error),
        };
        let Some(decoder) = &mut self.decoder else {
            return;
        };
        let at_end = input.is_empty();
        if at_end && self.packing == Packing::Plain {
            self.ended = true;
            return;
        }
        self.out.resize(filled + STEP, 0);
        let (step, problem) = decoder.step(input, &mut self.out[filled..]);
        self.out.truncate(filled + step.made);
        self.window.consume(step.eaten);
        if let Some(problem) = problem {
            self.fail(problem);
        } else if step.member_ended {
            self.decoder = None;
        } else if step.eaten == 0 && step.made == 0 {
            self.fail(if at_end {
                "the compressed data ends early".to_owned()
            } else {
                "the compressed data makes no sense".to_owned()
            });
        }
    }

    /// Opens the next member, after a break the next one that can be found.
    fn open_member(&mut self) -> io::Result<()> {
        loop {
            if self.lost {
                let (_, member) = self.marks[self.marks.len() - 1];
                self.window.go_back_to(member + 1);
                let packing = self.packing;
                self.ended = !self.window.seek_start(LONGEST_START, |bytes| packing.find(bytes))?;
            } else {
                let head = self.window.at_least(LONGEST_START)?;
                if head.is_empty() {
                    self.ended = true;
                } else if !self.packing.begins(head) {
                    self.step_over_padding()?;
                    return Ok(());
                }
            }
            if self.ended {
                return Ok(());
            }
            self.mark_member();
            match Decoder::new(self.packing, &self.dictionary) {
                Ok(decoder) => self.decoder = Some(decoder),
                Err(problem) => {
                    self.fail(problem);
                    return Ok(());
                }
            }
            if !self.lost {
                return Ok(());
            }
            // What was found by searching may be no member but bytes that look like one. It is one
            // if it gives anything; otherwise the search goes on without another report.
            let before = self.decompressed();
            while self.decoder.is_some() && self.decompressed() == before && !self.ended {
                self.decompress();
            }
            if self.broken.is_none() {
                self.lost = false;
            }
            if self.decompressed() > before || self.broken.as_ref().is_none_or(|b| b.unreadable) {
                return Ok(());
            }
            self.broken = None;
        }
    }

    /// Zeros up to the end of the file are padding; anything else between members is a break.
    fn step_over_padding(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.window.at_least(1)?;
            if bytes.is_empty() {
                self.ended = true;
                return Ok(());
            }
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            let only_zeros = zeros == bytes.len();
            self.window.consume(zeros);
            if only_zeros {
                continue;
            }
            if self.packing.begins(self.window.at_least(LONGEST_START)?) {
                return Ok(());
            }
            // The search for the next member begins here and not inside the previous one.
            self.mark_member();
            self.fail("bytes between compressed members that are none".to_owned());
            return Ok(());
        }
    }

    fn mark_member(&mut self) {
        let position = self.decompressed();
        // An empty member leaves no byte that could have come from it.
        if self.marks.back().is_some_and(|&(start, _)| start == position) {
            self.marks.pop_back();
        }
        self.marks.push_back((position, self.window.offset()));
        if self.marks.len() > MAX_MARKS {
            self.marks.pop_front();
        }
    }

    fn fail(&mut self, problem: String) {
        let (start, member) = self.marks[self.marks.len() - 1];
        let within = self.decompressed().saturating_sub(start);
        let place = Place { packing: self.packing, member, within };
        self.broken = Some(Break { place, problem, unreadable: false });
        self.decoder = None;
        self.lost = true;
    }

    fn fail_reading(&mut self, error: &io::Error) {
        self.fail(error.to_string());
        if let Some(broken) = &mut self.broken {
            broken.unreadable = true;
        }
        self.ended = true;
    }
}

#[cfg(test)]
mod tests;
