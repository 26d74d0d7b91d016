//! What one page adds to the memory of its site.
//!
//! All numbers are integers, so sums do not depend on the order of pages, and a page can be subtracted
//! again. Texts, slots and targets of links are known by 32 bits of their hashes. A site's memory has at
//! most [`MOST_ROWS`](super::memory::MOST_ROWS) of each, so a text that is new to the site is taken for
//! one of them with a chance of about 1 in 65,536 at most, and for one of some hundred texts of the frame with
//! 1 in ten million: on one page in 100,000.

use unframe_labels::PageKind;

use crate::auto::page::outline::{Outline, Text};
use crate::auto::page::subtree_stats::SubtreeStats;

/// The part of a hash by which the memory knows a text, a slot or a target.
pub(crate) fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The same of a text with its digits masked; 0 for texts without digits, and for long ones: dates and
/// counters are short.
pub(crate) fn short_masked(text: &Text) -> u32 {
    /// The most words of a text that is compared with any digits.
    const MOST_WORDS: u32 = 10;
    match text.masked {
        Some(hash) if text.stats.words <= MOST_WORDS => short(hash).max(1),
        _ => 0,
    }
}

/// An element's slot, and what its elements hold on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotEntry {
    pub slot: u32,
    /// The same without ids.
    pub idless: u32,
    /// The entry of the slot around it, which is the same on all pages; the outermost has itself.
    pub parent: u32,
    /// Its elements are blocks.
    pub is_block: bool,
    /// Share of the page's prose, in fixed point; see [`FIXED_POINT_ONE`].
    pub prose: u8,
    /// Its score as the main container, as a share of the best, in the same units.
    pub score: u8,
    /// How likely the texts in it are frame, judged by the page alone: their mean probability, from 1 to
    /// 255; 0 if the page was not judged, or has no text right in it.
    pub alone: u8,
}

/// A text in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextEntry {
    pub text: u32,
    /// The same with digits masked; 0 if it has none.
    pub masked: u32,
    pub words: u16,
    /// The entry of its slot.
    pub slot: u32,
    /// How often the page has it there.
    pub times: u16,
    pub linked: bool,
}

/// The target of a link, and the entry of the slot above its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TargetEntry {
    pub target: u32,
    pub above: u32,
}

/// The fixed-point representation of 1.
pub(crate) const FIXED_POINT_ONE: f32 = 255.0;

/// The contribution of a page; all entries are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contribution {
    pub words: u32,
    /// The kind of page, if it votes.
    pub kind: Option<PageKind>,
    pub slots: Vec<SlotEntry>,
    pub texts: Vec<TextEntry>,
    pub targets: Vec<TargetEntry>,
}

impl Contribution {
    /// The contribution of a page that does not vote.
    pub fn of(outline: &Outline, subtrees: &SubtreeStats) -> Contribution {
        let mut contribution = Contribution::default();
        let entries = contribution.add_slots(outline, subtrees);
        contribution.add_texts(outline, &entries);
        let target = |(link, target): (&u32, &u64)| {
            let block = outline.elements[*link as usize].block;
            TargetEntry {
                target: short(*target),
                above: entries[outline.above(block) as usize],
            }
        };
        contribution.targets = (&outline.targets).into_iter().map(target).collect();
        contribution.targets.sort_unstable();
        contribution.targets.dedup();
        contribution
    }

    /// Adds the slots of all elements. Returns the entry of each element.
    fn add_slots(&mut self, outline: &Outline, subtrees: &SubtreeStats) -> Vec<u32> {
        let prose = subtrees.total().prose;
        let best = subtrees.score.get(subtrees.top as usize);
        let best = best.copied().unwrap_or(0.0);
        let elements = outline.elements.iter().enumerate();
        let mut order: Vec<(u32, u32)> = elements
            .filter(|(_, element)| element.first < element.last)
            .map(|(at, element)| (short(element.slot), at as u32))
            .collect();
        order.sort_unstable();
        let mut entries = vec![0; outline.elements.len()];
        for of_slot in order.chunk_by(|a, b| a.0 == b.0) {
            // The items of a list share a slot: their prose is summed, the best score counts.
            let (mut sum, mut score) = (0.0, 0.0f32);
            for (_, at) in of_slot {
                entries[*at as usize] = self.slots.len() as u32;
                sum += subtrees.sum(*at).prose;
                score = score.max(subtrees.score[*at as usize]);
            }
            let (slot, first) = of_slot[0];
            self.slots.push(SlotEntry {
                slot,
                idless: short(outline.elements[first as usize].idless),
                // An element for now.
                parent: outline.elements[first as usize].parent,
                is_block: outline.elements[first as usize].block == first,
                prose: fixed_point(sum, prose),
                score: fixed_point(score, best),
                alone: 0,
            });
        }
        for slot in &mut self.slots {
            slot.parent = entries[slot.parent as usize];
        }
        entries
    }

