//! What only labels need to know of a page: main containers, lists, reading order, comments.

use unframe_page::tag_class::heading_level;

use crate::auto::page::key_values::KeyValues;
use crate::auto::page::lists::Lists;
use crate::auto::page::outline::Outline;
use crate::auto::page::subtree_stats::SubtreeStats;
use crate::auto::page::view::AutoView;

/// The relation of an element to a container.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Relation {
    pub inside: bool,
    /// Block elements up to the nearest common ancestor.
    pub up: u16,
    /// Block elements from there down to the container.
    pub down: u16,
}

/// What precedes a block in reading order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadingOrder {
    /// Words before it.
    pub words_before: f32,
    /// Level of the last heading, 0 if none …
    pub heading: u8,
    /// … blocks since …
    pub since_heading: f32,
    /// … words since …
    pub words_since_heading: f32,
    /// … and the share of the title's words that it has.
    pub heading_of_title: f32,
    /// Other blocks with the same text.
    pub copies: f32,
}

/// The context of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageContext {
    /// Relations to the likely main container …
    pub in_top: Vec<Relation>,
    /// … to the smallest elements with 40, 60 and 90 % of the long text …
    pub in_most: [Vec<Relation>; 3],
    /// … and to the subtree of the highest text density.
    pub in_densest: Vec<Relation>,
    pub lists: Lists,
    pub key_values: KeyValues,
    pub reading_order: Vec<ReadingOrder>,
    /// The block of the `h1` that is most like the title.
    pub h1: Option<u32>,
    pub first_long: Option<u32>,
    pub last_long: Option<u32>,
    /// Words of long blocks before each block.
    pub long_before: Vec<f32>,
    /// How many ancestors of each element, itself included, are named as comments.
    pub comments: Vec<u8>,
    /// The first text in comments.
    pub first_comment: Option<u32>,
}

/// Attribution of the long text that [`PageContext::in_most`] is about.
const MOST: [f32; 3] = [0.4, 0.6, 0.9];

/// An element with this share of the page is not comments, whatever its name, or they are its content.
const MOST_OF_PAGE: f32 = 0.95;

impl PageContext {
    pub fn of(view: &AutoView) -> PageContext {
        let (outline, subtrees) = (&view.outline, view.subtree_stats());
        let elements = 0..outline.elements.len() as u32;
        let density: Vec<f32> = elements.map(|at| subtrees.sum(at).density).collect();
        let mut context = PageContext {
            in_top: relations(outline, subtrees.top),
            in_most: MOST.map(|share| relations(outline, smallest_with(outline, subtrees, share))),
            in_densest: relations(outline, deepest_largest(outline, &density)),
            key_values: KeyValues::of(outline),
            ..PageContext::default()
        };
        context.follow_reading_order(outline);
        let title = context.h1.map(|block| outline.blocks[block as usize].first);
        context.lists = Lists::of(outline, subtrees, title);
        context.find_comments(outline, subtrees);
        context
    }

    fn follow_reading_order(&mut self, outline: &Outline) {
        let mut copies: foldhash::HashMap<u64, u32> =
            foldhash::HashMap::with_capacity_and_hasher(outline.blocks.len(), Default::default());
        self.reading_order.reserve_exact(outline.blocks.len());
        self.long_before.reserve_exact(outline.blocks.len());
        for block in &outline.blocks {
            *copies.entry(block.hash).or_default() += 1;
        }
        let mut now = ReadingOrder::default();
        let mut last_heading: Option<usize> = None;
        let (mut best, mut long) = (0.0, 0.0);
        for (number, block) in outline.blocks.iter().enumerate() {
            let words = block.stats.weight();
            self.reading_order.push(ReadingOrder {
                since_heading: last_heading.map_or(99.0, |at| (number - at).min(60) as f32),
                copies: (copies[&block.hash] - 1).min(9) as f32,
                ..now
            });
            let tag = outline.elements[block.element as usize].tag;
            if heading_level(tag) > 0 {
                last_heading = Some(number);
                now.heading = heading_level(tag);
                now.words_since_heading = 0.0;
                now.heading_of_title = block.of_title;
            } else {
                now.words_since_heading += words;
            }
            now.words_before += words;
            let alike = block.in_title + block.of_title;
            if heading_level(tag) == 1 && (self.h1.is_none() || alike > best) {
                (self.h1, best) = (Some(number as u32), alike);
            }
            self.long_before.push(long);
            if block.is_long() {
                long += words;
                self.first_long.get_or_insert(number as u32);
                self.last_long = Some(number as u32);
            }
        }
    }

    fn find_comments(&mut self, outline: &Outline, subtrees: &SubtreeStats) {
        let elements = &outline.elements;
        let all = subtrees.total().words;
        let h1 = self.h1.map(|block| outline.blocks[block as usize].first);
        self.comments = vec![0; elements.len()];
        for (at, element) in elements.iter().enumerate().skip(1) {
            let around = self.comments[element.parent as usize];
            let words = || subtrees.sum(at as u32).words;
            let holds_title = h1.is_some_and(|text| (element.first..element.last).contains(&text));
            let own = element.comments && !holds_title && words() < MOST_OF_PAGE * all;
            self.comments[at] = around.saturating_add(u8::from(own));
            if own {
                self.first_comment.get_or_insert(element.first);
            }
        }
    }
}

/// The smallest element with at least this share of the long text.
fn smallest_with(outline: &Outline, subtrees: &SubtreeStats, share: f32) -> u32 {
    let least = share * subtrees.total().long;
    let mut found = 0;
    if least <= 0.0 {
        return found;
    }
    for at in 1..outline.elements.len() as u32 {
        let inside = at < outline.elements[found as usize].end;
        if inside && outline.elements[at as usize].block == at && subtrees.sum(at).long >= least {
            found = at;
        }
    }
    found
}

fn deepest_largest(outline: &Outline, scores: &[f32]) -> u32 {
    let mut found = 0;
    for (at, score) in scores.iter().enumerate() {
        let deeper = outline.elements[at].depth > outline.elements[found].depth;
        if *score > scores[found] || *score == scores[found] && deeper {
            found = at;
        }
    }
    found as u32
}

/// The relation of each element to a container.
pub(crate) fn relations(outline: &Outline, container: u32) -> Vec<Relation> {
    let elements = &outline.elements;
    let mut found = vec![Relation::default(); elements.len()];
    let Some(target) = elements.get(container as usize) else {
        return found;
    };
    for at in 0..elements.len() as u32 {
        let element = &elements[at as usize];
        found[at as usize] = if at >= container && at < target.end {
            Relation {
                inside: true,
                ..Relation::default()
            }
        } else if at <= container && container < element.end {
            Relation {
                down: target.depth - element.depth,
                ..Relation::default()
            }
        } else {
            let up = found[element.parent as usize];
            Relation {
                up: up.up + u16::from(element.block == at),
                ..up
            }
        };
    }
    found
}
