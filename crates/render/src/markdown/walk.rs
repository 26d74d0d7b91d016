//! The walk over the tree, which maps elements to Markdown.

use std::ops::Range;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_labels::Labels;
use unframe_page::Page;

use super::blocks::{Blocks, Kind};
use super::escape::{self, Block, Place};
use super::inline::{CODE, EMPHASIS, Formatting, Line, Piece, STRONG};
use super::{MarkdownOptions, code, math, table};
use crate::address::Addresses;
use crate::kept::Kept;
use crate::layout::{Gap, gap};

/// Maximum length of an address; longer ones contain data.
const MAX_ADDRESS: usize = 2000;

/// What to do when an element ends.
enum Close {
    Gap(Gap),
    Formatting(Formatting),
    Heading(usize),
    Container,
    List,
}

pub(super) struct Walk<'a> {
    dom: &'a Dom,
    options: &'a MarkdownOptions,
    addresses: Addresses,
    /// The addresses of links so far.
    targets: Vec<String>,
    kept: Kept,
    has_math: bool,
    draws_dollars: bool,
    false_signs: u32,
    open: Vec<(NodeId, Close)>,
    line: Line,
    blocks: Blocks,
    /// In a heading or a cell, which must be a single line.
    one_line: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(page: &'a Page, labels: &Labels, options: &'a MarkdownOptions) -> Self {
        let dom = page.dom();
        let draws_dollars = math::draws_dollars(dom);
        Walk {
            dom,
            options,
            addresses: Addresses::of(page),
            targets: Vec::new(),
            kept: Kept::of(dom, labels),
            has_math: draws_dollars || math::is_on(dom),
            draws_dollars,
            false_signs: 0,
            open: Vec::new(),
            line: Line::default(),
            blocks: Blocks::default(),
            one_line: false,
        }
    }

    pub(super) fn run(mut self) -> String {
        self.walk(0, self.dom.nodes().len() as NodeId);
        self.paragraph();
        self.blocks.finish()
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
                Close::Heading(level) => {
                    self.one_line = false;
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
        if math::is_drawing(self.dom, id) || self.is_permalink(id) {
            return node.end;
        }
        self.element(id)
    }

    /// Elements of HTML that are not left out.
    fn element(&mut self, id: NodeId) -> NodeId {
        let (dom, node) = (self.dom, self.dom.node(id));
        match node.tag {
            Tag::B | Tag::STRONG => self.style(id, STRONG),
            Tag::I | Tag::EM | Tag::CITE | Tag::DFN | Tag::VAR => self.style(id, EMPHASIS),
            Tag::CODE | Tag::TT | Tag::KBD | Tag::SAMP => {
                self.style(id, CODE);
                self.line.formatting.code = id;
            }
            Tag::A => {
                let before = self.line.formatting;
                self.line.formatting.link = self.target(id);
                self.open.push((node.end, Close::Formatting(before)));
            }
            Tag::SUP | Tag::SUB if self.is_small_number(id) => {
                let number: String = dom.subtree(id).map(|text| dom.text(text)).collect();
                self.line
                    .words(&small_number(number.trim(), node.tag == Tag::SUP));
                return node.end;
            }
            Tag::IMG => {
                self.line.need_space();
                self.image(id);
            }
            Tag::BR => self.line_break(),
            Tag::HR if !self.one_line => {
                self.paragraph();
                self.blocks.rule();
            }
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT if !self.one_line => {
                self.paragraph();
                self.code_block(id, id + 1..node.end);
                return node.end;
            }
            Tag::DIV if !self.one_line && code::is_line(dom, id) => {
                self.paragraph();
                let end = code::end_of_lines(dom, id);
                self.code_block(id, id..end);
                return end;
            }
            Tag::TABLE if !self.one_line => {
                self.paragraph();
                let kept = |id| self.kept.kept_in(self.dom, id);
                if let Some(grid) = table::grid(dom, id, kept) {
                    self.table(&grid);
                    return node.end;
                }
                self.open.push((node.end, Close::Gap(Gap::Paragraph)));
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 if !self.one_line => {
                self.paragraph();
                self.one_line = true;
                let level = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5]
                    .iter()
                    .position(|tag| *tag == node.tag);
                let level = level.map_or(6, |level| level + 1);
                self.open.push((node.end, Close::Heading(level)));
            }
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR if !self.one_line => {
                self.paragraph();
                let first = (node.tag == Tag::OL).then(|| self.number(id, "start").unwrap_or(1));
                self.blocks.open_list(first);
                self.open.push((node.end, Close::List));
            }
            Tag::LI | Tag::DD if !self.one_line => {
                self.paragraph();
                let number = self.number(id, "value");
                if self.blocks.open_item(number) {
                    self.open.push((node.end, Close::Container));
                } else {
                    self.open.push((node.end, Close::Gap(Gap::Paragraph)));
                }
            }
            Tag::DL if !self.one_line => {
                self.paragraph();
                self.blocks.open_list(None);
                self.open.push((node.end, Close::List));
            }
            Tag::DT if !self.one_line => {
                self.paragraph();
                let before = self.line.formatting;
                self.line.formatting.style |= STRONG;
                self.open.push((node.end, Close::Formatting(before)));
                self.open.push((node.end, Close::Gap(Gap::Paragraph)));
            }
            Tag::BLOCKQUOTE if !self.one_line => {
                self.paragraph();
                if self.blocks.open_quote() {
                    self.open.push((node.end, Close::Container));
                } else {
                    self.open.push((node.end, Close::Gap(Gap::Paragraph)));
                }
            }
            tag => {
                let gap = gap(tag);
                if gap > Gap::None {
                    self.gap(gap);
                    self.open.push((node.end, Close::Gap(gap)));
                }
            }
        }
        id + 1
    }

    fn text(&mut self, text: &str) {
        if self.line.wants_paragraph() && !self.one_line {
            self.paragraph();
        }
        let mut rest = text;
        while self.line.formatting.style & CODE == 0
            && let Some((range, formula)) =
                math::in_text(rest, self.draws_dollars, &mut self.false_signs)
        {
            self.line.words(&rest[..range.start]);
            self.line.piece(Piece::Math(formula.tex, formula.display));
            rest = &rest[range.end..];
        }
        if !rest.is_empty() {
            self.line.words(rest);
        }
    }

    fn style(&mut self, id: NodeId, style: u8) {
        let before = self.line.formatting;
        self.line.formatting.style |= style;
        self.open
            .push((self.dom.node(id).end, Close::Formatting(before)));
    }

    fn gap(&mut self, gap: Gap) {
        match gap {
            Gap::None => {}
            Gap::Space | Gap::Cell => self.line.need_space(),
            Gap::Line | Gap::Paragraph if self.one_line => self.line.need_space(),
            Gap::Line | Gap::Paragraph => self.paragraph(),
        }
    }

    fn line_break(&mut self) {
        match self.one_line {
            true => self.line.need_space(),
            false => self.line.need_break(),
        }
    }

    fn place(&self, block: Block) -> Place {
        Place {
            block,
            math: self.has_math,
        }
    }

    /// Takes the collected line as Markdown.
    fn take_line(&mut self, block: Block) -> String {
        let place = self.place(block);
        self.line.take(place, &self.targets)
    }

    /// The index of a link's address.
    fn target(&mut self, link: NodeId) -> Option<usize> {
        let href = self
            .dom
            .attribute(link, "href")
            .filter(|_| self.options.links)?;
        let address = self.addresses.resolve(href)?;
        (address.len() <= MAX_ADDRESS).then(|| {
            self.targets.push(address);
            self.targets.len() - 1
        })
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

    fn table(&mut self, grid: &table::Grid) {
        if let Some(caption) = grid.caption {
            self.walk(caption, self.dom.node(caption).end);
            self.paragraph();
        }
        let outer = self.line.formatting;
        self.one_line = true;
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
        self.one_line = false;
        self.blocks
            .block(&table::write(&rows, grid.headed), Kind::Other);
    }

    /// The kept text of some nodes with its white space, and a line for each block element.
    fn code_block(&mut self, pre: NodeId, nodes: Range<NodeId>) {
        let dom = self.dom;
        let mut text = String::new();
        let mut ends: Vec<(NodeId, Gap)> = Vec::new();
        let nodes_are_lines = nodes.start == pre;
        for id in nodes {
            while let Some((_, gap)) = ends.pop_if(|(end, _)| *end <= id) {
                set_apart(&mut text, gap);
            }
            let node = dom.node(id);
            let kept = self.kept.is_kept(id);
            match node.tag {
                // White space between lines that are elements.
                Tag::TEXT if nodes_are_lines && node.parent == dom.node(pre).parent => {}
                Tag::TEXT if kept || dom.text(id).trim().is_empty() => text.push_str(dom.text(id)),
                Tag::TEXT => text.push(' '),
                Tag::BR => text.push('\n'),
                tag if gap(tag) > Gap::None && !node.foreign => {
                    set_apart(&mut text, gap(tag));
                    ends.push((node.end, gap(tag)));
                }
                _ => {}
            }
        }
        if let Some(block) = code::fenced(&text, code::language(dom, pre)) {
            self.blocks.block(&block, Kind::Other);
        }
    }

    fn image(&mut self, id: NodeId) {
        if !self.options.images {
            return;
        }
        let dom = self.dom;
        let is_data = |src: &&str| {
            src.trim()
                .get(..5)
                .is_some_and(|start| start.eq_ignore_ascii_case("data:"))
        };
        // Lazily loaded images have their address in other attributes.
        let src = ["src", "data-src", "data-original", "data-lazy-src"]
            .iter()
            .filter_map(|name| dom.attribute(id, name))
            .find(|src| !src.trim().is_empty() && !is_data(src));
        let Some(src) = src.and_then(|src| self.addresses.resolve(src)) else {
            return;
        };
        if src.len() > MAX_ADDRESS {
            return;
        }
        let mut alt = String::new();
        let alt = unframe_page::normalise(dom.attribute(id, "alt").unwrap_or_default(), &mut alt);
        self.line.piece(Piece::Image {
            alt: alt.to_string(),
            src: escape::address(&src, self.place(Block::Cell)),
        });
        self.line.need_space();
    }

    fn number(&self, id: NodeId, name: &str) -> Option<u64> {
        self.dom.attribute(id, name)?.trim().parse().ok()
    }

    /// True for a permalink beside a heading or a term.
    fn is_permalink(&self, id: NodeId) -> bool {
        let dom = self.dom;
        let leads_here = || {
            dom.attribute(id, "href")
                .is_some_and(|href| href.contains('#'))
        };
        if dom.node(id).tag != Tag::A || !leads_here() {
            return false;
        }
        let text: String = dom.subtree(id).take(8).map(|text| dom.text(text)).collect();
        matches!(text.trim(), "¶" | "#" | "§" | "🔗" | "\u{f0c1}")
    }

    /// An exponent or an index: digits that touch the word before. Footnote marks, which are links,
    /// are not.
    fn is_small_number(&self, id: NodeId) -> bool {
        let dom = self.dom;
        let end = dom.node(id).end;
        let plain = end == id + 2 && self.line.formatting.link.is_none() && self.line.touches();
        let text = dom.text(id + 1 - u32::from(!plain)).trim();
        plain
            && self.kept.kept_in(self.dom, id) == 1
            && !text.is_empty()
            && text.len() <= 4
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '+' | '-'))
    }
}

/// Ends the line of code, or the word.
fn set_apart(code: &mut String, gap: Gap) {
    if gap >= Gap::Line && !code.is_empty() && !code.ends_with('\n') {
        code.push('\n');
    } else if gap < Gap::Line && !code.ends_with(char::is_whitespace) {
        code.push(' ');
    }
}

/// Digits above or below the line, so that 10⁶ does not become 106.
fn small_number(number: &str, above: bool) -> String {
    let small = |c: char| match (c, above) {
        ('1', true) => '¹',
        ('2', true) => '²',
        ('3', true) => '³',
        ('+', true) => '⁺',
        ('-', true) => '⁻',
        ('+', false) => '₊',
        ('-', false) => '₋',
        (digit, true) => char::from_u32('⁰' as u32 + (digit as u32 - '0' as u32)).unwrap_or(digit),
        (digit, false) => char::from_u32('₀' as u32 + (digit as u32 - '0' as u32)).unwrap_or(digit),
    };
    number.chars().map(small).collect()
}
