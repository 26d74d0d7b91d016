//! Why each text got its label: what the site knows of it, and which evidence weighed how much.

use super::evidence::Evidence;
use super::features::{Group, Scene, features};
use super::forest::Table;
use super::memory::AutoMemory;
use super::method::Remove;
use super::model::Model;
use super::speakers::speakers;
use super::view::AutoView;
use unframe_labels::{Explanation, Slot};
use unframe_labels::{Label, Labels, Reason};

/// Evidence that moved the odds by less is not worth a word.
const WORTH_SAYING: f32 = 0.1;

/// Rules that need no evidence.
const OF_FORM: &str = "what stands in a field of a form is no text of the page";
const ALONE: &str = "there is no other page to compare with, so nothing is the site's";

/// What speaks for the values of records.
const FACT: &str = "value beside a label";

/// Explains the labels of a page, given by a model that was to remove one kind.
pub(super) fn explain(
    model: &Model,
    remove: Remove,
    memory: &AutoMemory,
    view: &AutoView,
    labels: &Labels,
) -> Vec<Explanation> {
    let evidence = Evidence::of(&view.outline, memory);
    let kinds = [Remove::Boilerplate, Remove::Template];
    let [boilerplate, template] = model.chances(view, &evidence, kinds);
    let place = |group: Group| Group::ALL.iter().position(|other| *other == group);
    let groups: Vec<u16> = features()
        .iter()
        .map(|feature| place(feature.group).unwrap_or(0) as u16)
        .collect();
    let mut explained = Explanation::by_reasons(labels, true);
    let (scene, mut table) = (Scene::of(view, &evidence), Table::default());
    let speakers = speakers(&view.outline, &evidence);
    let speak_for_facts = scene.speak_for_facts(&speakers);
    let forest = model.forest(remove);
    let by_forest = forest.explained();
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
            explanation.design = evidence.of_design.map(|of| (of, evidence.of_site));
        }
        let slot = &evidence.texts[row].block;
        explanation.slot = (evidence.pages > 1).then(|| Slot {
            pages: slot.pages,
            of: evidence.pages,
            repeats: slot.repeated as f32 / slot.words.max(1) as f32,
            linked: slot.linked as f32 / slot.words.max(1) as f32,
            words: slot.words as f32 / slot.texts.max(1) as f32,
        });
        let judged = match remove {
            // What is decided without the forest is not explained by it.
            Remove::Boilerplate if view.is_field(row) => {
                if explanation.label == Label::Template {
                    explanation.rule = OF_FORM.into();
                }
                continue;
            }
            Remove::Template if evidence.of_site == 0 => {
                explanation.rule = ALONE.into();
                continue;
            }
            Remove::Boilerplate => speakers[row],
            Remove::Template => row as u32,
        };
        let mut moved = match evidence.is_on_nearly_all(judged as usize) {
            true => vec![(Group::Repetition.name(), forest.sure)],
            false => {
                scene.fill(&[judged], &mut table);
                let stops = model.stops(remove, speak_for_facts[judged as usize]);
                let shares = by_forest.shares(&table, 0, stops, &groups, Group::ALL.len());
                Group::ALL
                    .iter()
                    .zip(shares.groups)
                    .filter(|(_, by)| by.abs() >= WORTH_SAYING)
                    .map(|(group, by)| (group.name(), by))
                    .collect()
            }
        };
        if remove == Remove::Boilerplate && scene.is_fact(row) {
            moved.push((FACT, -model.decision.fact));
        }
        moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        explanation.evidence = moved;
    }
    explained
}
