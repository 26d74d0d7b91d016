//! What one page alone tells: sums over its elements, its likely main container, its lists.

use super::look::Mark;
use super::outline::{NONE, Outline};
use super::tags;

/// Figures that add up over the texts of an element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    /// Words, see [`Look::weight`](super::look::Look::weight).
    pub words: f32,
    /// Words in links.
    pub linked: f32,
    pub sentences: f32,
    /// Words of long, hardly linked blocks.
    pub long: f32,
    pub blocks: f32,
    /// Blocks of ten words or more that are hardly linked.
    pub paragraphs: f32,
    pub headings: f32,
    pub dates: f32,
    /// Words of unlinked texts of eight words or more.
    pub prose: f32,
    /// Words outside of links, less a price for links and for each block.
    pub density: f32,
}

macro_rules! each_field {
    ($do:ident) => {
        $do!(words linked sentences long blocks paragraphs headings dates prose density)
    };
}

impl std::ops::Add for Sum {
    type Output = Sum;
    fn add(self, other: Sum) -> Sum {
        macro_rules! add { ($($name:ident)*) => { Sum { $($name: self.$name + other.$name),* } } }
        each_field!(add)
    }
}

impl std::ops::Sub for Sum {
    type Output = Sum;
    fn sub(self, other: Sum) -> Sum {
        macro_rules! sub { ($($name:ident)*) => { Sum { $($name: self.$name - other.$name),* } } }
        each_field!(sub)
    }
}

/// Siblings of one shape, three or more: a list, whatever its tags.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    pub items: f32,
    pub mean_words: f32,
    pub link_share: f32,
    /// Share of the items with a heading …
    pub headings: f32,
    /// … an image …
    pub images: f32,
    /// … a date …
    pub dates: f32,
    /// … a prose text …
    pub prose: f32,
    /// … both of these.
    pub dated_prose: f32,
    pub mean_paragraphs: f32,
    pub mean_blocks: f32,
    /// Share of the page's words.
    pub share: f32,
    /// Share of the page's prose.
    pub prose_share: f32,
    /// Standard deviation of the items' words over their mean.
    pub spread: f32,
}

/// The place of an element in a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub group: u32,
    /// Blocks up to the item.
    pub steps: u16,
    pub number: u32,
}

const NO_ITEM: Item = Item {
    group: NONE,
    steps: 30,
    number: 0,
};

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

/// All that is worked out from the page alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// Sums over the texts before each text, and over all …
    before: Vec<Sum>,
    /// … and over each element.
    sums: Vec<Sum>,
    /// How much each element looks like the main container.
    pub score: Vec<f32>,
    pub top: u32,
    pub in_top: Vec<Relation>,
    /// Relations to the smallest elements with 40, 60 and 90 % of the long text.
    pub in_most: [Vec<Relation>; 3],
    /// Relation to the subtree with most unlinked words for its links and blocks.
    pub in_densest: Vec<Relation>,
    pub groups: Vec<Group>,
    /// The nearest list of each element …
    pub item: Vec<Item>,
    /// … the next further out …
    pub outer_item: Vec<Item>,
    /// … and the outermost in which at least half of the items have prose.
    pub prose_item: Vec<Item>,
    pub course: Vec<Course>,
    /// The block of the heading that is most like the title.
    pub h1: Option<u32>,
    pub first_long: Option<u32>,
    pub last_long: Option<u32>,
}

/// Shares of the long text that [`Figures::in_most`] is about.
const MOST: [f32; 3] = [0.4, 0.6, 0.9];

/// Words of a text from which it counts as prose.
pub(crate) const PROSE_WORDS: f32 = 8.0;

/// Words that a block must have more than links to make its subtree denser.
const BLOCK_PRICE: f32 = 6.0;

