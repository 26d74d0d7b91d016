//! Reads an archive record by record, and recovers after damage.
//!
//! A record's length is trusted only if what follows it fits: the next record, or the end of the
//! file. If neither follows and the header of another record occurs inside this one, the length was
//! too long, and reading returns to that header. For this, up to [`ArchiveReader::limit`] bytes of
//! a record are held, never as many as the record claims.

use std::collections::VecDeque;

use super::{BadHead, Dialect, RecordHead, RecordKind, arc, record};
use crate::source::Context;
use crate::unpack::{Break, Place, Unpacked};
use crate::{Item, SkipReason, Skipped};

/// Allowance for headers and chunk sizes in addition to the page.
const MAX_OVERHEAD: usize = 1 << 20;
/// Where lengths cannot be trusted, this much is read before searching for the next record.
const DISTRUSTED_STEP: usize = 8 << 10;

/// How the bytes of a record ended.
enum BlockEnd {
    Whole,
    /// The file ends inside the record.
    End,
    Broken(Break),
    /// The next record begins inside the record.
    NextRecord,
}

/// The items of one archive, in order; see the module documentation.
pub(crate) struct ArchiveReader {
    name: String,
    stream: Unpacked,
    dialect: Dialect,
    context: Context,
    /// The bytes of the current record, up to the limit.
    block: Vec<u8>,
    waiting: VecDeque<Item>,
    /// Whether the damage before this position has been reported.
    reported: bool,
    /// Up to this position, lengths have proved wrong: a record ends where the next one begins.
    /// Without this, a file full of wrong lengths would be read over and over.
    distrusted_until: u64,
    ended: bool,
}

impl ArchiveReader {
    pub(crate) fn new(name: String, stream: Unpacked, dialect: Dialect, context: Context) -> Self {
        ArchiveReader {
            name,
            stream,
            dialect,
            context,
            block: Vec::new(),
            waiting: VecDeque::new(),
            reported: false,
            distrusted_until: 0,
            ended: false,
        }
    }

    /// Maximum number of bytes held of one record.
    fn limit(&self) -> usize {
        self.context
            .options
            .max_page_bytes
            .saturating_add(MAX_OVERHEAD)
    }

    /// Reads one record, or skips one damaged section.
    fn step(&mut self) {
        if !self.skip_blank() {
            if let Some(broken) = self.stream.take_break() {
                self.report_break(&broken);
            } else {
                self.ended = true;
            }
            return;
        }
        let place = self.stream.place();
        if !self.begins_here() {
            let from = self.stream.position();
            self.skip_to_record();
            let skipped = self.stream.position() - from;
            // Bytes that end at a break are most likely the header of a record that was cut.
            match self.stream.take_break() {
                Some(broken) => self.report_break(&Break { place, ..broken }),
                None => self.report(place, format!("{skipped} bytes outside any record")),
            }
            return;
        }
        match self.dialect.read_head(&mut self.stream) {
            Ok(head) => {
                let position = self.stream.position();
                self.learn_words(&head);
                self.read_record(place, &head);
                debug_assert!(self.stream.position() >= position);
            }
            Err(BadHead::Wrong(how)) => self.report(place, how),
            Err(BadHead::Cut) => {
                let how = match self.stream.take_break() {
                    Some(broken) if broken.unreadable => return self.report_break(&broken),
                    Some(broken) => format!("{} inside a record header", broken.problem),
                    None => "the file ends inside a record header".to_owned(),
                };
                self.reported = false;
                self.report(place, how);
            }
        }
    }

    fn read_record(&mut self, place: Place, head: &RecordHead) {
        let (end, got) = self.read_block(head);
        let misfit = matches!(end, BlockEnd::Whole) && !self.fits_here() && !self.separated_here();
        let name = format!("{}#{place}", self.name);
        let cut = misfit || !matches!(end, BlockEnd::Whole);
        let missing = got > self.block.len() as u64;
        self.reported = false;
        let item = record::to_item(name, head, &self.block, cut || missing, &self.context);
        // If only the header of a record is left, the damage report alone mentions it.
        let nothing = cut && self.block.is_empty() && head.length > 0;
        self.waiting.extend(item.filter(|_| !nothing));
        let length = head.length;
        match end {
            BlockEnd::Whole if misfit => self.report(
                place,
                format!(
                    "the record states a length of {length} bytes, but no record follows there"
                ),
            ),
            BlockEnd::Whole => {}
            BlockEnd::End => self.report(
                place,
                format!("the file ends {got} bytes into a record of {length} bytes"),
            ),
            BlockEnd::NextRecord => self.report(
                place,
                format!(
                    "the record states a length of {length} bytes, but the next one begins after {got}"
                ),
            ),
            BlockEnd::Broken(broken) if broken.unreadable => self.report_break(&broken),
            BlockEnd::Broken(broken) => self.report(
                place,
                format!(
                    "{}, {got} bytes into a record of {length} bytes",
                    broken.problem
                ),
            ),
        }
    }

