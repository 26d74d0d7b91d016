//! The designs (page templates) that a site has had over time, and the detection of a redesign.
//!
//! A design is represented by the places where its pages have text, each with the number of pages
//! that have it. The fit of a page to a design is the share of its text at places that several
//! pages of the design have. Consecutive pages that fit no design are set aside as odd pages. If
//! there are enough of them, and the pages before them fitted well, the site was redesigned at the
//! first of them, and they become the first pages of a new design. Otherwise they are counted as
//! odd pages of the previous design. The places of odd pages are stored separately. Odd pages like
//! those of earlier runs do not count as new, but within one run odd pages must not make a new
//! design look known before it is reported.

use foldhash::HashMap;

use crate::coding::{put_differences, put_number, put_sized};
use crate::memory::BadRow;
use crate::record::Fields;
use crate::size::map_bytes;

/// A place is known if at least this many pages have it.
const KNOWN_FROM: u32 = 3;
/// A page fits badly if less than this share of its text is at known places.
const BAD_FIT: f32 = 0.3;
/// This many consecutive badly fitting pages may be a new design …
const IN_A_ROW: usize = 5;
/// … if the mean fit of the pages before them was above this …
const GOOD_FIT: f32 = 0.7;
/// … and there were at least this many of them.
const ENOUGH_FITTED: u32 = 5;
/// Number of pages in the running mean of the fit.
const REMEMBERED: u32 = 50;
/// Maximum number of places per design; above it, those that fewest pages have are dropped.
const MOST_PLACES: usize = 2048;
/// From this number of pages on, places of a single page are dropped whenever it has doubled: most of
/// them will stay alone, and a site would be remembered by them.
const FIRST_TIDYING: u64 = 64;
/// Maximum number of designs; above it, the least recently used one is dropped.
const MOST_DESIGNS: usize = 8;
/// Maximum number of bytes stored of a page's name.
const MOST_NAME: usize = 200;

/// The places where a page has text, each once, with the length of the text there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextPlaces(pub Vec<(u64, u32)>);

/// A place as it is remembered: of a page's hundred places, one in 40 million is taken for another.
type Place = u32;
const PLACE_BYTES: usize = 4;

fn short(place: u64) -> Place {
    place as Place
}

/// One design of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Design {
    /// Counted from 1, in order of appearance.
    pub number: u32,
    /// The number of its first page among the pages of the site.
    pub since: u64,
    /// The name of its first page.
    pub first: String,
    /// Number of pages with this design.
    pub pages: u64,
    /// The running mean of the fit of its pages, when each was added; in millionths.
    fit: u32,
    fitted: u32,
    /// The number of the last page that had it.
    used: u64,
    places: HashMap<Place, u32>,
}

/// The designs of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesignHistory {
    list: Vec<Design>,
    /// Number of pages added.
    pages: u64,
    /// Consecutive pages that fit no design, not yet assigned to any.
    odd: Vec<OddPage>,
    /// Places of odd pages, with the number of pages that had them; those of this run are in
    /// `new_rest`.
    rest: HashMap<Place, u32>,
    new_rest: HashMap<Place, u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OddPage {
    number: u64,
    name: String,
    places: Vec<Place>,
}

/// The result of matching a page with the designs of its site.
#[derive(Clone, Debug, PartialEq)]
pub enum DesignMatch {
    /// The page has this design.
    Fits(u32),
    /// The page fits no design; it is too early to say what it is.
    Undecided,
    /// This page and the undecided ones before it are the first of a new design.
    New {
        /// The number of the new design.
        design: u32,
        /// The mean fit of the pages before.
        former: f32,
    },
}

impl Design {
    /// The share of a page's text at known places; `None` if there are too few pages to tell.
    fn share(&self, page: &TextPlaces) -> Option<f32> {
        if self.pages < u64::from(KNOWN_FROM) {
            return None;
        }
        share_known(&self.places, page)
    }

