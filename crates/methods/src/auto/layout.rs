//! How a page is laid out, by itself alone: what only labels need to know.

use super::figures::Figures;
use super::lists::Lists;
use super::outline::Outline;
use super::pairs::Pairs;
use super::tags;
use super::view::AutoView;

/// How an element stands to a container.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Relation {
    pub inside: bool,
    /// Blocks up to the nearest element that holds the container too.
    pub up: u16,
    /// Blocks from there down to the container.
    pub down: u16,
}

/// Where a block stands in the course of the page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Course {
    /// Words before it.
    pub words_before: f32,
    /// Level of the last heading, 0 if none …
    pub heading: u8,
    /// … blocks since …
    pub since_heading: f32,
    /// … words since …
    pub words_since_heading: f32,
    /// … and share of the title's words in it.
    pub heading_of_title: f32,
    /// Other blocks with the same text.
    pub copies: f32,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Relations to the likely main container …
    pub in_top: Vec<Relation>,
    /// … to the smallest elements with 40, 60 and 90 % of the long text …
    pub in_most: [Vec<Relation>; 3],
    /// … and to the subtree with most unlinked words for its links and blocks.
    pub in_densest: Vec<Relation>,
    pub lists: Lists,
    pub pairs: Pairs,
    pub course: Vec<Course>,
    /// The block of the heading that is most like the title.
    pub h1: Option<u32>,
    pub first_long: Option<u32>,
    pub last_long: Option<u32>,
    /// Words of long blocks before each block.
    pub long_before: Vec<f32>,
    /// Elements named as comments around each element.
    pub comments: Vec<u8>,
    /// The first text in one.
    pub first_comment: Option<u32>,
}

/// Shares of the long text that [`Layout::in_most`] is about.
const MOST: [f32; 3] = [0.4, 0.6, 0.9];

/// Comments that hold this share of a page are named so by mistake, or are its content.
const MOST_OF_PAGE: f32 = 0.95;

impl Layout {
    pub fn of(view: &AutoView) -> Layout {
        let (outline, figures) = (&view.outline, view.figures());
        let elements = 0..outline.elements.len() as u32;
        let density: Vec<f32> = elements.map(|at| figures.sum(at).density).collect();
        let mut layout = Layout {
            in_top: relations(outline, figures.top),
            in_most: MOST.map(|share| relations(outline, smallest_with(outline, figures, share))),
            in_densest: relations(outline, deepest_largest(outline, &density)),
            lists: Lists::of(outline, figures),
            pairs: Pairs::of(outline),
            ..Layout::default()
        };
        layout.follow_course(outline);
        layout.find_comments(outline, figures);
        layout
    }

    fn follow_course(&mut self, outline: &Outline) {
        let mut copies: foldhash::HashMap<u64, u32> = foldhash::HashMap::default();
        for block in &outline.blocks {
            *copies.entry(block.hash).or_default() += 1;
        }
        let mut now = Course::default();
        let mut last_heading: Option<usize> = None;
        let (mut best, mut long) = (0.0, 0.0);
        for (number, block) in outline.blocks.iter().enumerate() {
            let words = block.look.weight();
            self.course.push(Course {
                since_heading: last_heading.map_or(99.0, |at| (number - at).min(60) as f32),
                copies: (copies[&block.hash] - 1).min(9) as f32,
                ..now
            });
            let tag = outline.elements[block.element as usize].tag;
            if tags::heading(tag) > 0 {
                last_heading = Some(number);
                now.heading = tags::heading(tag);
                now.words_since_heading = 0.0;
                now.heading_of_title = block.of_title;
            } else {
                now.words_since_heading += words;
            }
            now.words_before += words;
            let alike = block.in_title + block.of_title;
            if tags::heading(tag) == 1 && (self.h1.is_none() || alike > best) {
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

    fn find_comments(&mut self, outline: &Outline, figures: &Figures) {
        let elements = &outline.elements;
        let all = figures.total().words;
        let h1 = self.h1.map(|block| outline.blocks[block as usize].first);
        self.comments = vec![0; elements.len()];
        for (at, element) in elements.iter().enumerate().skip(1) {
            let around = self.comments[element.parent as usize];
            let words = || figures.sum(at as u32).words;
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
fn smallest_with(outline: &Outline, figures: &Figures, share: f32) -> u32 {
    let least = share * figures.total().long;
    let mut found = 0;
    if least <= 0.0 {
        return found;
    }
    for at in 1..outline.elements.len() as u32 {
        let inside = at < outline.elements[found as usize].end;
        if inside && outline.elements[at as usize].block == at && figures.sum(at).long >= least {
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

/// How each element stands to a container.
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
