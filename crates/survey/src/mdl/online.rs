//! Assigns pages to clusters as they arrive.
//!
//! A page joins the cluster whose leaders (the pages that opened it) are most similar to it, or
//! opens a new one. At intervals the clusters are merged by estimated description length. This
//! corrects early mistakes, and the result approaches that of clustering all pages at once. Merging
//! changes cluster numbers: [`OnlineClusters::canonical`] maps an old number to the current one.

use super::estimate::Sample;
use super::exact::merge_all_pairs;
use super::group::Mergeable;
use super::length::{Counts, Lengths};
use super::minhash::likeness;
use super::params::Cost;
use super::sketch::Sketch;

/// The parameters of [`OnlineClusters`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OnlineParams {
    /// A page joins the most similar cluster if the similarity is at least this; from 0 to 1,
    /// default 0.5. Raising it opens more clusters, which only merging joins again.
    pub join: f64,
    /// Maximum number of clusters at a time; 1 or more, default 32. If one more is opened, the
    /// cluster that has had no new page for the longest time is merged into the most similar one.
    pub most: usize,
    /// Clusters are merged by description length each time this many pages have arrived; 1 or more,
    /// default 32.
    pub every: u64,
}

impl Default for OnlineParams {
    fn default() -> Self {
        OnlineParams {
            join: 0.5,
            most: 32,
            every: 32,
        }
    }
}

/// Clusters that grow page by page, in bounded memory.
///
/// ```
/// use unframe_dom::{Limits, parse};
/// use unframe_survey::mdl::{OnlineClusters, Sketch};
///
/// let mut clusters = OnlineClusters::default();
/// let mut assign = |html: &str| {
///     clusters.assign(&Sketch::of(&parse(html, &Limits::default()), None))
/// };
/// let news = assign("<div class=news><h1>Rain</h1><p>All day");
/// let shop = assign("<table class=shop><tr><td>Buy<td>now");
/// assert_ne!(news, shop);
/// assert_eq!(assign("<div class=news><h1>Wind</h1><p>All night"), news);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OnlineClusters {
    params: OnlineParams,
    pages: u64,
    /// For each number, the number it was merged into, or itself.
    into: Vec<u32>,
    /// The current clusters by number, ascending.
    live: Vec<Live>,
}

#[derive(Clone, Debug)]
struct Live {
    number: u32,
    /// Signatures of the pages that opened it, including those of clusters merged into it.
    leaders: Vec<Box<[u32]>>,
    sample: Sample,
    /// The number of the last page that joined.
    latest: u64,
}

/// Maximum number of leaders per cluster.
const LEADERS: usize = 8;

impl OnlineClusters {
    /// No clusters yet.
    pub fn new(params: OnlineParams) -> OnlineClusters {
        OnlineClusters {
            params,
            ..OnlineClusters::default()
        }
    }

    /// Assigns one more page and returns its cluster. Numbers count up from 0.
    pub fn assign(&mut self, sketch: &Sketch) -> u32 {
        self.pages += 1;
        let sample = Sample::of_page(&sketch.least, sketch.features as usize);
        let nearest = self.nearest(std::slice::from_ref(&sketch.least), usize::MAX);
        let number = match nearest {
            Some((at, alike)) if alike >= self.params.join => {
                let found = &mut self.live[at];
                found.sample = found.sample.clone().merged(sample);
                found.latest = self.pages;
                found.number
            }
            _ => self.open(sketch, sample),
        };
        let every = self.params.every.max(1);
        if self.pages.is_multiple_of(every) || self.live.len() > self.params.most.max(1) {
            self.merge_by_length();
        }
        while self.live.len() > self.params.most.max(1) {
            self.merge_coldest();
        }
        self.canonical(number)
    }

    /// The current number of a cluster; a merged cluster has the lowest number of its parts.
    ///
    /// # Panics
    /// If the number was never assigned.
    pub fn canonical(&self, number: u32) -> u32 {
        let mut number = number;
        while self.into[number as usize] != number {
            number = self.into[number as usize];
        }
        number
    }

    /// The current number of clusters.
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// True before the first page.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Merges clusters as long as that shortens the description of the pages so far. This happens
    /// automatically at intervals; call it once more after the last page.
    pub fn merge_by_length(&mut self) {
        let samples = self.live.iter().map(|live| live.sample.clone());
        let Some(all) = samples.clone().reduce(Sample::merged) else {
            return;
        };
        let lengths = Lengths::new(Cost::Delta, self.pages as usize, all.union().round() as u64);
        let counts = samples.clone().map(|sample| sample.counts());
        let counts = counts.fold(Counts::default(), |sum, counts| sum + counts);
        let numbers = self.live.iter().map(|live| live.number);
        for step in merge_all_pairs(numbers.zip(samples).collect(), counts, &lengths) {
            let place = |number| self.live.binary_search_by_key(&number, |live| live.number);
            if let (Ok(first), Ok(second)) = (place(step.first), place(step.second)) {
                self.merge(first, second);
            }
        }
    }

