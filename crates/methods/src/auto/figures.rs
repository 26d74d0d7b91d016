//! Sums over the elements of a page, and its likely main container.

use super::look::Mark;
use super::outline::Outline;
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

/// What learning needs to know of a page beside its outline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// Sums over the texts before each text, and over all …
    before: Vec<Sum>,
    /// … and over each element.
    sums: Vec<Sum>,
    /// How much each element looks like the main container.
    pub score: Vec<f32>,
    pub top: u32,
}

/// Words of a text from which it counts as prose.
pub(crate) const PROSE_WORDS: f32 = 8.0;

/// Words that a block must have more than links to make its subtree denser.
const BLOCK_PRICE: f32 = 6.0;

impl Figures {
    pub fn of(outline: &Outline) -> Figures {
        let before = prefix_sums(outline);
        let sum = |first: u32, last: u32| before[last as usize] - before[first as usize];
        let elements = outline.elements.iter();
        let mut figures = Figures {
            sums: elements.map(|at| sum(at.first, at.last)).collect(),
            before,
            ..Figures::default()
        };
        figures.score = figures.scores(outline);
        figures.top = largest(&figures.score);
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
