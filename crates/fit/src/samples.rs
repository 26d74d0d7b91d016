//! Training samples: labelled texts with their features, weighted by set, site and page.

use rayon::prelude::*;
use unframe_eval::align::{Aligned, NodeGold};
use unframe_labels::PageKind;
use unframe_methods::auto::{AutoMemory, features};

use crate::grow::Rows;
use crate::sites::{LabelledPage, LabelledSite, PageLabel};

/// The texts of one page, with features by a number of pages of its site.
pub struct Sample {
    /// The set of its site.
    pub set: String,
    /// Its site.
    pub site: String,
    /// The kind of page, if its label tells.
    kind: Option<PageKind>,
    rows: Vec<Row>,
}

struct Row {
    features: Box<[f32]>,
    /// Probability to be boilerplate.
    boilerplate: Target,
    /// Probability to be template.
    template: Target,
    /// Probability to be readers' comments.
    comments: Target,
}

/// A probability and its weight, which is 0 if the probability is not known.
type Target = (f32, f32);

/// Which of the forests is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Boilerplate, template included.
    Boilerplate,
    /// The template of the site.
    Template,
    /// Readers' comments.
    Comments,
    /// A kind of page.
    Kind(PageKind),
}

/// Pages of a site that are sampled.
const PAGES: usize = 4;
/// Texts of a page that are sampled.
const TEXTS: usize = 160;
/// Numbers of pages of the site that features are computed with, besides one and all.
const SIZES: [usize; 4] = [2, 3, 5, 10];
/// The largest weight of a page, in pages whose content and frame have equal size.
const MOST: f32 = 4.0;
/// Content counts as at least this share of a page's words.
const LEAST_CONTENT: f32 = 0.15;

/// Weight of the labelled values of a record, relative to its frame.
const RECORD_VALUES: f32 = 1.5;

/// Draws samples from a site.
pub fn draw(site: &LabelledSite) -> Vec<Sample> {
    let labelled: Vec<usize> = (0..site.pages.len())
        .filter(|page| site.pages[*page].label.is_some())
        .take(PAGES)
        .collect();
    let mut samples = Vec::new();
    for (number, page) in labelled.iter().enumerate() {
        let alone = site.memory_of(*page, 0);
        samples.extend(sample(site, *page, &alone, number));
        if site.pages.len() > 1 {
            let size = SIZES[number % SIZES.len()];
            if size < site.pages.len() {
                let memory = site.memory_of(*page, size - 1);
                samples.extend(sample(site, *page, &memory, number));
            }
            samples.extend(sample(site, *page, &site.memory, number));
        }
    }
    // All sites have the same weight, however many pages they have.
    let share = 1.0 / labelled.len().max(1) as f32;
    for row in samples.iter_mut().flat_map(|sample| &mut sample.rows) {
        row.boilerplate.1 *= share;
        row.template.1 *= share;
        row.comments.1 *= share;
    }
    samples
}

