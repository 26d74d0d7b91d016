//! The numbers that the model decides by: one row for each text of a page.
//!
//! Features are added column by column, each with its name and group. A model file names the
//! features that it was fitted with, so columns may be added or moved without making it wrong.

mod course;
mod lists;
mod main_part;
mod neighbours;
mod page;
mod place;
mod repetition;
mod text;

use std::cell::Cell;
use std::fmt::Display;
use std::ops::Range;
use std::sync::LazyLock;

use unframe_dom::Limits;
use unframe_page::Page;

use super::evidence::Evidence;
use super::forest::Table;
use super::layout::Layout;
use super::memory::AutoMemory;
use super::outline::{Block, Element};
use super::view::AutoView;

/// Features that tell of the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// On how many other pages the text is.
    Repetition,
    /// What its place holds on other pages.
    Slot,
    /// Where the site's pages have their main text.
    MainVote,
    /// What the text and its paragraph look like.
    Text,
    /// Tags around it.
    Place,
    /// Landmarks of the markup around it: `nav`, `main`, `footer`, …
    Landmark,
    /// Class names and ids around it.
    Name,
    /// How it stands to the page's own main container.
    MainPart,
    /// The list that it is in.
    List,
    /// What comes before and after.
    Neighbour,
    /// What kind of page it is on.
    Page,
}

impl Group {
    /// All, in order.
    pub const ALL: [Group; 11] = [
        Group::Repetition,
        Group::Slot,
        Group::MainVote,
        Group::Text,
        Group::Place,
        Group::Landmark,
        Group::Name,
        Group::MainPart,
        Group::List,
        Group::Neighbour,
        Group::Page,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Group::Repetition => "repetition on other pages",
            Group::Slot => "what its place holds on other pages",
            Group::MainVote => "where the site's pages have their main text",
            Group::Text => "look of the text",
            Group::Place => "tags around it",
            Group::Landmark => "landmarks of the markup",
            Group::Name => "class names and ids",
            Group::MainPart => "place in the page's main part",
            Group::List => "list that it is in",
            Group::Neighbour => "what comes before and after",
            Group::Page => "kind of page",
        }
    }

    /// True if it is evidence of the site, not of the page alone.
    pub fn is_of_site(self) -> bool {
        matches!(self, Group::Repetition | Group::Slot | Group::MainVote)
    }
}

/// A feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name in a model file.
    pub name: String,
    /// What it is about.
    pub group: Group,
}

/// All features, in the order of the columns.
pub fn features() -> &'static [Feature] {
    static FEATURES: LazyLock<Vec<Feature>> = LazyLock::new(|| {
        let page = Page::parse(b"<p>x".to_vec(), None, None, &Limits::default());
        let (view, memory) = (AutoView::of(&page), AutoMemory::default());
        let evidence = Evidence::of(&view.outline, &memory);
        let mut table = Table::default();
        let mut features = Vec::new();
        let mut columns = Columns {
            scene: &Scene::of(&view, &evidence),
            rows: 0..1,
            table: &mut table,
            wanted: None,
            at: 0,
            named: Some(&mut features),
        };
        columns.add_all();
        features
    });
    &FEATURES
}

/// A page with all that its features are made of: what is worked out once for the page, so that
/// the rows of a few texts at a time cost no more than that.
pub(crate) struct Scene<'a> {
    view: &'a AutoView,
    evidence: &'a Evidence,
    layout: Layout,
    votes: repetition::Votes,
    own_prose: main_part::OwnProse,
    neighbours: neighbours::Neighbours,
    page: page::PageFigures,
}

impl<'a> Scene<'a> {
    pub fn of(view: &'a AutoView, evidence: &'a Evidence) -> Scene<'a> {
        Scene {
            view,
            evidence,
            layout: Layout::of(view),
            votes: repetition::Votes::of(view, evidence),
            own_prose: main_part::OwnProse::of(view, evidence),
            neighbours: neighbours::Neighbours::of(view, evidence),
            page: page::PageFigures::of(view, evidence),
        }
    }

    /// Fills a table with the features of some texts; those that are not `wanted` stay as they are,
    /// which is 0 in a new table.
    pub fn fill(&self, rows: Range<usize>, wanted: Option<&[bool]>, table: &mut Table) {
        table.resize(rows.len(), features().len());
        let mut columns = Columns {
            scene: self,
            rows,
            table,
            wanted,
            at: 0,
            named: None,
        };
        columns.add_all();
    }

    /// Words from a text to a range of texts: negative before it, 0 inside.
    fn signed_distance(&self, row: usize, first: u32, last: u32) -> f32 {
        let row = row as u32;
        if row < first {
            -self.view.figures.words_between(row, first)
        } else if row >= last {
            self.view.figures.words_between(last, row)
        } else {
            0.0
        }
    }
}

/// For each element the largest value of itself and those around it.
fn largest_around(view: &AutoView, value: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut found: Vec<f32> = Vec::with_capacity(view.outline.elements.len());
    for (at, element) in view.outline.elements.iter().enumerate() {
        let around = found.get(element.parent as usize).copied().unwrap_or(0.0);
        found.push(value(at).max(around));
    }
    found
}

/// A table in the making.
struct Columns<'a> {
    scene: &'a Scene<'a>,
    /// The texts that it has rows for.
    rows: Range<usize>,
    table: &'a mut Table,
    wanted: Option<&'a [bool]>,
    at: usize,
    /// Asks for names instead of numbers.
    named: Option<&'a mut Vec<Feature>>,
}

impl Columns<'_> {
    fn add_all(&mut self) {
        repetition::add(self);
        text::add(self);
        place::add(self);
        course::add(self);
        main_part::add(self);
        lists::add(self);
        neighbours::add(self);
        page::add(self);
    }

    /// Adds a feature of each text.
    fn add(&mut self, group: Group, name: impl Display, value: impl Fn(usize) -> f32) {
        let column = self.at;
        self.at += 1;
        if let Some(named) = &mut self.named {
            named.push(Feature {
                name: name.to_string(),
                group,
            });
            return;
        }
        if self
            .wanted
            .is_some_and(|wanted| !wanted.get(column).copied().unwrap_or(false))
        {
            return;
        }
        let rows = self.rows.clone();
        for (cell, row) in self.table.column_mut(column).iter_mut().zip(rows) {
            *cell = value(row);
        }
    }

    /// Adds a feature of each text's block.
    fn add_of_block(
        &mut self,
        group: Group,
        name: impl Display,
        value: impl Fn(usize, &Block) -> f32,
    ) {
        let outline = &self.scene.view.outline;
        // Texts of one block stand together: its feature is worked out once.
        let last = Cell::new((u32::MAX, 0.0));
        self.add(group, name, |row| {
            let number = outline.texts[row].block;
            let (known, found) = last.get();
            if known == number {
                return found;
            }
            let found = value(number as usize, &outline.blocks[number as usize]);
            last.set((number, found));
            found
        });
    }

    /// Adds a feature that all texts of the page share.
    fn add_of_page(&mut self, group: Group, name: impl Display, value: f32) {
        self.add(group, name, |_| value);
    }
}

fn yes(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

/// A share of something that may be nothing.
fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
