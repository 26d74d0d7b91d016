//! What has been learned of many sites, in memory and on disk.
//!
//! ```text
//! Sites ── Memory, one per site ── rows under fingerprints
//!   └──── Store ── one file: ledger of pages + pieces of rows
//! ```
//!
//! Methods bring their own [`Memory`]. This crate keeps it: it loads and drops memories, commits
//! pages as whole units, never counts a page twice, and adds two stores up.

mod drift;
mod error;
mod figure;
mod memory;
mod merge;
mod piece;
mod record;
mod sampling;
mod sites;
mod snapshot;
#[cfg(feature = "store")]
mod store;
#[cfg(not(feature = "store"))]
#[path = "no_store.rs"]
mod store;

pub use drift::{Design, DesignHistory, DesignMatch, Drift, DriftWatch, TextPlaces};
pub use error::StoreError;
pub use figure::{Amount, Figure, FrameText, bytes, count};
pub use memory::{BadRow, Memory, MemoryKind, Row, WriteRow};
pub use merge::merge;
pub use record::{Fields, PageRecord, SiteRecord};
pub use sampling::Sampling;
pub use sites::{Sites, Visit};
#[cfg(feature = "store")]
pub use store::FORMAT;
pub use store::Store;