    fn open(&mut self, sketch: &Sketch, sample: Sample) -> u32 {
        let number = self.into.len() as u32;
        self.into.push(number);
        self.live.push(Live {
            number,
            leaders: vec![sketch.least.clone()],
            sample,
            latest: self.pages,
        });
        number
    }

    /// The cluster with the leader most similar to any of these, and the similarity; the first of
    /// several. `except` is left out.
    fn nearest(&self, signatures: &[Box<[u32]>], except: usize) -> Option<(usize, f64)> {
        let alike = |live: &Live| {
            let pairs = live.leaders.iter().flat_map(|leader| {
                signatures
                    .iter()
                    .map(|signature| likeness(leader, signature))
            });
            pairs.fold(0.0, f64::max)
        };
        let others = self.live.iter().enumerate().filter(|(at, _)| *at != except);
        others
            .map(|(at, live)| (at, alike(live)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    fn merge_coldest(&mut self) {
        let newest = self.live.len() - 1;
        // The newest cluster must not be chosen.
        let coldest = (0..newest).min_by_key(|at| self.live[*at].latest);
        let Some(coldest) = coldest else {
            return;
        };
        if let Some((nearest, _)) = self.nearest(&self.live[coldest].leaders, coldest) {
            self.merge(coldest.min(nearest), coldest.max(nearest));
        }
    }

    /// Merges the second place into the first.
    fn merge(&mut self, first: usize, second: usize) {
        let gone = self.live.remove(second);
        let stays = &mut self.live[first];
        self.into[gone.number as usize] = stays.number;
        stays.sample = stays.sample.clone().merged(gone.sample);
        stays.latest = stays.latest.max(gone.latest);
        stays.leaders.extend(gone.leaders);
        stays.leaders.truncate(LEADERS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mdl::minhash::MinHash;
    use foldhash::quality::FixedState;
    use std::hash::BuildHasher;

    /// A page of a template with 60 features, 50 of which it always has, and some of its own.
    fn page(template: u64, page: u64) -> Sketch {
        let random = FixedState::with_seed(3);
        let shared = (0..50).map(|n| (template, n));
        let optional = (50..60)
            .filter(|n| !(n + page).is_multiple_of(3))
            .map(|n| (template, n));
        let own = (0..5).map(|n| (1000 + template, 100 * page + n));
        let features: Vec<u64> = shared
            .chain(optional)
            .chain(own)
            .map(|feature| random.hash_one(feature))
            .collect();
        Sketch {
            features: features.len() as u32,
            least: MinHash::new(Sketch::HASHES).signature(features.into_iter()),
        }
    }

    #[test]
    fn templates_come_apart_and_stay_together() {
        let mut clusters = OnlineClusters::default();
        assert!(clusters.is_empty());
        let found: Vec<u32> = (0..600).map(|n| clusters.assign(&page(n % 6, n))).collect();
        clusters.merge_by_length();
        assert_eq!(clusters.len(), 6);
        for (n, number) in found.iter().enumerate() {
            assert_eq!(clusters.canonical(*number), n as u32 % 6);
        }
    }

    #[test]
    fn clusters_are_bounded_and_numbers_stay_known() {
        let params = OnlineParams {
            most: 5,
            ..OnlineParams::default()
        };
        let mut clusters = OnlineClusters::new(params);
        let mut given = Vec::new();
        for n in 0..200 {
            given.push(clusters.assign(&page(n, n)));
            assert!(clusters.len() <= 5);
        }
        let live: Vec<u32> = clusters.live.iter().map(|live| live.number).collect();
        for number in given {
            let now = clusters.canonical(number);
            assert!(now <= number && live.contains(&now));
        }
    }

    #[test]
    fn pages_with_nothing_on_them_are_one_cluster() {
        let empty = Sketch {
            features: 0,
            least: MinHash::new(Sketch::HASHES).signature(std::iter::empty()),
        };
        let mut clusters = OnlineClusters::default();
        assert_eq!([(); 40].map(|()| clusters.assign(&empty)), [0; 40]);
        assert_ne!(clusters.assign(&page(1, 1)), 0);
    }
}
