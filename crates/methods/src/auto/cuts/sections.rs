//! What follows from its surroundings: headings, header rows, listings of code.

use unframe_dom::Tag;
use unframe_labels::Unit;
use unframe_page::tag_class::heading_level;

use super::{Decided, Scene};

/// Share of the words of a section from which its heading is kept …
const OF_SECTION: f32 = 0.5;
/// … or, if its first text is …
const OF_SECTION_THAT_STARTS: f32 = 0.25;
/// … and of the rows of a table from which its first row is.
const OF_ROWS: f32 = 0.5;
/// Rows of data below a header row, at least.
const ROWS: usize = 2;
/// Ancestors of a heading that are searched for the text under it.
const FURTHER_UP: usize = 3;

/// Lets headings, header rows and listings follow what they belong to.
pub(super) fn join(scene: &Scene<'_>, decided: &mut Decided) {
    keep_header_rows(scene, decided);
    keep_listings(scene, decided);
    keep_headings(scene, decided);
}

/// Last first, because a heading may be above another.
fn keep_headings(scene: &Scene<'_>, decided: &mut Decided) {
    let outline = scene.outline;
    let kept_words = KeptWords::of(scene, decided);
    // Later headings of the same level or above, the next one last.
    let mut next_headings: Vec<(u8, u32)> = Vec::new();
    for block in outline.blocks.iter().rev() {
        let level = heading_level(outline.elements[block.element as usize].tag);
        if level == 0 {
            continue;
        }
        while next_headings
            .last()
            .is_some_and(|(other, _)| *other > level)
        {
            next_headings.pop();
        }
        let next = next_headings.last().map(|(_, first)| *first);
        next_headings.push((level, block.first));
        let texts = block.first..block.last;
        if texts.clone().all(|text| !decided.removed[text as usize]) {
            continue;
        }
        let Some(end) = section_end(scene, block.element, block.last, next) else {
            continue;
        };
        let first = (block.last..end).find(|text| !scene.is_field(*text));
        let starts = first.is_some_and(|first| !decided.removed[first as usize]);
        let least = match starts {
            true => OF_SECTION_THAT_STARTS,
            false => OF_SECTION,
        };
        if kept_words.share(block.last, end) >= least {
            for text in texts.filter(|text| !scene.is_field(*text)) {
                decided.set(text, false, Unit::Section);
            }
        }
    }
}

/// One past the last text of the section under a heading: up to the next heading of its level or above, in
/// the nearest ancestor that has text behind the heading.
fn section_end(scene: &Scene<'_>, heading: u32, behind: u32, next: Option<u32>) -> Option<u32> {
    let outline = scene.outline;
    let mut container = outline.above(heading);
    for _ in 0..=FURTHER_UP {
        let last = outline.elements[container as usize].last;
        if last > behind {
            let end = next.map_or(last, |next| next.min(last));
            return (end > behind).then_some(end);
        }
        if container == 0 {
            break;
        }
        container = outline.above(container);
    }
    None
}

/// Words before each text: all, and those that are kept.
struct KeptWords(Vec<(u32, u32)>);

impl KeptWords {
    fn of(scene: &Scene<'_>, decided: &Decided) -> KeptWords {
        let mut sum = (0, 0);
        let mut before = vec![sum];
        for (text, removed) in scene.outline.texts.iter().zip(&decided.removed) {
            sum.0 += text.stats.words;
            sum.1 += if *removed { 0 } else { text.stats.words };
            before.push(sum);
        }
        KeptWords(before)
    }

    /// The kept share of a range of texts.
    fn share(&self, first: u32, last: u32) -> f32 {
        let (from, to) = (self.0[first as usize], self.0[last as usize]);
        (to.1 - from.1) as f32 / (to.0 - from.0).max(1) as f32
    }
}

/// The first row of a table names what the others hold, on every page the same.
fn keep_header_rows(scene: &Scene<'_>, decided: &mut Decided) {
    let outline = scene.outline;
    for rows in &scene.rows.tables {
        let texts = |row: u32| {
            let element = &outline.elements[row as usize];
            element.first..element.last
        };
        let is_kept = |row: u32| texts(row).any(|text| !decided.removed[text as usize]);
        let (first, others) = (rows[0], &rows[1..]);
        let kept = others.iter().filter(|row| is_kept(**row)).count();
        if others.len() >= ROWS && kept as f32 >= OF_ROWS * others.len() as f32 {
            for text in texts(first).filter(|text| !scene.is_field(*text)) {
                decided.set(text, false, Unit::Row);
            }
        }
    }
}

/// A listing between two kept texts is part of what they explain.
fn keep_listings(scene: &Scene<'_>, decided: &mut Decided) {
    let outline = scene.outline;
    let is_listing = |at: u32| outline.elements[at as usize].tag == Tag::PRE;
    for listing in (1..outline.elements.len() as u32).filter(|at| is_listing(*at)) {
        let element = &outline.elements[listing as usize];
        let is_kept = |text: Option<u32>| {
            text.and_then(|text| decided.removed.get(text as usize)) == Some(&false)
        };
        if is_kept(element.first.checked_sub(1)) && is_kept(Some(element.last)) {
            for text in element.first..element.last {
                decided.set(text, false, Unit::Region);
            }
        }
    }
}
