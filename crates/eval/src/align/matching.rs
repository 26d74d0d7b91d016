//! Matches the words of a page with those of its label, in order.
//!
//! Long phrases that occur once in the label are matched first: the heaviest chain of them that has
//! the same order in page and label. The segments between them are usually small and are aligned
//! exactly ([`affine_align`]). Larger ones are split by shorter phrases, or left unmatched, so that
//! no page costs more than [`CELLS_OF_PAGE`].

use std::collections::HashMap;
use std::ops::Range;

use super::affine_align::{self, Segment};
use super::page_words::PageWords;

/// Lengths in words of the phrases that anchor page and label, longest first.
const PHRASES: [usize; 4] = [8, 5, 3, 2];
/// A segment with more cells (words of page × words of label) is split by shorter phrases if
/// possible.
const CELLS_WORTH_SPLITTING: usize = 2_000_000;
/// The same for phrases of fewer than five words, which sometimes occur in wrong places.
const CELLS_OF_SEGMENT: usize = 16_000_000;
/// Maximum number of cells per page.
const CELLS_OF_PAGE: usize = 100_000_000;

/// The matched words of page and label.
pub(super) struct Matched {
    pub(super) page: Vec<bool>,
    label: Vec<bool>,
}

impl Matched {
    /// The unmatched segments of the label.
    pub(super) fn unspent<'a>(
        &'a self,
        label: &'a [u32],
    ) -> impl Iterator<Item = &'a [u32]> + Clone {
        let mut at = 0;
        self.label.chunk_by(|a, b| a == b).filter_map(move |chunk| {
            let place = at..at + chunk.len();
            at = place.end;
            (!chunk[0]).then(|| &label[place])
        })
    }
}

/// Matches page and label; `in_frame` says which texts the label lists as frame.
pub(super) fn match_words(page: &PageWords, label: &[u32], in_frame: &[bool]) -> Matched {
    let mut matched = Matched {
        page: vec![false; page.words().len()],
        label: vec![false; label.len()],
    };
    let costs = affine_align::Costs::new(page, in_frame);
    let mut budget = CELLS_OF_PAGE;
    let mut open = vec![(
        Segment {
            page: 0..page.words().len(),
            label: 0..label.len(),
            at_start: true,
            at_end: true,
        },
        0,
    )];
    while let Some((segment, tried)) = open.pop() {
        let cells = segment.page.len() * segment.label.len();
        if cells == 0 {
            continue;
        }
        let phrase = PHRASES.get(tried).copied();
        let limit = match phrase {
            Some(length) if length >= 5 => CELLS_WORTH_SPLITTING,
            _ => CELLS_OF_SEGMENT,
        };
        if cells <= limit.min(budget) {
            budget -= cells;
            let pairs = affine_align::align(&segment, page.words(), label, &costs);
            for (at_page, at_label) in pairs {
                matched.page[at_page] = true;
                matched.label[at_label] = true;
            }
            continue;
        }
        let Some(length) = phrase else {
            continue;
        };
        let runs = common_runs(page.words(), label, &segment, length);
        let chain = heaviest_chain(&runs, &segment.label);
        let mut rest = segment;
        for run in chain {
            let (at_page, at_label) = (run.page(), run.label());
            let before = Segment {
                page: rest.page.start..at_page.start,
                label: rest.label.start..at_label.start,
                at_end: false,
                ..rest
            };
            open.push((before, tried + 1));
            rest.page.start = at_page.end;
            rest.label.start = at_label.end;
            rest.at_start = false;
            matched.page[at_page].fill(true);
            matched.label[at_label].fill(true);
        }
        open.push((rest, tried + 1));
    }
    matched
}

/// A run of equal words in page and label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    page: usize,
    label: usize,
    length: usize,
}

impl Run {
    fn page(&self) -> Range<usize> {
        self.page..self.page + self.length
    }

    fn label(&self) -> Range<usize> {
        self.label..self.label + self.length
    }
}