    /// Reads a record's bytes into `block`, up to the limit. The number is the total length.
    fn read_block(&mut self, head: &RecordHead) -> (BlockEnd, u64) {
        self.block.clear();
        let limit = self.limit();
        let mut got = 0;
        let mut searched = 0;
        let end = loop {
            if got == head.length {
                break BlockEnd::Whole;
            }
            if self.stream.peek(1).is_empty() {
                break match self.stream.take_break() {
                    Some(broken) => BlockEnd::Broken(broken),
                    None => BlockEnd::End,
                };
            }
            // If each record is a separate compressed member, a new member that begins with a
            // record header ends this record, whatever its length says.
            if self.stream.at_member() && self.begins_here() {
                return (BlockEnd::NextRecord, got);
            }
            let rest = usize::try_from(head.length - got).unwrap_or(usize::MAX);
            let mut count = self.stream.rest_of_member().min(rest);
            if self.stream.position() < self.distrusted_until {
                count = count.min(DISTRUSTED_STEP);
            }
            let held = count.min(limit - self.block.len());
            let bytes = self.stream.peek(1);
            self.block.extend_from_slice(&bytes[..held]);
            self.stream.advance(count);
            got += count as u64;
            let full = held > 0 && self.block.len() == limit && got < head.length;
            if self.stream.position() <= self.distrusted_until
                || (full && record::claims_html(head, &self.block))
            {
                if self.go_back_to_record(searched) {
                    return (BlockEnd::NextRecord, self.block.len() as u64);
                }
                // The last line may be the beginning of a header that has not been read yet.
                let line = memchr::memrchr(b'\n', &self.block);
                searched = line.unwrap_or(0);
            }
        };
        let wrong = match end {
            BlockEnd::Whole => !self.fits_here(),
            BlockEnd::End => true,
            _ => false,
        };
        if wrong && self.go_back_to_record(0) {
            return (BlockEnd::NextRecord, self.block.len() as u64);
        }
        (end, got)
    }

    /// Searches the block for the header of a record. If there is one, the block ends before it and
    /// reading continues there.
    fn go_back_to_record(&mut self, searched: usize) -> bool {
        // The header may begin in the block and continue after it.
        let held = self.block.len();
        let start = self.dialect.longest_start();
        let behind = self.stream.peek(start);
        self.block
            .extend_from_slice(&behind[..behind.len().min(start)]);
        let found = self.dialect.find_in(&self.block, searched);
        self.block.truncate(held);
        let Some(at) = found.filter(|&at| at < held) else {
            return false;
        };
        self.distrusted_until = self.distrusted_until.max(self.stream.position());
        self.stream.put_back(&self.block[at..]);
        self.block.truncate(at);
        true
    }

    /// Whether what follows is plausible after a record: the end of the file, a break, or, after
    /// blank lines, another record, which may be cut within its first line.
    fn fits_here(&mut self) -> bool {
        let wanted = self.dialect.longest_start() + 64;
        let bytes = self.stream.peek(wanted);
        let is_blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let rest = &bytes[bytes.iter().take_while(is_blank).count()..];
        let cut = bytes.len() < wanted && !rest.contains(&b'\n');
        cut || rest.is_empty() || self.dialect.begins(rest)
    }

    /// Whether the record separator follows. If so, the record is complete, even if what comes
    /// after the separator is not a record. A single line end, as in an ARC, proves nothing.
    fn separated_here(&mut self) -> bool {
        let bytes = self.stream.peek(4);
        let separated = bytes.starts_with(b"\r\n\r\n") || bytes.starts_with(b"\n\n");
        separated && matches!(self.dialect, Dialect::Warc)
    }

    fn begins_here(&mut self) -> bool {
        let bytes = self.stream.peek(self.dialect.longest_start());
        self.dialect.begins(bytes)
    }

    /// Skips empty lines. Returns whether anything follows before the end or a break.
    fn skip_blank(&mut self) -> bool {
        loop {
            let bytes = self.stream.peek(1);
            if bytes.is_empty() {
                return false;
            }
            let blank = bytes
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            if blank < bytes.len() {
                self.stream.advance(blank);
                return true;
            }
            self.stream.advance(blank);
        }
    }

    /// Skips to the next line, or member, that begins a record; at least to the next line.
    fn skip_to_record(&mut self) {
        loop {
            let rest = self.stream.rest_of_member();
            let bytes = self.stream.peek(1);
            if bytes.is_empty() {
                return;
            }
            let bytes = &bytes[..rest.clamp(1, bytes.len())];
            let newline = memchr::memchr(b'\n', bytes);
            let count = newline.map_or(bytes.len(), |at| at + 1);
            self.stream.advance(count);
            if self.stream.peek(1).is_empty() {
                return;
            }
            if (newline.is_some() || self.stream.at_member()) && self.begins_here() {
                return;
            }
        }
    }

    /// An ARC file states in its first record how many words each record line has.
    fn learn_words(&mut self, head: &RecordHead) {
        if let (Dialect::Arc { words }, RecordKind::Other(kind)) = (&mut self.dialect, &head.kind)
            && kind == "filedesc"
            && let Some(stated) = arc::stated_words(self.stream.peek(arc::LONGEST_START))
        {
            *words = stated;
        }
    }

    fn report_break(&mut self, broken: &Break) {
        if broken.unreadable {
            let reason = SkipReason::Unreadable(broken.problem.clone());
            let name = self.name.clone();
            self.waiting
                .push_back(Item::Skipped(Skipped { name, reason }));
            return;
        }
        self.reported = false;
        self.report(broken.place, broken.problem.clone());
    }

    /// Reports damage once; unreadable data directly after it is part of the same damage.
    fn report(&mut self, place: Place, how: String) {
        if !std::mem::replace(&mut self.reported, true) {
            let name = format!("{}#{place}", self.name);
            let reason = SkipReason::Broken(how);
            self.waiting
                .push_back(Item::Skipped(Skipped { name, reason }));
        }
    }
}

impl Iterator for ArchiveReader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.waiting.is_empty() && !self.ended {
            self.step();
        }
        self.waiting.pop_front()
    }
}
