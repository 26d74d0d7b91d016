//! Command line code shared by the programs of `unframe`.
//!
//! In: arguments as typed, and errors. Out: open inputs, a method with its parameters, progress and
//! warnings on standard error, and an exit code. Code that only one program needs belongs to that
//! program.

pub mod atomic_file;
pub mod exit;
pub mod input_args;
pub mod jobs_args;
pub mod method_args;
pub mod method_help;
pub mod param_flags;
pub mod progress;
pub mod report_file;
pub mod skipped;
pub mod survey_args;
pub mod terminal;
