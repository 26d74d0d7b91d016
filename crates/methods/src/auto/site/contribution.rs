//! What one page adds to the memory of its site.
//!
//! All numbers are integers, so sums do not depend on the order of pages, and a page can be subtracted
//! again.

use unframe_site::Fields;

use crate::auto::page::outline::{Outline, mix};
use crate::auto::page::subtree_stats::SubtreeStats;

/// The level at which the memory keeps a slot.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(crate) enum SlotRole {
    /// The text's own element.
    Own = 1,
    /// Its block.
    Block = 2,
    /// The block element above that.
    Above = 3,
    /// Any element that holds text.
    Place = 4,
}

impl SlotRole {
    pub fn of(self, slot: u64) -> u32 {
        (mix(slot, self as u64) >> 32) as u32
    }
}

/// What is counted once for each page that has it: the number is part of the stored key.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(crate) enum CountedKey {
    /// A text anywhere on the page.
    Text = 11,
    /// A text with digits masked, in its slot.
    Masked = 12,
    /// The target of a link, in the slot of the block above.
    Target = 13,
    /// All texts of an element.
    Tree = 14,
}

impl CountedKey {
    pub fn key(self, place: u64, what: u64) -> u64 {
        mix(mix(self as u64, place), what)
    }
}

/// The key of a text in its slot.
pub(crate) fn segment_key(slot: u64, text: u64) -> u64 {
    mix(mix(15, slot), text)
}

/// A text in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentEntry {
    pub key: u64,
    pub words: u16,
    /// The rows of its slot, its block and the block above, whose repeated words it adds to.
    pub slots: [u32; 3],
}

/// What a slot holds on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotEntry {
    pub key: u32,
    pub texts: u32,
    pub words: u32,
    pub linked: u32,
}

impl SlotEntry {
    fn add(&mut self, next: &SlotEntry) {
        self.texts = self.texts.saturating_add(next.texts);
        self.words = self.words.saturating_add(next.words);
        self.linked = self.linked.saturating_add(next.linked);
    }
}

/// The part of an element's slot in the page's prose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlaceEntry {
    pub key: u32,
    /// Share of the page's prose, in fixed point; see [`FIXED_POINT_ONE`].
    pub prose: u32,
    /// Its score as the main container, as a share of the best, in the same units.
    pub vote: u32,
}

/// The fixed-point representation of 1.
pub(crate) const FIXED_POINT_ONE: f32 = 65536.0;

/// The most texts of an element that is counted as a whole.
const LARGEST_TREE: u32 = 400;

/// The contribution of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contribution {
    pub counted: Vec<u64>,
    pub segments: Vec<SegmentEntry>,
    pub slots: Vec<SlotEntry>,
    pub places: Vec<PlaceEntry>,
    pub words: u32,
}

impl Contribution {
    pub fn of(outline: &Outline, subtrees: &SubtreeStats) -> Contribution {
        let (texts, elements) = (outline.texts.len(), outline.elements.len());
        let mut contribution = Contribution {
            counted: Vec::with_capacity(2 * texts + elements / 2),
            segments: Vec::with_capacity(texts),
            slots: Vec::with_capacity(3 * texts),
            places: Vec::with_capacity(elements),
            words: 0,
        };
        // The last entry of each level.
        let mut latest = [usize::MAX; 3];
        for text in &outline.texts {
            let element = &outline.elements[text.element as usize];
            let block = &outline.elements[element.block as usize];
            let above = &outline.elements[outline.above(element.block) as usize];
            let words = text.stats.words.max(1);
            let linked = if outline.is_linked(text) { words } else { 0 };
            contribution.words = contribution.words.saturating_add(words);
            contribution
                .counted
                .push(CountedKey::Text.key(0, text.hash));
            if let Some(masked) = text.masked {
                let key = CountedKey::Masked.key(element.slot, masked);
                contribution.counted.push(key);
            }
            let slots = [
                SlotRole::Own.of(element.slot),
                SlotRole::Block.of(block.slot),
                SlotRole::Above.of(above.slot),
            ];
            contribution.segments.push(SegmentEntry {
                key: segment_key(element.slot, text.hash),
                words: words.min(u16::MAX.into()) as u16,
                slots,
            });
            for (key, latest) in slots.into_iter().zip(&mut latest) {
                let entry = SlotEntry {
                    key,
                    texts: 1,
                    words,
                    linked,
                };
                // Neighbouring texts mostly share slots: merged now, they need not be sorted.
                match contribution.slots.get_mut(*latest) {
                    Some(before) if before.key == key => before.add(&entry),
                    _ => {
                        *latest = contribution.slots.len();
                        contribution.slots.push(entry);
                    }
                }
            }
        }
        for (link, target) in &outline.targets {
            let element = &outline.elements[*link as usize];
            let above = &outline.elements[outline.above(element.block) as usize];
            contribution
                .counted
                .push(CountedKey::Target.key(above.slot, *target));
        }
        let (prose, best) = (
            subtrees.total().prose,
            subtrees.score.get(subtrees.top as usize),
        );
        let best = best.copied().unwrap_or(0.0);
        for (at, element) in outline.elements.iter().enumerate() {
            if element.first == element.last {
                continue;
            }
            if let Some(key) = tree_key(outline, at as u32) {
                contribution.counted.push(key);
            }
            let share = |part: f32, whole: f32| match whole > 0.0 {
                true => (part / whole * FIXED_POINT_ONE).round() as u32,
                false => 0,
            };
            contribution.places.push(PlaceEntry {
                key: SlotRole::Place.of(element.slot),
                prose: share(subtrees.sum(at as u32).prose, prose),
                vote: share(subtrees.score[at], best),
            });
        }
        contribution.sort_and_merge();
        contribution
    }

