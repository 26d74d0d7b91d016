//! The walk over the tree.

mod cell;
mod element;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::Page;

use super::blocks::{Blocks, Kind};
use super::escape::{Block, Place};
use super::footnote::{Footnotes, Role};
use super::inline::Written;
use super::line::{CODE, Formatting, Line, Piece};
use super::{MarkdownOptions, gutter, math};
use crate::address::Addresses;
use crate::kept::Kept;
use crate::layout::{Gap, gap};
use crate::permalink;

/// What to do when an element ends.
enum Close {
    Gap(Gap),
    Formatting(Formatting),
    Quotation,
    Heading(usize),
    Container,
    List,
    /// A list in a cell, or an item of it.
    Html(&'static str),
}

pub(super) struct Walk<'a> {
    dom: &'a Dom,
    options: &'a MarkdownOptions,
    addresses: Addresses,
    /// The addresses of links so far.
    targets: Vec<String>,
    kept: &'a Kept,
    footnotes: Footnotes,
    /// Dollar signs are escaped.
    has_math: bool,
    draws_dollars: bool,
    false_signs: u32,
    open: Vec<(NodeId, Close)>,
    line: Line,
    blocks: Blocks,
    /// A heading or a cell must be a single line.
    block: Block,
    /// Open lists in a cell.
    cell_lists: u32,
    may_end_formula: bool,
}

impl<'a> Walk<'a> {
    /// `dollars`: escape dollar signs, even if the page has no formulas.
    pub(super) fn new(
        page: &'a Page,
        kept: &'a Kept,
        options: &'a MarkdownOptions,
        dollars: bool,
    ) -> Self {
        let dom = page.dom();
        let draws_dollars = math::draws_dollars(dom);
        Walk {
            dom,
            options,
            addresses: Addresses::of(page),
            targets: Vec::new(),
            kept,
            footnotes: Footnotes::of(page, kept),
            has_math: dollars || draws_dollars || math::is_on(dom),
            draws_dollars,
            false_signs: 0,
            open: Vec::new(),
            line: Line::default(),
            blocks: Blocks::default(),
            block: Block::Flow,
            cell_lists: 0,
            may_end_formula: false,
        }
    }

    pub(super) fn run(mut self) -> Written {
        self.walk(0, self.dom.nodes().len() as NodeId);
        self.paragraph();
        Written {
            text: self.blocks.finish(),
            may_end_formula: self.may_end_formula,
        }
    }

    /// Walks a range of nodes that consists of whole subtrees.
    fn walk(&mut self, from: NodeId, to: NodeId) {
        let bottom = self.open.len();
        let mut id = from;
        while id < to {
            self.close_until(id, bottom);
            id = self.node(id);
        }
        self.close_until(to, bottom);
    }

    fn close_until(&mut self, id: NodeId, bottom: usize) {
        while self.open.len() > bottom
            && let Some((_, close)) = self.open.pop_if(|(end, _)| *end <= id)
        {
            match close {
                Close::Gap(gap) => self.gap(gap),
                Close::Formatting(before) => self.line.formatting = before,
                Close::Quotation => self.line.close_quotation(),
                Close::Heading(level) => {
                    self.block = Block::Flow;
                    self.heading(level);
                }
                Close::Container => {
                    self.paragraph();
                    self.blocks.close();
                }
                Close::List => {
                    self.paragraph();
                    self.blocks.close_list();
                }
                Close::Html(tag) => {
                    self.cell_lists -= u32::from(tag != "</li>");
                    self.line.html(tag);
                }
            }
        }
    }

    /// Processes one node; returns the next, after the subtree if that is done or left out.
    fn node(&mut self, id: NodeId) -> NodeId {
        let node = self.dom.node(id);
        if node.tag == Tag::TEXT {
            match self.kept.is_kept(id) {
                true => self.text(self.dom.text(id)),
                // White space between elements separates words; so does a removed text.
                false => self.line.need_space(),
            }
            return id + 1;
        }
        if !node.tag.is_element() {
            return id + 1;
        }
        if self.kept.is_removed(self.dom, id) {
            self.gap(gap(node.tag).max(Gap::Space));
            return node.end;
        }
        if let Some(formula) = math::of_element(self.dom, id) {
            self.line.piece(Piece::Math(formula.tex, formula.display));
            return node.end;
        }
        if node.foreign {
            if node.tag == Tag::MATH {
                self.line.words(&math::spelled(self.dom, id));
            }
            return node.end;
        }
        if self.is_left_out(id) {
            return node.end;
        }
        match self.footnotes.role(id) {
            None => self.element(id),
            Some(Role::Mark(label)) => {
                self.line.note(self.footnotes.label(label));
                node.end
            }
            Some(Role::Note(label)) => {
                self.gap(Gap::Paragraph);
                let label = self.footnotes.label(label);
                let close = match self.block == Block::Flow && self.blocks.open_footnote(label) {
                    true => Close::Container,
                    false => Close::Gap(Gap::Paragraph),
                };
                self.open.push((node.end, close));
                id + 1
            }
            Some(Role::Back) => {
                self.line.need_space();
                node.end
            }
        }
    }

    /// Formulas drawn by scripts, line numbers, permalinks and edit links.
    fn is_left_out(&self, id: NodeId) -> bool {
        let (dom, tag) = (self.dom, self.dom.node(id).tag);
        let by_class = |class| {
            math::is_drawing(dom, id, class)
                || gutter::names_gutter(class, tag) && gutter::is_numbers(dom, id)
        };
        let classes = dom.attribute(id, "class").unwrap_or_default();
        classes.split_ascii_whitespace().any(by_class) || permalink::is_heading_tool(dom, id)
    }

    fn text(&mut self, text: &str) {
        if self.line.wants_paragraph() && self.block == Block::Flow {
            self.paragraph();
        }
        let mut rest = text;
        while self.line.formatting.style & CODE == 0
            && let Some((range, formula)) =
                math::in_text(rest, self.draws_dollars, &mut self.false_signs)
        {
            self.line.words(&rest[..range.start]);
            if !formula.is_invisible() {
                self.line.piece(Piece::Math(formula.tex, formula.display));
            }
            rest = &rest[range.end..];
        }
        if !rest.is_empty() {
            self.line.words(rest);
        }
    }

    fn gap(&mut self, gap: Gap) {
        match (gap, self.block) {
            (Gap::None, _) => {}
            (Gap::Space | Gap::Cell, _) => self.line.need_space(),
            (Gap::Line | Gap::Paragraph, Block::Flow) => self.paragraph(),
            (Gap::Line | Gap::Paragraph, Block::Heading) => self.line.need_space(),
            (Gap::Line | Gap::Paragraph, Block::Cell) => self.line.need_break(),
        }
    }

    /// Takes the collected line as Markdown.
    fn take_line(&mut self, block: Block) -> String {
        let place = Place {
            block,
            math: self.has_math,
        };
        let written = self.line.take(place, &self.targets);
        self.may_end_formula |= written.may_end_formula;
        written.text
    }

    fn paragraph(&mut self) {
        let text = self.take_line(Block::Flow);
        if !text.is_empty() {
            self.blocks.block(&text, Kind::Paragraph);
        }
    }

    fn heading(&mut self, level: usize) {
        let text = self.take_line(Block::Heading);
        if !text.is_empty() {
            let text = format!("{} {text}", "#".repeat(level));
            self.blocks.block(&text, Kind::Other);
        }
    }
}
