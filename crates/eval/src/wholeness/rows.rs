//! Rows of data tables that lost cells.

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::tag_class::heading_level;

use super::page_texts::{PageText, PageTexts};
use super::{Loss, LossKind, Lost};
use crate::tokens::words;

/// Larger cells are those of tables that lay a page out: lines …
const MOST_LINES: usize = 3;
/// … and words.
const MOST_WORDS: usize = 60;

/// Kept rows of data tables, and those of which a cell lost all its words.
pub(super) fn count(dom: &Dom, texts: &PageTexts, losses: &mut Vec<Loss>) -> Lost {
    let mut found = Lost::default();
    for row in rows_without_structure(dom) {
        let cells = dom.children(row);
        let cells = cells.filter(|cell| matches!(dom.node(*cell).tag, Tag::TD | Tag::TH));
        let cells = cells.map(|cell| texts.within(dom, cell));
        let cells: Vec<&[PageText]> = cells.filter(|cell| !cell.is_empty()).collect();
        let is_data = cells.len() >= 2 && cells.iter().all(|cell| is_short(dom, cell));
        let is_kept = |cell: &[PageText]| cell.iter().any(PageText::is_kept_word);
        if !is_data || !cells.iter().any(|cell| is_kept(cell)) {
            continue;
        }
        let mut with_words = cells
            .iter()
            .filter(|cell| cell.iter().any(|text| text.has_word));
        let is_lost = with_words.any(|cell| !is_kept(cell));
        found.count(is_lost);
        if is_lost {
            let all = cells.iter().flat_map(|cell| cell.iter());
            losses.push(Loss::new(LossKind::Row, all));
        }
    }
    found
}

/// The rows without a table, a list or a heading in them: no other row can be in one.
fn rows_without_structure(dom: &Dom) -> Vec<NodeId> {
    let (mut rows, mut next_structure) = (Vec::new(), NodeId::MAX);
    // From the end of the page, so that the next structure behind the start of a row is known.
    for id in (0..dom.nodes().len() as NodeId).rev() {
        let node = dom.node(id);
        match node.tag {
            Tag::TR if next_structure >= node.end => rows.push(id),
            Tag::TABLE | Tag::UL | Tag::OL | Tag::DL | Tag::MENU => next_structure = id,
            tag if heading_level(tag) > 0 => next_structure = id,
            _ => {}
        }
    }
    rows.reverse();
    rows
}

fn is_short(dom: &Dom, cell: &[PageText]) -> bool {
    if cell.chunk_by(|a, b| a.line == b.line).count() > MOST_LINES {
        return false;
    }
    let in_text = |text: &PageText| {
        let text = dom.text(text.node).to_lowercase();
        words(&text).take(MOST_WORDS + 1).count()
    };
    cell.iter().map(in_text).sum::<usize>() <= MOST_WORDS
}

#[cfg(test)]
mod tests {
    use super::MOST_WORDS;
    use crate::wholeness::Lost;
    use crate::wholeness::tests::measure;

    #[test]
    fn rows() {
        let long = "word ".repeat(MOST_WORDS + 1);
        let layout = format!("<tr><td>-a<td>{long}");
        for (rows, lost, of) in [
            ("<tr><th>a<td>b<tr><th>c<td>-d", 1, 2),
            ("<tr><th>a<td>b <b>-c</b>", 0, 1),
            ("<tr><td>-a<td>-b", 0, 0),
            // Cells without words, and rows of one cell.
            ("<tr><td>a<td>-*", 0, 1),
            ("<tr><td>a<td><td>-b", 1, 1),
            ("<tr><td>a<td>", 0, 0),
            ("<tr><td>a", 0, 0),
            // Layout tables: much text, a list, a heading, another table.
            (&layout, 0, 0),
            ("<tr><td>-a<td>b<p>c<p>d<p>e", 0, 0),
            ("<tr><td>-a<td><ul><li>b</ul>", 0, 0),
            ("<tr><td>-a<td><h2>b</h2>", 0, 0),
            ("<tr><td>-a<td><table><tr><td>b<td>-c</table><td>-d", 1, 1),
            ("<tr><td>-a<td>b</tr></table><h2>x</h2><ul><li>c</ul>", 1, 1),
        ] {
            let found = measure(&format!("<table>{rows}")).0.rows;
            assert_eq!(found, Lost { lost, of }, "{rows}");
        }
    }

    #[test]
    fn rows_are_shown() {
        let (_, losses) = measure("<table><tr><td>-gint<td>x <i>y</i></table>");
        assert_eq!(losses, ["[-gint] x y"]);
    }
}
