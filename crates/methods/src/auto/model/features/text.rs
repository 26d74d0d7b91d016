//! Statistics of the text and its paragraph.

use super::{FeatureSink, Group, Row, indicator, ratio};
use crate::auto::page::outline::NONE;
use crate::auto::page::text_stats::TextFlag;

#[inline(always)]
pub(super) fn add(row: &Row<'_>, to: &mut impl FeatureSink) {
    let view = row.sources.view;
    let (text, block, stats) = (row.text, row.block, &row.block.stats);
    let group = Group::Text;
    to.add(group, "words", text.stats.weight());
    to.add(group, "linked", indicator(view.outline.is_linked(text)));
    let leads = row
        .element
        .leads
        .map_or(0.0, |leads| f32::from(leads as u8));
    to.add(group, "leads", leads);
    to.add(
        group,
        "stop",
        indicator(text.stats.has(TextFlag::SentenceEnd)),
    );
    to.add(
        group,
        "colon",
        indicator(text.stats.has(TextFlag::EndsWithColon)),
    );
    to.add(group, "date", indicator(text.stats.has(TextFlag::Date)));
    to.add(
        group,
        "numbers",
        ratio(text.stats.numbers as f32, text.stats.words as f32),
    );
    to.add(
        group,
        "capitals",
        ratio(text.stats.capitals as f32, text.stats.words as f32),
    );
    to.add(group, "any-word", indicator(text.stats.words > 0));
    to.add(
        group,
        "link-words",
        match row.element.link {
            NONE => 0.0,
            link => view.subtree_stats().sum(link).words,
        },
    );

    let per_word = |count: u32| ratio(count as f32, stats.words as f32);
    to.add(group, "block-words", stats.weight());
    to.add(group, "block-linked", block.link_share());
    to.add(group, "block-links", block.links.min(30) as f32);
    to.add(group, "block-texts", (block.last - block.first) as f32);
    to.add(group, "block-sentences", stats.sentences as f32);
    to.add(
        group,
        "block-sentence-rate",
        stats.sentences as f32 / (stats.weight() + 1.0),
    );
    to.add(group, "block-commas", stats.commas as f32);
    to.add(
        group,
        "block-comma-rate",
        stats.commas as f32 / (stats.weight() + 1.0),
    );
    to.add(group, "block-word-length", per_word(stats.chars));
    to.add(group, "block-capitals", per_word(stats.capitals));
    to.add(group, "block-numbers", per_word(stats.numbers));
    to.add(group, "block-short-words", per_word(stats.short));
    to.add(group, "block-unspaced", per_word(stats.unspaced));
    to.add(group, "block-longest", stats.longest as f32);
    to.add(
        group,
        "block-bold",
        ratio(block.bold as f32, stats.chars as f32),
    );
    to.add(group, "block-breaks", block.breaks.min(20) as f32);
    for (name, mark) in [
        ("block-stop", TextFlag::SentenceEnd),
        ("block-colon", TextFlag::EndsWithColon),
        ("block-question", TextFlag::Question),
        ("block-capital", TextFlag::StartsUpper),
        ("block-date", TextFlag::Date),
        ("block-price", TextFlag::Price),
        ("block-address", TextFlag::WebAddress),
        ("block-copyright", TextFlag::Copyright),
        ("block-separator", TextFlag::Separator),
    ] {
        to.add(group, name, indicator(stats.has(mark)));
    }
    to.add(group, "in-title", block.in_title);
    to.add(group, "of-title", block.of_title);
    to.add(group, "of-shared-title", block.of_shared_title);
    to.add(group, "in-description", block.in_description);
}
