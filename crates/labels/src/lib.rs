//! What a method says of a page: one label for every visible text, with its reason.
//!
//! ```text
//! method ─► Labels ── TextLabel, one per visible text ── Reason
//!              └───── Flag, what a reader should know of the page
//!           Explanation, one per text, on request
//! ```
//!
//! Methods produce these types, renderers and faces consume them. The crate knows neither.

mod explanation;
mod flag;
mod labels;
mod reason;

pub use explanation::{Explanation, Slot};
pub use flag::Flag;
pub use labels::{Label, Labels, TextLabel};
pub use reason::Reason;
