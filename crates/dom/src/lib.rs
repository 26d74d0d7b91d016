//! Parses the bytes of a web page into a flat tree with source positions.
//!
//! ```text
//! bytes ─ decode ─► text ─ parse ─► Dom
//!            └── SourceMap ──► back to the bytes
//! ```
//!
//! Parsing never fails. Pages in unknown charsets, broken markup and pages of hostile size all
//! become a tree, cut where [`Limits`] require it. The tree is the one that the HTML standard
//! prescribes.

mod arena;
mod attribute;
mod build;
mod charset;
mod entity;
mod fast_lane;
mod gathered;
mod glue;
mod growing_tree;
mod known_names;
mod limits;
mod page_bytes;
mod parse;
mod pausing_reader;
mod shown;
mod source_map;
mod tag;
mod tag_set;
mod tree;

pub use charset::{CharsetSource, Decoded, decode};
pub use limits::{Cut, Limits};
pub use page_bytes::PageBytes;
pub use parse::{Scripts, parse, parse_as};
pub use source_map::SourceMap;
pub use tag::Tag;
pub use tag_set::TagSet;
pub use tree::{Dom, Node, NodeId, Span};
