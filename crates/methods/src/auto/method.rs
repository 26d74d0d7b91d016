//! The method: view a page, learn it, label it.

use std::sync::Arc;

use unframe_labels::{Comment, Explanation, Flag, Label, Labels, PageKind, Reason, TextLabel};
use unframe_page::{Fingerprint, Kind, Page};
use unframe_site::{Figure, Memory, SiteRecord, TextPlaces, Visit, count};

use crate::auto::comments::comments;
use crate::auto::cuts::{self, Decided, Judged};
use crate::auto::guard::keep_something;
use crate::auto::model::explanation::explain;
use crate::auto::model::features::FeatureSources;
use crate::auto::model::forest::Table;
use crate::auto::model::representatives::representatives;
use crate::auto::model::{Model, Predictions, log_odds, prose_share, shift_probability};
use crate::auto::options::{Favor, Remove};
use crate::auto::page::place_names::name_places;
use crate::auto::page::view::AutoView;
use crate::auto::settled::{self, PlaceRow};
use crate::auto::site::contribution::Contribution;
use crate::auto::site::evidence::Evidence;
use crate::auto::site::memory::{AutoMemory, is_judged};
use crate::learned::Learned;
use crate::method::Method;
use crate::text_places::sum_places;

/// The method `auto`.
#[derive(Clone, Debug)]
pub struct Auto {
    model: Arc<Model>,
    remove: Remove,
    favor: Favor,
    /// Whether texts in settled places are labelled without the model.
    uses_settled: bool,
}

impl Default for Auto {
    fn default() -> Self {
        Auto::new(Remove::default(), Favor::default())
    }
}

impl Auto {
    /// The method with the built-in model.
    pub fn new(remove: Remove, favor: Favor) -> Auto {
        Auto::with_model(Model::built_in(), remove, favor)
    }

    /// The method with another model.
    pub fn with_model(model: Arc<Model>, remove: Remove, favor: Favor) -> Auto {
        // What is settled is what the built-in model removes by default.
        let is_default = (remove, favor) == (Remove::default(), Favor::default());
        let uses_settled = is_default && Arc::ptr_eq(&model, &Model::built_in());
        let model = match favor {
            Favor::Precision => Arc::new(model.without_early_exits_below()),
            Favor::Balance | Favor::Recall => model,
        };
        Auto {
            model,
            remove,
            favor,
            uses_settled,
        }
    }

    /// The same method that judges every text, whatever is settled about its place.
    pub fn judging_all(self) -> Auto {
        Auto {
            uses_settled: false,
            ..self
        }
    }

    /// The groups of texts of a site, for fitting the forest that settles places: the labels are those of
    /// this method if it judges every text.
    pub fn place_rows(&self, memory: &AutoMemory, pages: &[AutoView]) -> Vec<PlaceRow> {
        let judge = |page: &AutoView| self.label_by(memory, page, false);
        let labels: Vec<Labels> = pages.iter().map(judge).collect();
        let outlines = pages.iter().map(|page| &page.outline);
        settled::place_rows(memory, outlines.zip(&labels))
    }

    /// What is removed.
    pub fn remove(&self) -> Remove {
        self.remove
    }

    /// Which measure of the kept text is favored.
    pub fn favor(&self) -> Favor {
        self.favor
    }

    /// Predicts for each text of a page whether it is to be removed.
    pub fn predict(&self, view: &AutoView, memory: &AutoMemory) -> Predictions {
        self.model.predict(view, memory, self.remove)
    }

    /// Which texts of a page are removed, by their probabilities.
    pub fn decide(&self, view: &AutoView, predictions: &Predictions) -> Vec<bool> {
        let from = self.threshold(view, predictions);
        self.decide_from(view, predictions, from).removed
    }

    /// The probability, of the kind that is removed, from which texts of a page are removed.
    fn threshold(&self, view: &AutoView, predictions: &Predictions) -> f32 {
        let shift = self.favor.shift();
        match self.remove {
            Remove::Boilerplate => self.model.threshold(view, predictions, shift),
            Remove::Template => shift_probability(self.model.decision.template, shift),
        }
    }

