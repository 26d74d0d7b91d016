//! What is settled about the places of a site, so that its pages need not be judged from scratch.
//!
//! A place is a slot: with its ids if many pages have it, else without them, because pages choose many ids
//! anew. Its texts are those right in its elements, or all below them. A small forest tells from what they are
//! on all sampled pages whether they are frame or content; where it is nearly sure, the place is settled. All
//! of that follows from the sample, so neither the order of pages nor merging matters.

use std::sync::LazyLock;

use foldhash::{HashMap, HashSet};
use unframe_labels::PageKind;

use super::contribution::{Contribution, FIXED_POINT_ONE};
use super::memory::AutoMemory;
use crate::auto::model::forest::{EarlyExits, Forest, Table};
use crate::auto::model::sigmoid;

/// The fewest pages that settle anything.
pub(super) const FEWEST_PAGES: u32 = 20;
/// The fewest pages that were judged by themselves.
const FEWEST_JUDGED: usize = 10;
/// A probability this near to 0 or 1 is sure …
const SURE: f32 = 0.03;
/// … and this near, it is settled.
const SETTLED: f32 = 0.2;
/// A text on this share of the pages is frame, whatever its slot; see
/// [`is_on_nearly_all_pages`](super::evidence::Evidence::is_on_nearly_all_pages).
const NEARLY_ALL: f32 = 0.9;
/// The share of such texts in a place from which they are told apart.
const SOME: f32 = 0.005;

/// A place of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A slot with its ids, which many pages have.
    Slot(u32),
    /// A slot without ids.
    Idless(u32),
}

/// Which texts of a place are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Texts {
    /// Those right in its elements.
    Own,
    /// All below them.
    All,
}

/// What is settled about texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settled {
    /// Probability to be frame.
    pub probability: f32,
    /// Those that nearly all pages have are frame nevertheless.
    pub except_repeated: bool,
    /// Sampled pages that have the place.
    pub pages: u32,
    /// It is not only likely.
    pub is_sure: bool,
}

impl Settled {
    pub fn is_frame(&self) -> bool {
        self.probability > 0.5
    }
}

/// What is settled about a site.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Compiled {
    /// Slots that many pages have.
    shared: HashSet<u32>,
    /// What is settled about the own texts of places, and about all.
    settled: [HashMap<Place, Settled>; 2],
    /// The kind of most pages, and their share.
    kind: Option<(PageKind, f32)>,
    pages: u32,
}

impl Compiled {
    pub fn of(memory: &AutoMemory) -> Compiled {
        let places = Places::of(memory);
        let mut compiled = Compiled {
            kind: places.kind(),
            pages: places.pages,
            ..Compiled::default()
        };
        static FOREST: LazyLock<Forest> = LazyLock::new(|| {
            let text = include_str!("../../../model/places.txt");
            Forest::parse(text).expect("the forest is checked by a test")
        });
        let (mut table, mut scores) = (Table::default(), Vec::new());
        for texts in [Texts::Own, Texts::All] {
            let all = &places.sums[texts as usize];
            for (place, sums) in all.iter().filter(|(_, sums)| sums.pages >= FEWEST_PAGES) {
                let row = places.features(texts, *place);
                table.resize(1, row.len());
                table.row_mut(0).copy_from_slice(&row);
                scores.clear();
                FOREST.append_scores(&table, EarlyExits::NONE, &mut scores);
                let probability = sigmoid(scores[0]);
                let doubt = probability.min(1.0 - probability);
                if doubt <= SETTLED {
                    let is_content = probability < 0.5;
                    let settled = Settled {
                        probability,
                        except_repeated: is_content && sums.on_nearly_all > SOME * sums.words,
                        pages: sums.pages,
                        is_sure: doubt <= SURE,
                    };
                    compiled.settled[texts as usize].insert(*place, settled);
                }
            }
        }
        compiled.shared = places.shared;
        compiled
    }

    /// What is settled about texts in a slot, if anything.
    pub fn get(&self, texts: Texts, slot: u32, idless: u32) -> Option<Settled> {
        self.of_place(texts, place(&self.shared, slot, idless))
    }

    pub(super) fn of_place(&self, texts: Texts, place: Place) -> Option<Settled> {
        self.settled[texts as usize].get(&place).copied()
    }

    /// True if a text on so many of the sampled pages is frame whatever its slot.
    pub fn is_repeated(&self, pages: u32) -> bool {
        is_on_nearly_all(pages, self.pages)
    }

    /// The kind of most pages, and their share.
    pub fn kind(&self) -> Option<(PageKind, f32)> {
        self.kind
    }

    /// The number of settled places.
    pub fn len(&self) -> usize {
        self.settled.iter().map(HashMap::len).sum()
    }

    /// True if nothing is settled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of main memory.
    pub fn bytes(&self) -> usize {
        let settled: usize = self.settled.iter().map(HashMap::capacity).sum();
        settled * size_of::<(Place, Settled)>() * 8 / 7 + self.shared.capacity() * 5
    }
}

