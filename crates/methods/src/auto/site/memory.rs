//! What `auto` remembers of a site: a sample of its pages, and sums over them.
//!
//! The sample has the pages whose identity, which is a hash, begins with enough zero bits. It starts with
//! all pages. When it has too many pages or rows, one more zero bit is asked for, which drops half of it. So
//! it depends on the set of pages that were learned, not on their order, and the samples of two parts of a
//! site put together are thinned to the sample of the whole. A sample does not grow again when pages shrink
//! or are forgotten. What is stored are the contributions of the sampled pages; all sums follow from them.

use std::sync::{Arc, OnceLock};

use foldhash::{HashMap, HashSet};
use unframe_page::Fingerprint;
use unframe_site::{
    BadRow, Figure, Memory, PageRecord, Row, Sampling, WriteRow, map_bytes, set_bytes,
};

use super::compiled::Compiled;
use super::contribution::Contribution;
use super::names::{NAMES, Names};
use super::packing::{self, PAGES};
use super::page_row;
use super::sums::{SlotRow, Sums, in_slot};

/// The most pages of a sample. A frame is known from far fewer; the sites that the model was fitted on
/// have up to 250.
pub(crate) const MOST_PAGES: usize = 256;

/// The most rows of the sums over a sample, which bounds a memory to some megabytes. Only pages of
/// hundreds of texts come near.
pub(crate) const MOST_ROWS: usize = 1 << 16;

/// The fewest pages that a sample is thinned to because of its rows.
const FEWEST_PAGES: usize = 16;

/// One page in 32 is judged by itself when it is learned: those whose identity begins with so many zero
/// bits. The larger the site, the more of its sample are among them.
const JUDGED: u32 = 5;

/// The slot with the highest score as the main container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MainPlace {
    pub slot: u32,
    pub score: u32,
    /// The score of the second best.
    pub runner_up: u32,
}

/// The memory of one site.
#[derive(Clone, Debug, Default)]
pub struct AutoMemory {
    /// Which pages are in the sample.
    sampling: Sampling,
    /// The contributions of the sampled pages.
    sample: HashMap<u64, Box<[u8]>>,
    /// Bytes of them.
    sample_bytes: usize,
    /// Pages of the sample that were added, replaced or dropped since this was last asked.
    changed: HashSet<u64>,
    sums: Sums,
    names: Names,
    /// Computed from the sums when needed.
    top: OnceLock<MainPlace>,
    compiled: OnceLock<Arc<Compiled>>,
}

/// True if a page is judged by itself when it is learned.
pub(crate) fn is_judged(page: Fingerprint) -> bool {
    (page.0 as u64).leading_zeros() >= JUDGED
}

impl AutoMemory {
    /// Pages in the sample.
    pub fn pages(&self) -> u64 {
        self.sample.len() as u64
    }

    /// Texts, each in its slot.
    pub fn texts(&self) -> usize {
        self.sums.segments.len()
    }

    /// Bytes of the contributions of the sampled pages, before they are packed.
    pub fn sample_bytes(&self) -> usize {
        self.sample_bytes
    }

    /// Texts, each in its slot, that are on more than half of the pages.
    pub fn frame_texts(&self) -> usize {
        let all = self.pages();
        let most = |pages: &&u32| **pages > 1 && 2 * u64::from(**pages) > all;
        self.sums.segments.values().filter(most).count()
    }

    /// Mean words of a page.
    pub(crate) fn mean_words(&self) -> f32 {
        self.sums.words as f32 / self.pages().max(1) as f32
    }

    /// Share of all words that are in texts of two pages or more.
    pub(crate) fn repeated_share(&self) -> f32 {
        self.sums.repeated as f32 / self.sums.words.max(1) as f32
    }

    /// Pages that have a text anywhere.
    pub(crate) fn text(&self, text: u32) -> u32 {
        self.sums.texts.get(&text).copied().unwrap_or(0)
    }

    /// Pages that have a text in its slot.
    pub(crate) fn segment(&self, slot: u32, text: u32) -> u32 {
        let found = self.sums.segments.get(&in_slot(slot, text));
        found.copied().unwrap_or(0)
    }