    fn count(&mut self, places: impl IntoIterator<Item = Place>, now: u64) {
        self.pages += 1;
        self.used = now;
        count_places(&mut self.places, places);
        if self.pages >= FIRST_TIDYING && self.pages.is_power_of_two() {
            self.places.retain(|_, pages| *pages > 1);
        }
    }

    fn remember_fit(&mut self, share: f32) {
        self.fitted = (self.fitted + 1).min(REMEMBERED);
        let mean = self.mean_fit();
        let mean = mean + (share - mean) / self.fitted as f32;
        self.fit = (mean.clamp(0.0, 1.0) * 1e6) as u32;
    }

    /// The mean fit of its pages, when each was added.
    pub fn mean_fit(&self) -> f32 {
        self.fit as f32 / 1e6
    }
}

/// The share of a page's text at places that enough pages have.
fn share_known(known: &HashMap<Place, u32>, page: &TextPlaces) -> Option<f32> {
    let is_known = |place: &u64| known.get(&short(*place)).is_some_and(|n| *n >= KNOWN_FROM);
    let (mut all, mut there) = (0u64, 0u64);
    for (place, length) in &page.0 {
        all += u64::from(*length);
        there += u64::from(*length) * u64::from(is_known(place));
    }
    (all > 0).then(|| there as f32 / all as f32)
}

fn count_places(counts: &mut HashMap<Place, u32>, places: impl IntoIterator<Item = Place>) {
    for place in places {
        *counts.entry(place).or_default() += 1;
    }
    let mut least = 1;
    while counts.len() > MOST_PLACES {
        counts.retain(|_, pages| *pages > least);
        least *= 2;
    }
}

impl DesignHistory {
    /// The designs in order of appearance.
    pub fn list(&self) -> &[Design] {
        &self.list
    }

    /// Number of pages added so far.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The number of the newest design; 0 if there is none.
    pub fn newest(&self) -> u32 {
        self.list
            .iter()
            .map(|design| design.number)
            .max()
            .unwrap_or(0)
    }

    /// The fit of a page to the best of the designs up to this number; `None` if there are too few
    /// pages to tell.
    pub fn fit(&self, page: &TextPlaces, up_to: u32) -> Option<f32> {
        let known = self.list.iter().filter(|design| design.number <= up_to);
        let shares = known.filter_map(|design| design.share(page));
        shares.max_by(f32::total_cmp)
    }