fn place(shared: &HashSet<u32>, slot: u32, idless: u32) -> Place {
    match shared.contains(&slot) {
        true => Place::Slot(slot),
        false => Place::Idless(idless),
    }
}

fn is_on_nearly_all(pages: u32, of: u32) -> bool {
    pages as f32 >= NEARLY_ALL * of as f32
}

/// What the texts of a place are on the sampled pages.
#[derive(Clone, Copy, Debug, Default)]
struct TextSums {
    pages: u32,
    texts: f32,
    words: f32,
    linked: f32,
    /// Words of texts on two pages or more, and on nearly all …
    repeated: f32,
    on_nearly_all: f32,
    /// … and words of each text times the share of pages that have it.
    shared: f32,
    /// Words, and probable frame among them, on pages that were judged by themselves.
    judged: f32,
    frame: f32,
    /// Sum of its shares of the pages' words.
    share: f32,
    /// Sums of its shares of the pages' prose, and of its scores as the main container.
    prose: f32,
    score: f32,
}

impl TextSums {
    /// Adds texts of the same page.
    fn join(&mut self, other: &TextSums) {
        let pages = self.pages.max(other.pages);
        self.add(other);
        self.pages = pages;
    }

    fn add(&mut self, other: &TextSums) {
        self.pages += other.pages;
        self.texts += other.texts;
        self.words += other.words;
        self.linked += other.linked;
        self.repeated += other.repeated;
        self.on_nearly_all += other.on_nearly_all;
        self.shared += other.shared;
        self.judged += other.judged;
        self.frame += other.frame;
        self.share += other.share;
        self.prose += other.prose;
        self.score += other.score;
    }
}

/// The number of features of one place.
const FEATURES: usize = 11;

/// The places of a site.
pub(super) struct Places {
    sums: [HashMap<Place, TextSums>; 2],
    parents: HashMap<Place, Place>,
    shared: HashSet<u32>,
    pages: u32,
    best_score: f32,
    kinds: HashMap<PageKind, u32>,
}

impl Places {
    pub fn of(memory: &AutoMemory) -> Places {
        let mut places = Places {
            sums: Default::default(),
            parents: HashMap::default(),
            shared: HashSet::default(),
            pages: memory.pages() as u32,
            best_score: 0.0,
            kinds: HashMap::default(),
        };
        if places.pages < FEWEST_PAGES {
            return places;
        }
        // Sums of floating-point numbers depend on the order.
        let mut pages: Vec<(u64, Contribution)> = memory.contributions().collect();
        pages.sort_unstable_by_key(|(page, _)| *page);
        let judged = pages.iter().filter(|(_, page)| page.kind.is_some()).count();
        if judged < FEWEST_JUDGED {
            return places;
        }
        let slots = memory.sums().slots.iter();
        let shared = slots.filter(|(_, row)| row.place.pages >= FEWEST_PAGES);
        places.shared = shared.map(|(slot, _)| *slot).collect();
        for (_, page) in &pages {
            places.add(memory, page);
        }
        let scores = places.sums[Texts::All as usize].values();
        let best = scores.map(|sums| sums.score).fold(0.0, f32::max);
        places.best_score = best / places.pages as f32;
        places
    }

    fn add(&mut self, memory: &AutoMemory, page: &Contribution) {
        if let Some(kind) = page.kind {
            *self.kinds.entry(kind).or_default() += 1;
        }
        let all = self.pages as f32;
        let mut own = vec![TextSums::default(); page.slots.len()];
        for text in &page.texts {
            let pages = memory.text(text.text);
            let times = f32::from(text.times);
            let words = times * f32::from(text.words);
            let if_so = |is: bool| if is { words } else { 0.0 };
            let alone = page.slots[text.slot as usize].alone;
            own[text.slot as usize].join(&TextSums {
                pages: 1,
                texts: times,
                words,
                linked: if_so(text.linked),
                repeated: if_so(pages >= 2),
                on_nearly_all: if_so(is_on_nearly_all(pages, self.pages)),
                shared: words * pages.saturating_sub(1) as f32 / all,
                judged: if_so(alone > 0),
                frame: words * f32::from(alone.saturating_sub(1)) / 254.0,
                share: words / page.words.max(1) as f32,
                ..TextSums::default()
            });
        }
        let mut below = own.clone();
        let mut order = Vec::new();
        page.outermost_first(&mut order);
        for at in order.iter().rev() {
            let parent = page.slots[*at as usize].parent;
            if parent != *at {
                let sums = below[*at as usize];
                below[parent as usize].join(&sums);
            }
        }
        let of_page = |at: usize| {
            let entry = &page.slots[at];
            place(&self.shared, entry.slot, entry.idless)
        };
        let places: Vec<Place> = (0..page.slots.len()).map(of_page).collect();
        for (texts, mut sums) in [(Texts::Own, own), (Texts::All, below)] {
            // Several slots of the page may be one place.
            let mut joined: HashMap<Place, TextSums> = HashMap::default();
            for (at, sums) in sums
                .iter_mut()
                .enumerate()
                .filter(|(_, sums)| sums.pages > 0)
            {
                let entry = &page.slots[at];
                let joined = joined.entry(places[at]).or_default();
                joined.join(sums);
                joined.prose = joined.prose.max(f32::from(entry.prose) / FIXED_POINT_ONE);
                joined.score = joined.score.max(f32::from(entry.score) / FIXED_POINT_ONE);
            }
            for (place, sums) in joined {
                self.sums[texts as usize]
                    .entry(place)
                    .or_default()
                    .add(&sums);
            }
        }
        for (entry, place) in page.slots.iter().zip(&places) {
            let parent = places[entry.parent as usize];
            self.parents.entry(*place).or_insert(parent);
        }
    }

