//! The file that a report goes to.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::exit::UsageError;

/// A file that is not there yet, or that may be overwritten.
pub struct ReportFile {
    path: PathBuf,
    force: bool,
}

impl ReportFile {
    /// Says what is wrong with it before the work begins, not after it. `flag` is what names it.
    pub fn new(path: &Path, force: bool, flag: &str) -> Result<ReportFile, UsageError> {
        let shown = path.display();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let message = if path.is_dir() {
            format!("{flag} {shown} is a folder; name a file, as in {shown}/report.html")
        } else if path.exists() && !force {
            format!("{shown} is already there; --force overwrites it, {flag} names another file")
        } else if !folder.is_dir() {
            format!(
                "there is no folder {} for the report; make it first",
                folder.display()
            )
        } else {
            return Ok(ReportFile {
                path: path.into(),
                force,
            });
        };
        Err(UsageError(message))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all of it.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        let mut file = OpenOptions::new();
        match self.force {
            true => file.create(true).truncate(true),
            // Somebody may have made it while we worked.
            false => file.create_new(true),
        };
        file.write(true)
            .open(&self.path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