    /// Adds a page and matches it with the designs.
    pub fn add_page(&mut self, name: &str, page: &TextPlaces) -> DesignMatch {
        self.pages += 1;
        let now = self.pages;
        let places = || page.0.iter().map(|(place, _)| short(*place));
        let shares = self.list.iter().map(|design| design.share(page));
        let best = shares
            .enumerate()
            .filter_map(|(at, share)| Some((at, share?)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        match best {
            Some((_, share)) if share < BAD_FIT => {
                let current = self.current().expect("there is one that it does not fit");
                if share_known(&self.rest, page).is_some_and(|share| share >= BAD_FIT) {
                    self.settle(current);
                    self.list[current].pages += 1;
                    return DesignMatch::Fits(self.list[current].number);
                }
                self.odd.push(OddPage {
                    number: now,
                    name: name[..name.floor_char_boundary(MOST_NAME)].to_string(),
                    places: places().collect(),
                });
                if self.odd.len() < IN_A_ROW {
                    return DesignMatch::Undecided;
                }
                let former = &self.list[current];
                let (mean, fitted) = (former.mean_fit(), former.fitted);
                if mean > GOOD_FIT && fitted >= ENOUGH_FITTED {
                    let design = self.begin();
                    return DesignMatch::New {
                        design,
                        former: mean,
                    };
                }
                // The pages of this site simply vary that much.
                for page in std::mem::take(&mut self.odd) {
                    self.list[current].count(page.places, page.number);
                }
                DesignMatch::Fits(self.list[current].number)
            }
            Some((at, share)) => {
                self.settle(at);
                let design = &mut self.list[at];
                design.remember_fit(share);
                design.count(places(), now);
                DesignMatch::Fits(design.number)
            }
            None => {
                let at = match self.current() {
                    Some(at) => at,
                    None => {
                        self.push(now, name);
                        0
                    }
                };
                let design = &mut self.list[at];
                design.count(places(), now);
                DesignMatch::Fits(design.number)
            }
        }
    }

    /// The design of the most recent page.
    fn current(&self) -> Option<usize> {
        (0..self.list.len()).max_by_key(|at| self.list[*at].used)
    }

    /// Makes the odd pages a new design.
    fn begin(&mut self) -> u32 {
        let odd = std::mem::take(&mut self.odd);
        let at = self.push(odd[0].number, &odd[0].name);
        for page in odd {
            self.list[at].count(page.places, page.number);
        }
        self.list[at].number
    }

    /// Counts the odd pages to a known design.
    fn settle(&mut self, at: usize) {
        for page in std::mem::take(&mut self.odd) {
            self.list[at].pages += 1;
            count_places(&mut self.new_rest, page.places);
        }
    }

    fn push(&mut self, since: u64, name: &str) -> usize {
        let number = self.newest() + 1;
        if self.list.len() >= MOST_DESIGNS {
            let least = (0..self.list.len()).min_by_key(|at| self.list[*at].used);
            self.list.remove(least.expect("there are some"));
        }
        self.list.push(Design {
            number,
            since,
            first: name[..name.floor_char_boundary(MOST_NAME)].to_string(),
            ..Design::default()
        });
        self.list.len() - 1
    }

    /// Adds the designs that another state has of the same site. Two designs that share most of
    /// their known places become one.
    pub(crate) fn merge(&mut self, other: DesignHistory) {
        for theirs in other.list {
            let known = |design: &Design| -> Vec<Place> {
                let known = design.places.iter().filter(|(_, n)| **n >= KNOWN_FROM);
                known.map(|(place, _)| *place).collect()
            };
            let places = known(&theirs);
            let shared = |own: &Design| {
                let both = places.iter().filter(|place| own.places.contains_key(place));
                2 * both.count() > places.len().max(1)
            };
            let same = match theirs.pages < u64::from(KNOWN_FROM) {
                // Too few pages to tell.
                true => self.current(),
                false => self.list.iter().position(shared),
            };
            match same {
                Some(at) => {
                    let own = &mut self.list[at];
                    own.pages += theirs.pages;
                    for (place, pages) in theirs.places {
                        *own.places.entry(place).or_default() += pages;
                    }
                }
                None => {
                    let at = self.push(self.pages + theirs.since, &theirs.first);
                    let number = self.list[at].number;
                    let used = self.pages + theirs.used;
                    self.list[at] = Design {
                        number,
                        since: self.pages + theirs.since,
                        used,
                        ..theirs
                    };
                }
            }
        }
        for (place, pages) in other.rest.into_iter().chain(other.new_rest) {
            *self.rest.entry(place).or_default() += pages;
        }
        self.pages += other.pages;
        self.odd.extend(other.odd);
        self.odd.truncate(IN_A_ROW - 1);
    }

    /// True if no page has been added.
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Bytes of main memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let designs = self.list.iter().map(|design| {
            size_of::<Design>() + design.first.capacity() + map_bytes(&design.places)
        });
        let odd = self
            .odd
            .iter()
            .map(|page| 4 * page.places.capacity() + page.name.capacity());
        let rest = map_bytes(&self.rest) + map_bytes(&self.new_rest);
        designs.sum::<usize>() + odd.sum::<usize>() + rest
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.pages);
        put_number(&mut out, self.list.len() as u64);
        for design in &self.list {
            put_number(&mut out, design.number.into());
            put_number(&mut out, design.since);
            put_sized(&mut out, design.first.as_bytes());
            put_number(&mut out, design.pages);
            put_number(&mut out, design.fit.into());
            put_number(&mut out, design.fitted.into());
            put_number(&mut out, design.used);
            put_counts(&mut out, &design.places);
        }
        // The next run does not distinguish them.
        let mut rest = self.rest.clone();
        for (place, pages) in &self.new_rest {
            *rest.entry(*place).or_default() += pages;
        }
        put_counts(&mut out, &rest);
        put_number(&mut out, self.odd.len() as u64);
        for page in &self.odd {
            put_number(&mut out, page.number);
            put_sized(&mut out, page.name.as_bytes());
            put_number(&mut out, page.places.len() as u64);
            let places: Vec<u128> = page.places.iter().map(|place| (*place).into()).collect();
            put_differences(&mut out, PLACE_BYTES, &places);
        }
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<DesignHistory> {
        let mut fields = Fields(bytes);
        DesignHistory::read(&mut fields)
            .ok()
            .filter(|_| fields.0.is_empty())
    }

    fn read(fields: &mut Fields<'_>) -> Result<DesignHistory, BadRow> {
        let mut history = DesignHistory {
            pages: fields.number()?,
            ..DesignHistory::default()
        };
        for _ in 0..fields.count(1)? {
            history.list.push(Design {
                number: small(fields)?,
                since: fields.number()?,
                first: fields.text()?.into(),
                pages: fields.number()?,
                fit: small(fields)?,
                fitted: small(fields)?,
                used: fields.number()?,
                places: counts(fields)?,
            });
        }
        history.rest = counts(fields)?;
        for _ in 0..fields.count(1)? {
            let (number, name) = (fields.number()?, fields.text()?.into());
            let count = fields.count(PLACE_BYTES)?;
            let places = fields.differences(PLACE_BYTES, count)?;
            history.odd.push(OddPage {
                number,
                name,
                places: places.into_iter().map(|place| place as Place).collect(),
            });
        }
        Ok(history)
    }
}

/// Sorted, so that equal histories have equal bytes, and places are close to each other.
fn put_counts(out: &mut Vec<u8>, counts: &HashMap<Place, u32>) {
    let mut counts: Vec<(Place, u32)> = counts.iter().map(|(a, b)| (*a, *b)).collect();
    counts.sort_unstable();
    put_number(out, counts.len() as u64);
    let places: Vec<u128> = counts.iter().map(|(place, _)| (*place).into()).collect();
    put_differences(out, PLACE_BYTES, &places);
    for (_, pages) in counts {
        put_number(out, pages.into());
    }
}

fn counts(fields: &mut Fields<'_>) -> Result<HashMap<Place, u32>, BadRow> {
    let count = fields.count(PLACE_BYTES + 1)?;
    let mut counts = HashMap::default();
    for place in fields.differences(PLACE_BYTES, count)? {
        counts.insert(place as Place, small(fields)?);
    }
    Ok(counts)
}

fn small(fields: &mut Fields<'_>) -> Result<u32, BadRow> {
    u32::try_from(fields.number()?).map_err(|_| BadRow)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of a design: ten places of the design, and one that no other page has.
    fn page(design: u64, number: u64) -> TextPlaces {
        let mut places: Vec<_> = (0..10).map(|n| (design * 100 + n, 10)).collect();
        places.push((1_000_000 + number, 5));
        TextPlaces(places)
    }

    fn add_all(history: &mut DesignHistory, designs: &[u64]) -> Vec<DesignMatch> {
        let mut all = Vec::new();
        for design in designs {
            let number = history.pages();
            all.push(history.add_page(&format!("p{number}"), &page(*design, number)));
        }
        all
    }

    #[test]
    fn a_redesign_begins_at_the_first_page_that_does_not_fit() {
        let mut history = DesignHistory::default();
        let first = add_all(&mut history, &[1; 12]);
        assert!(first.iter().all(|found| *found == DesignMatch::Fits(1)));
        let then = add_all(&mut history, &[2; 7]);
        assert_eq!(
            then[..4],
            [
                DesignMatch::Undecided,
                DesignMatch::Undecided,
                DesignMatch::Undecided,
                DesignMatch::Undecided
            ]
        );
        assert!(matches!(then[4], DesignMatch::New { design: 2, former } if former > 0.9));
        assert_eq!(then[5..], [DesignMatch::Fits(2), DesignMatch::Fits(2)]);
        let second = &history.list()[1];
        assert_eq!((second.since, second.pages), (13, 7));
        assert_eq!(second.first, "p12");
        // The old design is still known.
        assert_eq!(
            add_all(&mut history, &[1, 2, 1]),
            [
                DesignMatch::Fits(1),
                DesignMatch::Fits(2),
                DesignMatch::Fits(1)
            ]
        );
    }

    #[test]
    fn a_few_odd_pages_are_no_redesign() {
        let mut history = DesignHistory::default();
        add_all(&mut history, &[1; 12]);
        let mixed = [2, 2, 2, 2, 1, 3, 3, 1, 4, 4, 4, 4, 1];
        assert!(
            !add_all(&mut history, &mixed)
                .iter()
                .any(|found| matches!(found, DesignMatch::New { .. }))
        );
        assert_eq!(history.list().len(), 1);
        assert_eq!(history.list()[0].pages, 25);
    }

    #[test]
    fn a_redesign_may_be_interrupted() {
        let mut history = DesignHistory::default();
        add_all(&mut history, &[1; 12]);
        let mixed = [2, 2, 2, 1, 2, 2, 2, 2, 2, 2];
        let all = add_all(&mut history, &mixed);
        assert!(
            matches!(all[8], DesignMatch::New { design: 2, .. }),
            "{all:?}"
        );
    }

    #[test]
    fn odd_pages_of_an_earlier_run_are_nothing_new() {
        let mut history = DesignHistory::default();
        add_all(&mut history, &[1; 12]);
        add_all(&mut history, &[2, 2, 1, 2, 2, 1]);
        let mut next_run = DesignHistory::decode(&history.encode()).unwrap();
        let all = add_all(&mut next_run, &[2; 9]);
        assert!(
            all.iter().all(|found| *found == DesignMatch::Fits(1)),
            "{all:?}"
        );
        assert!(
            add_all(&mut next_run, &[3; 5])
                .iter()
                .any(|found| *found != DesignMatch::Undecided)
        );
    }

    #[test]
    fn a_site_without_a_template_cannot_lose_it() {
        let mut history = DesignHistory::default();
        let designs: Vec<u64> = (0..40).collect();
        let all = add_all(&mut history, &designs);
        assert!(
            !all.iter()
                .any(|found| matches!(found, DesignMatch::New { .. }))
        );
    }

    #[test]
    fn what_is_stored_is_what_was_known() {
        let mut history = DesignHistory::default();
        add_all(&mut history, &[1; 9]);
        add_all(&mut history, &[2; 3]);
        let bytes = history.encode();
        let mut again = DesignHistory::decode(&bytes).unwrap();
        assert_eq!(again, history);
        assert!(matches!(
            add_all(&mut again, &[2; 2])[1],
            DesignMatch::New { .. }
        ));
        for cut in 0..bytes.len() {
            assert_eq!(DesignHistory::decode(&bytes[..cut]), None);
        }
    }

    #[test]
    fn merged_states_know_the_templates_of_both() {
        let (mut one, mut two) = (DesignHistory::default(), DesignHistory::default());
        add_all(&mut one, &[1; 8]);
        add_all(&mut two, &[1; 8]);
        add_all(&mut two, &[2; 8]);
        one.merge(two);
        let pages: Vec<_> = one.list().iter().map(|design| design.pages).collect();
        assert_eq!(pages, [16, 8]);
        assert_eq!(
            add_all(&mut one, &[2, 1]),
            [DesignMatch::Fits(2), DesignMatch::Fits(1)]
        );
    }
}
