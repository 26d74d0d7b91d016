//! A labelled page in, something to read out.
//!
//! * [`text`](text()): plain text, paragraphs, list items and cells apart
//! * [`html`](html()): the page's original bytes with the frame cut out
//! * [`Record`]: text, removed regions and their evidence as JSON
//! * [`skeleton`](skeleton()): the template as a document of its own, content slots marked

mod html;
mod layout;
mod record;
mod region;
mod relink;
mod skeleton;
mod text;

pub use html::html;
pub use record::Record;
pub use region::{Region, RemovedRegion, regions, removed_regions, source_ends};
pub use relink::Links;
pub use skeleton::{SkeletonOptions, View, skeleton};
pub use text::text;
