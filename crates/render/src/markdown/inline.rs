//! Inline content: runs of text with style and link, and their Markdown.

use unframe_dom::NodeId;
use unframe_page::{for_each_word_run, is_space};

use super::escape::{self, Block, Place};

/// Bold.
pub(super) const STRONG: u8 = 1;
/// Italic.
pub(super) const EMPHASIS: u8 = 2;
/// Code.
pub(super) const CODE: u8 = 4;

/// The style of a run of text, and the elements that contain it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Formatting {
    pub(super) style: u8,
    /// The element that makes it code: adjacent elements are separate, unless they touch.
    pub(super) code: NodeId,
    /// The index of the link's address.
    pub(super) link: Option<usize>,
}

impl Formatting {
    /// The style of the white space between two runs.
    fn common(self, next: Formatting) -> Formatting {
        if self.link != next.link {
            return Formatting::default();
        }
        let same_code = self.code == next.code;
        Formatting {
            style: self.style & next.style & if same_code { !0 } else { !CODE },
            code: if same_code { self.code } else { 0 },
            link: self.link,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// TeX; true for a display formula.
    Math(String, bool),
    Image {
        alt: String,
        src: String,
    },
    Break,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    piece: Piece,
    formatting: Formatting,
}

/// The line being collected.
#[derive(Debug, Default)]
pub(super) struct Line {
    runs: Vec<Run>,
    /// White space occurred since the last run.
    space: bool,
    /// Line breaks since the last run.
    breaks: u32,
    pub(super) formatting: Formatting,
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

    /// True if a word would touch the text before it.
    pub(super) fn touches(&self) -> bool {
        let text = matches!(
            self.runs.last(),
            Some(Run {
                piece: Piece::Text(_),
                ..
            })
        );
        text && !self.space && self.breaks == 0
    }

    fn push(&mut self, piece: Piece) {
        let formatting = self.formatting;
        self.runs.push(Run { piece, formatting });
    }

    /// White space gets the styles that both neighbours have, so that no style begins or ends with
    /// white space.
    fn close_gap(&mut self) {
        let (space, breaks) = (
            std::mem::take(&mut self.space),
            std::mem::take(&mut self.breaks),
        );
        let Some(last) = self.runs.last_mut() else {
            return;
        };
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
        let common = last.formatting.common(self.formatting);
        match &mut last.piece {
            Piece::Text(text) if last.formatting == common => text.push(' '),
            _ => self.runs.push(Run {
                piece: Piece::Text(" ".into()),
                formatting: common,
            }),
        }
    }

    /// Takes the line as Markdown and clears it; `addresses` are the targets of links.
    pub(super) fn take(&mut self, place: Place, addresses: &[String]) -> String {
        let mut runs = std::mem::take(&mut self.runs);
        (self.space, self.breaks) = (false, 0);
        merge(&mut runs);
        settle_touching_styles(&mut runs);
        merge(&mut runs);
        let runs = set_spaces_apart(runs);
        // A dollar sign in code cannot be escaped, and could end a formula begun by one in the text.
        let dollars = |run: &Run| matches!(&run.piece, Piece::Text(text) if run.is(CODE) && text.contains('$'));
        let place = Place {
            math: place.math || runs.iter().any(dollars),
            ..place
        };
        let mut writer = Writer {
            runs: &runs,
            place,
            addresses,
            out: String::new(),
        };
        writer.links();
        if place.block == Block::Heading {
            escape::closing_hashes(&mut writer.out);
        }
        writer.out
    }
}

/// Joins adjacent runs of the same style.
fn merge(runs: &mut Vec<Run>) {
    let alike = |a: Formatting, b: Formatting| (a.style, a.link) == (b.style, b.link);
    runs.dedup_by(|next, last| match (&mut last.piece, &next.piece) {
        (Piece::Text(text), Piece::Text(more)) if alike(last.formatting, next.formatting) => {
            text.push_str(more);
            true
        }
        _ => false,
    });
}

/// Splits white space at the ends of texts into separate runs, so that no style begins or ends with it.
fn set_spaces_apart(runs: Vec<Run>) -> Vec<Run> {
    let mut out = Vec::with_capacity(runs.len());
    for run in runs {
        let formatting = run.formatting;
        let space = || Run {
            piece: Piece::Text(" ".into()),
            formatting,
        };
        let Piece::Text(text) = &run.piece else {
            out.push(run);
            continue;
        };
        let words = text.trim_matches(' ');
        if text.starts_with(' ') {
            out.push(space());
        }
        let trailing = text.ends_with(' ') && !words.is_empty();
        if !words.is_empty() {
            out.push(Run {
                piece: Piece::Text(words.to_string()),
                formatting,
            });
        }
        if trailing {
            out.push(space());
        }
    }
    out
}

/// Delimiters of adjacent styles without white space between would run together, as in `**a***b*`; so
/// would those of code. There, both runs get their common style or, if there is none, the shorter run
/// loses its style.
fn settle_touching_styles(runs: &mut [Run]) {
    const BOTH: u8 = STRONG | EMPHASIS;
    for at in 1..runs.len() {
        let (before, after) = runs.split_at_mut(at);
        let (left, right) = (&mut before[at - 1], &mut after[0]);
        let (a, b) = (left.formatting.style & BOTH, right.formatting.style & BOTH);
        let touching = !left.ends_with_space() && !right.starts_with_space();
        let both_code = left.is(CODE) && right.is(CODE);
        if a == b || !touching || ((a == 0 || b == 0) && !both_code) {
            continue;
        }
        if a & b == 0 && !both_code {
            let shorter = if left.length() < right.length() {
                left
            } else {
                right
            };
            shorter.formatting.style &= !BOTH;
        } else {
            left.formatting.style = left.formatting.style & !BOTH | (a & b);
            right.formatting.style = right.formatting.style & !BOTH | (a & b);
        }
    }
}

impl Run {
    fn length(&self) -> usize {
        match &self.piece {
            Piece::Text(text) => text.len(),
            _ => 0,
        }
    }

    fn is(&self, style: u8) -> bool {
        self.formatting.style & style != 0
    }

    /// The text, if it is written without delimiters at its ends.
    fn bare(&self) -> Option<&str> {
        match &self.piece {
            Piece::Text(text) if !self.is(CODE) => Some(text),
            _ => None,
        }
    }

    fn is_space(&self) -> bool {
        matches!(&self.piece, Piece::Text(text) if text == " ")
    }

    fn starts_with_space(&self) -> bool {
        match &self.piece {
            Piece::Text(text) => text.starts_with(' '),
            Piece::Break => true,
            _ => false,
        }
    }

    fn ends_with_space(&self) -> bool {
        match &self.piece {
            Piece::Text(text) => text.ends_with(' '),
            Piece::Break => true,
            _ => false,
        }
    }
}

/// The class of a character for the flanking rules of emphasis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Sign,
    Letter,
}

impl Class {
    /// The class of the character inside the emphasis; if in doubt punctuation, the stricter case.
    fn inside(c: Option<char>) -> Class {
        match c {
            Some(c) if c.is_whitespace() => Class::Space,
            Some(c) if c.is_alphanumeric() => Class::Letter,
            _ => Class::Sign,
        }
    }

