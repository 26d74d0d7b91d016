//! What `auto` remembers of a site: the number of pages that have each text, and what each slot holds.

use std::sync::OnceLock;

use foldhash::HashMap;
use unframe_page::Fingerprint;
use unframe_site::{BadRow, Fields, Figure, Memory, PageRecord, WriteRow};

use crate::auto::site::contribution::{Contribution, PlaceEntry, SegmentEntry, SlotEntry};
use crate::auto::site::rows::Rows;

/// A text in its slot, over all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    /// Pages that have it.
    pages: u32,
    /// Rows of its slot, its block and the block above.
    slots: [u32; 3],
    words: u16,
}

impl Segment {
    /// Repeated words that it accounts for.
    fn credit(&self) -> u64 {
        match self.pages {
            0 | 1 => 0,
            pages => u64::from(pages) * u64::from(self.words),
        }
    }
}

/// What a slot holds, over all pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    pub pages: u32,
    pub texts: u64,
    pub words: u64,
    pub linked: u64,
    /// Words of texts that are on two pages or more.
    pub repeated: u64,
}

/// The part of an element's slot in the main content, over all pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub pages: u32,
    /// Pages that have prose in it.
    pub prose_pages: u32,
    /// Sum of its shares of the pages' prose, in fixed point.
    pub prose: u64,
    /// Sum of its scores as the main container, in fixed point.
    pub votes: u64,
}

/// The slot with the most votes as the main container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MainPlace {
    pub place: u32,
    pub votes: u64,
    /// Votes of the second best.
    pub runner_up: u64,
}

/// The memory of one site.
#[derive(Clone, Debug, Default)]
pub struct AutoMemory {
    pages: u64,
    words: u64,
    repeated: u64,
    counted: Rows<u64, u32>,
    segments: Rows<u64, Segment>,
    slots: Rows<u32, Slot>,
    places: Rows<u32, Place>,
    top: OnceLock<MainPlace>,
}

const COUNTED: u8 = 0;
const SEGMENTS: u8 = 1;
const SLOTS: u8 = 2;
const PLACES: u8 = 3;

/// Bytes of the key of a stored row …
const KEY_BYTES: u64 = 16;
/// … and of the rows themselves.
const COUNTED_BYTES: u64 = 4;
const SEGMENT_BYTES: u64 = 20;
const SLOT_BYTES: u64 = 36;
const PLACE_BYTES: u64 = 24;

impl AutoMemory {
    /// Pages learnt.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Texts, each in its slot.
    pub fn texts(&self) -> usize {
        self.segments.len()
    }

    /// Bytes of the rows and their keys, as they are stored.
    pub fn table_bytes(&self) -> u64 {
        let tables = [
            (self.counted.len(), COUNTED_BYTES),
            (self.segments.len(), SEGMENT_BYTES),
            (self.slots.len(), SLOT_BYTES),
            (self.places.len(), PLACE_BYTES),
        ];
        tables
            .iter()
            .map(|(rows, bytes)| *rows as u64 * (KEY_BYTES + bytes))
            .sum()
    }

