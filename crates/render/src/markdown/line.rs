//! Collects the content of a line: runs of text with their style, link and elements.

use unframe_dom::NodeId;
use unframe_page::{for_each_word_run, is_space};

use super::escape::Place;
use super::inline::{self, Written};

/// Bold.
pub(super) const STRONG: u8 = 1;
/// Italic.
pub(super) const EMPHASIS: u8 = 2;
/// Code.
pub(super) const CODE: u8 = 4;
/// Struck out.
pub(super) const DELETED: u8 = 8;

/// Elements nested deeper inside each other are not written.
const MAX_ELEMENTS: u8 = 6;

/// The style of a run of text, and the elements that contain it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Formatting {
    pub(super) style: u8,
    /// The element that makes it code: adjacent elements are separate, unless they touch.
    pub(super) code: NodeId,
    /// The index of the link's address.
    pub(super) link: Option<usize>,
    /// The innermost element that is written as HTML.
    pub(super) element: ElementId,
}

/// The index of an inline element; 0 for none.
pub(super) type ElementId = u32;

/// Inline elements that are written as HTML, because Markdown has no signs for them: `sup`, `sub`,
/// `ins`, `kbd`.
#[derive(Debug, Default)]
pub(super) struct Elements {
    /// Each with its parent and depth. A parent comes before its children.
    all: Vec<(&'static str, ElementId, u8)>,
}

impl Elements {
    fn open(&mut self, name: &'static str, parent: ElementId) -> ElementId {
        let depth = self.get(parent).map_or(0, |(_, _, depth)| depth + 1);
        if depth >= MAX_ELEMENTS {
            return parent;
        }
        self.all.push((name, parent, depth));
        self.all.len() as ElementId
    }

    fn get(&self, id: ElementId) -> Option<(&'static str, ElementId, u8)> {
        self.all.get((id as usize).checked_sub(1)?).copied()
    }

    pub(super) fn name(&self, id: ElementId) -> &'static str {
        self.get(id).map_or("", |(name, _, _)| name)
    }

    pub(super) fn parent(&self, id: ElementId) -> ElementId {
        self.get(id).map_or(0, |(_, parent, _)| parent)
    }

    /// The innermost element that contains both.
    pub(super) fn common(&self, mut a: ElementId, mut b: ElementId) -> ElementId {
        while a != b {
            match a > b {
                true => a = self.parent(a),
                false => b = self.parent(b),
            }
        }
        a
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// A line of a code block, in the cell of a table.
    CodeLine(String),
    /// TeX; true for a display formula.
    Math(String, bool),
    Image {
        alt: String,
        src: String,
    },
    /// The reference to a footnote.
    Note(String),
    /// The box of a task, ticked or not.
    Task(bool),
    /// The tag of a block, in the cell of a table.
    Html(String),
    Break,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) piece: Piece,
    pub(super) formatting: Formatting,
}

/// The line being collected.
#[derive(Debug, Default)]
pub(super) struct Line {
    runs: Vec<Run>,
    /// White space occurred since the last run.
    space: bool,
    /// Line breaks since the last run.
    breaks: u32,
    /// Quotation marks to be written before the next run.
    quotes: String,
    pub(super) formatting: Formatting,
    elements: Elements,
}

impl Line {
    pub(super) fn need_space(&mut self) {
        self.space = true;
    }

    pub(super) fn need_break(&mut self) {
        self.breaks += 1;
    }

    /// More than one line break: a paragraph made with `br` instead of `p`.
    pub(super) fn wants_paragraph(&self) -> bool {
        self.breaks > 1 && !self.runs.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The following content is inside an element of this name.
    pub(super) fn open_element(&mut self, name: &'static str) {
        self.formatting.element = self.elements.open(name, self.formatting.element);
    }

    pub(super) fn open_quotation(&mut self) {
        self.quotes.push('“');
    }

    pub(super) fn close_quotation(&mut self) {
        if self.quotes.pop().is_some() || self.runs.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some(Run {
                piece: Piece::Text(last),
                formatting,
            }) if *formatting == self.formatting => last.push('”'),
            _ => self.push(Piece::Text("”".into())),
        }
    }

    /// Adds text, with collapsed white space.
    pub(super) fn words(&mut self, text: &str) {
        if text.starts_with(is_space) {
            self.space = true;
        }
        for_each_word_run(text, |words| {
            self.close_gap();
            match self.runs.last_mut() {
                Some(Run {
                    piece: Piece::Text(last),
                    formatting,
                }) if *formatting == self.formatting => last.push_str(words),
                _ => self.push(Piece::Text(words.to_string())),
            }
            self.space = true;
        });
        if !text.ends_with(is_space) {
            self.space = false;
        }
    }

