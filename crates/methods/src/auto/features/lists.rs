//! The lists that a text is in.

use super::super::lists::{Item, List};
use super::super::outline::NONE;
use super::{Columns, Group};

pub(super) fn add(columns: &mut Columns<'_>) {
    let scene = columns.scene;
    let (outline, lists) = (&scene.view.outline, &scene.layout.lists);
    let group = Group::List;
    for (name, items) in [
        ("list", &lists.item),
        ("outer-list", &lists.outer_item),
        ("prose-list", &lists.prose_item),
    ] {
        let item = |row: usize| -> &Item { &items[outline.texts[row].element as usize] };
        let of = |row: usize| match item(row).list {
            NONE => List::default(),
            list => lists.all[list as usize],
        };
        let mut add = |what: &str, value: &dyn Fn(&List) -> f32| {
            columns.add(group, format_args!("{name}-{what}"), |row| value(&of(row)));
        };
        add("items", &|list| list.items);
        add("words", &|list| list.mean_words);
        add("linked", &|list| list.link_share);
        add("headings", &|list| list.headings);
        add("images", &|list| list.images);
        add("dates", &|list| list.dates);
        add("prose", &|list| list.prose);
        add("dated-prose", &|list| list.dated_prose);
        add("paragraphs", &|list| list.mean_paragraphs);
        add("blocks", &|list| list.mean_blocks);
        add("share", &|list| list.share);
        add("prose-share", &|list| list.prose_share);
        add("spread", &|list| list.spread);
        columns.add(group, format_args!("{name}-up"), |row| {
            f32::from(item(row).steps.min(30))
        });
        columns.add(group, format_args!("{name}-number"), |row| {
            item(row).number.min(50) as f32
        });
    }
}
