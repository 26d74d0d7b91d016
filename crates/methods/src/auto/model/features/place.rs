//! The tags, landmarks and names around a text.

use super::{FeatureSink, Group, Row, indicator, ratio};
use crate::auto::page::class_names::NAMES;
use crate::auto::page::tags::{ENCLOSING_NAMES, tag_code};

/// Longer distances count as this.
const FAR: u8 = 12;

#[inline(always)]
pub(super) fn add(row: &Row<'_>, to: &mut impl FeatureSink) {
    let (view, context) = (row.sources.view, &row.sources.context);
    let (elements, subtrees) = (&view.outline.elements, view.subtree_stats());
    let (element, holder) = (row.element, &elements[row.block.element as usize]);
    let above = &elements[view.outline.above(row.block.element) as usize];
    let total = subtrees.total().words;

    let group = Group::Place;
    to.add(group, "tag", f32::from(tag_code(holder.tag)));
    to.add(group, "tag-above", f32::from(tag_code(above.tag)));
    to.add(group, "heading", f32::from(element.heading));
    to.add(group, "control", indicator(element.control));
    to.add(group, "hidden", indicator(element.hidden));
    to.add(group, "depth", f32::from(holder.depth.min(40)));
    to.add(group, "siblings", above.children as f32);
    to.add(group, "images", holder.images.min(20) as f32);
    for ((name, is_landmark), steps) in ENCLOSING_NAMES.iter().zip(element.enclosing) {
        let group = match is_landmark {
            true => Group::Landmark,
            false => group,
        };
        let steps = f32::from(steps.min(FAR));
        to.add(group, format_args!("in-{name}"), steps);
    }
    for ((name, _), steps) in NAMES.iter().zip(element.names) {
        let steps = f32::from(steps.min(8));
        to.add(Group::Name, format_args!("named-{name}"), steps);
    }
    to.add(
        Group::Name,
        "in-comments",
        f32::from(context.comments[row.at].min(4)),
    );
    to.add(
        Group::Name,
        "after-comments",
        indicator(
            context
                .first_comment
                .is_some_and(|first| row.number as u32 >= first),
        ),
    );

    for (steps, up) in row.up.iter().take(5).enumerate() {
        let (sum, words) = (subtrees.sum(*up), subtrees.sum(*up).words);
        to.add(group, format_args!("up{steps}-words"), words);
        to.add(
            group,
            format_args!("up{steps}-linked"),
            ratio(sum.linked, words),
        );
        to.add(group, format_args!("up{steps}-share"), ratio(words, total));
        to.add(group, format_args!("up{steps}-blocks"), sum.blocks);
        to.add(
            group,
            format_args!("up{steps}-sentences"),
            sum.sentences / (words + 1.0),
        );
        to.add(
            group,
            format_args!("up{steps}-children"),
            elements[*up as usize].children as f32,
        );
    }
    let module = subtrees.sum(element.module);
    to.add(group, "module-words", module.words);
    to.add(group, "module-linked", ratio(module.linked, module.words));
    to.add(group, "module-within", ratio(module.within, module.linked));
    let above = subtrees.sum(row.up[2]);
    to.add(group, "up2-within", ratio(above.within, above.linked));
}
