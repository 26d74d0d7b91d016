//! Tables: recognises data tables, and aligns their cells.

use unframe_dom::{Dom, NodeId, Tag};

/// Maximum columns; wider tables are layout, or unreadable.
const MAX_COLUMNS: usize = 64;
/// Maximum length of a cell of a data table.
const MAX_CELL: usize = 2000;
/// Maximum length of a cell with lists or paragraphs; longer ones are unreadable in a line.
const MAX_BLOCKS: usize = 1000;

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
    let mut is_data = is_stated(dom, table);
    let mut has_blocks = false;
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
                    has_blocks |= content(dom, *cell)? == Content::Blocks;
                    is_data |= dom.node(*cell).tag == Tag::TH;
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
    // Tables that lay out a page have lists and paragraphs in their cells, too.
    if has_blocks && !is_data && found.caption.is_none() {
        return None;
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

/// Whether the table itself says that it has data: by a border, or by a class.
fn is_stated(dom: &Dom, table: NodeId) -> bool {
    let border = dom.attribute(table, "border").unwrap_or_default().trim();
    let classes = dom.attribute(table, "class").unwrap_or_default();
    let mut classes = classes.split_ascii_whitespace();
    (!border.is_empty() && border != "0")
        || classes.any(|class| {
            matches!(class, "wikitable" | "docutils" | "confluenceTable")
                || class.starts_with("table-")
                || class == "table"
        })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// One line without loss.
    Line,
    /// Lists, code or several paragraphs, which are written as HTML.
    Blocks,
}

/// What a cell contains; `None` if it cannot be the cell of a table.
fn content(dom: &Dom, cell: NodeId) -> Option<Content> {
    let (mut paragraphs, mut length, mut blocks) = (0, 0, false);
    for id in dom.subtree(cell) {
        match dom.node(id).tag {
            Tag::TABLE | Tag::HR | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                return None;
            }
            Tag::UL
            | Tag::OL
            | Tag::DL
            | Tag::PRE
            | Tag::LISTING
            | Tag::XMP
            | Tag::PLAINTEXT
            | Tag::BLOCKQUOTE => blocks = true,
            Tag::P => paragraphs += 1,
            Tag::TEXT => length += dom.text(id).trim().len(),
            _ => {}
        }
    }
    blocks |= paragraphs > 1;
    let (most, content) = match blocks {
        true => (MAX_BLOCKS, Content::Blocks),
        false => (MAX_CELL, Content::Line),
    };
    (length <= most).then_some(content)
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