    fn decide_from(&self, view: &AutoView, predictions: &Predictions, threshold: f32) -> Decided {
        let probabilities = &predictions.probabilities;
        let mut decided = match self.remove {
            Remove::Boilerplate => {
                let from = log_odds(threshold);
                let odds: Vec<f32> = probabilities
                    .iter()
                    .map(|probability| log_odds(*probability) - from)
                    .collect();
                let prose = prose_share(view, probabilities);
                let page = &predictions.page;
                let is_one =
                    page.probability(PageKind::Article) + page.probability(PageKind::Other);
                cuts::decide(Judged {
                    outline: &view.outline,
                    odds,
                    on_most_pages: &predictions.on_most_pages,
                    prose,
                    oneness: prose * is_one,
                })
            }
            // A template has the labels of values, but not the values.
            Remove::Template => Decided::alone(
                probabilities
                    .iter()
                    .map(|probability| *probability >= threshold)
                    .collect(),
            ),
        };
        decided.is_guarded = keep_something(view, &predictions.on_most_pages, &mut decided);
        decided
    }
}

impl Method for Auto {
    const NAME: &'static str = "auto";
    const VERSION: u32 = 2;

    type Memory = AutoMemory;
    type View = AutoView;

    fn needs_pages(&self) -> u64 {
        2
    }

    fn view(&self, page: &Page) -> AutoView {
        AutoView::of(page)
    }

    fn view_known(&self, page: &Page, memory: &AutoMemory) -> AutoView {
        match self.uses_settled.then(|| settled::by_tree(memory, page)) {
            Some(Some(labels)) => AutoView::settled(labels),
            _ => AutoView::of(page),
        }
    }

    fn prepare(&self, memory: &AutoMemory) {
        if self.uses_settled {
            memory.compiled();
        }
    }

    fn learn(
        &self,
        memory: &mut AutoMemory,
        page: &Page,
        view: &AutoView,
        visit: Visit<'_>,
    ) -> Vec<u8> {
        if memory.sampling().has(visit.page) {
            let contribution = self.contribution(view, visit.page);
            memory.put(visit.page, &contribution);
            let unnamed = memory.unnamed(&contribution);
            if !unnamed.is_empty() {
                name_places(page, &view.outline, unnamed, |slot, name| {
                    memory.put_name(slot, name);
                });
            }
        }
        // The memory keeps it itself.
        Vec::new()
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
        self.settled(memory, view)
            .unwrap_or_else(|| self.label_by(memory, view, false))
    }

    /// Computes both probabilities.
    fn label_in_full(&self, memory: &AutoMemory, view: &AutoView) -> Labels {
        self.settled(memory, view)
            .unwrap_or_else(|| self.label_by(memory, view, true))
    }

    fn explain(&self, memory: &AutoMemory, view: &AutoView, labels: &Labels) -> Vec<Explanation> {
        explain(&self.model, self.remove, memory, view, labels)
    }

    fn comments(&self, memory: &AutoMemory, view: &AutoView) -> Vec<Comment> {
        let evidence = Evidence::of(&view.outline, memory);
        let sources = FeatureSources::of(view, &evidence);
        // The posts of a thread are its content.
        if self.model.page_kinds(&sources).best().0 == PageKind::Thread {
            return Vec::new();
        }
        comments(&view.outline, &self.model.comments(&sources))
    }

    fn learned(&self, sites: &[(&AutoMemory, &SiteRecord)]) -> Learned {
        let (mut pages, mut sampled, mut texts, mut frame_texts) = (0, 0, 0, 0);
        for (memory, record) in sites {
            pages += record.pages;
            sampled += memory.pages();
            texts += memory.texts() as u64;
            frame_texts += memory.frame_texts() as u64;
        }
        Learned {
            name: "texts",
            figures: vec![
                Figure::count("pages", pages),
                Figure::count("texts", texts),
                Figure::count("sampled_pages", sampled),
                Figure::count("frame_texts", frame_texts),
            ],
            line: format!(
                "learned: {} from {}{}; {frame_texts} of them are on most pages",
                count(texts, "text"),
                match sampled < pages {
                    true => format!("{sampled} of "),
                    false => String::new(),
                },
                count(pages, "page"),
            ),
            hint: None,
            criterion: "on other pages too, or in a place where frame usually sits",
        }
    }
}

impl Auto {
    /// The labels of a page if all of its texts are in settled places.
    fn settled(&self, memory: &AutoMemory, view: &AutoView) -> Option<Labels> {
        if let Some(labels) = &view.settled {
            return Some(labels.clone());
        }
        let by_outline = || settled::by_outline(memory, &view.outline);
        self.uses_settled.then(by_outline).flatten()
    }

