//! What a run says at its end.

mod account;
mod search_page;

pub use account::{Account, TableSize};
pub use search_page::{QuerySource, SearchReport, search_page};

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
