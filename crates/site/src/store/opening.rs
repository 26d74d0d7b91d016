//! How a state is opened, made, locked and copied.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use super::frame_io::{Beginning, read_beginning, read_frame};
use super::index::{Index, Span};
use super::{Store, Temporary};
use crate::error::StoreError;
use crate::frames::{FORMAT, FRAMES_AT, FrameKind, Superblock, empty_file};
use crate::memory::MemoryKind;
use crate::piece::Piece;
use crate::record::Fields;

/// Making a state takes milliseconds, so a partial file that is older than this is abandoned.
const MAKING: Duration = Duration::from_secs(60);
/// The same if the state is there and locked: nobody else compacts it now.
pub(super) const COMPACTING: Duration = Duration::from_secs(1);

/// How often a file may be replaced by another while it is opened.
const MOST_TRIES: usize = 100;

impl Store {
    /// Opens a state, or creates an empty one if the file does not exist.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        match file_length(path)? {
            None => make(path)?,
            Some(0) => fill(path)?,
            Some(_) => {}
        }
        Store::open_as(path, true)
    }

    /// Opens a state for one method, or creates an empty one. What another version of the method has
    /// learned is refused without changing a byte of the file.
    pub fn open_for(path: &Path, kind: MemoryKind) -> Result<Store, StoreError> {
        let store = Store::open(path)?;
        store.check_version(kind)?;
        Ok(store)
    }

    /// Opens an existing state. No byte of the file changes before the first commit.
    pub fn open_existing(path: &Path) -> Result<Store, StoreError> {
        exists(path)?;
        Store::open_as(path, true)
    }

    /// Opens an existing state for reading only. Write operations are refused, and no byte of the
    /// file changes.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        exists(path)?;
        Store::open_as(path, false)
    }

    /// A state that is deleted when the process ends.
    pub fn temporary() -> Result<Store, StoreError> {
        let folder = temporary_folder()?;
        let mut store = Store::open(&folder.path().join("state.unframe"))?;
        store.temporary = Some(Temporary(until_closed(folder)));
        Ok(store)
    }

    /// A copy of a state, or an empty one if the file does not exist, that is deleted when the
    /// process ends: learning changes only the copy.
    pub fn scratch(path: &Path) -> Result<Store, StoreError> {
        // An empty file is a new state, as for a run that writes.
        if matches!(file_length(path)?, None | Some(0)) {
            return Store::temporary();
        }
        // Held while the file is copied, so that nobody writes to it meanwhile.
        let held = Store::open_read_only(path)?;
        let folder = temporary_folder()?;
        let copy = folder.path().join("state.unframe");
        // Copies only the bytes: the copy of a write-protected file must be writable.
        let copied =
            File::open(path).and_then(|mut state| io::copy(&mut state, &mut File::create(&copy)?));
        copied.map_err(|error| StoreError::io(path, error))?;
        drop(held);
        let mut store = Store::open_existing(&copy)?;
        store.path = path.into();
        store.temporary = Some(Temporary(until_closed(folder)));
        Ok(store)
    }

    fn open_as(path: &Path, writable: bool) -> Result<Store, StoreError> {
        let file = open_locked(path, writable)?;
        Store::of_file(path, file, writable)
    }

    /// Reads where everything is.
    pub(super) fn of_file(
        path: &Path,
        mut file: File,
        writable: bool,
    ) -> Result<Store, StoreError> {
        let io = |error| StoreError::io(path, error);
        let superblock = match read_beginning(&mut file).map_err(io)? {
            Beginning::Ours(superblock) => superblock,
            Beginning::Earlier => return Err(StoreError::Earlier(path.into())),
            Beginning::Foreign => return Err(StoreError::Foreign(path.into())),
            Beginning::Damaged(what) => return Err(StoreError::damaged(path, what)),
            Beginning::Newer(found) => {
                return Err(StoreError::Newer {
                    path: path.into(),
                    found,
                    known: FORMAT,
                });
            }
        };
        let length = file.metadata().map_err(io)?.len();
        if length < superblock.length {
            return Err(StoreError::damaged(path, "it ends too early"));
        }
        let mut reading = Reading {
            path,
            superblock,
            index: Index::default(),
            index_frame: 0,
        };
        reading.read(&mut file, length)?;
        Ok(Store {
            path: path.into(),
            file: Mutex::new(file),
            writable,
            is_unnamed: false,
            superblock: reading.superblock,
            index: reading.index,
            index_frame: reading.index_frame,
            touched: false,
            temporary: None,
        })
    }
}

/// A file whose frames are being read.
struct Reading<'a> {
    path: &'a Path,
    superblock: Superblock,
    index: Index,
    index_frame: u64,
}

