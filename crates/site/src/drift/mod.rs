//! The designs of a site over time, and the pages that do not fit them.

mod history;
mod watch;

pub use history::{Design, DesignHistory, DesignMatch, TextPlaces};
pub use watch::{Drift, DriftWatch};
