//! One file for each command.

pub mod bench;
pub mod clean;
pub mod cluster;
pub mod dedup;
pub mod reproduce;
pub mod search;
pub mod search_report;
pub mod state;
pub mod template;
pub mod why;
