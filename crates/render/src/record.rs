//! One page's result as JSON.

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
    /// The site that it was counted to.
    pub site: String,
    /// The text of its `<title>`.
    pub title: String,
    /// What the page states of itself; fields that it does not state are left out.
    pub metadata: Metadata,
    /// What is left.
    pub text: String,
    /// Where it leads: its own links, and those of the frame.
    pub links: PageLinks,
    /// What went, and why.
    pub removed: Vec<RemovedRegion>,
    /// Share of the visible text, by length, that went.
    pub template_share: f64,
    /// What a reader should know: `truncated`, `suspicious`, …
    pub flags: Vec<Flag>,
    /// Pages of the site that had been learnt when the page was labelled.
    pub state_pages: u64,
}
