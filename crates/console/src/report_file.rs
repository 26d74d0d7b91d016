//! The output file of a report.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::exit::UsageError;

/// A file that does not exist yet, or that may be overwritten.
pub struct ReportFile {
    path: PathBuf,
    force: bool,
}

impl ReportFile {
    /// Checks the path before the work begins, not after it. `flag` is the flag that names it.
    pub fn new(path: &Path, force: bool, flag: &str) -> Result<ReportFile, UsageError> {
        let shown = path.display();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let message = if path.is_dir() {
            format!("{flag} {shown} is a folder; name a file, such as {shown}/report.html")
        } else if path.exists() && !force {
            format!(
                "{shown} already exists; overwrite it with --force, or name another file with {flag}"
            )
        } else if !folder.is_dir() {
            format!(
                "there is no folder {} for the report; create it first",
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

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the whole file.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        let mut file = OpenOptions::new();
        match self.force {
            true => file.create(true).truncate(true),
            // Another process may have created it in the meantime.
            false => file.create_new(true),
        };
        file.write(true)
            .open(&self.path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