    /// What a page adds to the memory. It is judged by the default method with the built-in model, whatever
    /// this one is, because others may use the same state.
    fn contribution(&self, view: &AutoView, page: Fingerprint) -> Contribution {
        let mut contribution = view.contribution();
        if is_judged(page) && view.texts() > 0 {
            let model = Model::built_in();
            let alone = model.predict(view, &AutoMemory::default(), Remove::Boilerplate);
            let kind = alone.page.best().0;
            contribution.judge(&view.outline, kind, &alone.probabilities);
        }
        contribution
    }

    fn label_by(&self, memory: &AutoMemory, view: &AutoView, both: bool) -> Labels {
        let evidence = Evidence::of(&view.outline, memory);
        let sources = FeatureSources::of(view, &evidence);
        let page = self.model.page_kinds(&sources);
        let (kind, other) = (self.remove, self.remove.other());
        let settled = match self.uses_settled {
            true => settled::sure_texts(memory, &view.outline),
            false => Vec::new(),
        };
        let (probabilities, others) = if both {
            let kinds = [kind, other];
            let [probabilities, others] = self.model.probabilities(&sources, page, kinds, &settled);
            (probabilities, Some(others))
        } else {
            let [probabilities] = self.model.probabilities(&sources, page, [kind], &settled);
            (probabilities, None)
        };
        let predictions = Predictions::of(probabilities, page, &evidence);
        let from = self.threshold(view, &predictions);
        let decided = self.decide_from(view, &predictions, from);
        let mut labels = Labels {
            texts: Vec::with_capacity(view.texts()),
            reasons: Vec::with_capacity(view.texts()),
            kind: (view.texts() > 0).then(|| page.best()),
            ..Labels::default()
        };
        let has_copies = evidence.near_duplicates > 0;
        labels
            .flags
            .extend(has_copies.then_some(Flag::NearDuplicate));
        labels
            .flags
            .extend(decided.is_guarded.then_some(Flag::Suspicious));
        for (row, text) in view.outline.texts.iter().enumerate() {
            labels.texts.push(TextLabel {
                node: text.node,
                length: text.length,
                label: match decided.removed[row] {
                    true => Label::Template,
                    false => Label::Content,
                },
                reason: row as u32,
            });
            let probability = predictions.probabilities[row];
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
                of: evidence.other_pages,
                with: decided.with[row],
            });
        }
        labels
    }
}

impl AutoMemory {
    /// Learns a page that has not been learnt before and has no name.
    pub fn learn(&mut self, view: &AutoView) {
        let number = self.pages().to_le_bytes();
        self.put(Fingerprint::of(Kind::Page, number), &view.contribution());
    }
}

impl AutoView {
    /// The number of texts.
    pub fn texts(&self) -> usize {
        self.outline.texts.len()
    }

    /// The words of each text.
    pub fn words(&self) -> Vec<u32> {
        let texts = self.outline.texts.iter();
        texts.map(|text| text.stats.words).collect()
    }

    /// The number of other pages that have each text anywhere, and the number of other pages.
    pub fn repetition(&self, memory: &AutoMemory) -> (Vec<u32>, u32) {
        let evidence = Evidence::of(&self.outline, memory);
        let seen = evidence.texts.iter().map(|known| known.seen_anywhere);
        (seen.collect(), evidence.other_pages)
    }

    /// The features of all texts.
    pub fn features(&self, memory: &AutoMemory) -> Table {
        let evidence = Evidence::of(&self.outline, memory);
        let mut table = Table::default();
        let texts: Vec<u32> = (0..self.texts() as u32).collect();
        FeatureSources::of(self, &evidence).fill(&texts, &mut table);
        table
    }

    /// True for the text of a form field, which is never content.
    pub fn is_field(&self, text: usize) -> bool {
        let element = self.outline.texts[text].element;
        self.outline.elements[element as usize].field
    }

    /// For each text the one that is classified in its place for boilerplate, or itself.
    pub fn representatives(&self, memory: &AutoMemory) -> Vec<u32> {
        representatives(&self.outline, &Evidence::of(&self.outline, memory))
    }

    /// The number of each text's block.
    pub fn blocks(&self) -> Vec<u32> {
        self.outline.texts.iter().map(|text| text.block).collect()
    }
}
