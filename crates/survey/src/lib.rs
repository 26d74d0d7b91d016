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
//! that occur.
//!
//! ```
//! use unframe_survey::{Duplicates, Frequencies, IMatchParams, Terms};
//!
//! let pages = ["Gale warning for the outer banks", "tide tables", "Gale warning for the OUTER banks"];
//! let pages = pages.map(|text| Terms::of_texts([text]));
//! let mut frequencies = Frequencies::default();
//! pages.iter().for_each(|terms| frequencies.add(terms));
//! let lexicon = frequencies.lexicon(&IMatchParams::default());
//! let mut duplicates = Duplicates::default();
//! let mut kept = Vec::new();
//! for (number, terms) in (0..).zip(&pages) {
//!     kept.push(duplicates.meet(0, lexicon.signature(terms), number));
//! }
//! assert_eq!(kept, [0, 1, 0]);
//! ```

mod duplicates;
mod imatch;
mod min_max;
mod path_set;
mod terms;

pub use duplicates::Duplicates;
pub use imatch::{BadCutOffs, Frequencies, IMatchParams, Lexicon, Signature};
pub use min_max::{MinMaxParams, min_max};
pub use path_set::{PathSet, PathSets};
pub use terms::Terms;
