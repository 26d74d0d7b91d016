//! Sums over the subtrees of a page, and its likely main container.

use unframe_page::tag_class::heading_level;

use crate::auto::page::link_target::Leads;
use crate::auto::page::outline::Outline;
use crate::auto::page::tags;
use crate::auto::page::text_stats::TextFlag;

/// Counts that are summed over the texts of a subtree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextSums {
    /// Words; see [`TextStats::weight`](super::text_stats::TextStats::weight).
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
    /// Links …
    pub links: f32,
    /// … and the words of those that lead within the page.
    pub within: f32,
    /// Words of unlinked texts of eight words or more.
    pub prose: f32,
    /// Words outside of links, minus a penalty for links and for each block.
    pub density: f32,
}

macro_rules! each_field {
    ($do:ident) => {
        $do!(words linked sentences long blocks paragraphs headings dates links within prose density)
    };
}

impl std::ops::Add for TextSums {
    type Output = TextSums;
    fn add(self, other: TextSums) -> TextSums {
        macro_rules! add { ($($name:ident)*) => { TextSums { $($name: self.$name + other.$name),* } } }
        each_field!(add)
    }
}

impl std::ops::Sub for TextSums {
    type Output = TextSums;
    fn sub(self, other: TextSums) -> TextSums {
        macro_rules! sub { ($($name:ident)*) => { TextSums { $($name: self.$name - other.$name),* } } }
        each_field!(sub)
    }
}

/// The sums of all subtrees of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubtreeStats {
    /// Sums over the texts before each text, then over all …
    before: Vec<TextSums>,
    /// … and over the texts of each element.
    sums: Vec<TextSums>,
    /// The score of each element as the main container …
    pub score: Vec<f32>,
    /// … and the element of the best score.
    pub top: u32,
}

/// The fewest words of a text that counts as prose.
pub(crate) const PROSE_WORDS: f32 = 8.0;

/// Unlinked words that a block must have to make its subtree denser.
const BLOCK_PENALTY: f32 = 6.0;

impl SubtreeStats {
    pub fn of(outline: &Outline) -> SubtreeStats {
        let before = prefix_sums(outline);
        let sum = |first: u32, last: u32| before[last as usize] - before[first as usize];
        let elements = outline.elements.iter();
        let mut subtrees = SubtreeStats {
            sums: elements.map(|at| sum(at.first, at.last)).collect(),
            before,
            ..SubtreeStats::default()
        };
        subtrees.score = subtrees.scores(outline);
        subtrees.top = largest(&subtrees.score);
        subtrees
    }

    /// The sum over an element.
    pub fn sum(&self, element: u32) -> &TextSums {
        &self.sums[element as usize]
    }

    /// Words of a range of texts.
    pub fn words_between(&self, first: u32, last: u32) -> f32 {
        self.before[last as usize].words - self.before[first as usize].words
    }

    /// The sum over the page.
    pub fn total(&self) -> TextSums {
        self.before.last().copied().unwrap_or_default()
    }

    /// Scores each element as the main container: paragraphs count for the element that holds them and,
    /// less and less, for its ancestors; links count against it.
    fn scores(&self, outline: &Outline) -> Vec<f32> {
        let mut score = vec![0.0; outline.elements.len()];
        for block in &outline.blocks {
            let (words, share) = (block.stats.weight(), block.link_share());
            let own = words * (1.0 - share);
            if own < 6.0 || share >= 0.5 {
                continue;
            }
            let points = 1.0 + (block.stats.commas as f32).min(10.0) + (own / 18.0).min(3.0);
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

fn prefix_sums(outline: &Outline) -> Vec<TextSums> {
    let mut before = Vec::with_capacity(outline.texts.len() + 1);
    let mut sum = TextSums::default();
    before.push(sum);
    for (number, text) in outline.texts.iter().enumerate() {
        let block = &outline.blocks[text.block as usize];
        let words = text.stats.weight();
        let linked = outline.is_linked(text);
        sum.words += words;
        sum.sentences += text.stats.sentences as f32;
        if linked {
            sum.linked += words;
            let element = &outline.elements[text.element as usize];
            if element.leads == Some(Leads::Within) {
                sum.within += words;
            }
            let is_first = outline.elements[element.link as usize].first == number as u32;
            sum.links += if is_first { 1.0 } else { 0.0 };
        } else if words >= PROSE_WORDS && !outline.elements[text.element as usize].control {
            sum.prose += words;
        }
        if block.is_long() {
            sum.long += words;
        }
        if text.stats.has(TextFlag::Date) {
            sum.dates += 1.0;
        }
        sum.density += if linked { -0.5 * words } else { words };
        if block.first == number as u32 {
            sum.blocks += 1.0;
            sum.density -= BLOCK_PENALTY;
            if block.stats.weight() >= 10.0 && block.link_share() < 0.4 {
                sum.paragraphs += 1.0;
            }
            if heading_level(outline.elements[block.element as usize].tag) > 0 {
                sum.headings += 1.0;
            }
        }
        before.push(sum);
    }
    before
}

/// The index of the largest score, the first if there are several.
fn largest(scores: &[f32]) -> u32 {
    let mut found = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[found] {
            found = at;
        }
    }
    found as u32
}
