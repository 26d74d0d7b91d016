//! Maps elements to Markdown.

use std::ops::Range;

use unframe_dom::{NodeId, Tag};

use super::{Close, Walk};
use crate::layout::{Gap, gap};
use crate::markdown::blocks::Kind;
use crate::markdown::escape::{self, Block, Place};
use crate::markdown::line::{CODE, DELETED, EMPHASIS, Piece, STRONG};
use crate::markdown::{code, language};

/// Maximum length of an address; longer ones contain data.
const MAX_ADDRESS: usize = 2000;
/// Maximum nodes of a quotation in a line.
const MAX_QUOTATION: u32 = 200;

impl Walk<'_> {
    /// Processes an element that is not left out; returns the next node.
    pub(super) fn element(&mut self, id: NodeId) -> NodeId {
        let node = self.dom.node(id);
        match node.tag {
            Tag::B | Tag::STRONG => self.style(id, STRONG),
            // MediaWiki's whole references are not shown in italics.
            Tag::CITE if self.is_citation(id) => {}
            Tag::I | Tag::EM | Tag::CITE | Tag::DFN | Tag::VAR => self.style(id, EMPHASIS),
            Tag::DEL | Tag::S | Tag::STRIKE => self.style(id, DELETED),
            Tag::CODE | Tag::TT | Tag::SAMP => {
                self.style(id, CODE);
                self.line.formatting.code = id;
            }
            Tag::INS => self.html_element(id, "ins"),
            Tag::KBD => self.html_element(id, "kbd"),
            Tag::SUP | Tag::SUB => return self.raised_or_lowered(id),
            Tag::Q => self.quotation(id),
            Tag::A => {
                let target = self.target(id);
                let before = self.line.formatting;
                self.line.formatting.link = target;
                self.open.push((node.end, Close::Formatting(before)));
            }
            Tag::IMG => {
                self.line.need_space();
                self.image(id);
            }
            Tag::INPUT => self.task(id),
            Tag::BR => match self.block {
                Block::Heading => self.line.need_space(),
                Block::Flow | Block::Cell => self.line.need_break(),
            },
            _ => match self.block {
                Block::Flow => return self.block_element(id),
                Block::Cell if gap(node.tag) >= Gap::Line => return self.cell_block(id),
                Block::Cell | Block::Heading => self.other_element(id),
            },
        }
        id + 1
    }

    /// Elements that are blocks of their own where a block can begin.
    fn block_element(&mut self, id: NodeId) -> NodeId {
        let (dom, node) = (self.dom, self.dom.node(id));
        match node.tag {
            Tag::HR => {
                self.paragraph();
                self.blocks.rule();
            }
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => {
                self.paragraph();
                self.code_block(id, id + 1..node.end);
                return node.end;
            }
            Tag::DIV if code::is_line(dom, id) => {
                self.paragraph();
                let end = code::end_of_lines(dom, id);
                self.code_block(id, id..end);
                return end;
            }
            Tag::TABLE => {
                self.paragraph();
                if self.table(id) {
                    return node.end;
                }
                self.open.push((node.end, Close::Gap(Gap::Paragraph)));
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                self.paragraph();
                self.block = Block::Heading;
                let level = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5]
                    .iter()
                    .position(|tag| *tag == node.tag);
                let level = level.map_or(6, |level| level + 1);
                self.open.push((node.end, Close::Heading(level)));
            }
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR | Tag::DL => {
                self.paragraph();
                let first = (node.tag == Tag::OL).then(|| self.number(id, "start").unwrap_or(1));
                self.blocks.open_list(first);
                self.open.push((node.end, Close::List));
            }
            Tag::LI | Tag::DD => {
                self.paragraph();
                let number = self.number(id, "value");
                let opened = self.blocks.open_item(number);
                self.container(id, opened);
            }
            tag if tag == Tag::BLOCKQUOTE || tag == Tag::DIV && self.is_quoted_post(id) => {
                self.paragraph();
                let opened = self.blocks.open_quote();
                self.container(id, opened);
            }
            Tag::DT => {
                self.paragraph();
                self.style(id, STRONG);
                self.open.push((node.end, Close::Gap(Gap::Paragraph)));
            }
            Tag::SUMMARY => {
                self.paragraph();
                if !self.has_heading(id) {
                    self.style(id, STRONG);
                }
                self.open.push((node.end, Close::Gap(Gap::Paragraph)));
            }
            Tag::FIGCAPTION => {
                self.paragraph();
                self.style(id, EMPHASIS);
                self.open.push((node.end, Close::Gap(Gap::Paragraph)));
            }
            _ => self.other_element(id),
        }
        id + 1
    }

    fn other_element(&mut self, id: NodeId) {
        let node = self.dom.node(id);
        let gap = gap(node.tag);
        if gap > Gap::None {
            self.gap(gap);
            self.open.push((node.end, Close::Gap(gap)));
        }
    }

    /// A list item or a quotation; only a paragraph if these are nested too deeply.
    fn container(&mut self, id: NodeId, opened: bool) {
        let close = match opened {
            true => Close::Container,
            false => Close::Gap(Gap::Paragraph),
        };
        self.open.push((self.dom.node(id).end, close));
    }

    pub(super) fn style(&mut self, id: NodeId, style: u8) {
        let before = self.line.formatting;
        self.line.formatting.style |= style;
        let end = self.dom.node(id).end;
        self.open.push((end, Close::Formatting(before)));
    }

    /// An element that Markdown has no signs for.
    fn html_element(&mut self, id: NodeId, name: &'static str) {
        let before = self.line.formatting;
        self.line.open_element(name);
        let end = self.dom.node(id).end;
        self.open.push((end, Close::Formatting(before)));
    }

    /// Exponents and indices: digits as such characters, others as HTML, because `x` with a raised `n+1`
    /// is not `xn+1`.
    fn raised_or_lowered(&mut self, id: NodeId) -> NodeId {
        let node = self.dom.node(id);
        let raised = node.tag == Tag::SUP;
        if let Some(number) = self.small_number(id) {
            self.line.words(&small_number(&number, raised));
            return node.end;
        }
        if !self.says_the_same_on_the_line(id) {
            self.html_element(id, if raised { "sup" } else { "sub" });
        }
        id + 1
    }

    /// An exponent, an index, or the mark of a note that is not known: digits that touch the word before.
    fn small_number(&self, id: NodeId) -> Option<String> {
        let dom = self.dom;
        let nodes = dom.subtree(id).skip(1);
        let is_plain = |id: NodeId| match dom.node(id).tag {
            Tag::TEXT | Tag::SPAN | Tag::SMALL => true,
            Tag::A => self.address(id).is_none(),
            _ => false,
        };
        let touches = self.line.formatting.link.is_none() && self.line.touches();
        if !touches || dom.node(id).end - id > 4 || !nodes.clone().all(is_plain) {
            return None;
        }
        let kept = nodes.filter(|text| self.kept.is_kept(*text));
        let number: String = kept.map(|text| dom.text(text)).collect();
        let fits = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-');
        let is_number = number.len() <= 4 && number.chars().all(fits);
        (is_number && number.contains(|c: char| c.is_ascii_digit())).then_some(number)
    }

    /// Ordinals (`1st`), trade marks (`®`), marks in brackets (`[1]`), and what is not raised by its
    /// words, such as whole blocks.
    fn says_the_same_on_the_line(&self, id: NodeId) -> bool {
        let dom = self.dom;
        if dom.node(id).end - id > 40 {
            return true;
        }
        let text: String = dom.subtree(id).map(|text| dom.text(text)).collect();
        let text = text.trim();
        let after_digit = || self.line.last_char().is_some_and(|c| c.is_ascii_digit());
        let is_ordinal = ["st", "nd", "rd", "th"].contains(&text) && after_digit();
        let is_block = || dom.subtree(id).any(|id| gap(dom.node(id).tag) >= Gap::Line);
        is_ordinal
            || text.chars().all(|c| matches!(c, '®' | '™' | '©' | '℠'))
            || (text.starts_with('[') && text.ends_with(']'))
            || is_block()
    }

    /// A quotation in a line, which browsers show in quotation marks.
    fn quotation(&mut self, id: NodeId) {
        const MARKS: [char; 9] = ['"', '\'', '“', '”', '„', '‘', '’', '«', '»'];
        let dom = self.dom;
        let mut texts = dom.subtree(id).take(20).map(|text| dom.text(text).trim());
        let first = texts.find(|text| !text.is_empty());
        let is_marked = first.is_none_or(|text| text.starts_with(MARKS));
        let is_long = dom.node(id).end - id > MAX_QUOTATION;
        let mut inner = dom.subtree(id).skip(1);
        if is_marked || is_long || inner.any(|id| gap(dom.node(id).tag) >= Gap::Line) {
            return;
        }
        self.line.open_quotation();
        self.open.push((dom.node(id).end, Close::Quotation));
    }

    /// The box of a task at the start of a list item. Renderers of task lists disable it; others belong to
    /// forms.
    fn task(&mut self, id: NodeId) {
        let is = |name, value: &str| {
            let stated = self.dom.attribute(id, name);
            stated.is_some_and(|stated| stated.trim().eq_ignore_ascii_case(value))
        };
        let has = |name| self.dom.attribute(id, name).is_some();
        let named = || {
            let above = self.dom.ancestors(id).take(3);
            let mut classes = above.filter_map(|above| self.dom.attribute(above, "class"));
            classes.any(|class| class.contains("task-list"))
        };
        let begins = self.block == Block::Flow && self.line.is_empty();
        if is("type", "checkbox")
            && (has("disabled") || named())
            && begins
            && self.blocks.at_start_of_item()
        {
            self.line.piece(Piece::Task(has("checked")));
        }
        self.line.need_space();
    }

    fn code_block(&mut self, pre: NodeId, nodes: Range<NodeId>) {
        let text = code::text(self.dom, self.kept, pre, nodes);
        if let Some(block) = code::fenced(&text, language::language(self.dom, pre)) {
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
        let place = Place {
            block: Block::Cell,
            math: self.has_math,
        };
        self.line.piece(Piece::Image {
            alt: alt.to_string(),
            src: escape::address(&src, place).into_owned(),
        });
        self.line.need_space();
    }

    /// The index of a link's address.
    fn target(&mut self, link: NodeId) -> Option<usize> {
        let address = self.address(link)?;
        self.targets.push(address);
        Some(self.targets.len() - 1)
    }

    /// The address of a link that is written.
    fn address(&self, link: NodeId) -> Option<String> {
        let href = self.dom.attribute(link, "href");
        let href = href.filter(|_| self.options.links)?;
        let address = self.addresses.resolve(href)?;
        (address.len() <= MAX_ADDRESS).then_some(address)
    }

    pub(super) fn number(&self, id: NodeId, name: &str) -> Option<u64> {
        self.dom.attribute(id, name)?.trim().parse().ok()
    }

    fn is_citation(&self, id: NodeId) -> bool {
        self.classes(id).any(|class| class == "citation")
    }

    /// The quotation of a post, in phpBB and vBulletin.
    fn is_quoted_post(&self, id: NodeId) -> bool {
        let mut classes = self.classes(id);
        classes.any(|class| matches!(class, "quotecontent" | "bbcode_quote"))
    }

    fn classes(&self, id: NodeId) -> impl Iterator<Item = &str> {
        let classes = self.dom.attribute(id, "class").unwrap_or_default();
        classes.split_ascii_whitespace()
    }

    fn has_heading(&self, id: NodeId) -> bool {
        let mut inner = self.dom.subtree(id).take(40);
        inner.any(|id| {
            matches!(
                self.dom.node(id).tag,
                Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6
            )
        })
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
