//! A tree of files that mirrors the tree of the pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use unframe::read::InputFiles;
use unframe::read::printable::printable;
use unframe_console::atomic_file::{self, PARTIAL};
use unframe_console::exit::say;

use super::names::Names;
use super::{Counts, PageRef};

/// Writes each page to its file. Files are moved to their place when they are complete.
pub struct Folder {
    root: PathBuf,
    extension: &'static str,
    /// Input files, which are never overwritten.
    inputs: InputFiles,
    names: Names,
    /// The folder made last; most pages go into the same folder as the page before.
    made: PathBuf,
    /// Marks the folder of a run that has not ended; a run that can be resumed has one.
    mark: Option<PathBuf>,
    /// With --resume: files that are at least this old belong to the run before.
    since: Option<SystemTime>,
    pub counts: Counts,
}

impl Folder {
    /// The folder may also hold inputs.
    pub fn create(
        root: &Path,
        extension: &'static str,
        inputs: InputFiles,
    ) -> anyhow::Result<Folder> {
        fs::create_dir_all(root)
            .with_context(|| format!("cannot create folder {}", root.display()))?;
        Ok(Folder {
            root: root.into(),
            extension,
            inputs,
            names: Names::default(),
            made: root.into(),
            mark: None,
            since: None,
            counts: Counts::default(),
        })
    }

    /// Marks the folder until the run ends. The age of the mark separates the files of this run from
    /// older ones.
    pub fn begin(mut self) -> anyhow::Result<Folder> {
        let mark = self.root.join(PARTIAL);
        let _ = fs::remove_file(&mark);
        let made = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&mark);
        made.with_context(|| format!("cannot write {}", mark.display()))?;
        self.mark = Some(mark);
        Ok(self)
    }

    /// Keeps the files of the run before: all that are younger than its mark, or, without a mark, all.
    pub fn resume(mut self) -> Folder {
        let mark = self.root.join(PARTIAL);
        let since = fs::symlink_metadata(&mark).and_then(|mark| mark.modified());
        self.since = Some(since.unwrap_or(SystemTime::UNIX_EPOCH));
        self.mark = Some(mark);
        self
    }

    /// Whether a page is possibly written already; may be called on any thread. Its real name is known
    /// only when it is its turn.
    pub fn may_have(&self, page: &PageRef) -> bool {
        let mut name = page.place.clone().into_os_string();
        name.push(format!(".{}", self.extension));
        self.is_done(&self.root.join(name))
    }

    /// Writes a page's file. If a file cannot be written, that page fails and the run continues; a
    /// full disk ends the run, because all other pages would fail too.
    pub fn write(
        &mut self,
        page: &PageRef,
        content: impl FnOnce() -> Vec<u8>,
    ) -> anyhow::Result<()> {
        let (root, inputs) = (&self.root, &self.inputs);
        let is_taken = |name: &Path| {
            let file = root.join(name);
            inputs.contains(&file) || file.is_dir()
        };
        let (name, has_number) = self.names.free(&page.place, self.extension, is_taken);
        self.counts.renamed += u64::from(has_number);
        let file = self.root.join(name);
        if self.is_done(&file) {
            self.counts.already_written += 1;
            return Ok(());
        }
        let written = self
            .make_folder(&file)
            .and_then(|()| atomic_file::write(&file, content()));
        match written {
            Ok(()) => Ok(()),
            Err(error) if is_full(&error) => Err(error).with_context(|| {
                format!(
                    "cannot write {}; free some space and run again",
                    file.display()
                )
            }),
            Err(error) => {
                self.counts.failures += 1;
                let (name, file) = (&page.name, file.display());
                let (name, file) = (printable(name), file.to_string());
                let file = printable(&file);
                say(format_args!(
                    "unframe: {name}: cannot write {file}: {error}\n"
                ));
                Ok(())
            }
        }
    }

    /// The run is complete.
    pub fn finish(&mut self) {
        if let Some(mark) = self.mark.take() {
            let _ = fs::remove_file(mark);
        }
    }

    /// Whether a file is of the run that is resumed.
    fn is_done(&self, file: &Path) -> bool {
        let Some(since) = self.since else {
            return false;
        };
        let found = fs::symlink_metadata(file);
        found.is_ok_and(|found| {
            found.is_file() && found.modified().is_ok_and(|written| written >= since)
        })
    }

    /// Makes the folders above a file. Links inside the output folder are not followed: they may lead
    /// anywhere.
    fn make_folder(&mut self, file: &Path) -> io::Result<()> {
        let folder = atomic_file::folder_of(file);
        if folder == self.made {
            return Ok(());
        }
        let inner = folder.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let mut path = self.root.clone();
        for part in inner.components() {
            path.push(part);
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_dir() => {}
                Ok(found) => {
                    let what = match found.is_symlink() {
                        true => "is a symbolic link, which is not followed",
                        false => "is not a folder",
                    };
                    return Err(io::Error::other(format!("{} {what}", path.display())));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&path)?,
                Err(error) => return Err(error),
            }
        }
        self.made = folder.into();
        Ok(())
    }
}

/// Whether no other file could be written either.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}
