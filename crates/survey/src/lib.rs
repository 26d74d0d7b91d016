//! Analyses the pages of a site before learning begins.
//!
//! ```text
//!            ┌─ Terms ── Frequencies ─► Lexicon ─► Signature ─► Duplicates    which pages are the same
//! Page ─ Dom ┤
//!            └─ PathSet ─ PathSets ─► min_max                                which pages look alike
//! ```
//!
//! Both analyses need a full pass over all pages before they return anything, and neither holds
//! pages in memory: the first keeps a number for each distinct term and a signature for each page,
//! the second the distinct path sets. For pages that are in memory anyway, [`kept_pages`] is easier
//! to use.

mod ascending;
mod duplicates;
mod imatch;
pub mod mdl;
mod min_max;
mod path_set;
mod terms;

pub use duplicates::{Duplicates, kept_pages};
pub use imatch::{BadCutOffs, Frequencies, IMatchParams, Lexicon, Signature};
pub use min_max::{MinMaxParams, min_max};
pub use path_set::{PathSet, PathSets};
pub use terms::Terms;
