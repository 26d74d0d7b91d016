//! Whether a cleaned page still reads whole: without holes in its sentences, with the headings of its
//! sections, with complete rows and code.
//!
//! Input: a page, and which of its texts were kept. Output: counts of what lost a piece
//! ([`Wholeness`]), and the losses themselves ([`Loss`]). Scores by words hardly see them: a page
//! without its headings loses few words. No labels are needed, because a line that lost a word in
//! the middle is wrong whatever the page is about.
//!
//! ```
//! use unframe_dom::{Limits, parse};
//! use unframe_eval::Wholeness;
//!
//! let dom = parse("<p>See <a href=x>the manual</a> first.</p><p>Next", &Limits::default());
//! let found = Wholeness::of(&dom, |text| dom.text(text) != "the manual");
//! assert_eq!((found.lines.lost, found.lines.of), (1, 2));
//! ```

mod headings;
mod lines;
mod markdown_headings;
mod page_texts;
mod pre_blocks;
mod rows;

use std::ops::AddAssign;

use serde::Serialize;
use unframe_dom::{Dom, NodeId};

pub use markdown_headings::lost_in_markdown;
use page_texts::{PageText, PageTexts};

/// How many of some units lost a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// Units that lost a piece.
    pub lost: u64,
    /// All units.
    pub of: u64,
}

impl Lost {
    /// Their share; `None` without units.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.lost as f64 / self.of as f64)
    }

    fn count(&mut self, is_lost: bool) {
        self.of += 1;
        self.lost += u64::from(is_lost);
    }
}

impl AddAssign for Lost {
    fn add_assign(&mut self, other: Lost) {
        self.lost += other.lost;
        self.of += other.of;
    }
}

/// What cleaning broke on some pages.
///
/// Counts are summed over pages, and shares are computed from the sums: most pages have so few rows
/// or `pre` blocks that a mean over pages would be a mean of zeros and ones.
///
/// Texts count if they are visible, not hidden by the page, and not in a form field (`select`,
/// `option`, `button`, `textarea`). A text "has a word" if it has a letter or a digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Wholeness {
    /// Number of pages.
    pub pages: u64,
    /// Kept lines, and those of which a text was removed, be it only a `::`. A line is a run of texts
    /// without a block boundary, or a whole `pre`; it is kept if a text with a word is.
    pub lines: Lost,
    /// Headings (`h1` to `h6`) above kept text, and those of which no word was kept. What a heading is
    /// above is its section; see `headings.rs`.
    pub headings: Lost,
    /// Kept rows of data tables, and those that lost all words of a cell.
    pub rows: Lost,
    /// `pre` blocks with words, between kept texts of the page, and those of which no word was kept.
    pub pre: Lost,
    /// Maximal runs of removed texts in document order.
    pub cuts: u64,
}

impl Wholeness {
    /// Counts what cleaning broke on a page of which these texts were kept.
    pub fn of(dom: &Dom, is_kept: impl Fn(NodeId) -> bool) -> Wholeness {
        Wholeness::with_losses(dom, is_kept).0
    }

    /// The same, with what was lost: lines first, then headings, rows and `pre` blocks, each in
    /// document order.
    pub fn with_losses(dom: &Dom, is_kept: impl Fn(NodeId) -> bool) -> (Wholeness, Vec<Loss>) {
        let texts = PageTexts::of(dom, is_kept);
        let mut losses = Vec::new();
        let whole = Wholeness {
            pages: 1,
            lines: lines::count(&texts, &mut losses),
            headings: headings::count(dom, &texts, &mut losses),
            rows: rows::count(dom, &texts, &mut losses),
            pre: pre_blocks::count(dom, &texts, &mut losses),
            cuts: lines::cuts(&texts),
        };
        (whole, losses)
    }

    /// Removed runs per page.
    pub fn cuts_per_page(&self) -> Option<f64> {
        (self.pages > 0).then(|| self.cuts as f64 / self.pages as f64)
    }

    /// The measures in the order in which they are reported, with their printed names.
    pub fn named(&self) -> [(&'static str, Option<f64>); 5] {
        [
            ("holes", self.lines.share()),
            ("orphans", self.headings.share()),
            ("rows", self.rows.share()),
            ("pre", self.pre.share()),
            ("cuts", self.cuts_per_page()),
        ]
    }
}

impl AddAssign for Wholeness {
    fn add_assign(&mut self, other: Wholeness) {
        self.pages += other.pages;
        self.lines += other.lines;
        self.headings += other.headings;
        self.rows += other.rows;
        self.pre += other.pre;
        self.cuts += other.cuts;
    }
}

impl std::iter::Sum for Wholeness {
    fn sum<I: Iterator<Item = Wholeness>>(all: I) -> Wholeness {
        all.fold(Wholeness::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}

/// What lost a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LossKind {
    /// A kept line.
    Line,
    /// A heading above kept text.
    Heading,
    /// A kept row of a data table.
    Row,
    /// A `pre` between kept texts.
    Pre,
}

/// One thing that is not whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What it is.
    pub kind: LossKind,
    /// Its texts; those of a heading are followed by the first one of its section.
    pub pieces: Vec<Piece>,
}

/// A text of something that is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text node.
    pub node: NodeId,
    /// Whether it was kept.
    pub kept: bool,
}

impl Loss {
    fn new<'a>(kind: LossKind, texts: impl IntoIterator<Item = &'a PageText>) -> Loss {
        let piece = |text: &PageText| Piece {
            node: text.node,
            kept: text.kept,
        };
        Loss {
            kind,
            pieces: texts.into_iter().map(piece).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    /// Measures a page of which the texts with a `-` in front were removed, and shows the losses:
    /// removed pieces in brackets.
    pub(super) fn measure(html: &str) -> (Wholeness, Vec<String>) {
        let dom = parse(html, &Limits::default());
        let (whole, losses) =
            Wholeness::with_losses(&dom, |text| !dom.text(text).trim_start().starts_with('-'));
        let show = |piece: &Piece| {
            let text = dom.text(piece.node).trim();
            match piece.kept {
                true => text.to_string(),
                false => format!("[{text}]"),
            }
        };
        let shown = losses
            .iter()
            .map(|loss| loss.pieces.iter().map(show).collect::<Vec<_>>().join(" "));
        (whole, shown.collect())
    }

    #[test]
    fn pages_add_up() {
        let broken = measure("<h1>-Title</h1><p>text <b>-gone</b></p>").0;
        let plain = measure("<p>text").0;
        let both: Wholeness = [broken, plain].into_iter().sum();
        assert_eq!(both.lines, Lost { lost: 1, of: 2 });
        assert_eq!(both.headings, Lost { lost: 1, of: 1 });
        assert_eq!(both.cuts_per_page(), Some(1.0));
        let named = both.named();
        assert_eq!(named[0], ("holes", Some(0.5)));
        assert_eq!(named[2], ("rows", None));
        assert_eq!(Wholeness::default().cuts_per_page(), None);
    }
}
