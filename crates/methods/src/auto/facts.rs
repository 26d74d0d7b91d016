//! What a page adds to what is known of its site. Every number is whole, so that sums do not
//! depend on the order of pages, and each page can be taken out again.

use unframe_site::Fields;

use super::figures::Figures;
use super::outline::{Outline, mix};

/// The part of a slot that a row is about.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(crate) enum Role {
    /// The text's own element.
    Own = 1,
    /// Its block.
    Block = 2,
    /// The block above.
    Above = 3,
    /// Any element that holds text.
    Place = 4,
}

impl Role {
    pub fn of(self, slot: u64) -> u32 {
        (mix(slot, self as u64) >> 32) as u32
    }
}

/// What is counted once for each page that has it.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(crate) enum Counted {
    /// A text, wherever it stands.
    Text = 11,
    /// A text with digits masked, in its slot.
    Masked = 12,
    /// The target of a link, in the slot of the block above.
    Target = 13,
    /// All texts of an element.
    Tree = 14,
}

impl Counted {
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
pub(crate) struct SegmentFact {
    pub key: u64,
    pub words: u16,
    /// The rows of its slot, its block and the block above, for which it counts if repeated.
    pub slots: [u32; 3],
}

/// What a slot holds on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotFact {
    pub key: u32,
    pub texts: u32,
    pub words: u32,
    pub linked: u32,
}

impl SlotFact {
    fn add(&mut self, next: &SlotFact) {
        self.texts = self.texts.saturating_add(next.texts);
        self.words = self.words.saturating_add(next.words);
        self.linked = self.linked.saturating_add(next.linked);
    }
}

/// What an element's slot is to the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlaceFact {
    pub key: u32,
    /// Share of the page's prose, in units of [`WHOLE`].
    pub prose: u32,
    /// How much it looks like the main container, in the same units.
    pub vote: u32,
}

/// One, in whole numbers.
pub(crate) const WHOLE: f32 = 65536.0;

/// Texts of an element that is remembered as a whole, at most.
const LARGEST_TREE: u32 = 400;

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub counted: Vec<u64>,
    pub segments: Vec<SegmentFact>,
    pub slots: Vec<SlotFact>,
    pub places: Vec<PlaceFact>,
    pub words: u32,
}

impl Facts {
    pub fn of(outline: &Outline, figures: &Figures) -> Facts {
        let (texts, elements) = (outline.texts.len(), outline.elements.len());
        let mut facts = Facts {
            counted: Vec::with_capacity(2 * texts + elements / 2),
            segments: Vec::with_capacity(texts),
            slots: Vec::with_capacity(3 * texts),
            places: Vec::with_capacity(elements),
            words: 0,
        };
        // The last fact of the own element, the block and the block above.
        let mut latest = [usize::MAX; 3];
        for text in &outline.texts {
            let element = &outline.elements[text.element as usize];
            let block = &outline.elements[element.block as usize];
            let above = &outline.elements[outline.above(element.block) as usize];
            let words = text.look.words.max(1);
            let linked = if outline.is_linked(text) { words } else { 0 };
            facts.words = facts.words.saturating_add(words);
            facts.counted.push(Counted::Text.key(0, text.hash));
            if let Some(masked) = text.masked {
                let key = Counted::Masked.key(element.slot, masked);
                facts.counted.push(key);
            }
            let slots = [
                Role::Own.of(element.slot),
                Role::Block.of(block.slot),
                Role::Above.of(above.slot),
            ];
            facts.segments.push(SegmentFact {
                key: segment_key(element.slot, text.hash),
                words: words.min(u16::MAX.into()) as u16,
                slots,
            });
            for (key, latest) in slots.into_iter().zip(&mut latest) {
                let fact = SlotFact {
                    key,
                    texts: 1,
                    words,
                    linked,
                };
                // Neighbours mostly share slots: what is one now need not be sorted.
                match facts.slots.get_mut(*latest) {
                    Some(before) if before.key == key => before.add(&fact),
                    _ => {
                        *latest = facts.slots.len();
                        facts.slots.push(fact);
                    }
                }
            }
        }
        for (link, target) in &outline.targets {
            let element = &outline.elements[*link as usize];
            let above = &outline.elements[outline.above(element.block) as usize];
            facts.counted.push(Counted::Target.key(above.slot, *target));
        }
        let (prose, best) = (
            figures.total().prose,
            figures.score.get(figures.top as usize),
        );
        let best = best.copied().unwrap_or(0.0);
        for (at, element) in outline.elements.iter().enumerate() {
            if element.first == element.last {
                continue;
            }
            if let Some(key) = tree_key(outline, at as u32) {
                facts.counted.push(key);
            }
            let share = |part: f32, whole: f32| match whole > 0.0 {
                true => (part / whole * WHOLE).round() as u32,
                false => 0,
            };
            facts.places.push(PlaceFact {
                key: Role::Place.of(element.slot),
                prose: share(figures.sum(at as u32).prose, prose),
                vote: share(figures.score[at], best),
            });
        }
        facts.settle();
        facts
    }

    /// Each key once.
    fn settle(&mut self) {
        self.counted.sort_unstable();
        self.counted.dedup();
        self.segments.sort_unstable_by_key(|fact| fact.key);
        self.segments.dedup_by_key(|fact| fact.key);
        self.slots.sort_unstable_by_key(|fact| fact.key);
        self.slots.dedup_by(|next, fact| {
            let same = next.key == fact.key;
            if same {
                fact.add(next);
            }
            same
        });
        self.places.sort_unstable_by_key(|fact| fact.key);
        self.places.dedup_by(|next, fact| {
            let same = next.key == fact.key;
            if same {
                // A list's items share a slot: its prose is theirs together, its vote the best.
                fact.prose = (fact.prose + next.prose).min(WHOLE as u32);
                fact.vote = fact.vote.max(next.vote);
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
        for fact in &self.segments {
            put(&halves(fact.key));
            put(&fact.slots);
            put(&[fact.words.into()]);
        }
        for fact in &self.slots {
            put(&[fact.key, fact.texts, fact.words, fact.linked]);
        }
        for fact in &self.places {
            put(&[fact.key, fact.prose, fact.vote]);
        }
        out
    }

    /// `None` if the bytes are no facts.
    pub fn decode(bytes: &[u8]) -> Option<Facts> {
        let mut fields = Fields(bytes);
        let words = fields.u32()?;
        let (counted, segments, slots) = (fields.u32()?, fields.u32()?, fields.u32()?);
        let mut facts = Facts {
            words,
            ..Facts::default()
        };
        for _ in 0..counted {
            facts.counted.push(fields.u64()?);
        }
        for _ in 0..segments {
            facts.segments.push(SegmentFact {
                key: fields.u64()?,
                slots: [fields.u32()?, fields.u32()?, fields.u32()?],
                words: u16::try_from(fields.u32()?).ok()?,
            });
        }
        for _ in 0..slots {
            facts.slots.push(SlotFact {
                key: fields.u32()?,
                texts: fields.u32()?,
                words: fields.u32()?,
                linked: fields.u32()?,
            });
        }
        while !fields.0.is_empty() {
            facts.places.push(PlaceFact {
                key: fields.u32()?,
                prose: fields.u32()?,
                vote: fields.u32()?,
            });
        }
        Some(facts)
    }
}

/// All texts of a block of two texts or more, as one key; elements around a single block have none
/// of their own.
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
    Some(Counted::Tree.key(element.slot, hash))
}