    /// True if a page can have contributed it, which the bytes of a damaged file may not tell: nothing is
    /// there twice, and every slot leads to one that is its own parent.
    pub fn is_sound(&self) -> bool {
        let mut order = Vec::new();
        self.outermost_first(&mut order);
        let text = |entry: &TextEntry| (entry.text, entry.words, entry.masked, entry.slot);
        let mut texts: Vec<_> = self.texts.iter().map(text).collect();
        texts.sort_unstable();
        order.len() == self.slots.len()
            && self
                .slots
                .windows(2)
                .all(|pair| pair[0].slot < pair[1].slot)
            && self.targets.windows(2).all(|pair| pair[0] < pair[1])
            && texts.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Puts the entries into an order in which parents come before their children.
    pub fn outermost_first(&self, order: &mut Vec<u32>) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.slots.len()];
        order.clear();
        for (at, entry) in (0..).zip(&self.slots) {
            match entry.parent == at {
                true => order.push(at),
                false => children[entry.parent as usize].push(at),
            }
        }
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            order.append(&mut children[at as usize]);
            next += 1;
        }
    }

    /// The entry of a slot's block.
    pub fn block(&self, entry: u32) -> u32 {
        let mut at = entry;
        while !self.slots[at as usize].is_block && self.slots[at as usize].parent != at {
            at = self.slots[at as usize].parent;
        }
        at
    }

    /// The entry of the block above a block.
    pub fn above(&self, block: u32) -> u32 {
        self.block(self.slots[block as usize].parent)
    }

    fn add_texts(&mut self, outline: &Outline, entries: &[u32]) {
        self.texts = outline
            .texts
            .iter()
            .map(|text| TextEntry {
                text: short(text.hash),
                masked: short_masked(text),
                words: text.stats.words.clamp(1, u16::MAX.into()) as u16,
                slot: entries[text.element as usize],
                times: 1,
                linked: outline.is_linked(text),
            })
            .collect();
        let words = self.texts.iter().map(|text| u32::from(text.words));
        self.words = words.fold(0, u32::saturating_add);
        self.texts
            .sort_unstable_by_key(|entry| (entry.text, entry.slot));
        self.texts.dedup_by(|next, entry| {
            let same = (next.text, next.slot) == (entry.text, entry.slot);
            if same {
                entry.times = entry.times.saturating_add(1);
                entry.linked |= next.linked;
            }
            same
        });
    }

    /// Adds what is known of a page by itself: its kind, and how likely each of its texts is frame.
    pub fn judge(&mut self, outline: &Outline, kind: PageKind, probabilities: &[f32]) {
        self.kind = Some(kind);
        let mut sums = vec![(0.0, 0.0); self.slots.len()];
        for (text, probability) in outline.texts.iter().zip(probabilities) {
            let slot = short(outline.elements[text.element as usize].slot);
            if let Ok(at) = self.slots.binary_search_by_key(&slot, |entry| entry.slot) {
                let words = text.stats.words.max(1) as f32;
                sums[at].0 += words * probability;
                sums[at].1 += words;
            }
        }
        for (entry, (sum, words)) in self.slots.iter_mut().zip(sums) {
            if words > 0.0 {
                entry.alone = 1 + (sum / words * 254.0).round() as u8;
            }
        }
    }
}

/// A share in fixed point; what is not zero remains so.
fn fixed_point(part: f32, whole: f32) -> u8 {
    match part > 0.0 && whole > 0.0 {
        true => (part / whole * FIXED_POINT_ONE).round().clamp(1.0, 255.0) as u8,
        false => 0,
    }
}