    /// Pages that have a text in its slot, with any digits.
    pub(crate) fn masked(&self, slot: u32, masked: u32) -> u32 {
        let found = self.sums.masked.get(&in_slot(slot, masked));
        found.copied().unwrap_or(0)
    }

    /// Pages that have the target of a link below a slot.
    pub(crate) fn target(&self, above: u32, target: u32) -> u32 {
        let found = self.sums.targets.get(&in_slot(above, target));
        found.copied().unwrap_or(0)
    }

    pub(crate) fn slot(&self, slot: u32) -> SlotRow {
        self.sums.slots.get(&slot).copied().unwrap_or_default()
    }

    /// The name of a slot that many pages have: the tag and the stable styling of its elements.
    pub(super) fn name(&self, slot: u32) -> Option<&str> {
        self.names.get(slot)
    }

    /// The slots of a page that enough pages have, but that have no name yet.
    pub(crate) fn unnamed(&self, page: &Contribution) -> HashSet<u32> {
        let slots = page.slots.iter().map(|entry| entry.slot);
        slots
            .filter(|slot| self.sums.has_enough(*slot) && !self.names.has(*slot))
            .collect()
    }

    pub(crate) fn put_name(&mut self, slot: u32, name: &str) {
        self.names.insert(slot, name);
    }

    pub(super) fn sums(&self) -> &Sums {
        &self.sums
    }

    /// The sampled pages and their contributions, in no order.
    pub(super) fn contributions(&self) -> impl Iterator<Item = (u64, Contribution)> {
        let rows = self.sample.iter();
        rows.filter_map(|(page, row)| Some((*page, page_row::decode(row)?)))
    }

    /// The slot with the highest score as the main container.
    pub(crate) fn top(&self) -> MainPlace {
        *self.top.get_or_init(|| {
            let mut top = MainPlace::default();
            for (slot, row) in &self.sums.slots {
                let score = row.place.score;
                if (score, *slot) > (top.score, top.slot) {
                    top.runner_up = top.score;
                    (top.slot, top.score) = (*slot, score);
                } else {
                    top.runner_up = top.runner_up.max(score);
                }
            }
            top
        })
    }

    /// What is settled about the site's slots.
    pub(crate) fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Arc::new(Compiled::of(self)))
    }

    /// Adds a page, or replaces its former self.
    pub(crate) fn put(&mut self, page: Fingerprint, contribution: &Contribution) {
        self.remove(page);
        if !self.sampling.has(page) {
            return;
        }
        let page = page.0 as u64;
        self.insert(page, contribution, page_row::encode(contribution));
        self.changed.insert(page);
        self.thin();
    }

    fn insert(&mut self, page: u64, contribution: &Contribution, row: Vec<u8>) {
        self.forget_derived();
        self.sums.add(contribution);
        self.sample_bytes += row.len();
        self.sample.insert(page, row.into());
    }

    fn remove(&mut self, page: Fingerprint) {
        let Some(row) = self.sample.remove(&(page.0 as u64)) else {
            return;
        };
        self.forget_derived();
        self.sample_bytes -= row.len();
        self.changed.insert(page.0 as u64);
        if let Some(contribution) = page_row::decode(&row) {
            self.sums.subtract(&contribution);
            for entry in &contribution.slots {
                if !self.sums.has_enough(entry.slot) {
                    self.names.remove(entry.slot);
                }
            }
        }
    }

    /// Drops pages until the sample is small enough.
    fn thin(&mut self) {
        while self.sample.len() > MOST_PAGES
            || (self.sums.rows() > MOST_ROWS && self.sample.len() > FEWEST_PAGES)
        {
            self.drop_to(Sampling {
                level: self.sampling.level + 1,
            });
        }
    }

    /// Drops the pages that are not in a smaller sample.
    fn drop_to(&mut self, sampling: Sampling) {
        self.sampling = sampling;
        let pages = self.sample.keys().map(|page| Fingerprint((*page).into()));
        let dropped: Vec<Fingerprint> = pages.filter(|page| !sampling.has(*page)).collect();
        dropped.into_iter().for_each(|page| self.remove(page));
        self.sums.shrink();
    }

    fn forget_derived(&mut self) {
        self.top = OnceLock::new();
        self.compiled = OnceLock::new();
    }
}

