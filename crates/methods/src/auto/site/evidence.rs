//! A page compared with the memory of its site: which texts are on other pages, and what its slots hold
//! there.

use crate::auto::page::outline::{Outline, Text};
use crate::auto::page::subtree_stats::PROSE_WORDS;
use crate::auto::site::contribution::{FIXED_POINT_ONE, short, short_masked};
use crate::auto::site::memory::{AutoMemory, MainPlace};
use crate::auto::site::repetition_odds::OddsCache;
use crate::auto::site::sums::{Place, Slot, SlotRow};

/// The evidence for one text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextEvidence {
    /// Other pages that have it in the same slot …
    pub seen: u32,
    /// … anywhere …
    pub seen_anywhere: u32,
    /// … with any digits …
    pub seen_masked: u32,
    /// … and other pages that have the target of its link.
    pub seen_target: u32,
    /// Log-odds of frame by its repetition in the slot, and anywhere.
    pub odds: f32,
    pub odds_anywhere: f32,
    /// It counts as repeated.
    pub repeated: bool,
    /// What its own slot, that of its block and that of the block above hold.
    pub own: Slot,
    pub block: Slot,
    pub above: Slot,
}

/// The evidence for one element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ElementEvidence {
    pub place: Place,
    /// Other pages that have the element with all of its texts.
    pub seen: u32,
    /// Repeated words of the outermost element around it, itself included, that is repeated as a whole.
    pub repeated_around: f32,
}

/// Sums over texts that depend on the site.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiteSum {
    /// Words of repeated texts.
    pub repeated: f32,
    /// Words of prose that is not repeated.
    pub prose: f32,
}

/// The evidence for a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// All pages of the site.
    pub pages: u32,
    /// Those that are neither the page itself nor near duplicates of it.
    pub other_pages: u32,
    /// Those of the same design, if they are enough.
    pub design_pages: Option<u32>,
    /// Those that the page is compared with: those of its design, or all.
    pub compared_pages: u32,
    /// Those that also have the containers of most of its texts.
    pub similar_pages: u32,
    /// Other pages with nearly the same text.
    pub near_duplicates: u32,
    pub texts: Vec<TextEvidence>,
    pub elements: Vec<ElementEvidence>,
    before: Vec<SiteSum>,
    sums: Vec<SiteSum>,
    pub top: MainPlace,
    /// The largest element in that slot.
    pub main: Option<u32>,
    pub mean_words: f32,
    pub repeated_share: f32,
}

/// Share of pages up to which a repeated text may come from near duplicates instead of frame.
const RARE: f32 = 0.4;
/// Share of the page's rare text that a near duplicate must have.
const COPIED: f32 = 0.6;
/// The same for a site of two pages, where nothing else tells frame from near duplicates.
const COPIED_OF_TWO: f32 = 0.8;
/// The fewest rare texts by which near duplicates are recognised.
const FEWEST_RARE: usize = 3;
/// The fewest words of a text that counts for near duplicates.
const TELLING_WORDS: u32 = 4;
/// A design is recognised by the containers that hold this share of a page's texts …
const DESIGN: f32 = 0.8;
/// … and similar pages by those that hold this share.
const SIMILAR: f32 = 0.5;
/// The fewest other pages of a design …
const FEWEST_OF_DESIGN: u32 = 5;
/// … and their smallest share of the site.
const LEAST_OF_DESIGN: f32 = 0.2;
/// Share of the pages from which a text is frame without asking the model …
const BEYOND_DOUBT: f32 = 0.9;
/// … if there are at least this many other pages.
const MANY_PAGES: u32 = 9;
/// Share of the pages from which an element counts as repeated as a whole.
const REPEATED_TREE: f32 = 0.3;

