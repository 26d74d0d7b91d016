//! The features of the model: one row of numbers for each text of a page.
//!
//! A view and the evidence enter; a [`Table`] leaves. Features are added one by one, each with its name and
//! group. A model file names its features, so columns may be added or moved without invalidating it.

mod lists;
mod main_part;
mod neighbours;
mod page;
mod place;
mod reading_order;
mod repetition;
mod text;

use std::fmt::Display;
use std::sync::LazyLock;

use unframe_dom::Limits;
use unframe_page::Page;

use crate::auto::model::forest::Table;
use crate::auto::page::outline::{Block, Element, NONE, Text};
use crate::auto::page::page_context::PageContext;
use crate::auto::page::view::AutoView;
use crate::auto::site::evidence::{Evidence, TextEvidence};
use crate::auto::site::memory::AutoMemory;

/// Features by subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Repetition of the text on other pages.
    Repetition,
    /// What its slot holds on other pages.
    Slot,
    /// Where the site's pages have their main text.
    MainVote,
    /// Statistics of the text and its paragraph.
    Text,
    /// Tags of the elements around it.
    Place,
    /// Landmarks of the markup around it: `nav`, `main`, `footer`, …
    Landmark,
    /// Class names and ids around it.
    Name,
    /// Its relation to the page's own main container.
    MainPart,
    /// The list that it is in.
    List,
    /// The blocks before and after it.
    Neighbour,
    /// The kind of page.
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

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Group::Repetition => "repetition on other pages",
            Group::Slot => "what its slot holds on other pages",
            Group::MainVote => "where the site's pages have their main text",
            Group::Text => "text statistics",
            Group::Place => "tags around it",
            Group::Landmark => "landmark elements",
            Group::Name => "class names and ids",
            Group::MainPart => "position relative to the main content",
            Group::List => "its list",
            Group::Neighbour => "blocks before and after",
            Group::Page => "kind of page",
        }
    }

    /// True for evidence of the site, false for evidence of the page alone.
    pub fn is_of_site(self) -> bool {
        matches!(self, Group::Repetition | Group::Slot | Group::MainVote)
    }
}

/// The name and group of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name in a model file.
    pub name: String,
    /// Its subject.
    pub group: Group,
}

/// All features, in the order of the columns.
pub fn features() -> &'static [Feature] {
    static FEATURES: LazyLock<Vec<Feature>> = LazyLock::new(|| {
        let page = Page::parse(b"<p>x".into(), None, None, &Limits::default());
        let (view, memory) = (AutoView::of(&page), AutoMemory::default());
        let evidence = Evidence::of(&view.outline, &memory);
        let mut features = Vec::new();
        FeatureSources::of(&view, &evidence)
            .row(0)
            .add_all(&mut features);
        features
    });
    &FEATURES
}

/// Everything that the features of a page are computed from.
pub(crate) struct FeatureSources<'a> {
    view: &'a AutoView,
    evidence: &'a Evidence,
    context: PageContext,
    votes: repetition::Votes,
    own_prose: main_part::OwnProse,
    neighbours: neighbours::Neighbours,
    page: page::PageFeatures,
}

impl<'a> FeatureSources<'a> {
    pub fn of(view: &'a AutoView, evidence: &'a Evidence) -> FeatureSources<'a> {
        let context = PageContext::of(view);
        FeatureSources {
            view,
            evidence,
            votes: repetition::Votes::of(view, evidence),
            own_prose: main_part::OwnProse::of(view, evidence),
            neighbours: neighbours::Neighbours::of(view, evidence),
            page: page::PageFeatures::of(view, evidence, &context),
            context,
        }
    }

    /// Fills a table with the features of some texts.
    pub fn fill(&self, texts: &[u32], table: &mut Table) {
        table.resize(texts.len(), features().len());
        for (at, text) in texts.iter().enumerate() {
            let mut cells = Cells::of(table.cells_mut(at));
            self.row(*text as usize).add_all(&mut cells);
        }
    }

    /// True for a value of a record: it is beside a label, has others nearby, and differs from page to page.
    pub fn is_record_value(&self, text: usize) -> bool {
        self.context.key_values.is_value(text) && self.evidence.share_of_slot(text) < SITE_VALUE
    }

    /// True for what may be the text of a post: prose in a list that has a good part of the page's prose,
    /// and not one of the texts that every item has, such as the name of a button.
    pub fn is_post(&self, text: usize) -> bool {
        /// Words of such a text, at least.
        const WORDS: u32 = 3;
        /// Share of the page's prose that the list must have.
        const PROSE: f32 = 0.15;
        let outline = &self.view.outline;
        let own = &outline.texts[text];
        let list = self.context.lists.prose_item[own.element as usize].list;
        if list == NONE || own.stats.words < WORDS || outline.is_linked(own) {
            return false;
        }
        let list = &self.context.lists.all[list as usize];
        let copies = self.context.reading_order[own.block as usize].copies;
        list.prose_share >= PROSE && 2.0 * (copies + 1.0) < list.items
    }

    pub fn view(&self) -> &'a AutoView {
        self.view
    }

    pub fn evidence(&self) -> &'a Evidence {
        self.evidence
    }

    /// Which texts are classified for a record value, their own or one that they represent.
    pub fn represent_record_values(&self, representatives: &[u32]) -> Vec<bool> {
        let mut represent = vec![false; representatives.len()];
        for (text, representative) in representatives.iter().enumerate() {
            if self.is_record_value(text) {
                represent[text] = true;
                represent[*representative as usize] = true;
            }
        }
        represent
    }

    /// One text of the page.
    fn row(&self, number: usize) -> Row<'_> {
        let outline = &self.view.outline;
        let text = &outline.texts[number];
        let element = &outline.elements[text.element as usize];
        let mut up = [element.block; FURTHEST + 1];
        for step in 1..=FURTHEST {
            up[step] = outline.above(up[step - 1]);
        }
        Row {
            sources: self,
            number,
            text,
            at: text.element as usize,
            element,
            block_at: text.block as usize,
            block: &outline.blocks[text.block as usize],
            known: &self.evidence.texts[number],
            up,
        }
    }
}

