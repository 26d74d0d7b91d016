//! What the text and its paragraph look like.

use super::super::look::Mark;
use super::super::outline::NONE;
use super::{Group, Row, Take, ratio, yes};

pub(super) fn add(row: &Row<'_>, to: &mut impl Take) {
    let view = row.scene.view;
    let (text, block, look) = (row.text, row.block, &row.block.look);
    let group = Group::Text;
    to.add(group, "words", text.look.weight());
    to.add(group, "linked", yes(view.outline.is_linked(text)));
    to.add(group, "stop", yes(text.look.has(Mark::Stop)));
    to.add(group, "colon", yes(text.look.has(Mark::Colon)));
    to.add(group, "date", yes(text.look.has(Mark::Date)));
    to.add(
        group,
        "numbers",
        ratio(text.look.numbers as f32, text.look.words as f32),
    );
    to.add(
        group,
        "capitals",
        ratio(text.look.capitals as f32, text.look.words as f32),
    );
    to.add(group, "any-word", yes(text.look.words > 0));
    to.add(
        group,
        "link-words",
        match row.element.link {
            NONE => 0.0,
            link => view.figures().sum(link).words,
        },
    );

    let per_word = |count: u32| ratio(count as f32, look.words as f32);
    to.add(group, "block-words", look.weight());
    to.add(group, "block-linked", block.link_share());
    to.add(group, "block-links", block.links.min(30) as f32);
    to.add(group, "block-texts", (block.last - block.first) as f32);
    to.add(group, "block-sentences", look.sentences as f32);
    to.add(
        group,
        "block-sentence-rate",
        look.sentences as f32 / (look.weight() + 1.0),
    );
    to.add(group, "block-commas", look.commas as f32);
    to.add(
        group,
        "block-comma-rate",
        look.commas as f32 / (look.weight() + 1.0),
    );
    to.add(group, "block-word-length", per_word(look.chars));
    to.add(group, "block-capitals", per_word(look.capitals));
    to.add(group, "block-numbers", per_word(look.numbers));
    to.add(group, "block-short-words", per_word(look.short));
    to.add(group, "block-unspaced", per_word(look.alone));
    to.add(group, "block-longest", look.longest as f32);
    to.add(
        group,
        "block-bold",
        ratio(block.bold as f32, look.chars as f32),
    );
    to.add(group, "block-breaks", block.breaks.min(20) as f32);
    for (name, mark) in [
        ("block-stop", Mark::Stop),
        ("block-colon", Mark::Colon),
        ("block-question", Mark::Question),
        ("block-capital", Mark::Capital),
        ("block-date", Mark::Date),
        ("block-price", Mark::Price),
        ("block-address", Mark::Address),
        ("block-copyright", Mark::Copyright),
        ("block-separator", Mark::Separator),
    ] {
        to.add(group, name, yes(look.has(mark)));
    }
    to.add(group, "in-title", block.in_title);
    to.add(group, "of-title", block.of_title);
    to.add(group, "of-shared-title", block.of_shared_title);
    to.add(group, "in-description", block.in_description);
}