fn sample(site: &LabelledSite, page: usize, memory: &AutoMemory, seed: usize) -> Option<Sample> {
    let LabelledPage { view, label } = &site.pages[page];
    let label = label.as_ref()?;
    let (seen, of) = view.repetition(&site.memory);
    let often = |row: usize| of >= 3 && 2 * seen[row] > of;
    let words = view.words();
    let words = |row: usize| words[row].max(1) as f32;
    let texts = 0..label.texts.len();
    let all: f32 = texts.clone().map(words).sum();
    let content: f32 = texts
        .clone()
        .map(|row| label.texts[row].content * words(row))
        .sum();
    let unit = content.max(LEAST_CONTENT * all);
    let scale = (MOST * unit / all.max(1.0)).min(1.0) / unit.max(1.0);
    // Only some values of a record are labelled: they weigh more than all of its frame.
    let frame: f32 = texts.clone().filter(|row| often(*row)).map(words).sum();
    let scale = |row: usize| match (label.is_record, often(row)) {
        (true, true) => 1.0 / frame.max(1.0),
        (true, false) => RECORD_VALUES / content.max(1.0),
        (false, _) => scale,
    };
    // A single page shows nothing of its site.
    let of_site = memory.pages() > 1;
    let comments: Vec<Target> = texts
        .clone()
        .map(|row| {
            let weight = words(row) * scale(row);
            is_comment(site, label, row).map_or((0.0, 0.0), |is| (f32::from(is), weight))
        })
        .collect();
    let mut weighed: Vec<(usize, Target, Target)> = texts
        .filter(|row| !view.is_field(*row))
        .map(|row| {
            let (boilerplate, template) = targets(label, row, often(row), seen[row], of);
            let weight = words(row) * scale(row);
            let counts = |target: Option<f32>| target.map_or((0.0, 0.0), |target| (target, weight));
            let template = template.filter(|_| of_site);
            (row, counts(boilerplate), counts(template))
        })
        .collect();
    merge_into_representatives(&view.representatives(memory), &mut weighed);
    weighed.retain(|(_, boilerplate, template)| boilerplate.1 + template.1 > 0.0);
    // Importance sampling: the chance of a text grows with its weight, and its weight is divided by it.
    let total: f32 = weighed.iter().map(|(_, b, t)| b.1.max(t.1).sqrt()).sum();
    let table = view.features(memory);
    let mut random = Random(seed as u64 ^ (site.name.len() as u64) << 32 ^ memory.pages() << 16);
    let mut rows = Vec::new();
    for (row, mut boilerplate, mut template) in weighed {
        let chance = (TEXTS as f32 * boilerplate.1.max(template.1).sqrt() / total).min(1.0);
        if random.next() >= chance {
            continue;
        }
        boilerplate.1 /= chance;
        template.1 /= chance;
        let mut comments = comments[row];
        comments.1 /= chance;
        rows.push(Row {
            features: table.row(row).into(),
            boilerplate,
            template,
            comments,
        });
    }
    Some(Sample {
        set: site.set.clone(),
        site: site.name.clone(),
        kind: label.kind,
        rows,
    })
}

/// Moves the boilerplate weights of texts to their representatives, whose target becomes the weighted mean of
/// those they represent.
fn merge_into_representatives(representatives: &[u32], weighed: &mut [(usize, Target, Target)]) {
    let mut sums = vec![(0.0, 0.0); representatives.len()];
    for (row, boilerplate, _) in weighed.iter_mut() {
        let (sum, weight) = &mut sums[representatives[*row] as usize];
        *sum += boilerplate.0 * boilerplate.1;
        *weight += boilerplate.1;
        *boilerplate = (0.0, 0.0);
    }
    for (row, boilerplate, _) in weighed {
        let (sum, weight) = sums[*row];
        if weight > 0.0 {
            *boilerplate = (sum / weight, weight);
        }
    }
}

/// Probabilities to be boilerplate and to be template; `None` if the label does not tell.
fn targets(
    label: &PageLabel,
    row: usize,
    often: bool,
    seen: u32,
    of: u32,
) -> (Option<f32>, Option<f32>) {
    let Aligned { gold, content } = label.texts[row];
    if label.is_record {
        return match (gold, often) {
            (NodeGold::Content, false) => (Some(0.0), Some(0.0)),
            (NodeGold::Content, true) => (None, None),
            (_, true) => (Some(1.0), Some(1.0)),
            (_, false) => (None, None),
        };
    }
    let boilerplate = match gold {
        NodeGold::Grey => None,
        _ => Some(1.0 - content),
    };
    let template = match gold {
        NodeGold::Content => Some(1.0 - content),
        NodeGold::Template => Some(1.0),
        NodeGold::Other if of >= 3 && 2 * seen > of => Some(1.0),
        NodeGold::Other | NodeGold::Dynamic | NodeGold::Grey => None,
    };
    (boilerplate, template)
}

