//! Writes the runs of a line as Markdown.
//!
//! Emphasis is written only where its signs would be read as such; the flanking rules of CommonMark
//! forbid it between a letter and a punctuation mark.

use std::ops::Range;

use super::escape::{self, Block, Place};
use super::line::{CODE, DELETED, EMPHASIS, ElementId, Elements, Formatting, Piece, Run, STRONG};

/// The signs of styles; if two have the same extent, the first is outside.
const SIGNS: [(u8, &str); 3] = [(DELETED, "~~"), (STRONG, "**"), (EMPHASIS, "*")];
const ALL: u8 = DELETED | STRONG | EMPHASIS;

/// A line as Markdown.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) text: String,
    /// A dollar sign that was not escaped could end a formula.
    pub(super) may_end_formula: bool,
}

pub(super) fn write(
    mut runs: Vec<Run>,
    place: Place,
    addresses: &[String],
    elements: &Elements,
) -> Written {
    merge(&mut runs);
    drop_unseen_styles(&mut runs);
    settle_touching_styles(&mut runs);
    merge(&mut runs);
    let runs = set_spaces_apart(runs);
    let may_end_formula = !place.math && has_several_dollars(&runs);
    let mut writer = Writer {
        runs: &runs,
        place,
        addresses,
        elements,
        open: 0,
        out: String::new(),
    };
    writer.links();
    let mut text = writer.out;
    match place.block {
        Block::Flow => text = escape::line_starts(text),
        Block::Heading => escape::closing_hashes(&mut text),
        Block::Cell => {}
    }
    Written {
        text,
        may_end_formula,
    }
}

