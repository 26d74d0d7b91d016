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

pub use lifetime::lifetime;
pub use memory::{Seen, StreamMemory};

use unframe_dom::NodeId;
use unframe_page::{Page, Paths, Segment, Separators, blocks, normalise, segments};
use unframe_site::Visit;

use crate::explanation::Explanation;
use crate::labels::{Label, Labels, Reason, TextLabel};
use crate::method::Method;
use crate::out_of_range::OutOfRange;

/// The parameters of the paper.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreamParams {
    /// Number of pages that must contain a segment for it to be a template segment (the *DF* of
    /// §2.3). At least 2; the paper's 5 is the default. Raising it removes less, and later.
    pub df: u32,
    /// Share of a block's length that template segments must exceed (*template ratio*, §2.3).
    /// Between 0 and 1, default 0.7. Raising it removes fewer blocks.
    pub ratio: f64,
    /// Lifetime, in pages, of a segment seen once (*Tb*, §2.4). At least 1. The paper does not say
    /// what it used; default 50. Raising it finds rarer frames and needs more memory.
    pub tb: f64,
    /// How many times longer a segment of high DF lives (*N*, §2.4: the upper bound is Tb·N). At
    /// least 1; with 1 all live equally long. Not given in the paper; default 20.
    pub n: f64,
    /// The tags between blocks (§2.1: "TABLE, DIV, etc."). Default `table` and `div`;
    /// [`Separators::modern`] suits modern pages.
    pub separators: Separators,
}

impl Default for StreamParams {
    fn default() -> Self {
        StreamParams {
            df: 5,
            ratio: 0.7,
            tb: 50.0,
            n: 20.0,
            separators: Separators::table_and_div(),
        }
    }
}

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
        let check = |name, value: f64, ok: bool, range| match ok {
            true => Ok(()),
            false => Err(OutOfRange {
                name,
                value: value.to_string(),
                range,
            }),
        };
        let StreamParams {
            df, ratio, tb, n, ..
        } = params;
        check("df", df.into(), df >= 2, "at least 2")?;
        check(
            "ratio",
            ratio,
            ratio > 0.0 && ratio < 1.0,
            "between 0 and 1",
        )?;
        let bounded = |x: f64| (1.0..=1e9).contains(&x);
        check("tb", tb, bounded(tb), "at least 1 and at most 1e9")?;
        check("n", n, bounded(n), "at least 1 and at most 1e9")?;
        Ok(Stream { params })
    }

    /// The parameters.
    pub fn params(&self) -> &StreamParams {
        &self.params
    }
}

impl Method for Stream {
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
