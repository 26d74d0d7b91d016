//! What a user sees of `unframe-lab`: files, streams, messages and exit codes.
//!
//! All tests start the built binary. Only `quality` calls the library too, to compare with it.

#[path = "../../../cli/tests/cli/harness.rs"]
#[allow(dead_code)]
mod harness;

mod bench;
mod fit;
mod help;
mod quality;
mod reproduce;
mod search_report;
mod teco;
mod whole;

/// What is tested.
const BINARY: &str = env!("CARGO_BIN_EXE_unframe-lab");