impl Reading<'_> {
    fn read(&mut self, file: &mut File, length: u64) -> Result<(), StoreError> {
        let path = self.path;
        let io = |error| StoreError::io(path, error);
        let bad = |error| StoreError::damaged(path, error);
        let wrong = |at: u64| {
            StoreError::damaged(path, format!("the checksum at byte {at} does not match"))
        };
        let mut offset = FRAMES_AT;
        let committed = self.superblock.length;
        if self.superblock.index != 0 {
            let at = self.superblock.index;
            let frame = read_frame(file, at, committed).map_err(io)?;
            let frame = frame.filter(|frame| frame.kind == FrameKind::Index);
            let frame = frame.ok_or_else(|| wrong(at))?;
            self.index = Index::decode(&frame.payload).map_err(bad)?;
            self.index_frame = frame.end - at;
            offset = frame.end;
        }
        // Everything committed must be there.
        while offset < committed {
            let frame = read_frame(file, offset, committed).map_err(io)?;
            let frame = frame.ok_or_else(|| wrong(offset))?;
            if frame.kind == FrameKind::Piece {
                let span = Span {
                    offset,
                    length: frame.end - offset,
                };
                self.add(&frame.payload, span)?;
            }
            offset = frame.end;
        }
        // What follows counts as far as it is complete.
        let mut waiting: Vec<(Vec<u8>, Span)> = Vec::new();
        while let Some(frame) = read_frame(file, offset, length).map_err(io)? {
            let span = Span {
                offset,
                length: frame.end - offset,
            };
            offset = frame.end;
            match frame.kind {
                FrameKind::Piece => waiting.push((frame.payload, span)),
                // It says nothing that the pieces do not say.
                FrameKind::Index => {}
                FrameKind::Commit => {
                    let sequence = Fields(&frame.payload).number().map_err(bad)?;
                    if Some(sequence) != self.superblock.sequence.checked_add(1) {
                        break;
                    }
                    for (payload, span) in std::mem::take(&mut waiting) {
                        self.add(&payload, span)?;
                    }
                    self.superblock.sequence = sequence;
                    self.superblock.length = offset;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, payload: &[u8], span: Span) -> Result<(), StoreError> {
        let piece = Piece::read(payload);
        let added = piece.and_then(|piece| self.index.add(&piece.about, span));
        added.map_err(|error| StoreError::damaged(self.path, error))
    }
}

/// Opens a file and locks it. Compaction puts another file in its place, so the one that was locked may
/// not be the one at the path any more.
fn open_locked(path: &Path, writable: bool) -> Result<File, StoreError> {
    let io = |error| StoreError::io(path, error);
    for _ in 0..MOST_TRIES {
        let opened = OpenOptions::new().read(true).write(writable).open(path);
        let file = opened.map_err(io)?;
        let locked = match writable {
            true => file.try_lock(),
            false => file.try_lock_shared(),
        };
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(path.into())),
            // Not every file system has locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    Err(StoreError::InUse(path.into()))
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

/// Elsewhere a file that is open cannot be replaced.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Creates an empty state under another name and moves it into place when it is complete, so that a
/// crash or a full disk leaves no partial file that nobody can read.
fn make(path: &Path) -> Result<(), StoreError> {
    let io = |error| StoreError::io(path, error);
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(StoreError::NoFolder {
            path: path.into(),
            folder,
        });
    }
    let mut file = partial_file(path, MAKING).map_err(io)?;
    let filled = file.write_all(&empty_file());
    filled
        .and_then(|()| file.as_file().sync_data())
        .map_err(io)?;
    match file.persist_noclobber(path) {
        Ok(_) => {
            // Its name must survive a crash, too.
            #[cfg(unix)]
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
            Ok(())
        }
        // Another process was faster; use its file.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io(error.error)),
    }
}

/// Makes an empty file an empty state.
fn fill(path: &Path) -> Result<(), StoreError> {
    let mut file = open_locked(path, true)?;
    let mut fill = || -> io::Result<()> {
        // Somebody else may have been faster.
        if file.metadata()?.len() == 0 {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&empty_file())?;
            file.sync_data()?;
        }
        Ok(())
    };
    fill().map_err(|error| StoreError::io(path, error))
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.into(),
        _ => ".".into(),
    }
}

/// A new file beside a state, which nobody else has and no link leads to. Such files of others that are
/// older than this are removed.
pub(super) fn partial_file(path: &Path, others: Duration) -> io::Result<tempfile::NamedTempFile> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.unframe-partial-");
    let folder = folder_of(path);
    remove_abandoned(&folder, &prefix, others);
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The text of the error names the temporary file.
    let made = builder.prefix(&prefix).tempfile_in(folder);
    made.map_err(|error| error.kind().into())
}

/// Removes the files of processes that were killed while they made or compacted a state.
fn remove_abandoned(folder: &Path, prefix: &str, least: Duration) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let age = entry.metadata().and_then(|about| about.modified());
        let age = age.ok().and_then(|written| written.elapsed().ok());
        if entry.file_name().to_string_lossy().starts_with(prefix)
            && age.is_some_and(|age| age > least)
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn temporary_folder() -> Result<tempfile::TempDir, StoreError> {
    let made = tempfile::Builder::new().prefix("unframe-").tempdir();
    made.map_err(|source| StoreError::io(&std::env::temp_dir(), source))
}

/// Keeps a temporary folder where an open file needs a name. Elsewhere it is removed at once, so that not
/// even a killed process leaves it behind.
fn until_closed(folder: tempfile::TempDir) -> Option<tempfile::TempDir> {
    (!cfg!(unix)).then_some(folder)
}

fn exists(path: &Path) -> Result<(), StoreError> {
    match file_length(path)? {
        None => Err(StoreError::Missing(path.into())),
        Some(0) => Err(StoreError::Empty(path.into())),
        Some(_) => Ok(()),
    }
}

/// The length of a regular file; `None` if there is nothing at the path. Anything else is refused:
/// opening a pipe would wait for its other end.
fn file_length(path: &Path) -> Result<Option<u64>, StoreError> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => {
            // Whether it may be read.
            File::open(path).map_err(|error| StoreError::io(path, error))?;
            Ok(Some(found.len()))
        }
        Ok(found) => Err(StoreError::NotAFile {
            path: path.into(),
            what: match found.is_dir() {
                true => "a folder",
                false => "a pipe, socket or device",
            },
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io(path, error)),
    }
}
