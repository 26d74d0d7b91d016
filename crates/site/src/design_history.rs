//! The templates that a site has had, one after another, and when a page fits none of them.
//!
//! A template is known by the places where its pages have text, each with the number of pages that
//! have it. A page fits a template by the share of its text that stands at places of it that several
//! pages have. Pages in a row that fit none are kept apart: if there are enough of them, and the
//! pages before fitted well, the site is built otherwise from the first of them on, and they are the
//! first pages of a new template. Otherwise they were odd pages of the one before. Their places are
//! remembered apart from it, and odd pages of earlier runs are nothing new; but within a run they must
//! not make a new template known before it has been told.

use foldhash::HashMap;

use crate::record::Fields;

/// A place is known if so many pages have it.
const KNOWN_FROM: u32 = 3;
/// A page with less of its text at known places fits badly.
const BAD_FIT: f32 = 0.3;
/// So many pages in a row that fit badly may be a new template …
const IN_A_ROW: usize = 5;
/// … if the pages before them fitted better than this on average …
const GOOD_FIT: f32 = 0.7;
/// … and there were so many of them.
const ENOUGH_FITTED: u32 = 5;
/// Pages that the average remembers.
const REMEMBERED: u32 = 50;
/// Places of one template that are kept; above it those that one page alone has are forgotten.
const MOST_PLACES: usize = 4096;
/// Templates that are kept; above it the one that was used least recently goes.
const MOST_VERSIONS: usize = 8;
/// Bytes of a page's name that are kept.
const MOST_NAME: usize = 200;

/// Where a page has text: places, each once, with the length of the text there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextPlaces(pub Vec<(u64, u32)>);

/// One template of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// From 1, in order of appearance.
    pub number: u32,
    /// The number of its first page among the pages of the site.
    pub since: u64,
    /// What its first page is called.
    pub first: String,
    /// Pages that were found to have it.
    pub pages: u64,
    /// How well they fitted when they came: the mean of the last ones, in millionths.
    fit: u32,
    fitted: u32,
    /// When a page last had it.
    used: u64,
    places: HashMap<u64, u32>,
}

/// The templates of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    list: Vec<Version>,
    /// Pages met.
    met: u64,
    /// Pages in a row that fit none, not yet counted to any.
    odd: Vec<OddPage>,
    /// Places of odd pages, with how many had them; those of this run are in `new_rest`.
    rest: HashMap<u64, u32>,
    new_rest: HashMap<u64, u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OddPage {
    number: u64,
    name: String,
    places: Vec<u64>,
}

/// What became of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Met {
    /// It counts to this template.
    Fits(u32),
    /// It fits none; what it means is not known yet.
    Odd,
    /// It and the odd pages before it are the first of a new template.
    Begins {
        /// Its number.
        version: u32,
        /// How well pages fitted before, on average.
        former: f32,
    },
}

impl Version {
    /// Share of a page's text that stands at known places; `None` if too few pages are known.
    fn share(&self, page: &TextPlaces) -> Option<f32> {
        if self.pages < u64::from(KNOWN_FROM) {
            return None;
        }
        share_known(&self.places, page)
    }

    fn count(&mut self, places: impl IntoIterator<Item = u64>, now: u64) {
        self.pages += 1;
        self.used = now;
        count_places(&mut self.places, places);
    }

    fn remember_fit(&mut self, share: f32) {
        self.fitted = (self.fitted + 1).min(REMEMBERED);
        let mean = self.mean_fit();
        let mean = mean + (share - mean) / self.fitted as f32;
        self.fit = (mean.clamp(0.0, 1.0) * 1e6) as u32;
    }

    /// How well its pages fitted when they came, on average.
    pub fn mean_fit(&self) -> f32 {
        self.fit as f32 / 1e6
    }
}

/// Share of a page's text at places that enough pages have.
fn share_known(known: &HashMap<u64, u32>, page: &TextPlaces) -> Option<f32> {
    let is_known = |place: &u64| known.get(place).is_some_and(|n| *n >= KNOWN_FROM);
    let (mut all, mut there) = (0u64, 0u64);
    for (place, length) in &page.0 {
        all += u64::from(*length);
        there += u64::from(*length) * u64::from(is_known(place));
    }
    (all > 0).then(|| there as f32 / all as f32)
}

