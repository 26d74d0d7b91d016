//! Reads the WARC files inside a WACZ, which is a zip file.
//! <https://specs.webrecorder.net/wacz/1.1.1/>
//!
//! The zip library only lists where the entries begin. We stream the entries from the file itself,
//! so a stated size is an upper bound and never an allocation.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use super::{ArchiveReader, Dialect};
use crate::counted::{Counted, Counter};
use crate::source::Context;
use crate::unpack::Unpacked;
use crate::{Item, SkipReason, Skipped};

/// An entry of the zip file that holds a WARC.
struct Entry {
    name: String,
    start: u64,
    length: u64,
    method: CompressionMethod,
}

/// See the module documentation.
pub(crate) struct WaczReader {
    name: String,
    path: PathBuf,
    entries: std::vec::IntoIter<Entry>,
    current: Option<ArchiveReader>,
    problem: Option<SkipReason>,
    context: Context,
    counter: Counter,
}

impl WaczReader {
    pub(crate) fn new(path: PathBuf, context: Context, counter: Counter) -> Self {
        let name = path.display().to_string();
        let (entries, problem) = match list(&path) {
            Ok(entries) if entries.is_empty() => {
                let what = "a zip file without archive/*.warc files".to_owned();
                (entries, Some(SkipReason::NotHtml(what)))
            }
            Ok(entries) => (entries, None),
            Err(reason) => (Vec::new(), Some(reason)),
        };
        let entries = entries.into_iter();
        WaczReader {
            name,
            path,
            entries,
            current: None,
            problem,
            context,
            counter,
        }
    }

    fn open(&self, entry: &Entry) -> io::Result<ArchiveReader> {
        let unknown = || io::Error::other("unsupported zip compression method");
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(entry.start))?;
        let raw = Counted::new(file, &self.counter).take(entry.length);
        let reader: Box<dyn Read + Send> = match entry.method {
            CompressionMethod::Stored => Box::new(raw),
            CompressionMethod::Deflated => Box::new(DeflateDecoder::new(raw)),
            _ => return Err(unknown()),
        };
        let name = format!("{}/{}", self.name, entry.name);
        let stream = Unpacked::new(reader);
        Ok(ArchiveReader::new(
            name,
            stream,
            Dialect::Warc,
            self.context.clone(),
        ))
    }
}

/// The WARC files in the zip file, in its order.
fn list(path: &PathBuf) -> Result<Vec<Entry>, SkipReason> {
    let broken = |error| SkipReason::Broken(format!("not a readable zip file ({error})"));
    let file = File::open(path).map_err(|error| SkipReason::Unreadable(error.to_string()))?;
    let mut zip = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index).map_err(broken)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let inner = name
            .strip_suffix(".gz")
            .or(name.strip_suffix(".zst"))
            .unwrap_or(&name);
        if name.starts_with("archive/")
            && inner.ends_with(".warc")
            && let Some(start) = entry.data_start()
        {
            let (length, method) = (entry.compressed_size(), entry.compression());
            entries.push(Entry {
                name,
                start,
                length,
                method,
            });
        }
    }
    Ok(entries)
}

impl Iterator for WaczReader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(reason) = self.problem.take() {
                let name = self.name.clone();
                return Some(Item::Skipped(Skipped { name, reason }));
            }
            if let Some(item) = self.current.as_mut().and_then(Iterator::next) {
                return Some(item);
            }
            let entry = self.entries.next()?;
            match self.open(&entry) {
                Ok(reader) => self.current = Some(reader),
                Err(error) => {
                    let name = format!("{}/{}", self.name, entry.name);
                    let reason = SkipReason::Unreadable(error.to_string());
                    return Some(Item::Skipped(Skipped { name, reason }));
                }
            }
        }
    }
}
