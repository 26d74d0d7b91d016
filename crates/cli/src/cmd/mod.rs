//! One file for each command.

pub mod clean;
pub mod cluster;
pub mod completions;
pub mod dedup;
pub mod man;
pub mod methods;
pub mod rules;
#[cfg(feature = "search")]
pub mod search;
pub mod state;
pub mod template;
pub mod why;
