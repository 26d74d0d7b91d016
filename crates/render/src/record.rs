//! The JSON record of a cleaned page.

use serde::Serialize;
use unframe_labels::Flag;

use crate::metadata::Metadata;
use crate::page_links::PageLinks;
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
    /// The kept text.
    pub text: String,
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
