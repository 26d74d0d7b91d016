//! Warnings about skipped input.

use unframe::read::Skipped;

use crate::exit::{program, say};

/// Prints a skipped input: failures always, everything with `verbose`, nothing with `quiet`.
pub fn warn_skipped(skipped: &Skipped, quiet: bool, verbose: bool) {
    if !quiet && (verbose || skipped.reason.is_failure()) {
        say(format_args!("{}: {skipped}\n", program()));
    }
}
