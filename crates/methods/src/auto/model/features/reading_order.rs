//! The position of a text in reading order: headings, long blocks and words before it.

use super::{FeatureSink, Group, Row, indicator, ratio};
use crate::auto::page::outline::Block;

#[inline(always)]
pub(super) fn add(row: &Row<'_>, to: &mut impl FeatureSink) {
    let (view, context, at) = (row.sources.view, &row.sources.context, row.block_at);
    let (outline, subtrees) = (&view.outline, view.subtree_stats());
    let reading_order = &context.reading_order[at];
    let count = outline.blocks.len() as f32;
    let total = subtrees.total().words;
    let group = Group::Neighbour;
    to.add(group, "block-number", at as f32 / count);
    to.add(group, "blocks-left", count - at as f32);
    to.add(
        group,
        "words-before",
        ratio(reading_order.words_before, total),
    );
    to.add(group, "count-before", reading_order.words_before);
    to.add(group, "copies", reading_order.copies);
    to.add(group, "last-heading", f32::from(reading_order.heading));
    to.add(group, "since-heading", reading_order.since_heading);
    to.add(
        group,
        "words-since-heading",
        reading_order.words_since_heading,
    );
    to.add(group, "heading-of-title", reading_order.heading_of_title);
    let place = |of: Option<u32>, none: f32, least: f32, most: f32| match of {
        Some(of) => (at as f32 - of as f32).clamp(least, most),
        None => none,
    };
    to.add(group, "from-h1", place(context.h1, -999.0, -200.0, 200.0));
    to.add(
        group,
        "after-h1",
        indicator(context.h1.is_some_and(|h1| at as u32 >= h1)),
    );
    to.add(
        group,
        "from-first-long",
        place(context.first_long, -99.0, -50.0, 200.0),
    );
    to.add(
        group,
        "from-last-long",
        place(context.last_long, 99.0, -200.0, 50.0),
    );
    let parent = |block: &Block| outline.above(block.element);
    let is_sibling = at > 0 && parent(&outline.blocks[at - 1]) == parent(row.block);
    to.add(group, "same-parent", indicator(is_sibling));
    let (all, before) = (subtrees.total().long, context.long_before[at]);
    let own = match row.block.is_long() {
        true => row.block.stats.weight(),
        false => 0.0,
    };
    to.add(group, "long-before", ratio(before, all));
    to.add(group, "long-after", ratio(all - before - own, all));
}
