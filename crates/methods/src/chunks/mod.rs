//! `chunks`: table text chunks (Ma, Goharian, Chowdhury: *Extracting Unstructured Data from
//! Template Generated Web Documents*, 2003; with Chung at CIKM 2003).
//!
//! A chunk is the text between two consecutive delimiter tags. The first pass counts how many pages
//! contain each chunk. The second removes the chunks that are on at least *threshold* pages.
//!
//! Where the printed algorithm leaves something open or is wrong: a chunk ends at every delimiter,
//! known or not, and at the end of the page; an empty chunk does not count; both start and end tags
//! divide, as the second paper says; a chunk that occurs twice on a page counts once and is removed
//! twice. The tree is that of HTML5: text in a table outside its cells is placed before the table,
//! and tags that HTML ignores do not divide.
//!
//! With [`ChunkParams::sample`], only the pages with the smallest hashes of seed and identity are
//! counted. A later page with a smaller hash replaces the one with the largest, so the order in
//! which pages arrive does not matter.
//!
//! ```
//! use unframe_dom::Limits;
//! use unframe_labels::Label;
//! use unframe_methods::{ChunkMemory, ChunkParams, Chunks, Method};
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

use unframe_page::{Fingerprint, Page, Paths};
use unframe_site::{Figure, SiteRecord, Visit, bytes, count};

use unframe_labels::{Explanation, Label, Labels, Reason, TextLabel};

use crate::learned::Learned;
use crate::method::Method;
use crate::out_of_range::OutOfRange;
use crate::registry::{Registered, RunKey};
use crate::rows::sample_place;

/// The method.
#[derive(Clone, Debug)]
pub struct Chunks {
    params: ChunkParams,
}

impl Chunks {
    /// Checks the parameters.
    pub fn new(params: ChunkParams) -> Result<Self, OutOfRange> {
        params.check_ranges()?;
        Ok(Chunks { params })
    }

    /// The parameters.
    pub fn params(&self) -> &ChunkParams {
        &self.params
    }

    /// The rank of a page in the order of sampling, computed from its identity; a sample takes the
    /// first.
    pub fn sample_place(&self, page: Fingerprint) -> Fingerprint {
        sample_place(page, &self.params.seed.to_string())
    }

    /// The number of pages that must contain a chunk, given what has been learned.
    pub fn threshold(&self, memory: &ChunkMemory) -> u32 {
        self.params.threshold.pages(memory.counted_pages())
    }
}

impl Registered for Chunks {
    type Params = ChunkParams;
    const SOURCE: &'static str = "Ma et al., 2003";
    const SUMMARY: &'static str = "removes text between delimiter tags that several pages share";
    const RUN_KEYS: &'static [RunKey] = &[RunKey::Dedup, RunKey::Cluster];

    fn build(params: ChunkParams, _: bool) -> Result<Self, String> {
        Chunks::new(params).map_err(|error| error.to_string())
    }

    /// Told by the delimiters, which name the preset.
    fn leaves_duplicates_out(params: &ChunkParams) -> bool {
        let mut presets = Preset::ALL.into_iter();
        let preset = presets.find(|preset| preset.params().delimiters == params.delimiters);
        preset.is_some_and(Preset::leaves_duplicates_out)
    }
}

impl Method for Chunks {
    const NAME: &'static str = "chunks";
    const VERSION: u32 = 2;

    type Memory = ChunkMemory;
    type View = PageChunks;

    fn needs_pages(&self) -> u64 {
        self.params.threshold.least().into()
    }

    /// Chunks that were divided or sampled differently cannot be compared.
    fn accepts(&self, memory: &ChunkMemory) -> Result<(), String> {
        let (theirs, ours) = (memory.counting(), self.params.counting());
        match theirs.is_empty() || theirs == ours {
            true => Ok(()),
            false => Err(format!(
                "it was learned with `{theirs}`, not with `{ours}`; use the same options, or another file"
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
        memory.learn(&self.params, page.dom(), &view.chunks, visit)
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
        // Whether the page itself is in the sample is not known here.
        Explanation::by_reasons(labels, self.params.sample.is_none())
    }

    fn learned(&self, sites: &[(&ChunkMemory, &SiteRecord)]) -> Learned {
        let (mut distinct, mut template, mut counted_pages, mut size) = (0, 0, 0, 0);
        let mut below_sample = 0;
        let sample = self.params.sample;
        for (memory, _) in sites {
            let threshold = self.threshold(memory);
            let is_template = |row: &Counted| row.df >= threshold;
            template += memory.table().filter(|(_, row)| is_template(row)).count() as u64;
            distinct += memory.table().count() as u64;
            counted_pages += memory.counted_pages();
            size += memory.table_bytes();
            below_sample += u64::from(memory.pages() < sample.map_or(0, u64::from));
        }
        let mut figures = vec![
            Figure::count("distinct", distinct),
            Figure::count("template", template),
            Figure::count("counted_pages", counted_pages),
            Figure::bytes("bytes", size),
            Figure::count("below_sample", below_sample),
        ];
        figures.extend(sample.map(|pages| Figure::count("sample", pages.into())));
        let sample = sample.filter(|_| below_sample > 0);
        Learned {
            name: "chunks",
            figures,
            line: format!(
                "learned: {} from {}; {template} of them are on enough pages ({} in memory)",
                count(distinct, "chunk"),
                count(counted_pages, "page"),
                bytes(size as f64),
            ),
            hint: sample.map(|sample| {
                let have = match below_sample {
                    1 => "1 site has".to_string(),
                    sites => format!("{sites} sites have"),
                };
                format!(
                    "{have} fewer than the {sample} pages of --sample; all of their pages were \
                     counted"
                )
            }),
            criterion: "on several pages (--threshold)",
        }
    }
}

#[cfg(test)]
mod tests;
