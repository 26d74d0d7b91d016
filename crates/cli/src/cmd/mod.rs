//! One file for each command.

pub mod clean;
pub mod cluster;
pub mod completions;
pub mod dedup;
pub mod man;
#[cfg(feature = "serve")]
pub mod mcp;
pub mod methods;
pub mod rules;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod state;
pub mod template;
pub mod why;
