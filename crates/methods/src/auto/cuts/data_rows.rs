//! Rows of tables that hold data. Old pages use tables for their layout as well.

use unframe_dom::Tag;
use unframe_page::tag_class::heading_level;

use crate::auto::page::outline::Outline;

/// The rows of data of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct DataRows {
    /// For each element the row of data that it is in, itself included, or 0.
    row_of: Vec<u32>,
    /// These rows, those of one table together.
    pub tables: Vec<Vec<u32>>,
}

/// Lines and words of a cell with data, at most.
const CELL_LINES: u32 = 3;
const CELL_WORDS: u32 = 60;

impl DataRows {
    pub fn of(outline: &Outline) -> DataRows {
        let elements = &outline.elements;
        let mut rows = DataRows {
            row_of: vec![0; elements.len()],
            tables: Vec::new(),
        };
        let (mut at, mut last) = (1, None);
        while at < elements.len() {
            if elements[at].tag == Tag::TR && is_data(outline, at) {
                let end = elements[at].end as usize;
                rows.row_of[at..end].fill(at as u32);
                let table = table_of(outline, at);
                if last != Some(table) {
                    rows.tables.push(Vec::new());
                    last = Some(table);
                }
                rows.tables.last_mut().expect("just pushed").push(at as u32);
                at = end;
            } else {
                at += 1;
            }
        }
        rows
    }

    /// The row of data that an element is in.
    pub fn row_of(&self, element: u32) -> Option<u32> {
        Some(self.row_of[element as usize]).filter(|row| *row > 0)
    }
}

/// The table of a row, or 0.
fn table_of(outline: &Outline, row: usize) -> u32 {
    let mut at = outline.elements[row].parent;
    while at > 0 && outline.elements[at as usize].tag != Tag::TABLE {
        at = outline.elements[at as usize].parent;
    }
    at
}

fn is_data(outline: &Outline, row: usize) -> bool {
    let elements = &outline.elements;
    let (end, mut at, mut cells) = (elements[row].end as usize, row + 1, 0);
    while at < end {
        let cell = &elements[at];
        if !matches!(cell.tag, Tag::TD | Tag::TH) {
            at += 1;
            continue;
        }
        let inside = at + 1..cell.end as usize;
        let is_block_of_its_own = |tag: Tag| {
            heading_level(tag) > 0 || matches!(tag, Tag::TABLE | Tag::UL | Tag::OL | Tag::DL)
        };
        if elements[inside]
            .iter()
            .any(|inner| is_block_of_its_own(inner.tag))
        {
            return false;
        }
        if cell.first < cell.last {
            let texts = &outline.texts[cell.first as usize..cell.last as usize];
            let words: u32 = texts.iter().map(|text| text.stats.words).sum();
            if outline.lines_in(at as u32) > CELL_LINES || words > CELL_WORDS {
                return false;
            }
            cells += 1;
        }
        at = cell.end as usize;
    }
    cells >= 2
}
