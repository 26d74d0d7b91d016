//! The folder of an index: whether it is ours.
//!
//! An index of ours is a folder with a marker file. All other files belong to somebody else: this
//! module neither deletes them nor writes into a folder without the marker.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tantivy::directory::error::{LockError, OpenDirectoryError};
use tantivy::directory::{Directory, DirectoryLock, INDEX_WRITER_LOCK, MmapDirectory};

use crate::error::SearchError;
use crate::schema::VERSION;

/// The file that marks a folder as ours.
const MARK: &str = "unframe-index.json";
const KIND: &str = "unframe index";

#[derive(Serialize, Deserialize)]
struct Mark {
    kind: String,
    version: u64,
}

enum State {
    Empty,
    Ours { version: u64 },
}

/// Fails like [`take`], but changes nothing in an existing index.
pub(crate) fn check(folder: &Path) -> Result<(), SearchError> {
    match look(folder)? {
        State::Ours { version } => {
            check_version(folder, version)?;
            lock(folder, &open(folder)?).map(drop)
        }
        State::Empty => fs::create_dir_all(folder).map_err(SearchError::io(folder)),
    }
}

/// Prepares a folder for an index: one of ours is continued, a missing one is created.
pub(crate) fn take(folder: &Path) -> Result<MmapDirectory, SearchError> {
    let state = look(folder)?;
    fs::create_dir_all(folder).map_err(SearchError::io(folder))?;
    let directory = open(folder)?;
    let lock = lock(folder, &directory)?;
    match state {
        State::Ours { version } => check_version(folder, version)?,
        State::Empty => {
            let mark = Mark {
                kind: KIND.into(),
                version: VERSION,
            };
            let mark = serde_json::to_vec(&mark).expect("plain data");
            let file = folder.join(MARK);
            fs::write(&file, mark).map_err(SearchError::io(&file))?;
        }
    }
    drop(lock);
    Ok(directory)
}

/// A folder that holds an index of this version.
pub(crate) fn find(folder: &Path) -> Result<MmapDirectory, SearchError> {
    match look(folder)? {
        State::Empty => Err(SearchError::Missing(folder.into())),
        State::Ours { version } => {
            check_version(folder, version)?;
            open(folder)
        }
    }
}

fn check_version(folder: &Path, version: u64) -> Result<(), SearchError> {
    match version == VERSION {
        true => Ok(()),
        false => Err(SearchError::Version {
            folder: folder.into(),
            found: version,
            known: VERSION,
        }),
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
