//! Features that all texts of a page share: what kind of page it is.

use unframe_dom::Tag;

use super::{indicator, ratio};
use unframe_page::tag_class::heading_level;

use crate::auto::page::head::KINDS;
use crate::auto::page::lists::NO_LIST;
use crate::auto::page::outline::FAR;
use crate::auto::page::page_context::PageContext;
use crate::auto::page::tags::{IN_CELL, IN_ITEM, IN_MAIN};
use crate::auto::page::text_stats::TextFlag;
use crate::auto::page::view::AutoView;
use crate::auto::site::evidence::Evidence;

/// The features that all texts of a page share.
pub(super) struct PageFeatures {
    pub names: Vec<&'static str>,
    pub values: Vec<f32>,
}

impl PageFeatures {
    pub fn of(view: &AutoView, evidence: &Evidence, context: &PageContext) -> PageFeatures {
        let (outline, subtrees) = (&view.outline, view.subtree_stats());
        let total = subtrees.total();
        let words_in = |is: &dyn Fn(&super::Element) -> bool| -> f32 {
            let inside = outline
                .texts
                .iter()
                .filter(|text| is(&outline.elements[text.element as usize]));
            ratio(inside.map(|text| text.stats.weight()).sum(), total.words)
        };
        let count = |tag: Tag| {
            outline
                .elements
                .iter()
                .filter(|element| element.tag == tag)
                .count() as f32
        };
        let long = outline
            .blocks
            .iter()
            .filter(|block| block.is_long())
            .count() as f32;
        let articles = outline
            .elements
            .iter()
            .enumerate()
            .filter(|(_, element)| element.tag == Tag::ARTICLE);
        let largest_article = articles
            .map(|(at, _)| subtrees.sum(at as u32).words)
            .fold(0.0, f32::max);
        let flagged = |flag: TextFlag| {
            outline
                .blocks
                .iter()
                .filter(|block| block.stats.has(flag))
                .count() as f32
        };
        let headings = outline
            .blocks
            .iter()
            .filter(|block| heading_level(outline.elements[block.element as usize].tag) > 0)
            .count() as f32;
        let short: f32 = outline
            .blocks
            .iter()
            .map(|block| block.stats.weight())
            .filter(|words| *words < 6.0)
            .sum();
        let unspaced: u32 = outline
            .blocks
            .iter()
            .map(|block| block.stats.unspaced)
            .sum();
        let words: u32 = outline.blocks.iter().map(|block| block.stats.words).sum();
        let blocks = outline.blocks.len() as f32;
        let images = outline.elements.first().map_or(0, |root| root.images) as f32;
        let (mut names, mut values) = (Vec::with_capacity(64), Vec::with_capacity(64));
        let mut add = |name, value| {
            names.push(name);
            values.push(value);
        };
        add("blocks", blocks);
        add("words", total.words);
        add("linked", ratio(total.linked, total.words));
        add("long-blocks", long.min(200.0));
        add("long", ratio(total.long, total.words));
        add("mean-long", ratio(total.long, long));
        add("prose", ratio(evidence.total().prose, total.words));
        add("articles", count(Tag::ARTICLE).min(30.0));
        add("largest-article", ratio(largest_article, total.words));
        add(
            "has-main",
            indicator(
                outline
                    .elements
                    .iter()
                    .any(|element| element.enclosing[IN_MAIN] == 0),
            ),
        );
        add(
            "main",
            words_in(&|element| element.enclosing[IN_MAIN] < FAR),
        );
        add("h1", count(Tag::H1).min(20.0));
        add("headings", headings);
        add("heading-rate", ratio(headings, blocks));
        add(
            "items",
            words_in(&|element| element.enclosing[IN_ITEM] < FAR),
        );
        add(
            "cells",
            words_in(&|element| element.enclosing[IN_CELL] < FAR),
        );
        add("hidden", words_in(&|element| element.hidden));
        add("forms", count(Tag::FORM).min(20.0));
        add("inputs", outline.inputs as f32);
        add("pre", count(Tag::PRE).min(30.0));
        add("images", images);
        add("unspaced", ratio(unspaced as f32, words as f32));
        add("short", ratio(short, total.words));
        add("prices", flagged(TextFlag::Price));
        add("dates", flagged(TextFlag::Date));
        add("sharing-kind", f32::from(outline.head.sharing_kind));
        for (at, (name, _)) in KINDS.iter().enumerate() {
            add(*name, indicator(outline.head.kinds >> at & 1 == 1));
        }
        add("forum", indicator(outline.head.is_forum));
        add("within", ratio(total.within, total.linked));
        add("links", total.links);
        // The list with the most prose: posts, comments, teasers.
        let lists = context.lists.all.iter().filter(|list| list.prose >= 0.5);
        let largest = lists.max_by(|a, b| a.prose_share.total_cmp(&b.prose_share));
        let largest = largest.unwrap_or(&NO_LIST);
        add("list-prose", largest.prose_share);
        add("list-items", largest.items);
        add("list-dates", largest.dates);
        add("list-links", largest.few_links);
        add("list-words", largest.mean_words);
        add("mean-words", evidence.mean_words);
        PageFeatures { names, values }
    }
}
