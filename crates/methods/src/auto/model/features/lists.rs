//! The lists that a text is in, and its part in a pair of label and value.

use super::{FeatureSink, Group, Row};
use crate::auto::page::lists::NO_LIST;
use crate::auto::page::outline::NONE;

#[inline(always)]
pub(super) fn add(row: &Row<'_>, to: &mut impl FeatureSink) {
    let lists = &row.sources.context.lists;
    let group = Group::List;
    let key_values = &row.sources.context.key_values;
    to.add(group, "pair", f32::from(key_values.parts[row.number] as u8));
    to.add(group, "pairs-around", key_values.around(row.number) as f32);
    for (name, items) in [
        ("list", &lists.item),
        ("outer-list", &lists.outer_item),
        ("prose-list", &lists.prose_item),
    ] {
        let item = items[row.at];
        let list = match item.list {
            NONE => &NO_LIST,
            list => &lists.all[list as usize],
        };
        let mut add = |what: &str, value: f32| {
            to.add(group, format_args!("{name}-{what}"), value);
        };
        add("items", list.items);
        add("words", list.mean_words);
        add("linked", list.link_share);
        add("headings", list.headings);
        add("images", list.images);
        add("dates", list.dates);
        add("prose", list.prose);
        add("dated-prose", list.dated_prose);
        add("few-links", list.few_links);
        add("short-starts", list.short_starts);
        add("titled", list.titled);
        add("paragraphs", list.mean_paragraphs);
        add("blocks", list.mean_blocks);
        add("share", list.share);
        add("prose-share", list.prose_share);
        add("spread", list.spread);
        add("up", f32::from(item.steps.min(30)));
        add("number", item.number.min(50) as f32);
    }
}
