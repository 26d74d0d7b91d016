//! The JSON record of a cleaned page.

use serde::Serialize;
use unframe_labels::{Flag, PageKind};

use crate::comments::ReaderComment;
use crate::metadata::Metadata;
use crate::page_links::PageLinks;
use crate::parts::Parts;
use crate::region::RemovedRegion;

/// A cleaned page.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// URL, where the source states one; else the page's name in the input.
    pub url: String,
    /// The page's name in the input.
    pub source: String,
    /// The site that it belongs to.
    pub site: String,
    /// The text of its `<title>`.
    pub title: String,
    /// Metadata that the page states; missing fields are left out.
    pub metadata: Metadata,
    /// What kind of page it is, if the method judges it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindRecord>,
    /// The kept text, or only its body.
    pub text: String,
    /// The parts of the kept text that are not its body, as far as the page has them.
    #[serde(skip_serializing_if = "Parts::is_empty")]
    pub parts: Parts,
    /// Readers' comments, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<ReaderComment>,
    /// Links of the content, and of the frame.
    pub links: PageLinks,
    /// The removed regions, with reasons.
    pub removed: Vec<RemovedRegion>,
    /// Share of the visible text, by length, that was removed.
    pub template_share: f64,
    /// Flags of the page: `truncated`, `suspicious`, …
    pub flags: Vec<Flag>,
    /// Number of pages of the site that were learned when the page was labelled.
    pub state_pages: u64,
}

/// The kind of a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KindRecord {
    /// The most probable kind.
    pub name: PageKind,
    /// How probable it is, from 0 to 1.
    pub probability: f64,
}