/// Runs made of phrases that occur once in the label's part of the segment, ordered by their
/// position on the page.
fn common_runs(page: &[u32], label: &[u32], segment: &Segment, length: usize) -> Vec<Run> {
    // The position of a phrase, if it occurs once.
    let mut places: HashMap<&[u32], Option<usize>> = HashMap::new();
    let label_side = label[segment.label.clone()].windows(length);
    for (at, phrase) in (segment.label.start..).zip(label_side) {
        places
            .entry(phrase)
            .and_modify(|place| *place = None)
            .or_insert(Some(at));
    }
    let mut runs: Vec<Run> = Vec::new();
    for (at, phrase) in (segment.page.start..).zip(page[segment.page.clone()].windows(length)) {
        let Some(Some(place)) = places.get(phrase) else {
            continue;
        };
        match runs.last_mut() {
            Some(run) if run.label + at == run.page + place && run.page().end >= at => {
                run.length = at + length - run.page;
            }
            _ => runs.push(Run {
                page: at,
                label: *place,
                length,
            }),
        }
    }
    runs
}

/// The runs of greatest total length that have the same order in page and label.
fn heaviest_chain(runs: &[Run], label: &Range<usize>) -> Vec<Run> {
    // Best (weight, run) of those that end at or before a position in the label: a Fenwick tree.
    let mut best = vec![(0, usize::MAX); label.len() + 2];
    let mut weights = vec![0; runs.len()];
    let mut before = vec![usize::MAX; runs.len()];
    // Runs end on the page in the order in which they begin, so one pointer admits them.
    let mut ended = 0;
    for (at, run) in runs.iter().enumerate() {
        while ended < at && runs[ended].page().end <= run.page {
            let mut place = runs[ended].label().end - label.start + 1;
            while place < best.len() {
                // For equal weights the later one, which is nearer to what follows.
                if weights[ended] >= best[place].0 {
                    best[place] = (weights[ended], ended);
                }
                place += place & place.wrapping_neg();
            }
            ended += 1;
        }
        let mut found = (0, usize::MAX);
        let mut place = run.label - label.start + 1;
        while place > 0 {
            if best[place].0 > found.0 {
                found = best[place];
            }
            place -= place & place.wrapping_neg();
        }
        weights[at] = found.0 + run.length;
        before[at] = found.1;
    }
    let mut chain = Vec::new();
    let last = (0..runs.len()).max_by_key(|at| (weights[*at], std::cmp::Reverse(*at)));
    let mut at = last.unwrap_or(usize::MAX);
    while let Some(run) = runs.get(at) {
        chain.push(*run);
        at = before[at];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(page: usize, label: usize, length: usize) -> Run {
        Run {
            page,
            label,
            length,
        }
    }

    #[test]
    fn runs_are_of_phrases_that_the_label_has_once() {
        let whole = |page: &[u32], label: &[u32]| Segment {
            page: 0..page.len(),
            label: 0..label.len(),
            at_start: true,
            at_end: true,
        };
        let label = [1, 2, 3, 4, 9, 9, 9];
        let page = [7, 1, 2, 3, 4, 9, 9, 9, 1, 2];
        let runs = common_runs(&page, &label, &whole(&page, &label), 2);
        assert_eq!(runs, [run(1, 0, 5), run(8, 0, 2)]);
    }

    /// Compares with all possible chains.
    #[test]
    fn the_chain_is_the_heaviest() {
        let mut seed = 7u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for _ in 0..200 {
            let mut runs: Vec<Run> = Vec::new();
            let mut at = 0;
            for _ in 0..random(9) {
                let length = 1 + random(4);
                let least = runs.last().map_or(0, |run| run.page().end);
                at = (at + 1 + random(3)).max((least + 1).saturating_sub(length));
                runs.push(run(at, random(16), length));
            }
            let chain = heaviest_chain(&runs, &(0..20));
            let fits = |chain: &[Run]| {
                chain.windows(2).all(|pair| {
                    pair[0].page().end <= pair[1].page && pair[0].label().end <= pair[1].label
                })
            };
            let weight = |chain: &[Run]| chain.iter().map(|run| run.length).sum::<usize>();
            let all = (0..1usize << runs.len()).map(|chosen| {
                let chosen = (0..runs.len()).filter(|at| chosen >> at & 1 == 1);
                chosen.map(|at| runs[at]).collect::<Vec<Run>>()
            });
            let heaviest = all.filter(|chain| fits(chain)).map(|chain| weight(&chain));
            assert!(fits(&chain), "{runs:?} {chain:?}");
            assert_eq!(weight(&chain), heaviest.max().unwrap_or(0), "{runs:?}");
        }
    }
}
