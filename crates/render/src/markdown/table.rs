//! Tables: recognises data tables, and aligns their cells.

use unframe_dom::{Dom, NodeId, Tag};

/// Maximum columns; wider tables are layout, or unreadable.
const MAX_COLUMNS: usize = 64;
/// Maximum length of a cell of a data table.
const MAX_CELL: usize = 2000;

/// The grid of a table: rows of positions, each with the cell that begins there.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) caption: Option<NodeId>,
    pub(super) rows: Vec<Vec<Option<NodeId>>>,
    /// The first row is a header.
    pub(super) headed: bool,
}

/// The cells of a data table; `None` for layout tables. `kept` returns the number of kept texts in a
/// subtree.
pub(super) fn grid(dom: &Dom, table: NodeId, kept: impl Fn(NodeId) -> usize) -> Option<Grid> {
    if dom.attribute(table, "role").is_some_and(|role| {
        let role = role.trim();
        role.eq_ignore_ascii_case("presentation") || role.eq_ignore_ascii_case("none")
    }) {
        return None;
    }
    let mut found = Grid {
        caption: None,
        rows: Vec::new(),
        headed: false,
    };
    // The number of further rows that a cell above covers, per column.
    let mut covered: Vec<usize> = Vec::new();
    let (mut cells, mut texts) = (0, 0);
    let mut id = table + 1;
    let end = dom.node(table).end;
    while id < end {
        let node = dom.node(id);
        match node.tag {
            Tag::CAPTION => {
                texts += kept(id);
                found.caption = found.caption.or(Some(id));
                id = node.end;
                continue;
            }
            Tag::TR => {
                let row = row(dom, id, &mut covered)?;
                for cell in row.iter().flatten() {
                    if !is_plain(dom, *cell) {
                        return None;
                    }
                    texts += kept(*cell);
                    cells += 1;
                }
                if row.iter().flatten().any(|cell| kept(*cell) > 0) {
                    if found.rows.is_empty() {
                        let names =
                            |cell: &NodeId| dom.node(*cell).tag == Tag::TH || kept(*cell) == 0;
                        let in_head = dom.node(node.parent).tag == Tag::THEAD;
                        found.headed = in_head || row.iter().flatten().all(names);
                    }
                    found.rows.push(row);
                }
                id = node.end;
                continue;
            }
            _ => id += 1,
        }
    }
    found.drop_empty_columns(&kept);
    let wide = found.rows.iter().map(Vec::len).max().unwrap_or(0);
    let data = found.rows.len() >= 2 && wide >= 2 && wide * found.rows.len() <= 4 * cells + 1000;
    (data && texts == kept(table)).then_some(found)
}

/// The cells of a row; `None` if it is too wide.
fn row(dom: &Dom, tr: NodeId, covered: &mut Vec<usize>) -> Option<Vec<Option<NodeId>>> {
    let mut row: Vec<Option<NodeId>> = Vec::new();
    let mut below: Vec<(usize, usize)> = Vec::new();
    let cells = dom.children(tr);
    for cell in cells.filter(|cell| matches!(dom.node(*cell).tag, Tag::TD | Tag::TH)) {
        while covered.get(row.len()).is_some_and(|rows| *rows > 0) {
            row.push(None);
        }
        let span = |name| {
            let stated = dom
                .attribute(cell, name)
                .and_then(|span| span.trim().parse().ok());
            stated.unwrap_or(1usize)
        };
        let columns = span("colspan").clamp(1, 1000);
        below.extend((0..columns).map(|column| (row.len() + column, span("rowspan").min(65_534))));
        row.push(Some(cell));
        row.extend((1..columns).map(|_| None));
        if row.len() > MAX_COLUMNS {
            return None;
        }
    }
    covered
        .iter_mut()
        .for_each(|rows| *rows = rows.saturating_sub(1));
    for (column, rows) in below {
        if covered.len() <= column {
            covered.resize(column + 1, 0);
        }
        covered[column] = rows.saturating_sub(1);
    }
    Some(row)
}

/// Whether a cell can be written in one line without loss.
fn is_plain(dom: &Dom, cell: NodeId) -> bool {
    let (mut paragraphs, mut length) = (0, 0);
    for id in dom.subtree(cell) {
        match dom.node(id).tag {
            Tag::TABLE
            | Tag::UL
            | Tag::OL
            | Tag::DL
            | Tag::PRE
            | Tag::LISTING
            | Tag::XMP
            | Tag::PLAINTEXT
            | Tag::BLOCKQUOTE
            | Tag::HR
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6 => return false,
            Tag::P => paragraphs += 1,
            Tag::TEXT => length += dom.text(id).trim().len(),
            _ => {}
        }
    }
    paragraphs < 2 && length <= MAX_CELL
}

impl Grid {
    /// Drops empty columns, and gives all rows the same length.
    fn drop_empty_columns(&mut self, kept: impl Fn(NodeId) -> usize) {
        let wide = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut used = vec![false; wide];
        for row in &self.rows {
            for (column, cell) in row.iter().enumerate() {
                used[column] |= cell.is_some_and(|cell| kept(cell) > 0);
            }
        }
        for row in &mut self.rows {
            row.resize(wide, None);
            let mut column = 0;
            row.retain(|_| {
                column += 1;
                used[column - 1]
            });
        }
    }
}

/// Writes a table; cells are already Markdown.
pub(super) fn write(rows: &[Vec<String>], headed: bool) -> String {
    let wide = rows.first().map_or(0, Vec::len);
    let line = |cells: &[String]| {
        let cells: String = cells
            .iter()
            .map(|cell| format!(" {cell} |").replace("  |", " |"))
            .collect();
        format!("|{cells}\n")
    };
    let mut out = String::new();
    let (head, body) = match headed {
        true => (rows[0].clone(), &rows[1..]),
        false => (vec![String::new(); wide], rows),
    };
    out.push_str(&line(&head));
    out.push_str(&format!("|{}\n", " --- |".repeat(wide)));
    body.iter().for_each(|row| out.push_str(&line(row)));
    out.pop();
    out
}