impl Evidence {
    pub fn of(outline: &Outline, memory: &AutoMemory) -> Evidence {
        let counts = counts(outline, memory);
        let (pages, own) = known_pages(&counts, memory);
        let copies = count_near_duplicates(outline, &counts, pages, own);
        let others = pages.saturating_sub(own);
        let other_pages = others.saturating_sub(copies);
        let elements = outline.elements.iter();
        let rows: Vec<SlotRow> = elements
            .map(|element| memory.slot(short(element.slot)))
            .collect();
        let alike = |share: f32| {
            let pages = pages_alike(outline, &rows, share).unwrap_or(pages);
            pages.saturating_sub(own + copies).min(other_pages)
        };
        let enough = FEWEST_OF_DESIGN.max((LEAST_OF_DESIGN * other_pages as f32) as u32);
        let design_pages = Some(alike(DESIGN)).filter(|of| *of >= enough);
        let of = design_pages.unwrap_or(other_pages);
        let (texts, elements) = (outline.texts.len(), outline.elements.len());
        let mut evidence = Evidence {
            texts: Vec::with_capacity(texts),
            elements: Vec::with_capacity(elements),
            before: Vec::with_capacity(texts + 1),
            pages,
            other_pages,
            design_pages,
            compared_pages: of,
            similar_pages: alike(SIMILAR).min(of),
            near_duplicates: copies,
            mean_words: memory.mean_words(),
            repeated_share: memory.repeated_share(),
            top: memory.top(),
            ..Evidence::default()
        };
        evidence.read_texts(outline, memory, &rows, &counts, own + copies);
        evidence.sum_up(outline);
        evidence.read_elements(outline, &rows);
        evidence
    }

    fn read_texts(
        &mut self,
        outline: &Outline,
        memory: &AutoMemory,
        rows: &[SlotRow],
        counts: &[(u32, u32)],
        own: u32,
    ) {
        let of = self.compared_pages;
        let mut memo = OddsCache::new(of);
        let rest = |pages: u32| pages.saturating_sub(own).min(self.other_pages);
        let slot = |element: u32| short(outline.elements[element as usize].slot);
        for (text, (segment, anywhere)) in outline.texts.iter().zip(counts) {
            let element = &outline.elements[text.element as usize];
            let above = outline.above(element.block);
            let linked = outline.is_linked(text);
            let words = text.stats.words.max(1);
            let (seen, seen_anywhere) = (rest(*segment), rest(*anywhere));
            let seen_masked = match short_masked(text) {
                0 => seen,
                masked => rest(memory.masked(slot(text.element), masked)),
            };
            let target = outline.targets.get(&element.link);
            let seen_target = target.map_or(0, |target| {
                let block = outline.elements[element.link as usize].block;
                rest(memory.target(slot(outline.above(block)), short(*target)))
            });
            self.texts.push(TextEvidence {
                seen,
                seen_anywhere,
                seen_masked,
                seen_target,
                odds: memo.log_odds(seen.min(of), words),
                odds_anywhere: memo.log_odds(seen_anywhere.min(of), words),
                repeated: seen > 0 && (2 * seen >= of || seen >= 2 || linked),
                own: rows[text.element as usize].own,
                block: rows[element.block as usize].block,
                above: rows[above as usize].above,
            });
        }
    }

    fn sum_up(&mut self, outline: &Outline) {
        let mut sum = SiteSum::default();
        self.before.push(sum);
        for (text, known) in outline.texts.iter().zip(&self.texts) {
            let words = text.stats.weight();
            let control = outline.elements[text.element as usize].control;
            if known.repeated {
                sum.repeated += words;
            } else if words >= PROSE_WORDS && !outline.is_linked(text) && !control {
                sum.prose += words;
            }
            self.before.push(sum);
        }
        let elements = outline.elements.iter();
        let sums = elements.map(|element| self.range(element.first, element.last));
        self.sums = sums.collect();
    }

