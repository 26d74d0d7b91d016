//! What it costs to keep a line and to remove it.

use unframe_dom::Tag;
use unframe_labels::Unit;
use unframe_page::tag_class::heading_level;

use super::{Decided, SUREST_FRAME, Scene};
use crate::auto::page::text_stats::TextFlag;

/// Removing a text of a kept line …
const HOLE: f32 = 3.0;
/// … and keeping a text of a removed one.
const ISLAND: f32 = 0.9;
/// The same in a line of links, which may be a list.
const HOLE_IN_LINKS: f32 = 1.0;
const ISLAND_IN_LINKS: f32 = 0.3;
/// Odds for frame count no more than this in a line of which half is content, and on pages without prose in
/// any line with content: the label of a value is on all pages, and yet belongs to it.
const BESIDE_CONTENT: f32 = 0.3;
/// The same for a row of data with content, and for a term with its definition, on a page of prose. Without
/// prose they do not count at all.
const IN_ROW: f32 = 0.5;

/// What is known of a line.
pub(super) struct Line {
    first: u32,
    last: u32,
    /// What removing and keeping a text against its line costs; none if no text may differ.
    differing: Option<(f32, f32)>,
    /// Odds for frame count no more than this.
    most: f32,
    /// A text of this many words or more is the line, not an island in it.
    half: f32,
}

impl Line {
    pub fn of(scene: &Scene<'_>, number: usize) -> Line {
        let outline = scene.outline;
        let block = &outline.blocks[number];
        let element = &outline.elements[block.element as usize];
        let texts = &outline.texts[block.first as usize..block.last as usize];
        let with_words = || texts.iter().filter(|text| text.stats.words > 0);
        let linked = with_words().filter(|text| outline.is_linked(text)).count();
        let is_all_links = linked > 0 && linked == with_words().count();
        let odds = &scene.odds[block.first as usize..block.last as usize];
        let content = texts.iter().zip(odds).filter(|(_, odds)| **odds < 0.0);
        let content: u32 = content.map(|(text, _)| text.stats.words).sum();
        let half = block.stats.words as f32 / 2.0;
        let row = scene.rows.row_of(block.element);
        let is_one = texts.len() == 1
            || row.is_some()
            || heading_level(element.tag) > 0
            || matches!(element.tag, Tag::PRE | Tag::FIGCAPTION | Tag::CAPTION);
        let mut most = f32::INFINITY;
        if content > 0 && !is_all_links {
            most = match content as f32 >= half {
                true => BESIDE_CONTENT,
                false => SUREST_FRAME * scene.prose + BESIDE_CONTENT * (1.0 - scene.prose),
            };
        }
        let is_term = element.tag == Tag::DT && scene.starts_as_content(number + 1);
        if is_term || row.is_some_and(|row| scene.has_content[row as usize]) {
            most = most.min(IN_ROW * scene.prose);
        }
        Line {
            first: block.first,
            last: block.last,
            differing: match (is_one, is_all_links) {
                (true, _) => None,
                (false, true) => Some((HOLE_IN_LINKS, ISLAND_IN_LINKS)),
                (false, false) => Some((HOLE, ISLAND)),
            },
            most,
            half,
        }
    }

    fn texts(&self) -> impl Iterator<Item = u32> {
        self.first..self.last
    }

    /// The odds of a text, as they count in the line. Texts without words follow it.
    fn odds(&self, scene: &Scene<'_>, text: u32) -> f32 {
        match scene.outline.texts[text as usize].stats.words {
            0 => 0.0,
            _ if self.is_label(scene, text) => {
                scene.odds[text as usize].min(self.most).min(BESIDE_CONTENT)
            }
            _ => scene.odds[text as usize].min(self.most),
        }
    }

    /// What removing and keeping a text against its line costs.
    fn differing(&self, scene: &Scene<'_>, text: u32) -> (f32, f32) {
        let words = scene.outline.texts[text as usize].stats.words as f32;
        match self.differing {
            Some(costs) if words > 0.0 && words < self.half => costs,
            Some((hole, _)) if words > 0.0 => (hole, f32::INFINITY),
            _ => (f32::INFINITY, f32::INFINITY),
        }
    }

    /// True for the label of a value that looks like content.
    fn is_label(&self, scene: &Scene<'_>, text: u32) -> bool {
        let stats = &scene.outline.texts[text as usize].stats;
        stats.has(TextFlag::EndsWithColon)
            && text + 1 < self.last
            && scene.odds[text as usize + 1] < 0.0
    }

    /// What keeping and removing the line costs.
    pub fn costs(&self, scene: &Scene<'_>) -> [f32; 2] {
        let mut costs = [0.0; 2];
        for text in self.texts().filter(|text| !scene.is_field(*text)) {
            let odds = self.odds(scene, text);
            let (hole, island) = self.differing(scene, text);
            costs[0] += odds.min(hole);
            costs[1] += (odds + island).min(0.0);
        }
        costs
    }

    /// Decides its texts, once it is decided whether the line is removed.
    pub fn decide(&self, scene: &Scene<'_>, removed: bool, unit: Unit, decided: &mut Decided) {
        for text in self.texts() {
            let odds = self.odds(scene, text);
            let (hole, island) = self.differing(scene, text);
            let differs = match removed {
                true => odds + island < 0.0,
                false => odds > hole,
            };
            let removed = scene.is_field(text) || removed != differs;
            decided.set(text, removed, unit);
        }
    }
}
