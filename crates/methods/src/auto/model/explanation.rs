//! Why each text got its label: what the site knows of it, and how far each group of features moved its
//! log-odds.

use crate::auto::model::Model;
use crate::auto::model::features::{FeatureSources, Group, features};
use crate::auto::model::forest::Table;
use crate::auto::model::representatives::representatives;
use crate::auto::options::Remove;
use crate::auto::page::view::AutoView;
use crate::auto::site::evidence::Evidence;
use crate::auto::site::memory::AutoMemory;
use unframe_labels::{Explanation, Slot};
use unframe_labels::{Label, Labels, PageKind, Reason};

/// Evidence that moved the log-odds by less is not reported.
const MIN_REPORTED: f32 = 0.1;

/// Texts with evidence. Computing it is slow, and no real page has nearly as many.
const MOST_EXPLAINED: usize = 20_000;

/// Rules that decide without the model.
const FORM_FIELD: &str = "text in a field of a form is never content";
const ONLY_PAGE: &str =
    "there is no other page to compare with, so nothing is known to be template";

/// The evidence that keeps values of records.
const RECORD_VALUE: &str = "value beside a label";

/// The evidence that keeps the posts of threads.
const POST: &str = "post of a thread";

/// Explains the labels that a model gave to a page when it removed one kind.
pub(crate) fn explain(
    model: &Model,
    remove: Remove,
    memory: &AutoMemory,
    view: &AutoView,
    labels: &Labels,
) -> Vec<Explanation> {
    let evidence = Evidence::of(&view.outline, memory);
    let kinds = [Remove::Boilerplate, Remove::Template];
    let sources = FeatureSources::of(view, &evidence);
    let page = model.page_kinds(&sources);
    let [boilerplate, template] = model.probabilities(&sources, page, kinds, &[]);
    let position = |group: Group| Group::ALL.iter().position(|other| *other == group);
    let groups: Vec<u16> = features()
        .iter()
        .map(|feature| position(feature.group).unwrap_or(0) as u16)
        .collect();
    let mut explained = Explanation::by_reasons(labels, true);
    let mut table = Table::default();
    let representatives = representatives(&view.outline, &evidence);
    let represent_record_values = sources.represent_record_values(&representatives);
    let forest = model.forest(remove);
    let attributor = forest.attributor();
    for (row, explanation) in explained.iter_mut().enumerate() {
        if let Reason::Odds {
            probability,
            seen,
            of,
            ..
        } = labels.reasons[labels.texts[row].reason as usize]
        {
            explanation.probability = Some(probability);
            explanation.boilerplate = Some(boilerplate[row]);
            explanation.template = Some(template[row]);
            explanation.seen = Some((seen, of));
            explanation.design = evidence.design_pages.map(|of| (of, evidence.other_pages));
        }
        if let Reason::Settled { probability, .. } =
            labels.reasons[labels.texts[row].reason as usize]
        {
            explanation.probability = Some(probability);
            explanation.boilerplate = Some(probability);
            explanation.template = Some(template[row]);
            continue;
        }
        let slot = &evidence.texts[row].block;
        explanation.slot = (evidence.pages > 1).then(|| Slot {
            pages: slot.pages,
            of: evidence.pages,
            repeats: slot.repeated as f32 / slot.words.max(1) as f32,
            linked: slot.linked as f32 / slot.words.max(1) as f32,
            words: slot.words as f32 / slot.texts.max(1) as f32,
        });
        let classified = match remove {
            // Decided by a rule, not by the forest.
            Remove::Boilerplate if view.is_field(row) => {
                if explanation.label == Label::Template {
                    explanation.rule = FORM_FIELD.into();
                }
                continue;
            }
            Remove::Template if evidence.other_pages == 0 => {
                explanation.rule = ONLY_PAGE.into();
                continue;
            }
            Remove::Boilerplate => representatives[row],
            Remove::Template => row as u32,
        };
        if row >= MOST_EXPLAINED {
            continue;
        }
        let mut moved = match evidence.is_on_nearly_all_pages(classified as usize) {
            true => vec![(Group::Repetition.name(), forest.sure)],
            false => {
                sources.fill(&[classified], &mut table);
                let early_exits =
                    model.early_exits(remove, represent_record_values[classified as usize]);
                let attribution =
                    attributor.attribute(&table, 0, early_exits, &groups, Group::ALL.len());
                Group::ALL
                    .iter()
                    .zip(attribution.groups)
                    .filter(|(_, by)| by.abs() >= MIN_REPORTED)
                    .map(|(group, by)| (group.name(), by))
                    .collect()
            }
        };
        if remove == Remove::Boilerplate && sources.is_record_value(row) {
            moved.push((RECORD_VALUE, -model.decision.record_value));
        }
        if remove == Remove::Boilerplate && sources.is_post(row) {
            let by = model.decision.post * page.probability(PageKind::Thread);
            moved.extend((by >= MIN_REPORTED).then_some((POST, -by)));
        }
        moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        explanation.evidence = moved;
    }
    explained
}
