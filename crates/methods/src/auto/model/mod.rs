//! From evidence to decisions: features of each text, forests that turn them into log-odds, and a
//! threshold for the page.
//!
//! A view of a page and the evidence of its site enter; a probability for each text, a decision and an
//! explanation leave.
//!
//! | file | subject |
//! |---|---|
//! | `features` | one row of numbers for each text |
//! | `forest` | boosted trees: a table of features in, log-odds out |
//! | `representatives` | which texts share one classification |
//! | `page_kinds` | what kind of page it probably is |
//! | `decision` | the threshold of a page |
//! | `explanation` | which evidence moved the log-odds of a text, and how far |
//! | `model_file`, `sections` | the model as a text file |

mod decision;
pub(super) mod explanation;
pub(super) mod features;
pub(super) mod forest;
mod model_file;
mod page_kinds;
pub(super) mod representatives;
mod sections;

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

pub use decision::Decision;
pub(super) use decision::{log_odds, prose_share, shift_probability, sigmoid};
pub use page_kinds::PageKinds;

use unframe_labels::PageKind;

use crate::auto::model::features::FeatureSources;
use crate::auto::model::forest::{EarlyExits, Forest, Table};
use crate::auto::model::representatives::representatives;
use crate::auto::options::Remove;
use crate::auto::page::view::AutoView;
use crate::auto::site::evidence::Evidence;
use crate::auto::site::memory::AutoMemory;

/// Texts whose features are computed together: few enough to stay in the processor's cache.
const ROWS: usize = 64;

thread_local! {
    /// The features of [`ROWS`] texts; the allocation is reused.
    static TABLE: RefCell<Table> = RefCell::default();
}

/// A fitted model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// How it was made: names and values.
    pub notes: Vec<(String, String)>,
    /// Log-odds that a text is boilerplate, by all features.
    pub boilerplate: Forest,
    /// Log-odds that a text is the site's template, mostly by features of the site.
    pub template: Forest,
    /// Log-odds that a text belongs to readers' comments.
    pub comments: Forest,
    /// Log-odds of each kind of page, in the order of [`PageKind::ALL`].
    pub kinds: [Forest; PageKind::ALL.len()],
    /// How probabilities become decisions.
    pub decision: Decision,
}

/// What a model predicts for the texts of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predictions {
    /// Probability of each text to be of the kind that was asked for.
    pub probabilities: Vec<f32>,
    /// Whether most pages have the text.
    pub on_most_pages: Vec<bool>,
    /// True if there were no other pages to compare the page with.
    pub is_only_page: bool,
    /// What kind of page it is.
    pub page: PageKinds,
}

impl Predictions {
    pub(super) fn of(probabilities: Vec<f32>, page: PageKinds, evidence: &Evidence) -> Predictions {
        let texts = 0..evidence.texts.len();
        Predictions {
            probabilities,
            on_most_pages: texts
                .map(|text| evidence.share_of_slot(text) > 0.5)
                .collect(),
            is_only_page: evidence.other_pages == 0,
            page,
        }
    }
}

