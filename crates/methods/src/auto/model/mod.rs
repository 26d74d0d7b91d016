//! The fitted model: two forests, what was fitted with them, and how a page is decided by them.
//!
//! A model is a text file. It begins with notes on how it was made, names its features, and ends
//! with its forests; whoever reads it maps the names to the columns of this version. The one that
//! comes with this version is turned into bytes by the build script.

pub(super) mod explanation;
pub(super) mod features;
pub(super) mod forest;
pub(super) mod representatives;
mod sections;

use std::cell::RefCell;
use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use crate::auto::model::features::{FeatureSources, features};
use crate::auto::model::forest::{EarlyExits, Forest, Table};
use crate::auto::model::representatives::representatives;
use crate::auto::model::sections::sections;
use crate::auto::options::Remove;
use crate::auto::page::subtree_stats::PROSE_WORDS;
use crate::auto::page::view::AutoView;
use crate::auto::site::evidence::Evidence;
use crate::auto::site::memory::AutoMemory;

/// The first line of a model file; another version is another format.
const MAGIC: &str = "unframe model 7";

/// Texts whose features are worked out together: few enough to stay in the processor's cache.
const ROWS: usize = 64;

thread_local! {
    /// The features of so many texts, in memory that is used again and again.
    static TABLE: RefCell<Table> = RefCell::default();
}

/// A model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// How it was made: names and values.
    pub notes: Vec<(String, String)>,
    /// Log odds that a text is frame, its own page's evidence included.
    pub boilerplate: Forest,
    /// Log odds that a text is the site's, by the site's evidence.
    pub template: Forest,
    /// How a page is decided.
    pub decision: Decision,
}

/// How the odds of a page's texts become decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// A text stays if its probability to be content is at least a share of the F1 that can be
    /// expected of the page: this on pages without prose, and that on pages of prose …
    pub kappa: [f32; 2],
    /// … or these shares, for a page without others to compare it with …
    pub kappa_alone: [f32; 2],
    /// … but at least this …
    pub least: f32,
    /// … and at most this.
    pub most: f32,
    /// Probability from which a text is the site's.
    pub template: f32,
    /// What speaks for a value of a record, in log odds: models that have seen no records take short
    /// texts for frame.
    pub record_value: f32,
}

impl Default for Decision {
    fn default() -> Self {
        Decision {
            kappa: [0.42, 0.57],
            kappa_alone: [0.37, 0.48],
            least: 0.15,
            most: 0.55,
            template: 0.65,
            record_value: 2.5,
        }
    }
}

/// What a model says of the texts of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predictions {
    /// Probability of each text to be of the kind that was asked for.
    pub probabilities: Vec<f32>,
    /// Whether most pages have it.
    pub common: Vec<bool>,
    /// True if there were no other pages to compare the page with.
    pub alone: bool,
}

