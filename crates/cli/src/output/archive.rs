//! All pages as records of one WARC file.

use std::io::{self, Write};

use super::Out;
use crate::format::Format;

/// Writes records, which are gzip members already.
pub struct Archive {
    out: Out,
    /// The name of the file, which its first record states.
    name: String,
    description: &'static str,
    begun: bool,
}

impl Archive {
    /// For a new file, or what follows in one that has its first record.
    pub fn new(out: Out, name: String, format: Format, continued: bool) -> Archive {
        Archive {
            out,
            name,
            description: match format {
                Format::Wet => "texts of web pages without the frame of their sites",
                _ => {
                    "web pages with the frame of their sites cut out of the bodies; not what \
                     servers sent"
                }
            },
            begun: continued,
        }
    }

    /// Adds a record. The first record of the file has the date of the first page, so that the same
    /// pages produce the same file.
    pub fn add(&mut self, date: Option<&str>, record: &[u8]) -> io::Result<()> {
        self.begin(date)?;
        self.out.write_all(record)
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.begin(None)?;
        self.out.flush()
    }

    fn begin(&mut self, date: Option<&str>) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        let head = unframe::render::archive_head(&self.name, date, self.description);
        self.out.write_all(&head)
    }
}
