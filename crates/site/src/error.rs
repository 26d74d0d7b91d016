//! Errors of a state on disk.

use std::io;
#[cfg(feature = "store")]
use std::path::Path;
use std::path::PathBuf;

/// Why a state could not be read or written. Each message names the file and says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file does not exist.
    #[error("state {}: not found; check the spelling, or make one with `unframe clean INPUT --state FILE`", .0.display())]
    Missing(PathBuf),
    /// The folder of a new file does not exist.
    #[error("state {}: there is no folder {}; create it first", .path.display(), .folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// The path is not that of a regular file.
    #[error("state {}: {what}, and a state is a file; name one, such as site.unframe", .path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The file is empty.
    #[error("state {}: an empty file, which holds no state; learn pages into it with `unframe clean INPUT --state {}`, or remove it", .0.display(), .0.display())]
    Empty(PathBuf),
    /// Another process holds the file.
    #[error("state {}: in use by another process; wait for it to end, or name another file", .0.display())]
    InUse(PathBuf),
    /// The file was written by a later version.
    #[error("state {}: written in format {found}, this version knows up to {known}; use a newer unframe. The file was left as it is", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The latest format known here.
        known: u32,
    },
    /// The file was written by an earlier version, in a format that is no longer read.
    #[error("state {}: written by an earlier version of unframe, whose format cannot be converted; learn the pages again into a new file with `unframe clean PAGES --state NEW`. The file was left as it is", .0.display())]
    Earlier(PathBuf),
    /// Learned by another version of the method.
    #[error("state {}: learned by version {found} of the method {method}, and this program has version {known}; learn the pages again into a new file with `unframe clean PAGES --state NEW`. The file was left as it is", .path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The method.
        method: &'static str,
        /// The version that wrote it.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// Learned with other parameters of the method.
    #[error("state {}: {reason}", .path.display())]
    OtherParameters {
        /// The file.
        path: PathBuf,
        /// What differs, and what to do.
        reason: String,
    },
    /// A file of several sites where one was expected.
    #[error("state {}: it has several sites; say which one is meant", .0.display())]
    SeveralSites(PathBuf),
    /// Bytes that [`Sites::export`](crate::Sites::export) did not write, or that were damaged since.
    #[error("exported site: {0}")]
    Snapshot(String),
    /// An exported site that another method, or another version of it, has learned.
    #[error("exported site: {0}")]
    OtherSnapshot(String),
    /// Not a state at all.
    #[error("state {}: this is not a state that unframe wrote; name another file. The file was left as it is", .0.display())]
    Foreign(PathBuf),
    /// The file exists but cannot be read.
    #[error("state {}: damaged ({detail}); restore a copy, or move it away to start anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage that was found.
        detail: String,
    },
    /// The state was opened for reading only.
    #[error("state {}: opened for reading only", .0.display())]
    ReadOnly(PathBuf),
    /// The disk is full.
    #[error("state {}: no space left on the disk; every page acknowledged so far is safe. Free some space and run again", .0.display())]
    DiskFull(PathBuf),
    /// The file was removed, or another one took its name, while it was in use.
    #[error("state {}: the file was removed or replaced while it was in use, so nothing more can be kept in it; put it back, or start again", .0.display())]
    Removed(PathBuf),
    /// More was learned than one file can hold of a site.
    #[error("state {}: a site has become too large for a state", .0.display())]
    TooLarge(PathBuf),
    /// Any other file system error.
    #[error("state {}: {reason}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
}

#[cfg(feature = "store")]
impl StoreError {
    pub(crate) fn io(path: &Path, reason: io::Error) -> StoreError {
        match reason.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::DiskFull(path.into())
            }
            io::ErrorKind::UnexpectedEof => StoreError::damaged(path, "it ends too early"),
            _ => StoreError::Io {
                path: path.into(),
                reason,
            },
        }
    }

    pub(crate) fn damaged(path: &Path, detail: impl ToString) -> StoreError {
        StoreError::Damaged {
            path: path.into(),
            detail: detail.to_string(),
        }
    }
}
