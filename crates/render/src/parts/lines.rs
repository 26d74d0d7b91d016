//! The kept text as lines, as a reader sees it: paragraphs, headings, and what is between two `<br>`.

use unframe_dom::{Dom, NodeId, Tag};
use unframe_labels::{Label, Labels};
use unframe_page::tag_class::heading_level;

use super::words::{size, words};
use crate::layout::{Gap, gap};
use crate::text::text_of;

/// A line of kept text.
pub(super) struct Line {
    /// Its kept texts, as numbers of [`Labels::texts`].
    pub(super) texts: Vec<usize>,
    /// The nearest block that contains it.
    pub(super) block: NodeId,
    /// Its words.
    pub(super) size: f32,
}

/// The kept texts of a page, without readers' comments.
pub(super) struct Lines<'a> {
    pub(super) dom: &'a Dom,
    labels: &'a Labels,
    pub(super) all: Vec<Line>,
    /// Words of the kept texts before each text.
    words_before: Vec<f32>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(dom: &'a Dom, labels: &'a Labels) -> Lines<'a> {
        let mut is_comment = vec![false; labels.texts.len()];
        for comment in &labels.comments {
            for text in &comment.texts {
                is_comment[*text as usize] = true;
            }
        }
        let mut all: Vec<Line> = Vec::new();
        let mut words_before = Vec::with_capacity(labels.texts.len() + 1);
        let mut total = 0.0;
        let mut last_node = 0;
        for (number, text) in labels.texts.iter().enumerate() {
            words_before.push(total);
            if text.label == Label::Template || is_comment[number] {
                continue;
            }
            let words = size(dom.text(text.node));
            total += words;
            let block = block_of(dom, text.node);
            let is_heading = heading_level(dom.node(block).tag) > 0;
            let breaks = |id: NodeId| {
                let tag = dom.node(id).tag;
                gap(tag) > Gap::Space && !(is_heading && tag == Tag::BR)
            };
            let line = all
                .last_mut()
                .filter(|line| line.block == block && !(last_node + 1..text.node).any(breaks));
            match line {
                Some(line) => {
                    line.texts.push(number);
                    line.size += words;
                }
                None => all.push(Line {
                    texts: vec![number],
                    block,
                    size: words,
                }),
            }
            last_node = text.node;
        }
        words_before.push(total);
        Lines {
            dom,
            labels,
            all,
            words_before,
        }
    }

    /// The node of a text.
    pub(super) fn node(&self, text: usize) -> NodeId {
        self.labels.texts[text].node
    }

    /// The words of a line.
    pub(super) fn words(&self, line: usize) -> Vec<String> {
        let nodes = self.all[line].texts.iter().map(|text| self.node(*text));
        words(&text_of(self.dom, nodes.collect()))
    }

    /// Kept words of the whole page.
    pub(super) fn total(&self) -> f32 {
        self.words_before[self.labels.texts.len()]
    }

    /// Kept words inside an element.
    pub(super) fn size_in(&self, element: NodeId) -> f32 {
        let texts = &self.labels.texts;
        let first = texts.partition_point(|text| text.node < element);
        let end = self.dom.node(element).end;
        let past = texts.partition_point(|text| text.node < end);
        self.words_before[past] - self.words_before[first]
    }

    /// The elements around a node, innermost first, as long as they have at most this many kept words.
    pub(super) fn around(&self, node: NodeId, most: f32) -> impl Iterator<Item = NodeId> {
        let inside =
            move |id: &NodeId| self.dom.node(*id).tag != Tag::BODY && self.size_in(*id) <= most;
        self.dom.ancestors(node).take_while(inside)
    }
}

fn block_of(dom: &Dom, node: NodeId) -> NodeId {
    let is_block = |id: &NodeId| gap(dom.node(*id).tag) > Gap::Space;
    dom.ancestors(node).find(is_block).unwrap_or(0)
}
