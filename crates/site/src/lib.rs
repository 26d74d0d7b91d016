//! What has been learned of many sites, in memory and on disk.
//!
//! ```text
//! Sites ── Memory, one per site ── rows under fingerprints
//!   └──── Store ── one file that grows at its end: pieces of sites, each with rows and a ledger of pages
//! ```
//!
//! Methods bring their own [`Memory`]. This crate keeps it: it loads and drops memories, commits
//! pages as whole units, never counts a page twice, and adds two stores up.

mod coding;
mod drift;
mod error;
mod figure;
mod frames;
mod ledger;
mod lists;
mod memory;
mod merge;
mod open;
mod piece;
mod record;
mod rows;
mod sampling;
mod sites;
mod size;
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
pub use sites::{Sites, Versions, Visit};
pub use size::{StateSize, map_bytes, set_bytes};
pub use store::Store;
#[cfg(feature = "store")]
pub use store::{Compacted, FORMAT, Spent};
