//! Where a text stands in the course of the page.

use super::{Columns, Group, ratio, yes};

pub(super) fn add(columns: &mut Columns<'_>) {
    let scene = columns.scene;
    let (view, layout) = (scene.view, &scene.layout);
    let (outline, figures) = (&view.outline, &view.figures);
    let course = &layout.course;
    let count = outline.blocks.len() as f32;
    let total = figures.total().words;
    let group = Group::Neighbour;
    let block = |row: usize| outline.texts[row].block as usize;
    columns.add_of_block(group, "block-number", |at, _| at as f32 / count);
    columns.add_of_block(group, "blocks-left", |at, _| count - at as f32);
    columns.add_of_block(group, "words-before", |at, _| {
        ratio(course[at].words_before, total)
    });
    columns.add_of_block(group, "count-before", |at, _| course[at].words_before);
    columns.add_of_block(group, "copies", |at, _| course[at].copies);
    columns.add_of_block(group, "last-heading", |at, _| f32::from(course[at].heading));
    columns.add_of_block(group, "since-heading", |at, _| course[at].since_heading);
    columns.add_of_block(group, "words-since-heading", |at, _| {
        course[at].words_since_heading
    });
    columns.add_of_block(group, "heading-of-title", |at, _| {
        course[at].heading_of_title
    });
    let place = |at: usize, of: Option<u32>, none: f32, least: f32, most: f32| match of {
        Some(of) => (at as f32 - of as f32).clamp(least, most),
        None => none,
    };
    columns.add_of_block(group, "from-h1", |at, _| {
        place(at, layout.h1, -999.0, -200.0, 200.0)
    });
    columns.add_of_block(group, "after-h1", |at, _| {
        yes(layout.h1.is_some_and(|h1| at as u32 >= h1))
    });
    columns.add_of_block(group, "from-first-long", |at, _| {
        place(at, layout.first_long, -99.0, -50.0, 200.0)
    });
    columns.add_of_block(group, "from-last-long", |at, _| {
        place(at, layout.last_long, 99.0, -200.0, 50.0)
    });
    columns.add_of_block(group, "same-parent", |at, block| {
        let above = |block: u32| outline.above(block);
        yes(at > 0 && above(outline.blocks[at - 1].element) == above(block.element))
    });
    let long = figures.total().long;
    columns.add(group, "long-before", |row| {
        ratio(layout.long_before[block(row)], long)
    });
    columns.add(group, "long-after", |row| {
        let own = if outline.blocks[block(row)].is_long() {
            outline.blocks[block(row)].look.weight()
        } else {
            0.0
        };
        ratio(long - layout.long_before[block(row)] - own, long)
    });
}