impl Memory for AutoMemory {
    fn load(&mut self, table: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        if table == NAMES {
            return self.names.load(key, row);
        }
        let page = u64::try_from(key.0).map_err(|_| BadRow)?;
        let contribution = page_row::decode(row).ok_or(BadRow)?;
        if table != PAGES || self.sample.contains_key(&page) || self.sample.len() >= MOST_PAGES {
            return Err(BadRow);
        }
        self.insert(page, &contribution, row.to_vec());
        Ok(())
    }

    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
        match head {
            [level] if u32::from(*level) <= u64::BITS => {
                self.sampling.level = (*level).into();
                Ok(())
            }
            _ => Err(BadRow),
        }
    }

    fn head(&self) -> Vec<u8> {
        vec![self.sampling.level as u8]
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        let mut pages: Vec<_> = self.sample.iter().collect();
        pages.sort_unstable_by_key(|(page, _)| **page);
        for (page, row) in pages {
            write(PAGES, Fingerprint((*page).into()), Some(row));
        }
        self.names.rows(write);
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        let mut pages: Vec<u64> = std::mem::take(&mut self.changed).into_iter().collect();
        pages.sort_unstable();
        for page in pages {
            let row = self.sample.get(&page).map(|row| &**row);
            write(PAGES, Fingerprint(page.into()), row);
        }
        self.names.take_changes(write);
    }

    /// The sample has the contribution itself.
    fn unlearn(&mut self, page: Fingerprint, _: &[u8]) {
        self.remove(page);
    }

    fn pack(rows: &[Row]) -> Vec<u8> {
        packing::pack(rows)
    }

    fn unpack(packed: &[u8]) -> Result<Vec<Row>, BadRow> {
        packing::unpack(packed)
    }

    fn merge(&mut self, other: Self) {
        // Slots that lose pages of one part may gain as many of the other.
        let names = self.names.clone();
        if other.sampling > self.sampling {
            self.drop_to(other.sampling);
        }
        for (page, row) in other.sample {
            let page = Fingerprint(page.into());
            if let (true, Some(contribution)) = (self.sampling.has(page), page_row::decode(&row)) {
                self.put(page, &contribution);
            }
        }
        for names in [names, other.names] {
            self.names.add(names, |slot| self.sums.has_enough(slot));
        }
    }

    fn len(&self) -> usize {
        self.sums.rows() + self.names.len()
    }

    fn bytes(&self) -> usize {
        let sample = map_bytes(&self.sample) + self.sample_bytes + set_bytes(&self.changed);
        let compiled = self.compiled.get().map_or(0, |compiled| compiled.bytes());
        let known = self.sums.bytes() + self.names.bytes() + compiled;
        let held = size_of::<AutoMemory>() + sample + known;
        // Allocators round up; measured on 100,000 sites of one page.
        held + held / 3
    }

    /// Texts are known by their hashes alone, so none can be shown.
    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::count("texts", self.texts() as u64).column("texts"),
            Figure::count("frame_texts", self.frame_texts() as u64).column("on most pages"),
            Figure::count("sampled_pages", self.pages()).column("sampled pages"),
            Figure::count("settled_slots", self.compiled().len() as u64).column("settled"),
            // Not the names, which a merge may leave out.
            Figure::count("rows", self.sums.rows() as u64),
        ]
    }

    fn sampling(&self) -> Sampling {
        self.sampling
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        let mut recount = Sums::default();
        for (_, contribution) in self.contributions() {
            recount.add(&contribution);
        }
        // A page of the ledger is in the sample if it belongs there, and no other page is.
        let pages = ledger.iter().map(|(page, _)| page.0 as u64);
        let expected: HashSet<u64> = pages
            .filter(|page| self.sampling.has(Fingerprint((*page).into())))
            .collect();
        let differs = |page: &&u64| !expected.contains(page);
        let unknown = self.sample.keys().filter(differs).count();
        let missing = expected.len() + unknown - self.sample.len();
        (unknown + missing) as u64 + recount.differences(&self.sums)
    }
}
