//! Exit codes and error messages.

use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::sync::OnceLock;

pub use crate::terminal::say;
use unframe::errors::{CleanError, InputError, OutOfRange, StoreError};

/// The name of the program that runs.
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Done = 0,
    /// No page was found, some pages failed, or the run could not continue.
    Incomplete = 1,
    /// The arguments are wrong.
    Usage = 2,
    /// Success, but pages of a site do not fit what was learned before (with `--fail-on-drift`).
    Drift = 3,
    /// Interrupted with Ctrl-C.
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

impl Error for UsageError {}

/// The name of the running program, the prefix of its messages.
pub fn program() -> &'static str {
    PROGRAM.get().copied().unwrap_or("unframe")
}

/// Runs a program, prints its error, and returns its exit code. `is_usage` tells which errors, beyond
/// those of `unframe` itself, are caused by wrong arguments.
pub fn run(
    name: &'static str,
    is_usage: fn(&(dyn Error + 'static)) -> bool,
    command: impl FnOnce() -> anyhow::Result<Exit>,
) -> Exit {
    PROGRAM.get_or_init(|| name);
    command().unwrap_or_else(|error| report(error, is_usage))
}

/// Prints an error and returns its exit code. A broken pipe is not an error: the reader may stop early.
fn report(error: anyhow::Error, is_usage: fn(&(dyn Error + 'static)) -> bool) -> Exit {
    if error.chain().any(is_broken_pipe) {
        return Exit::Done;
    }
    say(format_args!("{}: {error:#}\n", program()));
    let usage = error.chain().any(|cause| {
        cause.is::<UsageError>()
            || cause.is::<InputError>()
            || cause.is::<OutOfRange>()
            || is_usage(cause)
            || matches!(
                cause.downcast_ref(),
                Some(
                    StoreError::Foreign(_)
                        | StoreError::Missing(_)
                        | StoreError::NoFolder { .. }
                        | StoreError::NotAFile { .. }
                        | StoreError::Empty(_)
                        | StoreError::Earlier(_)
                        | StoreError::Newer { .. }
                        | StoreError::OtherVersion { .. }
                        | StoreError::OtherParameters { .. }
                )
            )
    });
    match usage {
        true => Exit::Usage,
        false => Exit::Incomplete,
    }
}

/// Converts the error that ended a run of `clean` early.
pub fn ended_early(error: CleanError) -> anyhow::Error {
    match error {
        CleanError::Output(error) => match error.downcast::<UsageError>() {
            Ok(error) => (*error).into(),
            Err(error) => anyhow::Error::from_boxed(error),
        },
        CleanError::Input(error) => error.into(),
        CleanError::State(error) => error.into(),
        error => anyhow::anyhow!("{error}"),
    }
}

fn is_broken_pipe(cause: &(dyn Error + 'static)) -> bool {
    let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
