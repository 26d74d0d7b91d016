//! The method: view, learn, label.

use std::sync::Arc;

use unframe_page::Page;
use unframe_site::{TextPlaces, Visit};

use crate::auto::model::explanation::explain;
use crate::auto::model::features::FeatureSources;
use crate::auto::model::forest::Table;
use crate::auto::model::representatives::representatives;
use crate::auto::model::{Model, Predictions, shift_probability};
use crate::auto::options::{Lean, Remove};
use crate::auto::page::view::AutoView;
use crate::auto::site::contribution::Contribution;
use crate::auto::site::evidence::Evidence;
use crate::auto::site::memory::AutoMemory;
use crate::explanation::Explanation;
use crate::flag::Flag;
use crate::labels::{Label, Labels, Reason, TextLabel};
use crate::method::Method;
use crate::text_places::sum_places;

/// The method.
#[derive(Clone, Debug)]
pub struct Auto {
    model: Arc<Model>,
    remove: Remove,
    lean: Lean,
    /// Whether texts get both probabilities, or the one that decides.
    both: bool,
}

impl Default for Auto {
    fn default() -> Self {
        Auto::new(Remove::default(), Lean::default())
    }
}

/// A page of which more than this would go keeps all but what most pages have.
const NEARLY_ALL: f32 = 0.98;

impl Auto {
    /// With the model of this version.
    pub fn new(remove: Remove, lean: Lean) -> Auto {
        Auto::with_model(Model::built_in(), remove, lean)
    }

    /// With another model.
    pub fn with_model(model: Arc<Model>, remove: Remove, lean: Lean) -> Auto {
        let model = match lean {
            Lean::Recall => Arc::new(model.without_early_exits_below()),
            Lean::Precision | Lean::Balance => model,
        };
        Auto {
            model,
            remove,
            lean,
            both: true,
        }
    }

    /// Asks only for the probability that decides, which takes less time; reasons lack the other.
    pub fn only_deciding(self) -> Auto {
        Auto {
            both: false,
            ..self
        }
    }

    /// What is taken off.
    pub fn remove(&self) -> Remove {
        self.remove
    }

    /// How sure it must be.
    pub fn lean(&self) -> Lean {
        self.lean
    }

    /// Judges the texts of a page.
    pub fn predict(&self, view: &AutoView, memory: &AutoMemory) -> Predictions {
        self.model.predict(view, memory, self.remove)
    }

    /// Which texts of a page go, as they were judged.
    pub fn decide(&self, view: &AutoView, judged: &Predictions) -> Vec<bool> {
        self.decide_from(view, judged, self.threshold(view, judged))
    }

    /// Probability, of the kind that is removed, from which texts of a page go.
    fn threshold(&self, view: &AutoView, judged: &Predictions) -> f32 {
        let shift = self.lean.shift();
        match self.remove {
            Remove::Boilerplate => self.model.threshold(view, judged, shift),
            Remove::Template => shift_probability(self.model.decision.template, shift),
        }
    }

    fn decide_from(&self, view: &AutoView, judged: &Predictions, threshold: f32) -> Vec<bool> {
        let probabilities = judged.probabilities.iter();
        let mut removed: Vec<bool> = probabilities.map(|chance| *chance >= threshold).collect();
        let length = |removed: &[bool]| -> f32 {
            let texts = view.outline.texts.iter().zip(removed);
            texts
                .filter(|(_, removed)| **removed)
                .map(|(text, _)| text.length as f32)
                .sum()
        };
        let all: f32 = view
            .outline
            .texts
            .iter()
            .map(|text| text.length as f32)
            .sum();
        if length(&removed) > NEARLY_ALL * all {
            for (removed, common) in removed.iter_mut().zip(&judged.common) {
                *removed = *removed && *common;
            }
        }
        removed
    }
}

impl Method for Auto {
    type Memory = AutoMemory;
    type View = AutoView;

    fn needs_pages(&self) -> u64 {
        2
    }

    fn view(&self, page: &Page) -> AutoView {
        AutoView::of(page)
    }

