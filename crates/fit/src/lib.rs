//! Fits the model of method `auto`.
//!
//! ```text
//! labelled sites ─► samples ─► grown forests ─► model file
//!        └───────────────────────► scored on the sites that were left out
//! ```

pub mod early_exit;
pub mod fitting;
pub mod grow;
pub mod places;
pub mod protocol;
pub mod samples;
pub mod sites;