/// Share of the pages from which a value belongs to the site rather than to a record.
const SITE_VALUE: f32 = 0.5;

/// How many block elements up features go.
const FURTHEST: usize = 5;

/// A text with everything that its features are computed from.
struct Row<'a> {
    sources: &'a FeatureSources<'a>,
    number: usize,
    text: &'a Text,
    /// The number of its element …
    at: usize,
    element: &'a Element,
    /// … and of its block.
    block_at: usize,
    block: &'a Block,
    known: &'a TextEvidence,
    /// The block element that it is in, and those above.
    up: [u32; FURTHEST + 1],
}

impl Row<'_> {
    #[inline(always)]
    fn add_all(&self, to: &mut impl FeatureSink) {
        repetition::add(self, to);
        text::add(self, to);
        place::add(self, to);
        reading_order::add(self, to);
        main_part::add(self, to);
        lists::add(self, to);
        neighbours::add(self, to);
        to.add_page(&self.sources.page);
    }

    /// Words from the text to a range of texts: negative before it, 0 inside.
    fn signed_distance(&self, first: u32, last: u32) -> f32 {
        let (row, subtrees) = (self.number as u32, self.sources.view.subtree_stats());
        if row < first {
            -subtrees.words_between(row, first)
        } else if row >= last {
            subtrees.words_between(last, row)
        } else {
            0.0
        }
    }
}

/// Receives the features of a text, always in the same order.
trait FeatureSink {
    fn add(&mut self, group: Group, name: impl Display, value: f32);

    /// Adds the features that all texts of the page share.
    fn add_page(&mut self, page: &page::PageFeatures);
}

/// Writes the values to a row, from its first cell on. Where functions are inlined, the number of a cell is
/// a constant.
struct Cells<'a> {
    row: &'a mut [f32; Table::WIDTH],
    at: usize,
}

impl Cells<'_> {
    fn of(row: &mut [f32; Table::WIDTH]) -> Cells<'_> {
        Cells { row, at: 0 }
    }
}

impl FeatureSink for Cells<'_> {
    #[inline(always)]
    fn add(&mut self, _: Group, _: impl Display, value: f32) {
        // The remainder changes nothing; it saves a bounds check.
        self.row[self.at % Table::WIDTH] = value;
        self.at += 1;
    }

    #[inline(always)]
    fn add_page(&mut self, page: &page::PageFeatures) {
        self.row[self.at..][..page.values.len()].copy_from_slice(&page.values);
        self.at += page.values.len();
    }
}

/// Collects the names and groups.
impl FeatureSink for Vec<Feature> {
    fn add(&mut self, group: Group, name: impl Display, _: f32) {
        let name = name.to_string();
        self.push(Feature { name, group });
    }

    fn add_page(&mut self, page: &page::PageFeatures) {
        for (name, value) in page.names.iter().zip(&page.values) {
            self.add(Group::Page, format_args!("page-{name}"), *value);
        }
    }
}

/// For each element the largest value of itself and its ancestors.
fn max_over_ancestors(view: &AutoView, value: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut found: Vec<f32> = Vec::with_capacity(view.outline.elements.len());
    for (at, element) in view.outline.elements.iter().enumerate() {
        let around = found.get(element.parent as usize).copied().unwrap_or(0.0);
        found.push(value(at).max(around));
    }
    found
}

/// 1 for true, 0 for false.
fn indicator(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

/// `part / whole`, or 0 if the whole is 0.
fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
