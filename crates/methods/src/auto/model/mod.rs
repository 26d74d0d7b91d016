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
//! | `decision` | the threshold of a page |
//! | `explanation` | which evidence moved the log-odds of a text, and how far |
//! | `model_file`, `sections` | the model as a text file |

mod decision;
pub(super) mod explanation;
pub(super) mod features;
pub(super) mod forest;
mod model_file;
pub(super) mod representatives;
mod sections;

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

pub use decision::Decision;
pub(super) use decision::shift_probability;

use crate::auto::model::decision::sigmoid;
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
}

impl Predictions {
    pub(super) fn of(probabilities: Vec<f32>, evidence: &Evidence) -> Predictions {
        let texts = 0..evidence.texts.len();
        Predictions {
            probabilities,
            on_most_pages: texts
                .map(|text| evidence.share_of_slot(text) > 0.5)
                .collect(),
            is_only_page: evidence.other_pages == 0,
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
        let [probabilities] = self.probabilities(view, &evidence, [kind]);
        Predictions::of(probabilities, &evidence)
    }

    /// Probability of each text to be of each of the `kinds`.
    pub(super) fn probabilities<const KINDS: usize>(
        &self,
        view: &AutoView,
        evidence: &Evidence,
        kinds: [Remove; KINDS],
    ) -> [Vec<f32>; KINDS] {
        let (outline, sources) = (&view.outline, FeatureSources::of(view, evidence));
        let representatives = representatives(outline, evidence);
        let mut classified: Vec<u32> = match kinds.contains(&Remove::Template) {
            // A template may repeat a part of a sentence only.
            true => (0..representatives.len() as u32).collect(),
            false => representatives.clone(),
        };
        classified.sort_unstable();
        classified.dedup();
        classified.retain(|text| !evidence.is_on_nearly_all_pages(*text as usize));
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
                    let bonus = match sources.is_record_value(text) {
                        true => self.decision.record_value,
                        false => 0.0,
                    };
                    sigmoid(odds[representative as usize] - bonus)
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
    use crate::auto::options::Lean;

    fn log_odds(probability: f32) -> f32 {
        (probability / (1.0 - probability)).ln()
    }

    /// A score that is sure for frame is above every threshold, even with a lean to precision.
    #[test]
    fn what_is_sure_is_beyond_any_threshold() {
        let model = Model::built_in();
        let precision = Lean::Precision.shift();
        assert!(model.boilerplate.sure > log_odds(1.0 - model.decision.min_keep) + precision);
        assert!(model.template.sure > log_odds(model.decision.template) + precision);
    }

    /// A score at which content leaves early is below every threshold but those that lean to recall.
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
