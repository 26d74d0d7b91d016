//! What is found out about the pages of a site before learning begins.
//!
//! ```text
//!            ┌─ Terms ── Frequencies ─► Lexicon ─► Signature ─► Duplicates    which pages are the same
//! Page ─ Dom ┤
//!            └─ PathSet ─ PathSets ─► min_max                                which pages look alike
//! ```
//!
//! Both need all pages once before they can say anything, and neither holds a page: the first
//! keeps a number for each distinct term and a signature for each page, the second the path sets
//! that occur. Pages that are in memory anyway are easier to ask with [`kept_pages`].

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
