//! Errors in the arguments themselves. They end the run before anything is read. Whatever goes
//! wrong later is a [`Skipped`](crate::Skipped) item and does not end the run.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::printable::{printable, shown};

/// An argument that cannot be used as an input. Every message says what to type instead.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// There are no arguments.
    #[error("no input: name a file, a directory or a glob, or `-` for standard input")]
    None,
    /// The path does not exist.
    #[error("{}: not found\n  hint: check the spelling, or list {} to see what is there", shown(.path), shown(.nearest))]
    NotFound {
        /// The argument.
        path: PathBuf,
        /// The closest directory above it that exists.
        nearest: PathBuf,
    },
    /// The argument is a URL.
    #[error(
        "{url}: a URL; pages are read from files, and nothing is fetched\n  hint: `curl -sL '{url}' | unframe clean - --url '{url}'` cleans the page; `unframe template '{url}'` fetches pages of its site itself",
        url = printable(.0)
    )]
    Url(String),
    /// The path is a link to something that does not exist.
    #[error("{}: a link to {}, which does not exist\n  hint: name the file it should point to", shown(.path), shown(.target))]
    DanglingLink {
        /// The argument.
        path: PathBuf,
        /// The target of the link.
        target: PathBuf,
    },
    /// The pattern matches nothing.
    #[error("{}: the pattern matches no file\n  hint: `**` matches folders at any depth, as in `{base}**/*.html`; or name the directory {base} itself", printable(.pattern), base = shown(.base))]
    GlobWithoutMatch {
        /// The argument.
        pattern: String,
        /// The part of it before the first wildcard.
        base: PathBuf,
    },
    /// The pattern is malformed.
    #[error(
        "{}: not a valid pattern ({reason})\n  hint: put a wildcard that is part of a file name in brackets, as in `[*]`",
        printable(.pattern)
    )]
    BadGlob {
        /// The argument.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The path is neither a file, a directory nor a pipe.
    #[error("{}: {what}, which cannot be read as pages\n  hint: name a file, a directory, or `-` for standard input", shown(.path))]
    UnknownKind {
        /// The argument.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The system does not even report what kind of file the path is.
    #[error("{}: {reason}\n  hint: check the permissions of the directories above it", shown(.path))]
    Unreadable {
        /// The argument.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// `-` was given more than once.
    #[error(
        "`-` is given twice, but standard input can be read only once\n  hint: leave one out; write `./-` for a file called `-`"
    )]
    StdinTwice,
    /// Pages that were handed over are requested again, and were not kept.
    #[error("the pages that were handed over cannot be read again: {0}")]
    NotKept(String),
    /// A stream that was read without spooling is requested again.
    #[error(
        "{name}: already read, and a stream cannot be read twice\n  hint: save it to a file and name that file"
    )]
    AlreadyRead {
        /// The stream.
        name: String,
    },
}