    /// The class of the character outside; if in doubt a letter, the stricter case.
    fn outside(c: Option<char>) -> Class {
        match c {
            None => Class::Sign,
            Some(c) if c.is_whitespace() => Class::Space,
            Some(c) if c.is_ascii_punctuation() => Class::Sign,
            Some(_) => Class::Letter,
        }
    }
}

struct Writer<'a> {
    runs: &'a [Run],
    place: Place,
    addresses: &'a [String],
    out: String,
}

impl Writer<'_> {
    /// Groups runs by link, then by bold, then by italic.
    fn links(&mut self) {
        let mut from = 0;
        while from < self.runs.len() {
            let link = self.runs[from].formatting.link;
            let to = self.end_of(from, self.runs.len(), |run| run.formatting.link == link);
            match link {
                Some(link) => {
                    if self.out.ends_with('!') {
                        self.out.insert(self.out.len() - 1, '\\');
                    }
                    self.out.push('[');
                    self.styles(from, to, &[(STRONG, "**"), (EMPHASIS, "*")]);
                    self.out.push_str("](");
                    let address = escape::address(&self.addresses[link], self.place);
                    self.out.push_str(&address);
                    self.out.push(')');
                }
                None => self.styles(from, to, &[(STRONG, "**"), (EMPHASIS, "*")]),
            }
            from = to;
        }
    }

    fn styles(&mut self, mut from: usize, end: usize, levels: &[(u8, &str)]) {
        let Some(((style, sign), inner)) = levels.split_first() else {
            return (from..end).for_each(|at| self.run(at));
        };
        while from < end {
            let on = self.runs[from].is(*style);
            let to = self.end_of(from, end, |run| run.is(*style) == on);
            let is_word = |at: &usize| !self.runs[*at].is_space();
            let first = (from..to).find(is_word).unwrap_or(to);
            let end = (first..to).rev().find(is_word).map_or(to, |last| last + 1);
            let signed = on && first < end && self.can_open(first) && self.can_close(end - 1);
            if !signed {
                self.styles(from, to, inner);
            } else {
                self.styles(from, first, inner);
                self.out.push_str(sign);
                self.styles(first, end, inner);
                self.out.push_str(sign);
                self.styles(end, to, inner);
            }
            from = to;
        }
    }

    fn end_of(&self, from: usize, end: usize, same: impl Fn(&Run) -> bool) -> usize {
        let more = self.runs[from..end].iter().take_while(|run| same(run));
        from + more.count()
    }

    /// Whether delimiters before this run would open emphasis.
    fn can_open(&self, at: usize) -> bool {
        let before = match at.checked_sub(1) {
            None => Class::Space,
            Some(before) if self.link_changes(before) => Class::Sign,
            Some(before) => self.last(before, Class::outside),
        };
        match self.first(at, Class::inside) {
            Class::Space => false,
            Class::Letter => true,
            Class::Sign => before != Class::Letter,
        }
    }

    fn can_close(&self, at: usize) -> bool {
        let after = match at + 1 == self.runs.len() {
            true => Class::Space,
            false if self.link_changes(at) => Class::Sign,
            false => self.first(at + 1, Class::outside),
        };
        match self.last(at, Class::inside) {
            Class::Space => false,
            Class::Letter => true,
            Class::Sign => after != Class::Letter,
        }
    }

    /// Whether a bracket is written between a run and the next.
    fn link_changes(&self, at: usize) -> bool {
        self.runs[at].formatting.link != self.runs[at + 1].formatting.link
    }

    fn first(&self, at: usize, class: fn(Option<char>) -> Class) -> Class {
        match &self.runs[at].piece {
            Piece::Break => Class::Space,
            _ => class(self.runs[at].bare().and_then(|text| text.chars().next())),
        }
    }

    fn last(&self, at: usize, class: fn(Option<char>) -> Class) -> Class {
        match &self.runs[at].piece {
            Piece::Break => Class::Space,
            _ => class(self.runs[at].bare().and_then(|text| text.chars().last())),
        }
    }

    fn run(&mut self, at: usize) {
        let run = &self.runs[at];
        match &run.piece {
            Piece::Text(_) if run.is_space() => self.out.push(' '),
            Piece::Text(text) if run.is(CODE) => self.code(text),
            Piece::Text(text) => {
                escape::text(
                    text,
                    self.place,
                    run.formatting.link.is_some(),
                    &mut self.out,
                );
            }
            Piece::Math(tex, display) => {
                let sign = if *display { "$$" } else { "$" };
                for part in [sign, tex, sign] {
                    escape::cell(part, self.place, &mut self.out);
                }
            }
            Piece::Image { alt, src } => {
                self.out.push_str("![");
                escape::text(alt, self.place, true, &mut self.out);
                self.out.push_str("](");
                self.out.push_str(src);
                self.out.push(')');
            }
            Piece::Break if self.place.block == Block::Flow => self.out.push_str("\\\n"),
            Piece::Break => self.out.push(' '),
        }
    }

    /// Writes code between more backticks than its longest run of them.
    fn code(&mut self, code: &str) {
        let fence = "`".repeat(longest_backticks(code) + 1);
        let pad = match code.starts_with('`') || code.ends_with('`') {
            true => " ",
            false => "",
        };
        self.out.push_str(&fence);
        self.out.push_str(pad);
        escape::cell(code, self.place, &mut self.out);
        self.out.push_str(pad);
        self.out.push_str(&fence);
    }
}

/// The longest run of backticks.
pub(super) fn longest_backticks(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}