/// Joins adjacent runs of the same style.
fn merge(runs: &mut Vec<Run>) {
    runs.dedup_by(|next, last| {
        let (mut a, mut b) = (last.formatting, next.formatting);
        (a.code, b.code) = (0, 0);
        match (&mut last.piece, &next.piece) {
            (Piece::Text(text), Piece::Text(more)) if a == b => {
                text.push_str(more);
                true
            }
            _ => false,
        }
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
        let text = match &run.piece {
            Piece::Text(text) if text.starts_with(' ') || text.ends_with(' ') => text,
            _ => {
                out.push(run);
                continue;
            }
        };
        let words = text.trim_matches(' ');
        if text.starts_with(' ') {
            out.push(space());
        }
        if words.is_empty() {
            continue;
        }
        let trailing = text.ends_with(' ');
        out.push(Run {
            piece: Piece::Text(words.to_string()),
            formatting,
        });
        if trailing {
            out.push(space());
        }
    }
    out
}

/// Emphasis of punctuation marks alone cannot be seen.
fn drop_unseen_styles(runs: &mut [Run]) {
    let says = |run: &Run| match &run.piece {
        Piece::Text(text) => text.contains(char::is_alphanumeric),
        _ => true,
    };
    for style in [STRONG, EMPHASIS] {
        let same = |a: &Run, b: &Run| a.is(style) == b.is(style);
        for group in runs.chunk_by_mut(same).filter(|group| group[0].is(style)) {
            if !group.iter().any(says) {
                let drop = |run: &mut Run| run.formatting.style &= !style;
                group.iter_mut().for_each(drop);
            }
        }
    }
}

/// Delimiters of adjacent styles without white space between would run together, as in `**a***b*`; so
/// would those of code. There, both runs get their common style or, if there is none, the shorter run
/// loses its style.
fn settle_touching_styles(runs: &mut [Run]) {
    const BOTH: u8 = STRONG | EMPHASIS;
    let mut at = 1;
    while at < runs.len() {
        let (before, after) = runs.split_at_mut(at);
        let (left, right) = (&mut before[at - 1], &mut after[0]);
        let (a, b) = (left.formatting.style & BOTH, right.formatting.style & BOTH);
        // A bracket or parenthesis separates the text of a link.
        let touching = !left.ends_with_space()
            && !right.starts_with_space()
            && left.formatting.link == right.formatting.link;
        let both_code = left.is(CODE) && right.is(CODE);
        if a == b || !touching || ((a == 0 || b == 0) && !both_code) {
            at += 1;
            continue;
        }
        let (new_a, new_b) = match (a & b == 0 && !both_code, left.length() < right.length()) {
            (true, true) => (0, b),
            (true, false) => (a, 0),
            (false, _) => (a & b, a & b),
        };
        left.formatting.style = left.formatting.style & !BOTH | new_a;
        right.formatting.style = right.formatting.style & !BOTH | new_b;
        // The run before may differ from this one now. Each step back takes a style from a run.
        at = if new_a == a { at + 1 } else { (at - 1).max(1) };
    }
}

/// Whether readers that know formulas could find one between dollar signs of the text.
fn has_several_dollars(runs: &[Run]) -> bool {
    let (mut dollars, mut may_end) = (0, false);
    for (at, run) in runs.iter().enumerate() {
        let Piece::Text(text) = &run.piece else {
            continue;
        };
        for (dollar, _) in text.match_indices('$') {
            dollars += 1;
            may_end |= match text[..dollar].chars().next_back() {
                Some(before) => before != ' ',
                // The sign of a style may come between.
                None => at > 0 && runs[at - 1].formatting != run.formatting,
            };
        }
    }
    dollars > 1 && may_end
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
    elements: &'a Elements,
    /// The innermost open element.
    open: ElementId,
    out: String,
}

impl Writer<'_> {
    /// Groups runs by link, then by style, then by element.
    fn links(&mut self) {
        let mut from = 0;
        while from < self.runs.len() {
            let link = self.runs[from].formatting.link;
            let to = self.end_of(from, self.runs.len(), |run| run.formatting.link == link);
            match link {
                Some(link) => {
                    self.not_an_image();
                    self.out.push('[');
                    self.styles(from, to, ALL);
                    self.out.push_str("](");
                    let address = escape::address(&self.addresses[link], self.place);
                    self.out.push_str(&address);
                    self.out.push(')');
                }
                None => self.styles(from, to, ALL),
            }
            from = to;
        }
    }

    /// Writes runs with the signs of some styles, the longest outside.
    fn styles(&mut self, mut from: usize, end: usize, styles: u8) {
        while from < end {
            if !self.runs[from].is(styles) {
                let to = self.end_of(from, end, |run| !run.is(styles));
                self.content(from..to);
                from = to;
                continue;
            }
            let on = styles & self.runs[from].formatting.style;
            let (mut longest, mut outer) = (from, SIGNS[0]);
            for (style, sign) in SIGNS.into_iter().filter(|(style, _)| style & on != 0) {
                let to = self.end_of(from, end, |run| run.is(style));
                if to > longest {
                    (longest, outer) = (to, (style, sign));
                }
            }
            self.style(from..longest, outer, styles & !outer.0);
            from = longest;
        }
    }

    /// Writes runs of one style, with its signs around the words.
    fn style(&mut self, runs: Range<usize>, (style, sign): (u8, &str), inner: u8) {
        let (from, to) = (runs.start, runs.end);
        let is_word = |at: &usize| !self.runs[*at].is_space();
        let Some(first) = (from..to).find(is_word) else {
            return self.styles(from, to, inner);
        };
        let end = (first..to).rev().find(is_word).map_or(to, |last| last + 1);
        // The signs that come between: both kinds of emphasis have the same, so theirs run together.
        let between = match style {
            DELETED => inner,
            _ => inner & DELETED,
        };
        let runs_together = style == DELETED && self.out.ends_with('~');
        let fits =
            !runs_together && self.can_open(first, between) && self.can_close(end - 1, between);
        let (open, close) = match (fits, style) {
            (true, _) => (sign, sign),
            (false, DELETED) => ("<del>", "</del>"),
            (false, _) => ("", ""),
        };
        self.styles(from, first, inner);
        self.out.push_str(open);
        self.styles(first, end, inner);
        self.out.push_str(close);
        self.styles(end, to, inner);
    }

    /// Writes runs of the same style, and the tags of the elements that contain them.
    fn content(&mut self, runs: Range<usize>) {
        for at in runs.clone() {
            let element = self.runs[at].formatting.element;
            self.switch_to(match self.runs[at].is_space() {
                // No element begins or ends with white space.
                true => match runs.contains(&(at + 1)) {
                    true => self
                        .elements
                        .common(self.open, self.runs[at + 1].formatting.element),
                    false => 0,
                },
                false => element,
            });
            self.run(at);
        }
        self.switch_to(0);
    }

    fn switch_to(&mut self, element: ElementId) {
        if element == self.open {
            return;
        }
        let common = self.elements.common(self.open, element);
        while self.open != common {
            self.out.push_str("</");
            self.out.push_str(self.elements.name(self.open));
            self.out.push('>');
            self.open = self.elements.parent(self.open);
        }
        let at = self.out.len();
        let mut inner = element;
        while inner != common {
            self.out
                .insert_str(at, &format!("<{}>", self.elements.name(inner)));
            inner = self.elements.parent(inner);
        }
        self.open = element;
    }

    fn end_of(&self, from: usize, end: usize, same: impl Fn(&Run) -> bool) -> usize {
        let more = self.runs[from..end].iter().take_while(|run| same(run));
        from + more.count()
    }

    /// Whether delimiters before this run would open emphasis. `signs`: the styles whose signs would
    /// come between the delimiters and the text.
    fn can_open(&self, at: usize, signs: u8) -> bool {
        let before = match at.checked_sub(1) {
            None => Class::Space,
            Some(before) if self.link_changes(before) => Class::Sign,
            Some(before) => match &self.runs[before].piece {
                Piece::Break => Class::Space,
                _ => Class::outside(self.bare(before, 0).and_then(|text| text.chars().last())),
            },
        };
        let first = self.bare(at, signs).and_then(|text| text.chars().next());
        match Class::inside(first) {
            Class::Space => false,
            Class::Letter => true,
            Class::Sign => before != Class::Letter,
        }
    }

    fn can_close(&self, at: usize, signs: u8) -> bool {
        let after = match at + 1 == self.runs.len() {
            true => Class::Space,
            false if self.link_changes(at) => Class::Sign,
            false => match &self.runs[at + 1].piece {
                Piece::Break => Class::Space,
                _ => Class::outside(self.bare(at + 1, 0).and_then(|text| text.chars().next())),
            },
        };
        let last = self.bare(at, signs).and_then(|text| text.chars().last());
        match Class::inside(last) {
            Class::Space => false,
            Class::Letter => true,
            Class::Sign => after != Class::Letter,
        }
    }

    /// The text of a run, if it is written without signs at its ends.
    fn bare(&self, at: usize, signs: u8) -> Option<&str> {
        let run = &self.runs[at];
        match &run.piece {
            Piece::Text(text) if !run.is(CODE | signs) && run.formatting.element == 0 => Some(text),
            _ => None,
        }
    }

    /// Whether a bracket is written between a run and the next.
    fn link_changes(&self, at: usize) -> bool {
        self.runs[at].formatting.link != self.runs[at + 1].formatting.link
    }

    fn run(&mut self, at: usize) {
        let run = &self.runs[at];
        match &run.piece {
            Piece::Text(_) if run.is_space() => self.out.push(' '),
            Piece::Text(text) if run.is(CODE) => self.code(text),
            Piece::Text(text) => {
                let after_note = at > 0 && matches!(self.runs[at - 1].piece, Piece::Note(_));
                let mut text = text.as_str();
                if after_note && text.starts_with(['(', '[', ':']) {
                    self.out.push('\\');
                    self.out.push_str(&text[..1]);
                    text = &text[1..];
                }
                escape::text(text, self.place, self.next(at), &mut self.out);
            }
            Piece::CodeLine(code) if code.is_empty() => {}
            Piece::CodeLine(code) => self.code(code),
            Piece::Math(tex, display) => {
                let sign = if *display { "$$" } else { "$" };
                for part in [sign, tex, sign] {
                    escape::cell(part, self.place, &mut self.out);
                }
            }
            Piece::Image { alt, src } => {
                self.out.push_str("![");
                escape::text(alt, self.place, escape::Next::Sign, &mut self.out);
                self.out.push_str("](");
                self.out.push_str(src);
                self.out.push(')');
            }
            Piece::Note(label) => {
                self.not_an_image();
                self.out.push_str("[^");
                self.out.push_str(label);
                self.out.push(']');
            }
            Piece::Task(done) => self.out.push_str(if *done { "[x]" } else { "[ ]" }),
            Piece::Html(tag) => self.out.push_str(tag),
            Piece::Break => self.out.push_str(match self.place.block {
                Block::Flow => "\\\n",
                Block::Heading => " ",
                Block::Cell => "<br>",
            }),
        }
    }

    /// What follows a run.
    fn next(&self, at: usize) -> escape::Next {
        use escape::Next;
        let formatting = self.runs[at].formatting;
        let Some(next) = self.runs.get(at + 1) else {
            return match formatting.ends_plainly(Formatting::default()) {
                true => Next::End,
                false => Next::Sign,
            };
        };
        match &next.piece {
            // The sign of a style may come between.
            Piece::Text(_) if next.is_space() && formatting.ends_plainly(next.formatting) => {
                Next::Space
            }
            Piece::Text(text) if text.starts_with(['(', '[', ':']) => Next::Bracket,
            Piece::Note(_) => Next::Bracket,
            _ if next.formatting.link.is_some() && next.formatting.link != formatting.link => {
                Next::Bracket
            }
            _ => Next::Sign,
        }
    }

    /// Escapes an exclamation mark before a bracket.
    fn not_an_image(&mut self) {
        if self.out.ends_with('!') {
            self.out.insert(self.out.len() - 1, '\\');
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
