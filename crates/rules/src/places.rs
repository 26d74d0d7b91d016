//! The places of a site: the paths of all pages in one tree, with what is kept and removed in each.

use foldhash::HashMap;

use crate::form::Step;
use crate::outline::Outline;

/// What a page with as many words kept as removed weighs: enough for shares of a word.
const UNIT: i64 = 1_000_000;

/// Pages with fewer words count for less.
const FEW_WORDS: u64 = 20;

/// Longest example, in characters.
const LONGEST_EXAMPLE: usize = 48;

/// One place: a path of steps that elements of the pages have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) parent: u32,
    /// The first place after it that is not below it.
    pub(crate) end: u32,
    pub(crate) step: u32,
    /// The positions that its elements have among siblings of their name: bit `n` for position `n`. A
    /// selector by position means all elements of a place if it may mean one.
    pub(crate) positions: u64,
    /// The weight of its own words that are kept, and removed.
    pub(crate) kept: i64,
    pub(crate) removed: i64,
    /// Those words.
    pub(crate) kept_words: u64,
    pub(crate) removed_words: u64,
    /// How the text of one of its elements begins.
    pub(crate) example: String,
}

/// The places of a site, parents before children; the first is `body`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) steps: Vec<Step>,
    pub(crate) all: Vec<Place>,
    /// For each page, its places with own words, and their weights.
    pub(crate) pages: Vec<Vec<(u32, i64, i64)>>,
    /// For each place, a bit for each page that has it.
    pub(crate) presence: Vec<u64>,
    /// Words of a row of bits.
    pub(crate) blocks: usize,
    /// Pages of each place and of the site, if they are only known as numbers.
    pub(crate) counted: Option<(Vec<u64>, u64)>,
}

impl Places {
    /// The places of some pages.
    pub(crate) fn new<'a>(outlines: impl ExactSizeIterator<Item = &'a Outline>) -> Places {
        let mut growing = Growing {
            blocks: outlines.len().div_ceil(64),
            ..Growing::default()
        };
        growing.all.push(Place::default());
        growing.presence.resize(growing.blocks, 0);
        let body = growing.step(&Step {
            tag: "body".into(),
            ..Step::default()
        });
        debug_assert_eq!(body, 0);
        for (number, outline) in outlines.enumerate() {
            growing.add(number, outline);
        }
        growing.in_order()
    }

    /// What all pages weigh together.
    pub(crate) fn weight(&self) -> i64 {
        self.pages.len() as i64 * UNIT
    }

    /// The sums of each place and those below it.
    pub(crate) fn sums(&self, own: impl Fn(&Place) -> i64) -> Vec<i64> {
        let mut sums: Vec<i64> = self.all.iter().map(own).collect();
        for at in (1..sums.len()).rev() {
            sums[self.all[at].parent as usize] += sums[at];
        }
        sums
    }

    /// How many pages there are.
    pub(crate) fn page_count(&self) -> u64 {
        let pages = self.pages.len() as u64;
        self.counted.as_ref().map_or(pages, |(_, all)| *all)
    }

    /// How many pages have one of these places.
    pub(crate) fn support(&self, places: &[u32]) -> u64 {
        match &self.counted {
            None => count(&self.pages_with(places)),
            Some((of_place, _)) => {
                let counts = places.iter().map(|place| of_place[*place as usize]);
                counts.max().unwrap_or(0)
            }
        }
    }

    /// The pages that have one of these places, a bit for each.
    pub(crate) fn pages_with(&self, places: &[u32]) -> Vec<u64> {
        let mut pages = vec![0u64; self.blocks];
        for place in places {
            let from = *place as usize * self.blocks;
            for (all, own) in pages.iter_mut().zip(&self.presence[from..]) {
                *all |= own;
            }
        }
        pages
    }
}

fn count(pages: &[u64]) -> u64 {
    pages.iter().map(|bits| u64::from(bits.count_ones())).sum()
}

/// Places in the order in which they are found.
#[derive(Default)]
struct Growing {
    steps: HashMap<Step, u32>,
    all: Vec<Place>,
    /// The place below a place for a step.
    below: HashMap<(u32, u32), u32>,
    pages: Vec<Vec<(u32, i64, i64)>>,
    presence: Vec<u64>,
    blocks: usize,
}