impl Figures {
    pub fn of(outline: &Outline) -> Figures {
        let mut figures = Figures {
            before: prefix_sums(outline),
            ..Figures::default()
        };
        let before = &figures.before;
        figures.sums = outline
            .elements
            .iter()
            .map(|element| before[element.last as usize] - before[element.first as usize])
            .collect();
        figures.score = figures.scores(outline);
        figures.top = largest(&figures.score);
        figures.in_top = relations(outline, figures.top);
        for (relation, share) in figures.in_most.iter_mut().zip(MOST) {
            *relation = relations(outline, smallest_with(outline, &figures.before, share));
        }
        let density: Vec<f32> = (0..outline.elements.len())
            .map(|element| figures.sum(element as u32).density)
            .collect();
        figures.in_densest = relations(outline, deepest_largest(outline, &density));
        figures.find_lists(outline);
        figures.follow_course(outline);
        figures
    }

    /// The sum over an element.
    pub fn sum(&self, element: u32) -> &Sum {
        &self.sums[element as usize]
    }

    /// Words of a range of texts.
    pub fn words_between(&self, first: u32, last: u32) -> f32 {
        self.before[last as usize].words - self.before[first as usize].words
    }

    /// The sum over the page.
    pub fn total(&self) -> Sum {
        self.before.last().copied().unwrap_or_default()
    }

    /// How much each element looks like the main container: paragraphs count for the element that
    /// holds them and, less and less, for those above; links count against it.
    fn scores(&self, outline: &Outline) -> Vec<f32> {
        let mut score = vec![0.0; outline.elements.len()];
        for block in &outline.blocks {
            let (words, share) = (block.look.weight(), block.link_share());
            let own = words * (1.0 - share);
            if own < 6.0 || share >= 0.5 {
                continue;
            }
            let points = 1.0 + (block.look.commas as f32).min(10.0) + (own / 18.0).min(3.0);
            let mut element = block.element;
            if tags::is_paragraph(outline.elements[element as usize].tag) {
                element = outline.above(element);
            }
            for factor in [1.0, 0.5, 0.25, 0.125, 0.06] {
                score[element as usize] += points * factor;
                if element == 0 {
                    break;
                }
                element = outline.above(element);
            }
        }
        for (element, score) in score.iter_mut().enumerate() {
            if *score > 0.0 {
                let sum = self.sums[element];
                *score *= 1.0 - sum.linked / sum.words.max(0.5);
            }
        }
        score
    }

