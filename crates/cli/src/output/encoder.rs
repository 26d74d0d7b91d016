//! How pages become the bytes of a file or stream.

use std::io;

use super::Out;
use super::archive::Archive;
use super::compression::{Blocks, Compression};
use super::parquet::ParquetFile;
use crate::format::Format;
use unframe::record::Fields;

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    pub format: Format,
    pub compression: Compression,
}

impl FileKind {
    /// Whether another run can tell which pages are in an incomplete file.
    pub fn is_resumable(self, has_shards: bool) -> bool {
        match self.format {
            Format::Jsonl | Format::Wet | Format::Warc => true,
            Format::Parquet => has_shards,
            Format::Text | Format::Markdown | Format::Html => false,
        }
    }

    /// Whether pages can be added to a complete file.
    pub fn is_appendable(self) -> bool {
        self.format != Format::Parquet
    }

    /// The ending of file names.
    pub fn ending(self) -> String {
        let compressed = match self.compression {
            Compression::None => "",
            Compression::Gzip => ".gz",
            Compression::Zstd => ".zst",
        };
        match self.format {
            Format::Jsonl => format!(".jsonl{compressed}"),
            format => format!(".{}{compressed}", format.extension()),
        }
    }

    /// The length of a file name without its endings.
    pub fn stem_length(self, name: &str) -> usize {
        let mut rest = name;
        for ending in [
            ".gz", ".zst", ".wet", ".warc", ".clean", ".jsonl", ".ndjson", ".json", ".parquet",
        ] {
            rest = rest.strip_suffix(ending).unwrap_or(rest);
        }
        rest.len()
    }
}

/// Writes pages, in order.
pub enum Encoder {
    Blocks(Blocks),
    Archive(Archive),
    Parquet(Box<ParquetFile>),
}

impl Encoder {
    /// For a file of this name, or what follows in it.
    pub fn new(
        out: Out,
        name: &str,
        kind: FileKind,
        fields: &Fields,
        continued: bool,
    ) -> io::Result<Encoder> {
        let out: Out = Box::new(io::BufWriter::with_capacity(1 << 16, out));
        Ok(match kind.format {
            Format::Wet | Format::Warc => {
                let name = name.to_string();
                Encoder::Archive(Archive::new(out, name, kind.format, continued))
            }
            Format::Parquet => Encoder::Parquet(Box::new(ParquetFile::new(out, fields)?)),
            Format::Text | Format::Markdown | Format::Html | Format::Jsonl => {
                Encoder::Blocks(Blocks::new(out, kind.compression, continued))
            }
        })
    }

    /// Adds a page that was fetched at `date`.
    pub fn add(&mut self, date: Option<&str>, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Blocks(blocks) => blocks.add(bytes),
            Encoder::Archive(archive) => archive.add(date, bytes),
            Encoder::Parquet(file) => file.add(bytes),
        }
    }

    /// Writes what is left, and the end of the file.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Encoder::Blocks(blocks) => blocks.finish(),
            Encoder::Archive(archive) => archive.finish(),
            Encoder::Parquet(file) => file.finish(),
        }
    }
}
