//! The output file of a report.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::atomic_file::{check_output_file, folder_of, write_durably};
use crate::exit::UsageError;

/// A file that is written at the end of the work, in place of a former one.
pub struct ReportFile {
    path: PathBuf,
}

impl ReportFile {
    /// Checks the path before the work begins, not after it. `flag` is the flag that names it.
    pub fn new(path: &Path, flag: &str) -> Result<ReportFile, UsageError> {
        check_output_file(path, flag)?;
        let folder = folder_of(path);
        match folder.is_dir() {
            true => Ok(ReportFile { path: path.into() }),
            false => Err(UsageError(format!(
                "there is no folder {} for the report; create it first",
                folder.display()
            ))),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the whole file.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        write_durably(&self.path, text)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
