//! The method: view, learn, label.

use std::sync::Arc;

use unframe_labels::{Explanation, Flag, Label, Labels, Reason, TextLabel};
use unframe_page::{Page, sum_places};
use unframe_site::{Figure, Memory, SiteRecord, TextPlaces, Visit, bytes, count};

use super::evidence::Evidence;
use super::explain::explain;
use super::facts::Facts;
use super::features::Scene;
use super::forest::Table;
use super::memory::AutoMemory;
use super::model::{Judgement, Model, shifted};
use super::speakers::speakers;
use super::view::AutoView;
use crate::learned::Learned;
use crate::method::Method;

/// What is to be taken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remove {
    /// What the site repeats or frames.
    Template,
    /// The same, and frame whose text varies: previous and next, related pages, teasers, comments,
    /// advertisements, consent texts, share bars.
    #[default]
    Boilerplate,
}

impl Remove {
    fn other(self) -> Remove {
        match self {
            Remove::Template => Remove::Boilerplate,
            Remove::Boilerplate => Remove::Template,
        }
    }
}

/// How sure the method must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lean {
    /// Rather leave frame in than take content out.
    Precision,
    /// As the best balance of both demands.
    #[default]
    Balance,
    /// Rather take content out than leave frame in.
    Recall,
}

impl Lean {
    /// How far the threshold moves, in log odds.
    pub(super) fn shift(self) -> f32 {
        match self {
            Lean::Precision => 1.4,
            Lean::Balance => 0.0,
            Lean::Recall => -0.85,
        }
    }
}

/// The method.
#[derive(Clone, Debug)]
pub struct Auto {
    model: Arc<Model>,
    remove: Remove,
    lean: Lean,
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
            Lean::Recall => Arc::new(model.asking_on_below()),
            Lean::Precision | Lean::Balance => model,
        };
        Auto {
            model,
            remove,
            lean,
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
    pub fn judge(&self, view: &AutoView, memory: &AutoMemory) -> Judgement {
        self.model.judge(view, memory, self.remove)
    }

    /// Which texts of a page go, as they were judged.
    pub fn decide(&self, view: &AutoView, judged: &Judgement) -> Vec<bool> {
        self.decide_from(view, judged, self.threshold(view, judged))
    }

    /// Probability, of the kind that is removed, from which texts of a page go.
    fn threshold(&self, view: &AutoView, judged: &Judgement) -> f32 {
        let shift = self.lean.shift();
        match self.remove {
            Remove::Boilerplate => self.model.threshold(view, judged, shift),
            Remove::Template => shifted(self.model.decision.template, shift),
        }
    }

    fn decide_from(&self, view: &AutoView, judged: &Judgement, threshold: f32) -> Vec<bool> {
        let chances = judged.chances.iter();
        let mut goes: Vec<bool> = chances.map(|chance| *chance >= threshold).collect();
        let length = |goes: &[bool]| -> f32 {
            let texts = view.outline.texts.iter().zip(goes);
            texts
                .filter(|(_, goes)| **goes)
                .map(|(text, _)| text.length as f32)
                .sum()
        };
        let all: f32 = view
            .outline
            .texts
            .iter()
            .map(|text| text.length as f32)
            .sum();
        if length(&goes) > NEARLY_ALL * all {
            for (goes, common) in goes.iter_mut().zip(&judged.common) {
                *goes = *goes && *common;
            }
        }
        goes
    }
}

impl Method for Auto {
    const NAME: &'static str = "auto";
    const VERSION: u32 = 1;

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
        if let Some(former) = visit.former.and_then(Facts::decode) {
            memory.subtract(&former);
        }
        memory.add(&view.facts);
        view.facts.encode()
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

    /// Computes only the probability that decides.
    fn label(&self, memory: &AutoMemory, view: &AutoView) -> Labels {
        self.label_by(memory, view, false)
    }

    /// Computes both probabilities.
    fn label_in_full(&self, memory: &AutoMemory, view: &AutoView) -> Labels {
        self.label_by(memory, view, true)
    }

    fn explain(&self, memory: &AutoMemory, view: &AutoView, labels: &Labels) -> Vec<Explanation> {
        explain(&self.model, self.remove, memory, view, labels)
    }

    fn learned(&self, sites: &[(&AutoMemory, &SiteRecord)]) -> Learned {
        let (mut pages, mut texts, mut frame_texts, mut rows, mut size) = (0, 0, 0, 0, 0);
        for (memory, _) in sites {
            pages += memory.pages();
            texts += memory.texts() as u64;
            frame_texts += memory.frame_texts() as u64;
            rows += memory.len() as u64;
            size += memory.table_bytes();
        }
        Learned {
            name: "texts",
            figures: vec![
                Figure::count("pages", pages),
                Figure::count("texts", texts),
                Figure::count("frame_texts", frame_texts),
                Figure::count("rows", rows),
                Figure::bytes("bytes", size),
            ],
            line: format!(
                "learned: {} from {}; {frame_texts} of them are on most pages ({} of state)",
                count(texts, "text"),
                count(pages, "page"),
                bytes(size as f64),
            ),
            hint: None,
            criterion: "on other pages too, or looks like frame",
        }
    }
}

impl Auto {
    fn label_by(&self, memory: &AutoMemory, view: &AutoView, both: bool) -> Labels {
        let evidence = Evidence::of(&view.outline, memory);
        let (kind, other) = (self.remove, self.remove.other());
        let (chances, others) = if both {
            let [chances, others] = self.model.chances(view, &evidence, [kind, other]);
            (chances, Some(others))
        } else {
            let [chances] = self.model.chances(view, &evidence, [kind]);
            (chances, None)
        };
        let judged = Judgement::of(chances, &evidence);
        let from = self.threshold(view, &judged);
        let goes = self.decide_from(view, &judged, from);
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
                label: match goes[row] {
                    true => Label::Template,
                    false => Label::Content,
                },
                reason: row as u32,
            });
            let probability = judged.chances[row];
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
}

impl AutoMemory {
    /// Learns a page that has not been learnt before.
    pub fn learn(&mut self, view: &AutoView) {
        self.add(&view.facts);
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
        texts.map(|text| text.look.words).collect()
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
        Scene::of(self, &evidence).fill(&texts, &mut table);
        table
    }

    /// True if a text is one of a form's fields, which always go.
    pub fn is_field(&self, text: usize) -> bool {
        let element = self.outline.texts[text].element;
        self.outline.elements[element as usize].field
    }

    /// For each text the one that is judged in its place when boilerplate is looked for, or itself.
    pub fn speakers(&self, memory: &AutoMemory) -> Vec<u32> {
        speakers(&self.outline, &Evidence::of(&self.outline, memory))
    }

    /// The number of each text's block.
    pub fn blocks(&self) -> Vec<u32> {
        self.outline.texts.iter().map(|text| text.block).collect()
    }
}