impl Growing {
    fn step(&mut self, step: &Step) -> u32 {
        if let Some(number) = self.steps.get(step) {
            return *number;
        }
        let next = self.steps.len() as u32;
        self.steps.insert(step.clone(), next);
        next
    }

    fn add(&mut self, number: usize, outline: &Outline) {
        let (kept, removed) = outline.words();
        let whole = kept.max(removed / 4).max(FEW_WORDS) as i64;
        let weigh = |words: u32| UNIT * i64::from(words) / whole;
        let steps: Vec<u32> = outline.steps.iter().map(|step| self.step(step)).collect();
        let mut of_element = vec![0u32; outline.elements.len()];
        let mut page: Vec<(u32, i64, i64)> = Vec::new();
        for (at, element) in outline.elements.iter().enumerate() {
            let place = match at {
                0 => 0,
                _ => self.place(
                    of_element[element.parent as usize],
                    steps[element.step as usize],
                ),
            };
            of_element[at] = place;
            self.presence[place as usize * self.blocks + number / 64] |= 1 << (number % 64);
            let found = &mut self.all[place as usize];
            found.positions |= 1u64.checked_shl(element.nth).unwrap_or(0);
            found.kept += weigh(element.kept);
            found.removed += weigh(element.removed);
            found.kept_words += u64::from(element.kept);
            found.removed_words += u64::from(element.removed);
            if found.example.is_empty() {
                found.example = excerpt(
                    outline
                        .text
                        .get(element.start as usize..element.end as usize),
                );
            }
            if element.kept + element.removed > 0 {
                page.push((place, weigh(element.kept), weigh(element.removed)));
            }
        }
        page.sort_unstable();
        page.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 += next.1;
                first.2 += next.2;
            }
            is_same
        });
        self.pages.push(page);
    }

    fn place(&mut self, parent: u32, step: u32) -> u32 {
        if let Some(place) = self.below.get(&(parent, step)) {
            return *place;
        }
        let next = self.all.len() as u32;
        self.below.insert((parent, step), next);
        self.all.push(Place {
            parent,
            step,
            ..Place::default()
        });
        self.presence.resize(self.presence.len() + self.blocks, 0);
        next
    }

    /// The places so that those below a place follow it.
    fn in_order(self) -> Places {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.all.len()];
        for (at, place) in self.all.iter().enumerate().skip(1) {
            children[place.parent as usize].push(at as u32);
        }
        let mut order: Vec<u32> = Vec::with_capacity(self.all.len());
        let mut open = vec![0u32];
        while let Some(place) = open.pop() {
            order.push(place);
            open.extend(children[place as usize].iter().rev());
        }
        let mut new = vec![0u32; order.len()];
        for (at, old) in order.iter().enumerate() {
            new[*old as usize] = at as u32;
        }
        let mut all: Vec<Place> = Vec::with_capacity(order.len());
        let mut presence = Vec::with_capacity(self.presence.len());
        for old in &order {
            let mut place = self.all[*old as usize].clone();
            place.parent = new[place.parent as usize];
            all.push(place);
            let from = *old as usize * self.blocks;
            presence.extend_from_slice(&self.presence[from..from + self.blocks]);
        }
        for at in (0..all.len()).rev() {
            all[at].end = all[at].end.max(at as u32 + 1);
            let (parent, end) = (all[at].parent as usize, all[at].end);
            all[parent].end = all[parent].end.max(end);
        }
        let mut steps = vec![Step::default(); self.steps.len()];
        for (step, number) in self.steps {
            steps[number as usize] = step;
        }
        let renumbered = self.pages.into_iter().map(|page| {
            let places = page.into_iter();
            let places = places.map(|(place, kept, removed)| (new[place as usize], kept, removed));
            places.collect()
        });
        Places {
            steps,
            all,
            pages: renumbered.collect(),
            presence,
            blocks: self.blocks,
            counted: None,
        }
    }
}

/// The beginning of a text, for a reader.
fn excerpt(text: Option<&str>) -> String {
    let text = text.unwrap_or_default().trim();
    let shown: String = text
        .chars()
        .take(LONGEST_EXAMPLE)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    match shown.len() < text.len() {
        true => format!(
            "{} …",
            shown.rsplit_once(' ').map_or(&*shown, |(words, _)| words)
        ),
        false => shown,
    }
}
