//! How a command ends.

use std::io::{self, Write};
use std::process::ExitCode;

use unframe::{CleanError, InputError, OutOfRange, StoreError};
use unframe_search::SearchError;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All was done.
    Done = 0,
    /// Nothing was found, some pages failed, or the run could not go on.
    Incomplete = 1,
    /// The arguments are wrong.
    Usage = 2,
    /// All was done, but pages of a site do not fit what was learnt (with `--fail-on-drift`).
    Drift = 3,
    /// Somebody pressed Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A mistake in the arguments, with what to type instead.
#[derive(Debug)]
pub struct UsageError(pub String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Says something to people. If nobody listens any more, the work goes on all the same.
pub fn say(text: std::fmt::Arguments<'_>) {
    let _ = io::stderr().write_fmt(text);
}

/// Says what went wrong, and which exit code that is. Whoever reads our output may stop reading;
/// that is no error.
pub fn report(error: anyhow::Error) -> Exit {
    if error.chain().any(is_broken_pipe) {
        return Exit::Done;
    }
    say(format_args!("unframe: {error:#}\n"));
    let usage = error.chain().any(|cause| {
        cause.is::<UsageError>()
            || cause.is::<InputError>()
            || cause.is::<OutOfRange>()
            || cause.is::<unframe_eval::EvalError>()
            || cause
                .downcast_ref::<SearchError>()
                .is_some_and(SearchError::is_wrong_use)
            || matches!(
                cause.downcast_ref(),
                Some(StoreError::Foreign(_) | StoreError::Missing(_) | StoreError::Newer { .. })
            )
    });
    match usage {
        true => Exit::Usage,
        false => Exit::Incomplete,
    }
}

/// Why a run of `clean` ended before its end.
pub fn ended_early(error: CleanError<anyhow::Error>) -> anyhow::Error {
    match error {
        CleanError::Output(error) => error,
        CleanError::Input(error) => error.into(),
        CleanError::State(error) => error.into(),
        error => anyhow::anyhow!("{error}"),
    }
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
