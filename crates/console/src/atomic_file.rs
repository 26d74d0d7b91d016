//! Output files that are complete or as they were before.
//!
//! A file is written as `.NAME.unframe-partial` beside its place and renamed when it is complete. The
//! name is fixed, so that the next run to the same place replaces what a killed run has left. Neither
//! the file nor its partial form is ever written through a symbolic link: renaming replaces a link, and
//! a partial file is one that we have created.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use crate::exit::UsageError;

/// The ending of a file that is not complete.
pub const PARTIAL: &str = ".unframe-partial";

/// Longest name that is part of the name of a partial file, which must be below 255 bytes.
const LONGEST_NAME: usize = 230;

/// A file that is being written. Dropped without [`commit`](AtomicFile::commit), it leaves the former
/// file as it was, and removes what was written unless it is [`kept`](AtomicFile::keep_partial).
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    partial: PathBuf,
    file: File,
    keep: bool,
    renamed: bool,
}

impl AtomicFile {
    /// Begins an empty file, in place of one that an earlier run has not completed.
    ///
    /// # Errors
    ///
    /// Of the kind `ResourceBusy` if another run is writing the same file.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let partial = partial_path(path);
        let (mut file, is_former) = match open_partial(&partial)? {
            Some(former) => (former, true),
            None => (create_new(&partial)?, false),
        };
        lock(&file, path)?;
        if is_former {
            // Emptied and not removed: as long as it exists, it is known that a run has not ended.
            file.set_len(0)?;
            file.rewind()?;
        }
        Ok(AtomicFile::new(path, partial, file))
    }

    /// Opens what an earlier run has not completed, for reading and writing; `None` if there is
    /// nothing.
    pub fn resume(path: &Path) -> io::Result<Option<AtomicFile>> {
        let partial = partial_path(path);
        let Some(file) = open_partial(&partial)? else {
            return Ok(None);
        };
        lock(&file, path)?;
        Ok(Some(AtomicFile::new(path, partial, file)))
    }

    fn new(path: &Path, partial: PathBuf, file: File) -> AtomicFile {
        AtomicFile {
            path: path.into(),
            partial,
            file,
            keep: false,
            renamed: false,
        }
    }

    /// Keeps what was written if the run fails, so that another can continue it.
    pub fn keep_partial(mut self) -> AtomicFile {
        self.keep = true;
        self
    }

    /// The open file.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Where it will be when it is complete.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it to the disk and moves it to its place.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        AtomicFile::commit_partial(&self.path)?;
        self.renamed = true;
        Ok(())
    }

    /// Writes it to the disk and leaves it in its partial form, for
    /// [`commit_partial`](AtomicFile::commit_partial). It is locked until the returned file is closed.
    pub fn end_partial(mut self) -> io::Result<File> {
        self.file.sync_all()?;
        self.keep = true;
        self.file.try_clone()
    }

    /// Moves a partial file, which is complete, to its place.
    pub fn commit_partial(path: &Path) -> io::Result<()> {
        let partial = partial_path(path);
        keep_mode(&partial, path);
        fs::rename(&partial, path)?;
        // Makes the rename durable, where folders can be opened at all.
        if let Ok(folder) = File::open(folder_of(path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.renamed && !self.keep {
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Writes a whole file and waits until it is on the disk.
pub fn write_durably(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    if is_stream(path) {
        return open_stream(path)?.write_all(bytes.as_ref());
    }
    let mut file = AtomicFile::create(path)?;
    file.file().write_all(bytes.as_ref())?;
    file.commit()
}

/// Writes a whole file, one of many: does not wait for the disk.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let partial = partial_path(path);
    let mut file = match create_new(&partial) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(&partial)?;
            create_new(&partial)?
        }
        created => created?,
    };
    let written = file
        .write_all(bytes.as_ref())
        .map(|()| keep_mode(&partial, path))
        .and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// The name of a file while it is not complete.
pub fn partial_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let mut partial = OsString::from(".");
    match name.len() <= LONGEST_NAME {
        true => partial.push(name),
        false => {
            let text = name.to_string_lossy();
            partial.push(&text[..text.floor_char_boundary(LONGEST_NAME)]);
        }
    }
    partial.push(PARTIAL);
    path.with_file_name(partial)
}

/// True for pipes and devices, such as `/dev/stdout`, which are written to as they are. What is below
/// `/dev` and `/proc` is never replaced, even if it leads to an ordinary file.
pub fn is_stream(path: &Path) -> bool {
    match path.metadata() {
        Ok(found) if found.is_dir() => false,
        Ok(found) => !found.is_file() || path.starts_with("/dev") || path.starts_with("/proc"),
        Err(_) => false,
    }
}

/// Opens a pipe or device for writing. A pipe waits for its reader.
pub fn open_stream(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// Refuses a path that cannot become an output file, before the work begins; `flag` is the flag that
/// names it.
pub fn check_output_file(path: &Path, flag: &str) -> Result<(), UsageError> {
    let shown = path.display();
    if is_stream(path) {
        return Ok(());
    }
    if path.is_symlink() {
        let target = path.canonicalize().or_else(|_| path.read_link());
        let target = target.unwrap_or_default();
        return Err(UsageError(format!(
            "{shown} is a symbolic link, and outputs are not written through links; write {flag} {}",
            target.display()
        )));
    }
    match path.is_dir() {
        true => Err(UsageError(format!(
            "{flag} {shown} is a folder; name a file, such as {shown}/report.html"
        ))),
        false => Ok(()),
    }
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).open(path)
}

/// Opens a partial file if it is one of ours: an ordinary file with a single name. Anything else that
/// has the name is removed, and neither followed nor written to.
fn open_partial(partial: &Path) -> io::Result<Option<File>> {
    let found = match fs::symlink_metadata(partial) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !found.is_file() || has_other_names(&found) {
        fs::remove_file(partial)?;
        return Ok(None);
    }
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(partial)
        .map(Some)
}

/// Locks a partial file for this run. The lock ends with the run, however that ends.
fn lock(file: &File, path: &Path) -> io::Result<()> {
    let busy = || {
        let message = format!("another run is writing {}", path.display());
        io::Error::new(io::ErrorKind::ResourceBusy, message)
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Err(busy()),
        // Some file systems have no locks.
        Err(fs::TryLockError::Error(_)) => {}
    }
    // Another run may have completed or replaced it before it was locked.
    match is_same(file, &partial_path(path)) {
        true => Ok(()),
        false => Err(busy()),
    }
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    let path = fs::symlink_metadata(path).map(identity).ok();
    path.is_some() && path == file.metadata().map(identity).ok()
}

#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(unix)]
fn has_other_names(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// Gives a file the permissions of the one that it will replace.
fn keep_mode(partial: &Path, path: &Path) {
    if let Ok(former) = fs::symlink_metadata(path)
        && former.is_file()
    {
        let _ = fs::set_permissions(partial, former.permissions());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.file().write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(partial_path(&path).exists());
        let busy = AtomicFile::create(&path).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(AtomicFile::create(&path).unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        drop(AtomicFile::create(&path).unwrap().keep_partial());
        let kept = AtomicFile::resume(&path).unwrap();
        assert!(kept.is_some());
        drop(kept);
        write(&path, "third").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"third");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("a"), folder.path().join("victim"));
        fs::write(&victim, "precious").unwrap();
        for durably in [true, false] {
            for plant in [0, 1, 2] {
                let _ = fs::remove_file(&path);
                match plant {
                    0 => symlink(&victim, partial_path(&path)).unwrap(),
                    1 => fs::hard_link(&victim, partial_path(&path)).unwrap(),
                    _ => symlink(&victim, &path).unwrap(),
                }
                match durably {
                    true => write_durably(&path, "new").unwrap(),
                    false => write(&path, "new").unwrap(),
                }
                assert!(!path.is_symlink());
                assert_eq!(fs::read(&path).unwrap(), b"new");
                assert_eq!(fs::read(&victim).unwrap(), b"precious");
            }
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, "private").unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(is_stream(Path::new("/dev/null")) && !is_stream(&path));
    }
}