    fn read_elements(&mut self, outline: &Outline, rows: &[SlotRow]) {
        let least = self.least_seen(outline);
        let enough = (REPEATED_TREE * self.compared_pages as f32).max(1.0);
        let mut largest = 0;
        for (at, element) in outline.elements.iter().enumerate() {
            let mut known = ElementEvidence::default();
            if element.first < element.last {
                known.place = rows[at].place;
                let texts = element.last - element.first;
                let is_top = short(element.slot) == self.top.slot && self.top.score > 0;
                if is_top && texts > largest {
                    largest = texts;
                    self.main = Some(at as u32);
                }
                if self.compared_pages > 0 && is_whole_part(outline, at as u32) {
                    known.seen = least[at];
                }
            }
            let around = match at {
                0 => 0.0,
                _ => self.elements[element.parent as usize].repeated_around,
            };
            known.repeated_around = if around > 0.0 {
                around
            } else if known.seen as f32 >= enough {
                self.sum(at as u32).repeated.max(1.0)
            } else {
                0.0
            };
            self.elements.push(known);
        }
    }

    /// For each element the number of other pages that have all of its texts, at most: those that have the
    /// rarest of them.
    fn least_seen(&self, outline: &Outline) -> Vec<u32> {
        let mut least = vec![u32::MAX; outline.elements.len()];
        for (text, known) in outline.texts.iter().zip(&self.texts) {
            let of = &mut least[text.element as usize];
            *of = known.seen.min(*of);
        }
        for at in (1..least.len()).rev() {
            let parent = outline.elements[at].parent as usize;
            least[parent] = least[parent].min(least[at]);
        }
        least
    }

    /// The sum over an element.
    pub fn sum(&self, element: u32) -> &SiteSum {
        &self.sums[element as usize]
    }

    /// The sum over a range of texts.
    pub fn range(&self, first: u32, last: u32) -> SiteSum {
        let (from, to) = (self.before[first as usize], self.before[last as usize]);
        SiteSum {
            repeated: to.repeated - from.repeated,
            prose: to.prose - from.prose,
        }
    }

    /// The sum over the page.
    pub fn total(&self) -> SiteSum {
        self.before.last().copied().unwrap_or_default()
    }

    /// A number of pages as a share of the compared pages.
    pub fn share(&self, pages: u32) -> f32 {
        match self.compared_pages {
            0 => 0.0,
            of => (pages as f32 / of as f32).min(1.0),
        }
    }

    /// True if there are enough pages and nearly all have the text: it is frame without asking the model.
    pub fn is_on_nearly_all_pages(&self, text: usize) -> bool {
        self.compared_pages >= MANY_PAGES && self.share_of_slot(text) >= BEYOND_DOUBT
    }

    /// The share of pages that have a text in its slot: of those of its design, or of more if the slot is
    /// on more, because a slot may be common to all designs.
    pub fn share_of_slot(&self, text: usize) -> f32 {
        let known = &self.texts[text];
        let slot = known.own.pages.saturating_sub(1).min(self.other_pages);
        known.seen as f32 / slot.max(self.compared_pages).max(1) as f32
    }

    /// A fixed-point sum as a mean over pages.
    pub fn mean(&self, sum: u32) -> f32 {
        sum as f32 / FIXED_POINT_ONE / self.pages.max(1) as f32
    }
}

/// True for a block element that is compared as a whole: it has several texts, but not most of a page.
fn is_whole_part(outline: &Outline, at: u32) -> bool {
    /// The most texts of such an element.
    const LARGEST: u32 = 400;
    let element = &outline.elements[at as usize];
    element.block == at && (2..=LARGEST).contains(&(element.last - element.first))
}

/// The number of pages that have each text: in its slot, and anywhere.
fn counts(outline: &Outline, memory: &AutoMemory) -> Vec<(u32, u32)> {
    let texts = outline.texts.iter();
    let count = |text: &Text| {
        let slot = short(outline.elements[text.element as usize].slot);
        let text = short(text.hash);
        (memory.segment(slot, text), memory.text(text))
    };
    texts.map(count).collect()
}

