//! What the text and its paragraph look like.

use super::super::look::Mark;
use super::super::outline::NONE;
use super::{Columns, Group, ratio, yes};

pub(super) fn add(columns: &mut Columns<'_>) {
    let view = columns.scene.view;
    let outline = &view.outline;
    let (texts, figures) = (&outline.texts, &view.figures);
    let group = Group::Text;
    columns.add(group, "words", |row| texts[row].look.weight());
    columns.add(group, "linked", |row| yes(outline.is_linked(&texts[row])));
    columns.add(group, "stop", |row| yes(texts[row].look.has(Mark::Stop)));
    columns.add(group, "colon", |row| yes(texts[row].look.has(Mark::Colon)));
    columns.add(group, "date", |row| yes(texts[row].look.has(Mark::Date)));
    columns.add(group, "numbers", |row| {
        ratio(texts[row].look.numbers as f32, texts[row].look.words as f32)
    });
    columns.add(group, "capitals", |row| {
        ratio(
            texts[row].look.capitals as f32,
            texts[row].look.words as f32,
        )
    });
    columns.add(group, "any-word", |row| yes(texts[row].look.words > 0));
    columns.add(group, "link-words", |row| {
        match outline.elements[texts[row].element as usize].link {
            NONE => 0.0,
            link => figures.sum(link).words,
        }
    });

    columns.add_of_block(group, "block-words", |_, block| block.look.weight());
    columns.add_of_block(group, "block-linked", |_, block| block.link_share());
    columns.add_of_block(group, "block-links", |_, block| block.links.min(30) as f32);
    columns.add_of_block(group, "block-texts", |_, block| {
        (block.last - block.first) as f32
    });
    columns.add_of_block(group, "block-sentences", |_, block| {
        block.look.sentences as f32
    });
    columns.add_of_block(group, "block-sentence-rate", |_, block| {
        block.look.sentences as f32 / (block.look.weight() + 1.0)
    });
    columns.add_of_block(group, "block-commas", |_, block| block.look.commas as f32);
    columns.add_of_block(group, "block-comma-rate", |_, block| {
        block.look.commas as f32 / (block.look.weight() + 1.0)
    });
    columns.add_of_block(group, "block-word-length", |_, block| {
        ratio(block.look.chars as f32, block.look.words as f32)
    });
    columns.add_of_block(group, "block-capitals", |_, block| {
        ratio(block.look.capitals as f32, block.look.words as f32)
    });
    columns.add_of_block(group, "block-numbers", |_, block| {
        ratio(block.look.numbers as f32, block.look.words as f32)
    });
    columns.add_of_block(group, "block-short-words", |_, block| {
        ratio(block.look.short as f32, block.look.words as f32)
    });
    columns.add_of_block(group, "block-unspaced", |_, block| {
        ratio(block.look.alone as f32, block.look.words as f32)
    });
    columns.add_of_block(group, "block-longest", |_, block| block.look.longest as f32);
    columns.add_of_block(group, "block-bold", |_, block| {
        ratio(block.bold as f32, block.look.chars as f32)
    });
    columns.add_of_block(group, "block-breaks", |_, block| {
        block.breaks.min(20) as f32
    });
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
        columns.add_of_block(group, name, |_, block| yes(block.look.has(mark)));
    }
    columns.add_of_block(group, "in-title", |_, block| block.in_title);
    columns.add_of_block(group, "of-title", |_, block| block.of_title);
    columns.add_of_block(group, "of-shared-title", |_, block| block.of_shared_title);
    columns.add_of_block(group, "in-description", |_, block| block.in_description);
}
