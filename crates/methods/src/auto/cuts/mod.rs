//! Which texts of a page are removed: few cuts on its tree, instead of one decision for each text.
//!
//! The model judges texts one by one, so alone it would remove a cell of a row, a link of a sentence or
//! the heading of a section. Here such units are judged as one. What remains open is where the tree of
//! the page is cut: a cut costs much inside a unit and little between blocks, and the cheapest set of
//! cuts is found exactly, in time linear in the size of the page.
//!
//! | file | subject |
//! |---|---|
//! | `known_parts` | title, trail of links and table of contents, known by what they say |
//! | `lines` | a line or paragraph: what it costs to keep or to remove it |
//! | `data_rows` | rows of tables that hold data rather than layout |
//! | `tree` | the cheapest cuts |
//! | `sections` | headings follow what they head, header rows their table |
//! | `copies` | a paragraph that the page shows twice |
//!
//! Odds of a text are the model's log-odds that it is frame, minus those from which texts of the page are
//! removed: below 0 it would be kept. Keeping a text costs its odds, removing it costs nothing.

mod copies;
mod data_rows;
mod known_parts;
mod lines;
mod sections;
#[cfg(test)]
mod tests;
mod tree;

use unframe_labels::Unit;

use crate::auto::page::outline::Outline;
use data_rows::DataRows;
use known_parts::KnownPart;

/// What is decided for the texts of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Decided {
    pub removed: Vec<bool>,
    /// The unit that changed what the text alone would have been.
    pub with: Vec<Option<Unit>>,
    /// Nearly nothing would have been left.
    pub is_guarded: bool,
}

/// Odds beyond these count as these: no text decides for all around it.
const SUREST_CONTENT: f32 = -5.0;
const SUREST_FRAME: f32 = 3.0;

/// Rows of a table for navigation, at most …
const NAVIGATION_ROWS: usize = 3;
/// … and links of most pages that one of them has, at least.
const NAVIGATION_LINKS: usize = 3;

/// What the cuts of a page depend on.
pub(crate) struct Judged<'a> {
    pub outline: &'a Outline,
    /// The odds of each text.
    pub odds: Vec<f32>,
    /// Whether most pages of the site have each text.
    pub on_most_pages: &'a [bool],
    /// How far the content is prose, 0 to 1.
    pub prose: f32,
    /// How far the content is one piece, 0 to 1: an article is, posts and values are many.
    pub oneness: f32,
}

/// A page while it is cut: the same, with bounded odds.
struct Scene<'a> {
    outline: &'a Outline,
    odds: Vec<f32>,
    prose: f32,
    oneness: f32,
    rows: DataRows,
    /// The rows of data, by element, in which the model takes a text for content.
    has_content: Vec<bool>,
}

/// Decides for all texts of a page.
pub(crate) fn decide(page: Judged<'_>) -> Decided {
    let outline = page.outline;
    let alone: Vec<bool> = page.odds.iter().map(|odds| *odds >= 0.0).collect();
    let mut decided = Decided::alone(alone.clone());
    let parts = known_parts::of(outline, page.on_most_pages);
    let mut odds = page.odds;
    for part in &parts {
        for text in part.first..part.last {
            odds[text as usize] += part.odds;
            decided.removed[text as usize] = odds[text as usize] >= 0.0;
        }
    }
    for odds in &mut odds {
        *odds = odds.clamp(SUREST_CONTENT, SUREST_FRAME);
    }
    let rows = DataRows::of(outline);
    let has_content = rows_with_content(&rows, outline, &odds, page.on_most_pages);
    let scene = Scene {
        outline,
        odds,
        prose: page.prose,
        oneness: page.oneness,
        rows,
        has_content,
    };
    tree::cut(&scene, &mut decided);
    sections::join(&scene, &mut decided);
    copies::remove(&scene, &mut decided);
    decided.name_units(&alone, &parts);
    decided
}

/// The rows of data, by element, in which the model takes a text for content. `Previous`, `Up` and `Next`
/// beside the title of a page are no data.
fn rows_with_content(
    rows: &DataRows,
    outline: &Outline,
    odds: &[f32],
    on_most_pages: &[bool],
) -> Vec<bool> {
    let mut has_content = vec![false; outline.elements.len()];
    for rows in &rows.tables {
        let texts = |row: &u32| {
            let element = &outline.elements[*row as usize];
            element.first as usize..element.last as usize
        };
        let is_link =
            |text: &usize| on_most_pages[*text] && outline.is_linked(&outline.texts[*text]);
        let is_of_links = |row: &u32| {
            let links = texts(row).filter(is_link).count();
            links >= NAVIGATION_LINKS && 3 * links >= 2 * texts(row).len()
        };
        if rows.len() <= NAVIGATION_ROWS && rows.iter().any(is_of_links) {
            continue;
        }
        for row in rows {
            has_content[*row as usize] = texts(row).any(|text| odds[text] < 0.0);
        }
    }
    has_content
}

impl Scene<'_> {
    /// True if the model takes the first text of a line for content.
    fn starts_as_content(&self, line: usize) -> bool {
        let line = self.outline.blocks.get(line);
        line.is_some_and(|line| self.odds[line.first as usize] < 0.0)
    }

    /// True for the text of a form field, which belongs to no unit.
    fn is_field(&self, text: u32) -> bool {
        let element = self.outline.texts[text as usize].element;
        self.outline.elements[element as usize].field
    }
}

impl Decided {
    /// Each text by itself.
    pub fn alone(removed: Vec<bool>) -> Decided {
        let with = vec![None; removed.len()];
        Decided {
            removed,
            with,
            is_guarded: false,
        }
    }

    /// Leaves a unit only where it has changed something.
    fn name_units(&mut self, alone: &[bool], parts: &[KnownPart]) {
        for part in parts {
            for text in part.first as usize..part.last as usize {
                self.with[text].get_or_insert(part.unit);
            }
        }
        for (text, with) in self.with.iter_mut().enumerate() {
            *with = with.filter(|_| self.removed[text] != alone[text]);
        }
    }

    /// Decides a text otherwise, because of a unit.
    pub fn set(&mut self, text: u32, removed: bool, with: Unit) {
        if self.removed[text as usize] != removed {
            self.removed[text as usize] = removed;
            self.with[text as usize] = Some(with);
        }
    }
}
