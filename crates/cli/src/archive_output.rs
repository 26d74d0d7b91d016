//! All pages as records of one WARC file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::format::Format;

/// A WARC file that is being written.
pub struct ArchiveOutput {
    out: BufWriter<Box<dyn Write>>,
    /// What messages call it.
    name: String,
    description: &'static str,
    begun: bool,
}

impl ArchiveOutput {
    pub fn stdout(format: Format) -> Self {
        let out: Box<dyn Write> = Box::new(io::stdout().lock());
        Self::new(out, "standard output".into(), format)
    }

    pub fn create(file: &Path, format: Format) -> anyhow::Result<Self> {
        if let Some(folder) = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make folder {}", folder.display()))?;
        }
        let created = File::create(file);
        let out = created.with_context(|| format!("cannot write {}", file.display()))?;
        Ok(Self::new(Box::new(out), file.display().to_string(), format))
    }

    fn new(out: Box<dyn Write>, name: String, format: Format) -> Self {
        ArchiveOutput {
            out: BufWriter::with_capacity(1 << 16, out),
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

    /// Writes a record. The head of the file has the date of the first page, so that the same pages
    /// give the same file.
    pub fn write(&mut self, date: Option<&str>, record: &[u8]) -> anyhow::Result<()> {
        self.begin(date)
            .and_then(|()| self.out.write_all(record))
            .with_context(|| format!("cannot write {}", self.name))
    }

    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.begin(None)
            .and_then(|()| self.out.flush())
            .with_context(|| format!("cannot write {}", self.name))
    }

    fn begin(&mut self, date: Option<&str>) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        let file = Path::new(&self.name).file_name().unwrap_or_default();
        let head = unframe::archive_head(&file.to_string_lossy(), date, self.description);
        self.out.write_all(&head)
    }
}

/// The file that `-o` means: itself if it is called `.gz`, else one in the folder that it names, called
/// after the input.
pub fn archive_file(out: &Path, format: Format, input: &str) -> PathBuf {
    let named = out
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("gz"));
    match named {
        true => out.into(),
        false => out.join(format!("{input}.{}", format.extension())),
    }
}
