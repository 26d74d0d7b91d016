//! Reads the records of a WARC or ARC file, whole ones and what can be saved of damaged ones.
//!
//! What enters: a decompressed stream. What leaves: an item for each record, and a
//! [`SkipReason::Broken`] for each place where the file is damaged, behind which reading goes on
//! at the next record.
//!
//! Why not a library. `fastwarc` 2.0 was measured on the files in the project's corpus: it reads
//! intact WARCs well, and 1.5 times as fast, but gives no record and no error for ARC and WACZ, ends
//! a clipped archive without saying so, and after 40 flipped bytes in one gzip member of
//! `pywb/iana.warc.gz` stops with 5 of 343 records (this reader gives all, that one cut, and says
//! so). `warc` 0.4, by its source, never finds the end of a head with bare newlines, gives up at
//! the first wrong length, and holds every record in memory whole.

mod arc;
mod reader;
mod record;
mod wacz;
mod warc;

pub(crate) use reader::ArchiveReader;
pub(crate) use wacz::WaczReader;

use crate::unpack::Unpacked;

/// No line of a record's head is longer.
const MAX_LINE: usize = 64 << 10;

/// What a record's head says.
#[derive(Debug, PartialEq, Eq)]
struct RecordHead {
    kind: RecordKind,
    url: Option<String>,
    content_type: Option<String>,
    length: u64,
    /// When the record was made, and what it is called.
    date: Option<String>,
    id: Option<String>,
    /// The archive itself says that the record was cut when it was made.
    truncated: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum RecordKind {
    /// A server's answer, HTTP head included.
    Response,
    /// A bare document.
    Resource,
    Revisit,
    /// Anything else, by its name.
    Other(String),
}

/// Why a record's head could not be read.
enum BadHead {
    /// It says something impossible.
    Wrong(String),
    /// The stream ends or breaks inside it.
    Cut,
}

/// The archive formats, which differ only in their record heads.
pub(crate) enum Dialect {
    Warc,
    /// ARC, with the number of words on the line before each record.
    Arc {
        words: usize,
    },
}

impl Dialect {
    pub(crate) const ARC: Dialect = Dialect::Arc {
        words: arc::WORDS_OF_VERSION_1,
    };

    /// Whether a record begins with this text. It may be cut, but not within the first line.
    fn begins(&self, text: &[u8]) -> bool {
        match self {
            Dialect::Warc => warc::begins(text),
            Dialect::Arc { words } => arc::begins(text, *words),
        }
    }

    /// Bytes that [`begins`](Self::begins) has to see.
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

    /// Where in a record's block another record begins, searching from `from` on.
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
