//! Many pages of many sites: from inputs to a [`Sink`].
//!
//! ```text
//! Inputs ─► parsed in batches, on all threads ─► learned in order ─► labelled ─► Sink, in order
//! ```

mod assigner;
mod held;
mod options;
pub(crate) mod parsed;
mod run;
mod sink;
pub(crate) mod summary;

pub use assigner::{Assigned, Assigner};
pub use options::{CleanOptions, MemoryShares, Pass, Progress, Wanted};
pub use parsed::NoThreads;
pub use run::{CleanError, clean, learn};
pub use sink::{BoxError, Sink};
pub use summary::Summary;
pub use unframe_site::{Drift, StateSize};
