//! Reads the records of a WARC or ARC file, and recovers what it can from damaged files.
//!
//! Input: a decompressed stream. Output: an item for each record, and a [`SkipReason::Broken`] for
//! each place where the file is damaged; reading continues at the next record.
//!
//! Why not a library: we measured `fastwarc` 2.0 on the files in the project's corpus. It reads
//! intact WARCs well, and 1.5 times as fast, but returns neither records nor errors for ARC and
//! WACZ, and ends a truncated archive silently. After 40 flipped bytes in one gzip member of
//! `pywb/iana.warc.gz` it stops with 5 of 343 records; this reader returns all of them, the damaged
//! one truncated, and reports it. According to its source, `warc` 0.4 never finds the end of a
//! header with bare newlines, gives up at the first wrong length, and holds every record in memory.

mod arc;
mod digest;
mod reader;
mod record;
mod wacz;
mod warc;

pub(crate) use reader::ArchiveReader;
pub(crate) use wacz::WaczReader;

use self::digest::Digests;
use crate::unpack::Unpacked;

/// Maximum length of a line in a record header.
const MAX_LINE: usize = 64 << 10;

/// The fields of a record header.
#[derive(Debug, PartialEq, Eq)]
struct RecordHead {
    kind: RecordKind,
    url: Option<String>,
    content_type: Option<String>,
    length: u64,
    /// The date and the id of the record.
    date: Option<String>,
    id: Option<String>,
    /// The archive itself states that the record was truncated when it was written.
    truncated: bool,
    digests: Digests,
}

#[derive(Debug, PartialEq, Eq)]
enum RecordKind {
    /// A server response, including its HTTP header.
    Response,
    /// A bare document.
    Resource,
    Revisit,
    /// Anything else, by its name.
    Other(String),
}

/// Why a record header could not be read.
enum BadHead {
    /// It contains something impossible.
    Wrong(String),
    /// The stream ends or breaks inside it.
    Cut,
}

/// The archive formats, which differ only in their record headers.
pub(crate) enum Dialect {
    Warc,
    /// ARC, with the number of words per record line.
    Arc {
        words: usize,
    },
}

impl Dialect {
    pub(crate) const ARC: Dialect = Dialect::Arc {
        words: arc::WORDS_OF_VERSION_1,
    };

    /// Whether a record begins with this text. The text may be truncated, but not within the first
    /// line.
    fn begins(&self, text: &[u8]) -> bool {
        match self {
            Dialect::Warc => warc::begins(text),
            Dialect::Arc { words } => arc::begins(text, *words),
        }
    }

    /// How many bytes [`begins`](Self::begins) needs to see.
    fn longest_start(&self) -> usize {
        match self {
            Dialect::Warc => warc::LONGEST_START,
            Dialect::Arc { .. } => arc::LONGEST_START,
        }
    }

    fn read_head(&self, stream: &mut Unpacked) -> Result<RecordHead, BadHead> {
        match self {
            Dialect::Warc => warc::read_head(stream),
            Dialect::Arc { words } => arc::read_head(stream, *words),
        }
    }

    /// Finds the start of another record in a record's block, searching from `from` on.
    fn find_in(&self, block: &[u8], from: usize) -> Option<usize> {
        let before = from.saturating_sub(1);
        let lines = memchr::memchr_iter(b'\n', &block[before..]).map(|at| before + at + 1);
        let first = (from == 0).then_some(0);
        first
            .into_iter()
            .chain(lines)
            .find(|&at| self.begins(&block[at..]))
    }
}
