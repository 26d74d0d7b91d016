//! `chunks`: table text chunks (Ma, Goharian, Chowdhury: *Extracting Unstructured Data from
//! Template Generated Web Documents*, 2003; with Chung at CIKM 2003).
//!
//! A chunk is the text between two closest delimiter tags. The first pass counts on how many pages
//! each chunk is; the second removes the chunks that are on at least *threshold* of them.
//!
//! Where the printed algorithm is silent or wrong: a chunk ends at every delimiter, be it known or
//! not, and at the end of the page; an empty chunk is none; both start and end tags divide, as the
//! second paper says; a chunk twice on a page counts once and is removed twice. The tree is that of
//! HTML5: text in a table outside its cells stands before the table, and tags that HTML ignores do
//! not divide.
//!
//! With [`ChunkParams::sample`] the pages of smallest hash of seed and identity are counted. A page
//! that comes later with a smaller hash takes the place of the one with the largest, so the order
//! in which pages come does not matter.
//!
//! ```
//! use unframe_dom::Limits;
//! use unframe_methods::{ChunkMemory, ChunkParams, Chunks, Label, Method};
//! use unframe_page::{Page, page_identity};
//! use unframe_site::Visit;
//!
//! let method = Chunks::new(ChunkParams::default())?;
//! let mut memory = ChunkMemory::default();
//! let page = |n: u32| {
//!     let html = format!("<div>Home · About</div><p>Story {n}");
//!     Page::parse(html.into(), None, None, &Limits::default())
//! };
//! for n in 0..4 {
//!     let identity = page_identity(None, &n.to_string());
//!     let page = page(n);
//!     method.learn(&mut memory, &page, &method.view(&page), Visit::first(identity));
//! }
//! let labels = method.label(&memory, &method.view(&page(9)));
//! assert_eq!(labels.texts[0].label, Label::Template);
//! assert_eq!(labels.texts[1].label, Label::Content);
//! # Ok::<(), unframe_methods::OutOfRange>(())
//! ```

mod chunk;
mod image_terms;
mod memory;
mod params;

pub use chunk::{Chunk, ChunkRules, Delimiters, PageChunks};
pub use memory::{ChunkMemory, Counted};
pub use params::{ChunkKey, ChunkParams, Preset, Threshold};

use unframe_page::{Fingerprint, Kind, Page, Paths};
use unframe_site::Visit;

use crate::explanation::Explanation;
use crate::labels::{Label, Labels, Reason, TextLabel};
use crate::method::Method;
use crate::out_of_range::OutOfRange;

/// The method.
#[derive(Clone, Debug)]
pub struct Chunks {
    params: ChunkParams,
}

impl Chunks {
    /// Checks the parameters.
    pub fn new(params: ChunkParams) -> Result<Self, OutOfRange> {
        params.check()?;
        Ok(Chunks { params })
    }

    /// The parameters.
    pub fn params(&self) -> &ChunkParams {
        &self.params
    }

    /// The place of a page in the order of which a sample takes the first, from its identity.
    pub fn sample_place(&self, page: Fingerprint) -> Fingerprint {
        Fingerprint::below(Kind::Sample, page, &self.params.seed.to_string())
    }

    /// Pages that a chunk must be on, by what has been learnt.
    pub fn threshold(&self, memory: &ChunkMemory) -> u32 {
        self.params.threshold.pages(memory.counted_pages())
    }
}

impl Method for Chunks {
    type Memory = ChunkMemory;
    type View = PageChunks;

    fn needs_pages(&self) -> u64 {
        self.params.threshold.least().into()
    }

    /// Chunks that were divided or sampled in another way cannot be told from one another.
    fn accepts(&self, memory: &ChunkMemory) -> Result<(), String> {
        let (theirs, ours) = (memory.counting(), self.params.counting());
        match theirs.is_empty() || theirs == ours {
            true => Ok(()),
            false => Err(format!(
                "it was learnt with `{theirs}`, not with `{ours}`; use the former, or another file"
            )),
        }
    }

    fn view(&self, page: &Page) -> PageChunks {
        let paths = (self.params.key == ChunkKey::Path).then(|| Paths::tags(page.dom()));
        let rules = ChunkRules {
            delimiters: &self.params.delimiters,
            paths: paths.as_ref(),
            images: self.params.images,
        };
        PageChunks::of(page.dom(), rules)
    }

    /// The first pass.
    fn learn(
        &self,
        memory: &mut ChunkMemory,
        page: &Page,
        view: &PageChunks,
        visit: Visit<'_>,
    ) -> Vec<u8> {
        let place = self.sample_place(visit.page);
        memory.learn(&self.params, page.dom(), &view.chunks, visit.former, place)
    }

    /// The second pass.
    fn label(&self, memory: &ChunkMemory, view: &PageChunks) -> Labels {
        let threshold = self.threshold(memory);
        let mut labels = Labels::default();
        for (chunk, texts) in view.iter().filter(|(chunk, _)| chunk.texts > 0) {
            let df = memory.df(chunk.key);
            let label = match df >= threshold {
                true => Label::Template,
                false => Label::Content,
            };
            let reason = labels.reasons.len() as u32;
            labels.reasons.push(Reason::ChunkDf {
                df,
                threshold,
                pages: memory.counted_pages(),
                length: chunk.length,
                texts: chunk.texts,
            });
            labels
                .texts
                .extend(texts.iter().map(|(node, length)| TextLabel {
                    node: *node,
                    length: *length,
                    label,
                    reason,
                }));
        }
        labels
    }

    fn explain(&self, _: &ChunkMemory, _: &PageChunks, labels: &Labels) -> Vec<Explanation> {
        // Whether the page itself is in a sample is not known here.
        Explanation::by_reasons(labels, self.params.sample.is_none())
    }
}

#[cfg(test)]
mod tests;
