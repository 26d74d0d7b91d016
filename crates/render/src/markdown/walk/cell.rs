//! Tables, and the blocks in their cells, which have no room for lines of their own.

use unframe_dom::{NodeId, Tag};

use super::{Close, Walk};
use crate::layout::Gap;
use crate::markdown::blocks::Kind;
use crate::markdown::escape::Block;
use crate::markdown::line::{Piece, STRONG};
use crate::markdown::{code, table};

impl Walk<'_> {
    /// Writes a data table; false for other tables.
    pub(super) fn table(&mut self, id: NodeId) -> bool {
        let kept = |id| self.kept.kept_in(self.dom, id);
        let Some(grid) = table::grid(self.dom, id, kept) else {
            return false;
        };
        if let Some(caption) = grid.caption {
            self.walk(caption, self.dom.node(caption).end);
            self.paragraph();
        }
        let outer = self.line.formatting;
        self.block = Block::Cell;
        let mut rows = Vec::with_capacity(grid.rows.len());
        for row in &grid.rows {
            let mut cells = Vec::with_capacity(row.len());
            for cell in row {
                if let Some(cell) = *cell
                    && !self.kept.is_removed(self.dom, cell)
                {
                    self.walk(cell + 1, self.dom.node(cell).end);
                }
                self.line.formatting = outer;
                cells.push(self.take_line(Block::Cell));
            }
            rows.push(cells);
        }
        self.block = Block::Flow;
        let table = table::write(&rows, grid.headed);
        self.blocks.block(&table, Kind::Other);
        true
    }

    /// Blocks in a cell: lists as HTML, code as lines of code, and line breaks between all others.
    pub(super) fn cell_block(&mut self, id: NodeId) -> NodeId {
        let node = self.dom.node(id);
        let has_text = self.kept.kept_in(self.dom, id) > 0;
        match node.tag {
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR if has_text => {
                let numbered = node.tag == Tag::OL;
                let first = self
                    .number(id, "start")
                    .filter(|first| numbered && *first != 1);
                match (numbered, first) {
                    (true, Some(first)) => self.line.html(format!("<ol start=\"{first}\">")),
                    (true, None) => self.line.html("<ol>"),
                    (false, _) => self.line.html("<ul>"),
                }
                self.cell_lists += 1;
                let close = if numbered { "</ol>" } else { "</ul>" };
                self.open.push((node.end, Close::Html(close)));
            }
            Tag::LI if has_text && self.cell_lists > 0 => {
                self.line.html("<li>");
                self.open.push((node.end, Close::Html("</li>")));
            }
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => {
                self.gap(Gap::Line);
                let text = code::text(self.dom, self.kept, id, id + 1..node.end);
                for line in text.split('\n').filter(|_| !text.is_empty()) {
                    self.line
                        .piece(Piece::CodeLine(line.trim_end().to_string()));
                    self.line.need_break();
                }
                return node.end;
            }
            Tag::DT => {
                self.gap(Gap::Line);
                self.open.push((node.end, Close::Gap(Gap::Line)));
                self.style(id, STRONG);
            }
            _ => {
                self.gap(Gap::Line);
                self.open.push((node.end, Close::Gap(Gap::Line)));
            }
        }
        id + 1
    }
}
