//! Renders labelled pages.
//!
//! * [`text`](text()): plain text; paragraphs, list items and cells are separated
//! * [`markdown`](markdown()): headings, lists, tables, code and links as Markdown
//! * [`html`](html()): the page's original bytes with the frame cut out
//! * [`marked`](marked()): the page's original bytes with the frame marked
//! * [`metadata`](metadata()), [`page_links`](page_links()): title, author, dates, …; outgoing links
//! * [`parts`](parts()): headline, byline, date, standfirst and captions of an article;
//!   [`body_labels`] keeps only the rest
//! * [`comments`](comments()): readers' comments, with author and date
//! * [`wet_record`], [`warc_record`]: a page as a record of a WARC file
//! * [`Record`]: chosen [`Field`]s of a page as JSON; [`content_hash`](content_hash()) to detect changes;
//!   [`front_matter`](front_matter()) for Markdown files
//! * [`explained_regions`]: every region of the page with the reason for its label;
//!   [`overlay`](overlay()) shows them on the page itself
//! * [`skeleton`](skeleton()): the template as a separate document with marked content slots

mod address;
mod archive;
mod comments;
mod content_hash;
mod css_path;
mod explained;
mod front_matter;
mod html;
mod kept;
mod layout;
mod markdown;
mod marked;
mod markup;
mod metadata;
mod overlay;
mod page_links;
mod parts;
mod permalink;
mod policy;
mod record;
mod region;
mod relink;
mod skeleton;
mod tables;
mod text;

pub use archive::{ArchivedPage, UNKNOWN_DATE, archive_head, warc_record, wet_record};
pub use comments::{ReaderComment, comments};
pub use content_hash::content_hash;
pub use css_path::CssPaths;
pub use explained::{ExplainedRegion, Votes, explained_regions};
pub use front_matter::{FrontValue, front_matter};
pub use html::html;
pub use markdown::{MarkdownOptions, markdown};
pub use marked::marked;
pub use metadata::{Metadata, metadata};
pub use overlay::{Overlay, overlay};
pub use page_links::{PageLink, PageLinks, page_links};
pub use parts::{Parts, body_labels, parts};
pub use record::{Field, FieldType, FieldValue, KindRecord, Record};
pub use region::{Region, RemovedRegion, regions, removed_regions, source_ends};
pub use relink::Links;
pub use skeleton::{SkeletonOptions, View, skeleton};
pub use tables::labels_without_tables;
pub use text::text;
