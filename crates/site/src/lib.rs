//! What has been learnt of many sites, in memory and on disk.
//!
//! ```text
//! Sites ── Memory, one a site ── rows under fingerprints
//!   └──── Store ── one file: ledger of pages + pieces of rows
//! ```
//!
//! Methods bring their own [`Memory`]; this crate keeps it: loads and lets go, commits pages as
//! whole units, never counts a page twice, and adds two stores up.

mod error;
mod memory;
mod merge;
mod piece;
mod record;
mod sites;
mod store;
mod versions;

pub use error::StoreError;
pub use memory::{BadRow, Memory, WriteRow};
pub use merge::merge;
pub use record::{Fields, PageRecord, SiteRecord};
pub use sites::{Sites, Visit};
pub use store::{FORMAT, Store};
pub use versions::{Met, TextPlaces, Version, Versions};