fn count_places(counts: &mut HashMap<u64, u32>, places: impl IntoIterator<Item = u64>) {
    for place in places {
        *counts.entry(place).or_default() += 1;
    }
    if counts.len() > MOST_PLACES {
        counts.retain(|_, pages| *pages > 1);
    }
}

impl Versions {
    /// The templates in order of appearance.
    pub fn list(&self) -> &[Version] {
        &self.list
    }

    /// Pages met so far.
    pub fn met(&self) -> u64 {
        self.met
    }

    /// Number of the newest template; 0 if there is none.
    pub fn newest(&self) -> u32 {
        self.list
            .iter()
            .map(|version| version.number)
            .max()
            .unwrap_or(0)
    }

    /// How well a page fits the best of the templates up to this number; `None` if that cannot be
    /// told.
    pub fn fit(&self, page: &TextPlaces, up_to: u32) -> Option<f32> {
        let known = self.list.iter().filter(|version| version.number <= up_to);
        let shares = known.filter_map(|version| version.share(page));
        shares.max_by(f32::total_cmp)
    }

    /// Counts a page.
    pub fn meet(&mut self, name: &str, page: &TextPlaces) -> Met {
        self.met += 1;
        let now = self.met;
        let places = || page.0.iter().map(|(place, _)| *place);
        let shares = self.list.iter().map(|version| version.share(page));
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
                    return Met::Fits(self.list[current].number);
                }
                self.odd.push(OddPage {
                    number: now,
                    name: name[..name.floor_char_boundary(MOST_NAME)].to_string(),
                    places: places().collect(),
                });
                if self.odd.len() < IN_A_ROW {
                    return Met::Odd;
                }
                let former = &self.list[current];
                let (mean, fitted) = (former.mean_fit(), former.fitted);
                if mean > GOOD_FIT && fitted >= ENOUGH_FITTED {
                    let version = self.begin();
                    return Met::Begins {
                        version,
                        former: mean,
                    };
                }
                // Pages that vary that much are what the site is like.
                for page in std::mem::take(&mut self.odd) {
                    self.list[current].count(page.places, page.number);
                }
                Met::Fits(self.list[current].number)
            }
            Some((at, share)) => {
                self.settle(at);
                let version = &mut self.list[at];
                version.remember_fit(share);
                version.count(places(), now);
                Met::Fits(version.number)
            }
            None => {
                let at = match self.current() {
                    Some(at) => at,
                    None => {
                        self.push(now, name);
                        0
                    }
                };
                let version = &mut self.list[at];
                version.count(places(), now);
                Met::Fits(version.number)
            }
        }
    }

    /// The template that a page had last.
    fn current(&self) -> Option<usize> {
        (0..self.list.len()).max_by_key(|at| self.list[*at].used)
    }

    /// The odd pages are a template of their own.
    fn begin(&mut self) -> u32 {
        let odd = std::mem::take(&mut self.odd);
        let at = self.push(odd[0].number, &odd[0].name);
        for page in odd {
            self.list[at].count(page.places, page.number);
        }
        self.list[at].number
    }

    /// The odd pages were odd pages of a template that is known.
    fn settle(&mut self, at: usize) {
        for page in std::mem::take(&mut self.odd) {
            self.list[at].pages += 1;
            count_places(&mut self.new_rest, page.places);
        }
    }

    fn push(&mut self, since: u64, name: &str) -> usize {
        let number = self.newest() + 1;
        if self.list.len() >= MOST_VERSIONS {
            let least = (0..self.list.len()).min_by_key(|at| self.list[*at].used);
            self.list.remove(least.expect("there are some"));
        }
        self.list.push(Version {
            number,
            since,
            first: name[..name.floor_char_boundary(MOST_NAME)].to_string(),
            ..Version::default()
        });
        self.list.len() - 1
    }

    /// Adds the templates that another state has of the same site: those that share most of their
    /// known places are one.
    pub(crate) fn merge(&mut self, other: Versions) {
        for theirs in other.list {
            let known = |version: &Version| -> Vec<u64> {
                let known = version.places.iter().filter(|(_, n)| **n >= KNOWN_FROM);
                known.map(|(place, _)| *place).collect()
            };
            let places = known(&theirs);
            let shared = |own: &Version| {
                let both = places.iter().filter(|place| own.places.contains_key(place));
                2 * both.count() > places.len().max(1)
            };
            let same = match theirs.pages < u64::from(KNOWN_FROM) {
                // Too few to tell.
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
                    let at = self.push(self.met + theirs.since, &theirs.first);
                    let number = self.list[at].number;
                    let used = self.met + theirs.used;
                    self.list[at] = Version {
                        number,
                        since: self.met + theirs.since,
                        used,
                        ..theirs
                    };
                }
            }
        }
        for (place, pages) in other.rest.into_iter().chain(other.new_rest) {
            *self.rest.entry(place).or_default() += pages;
        }
        self.met += other.met;
        self.odd.extend(other.odd);
        self.odd.truncate(IN_A_ROW - 1);
    }

    /// True if no page has been met.
    pub fn is_empty(&self) -> bool {
        self.met == 0
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let text = |out: &mut Vec<u8>, text: &str| {
            out.extend((text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
        };
        let counts = |out: &mut Vec<u8>, counts: &HashMap<u64, u32>| {
            // In order, so that the same knowledge is the same bytes.
            let mut counts: Vec<_> = counts.iter().collect();
            counts.sort_unstable();
            out.extend((counts.len() as u32).to_le_bytes());
            for (place, pages) in counts {
                out.extend(place.to_le_bytes());
                out.extend(pages.to_le_bytes());
            }
        };
        out.extend(self.met.to_le_bytes());
        out.extend((self.list.len() as u32).to_le_bytes());
        for version in &self.list {
            out.extend(version.number.to_le_bytes());
            out.extend(version.since.to_le_bytes());
            text(&mut out, &version.first);
            out.extend(version.pages.to_le_bytes());
            out.extend(version.fit.to_le_bytes());
            out.extend(version.fitted.to_le_bytes());
            out.extend(version.used.to_le_bytes());
            counts(&mut out, &version.places);
        }
        // For the next run there is no difference.
        let mut rest = self.rest.clone();
        for (place, pages) in &self.new_rest {
            *rest.entry(*place).or_default() += pages;
        }
        counts(&mut out, &rest);
        out.extend((self.odd.len() as u32).to_le_bytes());
        for page in &self.odd {
            out.extend(page.number.to_le_bytes());
            text(&mut out, &page.name);
            out.extend((page.places.len() as u32).to_le_bytes());
            for place in &page.places {
                out.extend(place.to_le_bytes());
            }
        }
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Versions> {
        let mut fields = Fields(bytes);
        let text = |fields: &mut Fields<'_>| {
            let length = fields.u32()? as usize;
            let (text, rest) = fields.0.split_at_checked(length)?;
            fields.0 = rest;
            String::from_utf8(text.to_vec()).ok()
        };
        let counts = |fields: &mut Fields<'_>| {
            let mut counts = HashMap::default();
            for _ in 0..fields.u32()? {
                counts.insert(fields.u64()?, fields.u32()?);
            }
            Some(counts)
        };
        let met = fields.u64()?;
        let mut list = Vec::new();
        for _ in 0..fields.u32()? {
            list.push(Version {
                number: fields.u32()?,
                since: fields.u64()?,
                first: text(&mut fields)?,
                pages: fields.u64()?,
                fit: fields.u32()?,
                fitted: fields.u32()?,
                used: fields.u64()?,
                places: counts(&mut fields)?,
            });
        }
        let rest = counts(&mut fields)?;
        let mut odd = Vec::new();
        for _ in 0..fields.u32()? {
            let (number, name) = (fields.u64()?, text(&mut fields)?);
            let mut places = Vec::new();
            for _ in 0..fields.u32()? {
                places.push(fields.u64()?);
            }
            odd.push(OddPage {
                number,
                name,
                places,
            });
        }
        fields.0.is_empty().then_some(Versions {
            list,
            met,
            odd,
            rest,
            new_rest: HashMap::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of a design: ten places of its own, and one that no other page has.
    fn page(design: u64, number: u64) -> TextPlaces {
        let mut places: Vec<_> = (0..10).map(|n| (design * 100 + n, 10)).collect();
        places.push((1_000_000 + number, 5));
        TextPlaces(places)
    }

    fn met(versions: &mut Versions, designs: &[u64]) -> Vec<Met> {
        let mut all = Vec::new();
        for design in designs {
            let number = versions.met();
            all.push(versions.meet(&format!("p{number}"), &page(*design, number)));
        }
        all
    }

    #[test]
    fn a_redesign_begins_at_the_first_page_that_does_not_fit() {
        let mut versions = Versions::default();
        let first = met(&mut versions, &[1; 12]);
        assert!(first.iter().all(|met| *met == Met::Fits(1)));
        let then = met(&mut versions, &[2; 7]);
        assert_eq!(then[..4], [Met::Odd, Met::Odd, Met::Odd, Met::Odd]);
        assert!(matches!(then[4], Met::Begins { version: 2, former } if former > 0.9));
        assert_eq!(then[5..], [Met::Fits(2), Met::Fits(2)]);
        let second = &versions.list()[1];
        assert_eq!((second.since, second.pages), (13, 7));
        assert_eq!(second.first, "p12");
        // The old one is not forgotten.
        assert_eq!(
            met(&mut versions, &[1, 2, 1]),
            [Met::Fits(1), Met::Fits(2), Met::Fits(1)]
        );
    }

    #[test]
    fn a_few_odd_pages_are_no_redesign() {
        let mut versions = Versions::default();
        met(&mut versions, &[1; 12]);
        let mixed = [2, 2, 2, 2, 1, 3, 3, 1, 4, 4, 4, 4, 1];
        assert!(
            !met(&mut versions, &mixed)
                .iter()
                .any(|met| matches!(met, Met::Begins { .. }))
        );
        assert_eq!(versions.list().len(), 1);
        assert_eq!(versions.list()[0].pages, 25);
    }

    #[test]
    fn a_redesign_may_be_interrupted() {
        let mut versions = Versions::default();
        met(&mut versions, &[1; 12]);
        let mixed = [2, 2, 2, 1, 2, 2, 2, 2, 2, 2];
        let all = met(&mut versions, &mixed);
        assert!(matches!(all[8], Met::Begins { version: 2, .. }), "{all:?}");
    }

    #[test]
    fn odd_pages_of_an_earlier_run_are_nothing_new() {
        let mut versions = Versions::default();
        met(&mut versions, &[1; 12]);
        met(&mut versions, &[2, 2, 1, 2, 2, 1]);
        let mut next_run = Versions::decode(&versions.encode()).unwrap();
        let all = met(&mut next_run, &[2; 9]);
        assert!(all.iter().all(|met| *met == Met::Fits(1)), "{all:?}");
        assert!(
            met(&mut next_run, &[3; 5])
                .iter()
                .any(|met| *met != Met::Odd)
        );
    }

    #[test]
    fn a_site_without_a_template_cannot_lose_it() {
        let mut versions = Versions::default();
        let designs: Vec<u64> = (0..40).collect();
        let all = met(&mut versions, &designs);
        assert!(!all.iter().any(|met| matches!(met, Met::Begins { .. })));
    }

    #[test]
    fn what_is_stored_is_what_was_known() {
        let mut versions = Versions::default();
        met(&mut versions, &[1; 9]);
        met(&mut versions, &[2; 3]);
        let bytes = versions.encode();
        let mut again = Versions::decode(&bytes).unwrap();
        assert_eq!(again, versions);
        assert!(matches!(met(&mut again, &[2; 2])[1], Met::Begins { .. }));
        for cut in 0..bytes.len() {
            assert_eq!(Versions::decode(&bytes[..cut]), None);
        }
    }

    #[test]
    fn merged_states_know_the_templates_of_both() {
        let (mut one, mut two) = (Versions::default(), Versions::default());
        met(&mut one, &[1; 8]);
        met(&mut two, &[1; 8]);
        met(&mut two, &[2; 8]);
        one.merge(two);
        let pages: Vec<_> = one.list().iter().map(|version| version.pages).collect();
        assert_eq!(pages, [16, 8]);
        assert_eq!(met(&mut one, &[2, 1]), [Met::Fits(2), Met::Fits(1)]);
    }
}
