//! Aligns the words of one segment of the page with one segment of the label, with affine gap
//! costs.
//!
//! The longest common subsequence would match any words anywhere, a `the` here and an `and` there.
//! Here a match consists of runs, and each run has a cost. The cost is lower if the run covers
//! whole texts, and if it continues in the label where the previous one ended. So a word of the
//! menu is not matched with a word of a sentence that the page does not have.

use std::ops::Range;

use super::page_words::PageWords;

/// Score of a matched word.
const WORD: i32 = 4096;
/// Cost of beginning or ending a run within a text.
const WITHIN_TEXT: i32 = 3000;
/// Cost of ending a run and continuing elsewhere on the page.
const NEW_RUN: i32 = 800;
/// Additional cost of continuing elsewhere in the label. Together with `NEW_RUN` it exceeds the
/// score of a single word.
const LABEL_JUMP: i32 = 4500;
/// Cost of beginning a run with a text that the label lists as frame.
const FRAME: i32 = 4000;
/// Cost of each word of the page between two runs, so that of equally good positions the nearest is
/// used.
const SKIPPED: i32 = 1;
const NEVER: i32 = i32::MIN / 2;

/// An unmatched segment of the page and one of the label.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) page: Range<usize>,
    pub(super) label: Range<usize>,
    /// Nothing is matched before it.
    pub(super) at_start: bool,
    /// Nothing is matched after it.
    pub(super) at_end: bool,
}

/// The cost of beginning and ending a run at each word of a page.
pub(super) struct Costs {
    begin: Vec<i32>,
    end: Vec<i32>,
}

impl Costs {
    pub(super) fn new(page: &PageWords, in_frame: &[bool]) -> Self {
        let words = 0..page.words().len();
        let within = |is_border: bool| if is_border { 0 } else { WITHIN_TEXT };
        let mut begin: Vec<i32> = words
            .clone()
            .map(|word| within(page.starts_text(word)))
            .collect();
        for text in (0..page.texts()).filter(|text| in_frame[*text]) {
            if let Some(first) = begin.get_mut(page.range(text).start) {
                *first = (*first).max(FRAME);
            }
        }
        let end = words.map(|word| within(page.ends_text(word))).collect();
        Costs { begin, end }
    }
}

/// Best scores up to a word of the page and a word of the label.
#[derive(Clone, Copy)]
struct Cell {
    /// The two words are matched.
    matched: i32,
    /// Words of the page were skipped since the last match, but none of the label.
    paused: i32,
    /// Any words were skipped.
    skipped: i32,
}

impl Cell {
    const NEVER: Cell = Cell {
        matched: NEVER,
        paused: NEVER,
        skipped: NEVER,
    };
}

/// How each of the three scores of a cell was reached, in one byte.
mod from {
    pub(super) const MATCHED: u8 = 1;
    pub(super) const PAUSED: u8 = 2;
    pub(super) const SKIPPED: u8 = 3;
    pub(super) const MATCH_MASK: u8 = 3;
    /// The pause continues, as opposed to beginning after a match.
    pub(super) const STILL_PAUSED: u8 = 4;
    pub(super) const SKIPPED_PAGE: u8 = 8;
    pub(super) const SKIPPED_LABEL: u8 = 16;
}

