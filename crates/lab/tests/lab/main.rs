//! What a user sees of the built laboratory: files, streams, messages and exit codes.
//!
//! All tests start the real `unframe-lab`; nothing here calls the library.

#[path = "../../../cli/tests/cli/harness.rs"]
#[allow(dead_code)]
mod harness;

mod bench;
mod fit;
mod help;
mod reproduce;
mod search_report;
mod teco;

/// What is tested.
const BINARY: &str = env!("CARGO_BIN_EXE_unframe-lab");
