//! The service of unframe: pages in over HTTP, clean pages out, while their sites are learned.
//!
//! ```text
//! connection ─► http ─► api ──┐
//!                  ├──► lens ─┼─► engine: view · learn · label · commit ─► state
//! stdio ───────────┴──► mcp ──┘
//! ```
//!
//! In: settings. Out: a running service, or a [`Router`](axum::Router) without a socket, for tests. The library
//! below has no async code: the engine runs it on threads of its own.

pub mod app;
pub mod engine;
pub mod problem;
pub mod settings;

mod api;
mod fetching;
pub mod http;
mod lens;
mod mcp;
mod options;
mod run;

pub use options::Options;
pub use run::{RunError, run, run_stdio};
