//! What a run says at its end.

mod account;
mod dedup_account;
mod learnt;
mod search_page;

use std::fmt;

use unframe::Skipped;

use crate::exit::say;

pub use account::Account;
pub use dedup_account::DedupAccount;
pub use learnt::Learnt;
pub use search_page::{QuerySource, SearchReport, search_page};

/// Names what gave no page: what may have been one, and everything to who wants to hear more.
pub fn warn_skipped(skipped: &Skipped, quiet: bool, verbose: bool) {
    if !quiet && (verbose || skipped.reason.is_failure()) {
        say(format_args!("unframe: {skipped}\n"));
    }
}

/// A number of bytes for people.
pub fn bytes(count: f64) -> String {
    match count {
        c if c >= 1e9 => format!("{:.1} GB", c / 1e9),
        c if c >= 1e6 => format!("{:.1} MB", c / 1e6),
        c if c >= 1e3 => format!("{:.1} kB", c / 1e3),
        c => format!("{c:.0} B"),
    }
}

/// `1 page`, `2 pages`.
pub fn count(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// A line with what was counted, if anything was.
pub fn list<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    items: impl Iterator<Item = (&'a str, u64)>,
) -> fmt::Result {
    let items: Vec<String> = items
        .map(|(name, number)| format!("{number} {name}"))
        .collect();
    match items.is_empty() {
        true => Ok(()),
        false => writeln!(f, "{title}: {}", items.join(", ")),
    }
}