/// The pairs of matched words, from the last to the first.
pub(super) fn align(
    segment: &Segment,
    page: &[u32],
    label: &[u32],
    costs: &Costs,
) -> Vec<(usize, usize)> {
    let (rows, columns) = (segment.page.len() + 1, segment.label.len() + 1);
    let mut traces = vec![0u8; rows * columns];
    let mut above = first_row(segment, costs, &mut traces[..columns]);
    let mut row = vec![Cell::NEVER; columns];
    let mut best = (0, 0, 0);
    for at_row in 1..rows {
        let at_page = segment.page.start + at_row - 1;
        let (word, begin, end) = (page[at_page], costs.begin[at_page], costs.end[at_page]);
        let traces = &mut traces[at_row * columns..][..columns];
        let mut left = Cell::NEVER;
        for column in 0..columns {
            let mut trace = 0;
            let mut cell = Cell::NEVER;
            if column > 0 && label[segment.label.start + column - 1] == word {
                let diagonal = above[column - 1];
                let fresh = if segment.at_start { -begin } else { NEVER };
                let begun = diagonal.paused.max(diagonal.skipped) - begin;
                let so_far = diagonal.matched.max(begun).max(fresh);
                if so_far > NEVER / 2 {
                    cell.matched = so_far + WORD;
                    trace |= if so_far == diagonal.matched {
                        from::MATCHED
                    } else if so_far == fresh {
                        0
                    } else if begun == diagonal.paused - begin {
                        from::PAUSED
                    } else {
                        from::SKIPPED
                    };
                    if segment.at_end && cell.matched - end > best.0 {
                        best = (cell.matched - end, at_row, column);
                    }
                }
            }
            let up = above[column];
            cell.paused = cell.matched - end - NEW_RUN;
            if up.paused - SKIPPED > cell.paused {
                cell.paused = up.paused - SKIPPED;
                trace |= from::STILL_PAUSED;
            }
            cell.skipped = cell.paused - LABEL_JUMP;
            if up.skipped - SKIPPED > cell.skipped {
                cell.skipped = up.skipped - SKIPPED;
                trace |= from::SKIPPED_PAGE;
            }
            if left.skipped > cell.skipped {
                cell.skipped = left.skipped;
                trace = trace & !from::SKIPPED_PAGE | from::SKIPPED_LABEL;
            }
            for score in [&mut cell.matched, &mut cell.paused, &mut cell.skipped] {
                *score = (*score).max(NEVER);
            }
            row[column] = cell;
            left = cell;
            traces[column] = trace;
        }
        std::mem::swap(&mut above, &mut row);
    }
    let last = above[columns - 1];
    let end = match segment.at_end {
        // Matching nothing may be best.
        true if best.0 <= last.skipped => (rows - 1, columns - 1, from::SKIPPED),
        true => (best.1, best.2, from::MATCHED),
        false if last.matched >= last.paused.max(last.skipped) => {
            (rows - 1, columns - 1, from::MATCHED)
        }
        false if last.paused >= last.skipped => (rows - 1, columns - 1, from::PAUSED),
        false => (rows - 1, columns - 1, from::SKIPPED),
    };
    trace_back(segment, &traces, end)
}

/// Before the first word of the page: a run that continues, unless the page begins here.
fn first_row(segment: &Segment, costs: &Costs, traces: &mut [u8]) -> Vec<Cell> {
    let mut row = vec![Cell::NEVER; traces.len()];
    if segment.at_start {
        return row;
    }
    let end = segment
        .page
        .start
        .checked_sub(1)
        .map_or(0, |at| costs.end[at]);
    let paused = -end - NEW_RUN;
    row[0] = Cell {
        matched: 0,
        paused,
        skipped: paused - LABEL_JUMP,
    };
    for (cell, trace) in row.iter_mut().zip(traces).skip(1) {
        cell.skipped = paused - LABEL_JUMP;
        *trace = from::SKIPPED_LABEL;
    }
    row
}

fn trace_back(segment: &Segment, traces: &[u8], end: (usize, usize, u8)) -> Vec<(usize, usize)> {
    let columns = segment.label.len() + 1;
    let (mut row, mut column, mut state) = end;
    let mut pairs = Vec::new();
    loop {
        let trace = traces[row * columns + column];
        match state {
            from::MATCHED => {
                if row == 0 || column == 0 {
                    break;
                }
                row -= 1;
                column -= 1;
                pairs.push((segment.page.start + row, segment.label.start + column));
                state = trace & from::MATCH_MASK;
            }
            from::PAUSED if row > 0 && trace & from::STILL_PAUSED != 0 => row -= 1,
            from::PAUSED => state = from::MATCHED,
            from::SKIPPED if row > 0 && trace & from::SKIPPED_PAGE != 0 => row -= 1,
            from::SKIPPED if column > 0 && trace & from::SKIPPED_LABEL != 0 => column -= 1,
            from::SKIPPED => state = from::PAUSED,
            _ => break,
        }
    }
    pairs
}
