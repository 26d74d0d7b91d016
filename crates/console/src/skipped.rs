//! What gave no page, as it is told to people.

use unframe::read::Skipped;

use crate::exit::{program, say};

/// Names what gave no page: what may have been one, and everything to who wants to hear more.
pub fn warn_skipped(skipped: &Skipped, quiet: bool, verbose: bool) {
    if !quiet && (verbose || skipped.reason.is_failure()) {
        say(format_args!("{}: {skipped}\n", program()));
    }
}