    pub(super) fn piece(&mut self, piece: Piece) {
        self.close_gap();
        self.push(piece);
    }

    /// Adds the reference to a footnote. It cannot be in a link, nor in code.
    pub(super) fn note(&mut self, label: &str) {
        let outer = self.formatting;
        self.formatting.link = None;
        self.formatting.style &= !CODE;
        self.formatting.code = 0;
        self.piece(Piece::Note(label.to_string()));
        self.formatting = outer;
    }

    /// Adds the tag of a block. It separates words, so no white space or line break is needed.
    pub(super) fn html(&mut self, tag: impl Into<String>) {
        (self.space, self.breaks) = (false, 0);
        self.runs.push(Run {
            piece: Piece::Html(tag.into()),
            formatting: Formatting::default(),
        });
    }

    /// True if a word would touch the text before it.
    pub(super) fn touches(&self) -> bool {
        self.last_char().is_some()
    }

    /// The last character, if a word would touch it.
    pub(super) fn last_char(&self) -> Option<char> {
        match self.runs.last() {
            Some(Run {
                piece: Piece::Text(text),
                ..
            }) if !self.space && self.breaks == 0 => text.chars().next_back(),
            _ => None,
        }
    }

    fn push(&mut self, piece: Piece) {
        let formatting = self.formatting;
        self.runs.push(Run { piece, formatting });
    }

    fn close_gap(&mut self) {
        self.close_white_space();
        if !self.quotes.is_empty() {
            let quotes = std::mem::take(&mut self.quotes);
            self.push(Piece::Text(quotes));
        }
    }

    /// White space gets the styles that both neighbours have, so that no style begins or ends with
    /// white space.
    fn close_white_space(&mut self) {
        let (space, breaks) = (
            std::mem::take(&mut self.space),
            std::mem::take(&mut self.breaks),
        );
        let Some(last) = self.runs.last_mut() else {
            return;
        };
        if matches!(last.piece, Piece::Html(_)) {
            return;
        }
        if breaks > 0 {
            self.runs.push(Run {
                piece: Piece::Break,
                formatting: Formatting::default(),
            });
            return;
        }
        if !space {
            return;
        }
        let common = last.formatting.common(self.formatting, &self.elements);
        match &mut last.piece {
            Piece::Text(text) if last.formatting == common => text.push(' '),
            _ => self.runs.push(Run {
                piece: Piece::Text(" ".into()),
                formatting: common,
            }),
        }
    }

    /// Takes the line as Markdown and clears it; `addresses` are the targets of links.
    pub(super) fn take(&mut self, place: Place, addresses: &[String]) -> Written {
        let runs = std::mem::take(&mut self.runs);
        (self.space, self.breaks) = (false, 0);
        self.quotes.clear();
        if !runs.iter().any(Run::is_content) {
            return Written::default();
        }
        inline::write(runs, place, addresses, &self.elements)
    }
}

impl Formatting {
    /// Whether no sign is written between this and the next.
    pub(super) fn ends_plainly(self, next: Formatting) -> bool {
        (self.style & !next.style, self.element, self.link) == (0, next.element, next.link)
    }

    /// The style of the white space between two runs.
    fn common(self, next: Formatting, elements: &Elements) -> Formatting {
        if self.link != next.link {
            return Formatting::default();
        }
        let same_code = self.code == next.code;
        Formatting {
            style: self.style & next.style & if same_code { !0 } else { !CODE },
            code: if same_code { self.code } else { 0 },
            link: self.link,
            element: elements.common(self.element, next.element),
        }
    }
}

impl Run {
    /// False for signs that say nothing without a text.
    fn is_content(&self) -> bool {
        !matches!(self.piece, Piece::Task(_) | Piece::Html(_) | Piece::Break)
    }

    pub(super) fn length(&self) -> usize {
        match &self.piece {
            Piece::Text(text) => text.len(),
            _ => 0,
        }
    }

    pub(super) fn is(&self, style: u8) -> bool {
        self.formatting.style & style != 0
    }

    pub(super) fn is_space(&self) -> bool {
        matches!(&self.piece, Piece::Text(text) if text == " ")
    }

    pub(super) fn starts_with_space(&self) -> bool {
        match &self.piece {
            Piece::Text(text) => text.starts_with(' '),
            Piece::Break => true,
            _ => false,
        }
    }

    pub(super) fn ends_with_space(&self) -> bool {
        match &self.piece {
            Piece::Text(text) => text.ends_with(' '),
            Piece::Break => true,
            _ => false,
        }
    }
}
