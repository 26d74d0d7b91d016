//! All pages as records of one WARC file.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::format::Format;

/// A WARC file that is being written.
pub struct ArchiveOutput {
    out: BufWriter<Box<dyn Write + Send + Sync>>,
    /// The existing file, which the first page replaces.
    former: Option<File>,
    /// Its name in messages.
    name: String,
    description: &'static str,
    begun: bool,
}

impl ArchiveOutput {
    pub fn stdout(format: Format) -> Self {
        let out: Box<dyn Write + Send + Sync> = Box::new(io::stdout());
        Self::new(out, None, "standard output".into(), format)
    }

    pub fn create(file: &Path, format: Format) -> anyhow::Result<Self> {
        if let Some(folder) = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot create folder {}", folder.display()))?;
        }
        let mut options = OpenOptions::new();
        let opened = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(file)
            .and_then(|out| {
                let former = match out.metadata()?.len() {
                    0 => None,
                    _ => Some(out.try_clone()?),
                };
                Ok((out, former))
            });
        let name = file.display().to_string();
        let (out, former) = opened.with_context(|| format!("cannot write {name}"))?;
        Ok(Self::new(Box::new(out), former, name, format))
    }

    fn new(
        out: Box<dyn Write + Send + Sync>,
        former: Option<File>,
        name: String,
        format: Format,
    ) -> Self {
        ArchiveOutput {
            out: BufWriter::with_capacity(1 << 16, out),
            former,
            name,
            description: match format {
                Format::Wet => "texts of web pages without the frame of their sites",
                _ => {
                    "web pages with the frame of their sites cut out of the bodies; not what \
                     servers sent"
                }
            },
            begun: false,
        }
    }

    /// Writes a record. The file header has the date of the first page, so that the same pages
    /// produce the same file.
    pub fn write(&mut self, date: Option<&str>, record: &[u8]) -> anyhow::Result<()> {
        self.begin(date)
            .and_then(|()| self.out.write_all(record))
            .with_context(|| format!("cannot write {}", self.name))
    }

    /// Without any page, an existing file is kept as it was, and a new one holds only its header.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        if !self.begun && self.former.is_some() {
            return Ok(());
        }
        self.begin(None)
            .and_then(|()| self.out.flush())
            .with_context(|| format!("cannot write {}", self.name))
    }

    fn begin(&mut self, date: Option<&str>) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        if let Some(former) = &self.former {
            former.set_len(0)?;
        }
        let file = Path::new(&self.name).file_name().unwrap_or_default();
        let head = unframe::render::archive_head(&file.to_string_lossy(), date, self.description);
        self.out.write_all(&head)
    }
}

/// The file for `-o`: the path itself if it ends in `.gz`, else a file in that folder, named after the
/// input.
pub fn archive_file(out: &Path, format: Format, input: &str) -> PathBuf {
    let named = out
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("gz"));
    match named {
        true => out.into(),
        false => out.join(format!("{input}.{}", format.extension())),
    }
}
