//! A window of compressed bytes, including some that the decoder has already consumed.
//!
//! Input: a reader. Output: its bytes in order, their offsets, and a way back. The way back is
//! needed because a decoder notices damage late: if a gzip member is truncated, the decoder reads
//! the header of the next member as data and fails only some bytes later. Unlike seeking, keeping
//! the last bytes also works for pipes.

use std::cell::RefCell;
use std::io::{self, Read};

/// How many consumed bytes are kept. Garbage makes a deflate or zstd decoder fail within a few
/// blocks.
const KEPT: usize = 64 << 10;
/// How much is read at once …
const READ: usize = 64 << 10;
/// … and on the first read, which is enough to detect the kind of file.
const FIRST_READ: usize = 4 << 10;

thread_local! {
    /// The buffer that bytes are read into first. Reading into fresh memory would require clearing
    /// it each time, which for small files costs more than the reading.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; READ]);
}

pub(super) struct Window {
    source: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// Index in `buffer` of the first byte not yet consumed.
    next: usize,
    /// Offset in the source of `buffer[0]`.
    start: u64,
    ended: bool,
}

impl Window {
    pub(super) fn new(source: Box<dyn Read + Send>) -> Self {
        Window {
            source,
            buffer: Vec::new(),
            next: 0,
            start: 0,
            ended: false,
        }
    }

    /// The bytes not yet consumed: at least `count`, unless the source ends earlier.
    pub(super) fn at_least(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.next < count && !self.ended {
            self.read_more()?;
        }
        Ok(&self.buffer[self.next..])
    }

    fn read_more(&mut self) -> io::Result<()> {
        let old = self.next.saturating_sub(KEPT);
        self.buffer.drain(..old);
        self.start += old as u64;
        self.next -= old;
        let most = match self.start == 0 && self.buffer.is_empty() {
            true => FIRST_READ,
            false => READ,
        };
        let (source, buffer) = (&mut self.source, &mut self.buffer);
        let result = SCRATCH.with_borrow_mut(|scratch| {
            loop {
                match source.read(&mut scratch[..most]) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Ok(read) => {
                        buffer.extend_from_slice(&scratch[..read]);
                        break Ok(read);
                    }
                    error => break error,
                }
            }
        });
        // After an error the source is not read again, so that no caller can loop forever.
        self.ended = !matches!(result, Ok(read) if read > 0);
        result.map(drop)
    }

    /// Moves bytes to the end of `out`, until the source ends or `out` has `limit` bytes. These
    /// bytes cannot be read again.
    pub(super) fn move_to(&mut self, out: &mut Vec<u8>, limit: usize) -> io::Result<()> {
        let here = &self.buffer[self.next..];
        let count = here.len().min(limit.saturating_sub(out.len()));
        out.extend_from_slice(&here[..count]);
        self.consume(count);
        let room = limit.saturating_sub(out.len());
        if room == 0 || self.ended {
            return Ok(());
        }
        self.start = self.offset();
        self.buffer.clear();
        self.next = 0;
        let before = out.len();
        let result = self.source.by_ref().take(room as u64).read_to_end(out);
        self.start += (out.len() - before) as u64;
        self.ended = !matches!(result, Ok(read) if read == room);
        result.map(drop)
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.next = (self.next + count).min(self.buffer.len());
    }

    /// The offset in the source of the first byte not yet consumed.
    pub(super) fn offset(&self) -> u64 {
        self.start + self.next as u64
    }

    /// Makes the bytes from `offset` on unread again, or from the oldest byte still kept.
    pub(super) fn go_back_to(&mut self, offset: u64) {
        let back = offset.saturating_sub(self.start);
        self.next = self.next.min(usize::try_from(back).unwrap_or(usize::MAX));
    }

    /// Skips to the first match of `finder`. `longest` is how many bytes the finder must see to
    /// recognise one.
    pub(super) fn seek_start(
        &mut self,
        longest: usize,
        finder: impl Fn(&[u8]) -> Option<usize>,
    ) -> io::Result<bool> {
        loop {
            let bytes = self.at_least(longest)?;
            let (length, found) = (bytes.len(), finder(bytes));
            if let Some(at) = found {
                self.consume(at);
                return Ok(true);
            }
            if length < longest {
                self.consume(length);
                return Ok(false);
            }
            // A match may straddle the end of what was read so far.
            self.consume(length - (longest - 1));
        }
    }
}
