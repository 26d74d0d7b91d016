//! The lists that a text is in.

use super::super::figures::{Group as List, Item};
use super::super::outline::NONE;
use super::{Columns, Group, log};

pub(super) fn add(columns: &mut Columns<'_>) {
    let view = columns.view;
    let (outline, figures) = (&view.outline, &view.figures);
    let group = Group::List;
    for (name, items) in [
        ("list", &figures.item),
        ("outer-list", &figures.outer_item),
        ("prose-list", &figures.prose_item),
    ] {
        let item = |row: usize| -> &Item { &items[outline.texts[row].element as usize] };
        let of = |row: usize| match item(row).group {
            NONE => List::default(),
            group => figures.groups[group as usize],
        };
        let mut add = |what: &str, value: &dyn Fn(&List) -> f32| {
            columns.add(group, &format!("{name}-{what}"), |row| value(&of(row)));
        };
        add("items", &|list| log(list.items));
        add("words", &|list| log(list.mean_words));
        add("linked", &|list| list.link_share);
        add("headings", &|list| list.headings);
        add("images", &|list| list.images);
        add("dates", &|list| list.dates);
        add("prose", &|list| list.prose);
        add("dated-prose", &|list| list.dated_prose);
        add("paragraphs", &|list| list.mean_paragraphs);
        add("blocks", &|list| log(list.mean_blocks));
        add("share", &|list| list.share);
        add("prose-share", &|list| list.prose_share);
        add("spread", &|list| list.spread);
        columns.add(group, &format!("{name}-up"), |row| {
            f32::from(item(row).steps.min(30))
        });
        columns.add(group, &format!("{name}-number"), |row| {
            item(row).number.min(50) as f32
        });
    }
}
