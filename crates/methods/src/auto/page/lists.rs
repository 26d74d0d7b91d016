//! The lists of a page: siblings of one shape, whatever their tags.

use crate::auto::page::outline::{NONE, Outline};
use crate::auto::page::subtree_stats::{SubtreeStats, TextSums};

/// Three or more siblings of one shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
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
    /// … both of these …
    pub dated_prose: f32,
    /// … one or two links …
    pub few_links: f32,
    /// … a short first text, such as a name.
    pub short_starts: f32,
    /// 1 if the heading that is most like the title is among the items.
    pub titled: f32,
    pub mean_paragraphs: f32,
    pub mean_blocks: f32,
    /// Share of the page's words.
    pub share: f32,
    /// Share of the page's prose.
    pub prose_share: f32,
    /// Standard deviation of the items' words over their mean.
    pub spread: f32,
}

/// The list of an element that is in none.
pub(crate) const NO_LIST: List = List {
    items: 0.0,
    mean_words: 0.0,
    link_share: 0.0,
    headings: 0.0,
    images: 0.0,
    dates: 0.0,
    prose: 0.0,
    dated_prose: 0.0,
    few_links: 0.0,
    short_starts: 0.0,
    titled: 0.0,
    mean_paragraphs: 0.0,
    mean_blocks: 0.0,
    share: 0.0,
    prose_share: 0.0,
    spread: 0.0,
};

/// The position of an element in a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub list: u32,
    /// Block elements up to the item.
    pub steps: u16,
    pub number: u32,
}

const NO_ITEM: Item = Item {
    list: NONE,
    steps: 30,
    number: 0,
};

/// All lists of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    pub all: Vec<List>,
    /// The nearest list of each element …
    pub item: Vec<Item>,
    /// … the next further out …
    pub outer_item: Vec<Item>,
    /// … and the outermost in which at least half of the items have prose.
    pub prose_item: Vec<Item>,
}

impl Lists {
    /// The lists of a page; `title` is its first text that is like its title.
    pub fn of(outline: &Outline, subtrees: &SubtreeStats, title: Option<u32>) -> Lists {
        let elements = &outline.elements;
        // Sorted, so that siblings of one shape are adjacent.
        let mut siblings: Vec<(u32, u64, u32)> = (1..elements.len() as u32)
            .filter(|at| elements[*at as usize].block == *at)
            .map(|at| (outline.above(at), elements[at as usize].shape, at))
            .collect();
        siblings.sort_unstable();
        let mut own = vec![NO_ITEM; elements.len()];
        let mut lists = Lists {
            all: Vec::new(),
            item: own.clone(),
            outer_item: own.clone(),
            prose_item: own.clone(),
        };
        for items in siblings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if items.len() < 3 {
                continue;
            }
            let list = lists.all.len() as u32;
            lists.all.push(List::of(outline, subtrees, items, title));
            for (number, (_, _, at)) in items.iter().enumerate() {
                own[*at as usize] = Item {
                    list,
                    steps: 0,
                    number: number as u32,
                };
            }
        }
        for at in 1..elements.len() {
            let up = elements[at].parent as usize;
            let step = u16::from(elements[at].block == at as u32);
            let further = |item: Item| Item {
                steps: match item.list {
                    NONE => item.steps,
                    _ => item.steps + step,
                },
                ..item
            };
            lists.prose_item[at] = further(lists.prose_item[up]);
            if own[at].list == NONE {
                lists.item[at] = further(lists.item[up]);
                lists.outer_item[at] = further(lists.outer_item[up]);
                continue;
            }
            lists.item[at] = own[at];
            lists.outer_item[at] = further(lists.item[up]);
            let prose = lists.all[own[at].list as usize].prose;
            if lists.prose_item[at].list == NONE && prose >= 0.5 {
                lists.prose_item[at] = own[at];
            }
        }
        lists
    }
}

impl List {
    fn of(
        outline: &Outline,
        subtrees: &SubtreeStats,
        siblings: &[(u32, u64, u32)],
        title: Option<u32>,
    ) -> List {
        /// Words of a name, at most.
        const NAME_WORDS: u32 = 4;
        let total = subtrees.total();
        let mut sum = TextSums::default();
        let mut list = NO_LIST;
        let mut squares = 0.0;
        for (_, _, at) in siblings {
            let own = *subtrees.sum(*at);
            sum = sum + own;
            squares += own.words * own.words;
            let yes = |is: bool| if is { 1.0 } else { 0.0 };
            list.headings += yes(own.headings > 0.0);
            list.images += yes(outline.elements[*at as usize].images > 0);
            list.dates += yes(own.dates > 0.0);
            list.prose += yes(own.prose > 0.0);
            list.dated_prose += yes(own.prose > 0.0 && own.dates > 0.0);
            list.few_links += yes((1.0..=2.0).contains(&own.links));
            let item = &outline.elements[*at as usize];
            let first = &outline.texts[item.first as usize].stats;
            list.short_starts += yes(first.words <= NAME_WORDS);
            if title.is_some_and(|text| (item.first..item.last).contains(&text)) {
                list.titled = 1.0;
            }
        }
        let items = siblings.len() as f32;
        let mean = sum.words / items;
        let variance = (squares / items - mean * mean).max(0.0);
        List {
            items,
            mean_words: mean,
            link_share: sum.linked / sum.words.max(0.5),
            headings: list.headings / items,
            images: list.images / items,
            dates: list.dates / items,
            prose: list.prose / items,
            dated_prose: list.dated_prose / items,
            few_links: list.few_links / items,
            short_starts: list.short_starts / items,
            titled: list.titled,
            mean_paragraphs: sum.paragraphs / items,
            mean_blocks: sum.blocks / items,
            share: sum.words / total.words.max(1.0),
            prose_share: sum.prose / total.prose.max(1.0),
            spread: variance.sqrt() / mean.max(0.5),
        }
    }
}
