//! What can go wrong with an index.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;

/// Why an index could not be made, opened or asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// There is no such folder, or nothing in it.
    #[error(
        "{}: no index is there\nhint: `unframe clean INPUT --index {}` makes one",
        .0.display(), .0.display()
    )]
    Missing(PathBuf),
    /// Something is there that is not ours.
    #[error("{}: {what}, not an index of unframe; name a new folder", folder.display())]
    Foreign {
        /// Where.
        folder: PathBuf,
        /// What is there.
        what: String,
    },
    /// The index was written with another schema.
    #[error(
        "{}: the index has version {found}, this unframe knows version {known}\n\
         hint: make it again with `unframe clean INPUT --index {} --force`",
        folder.display(), folder.display()
    )]
    Version {
        /// Where.
        folder: PathBuf,
        /// The version of the index.
        found: u64,
        /// The version of this crate.
        known: u64,
    },
    /// An index is there and must not be replaced.
    #[error(
        "{}: an index is already there\nhint: --force replaces it; or name a new folder",
        .0.display()
    )]
    Exists(PathBuf),
    /// An index is there, but other things are too.
    #[error(
        "{}: is not replaced, because {} in it is no part of the index; move that away or name a \
         new folder",
        folder.display(), stray.display()
    )]
    Stray {
        /// Where.
        folder: PathBuf,
        /// What does not belong there.
        stray: PathBuf,
    },
    /// Somebody else is writing to it.
    #[error(
        "{}: another run is writing to this index; wait for its end or name another folder",
        .0.display()
    )]
    Locked(PathBuf),
    /// There is no word in the query.
    #[error("the query `{0}` has no word to look for; write for example `harbour lamps`")]
    EmptyQuery(String),
    /// The query is not of the query language.
    #[error(
        "cannot read the query `{query}`: {why}\n\
         hint: put words with signs into quotes, as in `\"c++\"`; fields are title, body, url, site \
         and source, as in `title:harbour`"
    )]
    Query {
        /// As it was given.
        query: String,
        /// What is wrong with it.
        why: String,
    },
    /// The index is damaged.
    #[error(
        "{}: the index is damaged: {why}\n\
         hint: make it again with `unframe clean INPUT --index {} --force`",
        folder.display(), folder.display()
    )]
    Damaged {
        /// Where.
        folder: PathBuf,
        /// What the engine says.
        why: String,
    },
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// What could not be read or written.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The engine gave up.
    #[error("{}: the search engine says: {error}", folder.display())]
    Engine {
        /// Where.
        folder: PathBuf,
        /// What it says.
        #[source]
        error: TantivyError,
    },
    /// A line of a file of judgements makes no sense.
    #[error("{}:{line}: {why}", file.display())]
    Judgement {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong, and how it should be.
        why: String,
    },
}

impl SearchError {
    /// True for what the caller asked for, rather than what happened on the way.
    pub fn is_wrong_use(&self) -> bool {
        use SearchError::*;
        match self {
            Missing(_) | Foreign { .. } | Version { .. } | Exists(_) | Stray { .. } => true,
            EmptyQuery(_) | Query { .. } | Judgement { .. } => true,
            Locked(_) | Damaged { .. } | Io { .. } | Engine { .. } => false,
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> SearchError {
        let path = path.to_path_buf();
        |error| SearchError::Io { path, error }
    }

    /// What the engine says, with the folder; I/O errors as such.
    pub(crate) fn engine(folder: &Path, error: TantivyError) -> SearchError {
        let folder = folder.to_path_buf();
        match error {
            TantivyError::LockFailure(..) => SearchError::Locked(folder),
            TantivyError::IoError(error) => SearchError::Io {
                path: folder,
                error: io::Error::new(error.kind(), error.to_string()),
            },
            TantivyError::DataCorruption(_)
            | TantivyError::OpenReadError(_)
            | TantivyError::SchemaError(_)
            | TantivyError::IncompatibleIndex(_) => SearchError::Damaged {
                folder,
                why: error.to_string(),
            },
            error => SearchError::Engine { folder, error },
        }
    }
}
