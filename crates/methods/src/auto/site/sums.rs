//! Sums over the sampled pages of a site: pages that have each text, and what each slot holds.

use foldhash::HashMap;
use unframe_site::map_bytes;

use super::contribution::{Contribution, SlotEntry, TextEntry};
use super::names;

/// What the texts of a slot sum up to, over all sampled pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    pub pages: u32,
    pub texts: u32,
    pub words: u32,
    pub linked: u32,
    /// Words of texts that are on two pages or more.
    pub repeated: u32,
}

/// The part of an element's slot in the main content, over all sampled pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub pages: u32,
    /// Pages that have prose in it.
    pub prose_pages: u32,
    /// Sum of its shares of the pages' prose, in fixed point.
    pub prose: u32,
    /// Sum of its scores as the main container, in fixed point.
    pub score: u32,
}

/// A slot in all of its roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotRow {
    /// As the slot of texts …
    pub own: Slot,
    /// … of blocks …
    pub block: Slot,
    /// … of the blocks above those …
    pub above: Slot,
    /// … and of elements.
    pub place: Place,
}

/// Sums over the sample; every count is a number of pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub words: u64,
    pub repeated: u64,
    /// Texts anywhere.
    pub texts: HashMap<u32, u32>,
    /// Texts in their slots.
    pub segments: HashMap<u64, u32>,
    /// The same with digits masked.
    pub masked: HashMap<u64, u32>,
    /// Targets of links, in the slot above their block.
    pub targets: HashMap<u64, u32>,
    pub slots: HashMap<u32, SlotRow>,
}

/// Something in a slot, as a key.
pub(crate) fn in_slot(slot: u32, what: u32) -> u64 {
    u64::from(slot) << 32 | u64::from(what)
}

impl Sums {
    /// True if a slot is on enough pages to be named.
    pub fn has_enough(&self, slot: u32) -> bool {
        let row = self.slots.get(&slot);
        row.is_some_and(|row| row.place.pages >= names::FEWEST_PAGES)
    }

    pub fn rows(&self) -> usize {
        let counts = self.segments.len() + self.masked.len() + self.targets.len();
        counts + self.texts.len() + self.slots.len()
    }

    pub fn add(&mut self, page: &Contribution) {
        self.words += u64::from(page.words);
        let mut roles = RoleSums::of(page);
        for (at, entry) in page.texts.iter().enumerate() {
            let slot = page.slots[entry.slot as usize].slot;
            if is_first(page, at) {
                *self.texts.entry(entry.text).or_default() += 1;
            }
            let pages = self.segments.entry(in_slot(slot, entry.text)).or_default();
            *pages += 1;
            let credit = credit(*pages, entry) - credit(*pages - 1, entry);
            RoleSums::repeat(&mut roles, page, entry, credit);
            self.repeated += u64::from(credit);
        }
        for (entry, roles) in page.slots.iter().zip(&roles) {
            let row = self.slots.entry(entry.slot).or_default();
            row.own.add(&roles.own);
            row.block.add(&roles.block);
            row.above.add(&roles.above);
            row.place.add(entry);
        }
        for key in masked_keys(page) {
            *self.masked.entry(key).or_default() += 1;
        }
        for key in target_keys(page) {
            *self.targets.entry(key).or_default() += 1;
        }
    }

    pub fn subtract(&mut self, page: &Contribution) {
        self.words = self.words.saturating_sub(page.words.into());
        let mut roles = RoleSums::of(page);
        for (at, entry) in page.texts.iter().enumerate() {
            let slot = page.slots[entry.slot as usize].slot;
            if is_first(page, at) {
                decrement(&mut self.texts, entry.text);
            }
            let pages = decrement(&mut self.segments, in_slot(slot, entry.text));
            let credit = credit(pages + 1, entry) - credit(pages, entry);
            RoleSums::repeat(&mut roles, page, entry, credit);
            self.repeated = self.repeated.saturating_sub(credit.into());
        }
        for (entry, roles) in page.slots.iter().zip(&roles) {
            let Some(row) = self.slots.get_mut(&entry.slot) else {
                continue;
            };
            row.own.subtract(&roles.own);
            row.block.subtract(&roles.block);
            row.above.subtract(&roles.above);
            row.place.subtract(entry);
            if row.place.pages == 0 {
                self.slots.remove(&entry.slot);
            }
        }
        for key in masked_keys(page) {
            decrement(&mut self.masked, key);
        }
        for key in target_keys(page) {
            decrement(&mut self.targets, key);
        }
    }

    pub fn shrink(&mut self) {
        self.texts.shrink_to_fit();
        self.segments.shrink_to_fit();
        self.masked.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.slots.shrink_to_fit();
    }

    pub fn bytes(&self) -> usize {
        let counts = map_bytes(&self.segments) + map_bytes(&self.masked) + map_bytes(&self.targets);
        counts + map_bytes(&self.texts) + map_bytes(&self.slots)
    }
}

