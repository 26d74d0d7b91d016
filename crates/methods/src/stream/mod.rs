//! `stream`: incremental template detection (Wang, Fang, Cheng, Guo, Xu: *Incremental Web Page
//! Template Detection*, WWW 2008).
//!
//! Each page is processed in four steps as soon as it arrives, and no page is stored:
//!
//! 1. *Segmentation*: separator tags divide the page into blocks, tags divide blocks into text
//!    segments.
//! 2. *Expansion*: each distinct segment (text at a tag path) of the page adds one to its document
//!    frequency in the segment table.
//! 3. *Detection*: a segment with DF ≥ 5 is a template segment; a block in which more than 0.7 of
//!    the length is in template segments is a template block.
//! 4. *Shrinkage*: a segment not seen for longer than its lifetime, which grows with its DF by a
//!    logistic function, is dropped from the table.
//!
//! Where the paper leaves something open: a path consists of tag names without indices, a length is
//! counted in Unicode scalar values after normalisation, a page seen again changes nothing, and a
//! changed page replaces its earlier version. Besides labels on arrival, as in the paper, a page
//! can be labelled again after all pages have been learned.

mod lifetime;
mod memory;
mod params;

pub use lifetime::lifetime;
pub use memory::{Seen, StreamMemory};
pub use params::StreamParams;

use unframe_dom::NodeId;
use unframe_page::{Page, Paths, Segment, blocks, normalise, segments};
use unframe_site::{Amount, Figure, SiteRecord, Visit, bytes};

use unframe_labels::{Explanation, Label, Labels, Reason, TextLabel};

use crate::learned::Learned;
use crate::method::Method;
use crate::out_of_range::OutOfRange;
use crate::registry::{Registered, RunKey};

/// The method.
#[derive(Clone, Debug)]
pub struct Stream {
    params: StreamParams,
}

/// The blocks and segments of one page.
#[derive(Clone, Debug)]
pub struct StreamView {
    segments: Vec<Segment>,
    blocks: Vec<u32>,
}

impl Stream {
    /// Checks the parameters.
    pub fn new(params: StreamParams) -> Result<Self, OutOfRange> {
        params.check_ranges()?;
        Ok(Stream { params })
    }

    /// The parameters.
    pub fn params(&self) -> &StreamParams {
        &self.params
    }
}

impl Registered for Stream {
    type Params = StreamParams;
    const SOURCE: &'static str = "Wang et al., WWW 2008";
    const SUMMARY: &'static str = "counts texts as pages arrive, and forgets them after a while";
    const RUN_KEYS: &'static [RunKey] = &[RunKey::Arrival, RunKey::Cluster];

    fn build(params: StreamParams, _: bool) -> Result<Self, String> {
        Stream::new(params).map_err(|error| error.to_string())
    }
}

/// Pages in a batch of the methods that the paper compares with (§3: 24 on average).
const PAPER_BATCH: f64 = 24.0;

impl Method for Stream {
    const NAME: &'static str = "stream";
    const VERSION: u32 = 2;

    type Memory = StreamMemory;
    type View = StreamView;

    fn needs_pages(&self) -> u64 {
        self.params.df.into()
    }

    /// Step 1.
    fn view(&self, page: &Page) -> StreamView {
        let segments = segments(page.dom(), &Paths::tags(page.dom()));
        let blocks = blocks(page.dom(), &segments, &self.params.separators);
        StreamView { segments, blocks }
    }

    /// Steps 2 and 4.
    fn learn(
        &self,
        memory: &mut StreamMemory,
        page: &Page,
        view: &StreamView,
        visit: Visit<'_>,
    ) -> Vec<u8> {
        let mut normal = String::new();
        let mut text_of = |node: NodeId| normalise(page.dom().text(node), &mut normal).to_string();
        memory.learn(&self.params, &view.segments, visit, &mut text_of)
    }

