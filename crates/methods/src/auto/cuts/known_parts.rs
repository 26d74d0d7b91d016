//! Parts of a page that are known by what they say: its title, the trail of links that leads to it, and
//! its table of contents.

use foldhash::HashSet;
use unframe_labels::Unit;
use unframe_page::tag_class::heading_level;

use crate::auto::page::link_target::Leads;
use crate::auto::page::outline::{Block, Outline};

/// A part whose odds are moved.
pub(super) struct KnownPart {
    /// Its first text …
    pub first: u32,
    /// … and one past the last.
    pub last: u32,
    pub unit: Unit,
    /// How far its odds are moved.
    pub odds: f32,
}

/// For the heading that is most like the title …
const TITLE: f32 = -2.5;
/// … which must have this share of its words in the title.
const IN_TITLE: f32 = 0.6;
/// For the trail of links above it …
const TRAIL: f32 = 3.0;
/// … which has at most this many words …
const TRAIL_WORDS: u32 = 20;
/// … and is one of this many lines above it, at most.
const NEAR: usize = 20;
/// For a table of contents …
const CONTENTS: f32 = 3.0;
/// … which has at least this many links to headings …
const ENTRIES: usize = 3;
/// … and they are at least this share of its links …
const HEADINGS: f32 = 0.6;
/// … with at most this many texts between two of them, such as numbers …
const BETWEEN: usize = 2;
/// … none of which has more words.
const BETWEEN_WORDS: u32 = 6;

pub(super) fn of(outline: &Outline, on_most_pages: &[bool]) -> Vec<KnownPart> {
    let mut found = contents(outline);
    if let Some(title) = title(outline, on_most_pages) {
        let part = |block: &Block, unit, odds| KnownPart {
            first: block.first,
            last: block.last,
            unit,
            odds,
        };
        found.push(part(&outline.blocks[title], Unit::Title, TITLE));
        let of_title = outline.blocks[title].of_title;
        let before = outline.blocks[..title].iter().rev();
        let trail = before
            .take(NEAR)
            .find(|block| is_trail(block) && block.of_title >= of_title);
        found.extend(trail.map(|trail| part(trail, Unit::Trail, TRAIL)));
    }
    found
}

/// True for what may be a trail of links, as in `Home > News > A title`.
fn is_trail(block: &Block) -> bool {
    let texts = block.last - block.first;
    let is_short = texts >= 2 && block.stats.words <= TRAIL_WORDS && block.stats.sentences == 0;
    is_short && block.links > 0
}

/// The heading that is most like the title, the first if there are several. A heading of most pages is that
/// of the site.
fn title(outline: &Outline, on_most_pages: &[bool]) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (number, block) in outline.blocks.iter().enumerate() {
        let level = heading_level(outline.elements[block.element as usize].tag);
        let may_be = (1..=3).contains(&level)
            && block.in_title >= IN_TITLE
            && !on_most_pages[block.first as usize];
        let alike = block.in_title + block.of_title;
        if may_be && best.is_none_or(|(_, other)| alike > other) {
            best = Some((number, alike));
        }
    }
    best.map(|(number, _)| number)
}

/// Tables of contents: runs of links within the page whose texts are those of headings.
fn contents(outline: &Outline) -> Vec<KnownPart> {
    let element = |text: usize| &outline.elements[outline.texts[text].element as usize];
    let is_in_heading = |text: &usize| element(*text).heading > 0;
    let headings: HashSet<u64> = (0..outline.texts.len())
        .filter(is_in_heading)
        .map(|text| outline.texts[text].hash)
        .collect();
    let mut found = Vec::new();
    if headings.len() < ENTRIES {
        return found;
    }
    let mut at = 0;
    while at < outline.texts.len() {
        if element(at).leads != Some(Leads::Within) {
            at += 1;
            continue;
        }
        let (first, mut last) = (at, at);
        let (mut links, mut entries) = (0, 0);
        while at < outline.texts.len() && at - last <= BETWEEN {
            let text = &outline.texts[at];
            if element(at).leads == Some(Leads::Within) {
                let is_entry = !is_in_heading(&at) && headings.contains(&text.hash);
                links += usize::from(text.stats.words > 0);
                entries += usize::from(text.stats.words > 0 && is_entry);
                last = at + 1;
            } else if text.stats.words > BETWEEN_WORDS || element(at).leads.is_some() {
                break;
            }
            at += 1;
        }
        if entries >= ENTRIES && entries as f32 >= HEADINGS * links as f32 {
            found.push(KnownPart {
                first: first as u32,
                last: last as u32,
                unit: Unit::Contents,
                odds: CONTENTS,
            });
        }
        at = at.max(first + 1);
    }
    found
}
