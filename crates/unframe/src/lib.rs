//! Learns the frame of a web site from the site's own pages, and takes it off.
//!
//! This crate is the library's one door: it re-exports the stages and joins them in [`clean`].
//!
//! ```text
//! bytes ─► dom ─► page ─► site ─► method ─► labels ─► render
//! ```
//!
//! # A site in memory
//!
//! ```
//! use unframe::{
//!     Label, Limits, Method, Page, Stream, StreamMemory, StreamParams, Visit, page_identity,
//! };
//!
//! let method = Stream::new(StreamParams::default())?;
//! let mut memory = StreamMemory::default();
//! let page = |n: u32| {
//!     let html = format!("<div>Home · About · Contact</div><div>Story number {n}</div>");
//!     Page::parse(html.into(), None, None, &Limits::default())
//! };
//! for n in 0..5 {
//!     let (page, identity) = (page(n), page_identity(None, &n.to_string()));
//!     method.learn(&mut memory, &page, &method.view(&page), Visit::first(identity));
//! }
//! let page = page(6);
//! let labels = method.label(&memory, &method.view(&page));
//! assert_eq!(labels.texts[0].label, Label::Template);
//! assert_eq!(unframe::text(page.dom(), &labels), "Story number 6\n");
//! # Ok::<(), unframe::OutOfRange>(())
//! ```
//!
//! # A folder, an archive, a crawl
//!
//! [`clean`] reads inputs, learns, labels and hands each page to a closure of yours, in the order
//! of the input, on any number of threads with the same result. [`survey()`] looks at all pages
//! before, so that duplicates are not learnt from and templates are learnt apart; [`dedup()`] lists
//! the duplicates, [`cluster()`] the groups of pages that share a template.

mod assign;
mod clean;
mod cluster;
mod dedup;
mod drift;
mod options;
mod overrides;
mod parsed;
mod summary;
mod survey;
mod template;
mod url_pattern;

pub use assign::{Assigned, Assigner};
pub use clean::{CleanError, CleanPage, clean};
pub use cluster::{
    ClusterError, ClusterOptions, Clustered, Heap, PageGroup, cluster, representatives,
};
pub use dedup::{DedupError, Deduped, DuplicateGroup, KeepPage, NamedPage, dedup};
pub use drift::Drift;
pub use options::{CleanOptions, Pass, Progress, Wanted};
pub use overrides::Overrides;
pub use parsed::NoThreads;
pub use summary::Summary;
pub use survey::{ClusterBy, Fate, Survey, SurveyError, SurveyOptions, survey};
#[cfg(feature = "fetch")]
pub use template::LivePages;
pub use template::{PagesAtHand, is_asked_for, page_url};

pub use unframe_dom::{Cut, Dom, Limits, Node, NodeId, Span, Tag, decode, parse};
#[cfg(feature = "fetch")]
pub use unframe_fetch as fetch;
pub use unframe_methods::{
    Auto, AutoMemory, Chunk, ChunkKey, ChunkMemory, ChunkParams, ChunkRules, Chunks, Delimiters,
    Explanation, Flag, Label, Labels, Lean, LinksMemory, LinksMethod, LinksParams, LinksPreset,
    Mdl, MdlMemory, Method, NoMemory, OutOfRange, PageChunks, Preset, Reason, Remove, Slot, Stream,
    StreamMemory, StreamParams, Text, TextLabel, Threshold, auto, chunks, frame_nodes, links,
    stream,
};
pub use unframe_page::{
    BadSelector, CanonicalUrl, Fingerprint, Link, OwnerMark, Page, Paths, Segment, Selector,
    Separators, blocks, content_fingerprint, file_url, links, normalise, owner_marks,
    page_identity, segments, tokens, visible_texts,
};
pub use unframe_read::{
    InputError, InputFiles, Inputs, Item, RawPage, ReadOptions, SiteFrom, Skipped,
};
pub use unframe_render::{
    ArchivedPage, CssPaths, ExplainedRegion, Links, MarkdownOptions, Metadata, Overlay, PageLink,
    PageLinks, Record, Region, RemovedRegion, SkeletonOptions, View, archive_head,
    explained_regions, html, markdown, marked, metadata, overlay, page_links, regions,
    removed_regions, skeleton, source_ends, text, warc_record, wet_record,
};
pub use unframe_site::{
    Memory, PageRecord, SiteRecord, Sites, Store, StoreError, Version, Versions, Visit, merge,
};
pub use unframe_survey::{
    BadCutOffs, Duplicates, Frequencies, IMatchParams, Lexicon, MinMaxParams, PathSet, PathSets,
    Signature, Terms, kept_pages, mdl, min_max,
};
