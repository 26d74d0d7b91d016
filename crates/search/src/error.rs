//! Errors of indexes and queries.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;

/// Why an index could not be created, opened or queried.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The folder does not exist or is empty.
    #[error(
        "{}: no index found\nhint: create one with `unframe clean INPUT --index {}`",
        .0.display(), .0.display()
    )]
    Missing(PathBuf),
    /// The folder holds something other than an index of ours.
    #[error("{}: {what}, not an unframe index; name a new or empty folder", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What it holds.
        what: String,
    },
    /// The index was written with another schema.
    #[error(
        "{}: the index has version {found}, but this unframe reads version {known}\n\
         hint: remove the folder, and build the index again with `unframe clean INPUT --index {}`",
        folder.display(), folder.display()
    )]
    Version {
        /// The folder.
        folder: PathBuf,
        /// The version of the index.
        found: u64,
        /// The version of this crate.
        known: u64,
    },
    /// Another process is writing to the index.
    #[error(
        "{}: another run is writing to this index; wait until it ends, or name another folder",
        .0.display()
    )]
    Locked(PathBuf),
    /// The query contains no words.
    #[error("the query `{0}` contains no words to search for; try for example `harbour lamps`")]
    EmptyQuery(String),
    /// The query has a syntax error.
    #[error(
        "cannot read the query `{query}`: {why}\n\
         hint: quote words with special characters, as in `\"c++\"`; fields are title, body, url, site \
         and source, as in `title:harbour`"
    )]
    Query {
        /// The query as given.
        query: String,
        /// What is wrong with it.
        why: String,
    },
    /// The index is damaged.
    #[error(
        "{}: the index is damaged: {why}\n\
         hint: remove the folder, and build the index again with `unframe clean INPUT --index {}`",
        folder.display(), folder.display()
    )]
    Damaged {
        /// The folder.
        folder: PathBuf,
        /// The error of the search engine.
        why: String,
    },
    /// A file system error.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// Another error of the search engine.
    #[error("{}: search engine error: {error}", folder.display())]
    Engine {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        #[source]
        error: TantivyError,
    },
    /// A line of a file of judgements is invalid.
    #[error("{}:{line}: {why}", file.display())]
    Judgement {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong, and the expected format.
        why: String,
    },
}

impl SearchError {
    /// True for mistakes of the caller, as opposed to failures.
    pub fn is_wrong_use(&self) -> bool {
        use SearchError::*;
        match self {
            Missing(_) | Foreign { .. } | Version { .. } => true,
            EmptyQuery(_) | Query { .. } | Judgement { .. } => true,
            Locked(_) | Damaged { .. } | Io { .. } | Engine { .. } => false,
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> SearchError {
        let path = path.to_path_buf();
        |error| SearchError::Io { path, error }
    }

    /// Adds the folder to an error of the engine; file system errors become [`SearchError::Io`].
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
