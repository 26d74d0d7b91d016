//! One file or folder for each command.

pub mod bench;
pub mod fit;
pub mod fit_places;
pub mod reproduce;
#[cfg(feature = "search")]
pub mod search_report;
pub mod whole;
