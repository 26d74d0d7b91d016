//! A parsed page, and the views of it that the other crates share.
//!
//! ```text
//!            ┌─ Paths ──── the path of each node (tags, or tags with stable styling)
//! Page ─ Dom ┼─ segments ─ visible texts, each with a fingerprint of text and path
//!            ├─ blocks ─── runs of segments between separator tags
//!            ├─ links ──── links to other pages, as canonical URLs
//!            └─ Selector ─ elements by CSS selectors
//! ```
//!
//! A `Dom` enters; each view is computed on demand, so a method pays only for what it uses.

mod block;
mod fingerprint;
mod link;
mod memo;
mod owner_marks;
mod page;
mod path;
mod segment;
mod selector;
mod style;
pub mod tag_class;
mod text;
mod word_runs;

pub use block::{Separators, blocks};
pub use fingerprint::{Fingerprint, Kind, VERSION as FINGERPRINT_VERSION};
pub use link::{CanonicalUrl, Link, file_url, links};
pub use memo::Memo;
pub use owner_marks::{OwnerMark, owner_marks};
pub use page::{Page, content_fingerprint, page_identity};
pub use path::Paths;
pub use segment::{Segment, hidden, segments, visible_texts};
pub use selector::{BadSelector, Selector, TypePosition, escape_name, positions_of_type};
pub use style::{Style, StyleName, Styles, is_stable_id, stable_class};
pub use text::{is_blank, is_space, length, mask_digits, normalise, normalised_length, tokens};
pub use word_runs::for_each_word_run;