/// True for the first of the entries of one text, which are sorted.
fn is_first(page: &Contribution, at: usize) -> bool {
    at == 0 || page.texts[at - 1].text != page.texts[at].text
}

/// The texts of a page with digits masked, each once.
fn masked_keys(page: &Contribution) -> Vec<u64> {
    let texts = page.texts.iter().filter(|entry| entry.masked > 0);
    let key = |entry: &TextEntry| in_slot(page.slots[entry.slot as usize].slot, entry.masked);
    let mut keys: Vec<u64> = texts.map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The targets of a page's links, each once.
fn target_keys(page: &Contribution) -> impl Iterator<Item = u64> {
    let targets = page.targets.iter();
    targets.map(|entry| in_slot(page.slots[entry.above as usize].slot, entry.target))
}

/// Repeated words that a text on so many pages accounts for.
fn credit(pages: u32, text: &TextEntry) -> u32 {
    match pages {
        0 | 1 => 0,
        pages => pages.saturating_mul(text.words.into()),
    }
}

/// Takes one page off a count; returns what is left.
fn decrement<K: Eq + std::hash::Hash>(counts: &mut HashMap<K, u32>, key: K) -> u32 {
    let Some(pages) = counts.get_mut(&key) else {
        return 0;
    };
    *pages -= 1;
    let left = *pages;
    if left == 0 {
        counts.remove(&key);
    }
    left
}

/// What a page adds to a slot in its roles.
#[derive(Clone, Default)]
struct RoleSums {
    own: Slot,
    block: Slot,
    above: Slot,
}

impl RoleSums {
    /// For each slot of a page.
    fn of(page: &Contribution) -> Vec<RoleSums> {
        let mut sums = vec![RoleSums::default(); page.slots.len()];
        for text in &page.texts {
            let times = u32::from(text.times);
            let words = times.saturating_mul(text.words.into());
            let texts = Slot {
                pages: 1,
                texts: times,
                words,
                linked: if text.linked { words } else { 0 },
                repeated: 0,
            };
            let block = page.block(text.slot);
            sums[text.slot as usize].own.join(&texts);
            sums[block as usize].block.join(&texts);
            sums[page.above(block) as usize].above.join(&texts);
        }
        sums
    }

    /// Adds repeated words to a text's slot, its block and the block above.
    fn repeat(sums: &mut [RoleSums], page: &Contribution, text: &TextEntry, words: u32) {
        if words > 0 {
            let block = page.block(text.slot);
            let above = page.above(block);
            let add = |repeated: &mut u32| *repeated = repeated.saturating_add(words);
            add(&mut sums[text.slot as usize].own.repeated);
            add(&mut sums[block as usize].block.repeated);
            add(&mut sums[above as usize].above.repeated);
        }
    }
}

impl Slot {
    /// Adds texts of the same page.
    fn join(&mut self, texts: &Slot) {
        self.add(texts);
        self.pages = 1;
    }

    fn add(&mut self, other: &Slot) {
        self.pages = self.pages.saturating_add(other.pages);
        self.texts = self.texts.saturating_add(other.texts);
        self.words = self.words.saturating_add(other.words);
        self.linked = self.linked.saturating_add(other.linked);
        self.repeated = self.repeated.saturating_add(other.repeated);
    }

    fn subtract(&mut self, other: &Slot) {
        self.pages = self.pages.saturating_sub(other.pages);
        self.texts = self.texts.saturating_sub(other.texts);
        self.words = self.words.saturating_sub(other.words);
        self.linked = self.linked.saturating_sub(other.linked);
        self.repeated = self.repeated.saturating_sub(other.repeated);
    }
}

impl Place {
    fn add(&mut self, entry: &SlotEntry) {
        self.pages += 1;
        self.prose_pages += u32::from(entry.prose > 0);
        self.prose += u32::from(entry.prose);
        self.score += u32::from(entry.score);
    }

    fn subtract(&mut self, entry: &SlotEntry) {
        self.pages -= 1;
        self.prose_pages -= u32::from(entry.prose > 0);
        self.prose -= u32::from(entry.prose);
        self.score -= u32::from(entry.score);
    }
}

impl Sums {
    /// The number of rows that differ.
    pub fn differences(&self, other: &Sums) -> u64 {
        fn count<K: Eq + std::hash::Hash, V: PartialEq>(
            a: &HashMap<K, V>,
            b: &HashMap<K, V>,
        ) -> u64 {
            let wrong = a.iter().filter(|(key, value)| b.get(key) != Some(value));
            let missing = b.keys().filter(|key| !a.contains_key(key));
            (wrong.count() + missing.count()) as u64
        }
        count(&self.texts, &other.texts)
            + count(&self.segments, &other.segments)
            + count(&self.masked, &other.masked)
            + count(&self.targets, &other.targets)
            + count(&self.slots, &other.slots)
            + u64::from((self.words, self.repeated) != (other.words, other.repeated))
    }
}
