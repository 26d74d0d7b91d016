//! How a program ends, and what it says on the way.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use unframe::errors::{CleanError, InputError, OutOfRange, StoreError};

/// The name of the program that runs.
static PROGRAM: OnceLock<&str> = OnceLock::new();

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

impl Error for UsageError {}

/// Says something to people. If nobody listens any more, the work goes on all the same.
pub fn say(text: std::fmt::Arguments<'_>) {
    let _ = io::stderr().write_fmt(text);
}

/// The name of the program that runs, which its messages begin with.
pub fn program() -> &'static str {
    PROGRAM.get().copied().unwrap_or("unframe")
}

/// Runs a program from its first message to its exit code. Errors of `unframe` itself are known here;
/// `is_usage` says which others mean that the arguments are wrong.
pub fn run(
    name: &'static str,
    is_usage: fn(&(dyn Error + 'static)) -> bool,
    command: impl FnOnce() -> anyhow::Result<Exit>,
) -> ExitCode {
    PROGRAM.get_or_init(|| name);
    let exit = command().unwrap_or_else(|error| report(error, is_usage));
    exit.into()
}

/// Says what went wrong, and which exit code that is. Whoever reads our output may stop reading;
/// that is no error.
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
                        | StoreError::Newer { .. }
                        | StoreError::OtherVersion { .. }
                )
            )
    });
    match usage {
        true => Exit::Usage,
        false => Exit::Incomplete,
    }
}

/// Why a run of `clean` ended before its end.
pub fn ended_early(error: CleanError) -> anyhow::Error {
    match error {
        CleanError::Output(error) => anyhow::Error::from_boxed(error),
        CleanError::Input(error) => error.into(),
        CleanError::State(error) => error.into(),
        error => anyhow::anyhow!("{error}"),
    }
}

fn is_broken_pipe(cause: &(dyn Error + 'static)) -> bool {
    let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
