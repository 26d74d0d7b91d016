//! What has been learned about many sites, in memory and on disk.
//!
//! ```text
//! Sites ── one Memory per site ── rows, keyed by fingerprints
//!   └──── Store ── one file: ledger of pages + pieces of rows
//! ```
//!
//! Each method defines its own [`Memory`]. This crate manages memories: it loads and evicts them,
//! commits pages atomically, never counts a page twice, and merges stores.

mod design_history;
mod error;
mod memory;
mod merge;
mod piece;
mod record;
mod sites;
mod store;

pub use design_history::{Design, DesignHistory, DesignMatch, TextPlaces};
pub use error::StoreError;
pub use memory::{BadRow, Memory, WriteRow};
pub use merge::merge;
pub use record::{Fields, PageRecord, SiteRecord};
pub use sites::{Sites, Visit};
pub use store::{FORMAT, Store};
