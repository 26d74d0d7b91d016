//! What a user sees of the built binary: files, streams, messages and exit codes.
//!
//! All tests start the real `unframe`; nothing here calls the library.

mod harness;

mod auto;
mod bad_arguments;
mod bad_input;
mod cases;
mod chunks;
mod clean;
mod cluster;
mod dedup;
mod drift;
mod durability;
mod formats;
mod help;
mod laws;
mod links;
mod mdl;
mod noscript;
mod old_states;
mod outputs;
mod overwriting;
mod records;
mod resume;
mod rules;
mod safety;
mod search;
mod selecting;
mod serve;
mod state;
mod template;
mod template_links;
mod template_state;
mod untrusted;
mod why;

/// What is tested.
const BINARY: &str = env!("CARGO_BIN_EXE_unframe");