    /// Sorts the entries and merges those of one key.
    fn sort_and_merge(&mut self) {
        self.counted.sort_unstable();
        self.counted.dedup();
        self.segments.sort_unstable_by_key(|entry| entry.key);
        self.segments.dedup_by_key(|entry| entry.key);
        self.slots.sort_unstable_by_key(|entry| entry.key);
        self.slots.dedup_by(|next, entry| {
            let same = next.key == entry.key;
            if same {
                entry.add(next);
            }
            same
        });
        self.places.sort_unstable_by_key(|entry| entry.key);
        self.places.dedup_by(|next, entry| {
            let same = next.key == entry.key;
            if same {
                // The items of a list share a slot: their prose is summed, the best vote counts.
                entry.prose = (entry.prose + next.prose).min(FIXED_POINT_ONE as u32);
                entry.vote = entry.vote.max(next.vote);
            }
            same
        });
    }

    pub fn encode(&self) -> Vec<u8> {
        let keys = 2 * (self.counted.len() + self.segments.len());
        let others = 4 * (1 + self.segments.len() + self.slots.len()) + 3 * self.places.len();
        let mut out = Vec::with_capacity(size_of::<u32>() * (keys + others));
        let mut put = |fields: &[u32]| {
            for field in fields {
                out.extend_from_slice(&field.to_le_bytes());
            }
        };
        let lengths = [self.counted.len(), self.segments.len(), self.slots.len()];
        put(&[self.words]);
        put(&lengths.map(|length| length as u32));
        let halves = |key: u64| [key as u32, (key >> 32) as u32];
        for key in &self.counted {
            put(&halves(*key));
        }
        for entry in &self.segments {
            put(&halves(entry.key));
            put(&entry.slots);
            put(&[entry.words.into()]);
        }
        for entry in &self.slots {
            put(&[entry.key, entry.texts, entry.words, entry.linked]);
        }
        for entry in &self.places {
            put(&[entry.key, entry.prose, entry.vote]);
        }
        out
    }

    /// `None` if the bytes are not a contribution.
    pub fn decode(bytes: &[u8]) -> Option<Contribution> {
        let mut fields = Fields(bytes);
        let words = fields.u32()?;
        let (counted, segments, slots) = (fields.u32()?, fields.u32()?, fields.u32()?);
        let mut contribution = Contribution {
            words,
            ..Contribution::default()
        };
        for _ in 0..counted {
            contribution.counted.push(fields.u64()?);
        }
        for _ in 0..segments {
            contribution.segments.push(SegmentEntry {
                key: fields.u64()?,
                slots: [fields.u32()?, fields.u32()?, fields.u32()?],
                words: u16::try_from(fields.u32()?).ok()?,
            });
        }
        for _ in 0..slots {
            contribution.slots.push(SlotEntry {
                key: fields.u32()?,
                texts: fields.u32()?,
                words: fields.u32()?,
                linked: fields.u32()?,
            });
        }
        while !fields.0.is_empty() {
            contribution.places.push(PlaceEntry {
                key: fields.u32()?,
                prose: fields.u32()?,
                vote: fields.u32()?,
            });
        }
        Some(contribution)
    }
}

/// The key of all texts of a block element with two texts or more. Elements that are not blocks have
/// none.
pub(crate) fn tree_key(outline: &Outline, at: u32) -> Option<u64> {
    let element = &outline.elements[at as usize];
    let texts = element.last - element.first;
    if element.block != at || !(2..=LARGEST_TREE).contains(&texts) {
        return None;
    }
    let texts = &outline.texts[element.first as usize..element.last as usize];
    let hash = texts
        .iter()
        .fold(u64::from(element.last - element.first), |hash, text| {
            mix(hash, text.hash)
        });
    Some(CountedKey::Tree.key(element.slot, hash))
}
