//! Warnings about input that was skipped or is damaged.

use unframe::read::printable::printable;
use unframe::read::{RawPage, Skipped};

use crate::exit::{program, say};

/// Prints a skipped input: failures always, everything with `verbose`, nothing with `quiet`.
pub fn warn_skipped(skipped: &Skipped, quiet: bool, verbose: bool) {
    if !quiet && (verbose || skipped.reason.is_failure()) {
        say(format_args!("{}: {skipped}\n", program()));
    }
}

/// What is wrong with a page that is read all the same, beyond being cut.
pub fn damage(page: &RawPage) -> Option<String> {
    let name = printable(&page.name);
    let found = page.wrong_digest.or(page
        .undecodable
        .then_some("parts of it are binary data, and were left out"));
    found.map(|what| format!("{name}: {what}"))
}