/// The number of pages that have all containers with at least a share of the page's texts; `None` if there
/// is no such container. A site that is being redesigned has pages of two designs with different
/// containers: a text on all pages of one design is frame, however many pages the other has.
fn pages_alike(outline: &Outline, rows: &[SlotRow], share: f32) -> Option<u32> {
    let least = (share * outline.texts.len() as f32).max(1.0);
    // All pages have the first, which is the body.
    let elements = outline.elements.iter().zip(rows).skip(1);
    elements
        .filter(|(element, _)| (element.last - element.first) as f32 >= least)
        .map(|(_, row)| row.place.pages)
        .min()
}

/// The number of pages of the site, and 1 if the page is one of them, because then every count includes it.
fn known_pages(counts: &[(u32, u32)], memory: &AutoMemory) -> (u32, u32) {
    let pages = u32::try_from(memory.pages()).unwrap_or(u32::MAX);
    let is_learnt = pages > 0 && counts.iter().all(|(segment, _)| *segment > 0);
    (pages, u32::from(is_learnt))
}

/// The number of near duplicates: most of the rare text of this page is on that many others. Such pages
/// are no evidence of frame.
fn count_near_duplicates(outline: &Outline, counts: &[(u32, u32)], pages: u32, own: u32) -> u32 {
    let others = pages.saturating_sub(own);
    if others == 0 {
        return 0;
    }
    let rare = ((RARE * pages as f32) as u32).max(2);
    let mut telling: Vec<(u32, u32)> = Vec::new();
    let mut words = 0;
    for (text, (_, anywhere)) in outline.texts.iter().zip(counts) {
        let long = text.stats.words >= TELLING_WORDS;
        if *anywhere <= rare && long && !outline.is_linked(text) {
            telling.push((anywhere.saturating_sub(own), text.stats.words));
            words += text.stats.words;
        }
    }
    if telling.len() < FEWEST_RARE {
        return 0;
    }
    telling.sort_unstable_by(|a, b| b.cmp(a));
    let share = if pages == 2 { COPIED_OF_TWO } else { COPIED };
    let mut covered = 0;
    for (pages, words_of) in telling {
        covered += words_of;
        if covered as f32 >= share * words as f32 {
            return pages.min(others);
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;
    use crate::auto::page::view::AutoView;

    fn view(html: &str) -> AutoView {
        AutoView::of(&Page::parse(html.into(), None, None, &Limits::default()))
    }

    fn memory(pages: &[String]) -> AutoMemory {
        let mut memory = AutoMemory::default();
        pages.iter().for_each(|page| memory.learn(&view(page)));
        memory
    }

    fn page(design: &str, number: usize) -> String {
        format!(
            "<div class={design}><p>Filed under</p><p>Story {number} of the {design} days</p>\
             <p>Word{number} for word{number}</p></div>"
        )
    }

    #[test]
    fn pages_are_compared_within_their_design() {
        let mut pages: Vec<String> = (0..8).map(|number| page("old", number)).collect();
        pages.extend((8..20).map(|number| page("new", number)));
        let memory = memory(&pages);
        for (number, of) in [(3, 7), (15, 11)] {
            let evidence = Evidence::of(&view(&pages[number]).outline, &memory);
            assert_eq!(
                (evidence.compared_pages, evidence.other_pages),
                (of, 19),
                "{number}"
            );
            let filed = &evidence.texts[0];
            assert_eq!((filed.seen, evidence.share(filed.seen)), (of, 1.0));
        }
    }

    #[test]
    fn a_page_like_no_other_is_compared_with_all() {
        let pages: Vec<String> = (0..9).map(|number| page("old", number)).collect();
        let odd = "<section><p>Filed under</p><p>Something else altogether</p></section>";
        let evidence = Evidence::of(&view(odd).outline, &memory(&pages));
        assert_eq!((evidence.compared_pages, evidence.other_pages), (9, 9));
        assert_eq!(evidence.texts[0].seen_anywhere, 9);
    }
}