/// Whether a text belongs to readers' comments; `None` if the label does not tell. Only one set has labels
/// of comments; in others, they are among the frame.
fn is_comment(site: &LabelledSite, label: &PageLabel, row: usize) -> Option<bool> {
    match label.texts[row].gold {
        NodeGold::Content | NodeGold::Template => Some(false),
        NodeGold::Dynamic if site.set == COMMENTS => Some(true),
        NodeGold::Other if site.set == COMMENTS => Some(false),
        NodeGold::Dynamic | NodeGold::Other | NodeGold::Grey => None,
    }
}

/// The set whose dynamic text is readers' comments.
const COMMENTS: &str = "articles-dev";

/// The total weight of each set, so that no kind of site dominates.
fn set_weight(set: &str, objective: Objective) -> f32 {
    match (set, objective) {
        ("pages-dev", Objective::Boilerplate) => 3.6,
        // Most of their sites have one to three pages, which tell little about the template.
        ("pages-dev" | "articles-dev", Objective::Template) => 0.3,
        (COMMENTS, Objective::Comments) => 3.0,
        ("pages-dev", Objective::Kind(_)) => 3.0,
        (_, Objective::Comments | Objective::Kind(_)) => 1.0,
        (COMMENTS, Objective::Boilerplate) => 1.3,
        ("news-dev", _) => 1.9,
        ("records-dev", Objective::Boilerplate) => 2.6,
        ("records-dev", Objective::Template) => 0.8,
        _ => 1.0,
    }
}

/// The training rows of some samples for one forest.
pub fn rows<'a>(samples: impl Iterator<Item = &'a Sample> + Clone, objective: Objective) -> Rows {
    let of = |sample: &Sample, number: usize, row: &Row| match objective {
        Objective::Boilerplate => row.boilerplate,
        Objective::Template => row.template,
        Objective::Comments => row.comments,
        // All texts of a page have the same features of the page.
        Objective::Kind(kind) => match sample.kind.filter(|_| number == 0) {
            Some(own) => (f32::from(own == kind), 1.0),
            None => (0.0, 0.0),
        },
    };
    let mut by_set: std::collections::BTreeMap<&str, f32> = Default::default();
    let mut chosen = Vec::new();
    for sample in samples {
        for (number, row) in sample.rows.iter().enumerate() {
            let (target, weight) = of(sample, number, row);
            if weight > 0.0 {
                *by_set.entry(&sample.set).or_default() += weight;
                chosen.push((sample, row, target, weight));
            }
        }
    }
    let columns = features().len();
    let count = chosen.len() as f32;
    let sets: f32 = by_set.keys().map(|set| set_weight(set, objective)).sum();
    let weight =
        |set: &str, weight: f32| weight / by_set[set] * set_weight(set, objective) / sets * count;
    Rows {
        features: (0..columns)
            .into_par_iter()
            .map(|column| {
                chosen
                    .iter()
                    .map(|(_, row, ..)| row.features[column])
                    .collect()
            })
            .collect(),
        target: chosen.iter().map(|(_, _, target, _)| *target).collect(),
        weight: chosen
            .iter()
            .map(|(sample, _, _, own)| weight(&sample.set, *own))
            .collect(),
    }
}

/// A random number generator for 0..1 that gives the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_representative_has_the_weight_of_those_it_represents() {
        let template = (1.0, 5.0);
        let texts = [(0.0, 1.0), (1.0, 3.0), (0.5, 2.0)];
        let mut weighed: Vec<_> = (0..3).map(|row| (row, texts[row], template)).collect();
        merge_into_representatives(&[1, 1, 2], &mut weighed);
        let expected = [(0.0, 0.0), (0.75, 4.0), (0.5, 2.0)];
        for (row, boilerplate, of_site) in weighed {
            assert_eq!((boilerplate, of_site), (expected[row], template), "{row}");
        }
    }
}
