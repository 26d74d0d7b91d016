//! Errors in a corpus, always with the path concerned.

use std::io;
use std::path::PathBuf;

/// Why a corpus could not be opened or one of its labels not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// The path given as a corpus is not a folder.
    #[error("{}: not a folder; a corpus is a folder of <site>/pages/** and <site>/gold/**.json", path.display())]
    NotAFolder {
        /// The path as given.
        path: PathBuf,
    },
    /// The folder holds no site at any of the three depths that are searched.
    #[error(
        "{}: no labelled site found; expected pages/ in it (one site), \
         <site>/pages/ (a set) or <set>/<site>/pages/ (a folder of sets)",
        path.display()
    )]
    NoSites {
        /// The folder that was searched.
        path: PathBuf,
    },
    /// A file or folder of the corpus could not be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A gold file is not a valid label.
    #[error("{}: not a gold label (a JSON object with `content` or `survive`): {source}", path.display())]
    Label {
        /// The gold file.
        path: PathBuf,
        /// The error of the JSON parser.
        source: serde_json::Error,
    },
    /// A file of predictions has an invalid line.
    #[error(
        "{}: line {line} is not a prediction (a JSON object with `site`, `page` and `text`): {source}",
        path.display()
    )]
    Prediction {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A gold file labels a page that does not exist.
    #[error("{}: labels a page that is missing; expected it at {}", gold.display(), page.display())]
    PageMissing {
        /// The gold file.
        gold: PathBuf,
        /// The expected path of the page.
        page: PathBuf,
    },
}