    fn learn(
        &self,
        memory: &mut AutoMemory,
        _: &Page,
        view: &AutoView,
        visit: Visit<'_>,
    ) -> Vec<u8> {
        if let Some(former) = visit.former.and_then(Contribution::decode) {
            memory.subtract(&former);
        }
        memory.add(&view.contribution);
        view.contribution.encode()
    }

    fn shrink(&self, view: &mut AutoView) {
        view.shrink();
    }

    fn places(&self, _: &Page, view: &AutoView) -> TextPlaces {
        let outline = &view.outline;
        TextPlaces(sum_places(outline.texts.iter().map(|text| {
            let element = &outline.elements[text.element as usize];
            (element.slot, text.length)
        })))
    }

    fn label(&self, memory: &AutoMemory, view: &AutoView) -> Labels {
        let evidence = Evidence::of(&view.outline, memory);
        let (kind, other) = (self.remove, self.remove.other());
        let (probabilities, others) = if self.both {
            let [probabilities, others] = self.model.probabilities(view, &evidence, [kind, other]);
            (probabilities, Some(others))
        } else {
            let [probabilities] = self.model.probabilities(view, &evidence, [kind]);
            (probabilities, None)
        };
        let judged = Predictions::of(probabilities, &evidence);
        let from = self.threshold(view, &judged);
        let removed = self.decide_from(view, &judged, from);
        let mut labels = Labels {
            texts: Vec::with_capacity(view.texts()),
            reasons: Vec::with_capacity(view.texts()),
            ..Labels::default()
        };
        let has_copies = evidence.copies > 0;
        labels
            .flags
            .extend(has_copies.then_some(Flag::NearDuplicate));
        for (row, text) in view.outline.texts.iter().enumerate() {
            labels.texts.push(TextLabel {
                node: text.node,
                length: text.length,
                label: match removed[row] {
                    true => Label::Template,
                    false => Label::Content,
                },
                reason: row as u32,
            });
            let probability = judged.probabilities[row];
            let other = others.as_ref().map(|others| others[row]);
            let (boilerplate, template) = match kind {
                Remove::Boilerplate => (Some(probability), other),
                Remove::Template => (other, Some(probability)),
            };
            labels.reasons.push(Reason::Odds {
                probability,
                boilerplate,
                template,
                from,
                seen: evidence.texts[row].seen,
                of: evidence.of_site,
            });
        }
        labels
    }

    fn explain(&self, memory: &AutoMemory, view: &AutoView, labels: &Labels) -> Vec<Explanation> {
        explain(&self.model, self.remove, memory, view, labels)
    }
}

impl AutoMemory {
    /// Learns a page that has not been learnt before.
    pub fn learn(&mut self, view: &AutoView) {
        self.add(&view.contribution);
    }
}

impl AutoView {
    /// How many texts there are.
    pub fn texts(&self) -> usize {
        self.outline.texts.len()
    }

    /// Words of each text.
    pub fn words(&self) -> Vec<u32> {
        let texts = self.outline.texts.iter();
        texts.map(|text| text.stats.words).collect()
    }

    /// Other pages that have each text anywhere, and how many others there are.
    pub fn repetition(&self, memory: &AutoMemory) -> (Vec<u32>, u32) {
        let evidence = Evidence::of(&self.outline, memory);
        let seen = evidence.texts.iter().map(|known| known.seen_anywhere);
        (seen.collect(), evidence.of_site)
    }

    /// The features of all texts.
    pub fn features(&self, memory: &AutoMemory) -> Table {
        let evidence = Evidence::of(&self.outline, memory);
        let mut table = Table::default();
        let texts: Vec<u32> = (0..self.texts() as u32).collect();
        FeatureSources::of(self, &evidence).fill(&texts, &mut table);
        table
    }

    /// True if a text is one of a form's fields, which always go.
    pub fn is_field(&self, text: usize) -> bool {
        let element = self.outline.texts[text].element;
        self.outline.elements[element as usize].field
    }

    /// For each text the one that is judged in its place when boilerplate is looked for, or itself.
    pub fn representatives(&self, memory: &AutoMemory) -> Vec<u32> {
        representatives(&self.outline, &Evidence::of(&self.outline, memory))
    }

    /// The number of each text's block.
    pub fn blocks(&self) -> Vec<u32> {
        self.outline.texts.iter().map(|text| text.block).collect()
    }
}