    fn find_lists(&mut self, outline: &Outline) {
        let elements = &outline.elements;
        // Siblings of one shape stand together.
        let mut siblings: Vec<(u32, u64, u32)> = (1..elements.len() as u32)
            .filter(|at| {
                let element = &elements[*at as usize];
                element.block == *at && element.first < element.last
            })
            .map(|at| (outline.above(at), elements[at as usize].shape, at))
            .collect();
        siblings.sort_unstable();
        let mut own = vec![NO_ITEM; elements.len()];
        let total = self.total();
        for list in siblings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if list.len() < 3 {
                continue;
            }
            let group = self.groups.len() as u32;
            self.groups.push(self.list_figures(outline, list, total));
            for (number, (_, _, at)) in list.iter().enumerate() {
                own[*at as usize] = Item {
                    group,
                    steps: 0,
                    number: number as u32,
                };
            }
        }
        self.item = vec![NO_ITEM; elements.len()];
        self.outer_item = self.item.clone();
        self.prose_item = self.item.clone();
        for at in 1..elements.len() {
            let up = elements[at].parent as usize;
            let step = u16::from(elements[at].block == at as u32);
            let further = |item: Item| Item {
                steps: if item.group == NONE {
                    item.steps
                } else {
                    item.steps + step
                },
                ..item
            };
            self.prose_item[at] = further(self.prose_item[up]);
            if own[at].group == NONE {
                self.item[at] = further(self.item[up]);
                self.outer_item[at] = further(self.outer_item[up]);
                continue;
            }
            self.item[at] = own[at];
            self.outer_item[at] = further(self.item[up]);
            let prose = self.groups[own[at].group as usize].prose;
            if self.prose_item[at].group == NONE && prose >= 0.5 {
                self.prose_item[at] = own[at];
            }
        }
    }

    fn list_figures(&self, outline: &Outline, list: &[(u32, u64, u32)], total: Sum) -> Group {
        let mut sum = Sum::default();
        let mut group = Group::default();
        let mut squares = 0.0;
        for (_, _, at) in list {
            let own = *self.sum(*at);
            sum = sum + own;
            squares += own.words * own.words;
            let yes = |is: bool| if is { 1.0 } else { 0.0 };
            group.headings += yes(own.headings > 0.0);
            group.images += yes(outline.elements[*at as usize].images > 0);
            group.dates += yes(own.dates > 0.0);
            group.prose += yes(own.prose > 0.0);
            group.dated_prose += yes(own.prose > 0.0 && own.dates > 0.0);
        }
        let items = list.len() as f32;
        let mean = sum.words / items;
        let variance = (squares / items - mean * mean).max(0.0);
        Group {
            items,
            mean_words: mean,
            link_share: sum.linked / sum.words.max(0.5),
            headings: group.headings / items,
            images: group.images / items,
            dates: group.dates / items,
            prose: group.prose / items,
            dated_prose: group.dated_prose / items,
            mean_paragraphs: sum.paragraphs / items,
            mean_blocks: sum.blocks / items,
            share: sum.words / total.words.max(1.0),
            prose_share: sum.prose / total.prose.max(1.0),
            spread: variance.sqrt() / mean.max(0.5),
        }
    }

    fn follow_course(&mut self, outline: &Outline) {
        let mut copies: foldhash::HashMap<u64, u32> = foldhash::HashMap::default();
        for block in &outline.blocks {
            *copies.entry(block.hash).or_default() += 1;
        }
        let mut now = Course::default();
        let mut last_heading: Option<usize> = None;
        let mut best = 0.0;
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
            if block.is_long() {
                self.first_long.get_or_insert(number as u32);
                self.last_long = Some(number as u32);
            }
        }
    }
}

fn prefix_sums(outline: &Outline) -> Vec<Sum> {
    let mut before = Vec::with_capacity(outline.texts.len() + 1);
    let mut sum = Sum::default();
    before.push(sum);
    for (number, text) in outline.texts.iter().enumerate() {
        let block = &outline.blocks[text.block as usize];
        let words = text.look.weight();
        let linked = outline.is_linked(text);
        sum.words += words;
        sum.sentences += text.look.sentences as f32;
        if linked {
            sum.linked += words;
        } else if words >= PROSE_WORDS && !outline.elements[text.element as usize].control {
            sum.prose += words;
        }
        if block.is_long() {
            sum.long += words;
        }
        if text.look.has(Mark::Date) {
            sum.dates += 1.0;
        }
        sum.density += if linked { -0.5 * words } else { words };
        if block.first == number as u32 {
            sum.blocks += 1.0;
            sum.density -= BLOCK_PRICE;
            if block.look.weight() >= 10.0 && block.link_share() < 0.4 {
                sum.paragraphs += 1.0;
            }
            if tags::heading(outline.elements[block.element as usize].tag) > 0 {
                sum.headings += 1.0;
            }
        }
        before.push(sum);
    }
    before
}

/// The smallest element with at least this share of the long text.
fn smallest_with(outline: &Outline, before: &[Sum], share: f32) -> u32 {
    let long = |at: u32| {
        let element = &outline.elements[at as usize];
        before[element.last as usize].long - before[element.first as usize].long
    };
    let least = share * before.last().map_or(0.0, |sum| sum.long);
    let mut found = 0;
    if least <= 0.0 {
        return found;
    }
    for at in 1..outline.elements.len() as u32 {
        let inside = at < outline.elements[found as usize].end;
        if inside && outline.elements[at as usize].block == at && long(at) >= least {
            found = at;
        }
    }
    found
}

/// The first of the largest.
fn largest(scores: &[f32]) -> u32 {
    let mut found = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[found] {
            found = at;
        }
    }
    found as u32
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