    /// The places that have texts, in no order.
    pub fn all(&self, texts: Texts) -> impl Iterator<Item = Place> {
        self.sums[texts as usize].keys().copied()
    }

    /// The sum of a place's shares of the words of the sampled pages.
    pub fn share(&self, texts: Texts, place: Place) -> f32 {
        let sums = self.sums[texts as usize].get(&place);
        sums.map_or(0.0, |sums| sums.share)
    }

    /// A place, the one around it, and so on to the outermost.
    pub fn outwards(&self, place: Place) -> impl Iterator<Item = Place> {
        let around = |place: &Place| {
            let parent = self.parents.get(place).copied();
            parent.filter(|parent| parent != place)
        };
        std::iter::successors(Some(place), around)
    }

    fn kind(&self) -> Option<(PageKind, f32)> {
        let all: u32 = self.kinds.values().sum();
        let pages = |(kind, pages): &(&PageKind, &u32)| (**pages, **kind);
        let most = self.kinds.iter().max_by_key(pages);
        most.map(|(kind, pages)| (*kind, *pages as f32 / all as f32))
    }

    /// The features of texts: their own, and those of all texts in the places around them.
    fn features(&self, texts: Texts, place: Place) -> Vec<f32> {
        let mut row = vec![texts as u8 as f32, self.pages as f32];
        self.add_features(texts, place, &mut row);
        let mut around = place;
        for step in 0..3 {
            if step > 0 || texts == Texts::All {
                around = self.parents.get(&around).copied().unwrap_or(around);
            }
            self.add_features(Texts::All, around, &mut row);
        }
        row
    }

    fn add_features(&self, texts: Texts, place: Place, row: &mut Vec<f32>) {
        let sums = self.sums[texts as usize].get(&place);
        let sums = sums.copied().unwrap_or_default();
        let (all, pages) = (self.pages as f32, sums.pages.max(1) as f32);
        let (texts, words) = (sums.texts.max(1.0), sums.words.max(1.0));
        let features: [f32; FEATURES] = [
            pages / all,
            texts / pages,
            words / texts,
            sums.linked / words,
            sums.repeated / words,
            sums.on_nearly_all / words,
            sums.shared / words,
            sums.prose / pages,
            sums.score / pages,
            sums.score / all / self.best_score.max(0.01),
            match sums.judged > 0.0 {
                true => sums.frame / sums.judged,
                false => -1.0,
            },
        ];
        row.extend(features);
    }
}

/// The places of a site as rows for fitting.
pub(crate) struct PlaceLabels {
    places: Places,
    /// The length of the texts of each place, and of those that were removed.
    lengths: HashMap<(Texts, Place), (f64, f64)>,
}

impl PlaceLabels {
    pub fn of(memory: &AutoMemory) -> PlaceLabels {
        PlaceLabels {
            places: Places::of(memory),
            lengths: HashMap::default(),
        }
    }

    /// Adds the label of a text; the slots are those of its element and those around it, with ids and
    /// without.
    pub fn add(&mut self, slots: impl Iterator<Item = (u32, u32)>, length: u32, removed: bool) {
        let place = |(slot, idless)| place(&self.places.shared, slot, idless);
        let mut places: Vec<Place> = slots.map(place).collect();
        let own = places.first().map(|own| (Texts::Own, *own));
        places.dedup();
        let all = places.into_iter().map(|place| (Texts::All, place));
        for group in own.into_iter().chain(all) {
            let lengths = self.lengths.entry(group).or_default();
            lengths.0 += f64::from(length);
            lengths.1 += f64::from(length) * f64::from(u8::from(removed));
        }
    }

    /// For each place of enough pages its features, its length, and the share of it that was removed.
    pub fn finish(self) -> Vec<(Vec<f32>, f32, f32)> {
        let mut lengths: Vec<_> = self.lengths.into_iter().collect();
        lengths.sort_by_key(|(group, _)| *group);
        let row = |((texts, place), (length, removed)): ((Texts, Place), (f64, f64))| {
            let sums = self.places.sums[texts as usize].get(&place)?;
            let features = self.places.features(texts, place);
            let enough = sums.pages >= FEWEST_PAGES && length > 0.0;
            enough.then_some((features, length as f32, (removed / length) as f32))
        };
        lengths.into_iter().filter_map(row).collect()
    }
}