    /// The number of rows that differ from a recount of all contributions.
    pub fn wrong_rows<'a>(&self, contributions: impl Iterator<Item = &'a [u8]>) -> u64 {
        let mut recount = AutoMemory::default();
        let mut wrong = 0;
        for contribution in contributions {
            match Contribution::decode(contribution) {
                Some(contribution) => recount.add(&contribution),
                None => wrong += 1,
            }
        }
        let mut expected: HashMap<(u8, Fingerprint), Vec<u8>> = HashMap::default();
        recount.rows(&mut |table, key, row| {
            expected.insert((table, key), row.unwrap_or_default().to_vec());
        });
        self.rows(&mut |table, key, row| {
            let right = expected.remove(&(table, key));
            wrong += u64::from(right.as_deref() != row);
        });
        wrong + expected.len() as u64 + u64::from(self.head() != recount.head())
    }

    /// Texts, each in its slot, that are on more than half of the pages.
    pub fn frame_texts(&self) -> usize {
        let most = |(_, segment): &(u64, &Segment)| {
            segment.pages > 1 && 2 * u64::from(segment.pages) > self.pages
        };
        self.segments.iter().filter(most).count()
    }

    /// Mean words of a page.
    pub(crate) fn mean_words(&self) -> f32 {
        self.words as f32 / self.pages.max(1) as f32
    }

    /// Share of all words that are in texts of two pages or more.
    pub(crate) fn repeated_share(&self) -> f32 {
        self.repeated as f32 / self.words.max(1) as f32
    }

    /// Pages that have a key of [`Contribution::counted`].
    pub(crate) fn count(&self, key: u64) -> u32 {
        self.counted.get(key).copied().unwrap_or(0)
    }

    /// Pages that have a text in its slot.
    pub(crate) fn segment(&self, key: u64) -> u32 {
        self.segments.get(key).map_or(0, |segment| segment.pages)
    }

    pub(crate) fn slot(&self, key: u32) -> Slot {
        self.slots.get(key).copied().unwrap_or_default()
    }

    pub(crate) fn place(&self, key: u32) -> Place {
        self.places.get(key).copied().unwrap_or_default()
    }

    /// The slot with the most votes as the main container, computed when first needed.
    pub(crate) fn top(&self) -> MainPlace {
        *self.top.get_or_init(|| {
            let mut top = MainPlace::default();
            for (key, place) in self.places.iter() {
                if (place.votes, key) > (top.votes, top.place) {
                    top.runner_up = top.votes;
                    (top.place, top.votes) = (key, place.votes);
                } else {
                    top.runner_up = top.runner_up.max(place.votes);
                }
            }
            top
        })
    }

    /// Adds a page.
    pub(crate) fn add(&mut self, contribution: &Contribution) {
        self.pages += 1;
        self.words += u64::from(contribution.words);
        for key in &contribution.counted {
            let pages = self.counted.change_or_insert(*key, u32::default);
            *pages = pages.saturating_add(1);
        }
        for entry in &contribution.slots {
            self.add_slot(entry);
        }
        for entry in &contribution.segments {
            let segment = self.segments.change_or_insert(entry.key, || Segment {
                pages: 0,
                slots: entry.slots,
                words: entry.words,
            });
            let before = segment.credit();
            segment.pages = segment.pages.saturating_add(1);
            let after = *segment;
            self.credit(&after.slots, after.credit() - before);
        }
        for entry in &contribution.places {
            let place = self.places.change_or_insert(entry.key, Place::default);
            place.pages += 1;
            place.prose_pages += u32::from(entry.prose > 0);
            place.prose += u64::from(entry.prose);
            place.votes += u64::from(entry.vote);
        }
        self.top = OnceLock::new();
    }

    fn add_slot(&mut self, entry: &SlotEntry) {
        let slot = self.slots.change_or_insert(entry.key, Slot::default);
        slot.pages += 1;
        slot.texts += u64::from(entry.texts);
        slot.words += u64::from(entry.words);
        slot.linked += u64::from(entry.linked);
    }

    /// Adds repeated words to a slot, its block and the block above.
    fn credit(&mut self, slots: &[u32; 3], words: u64) {
        if words == 0 {
            return;
        }
        self.repeated += words;
        for key in slots {
            let slot = self.slots.change_or_insert(*key, Slot::default);
            slot.repeated += words;
        }
    }

    fn take_credit(&mut self, slots: &[u32; 3], words: u64) {
        if words == 0 {
            return;
        }
        self.repeated = self.repeated.saturating_sub(words);
        for key in slots {
            if let Some(slot) = self.slots.change(*key) {
                slot.repeated = slot.repeated.saturating_sub(words);
            }
        }
    }

    /// Subtracts a page.
    pub(crate) fn subtract(&mut self, contribution: &Contribution) {
        self.pages = self.pages.saturating_sub(1);
        self.words = self.words.saturating_sub(contribution.words.into());
        for key in &contribution.counted {
            if let Some(pages) = self.counted.change(*key) {
                *pages -= 1;
                if *pages == 0 {
                    self.counted.remove(*key);
                }
            }
        }
        for entry in &contribution.segments {
            self.subtract_segment(entry);
        }
        for entry in &contribution.slots {
            self.subtract_slot(entry);
        }
        for entry in &contribution.places {
            self.subtract_place(entry);
        }
        self.top = OnceLock::new();
    }

    fn subtract_segment(&mut self, entry: &SegmentEntry) {
        let Some(segment) = self.segments.change(entry.key) else {
            return;
        };
        let before = segment.credit();
        segment.pages -= 1;
        let after = *segment;
        if after.pages == 0 {
            self.segments.remove(entry.key);
        }
        self.take_credit(&after.slots, before - after.credit());
    }

    fn subtract_slot(&mut self, entry: &SlotEntry) {
        let Some(slot) = self.slots.change(entry.key) else {
            return;
        };
        slot.pages = slot.pages.saturating_sub(1);
        slot.texts = slot.texts.saturating_sub(entry.texts.into());
        slot.words = slot.words.saturating_sub(entry.words.into());
        slot.linked = slot.linked.saturating_sub(entry.linked.into());
        if slot.pages == 0 {
            self.slots.remove(entry.key);
        }
    }

    fn subtract_place(&mut self, entry: &PlaceEntry) {
        let Some(place) = self.places.change(entry.key) else {
            return;
        };
        place.pages = place.pages.saturating_sub(1);
        place.prose_pages = place.prose_pages.saturating_sub(u32::from(entry.prose > 0));
        place.prose = place.prose.saturating_sub(entry.prose.into());
        place.votes = place.votes.saturating_sub(entry.vote.into());
        if place.pages == 0 {
            self.places.remove(entry.key);
        }
    }

    /// Writes rows; the keys are given table by table.
    fn write_rows(&self, keys: [Vec<u64>; 4], write: &mut WriteRow<'_>) {
        for (table, keys) in (COUNTED..).zip(keys) {
            for key in keys {
                self.write_row(table, key, write);
            }
        }
    }

    fn write_row(&self, table: u8, key: u64, write: &mut WriteRow<'_>) {
        let print = Fingerprint(key.into());
        let row = match table {
            COUNTED => self
                .counted
                .get(key)
                .map(|pages| pages.to_le_bytes().to_vec()),
            SEGMENTS => self.segments.get(key).map(|segment| {
                let [own, block, above] = segment.slots;
                let fields = [segment.pages, own, block, above, segment.words.into()];
                fields.map(u32::to_le_bytes).concat()
            }),
            SLOTS => self.slots.get(key as u32).map(|slot| {
                let mut row = slot.pages.to_le_bytes().to_vec();
                let sums = [slot.texts, slot.words, slot.linked, slot.repeated];
                row.extend(sums.map(u64::to_le_bytes).concat());
                row
            }),
            _ => self.places.get(key as u32).map(|place| {
                let mut row = [place.pages, place.prose_pages]
                    .map(u32::to_le_bytes)
                    .concat();
                row.extend([place.prose, place.votes].map(u64::to_le_bytes).concat());
                row
            }),
        };
        write(table, print, row.as_deref());
    }
}

