//! The blocks before and after that of a text.

use super::{FeatureSink, Group, Row, indicator, ratio};
use unframe_page::tag_class::heading_level;

use crate::auto::page::tags::tag_code;
use crate::auto::page::text_stats::TextFlag;
use crate::auto::page::view::AutoView;
use crate::auto::site::evidence::Evidence;

/// What features of neighbouring blocks need of one block.
#[derive(Clone, Copy, Default)]
struct BlockSummary {
    words: f32,
    linked: f32,
    link_share: f32,
    tag: f32,
    sentences: f32,
    sentence_rate: f32,
    depth: f32,
    stop: f32,
    capitals: f32,
    heading: f32,
    repeated: f32,
    repeated_share: f32,
    odds: f32,
    slot: f32,
    prose: f32,
    prose_share: f32,
    label: f32,
}

/// Blocks on each side of a window.
const REACHES: [usize; 3] = [3, 8, 20];

/// Summaries of all blocks of a page.
pub(super) struct Neighbours {
    blocks: Vec<BlockSummary>,
    /// Sums over the blocks before each, then over all: words, linked, sentences, repeated, prose.
    before: Vec<[f32; 5]>,
}

impl Neighbours {
    pub fn of(view: &AutoView, evidence: &Evidence) -> Neighbours {
        let outline = &view.outline;
        let blocks: Vec<BlockSummary> = outline
            .blocks
            .iter()
            .map(|block| {
                let element = &outline.elements[block.element as usize];
                let words = block.stats.weight();
                let sum = evidence.range(block.first, block.last);
                let rows = block.first as usize..block.last as usize;
                let mean = |value: &dyn Fn(usize) -> f32| {
                    let of = |row: usize| outline.texts[row].stats.weight().max(0.5);
                    let weight: f32 = rows.clone().map(of).sum();
                    rows.clone().map(|row| of(row) * value(row)).sum::<f32>() / weight
                };
                let known = &evidence.texts;
                BlockSummary {
                    words,
                    linked: block.linked,
                    link_share: ratio(block.linked, words),
                    tag: f32::from(tag_code(element.tag)),
                    sentences: block.stats.sentences as f32,
                    sentence_rate: block.stats.sentences as f32 / (words + 1.0),
                    depth: f32::from(element.depth),
                    stop: indicator(block.stats.has(TextFlag::SentenceEnd)),
                    capitals: ratio(block.stats.capitals as f32, block.stats.words as f32),
                    heading: indicator(heading_level(element.tag) > 0),
                    repeated: sum.repeated,
                    repeated_share: ratio(sum.repeated, words),
                    odds: mean(&|row| known[row].odds_anywhere),
                    slot: mean(&|row| {
                        (known[row].block.repeated as f32 + 0.3)
                            / (known[row].block.words as f32 + 0.6)
                    }),
                    prose: sum.prose,
                    prose_share: ratio(sum.prose, words),
                    label: indicator(
                        block.stats.has(TextFlag::EndsWithColon) && block.stats.words <= 6,
                    ),
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

#[inline(always)]
pub(super) fn add(row: &Row<'_>, to: &mut impl FeatureSink) {
    let near = &row.sources.neighbours.blocks;
    let own = &near[row.block_at];
    let group = Group::Neighbour;
    for offset in [-3isize, -2, -1, 1, 2, 3] {
        let at = row.block_at.checked_add_signed(offset);
        let other = at.and_then(|at| near.get(at));
        let mut add = |group: Group, what: &str, value: fn(&BlockSummary, &BlockSummary) -> f32| {
            let value = other.map_or(-1.0, |other| value(other, own));
            to.add(group, format_args!("{what}{offset:+}"), value);
        };
        add(group, "words", |other, _| other.words);
        add(group, "linked", |other, _| other.link_share);
        add(group, "tag", |other, _| other.tag);
        add(group, "sentence-rate", |other, _| other.sentence_rate);
        add(group, "depth", |other, own| other.depth - own.depth);
        add(group, "stop", |other, _| other.stop);
        add(group, "capitals", |other, _| other.capitals);
        add(group, "heading", |other, _| other.heading);
        if offset.abs() <= 2 {
            add(Group::Repetition, "repeated", |other, _| {
                other.repeated_share
            });
            add(Group::Repetition, "odds", |other, _| other.odds);
            add(Group::Slot, "slot-repeated", |other, _| other.slot);
            add(group, "prose", |other, _| other.prose_share);
        }
        if offset == -1 {
            add(group, "label", |other, _| other.label);
        }
    }
    add_windows(row, to);
    add_labels(row, to);
}

/// Means over windows of blocks.
#[inline(always)]
fn add_windows(row: &Row<'_>, to: &mut impl FeatureSink) {
    let Neighbours { blocks, before } = &row.sources.neighbours;
    for reach in REACHES {
        let from = row.block_at.saturating_sub(reach);
        let behind = (row.block_at + reach + 1).min(blocks.len());
        let [words, linked, sentences, repeated, prose] =
            std::array::from_fn(|at| before[behind][at] - before[from][at]);
        let mut add = |group: Group, what: &str, value: f32| {
            to.add(group, format_args!("around{reach}-{what}"), value);
        };
        let (group, rate) = (Group::Neighbour, 1.0 / words.max(1.0));
        add(group, "words", words / (behind - from) as f32);
        add(group, "linked", linked * rate);
        add(group, "sentences", sentences * rate);
        add(Group::Repetition, "repeated", repeated * rate);
        add(group, "prose", prose * rate);
    }
}

/// Whether the text is beside a label: a short text that most pages have.
#[inline(always)]
fn add_labels(row: &Row<'_>, to: &mut impl FeatureSink) {
    let evidence = row.sources.evidence;
    let most_have = |row: usize| {
        evidence.compared_pages > 0 && 2 * evidence.texts[row].seen > evidence.compared_pages
    };
    let beside = beside_label(row, most_have);
    to.add(Group::Repetition, "beside-label", beside);
    to.add(
        Group::Repetition,
        "most-have",
        indicator(most_have(row.number)),
    );
}

/// 2 after a label that ends with a colon, 1 after another label in the same container.
fn beside_label(row: &Row<'_>, most_have: impl Fn(usize) -> bool) -> f32 {
    if most_have(row.number) {
        return 0.0;
    }
    let before = (1..=3).map_while(|back| row.number.checked_sub(back));
    let Some(label) = before.into_iter().find(|before| most_have(*before)) else {
        return 0.0;
    };
    let outline = &row.sources.view.outline;
    let text = &outline.texts[label];
    if text.stats.words > 6 || outline.is_linked(text) {
        return 0.0;
    }
    let module = outline.elements[text.element as usize].module;
    match (
        text.stats.has(TextFlag::EndsWithColon),
        module == row.element.module,
    ) {
        (true, _) => 2.0,
        (false, true) => 1.0,
        (false, false) => 0.0,
    }
}