    /// Step 3.
    fn label(&self, memory: &StreamMemory, view: &StreamView) -> Labels {
        let mut labels = Labels::default();
        let mut from = 0;
        while from < view.segments.len() {
            let block = view.blocks[from];
            let length = view.blocks[from..]
                .iter()
                .take_while(|b| **b == block)
                .count();
            let block = &view.segments[from..from + length];
            let (label, reason) = self.label_block(memory, block);
            let number = labels.reasons.len() as u32;
            labels.reasons.push(reason);
            labels.texts.extend(block.iter().map(|segment| TextLabel {
                node: segment.node,
                length: segment.length,
                label,
                reason: number,
            }));
            from += length;
        }
        labels
    }

    /// Blocks decide, but each text has its own page count.
    fn explain(
        &self,
        memory: &StreamMemory,
        view: &StreamView,
        labels: &Labels,
    ) -> Vec<Explanation> {
        let mut found = Explanation::by_reasons(labels, true);
        let pages = u32::try_from(memory.pages()).unwrap_or(u32::MAX);
        for (explanation, segment) in found.iter_mut().zip(&view.segments) {
            let others = memory.df(segment.key).saturating_sub(1);
            explanation.seen = Some((others, pages.saturating_sub(1)));
        }
        found
    }

    /// What the segment tables take, compared with keeping pages as batch methods do.
    fn learned(&self, sites: &[(&StreamMemory, &SiteRecord)]) -> Learned {
        let criterion = "on several pages (--df)";
        let (mut size, mut dropped, mut cached_pages, mut number) = (0.0, 0, 0.0, 0.0);
        for (memory, record) in sites.iter().filter(|(_, record)| record.pages > 0) {
            size += memory.average_size();
            dropped += memory.dropped();
            let page = record.bytes as f64 / record.pages as f64;
            cached_pages += page * PAPER_BATCH.min(record.pages as f64);
            number += 1.0;
        }
        if cached_pages == 0.0 {
            return Learned {
                criterion,
                ..Learned::default()
            };
        }
        let (average_size, saving) = (size / number, 1.0 - size / cached_pages);
        let cached_pages = cached_pages / number;
        let forgotten = match dropped {
            0 => String::new(),
            dropped => format!("; dropped {dropped} texts not seen for long"),
        };
        Learned {
            name: "table",
            figures: vec![
                Figure::new("average_size", Amount::Mean(average_size)),
                Figure::new("cached_pages", Amount::Mean(cached_pages)),
                Figure::new("saving", Amount::Mean(saving)),
                Figure::count("dropped", dropped),
            ],
            line: format!(
                "learned: a table of {} per site on average; caching up to {PAPER_BATCH} pages would \
                 take {} ({:.1} % saved){forgotten}",
                bytes(average_size),
                bytes(cached_pages),
                100.0 * saving,
            ),
            hint: None,
            criterion,
        }
    }
}

impl Stream {
    fn label_block(&self, memory: &StreamMemory, block: &[Segment]) -> (Label, Reason) {
        let (mut all, mut template, mut repeating) = (0u64, 0u64, 0);
        let (mut df_min, mut df_max) = (u32::MAX, 0);
        for segment in block {
            let df = memory.df(segment.key);
            (df_min, df_max) = (df_min.min(df), df_max.max(df));
            all += u64::from(segment.length);
            if df >= self.params.df {
                repeating += 1;
                template += u64::from(segment.length);
            }
        }
        // Computed as a quotient rather than a product with the ratio: this way 91 of 130 is
        // exactly 0.7.
        let ratio = template as f64 / all as f64;
        let label = match ratio > self.params.ratio {
            true => Label::Template,
            false => Label::Content,
        };
        let reason = Reason::BlockRatio {
            ratio,
            above: self.params.ratio,
            segments: block.len() as u32,
            repeating,
            df_min,
            df_max,
            df: self.params.df,
            pages: memory.pages(),
        };
        (label, reason)
    }
}

#[cfg(test)]
mod tests;