impl Predictions {
    pub(super) fn of(probabilities: Vec<f32>, evidence: &Evidence) -> Predictions {
        let texts = 0..evidence.texts.len();
        Predictions {
            probabilities,
            common: texts
                .map(|text| evidence.share_of_slot(text) > 0.5)
                .collect(),
            alone: evidence.of_site == 0,
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

    fn read_built_in() -> Result<Model, String> {
        macro_rules! made {
            ($name:literal) => {
                concat!(env!("OUT_DIR"), "/auto.", $name)
            };
        }
        let forest = |bytes| Forest::from_bytes(bytes).ok_or("bytes that are no forest");
        Model::read(include_str!(made!("head")), || {
            let boilerplate = forest(include_bytes!(made!("boilerplate")))?;
            Ok([boilerplate, forest(include_bytes!(made!("template")))?])
        })
    }

    /// Judges the texts of a page: which of them are what `kind` would remove.
    pub fn predict(&self, view: &AutoView, memory: &AutoMemory, kind: Remove) -> Predictions {
        let evidence = Evidence::of(&view.outline, memory);
        let [probabilities] = self.probabilities(view, &evidence, [kind]);
        Predictions::of(probabilities, &evidence)
    }

    /// Probability of each text to be of each of some kinds.
    pub(super) fn probabilities<const KINDS: usize>(
        &self,
        view: &AutoView,
        evidence: &Evidence,
        kinds: [Remove; KINDS],
    ) -> [Vec<f32>; KINDS] {
        let (outline, sources) = (&view.outline, FeatureSources::of(view, evidence));
        let representatives = representatives(outline, evidence);
        let mut judged: Vec<u32> = match kinds.contains(&Remove::Template) {
            // What the site repeats, it may repeat in the middle of a sentence.
            true => (0..representatives.len() as u32).collect(),
            false => representatives.clone(),
        };
        judged.sort_unstable();
        judged.dedup();
        judged.retain(|text| !evidence.is_on_nearly_all_pages(*text as usize));
        let mut odds = kinds.map(|kind| vec![self.forest(kind).sure; representatives.len()]);
        let mut scores = Vec::with_capacity(ROWS);
        let represent_record_values = sources.represent_record_values(&representatives);
        let (facts, others): (Vec<u32>, Vec<u32>) = judged
            .into_iter()
            .partition(|text| represent_record_values[*text as usize]);
        let others = others.chunks(ROWS).map(|texts| (texts, false));
        let facts = facts.chunks(ROWS).map(|texts| (texts, true));
        TABLE.with_borrow_mut(|table| {
            for (texts, are_record_values) in others.chain(facts) {
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
            Some(Remove::Template) if evidence.of_site == 0 => vec![0.0; odds.len()],
            Some(Remove::Template) => odds.into_iter().map(probability).collect(),
            _ => {
                let chance = |(text, representative): (usize, u32)| {
                    let element = outline.texts[text].element;
                    // Fields of forms are no text of the page.
                    if outline.elements[element as usize].field {
                        return 1.0;
                    }
                    let fact = match sources.is_record_value(text) {
                        true => self.decision.record_value,
                        false => 0.0,
                    };
                    probability(odds[representative as usize] - fact)
                };
                representatives
                    .iter()
                    .copied()
                    .enumerate()
                    .map(chance)
                    .collect()
            }
        })
    }

    /// The forest that decides what removed.
    pub(super) fn forest(&self, kind: Remove) -> &Forest {
        match kind {
            Remove::Boilerplate => &self.boilerplate,
            Remove::Template => &self.template,
        }
    }

    /// When texts have had enough trees. Contribution are asked by all: so much is taken off their odds that
    /// also those of surest frame come near the threshold, where the last trees count.
    pub(super) fn early_exits(&self, kind: Remove, are_record_values: bool) -> &EarlyExits {
        match are_record_values {
            true => EarlyExits::NONE,
            false => &self.forest(kind).early_exits,
        }
    }

    /// The same model that lets no text go early for being content: where thresholds are lower than
    /// early_exits below 0 were found for, the last trees count.
    pub(super) fn without_early_exits_below(&self) -> Model {
        let mut model = self.clone();
        for forest in [&mut model.boilerplate, &mut model.template] {
            forest.early_exits.below.clear();
        }
        model
    }

    /// Probability to be frame from which the texts of a page go: what the page's own odds make
    /// the best F1 likely with. `shift` moves it, in log odds; more means that less removed.
    pub fn threshold(&self, view: &AutoView, judged: &Predictions, shift: f32) -> f32 {
        let boilerplate = &judged.probabilities;
        let weight = |row: usize| view.outline.texts[row].stats.words as f32;
        let mut order: Vec<usize> = (0..boilerplate.len()).collect();
        order.sort_by(|a, b| boilerplate[*a].total_cmp(&boilerplate[*b]));
        let content: f32 = order
            .iter()
            .map(|row| (1.0 - boilerplate[*row]) * weight(*row))
            .sum();
        let (mut hit, mut kept, mut best) = (0.0, 0.0, 0.0f32);
        for row in order {
            hit += (1.0 - boilerplate[row]) * weight(row);
            kept += weight(row);
            best = best.max(2.0 * hit / (kept + content).max(1.0));
        }
        let decision = &self.decision;
        let [without, with] = match judged.alone {
            true => decision.kappa_alone,
            false => decision.kappa,
        };
        let kappa = without + (with - without) * prose(view, boilerplate);
        let stays = (kappa * best).clamp(decision.least, decision.most);
        shift_probability(1.0 - stays, shift)
    }

    /// Writes the model file.
    pub fn to_text(&self) -> String {
        let mut out = format!("{MAGIC}\n");
        for (name, value) in &self.notes {
            let _ = writeln!(out, "note {name}: {value}");
        }
        let Decision {
            kappa: [kappa, kappa_prose],
            kappa_alone: [alone, alone_prose],
            least,
            most,
            template,
            record_value,
        } = self.decision;
        let _ = writeln!(
            out,
            "decision {kappa} {kappa_prose} {alone} {alone_prose} {least} {most} {template} {record_value}"
        );
        let names: Vec<&str> = features()
            .iter()
            .map(|feature| feature.name.as_str())
            .collect();
        let _ = writeln!(out, "features {}", names.join(" "));
        for (name, forest) in [
            ("boilerplate", &self.boilerplate),
            ("template", &self.template),
        ] {
            let _ = write!(out, "[{name}]\n{}", forest.to_text());
        }
        out
    }

    /// Reads a model file; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Model, String> {
        let [head, boilerplate, template] = sections(text)?;
        Model::read(head, || {
            Ok([Forest::parse(boilerplate)?, Forest::parse(template)?])
        })
    }

    /// Reads what stands before the forests, then these.
    fn read(
        head: &str,
        forests: impl FnOnce() -> Result<[Forest; 2], String>,
    ) -> Result<Model, String> {
        let mut lines = head.lines();
        if lines.next() != Some(MAGIC) {
            return Err(format!("it does not begin with `{MAGIC}`"));
        }
        let mut model = Model::default();
        let mut columns = None;
        for line in lines {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("note", note) => {
                    let (name, value) = note.split_once(": ").ok_or(format!("bad note: {note}"))?;
                    model.notes.push((name.into(), value.into()));
                }
                ("decision", numbers) => model.decision = parse_decision(numbers)?,
                ("features", names) => columns = Some(columns_of(names)?),
                (other, _) => return Err(format!("nothing is called `{other}`")),
            }
        }
        let columns = columns.ok_or("no features are named")?;
        let [boilerplate, template] = forests()?;
        model.boilerplate = remapped(boilerplate, &columns)?;
        model.template = remapped(template, &columns)?;
        Ok(model)
    }
}

/// How far the likely content of a page is prose, 0 to 1. Whoever wants an article does not miss its
/// date; of a record the short texts are what counts.
fn prose(view: &AutoView, boilerplate: &[f32]) -> f32 {
    const NONE: f32 = 0.6;
    const ALL: f32 = 0.85;
    let outline = &view.outline;
    let (mut prose, mut all) = (0.0, 0.0);
    for (text, chance) in outline.texts.iter().zip(boilerplate) {
        let words = text.stats.weight();
        let likely = words * (1.0 - chance);
        all += likely;
        if words >= PROSE_WORDS && !outline.is_linked(text) {
            prose += likely;
        }
    }
    let share = prose / f32::max(all, 1.0);
    ((share - NONE) / (ALL - NONE)).clamp(0.0, 1.0)
}

fn parse_decision(numbers: &str) -> Result<Decision, String> {
    let parsed: Result<Vec<f32>, _> = numbers.split(' ').map(str::parse).collect();
    let parsed = parsed.map_err(|_| format!("bad decision: {numbers}"))?;
    let [
        kappa,
        kappa_prose,
        alone,
        alone_prose,
        least,
        most,
        template,
        record_value,
    ] = parsed[..]
    else {
        return Err(format!("a decision has eight numbers: {numbers}"));
    };
    Ok(Decision {
        kappa: [kappa, kappa_prose],
        kappa_alone: [alone, alone_prose],
        least,
        most,
        template,
        record_value,
    })
}

/// The columns of named features.
fn columns_of(names: &str) -> Result<Vec<u16>, String> {
    let features = features();
    let is_called = |at: &usize, name: &str| features[*at].name == name;
    let column = |(at, name)| {
        // Mostly they are those of this version.
        let same = (at < features.len()).then_some(at);
        same.filter(|at| is_called(at, name))
            .or_else(|| (0..features.len()).find(|at| is_called(at, name)))
            .map(|at| at as u16)
            .ok_or_else(|| format!("no feature is called `{name}`"))
    };
    names.split(' ').enumerate().map(column).collect()
}

fn remapped(mut forest: Forest, columns: &[u16]) -> Result<Forest, String> {
    forest.remap_features(|feature| {
        let column = columns.get(usize::from(feature));
        column
            .copied()
            .ok_or_else(|| format!("feature {feature} has no name"))
    })?;
    Ok(forest)
}

/// The probability of these log odds.
fn probability(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// A probability moved by some log odds.
pub(super) fn shift_probability(from: f32, shift: f32) -> f32 {
    probability((from / (1.0 - from)).ln() + shift)
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;
    use crate::auto::options::Lean;

    #[test]
    fn the_model_of_this_version_can_be_read() {
        let model = Model::parse(include_str!("../../../model/auto.txt")).unwrap();
        assert_eq!(*Model::built_in(), model);
        assert_eq!(Model::parse(&model.to_text()).unwrap(), model);
    }

    #[test]
    fn another_version_is_refused_before_its_forests_are_read() {
        let other = "unframe model 1\n[boilerplate]\nforest\n[template]\nforest\n";
        let message = format!("it does not begin with `{MAGIC}`");
        assert_eq!(Model::parse(other), Err(message));
    }

    fn log_odds(chance: f32) -> f32 {
        (chance / (1.0 - chance)).ln()
    }

    /// What is let go as sure frame is above every threshold, also one that leans to precision.
    #[test]
    fn what_is_sure_is_beyond_any_threshold() {
        let model = Model::built_in();
        let precision = Lean::Precision.shift();
        assert!(model.boilerplate.sure > log_odds(1.0 - model.decision.least) + precision);
        assert!(model.template.sure > log_odds(model.decision.template) + precision);
    }

    /// What is let go as content is below every threshold but those that lean to recall.
    #[test]
    fn stops_below_are_beyond_any_threshold() {
        let model = Model::built_in();
        for (forest, lowest) in [
            (&model.boilerplate, log_odds(1.0 - model.decision.most)),
            (&model.template, log_odds(model.decision.template)),
        ] {
            let early_exits = &forest.early_exits.below;
            assert!(!early_exits.is_empty());
            assert!(
                early_exits
                    .iter()
                    .all(|early_exit| -early_exit.from < lowest)
            );
        }
    }

    #[test]
    fn prose_is_what_is_likely_content() {
        let text = "<p>As they went along the river the old man told them of the flood";
        let values = "<p>Roc<p>1999<p>12";
        let page = format!("{text}{values}");
        for (probabilities, expected) in [
            ([0.1, 0.9, 0.9, 0.9], 1.0),
            ([1.0, 0.1, 0.1, 0.1], 0.0),
            ([1.0, 1.0, 1.0, 1.0], 0.0),
        ] {
            let page = Page::parse(page.clone().into(), None, None, &Limits::default());
            assert_eq!(prose(&AutoView::of(&page), &probabilities), expected);
        }
    }
}
