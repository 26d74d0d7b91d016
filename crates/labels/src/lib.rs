//! What a method says of a page: one label for every visible text, with its reason.
//!
//! ```text
//! method ─► Labels ── TextLabel, one per visible text ── Reason
//!              ├───── Flag, what a reader should know of the page
//!              └───── PageKind, Comment, Part
//!           Explanation, one per text, on request
//! ```
//!
//! Methods produce these types, renderers and faces consume them. The crate knows neither.

mod comment;
mod explanation;
mod flag;
mod labels;
mod page_kind;
mod part;
mod reason;
mod unit;

pub use comment::Comment;
pub use explanation::{Explanation, Slot};
pub use flag::Flag;
pub use labels::{Label, Labels, TextLabel};
pub use page_kind::PageKind;
pub use part::Part;
pub use reason::Reason;
pub use unit::Unit;
