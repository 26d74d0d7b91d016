//! Where a text stands in the course of the page.

use super::super::outline::Block;
use super::{Group, Row, Take, ratio, yes};

pub(super) fn add(row: &Row<'_>, to: &mut impl Take) {
    let (view, layout, at) = (row.scene.view, &row.scene.layout, row.block_at);
    let (outline, figures) = (&view.outline, view.figures());
    let course = &layout.course[at];
    let count = outline.blocks.len() as f32;
    let total = figures.total().words;
    let group = Group::Neighbour;
    to.add(group, "block-number", at as f32 / count);
    to.add(group, "blocks-left", count - at as f32);
    to.add(group, "words-before", ratio(course.words_before, total));
    to.add(group, "count-before", course.words_before);
    to.add(group, "copies", course.copies);
    to.add(group, "last-heading", f32::from(course.heading));
    to.add(group, "since-heading", course.since_heading);
    to.add(group, "words-since-heading", course.words_since_heading);
    to.add(group, "heading-of-title", course.heading_of_title);
    let place = |of: Option<u32>, none: f32, least: f32, most: f32| match of {
        Some(of) => (at as f32 - of as f32).clamp(least, most),
        None => none,
    };
    to.add(group, "from-h1", place(layout.h1, -999.0, -200.0, 200.0));
    to.add(
        group,
        "after-h1",
        yes(layout.h1.is_some_and(|h1| at as u32 >= h1)),
    );
    to.add(
        group,
        "from-first-long",
        place(layout.first_long, -99.0, -50.0, 200.0),
    );
    to.add(
        group,
        "from-last-long",
        place(layout.last_long, 99.0, -200.0, 50.0),
    );
    let parent = |block: &Block| outline.above(block.element);
    let is_sibling = at > 0 && parent(&outline.blocks[at - 1]) == parent(row.block);
    to.add(group, "same-parent", yes(is_sibling));
    let (all, before) = (figures.total().long, layout.long_before[at]);
    let own = match row.block.is_long() {
        true => row.block.look.weight(),
        false => 0.0,
    };
    to.add(group, "long-before", ratio(before, all));
    to.add(group, "long-after", ratio(all - before - own, all));
}
