//! A labelled page in, something to read out.
//!
//! * [`text`](text()): plain text, paragraphs, list items and cells apart
//! * [`html`](html()): the page's original bytes with the frame cut out
//! * [`Record`]: text, removed regions and their evidence as JSON
//! * [`explained_regions`]: every part of the page with why it got its label; [`overlay`](overlay())
//!   shows them on the page itself
//! * [`skeleton`](skeleton()): the template as a document of its own, content slots marked

mod explained;
mod html;
mod layout;
mod overlay;
mod record;
mod region;
mod relink;
mod skeleton;
mod text;

pub use explained::{ExplainedRegion, explained_regions};
pub use html::html;
pub use overlay::{Overlay, overlay};
pub use record::Record;
pub use region::{Region, RemovedRegion, regions, removed_regions, source_ends};
pub use relink::Links;
pub use skeleton::{SkeletonOptions, View, skeleton};
pub use text::text;
