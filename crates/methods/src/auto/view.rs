//! What `auto` needs to know of a page, made once for learning and labelling.

use unframe_page::Page;

use super::facts::Facts;
use super::figures::Figures;
use super::outline::Outline;

/// A page as `auto` sees it.
#[derive(Clone, Debug, Default)]
pub struct AutoView {
    pub(crate) outline: Outline,
    pub(crate) figures: Figures,
    pub(crate) facts: Facts,
    /// Elements named as comments around each element.
    pub(crate) comments: Vec<u8>,
    /// The first text in one.
    pub(crate) first_comment: Option<u32>,
    /// Words of long blocks before each block.
    pub(crate) long_before: Vec<f32>,
    /// The block of each element, and those above it.
    above: Vec<[u32; FURTHEST + 1]>,
}

/// How far up features look.
const FURTHEST: usize = 5;

/// Comments that hold this share of a page are named so by mistake, or are its content.
const MOST_OF_PAGE: f32 = 0.95;

impl AutoView {
    pub(crate) fn of(page: &Page) -> AutoView {
        let outline = Outline::of(page);
        let figures = Figures::of(&outline);
        let facts = Facts::of(&outline, &figures);
        let mut view = AutoView {
            outline,
            figures,
            facts,
            ..AutoView::default()
        };
        view.find_comments();
        for element in &view.outline.elements {
            let mut above = [element.block; FURTHEST + 1];
            for step in 1..=FURTHEST {
                above[step] = view.outline.above(above[step - 1]);
            }
            view.above.push(above);
        }
        let mut long = 0.0;
        for block in &view.outline.blocks {
            view.long_before.push(long);
            if block.is_long() {
                long += block.look.weight();
            }
        }
        view
    }

    fn find_comments(&mut self) {
        let elements = &self.outline.elements;
        let all = self.figures.total().words;
        let h1 = self
            .figures
            .h1
            .map(|block| self.outline.blocks[block as usize].first);
        self.comments = vec![0; elements.len()];
        for (at, element) in elements.iter().enumerate().skip(1) {
            let around = self.comments[element.parent as usize];
            let words = || self.figures.sum(at as u32).words;
            let holds_title = h1.is_some_and(|text| (element.first..element.last).contains(&text));
            let own = element.comments && !holds_title && words() < MOST_OF_PAGE * all;
            self.comments[at] = around.saturating_add(u8::from(own));
            if own && element.first < element.last {
                self.first_comment.get_or_insert(element.first);
            }
        }
    }

    /// The block of an element, or one further up, at most [`FURTHEST`].
    pub(crate) fn up(&self, element: u32, steps: u32) -> u32 {
        self.above[element as usize][steps as usize]
    }

    /// For each element the largest value of itself and those around it.
    pub(crate) fn largest_above(&self, value: impl Fn(usize) -> f32) -> Vec<f32> {
        let mut found: Vec<f32> = Vec::with_capacity(self.outline.elements.len());
        for (at, element) in self.outline.elements.iter().enumerate() {
            let around = found.get(element.parent as usize).copied().unwrap_or(0.0);
            found.push(value(at).max(around));
        }
        found
    }

    /// Words from a text to a range of texts, on a logarithmic scale: negative before it, 0 inside.
    pub(crate) fn signed_distance(&self, row: usize, first: u32, last: u32) -> f32 {
        let row = row as u32;
        if row < first {
            -self.figures.words_between(row, first).ln_1p()
        } else if row >= last {
            self.figures.words_between(last, row).ln_1p()
        } else {
            0.0
        }
    }
}