impl Model {
    /// The model that comes with this version.
    pub fn built_in() -> Arc<Model> {
        static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
            Arc::new(Model::read_built_in().expect("the model is checked by a test"))
        });
        MODEL.clone()
    }

    /// Predicts for each text of a page whether it is what `kind` would remove.
    pub fn predict(&self, view: &AutoView, memory: &AutoMemory, kind: Remove) -> Predictions {
        let evidence = Evidence::of(&view.outline, memory);
        let sources = FeatureSources::of(view, &evidence);
        let page = self.page_kinds(&sources);
        let [probabilities] = self.probabilities(&sources, page, [kind], &[]);
        Predictions::of(probabilities, page, &evidence)
    }

    /// What kind of page it is.
    pub(super) fn page_kinds(&self, sources: &FeatureSources<'_>) -> PageKinds {
        if sources.view().texts() == 0 {
            return PageKinds::default();
        }
        TABLE.with_borrow_mut(|table| {
            // All texts of a page have the same features of the page.
            sources.fill(&[0], table);
            let mut scores = Vec::with_capacity(1);
            PageKinds::of(self.kinds.each_ref().map(|forest| {
                scores.clear();
                forest.append_scores(table, EarlyExits::NONE, &mut scores);
                sigmoid(scores[0])
            }))
        })
    }

    /// Probability of each text to belong to readers' comments.
    pub(super) fn comments(&self, sources: &FeatureSources<'_>) -> Vec<f32> {
        let texts: Vec<u32> = (0..sources.view().texts() as u32).collect();
        let mut scores = Vec::with_capacity(texts.len());
        TABLE.with_borrow_mut(|table| {
            for texts in texts.chunks(ROWS) {
                sources.fill(texts, table);
                self.comments
                    .append_scores(table, &self.comments.early_exits, &mut scores);
            }
        });
        scores.into_iter().map(sigmoid).collect()
    }

    /// All forests, in the order of the model file.
    fn forests(&self) -> impl Iterator<Item = &Forest> {
        let of_texts = [&self.boilerplate, &self.template, &self.comments];
        of_texts.into_iter().chain(&self.kinds)
    }

    fn forests_mut(&mut self) -> impl Iterator<Item = &mut Forest> {
        let of_texts = [
            &mut self.boilerplate,
            &mut self.template,
            &mut self.comments,
        ];
        of_texts.into_iter().chain(&mut self.kinds)
    }

    /// Probability of each text to be of each of the `kinds`. Those of `settled` texts, if there are any, are
    /// given; without a template to find, they are not computed.
    pub(super) fn probabilities<const KINDS: usize>(
        &self,
        sources: &FeatureSources<'_>,
        page: PageKinds,
        kinds: [Remove; KINDS],
        settled: &[Option<f32>],
    ) -> [Vec<f32>; KINDS] {
        let (outline, evidence) = (&sources.view().outline, sources.evidence());
        let representatives = representatives(outline, evidence);
        let mut classified: Vec<u32> = match kinds.contains(&Remove::Template) {
            // A template may repeat a part of a sentence only.
            true => (0..representatives.len() as u32).collect(),
            false => representatives.clone(),
        };
        classified.sort_unstable();
        classified.dedup();
        classified.retain(|text| !evidence.is_on_nearly_all_pages(*text as usize));
        let settled = |text: usize| settled.get(text).copied().flatten();
        if !kinds.contains(&Remove::Template) {
            // A text may represent one that is not settled.
            let mut open = vec![false; representatives.len()];
            for (text, representative) in representatives.iter().enumerate() {
                open[*representative as usize] |= settled(text).is_none();
            }
            classified.retain(|text| open[*text as usize]);
        }
        let mut odds = kinds.map(|kind| vec![self.forest(kind).sure; representatives.len()]);
        let mut scores = Vec::with_capacity(ROWS);
        let represent_record_values = sources.represent_record_values(&representatives);
        let (record_values, others): (Vec<u32>, Vec<u32>) = classified
            .into_iter()
            .partition(|text| represent_record_values[*text as usize]);
        let others = others.chunks(ROWS).map(|texts| (texts, false));
        let record_values = record_values.chunks(ROWS).map(|texts| (texts, true));
        TABLE.with_borrow_mut(|table| {
            for (texts, are_record_values) in others.chain(record_values) {
                sources.fill(texts, table);
                for (kind, odds) in kinds.into_iter().zip(&mut odds) {
                    scores.clear();
                    let early_exits = self.early_exits(kind, are_record_values);
                    self.forest(kind)
                        .append_scores(table, early_exits, &mut scores);
                    for (text, score) in texts.iter().zip(&scores) {
                        odds[*text as usize] = *score;
                    }
                }
            }
        });
        let mut kinds = kinds.into_iter();
        odds.map(|odds| match kinds.next() {
            // Without other pages there is no evidence of the site.
            Some(Remove::Template) if evidence.other_pages == 0 => vec![0.0; odds.len()],
            Some(Remove::Template) => odds.into_iter().map(sigmoid).collect(),
            _ => {
                let probability = |(text, representative): (usize, u32)| {
                    let element = outline.texts[text].element;
                    // Fields of forms are never content.
                    if outline.elements[element as usize].field {
                        return 1.0;
                    }
                    if let (Some(probability), false) =
                        (settled(text), evidence.is_on_nearly_all_pages(text))
                    {
                        return probability;
                    }
                    sigmoid(odds[representative as usize] - self.bonus(sources, page, text))
                };
                representatives
                    .iter()
                    .copied()
                    .enumerate()
                    .map(probability)
                    .collect()
            }
        })
    }

    /// How far a text is moved towards content, in log-odds, by what the forest knows too little of.
    fn bonus(&self, sources: &FeatureSources<'_>, page: PageKinds, text: usize) -> f32 {
        let mut bonus = 0.0;
        if sources.is_record_value(text) {
            bonus += self.decision.record_value;
        }
        if sources.is_post(text) {
            bonus += self.decision.post * page.probability(PageKind::Thread);
        }
        bonus
    }

    /// The forest that decides what is removed.
    pub(super) fn forest(&self, kind: Remove) -> &Forest {
        match kind {
            Remove::Boilerplate => &self.boilerplate,
            Remove::Template => &self.template,
        }
    }

    /// When the texts of a table may skip the remaining trees. Record values never may: their bonus is
    /// so large that even sure frame comes near the threshold, where the last trees matter.
    pub(super) fn early_exits(&self, kind: Remove, are_record_values: bool) -> &EarlyExits {
        match are_record_values {
            true => EarlyExits::NONE,
            false => &self.forest(kind).early_exits,
        }
    }

    /// The same model without early exits for content. They hold for thresholds of the balance and
    /// above; below those, the last trees matter.
    pub(super) fn without_early_exits_below(&self) -> Model {
        let mut model = self.clone();
        for forest in [&mut model.boilerplate, &mut model.template] {
            forest.early_exits.below.clear();
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auto::options::Favor;

    /// A score that is sure for frame is above every threshold, even when recall is favored.
    #[test]
    fn what_is_sure_is_beyond_any_threshold() {
        let model = Model::built_in();
        let recall = Favor::Recall.shift();
        assert!(model.boilerplate.sure > log_odds(1.0 - model.decision.min_keep) + recall);
        assert!(model.template.sure > log_odds(model.decision.template) + recall);
    }

    /// A score at which content leaves early is below every threshold but those that favor precision.
    #[test]
    fn stops_below_are_beyond_any_threshold() {
        let model = Model::built_in();
        for (forest, lowest) in [
            (&model.boilerplate, log_odds(1.0 - model.decision.max_keep)),
            (&model.template, log_odds(model.decision.template)),
        ] {
            let early_exits = &forest.early_exits.below;
            assert!(!early_exits.is_empty());
            assert!(
                early_exits
                    .iter()
                    .all(|early_exit| -early_exit.threshold < lowest)
            );
        }
    }
}