impl Memory for AutoMemory {
    fn load(&mut self, table: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let key = u64::try_from(key.0).map_err(|_| BadRow)?;
        let short = || u32::try_from(key).map_err(|_| BadRow);
        let mut fields = Fields(row);
        let mut small = || fields.u32().ok_or(BadRow);
        // Every row starts with its number of pages; rows without pages are not stored.
        let pages = small()?;
        if pages == 0 {
            return Err(BadRow);
        }
        match table {
            COUNTED => {
                self.counted.load(key, pages);
            }
            SEGMENTS => {
                let slots = [small()?, small()?, small()?];
                let words = u16::try_from(small()?).map_err(|_| BadRow)?;
                let segment = Segment {
                    pages,
                    slots,
                    words,
                };
                self.segments.load(key, segment);
            }
            SLOTS => {
                let mut large = || fields.u64().ok_or(BadRow);
                let slot = Slot {
                    pages,
                    texts: large()?,
                    words: large()?,
                    linked: large()?,
                    repeated: large()?,
                };
                self.slots.load(short()?, slot);
            }
            PLACES => {
                let prose_pages = small()?;
                let mut large = || fields.u64().ok_or(BadRow);
                let place = Place {
                    pages,
                    prose_pages,
                    prose: large()?,
                    votes: large()?,
                };
                self.places.load(short()?, place);
            }
            _ => return Err(BadRow),
        }
        self.top = OnceLock::new();
        Ok(())
    }

    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
        let mut fields = Fields(head);
        let mut next = || fields.u64().ok_or(BadRow);
        (self.pages, self.words, self.repeated) = (next()?, next()?, next()?);
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        [self.pages, self.words, self.repeated]
            .map(u64::to_le_bytes)
            .concat()
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        let keys = [
            self.counted.keys(),
            self.segments.keys(),
            wide(self.slots.keys()),
            wide(self.places.keys()),
        ];
        self.write_rows(keys, write);
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        let keys = [
            self.counted.take_changed(),
            self.segments.take_changed(),
            wide(self.slots.take_changed()),
            wide(self.places.take_changed()),
        ];
        self.write_rows(keys, write);
    }

    fn unlearn(&mut self, _: Fingerprint, contribution: &[u8]) {
        if let Some(contribution) = Contribution::decode(contribution) {
            self.subtract(&contribution);
        }
    }

    fn merge(&mut self, other: Self) {
        self.pages += other.pages;
        self.words += other.words;
        self.repeated += other.repeated;
        for (key, pages) in other.counted.into_iter() {
            let own = self.counted.change_or_insert(key, u32::default);
            *own = own.saturating_add(pages);
        }
        for (key, slot) in other.slots.into_iter() {
            let own = self.slots.change_or_insert(key, Slot::default);
            own.pages = own.pages.saturating_add(slot.pages);
            own.texts += slot.texts;
            own.words += slot.words;
            own.linked += slot.linked;
            own.repeated += slot.repeated;
        }
        // Texts that each memory had on one page are now repeated.
        for (key, segment) in other.segments.into_iter() {
            let own = self.segments.change_or_insert(key, || Segment {
                pages: 0,
                ..segment
            });
            let before = own.credit() + segment.credit();
            own.pages = own.pages.saturating_add(segment.pages);
            let after = *own;
            self.credit(&after.slots, after.credit().saturating_sub(before));
        }
        for (key, place) in other.places.into_iter() {
            let own = self.places.change_or_insert(key, Place::default);
            own.pages = own.pages.saturating_add(place.pages);
            own.prose_pages = own.prose_pages.saturating_add(place.prose_pages);
            own.prose += place.prose;
            own.votes += place.votes;
        }
        self.top = OnceLock::new();
    }

    fn len(&self) -> usize {
        self.counted.len() + self.segments.len() + self.slots.len() + self.places.len()
    }

    fn bytes(&self) -> usize {
        let short = self.slots.bytes() + self.places.bytes();
        self.counted.bytes() + self.segments.bytes() + short
    }

    /// Texts are known by their hashes alone, so none can be shown.
    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::count("texts", self.texts() as u64).column("texts"),
            Figure::bytes("table_bytes", self.table_bytes()).column("tables"),
            Figure::count("frame_texts", self.frame_texts() as u64).column("on most pages"),
            Figure::count("rows", self.len() as u64),
        ]
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        self.wrong_rows(ledger.iter().map(|(_, page)| &*page.contribution))
    }
}

/// 32-bit keys as the store has them.
fn wide(keys: Vec<u32>) -> Vec<u64> {
    keys.into_iter().map(u64::from).collect()
}
