//! What the programs of `unframe` share on the command line.
//!
//! What enters: arguments as people type them, and what goes wrong. What leaves: open inputs, a
//! method with its parameters, progress and warnings on standard error, and an exit code. What only
//! one program needs is part of that program.

pub mod exit;
pub mod input_args;
pub mod jobs_args;
pub mod method_args;
pub mod param_flags;
pub mod progress;
pub mod report_file;
pub mod skipped;
pub mod survey_args;
