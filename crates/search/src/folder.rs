//! The folder of an index: whether it is ours, and what may be replaced.
//!
//! An index of ours is a folder with a marker file. All other files belong to somebody else: this
//! module neither deletes them nor writes into a folder that contains them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::directory::error::{LockError, OpenDirectoryError};
use tantivy::directory::{Directory, DirectoryLock, INDEX_WRITER_LOCK, MmapDirectory};

use crate::error::SearchError;
use crate::schema::VERSION;

/// The file that marks a folder as ours.
const MARK: &str = "unframe-index.json";
const KIND: &str = "unframe index";

/// What to do if an index already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfThere {
    /// Keep it and fail.
    Refuse,
    /// Replace it. A folder that is not an index of ours is still refused.
    Replace,
}

#[derive(Serialize, Deserialize)]
struct Mark {
    kind: String,
    version: u64,
}

enum State {
    Empty,
    Ours { version: u64 },
}

/// Fails like [`take`], but leaves an existing index unchanged.
pub(crate) fn check(folder: &Path, if_there: IfThere) -> Result<(), SearchError> {
    match look(folder)? {
        State::Ours { .. } if if_there == IfThere::Refuse => {
            Err(SearchError::Exists(folder.into()))
        }
        State::Ours { .. } => {
            own_files(folder)?;
            lock(folder, &open(folder)?).map(drop)
        }
        State::Empty => fs::create_dir_all(folder).map_err(SearchError::io(folder)),
    }
}

/// Prepares a folder for a new index: creates it if missing, empties it if allowed.
pub(crate) fn take(folder: &Path, if_there: IfThere) -> Result<MmapDirectory, SearchError> {
    let state = look(folder)?;
    fs::create_dir_all(folder).map_err(SearchError::io(folder))?;
    let directory = open(folder)?;
    let lock = lock(folder, &directory)?;
    if matches!(state, State::Ours { .. }) {
        if if_there == IfThere::Refuse {
            return Err(SearchError::Exists(folder.into()));
        }
        empty(folder)?;
    }
    let mark = Mark {
        kind: KIND.into(),
        version: VERSION,
    };
    let mark = serde_json::to_vec(&mark).expect("plain data");
    let file = folder.join(MARK);
    fs::write(&file, mark).map_err(SearchError::io(&file))?;
    drop(lock);
    Ok(directory)
}

/// A folder that holds an index of this version.
pub(crate) fn find(folder: &Path) -> Result<MmapDirectory, SearchError> {
    match look(folder)? {
        State::Empty => Err(SearchError::Missing(folder.into())),
        State::Ours { version } if version != VERSION => Err(SearchError::Version {
            folder: folder.into(),
            found: version,
            known: VERSION,
        }),
        State::Ours { .. } => open(folder),
    }
}

/// Inspects the folder without changing anything.
fn look(folder: &Path) -> Result<State, SearchError> {
    let foreign = |what: &str| SearchError::Foreign {
        folder: folder.into(),
        what: what.into(),
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::Empty),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(foreign("is a file"));
        }
        Err(error) => return Err(SearchError::io(folder)(error)),
    };
    let file = folder.join(MARK);
    if file.is_file() {
        let text = fs::read(&file).map_err(SearchError::io(&file))?;
        return match serde_json::from_slice::<Mark>(&text) {
            Ok(mark) if mark.kind == KIND => Ok(State::Ours {
                version: mark.version,
            }),
            _ => Err(foreign("is a folder with other files in it")),
        };
    }
    for entry in entries {
        let entry = entry.map_err(SearchError::io(folder))?;
        // A run that was killed at the very start leaves its lock.
        if Path::new(&entry.file_name()) != INDEX_WRITER_LOCK.filepath {
            return Err(foreign("is a folder with other files in it"));
        }
    }
    Ok(State::Empty)
}

/// The files of an index; fails if there are other files among them.
fn own_files(folder: &Path) -> Result<Vec<PathBuf>, SearchError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(SearchError::io(folder))? {
        let entry = entry.map_err(SearchError::io(folder))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_file || !is_of_index(&name) {
            return Err(SearchError::Stray {
                folder: folder.into(),
                stray: name.into(),
            });
        }
        files.push(entry.path());
    }
    Ok(files)
}

/// Deletes the files of an index, or nothing if there are other files among them.
fn empty(folder: &Path) -> Result<(), SearchError> {
    let mut files = own_files(folder)?;
    // The marker is deleted last, so that the remains of a killed run are still recognised as ours.
    // The lock is kept, because we hold it.
    files.retain(|file| !file.ends_with(MARK) && !file.ends_with(&INDEX_WRITER_LOCK.filepath));
    files.push(folder.join(MARK));
    for file in files {
        fs::remove_file(&file).map_err(SearchError::io(&file))?;
    }
    Ok(())
}

/// True for names of the engine's files: `meta.json`, hidden files, and segments, whose names begin
/// with 32 hexadecimal digits.
fn is_of_index(name: &str) -> bool {
    let is_segment = |name: &str| {
        name.split_once('.').is_some_and(|(stem, _)| {
            stem.len() == 32 && stem.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    let hidden = [
        ".managed.json",
        ".tantivy-writer.lock",
        ".tantivy-meta.lock",
    ];
    name == MARK
        || name == "meta.json"
        || hidden.contains(&name)
        || name.starts_with(".tmp")
        || is_segment(name)
}

fn open(folder: &Path) -> Result<MmapDirectory, SearchError> {
    MmapDirectory::open(folder).map_err(|error| match error {
        OpenDirectoryError::DoesNotExist(_) => SearchError::Missing(folder.into()),
        error => SearchError::engine(folder, error.into()),
    })
}

fn lock(folder: &Path, directory: &MmapDirectory) -> Result<DirectoryLock, SearchError> {
    directory
        .acquire_lock(&INDEX_WRITER_LOCK)
        .map_err(|error| match error {
            LockError::LockBusy => SearchError::Locked(folder.into()),
            LockError::IoError(error) => {
                SearchError::io(folder)(io::Error::new(error.kind(), error.to_string()))
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        for (name, ours) in [
            ("meta.json", true),
            (MARK, true),
            (".tantivy-writer.lock", true),
            ("0123456789abcdef0123456789abcdef.store", true),
            ("0123456789abcdef0123456789abcdef.17.del", true),
            ("thesis.doc", false),
            ("0123.store", false),
            ("0123456789abcdef0123456789abcdef", false),
        ] {
            assert_eq!(is_of_index(name), ours, "{name}");
        }
    }
}
