//! The tags, landmarks and names around a text.

use super::super::lexicon::NAMES;
use super::super::tags::{SURROUNDING_NAMES, sort};
use super::{Columns, Group, ratio, yes};

/// Steps beyond which it does not matter how far something is.
const FAR: u8 = 12;

pub(super) fn add(columns: &mut Columns<'_>) {
    let scene = columns.scene;
    let (view, layout) = (scene.view, &scene.layout);
    let (outline, figures) = (&view.outline, &view.figures);
    let element = |row: usize| &outline.elements[outline.texts[row].element as usize];
    let total = figures.total().words;

    let group = Group::Place;
    columns.add_of_block(group, "tag", |_, block| {
        f32::from(sort(outline.elements[block.element as usize].tag))
    });
    columns.add_of_block(group, "tag-above", |_, block| {
        f32::from(sort(
            outline.elements[outline.above(block.element) as usize].tag,
        ))
    });
    columns.add(group, "heading", |row| f32::from(element(row).heading));
    columns.add(group, "control", |row| yes(element(row).control));
    columns.add(group, "hidden", |row| yes(element(row).hidden));
    columns.add_of_block(group, "depth", |_, block| {
        f32::from(outline.elements[block.element as usize].depth.min(40))
    });
    columns.add_of_block(group, "siblings", |_, block| {
        outline.elements[outline.above(block.element) as usize].children as f32
    });
    columns.add_of_block(group, "images", |_, block| {
        outline.elements[block.element as usize].images.min(20) as f32
    });
    for (at, name) in SURROUNDING_NAMES.iter().enumerate() {
        let group = match *name {
            "nav" | "header" | "footer" | "aside" | "main" | "article" | "section" | "dialog" => {
                Group::Landmark
            }
            _ => Group::Place,
        };
        columns.add(group, format_args!("in-{name}"), |row| {
            f32::from(element(row).surroundings[at].min(FAR))
        });
    }
    for (at, (name, _)) in NAMES.iter().enumerate() {
        columns.add(Group::Name, format_args!("named-{name}"), |row| {
            f32::from(element(row).names[at].min(8))
        });
    }
    columns.add(Group::Name, "in-comments", |row| {
        f32::from(layout.comments[outline.texts[row].element as usize].min(4))
    });
    columns.add(Group::Name, "after-comments", |row| {
        yes(layout
            .first_comment
            .is_some_and(|first| row as u32 >= first))
    });

    for steps in 0..5 {
        let at = |row: usize| layout.up(outline.texts[row].element, steps);
        let sum = |row: usize| figures.sum(at(row));
        columns.add(group, format_args!("up{steps}-words"), |row| sum(row).words);
        columns.add(group, format_args!("up{steps}-linked"), |row| {
            ratio(sum(row).linked, sum(row).words)
        });
        columns.add(group, format_args!("up{steps}-share"), |row| {
            ratio(sum(row).words, total)
        });
        columns.add(group, format_args!("up{steps}-blocks"), |row| {
            sum(row).blocks
        });
        columns.add(group, format_args!("up{steps}-sentences"), |row| {
            sum(row).sentences / (sum(row).words + 1.0)
        });
        columns.add(group, format_args!("up{steps}-children"), |row| {
            outline.elements[at(row) as usize].children as f32
        });
    }
    let module = |row: usize| figures.sum(element(row).module);
    columns.add(group, "module-words", |row| module(row).words);
    columns.add(group, "module-linked", |row| {
        ratio(module(row).linked, module(row).words)
    });
}
