//! Which pages a file already has: reads the output of a run that was interrupted.
//!
//! Files are written in pieces that can be told apart: lines, gzip members, zstd frames, shards. The
//! last piece of a killed run may be torn. It is dropped, and its pages are written again.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};

use serde::Deserialize;
use unframe::page::{Fingerprint, Kind};
use unframe::read::RawPage;

use super::compression::Compression;
use super::encoder::FileKind;
use super::parquet;
use crate::format::{Format, target};

/// The pages that are written, with the number of their copies.
#[derive(Debug, Default)]
pub struct Done(HashMap<Fingerprint, u32>);

impl Done {
    pub fn add(&mut self, page: Fingerprint) {
        *self.0.entry(page).or_default() += 1;
    }

    pub fn has(&self, page: Fingerprint) -> bool {
        self.0.contains_key(&page)
    }

    /// Whether a page is written. Pages arrive in the order in which they were written, so of several
    /// copies the first are.
    pub fn take(&mut self, page: Fingerprint) -> bool {
        let Some(copies) = self.0.get_mut(&page) else {
            return false;
        };
        *copies -= 1;
        if *copies == 0 {
            self.0.remove(&page);
        }
        true
    }
}

/// What is in a file.
#[derive(Debug, Default)]
pub struct Contents {
    /// Bytes of its pages, before compression.
    pub page_bytes: u64,
    /// Where its complete part ends.
    pub end: u64,
    /// Whether that is all of it.
    pub is_whole: bool,
}

/// By what a page is recognised in the output of another run.
pub fn page_key(raw: &RawPage, format: Format) -> Fingerprint {
    match format {
        Format::Wet | Format::Warc => archive_key(&target(raw)),
        _ => record_key(&raw.name, raw.url.as_deref().unwrap_or(&raw.name)),
    }
}

/// The same for a JSON record.
pub fn record_key(source: &str, url: &str) -> Fingerprint {
    Fingerprint::of(Kind::Page, format!("{source}\n{url}"))
}

/// The same for a record of an archive, which does not have the page's name.
fn archive_key(url: &str) -> Fingerprint {
    let url: String = url.chars().filter(|c| !c.is_control()).collect();
    Fingerprint::of(Kind::Page, url)
}

/// Adds the pages of a file to `done`.
///
/// # Errors
///
/// When it cannot be read, or holds something other than pages.
pub fn read(mut file: File, kind: FileKind, done: &mut Done) -> io::Result<Contents> {
    file.rewind()?;
    let size = file.metadata()?.len();
    let mut contents = match (kind.format, kind.compression) {
        (Format::Parquet, _) => {
            let is_whole = parquet::read(file, done)?;
            return Ok(Contents {
                is_whole,
                ..Contents::default()
            });
        }
        (Format::Jsonl, Compression::None) => lines(file, done)?,
        _ => blocks(file, kind, done)?,
    };
    contents.is_whole = contents.end == size;
    Ok(contents)
}

/// The fields of a record that name its page.
#[derive(Deserialize)]
struct Named {
    url: Option<String>,
    source: Option<String>,
}

fn line_key(line: &[u8]) -> io::Result<Fingerprint> {
    let named: Named = serde_json::from_slice(line)?;
    match (named.source, named.url) {
        (Some(source), Some(url)) => Ok(record_key(&source, &url)),
        _ => {
            let message = "its records have no `url` and `source`, which tell the pages apart; \
                           leave out --resume to start over";
            Err(io::Error::other(message))
        }
    }
}

/// Whether an error of reading means that the file is torn here.
fn is_torn(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
        || (error.kind() == Other && error.raw_os_error().is_none())
}

fn lines(file: File, done: &mut Done) -> io::Result<Contents> {
    let mut contents = Contents::default();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Ok(contents);
        }
        match line_key(&line) {
            Ok(key) => done.add(key),
            // A disk that lost its power has zeros where the last lines should be.
            Err(_) if line[0] == 0 => return Ok(contents),
            Err(error) => return Err(error),
        }
        contents.end += line.len() as u64;
        contents.page_bytes += line.len() as u64;
    }
}

/// Members or frames, one after another.
fn blocks(file: File, kind: FileKind, done: &mut Done) -> io::Result<Contents> {
    let mut contents = Contents::default();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut block = Vec::new();
    while !reader.fill_buf()?.is_empty() {
        block.clear();
        let unpacked = match kind.compression {
            Compression::Zstd => zstd::stream::read::Decoder::with_buffer(&mut reader)
                .and_then(|decoder| decoder.single_frame().read_to_end(&mut block)),
            _ => flate2::bufread::GzDecoder::new(&mut reader).read_to_end(&mut block),
        };
        match unpacked {
            Ok(_) => {}
            Err(error) if is_torn(&error) => return Ok(contents),
            Err(error) => return Err(error),
        }
        let end = reader.stream_position()?;
        if kind.format == Format::Jsonl {
            for line in block.split_inclusive(|byte| *byte == b'\n') {
                done.add(line_key(line)?);
            }
            contents.page_bytes += block.len() as u64;
        } else if let Some(url) = target_of(&block)? {
            done.add(archive_key(url));
            contents.page_bytes += end - contents.end;
        }
        contents.end = end;
    }
    Ok(contents)
}

/// The URL of a record; `None` for the first record of a file.
fn target_of(record: &[u8]) -> io::Result<Option<&str>> {
    let other = || io::Error::other("it is no archive of web pages; name another file");
    let end = record.windows(4).position(|four| four == b"\r\n\r\n");
    let head = std::str::from_utf8(&record[..end.ok_or_else(other)?]).map_err(|_| other())?;
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    match (field("WARC-Type: "), field("WARC-Target-URI: ")) {
        (Some("warcinfo"), _) => Ok(None),
        (Some(_), Some(url)) => Ok(Some(url)),
        _ => Err(other()),
    }
}
