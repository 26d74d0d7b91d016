//! What the blocks before and after a text look like.

use super::super::evidence::Evidence;
use super::super::look::Mark;
use super::super::tags::{heading, sort};
use super::super::view::AutoView;
use super::{Columns, Group, ratio, yes};

/// The figures of one block that its neighbours look at.
#[derive(Clone, Copy, Default)]
struct Near {
    words: f32,
    linked: f32,
    tag: f32,
    sentences: f32,
    depth: f32,
    stop: f32,
    capitals: f32,
    heading: f32,
    repeated: f32,
    odds: f32,
    slot: f32,
    prose: f32,
    label: f32,
}

/// How far windows of blocks reach.
const REACHES: [usize; 3] = [3, 8, 20];

/// The blocks of a page as their neighbours see them.
pub(super) struct Neighbours {
    blocks: Vec<Near>,
    /// Sums over the blocks before each, and over all: words, linked, sentences, repeated, prose.
    before: Vec<[f32; 5]>,
}

impl Neighbours {
    pub fn of(view: &AutoView, evidence: &Evidence) -> Neighbours {
        let outline = &view.outline;
        let blocks: Vec<Near> = outline
            .blocks
            .iter()
            .map(|block| {
                let element = &outline.elements[block.element as usize];
                let words = block.look.weight();
                let sum = evidence.range(block.first, block.last);
                let rows = block.first as usize..block.last as usize;
                let mean = |value: &dyn Fn(usize) -> f32| {
                    let of = |row: usize| outline.texts[row].look.weight().max(0.5);
                    let weight: f32 = rows.clone().map(of).sum();
                    rows.clone().map(|row| of(row) * value(row)).sum::<f32>() / weight
                };
                let known = &evidence.texts;
                Near {
                    words,
                    linked: block.linked,
                    tag: f32::from(sort(element.tag)),
                    sentences: block.look.sentences as f32,
                    depth: f32::from(element.depth),
                    stop: yes(block.look.has(Mark::Stop)),
                    capitals: ratio(block.look.capitals as f32, block.look.words as f32),
                    heading: yes(heading(element.tag) > 0),
                    repeated: sum.repeated,
                    odds: mean(&|row| known[row].odds_anywhere),
                    slot: mean(&|row| {
                        (known[row].block.repeated as f32 + 0.3)
                            / (known[row].block.words as f32 + 0.6)
                    }),
                    prose: sum.prose,
                    label: yes(block.look.has(Mark::Colon) && block.look.words <= 6),
                }
            })
            .collect();
        let mut sum = [0.0; 5];
        let mut before = vec![sum];
        for block in &blocks {
            let own = [
                block.words,
                block.linked,
                block.sentences,
                block.repeated,
                block.prose,
            ];
            sum = std::array::from_fn(|at| sum[at] + own[at]);
            before.push(sum);
        }
        Neighbours { blocks, before }
    }
}

pub(super) fn add(columns: &mut Columns<'_>) {
    let near = &columns.scene.neighbours.blocks;
    let group = Group::Neighbour;
    for offset in [-3isize, -2, -1, 1, 2, 3] {
        let at = |block: usize| block.checked_add_signed(offset).and_then(|at| near.get(at));
        let mut add = |group: Group, what: &str, value: fn(&Near, &Near) -> f32| {
            columns.add_of_block(group, format_args!("{what}{offset:+}"), |block, _| {
                at(block).map_or(-1.0, |other| value(other, &near[block]))
            });
        };
        add(group, "words", |other, _| other.words);
        add(group, "linked", |other, _| ratio(other.linked, other.words));
        add(group, "tag", |other, _| other.tag);
        add(group, "sentence-rate", |other, _| {
            other.sentences / (other.words + 1.0)
        });
        add(group, "depth", |other, own| other.depth - own.depth);
        add(group, "stop", |other, _| other.stop);
        add(group, "capitals", |other, _| other.capitals);
        add(group, "heading", |other, _| other.heading);
        if offset.abs() <= 2 {
            add(Group::Repetition, "repeated", |other, _| {
                ratio(other.repeated, other.words)
            });
            add(Group::Repetition, "odds", |other, _| other.odds);
            add(Group::Slot, "slot-repeated", |other, _| other.slot);
            add(group, "prose", |other, _| ratio(other.prose, other.words));
        }
        if offset == -1 {
            add(group, "label", |other, _| other.label);
        }
    }
    add_windows(columns);
    add_labels(columns);
}

/// Means over the blocks around.
fn add_windows(columns: &mut Columns<'_>) {
    let Neighbours {
        blocks: near,
        before,
    } = &columns.scene.neighbours;
    for reach in REACHES {
        let sum = |block: usize| -> ([f32; 5], f32) {
            let (from, to) = (
                block.saturating_sub(reach),
                (block + reach + 1).min(near.len()),
            );
            let sum = std::array::from_fn(|at| before[to][at] - before[from][at]);
            (sum, (to - from) as f32)
        };
        let mut add = |group: Group, what: &str, value: fn([f32; 5], f32) -> f32| {
            columns.add_of_block(group, format_args!("around{reach}-{what}"), |block, _| {
                let (sum, blocks) = sum(block);
                value(sum, blocks)
            });
        };
        let group = Group::Neighbour;
        add(group, "words", |[words, ..], blocks| words / blocks);
        add(group, "linked", |[words, linked, ..], _| {
            linked / words.max(1.0)
        });
        add(group, "sentences", |[words, _, sentences, ..], _| {
            sentences / words.max(1.0)
        });
        add(
            Group::Repetition,
            "repeated",
            |[words, _, _, repeated, _], _| repeated / words.max(1.0),
        );
        add(group, "prose", |[words, .., prose], _| {
            prose / words.max(1.0)
        });
    }
}

/// Texts that stand beside a label: a short text that most pages have.
fn add_labels(columns: &mut Columns<'_>) {
    let evidence = columns.scene.evidence;
    let outline = &columns.scene.view.outline;
    let most_have = |row: usize| evidence.of > 0 && 2 * evidence.texts[row].seen > evidence.of;
    columns.add(Group::Repetition, "beside-label", |row| {
        if most_have(row) {
            return 0.0;
        }
        for back in 1..=3 {
            let Some(label) = row.checked_sub(back) else {
                return 0.0;
            };
            if !most_have(label) {
                continue;
            }
            let text = &outline.texts[label];
            if text.look.words > 6 || outline.is_linked(text) {
                return 0.0;
            }
            let module = |row: usize| outline.elements[outline.texts[row].element as usize].module;
            return match (text.look.has(Mark::Colon), module(label) == module(row)) {
                (true, _) => 2.0,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
        }
        0.0
    });
    columns.add(Group::Repetition, "most-have", |row| yes(most_have(row)));
}
