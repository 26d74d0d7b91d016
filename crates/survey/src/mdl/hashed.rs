//! Considers candidate pairs only: merges in nearly linear time.
//!
//! A heap holds the candidate pairs, ordered by the bits they save. After a merge the pairs of the
//! merged cluster are out of date. They are evaluated again when they reach the top, and merged at
//! once if they still save about as much as the next pair. A merged cluster keeps the candidates of
//! both parts.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use foldhash::HashMap;
use rayon::prelude::*;

use super::exact::{Step, merge_all_pairs};
use super::group::Mergeable;
use super::length::{Counts, Lengths};

/// A pair that turns out to save less than this share of the next pair's estimate returns to the
/// heap. Always waiting for the best pair would evaluate all pairs of a large cluster again for
/// each page that joins it.
const ABOUT: f64 = 0.9;

/// Merges candidate pairs until none shortens the description. If at most `finish` clusters are
/// left then, they are merged by considering all their pairs. `groups` are identified by their
/// places, which are their first pages.
pub(super) fn merge_candidates<G: Mergeable>(
    groups: Vec<G>,
    candidates: Vec<(u32, u32)>,
    lengths: &Lengths,
    finish: usize,
) -> Vec<Step> {
    let mut heap = BinaryHeap::new();
    let mut state = State::new(groups);
    let evaluated: Vec<Counts> = candidates
        .par_iter()
        .map(|(i, j)| state.change(*i, *j))
        .collect();
    // Pairs that currently save nothing.
    let mut parked = Vec::new();
    for ((i, j), change) in candidates.into_iter().zip(evaluated) {
        state.remember(i, j, change);
        parked.push((i, j));
    }
    loop {
        parked = state.again(parked, lengths, &mut heap);
        if heap.is_empty() {
            break;
        }
        while let Some(Reverse(pair)) = heap.pop() {
            let Some((i, j, change)) = state.up_to_date(&pair) else {
                continue;
            };
            let saved = state.saved(change, lengths);
            if saved <= 0.0 {
                parked.push((i, j));
                continue;
            }
            let next = heap.peek().map_or(0.0, |Reverse(next)| next.saved);
            match saved >= ABOUT * next {
                true => state.merge(i, j, change),
                false => heap.push(Reverse(state.pair(i, j, saved))),
            }
        }
    }
    let State {
        groups,
        mut steps,
        counts,
        ..
    } = state;
    let left: Vec<(u32, G)> = (0..)
        .zip(groups)
        .filter_map(|(i, g)| Some((i, g?)))
        .collect();
    if left.len() <= finish {
        steps.extend(merge_all_pairs(left, counts, lengths));
    }
    steps
}

/// A pair of clusters and its value when it was last evaluated.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// In bits.
    saved: f64,
    places: (u32, u32),
    versions: (u32, u32),
}

impl Ord for Pair {
    /// The pair that saves most is the least one; for equal ones, the one with the lowest places.
    fn cmp(&self, other: &Pair) -> Ordering {
        let saved = other.saved.total_cmp(&self.saved);
        saved
            .then(self.places.cmp(&other.places))
            .then(self.versions.cmp(&other.versions))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Pair) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Pair) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pair {}

struct State<G> {
    groups: Vec<Option<G>>,
    /// For each place, the place of the cluster it was merged into, or itself.
    into: Vec<u32>,
    /// For each place, how often that cluster has been merged.
    versions: Vec<u32>,
    /// For each pair of places, what merging them adds, and the versions that this is valid for.
    changes: HashMap<(u32, u32), ((u32, u32), Counts)>,
    counts: Counts,
    steps: Vec<Step>,
}

impl<G: Mergeable> State<G> {
    fn new(groups: Vec<G>) -> State<G> {
        let counts = groups.iter().map(G::counts);
        State {
            into: (0..groups.len() as u32).collect(),
            versions: vec![0; groups.len()],
            changes: HashMap::default(),
            counts: counts.fold(Counts::default(), |sum, counts| sum + counts),
            steps: Vec::new(),
            groups: groups.into_iter().map(Some).collect(),
        }
    }

    /// The place of the cluster that a place was merged into.
    fn find(&mut self, mut place: u32) -> u32 {
        while self.into[place as usize] != place {
            let above = self.into[place as usize];
            self.into[place as usize] = self.into[above as usize];
            place = above;
        }
        place
    }

    fn change(&self, i: u32, j: u32) -> Counts {
        match (&self.groups[i as usize], &self.groups[j as usize]) {
            (Some(one), Some(two)) => one.change_with(two),
            _ => Counts::default(),
        }
    }

    fn versions(&self, i: u32, j: u32) -> (u32, u32) {
        (self.versions[i as usize], self.versions[j as usize])
    }

    fn remember(&mut self, i: u32, j: u32, change: Counts) {
        self.changes.insert((i, j), (self.versions(i, j), change));
    }

    fn saved(&self, change: Counts, lengths: &Lengths) -> f64 {
        lengths.of(self.counts) - lengths.of(self.counts + change)
    }

    fn pair(&self, i: u32, j: u32, saved: f64) -> Pair {
        Pair {
            saved,
            places: (i, j),
            versions: self.versions(i, j),
        }
    }

    /// The current clusters of the pair, and what merging them adds. `None` if they are the same
    /// cluster by now, or if the pair duplicates another that is up to date.
    fn up_to_date(&mut self, pair: &Pair) -> Option<(u32, u32, Counts)> {
        let (i, j) = self.current(pair.places)?;
        let versions = self.versions(i, j);
        let known = self
            .changes
            .get(&(i, j))
            .filter(|known| known.0 == versions);
        match known {
            Some((_, change)) => {
                let same = (i, j) == pair.places && versions == pair.versions;
                same.then_some((i, j, *change))
            }
            None => {
                let change = self.change(i, j);
                self.remember(i, j, change);
                Some((i, j, change))
            }
        }
    }

    fn current(&mut self, (i, j): (u32, u32)) -> Option<(u32, u32)> {
        let (i, j) = (self.find(i), self.find(j));
        (i != j).then_some((i.min(j), i.max(j)))
    }

    /// Evaluates pairs again and pushes those that save something onto the heap; returns the
    /// others.
    fn again(
        &mut self,
        pairs: Vec<(u32, u32)>,
        lengths: &Lengths,
        heap: &mut BinaryHeap<Reverse<Pair>>,
    ) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = pairs
            .into_iter()
            .filter_map(|places| self.current(places))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut rest = Vec::new();
        for (i, j) in pairs {
            let versions = self.versions(i, j);
            let known = self
                .changes
                .get(&(i, j))
                .filter(|known| known.0 == versions);
            let change = match known {
                Some((_, change)) => *change,
                None => {
                    let change = self.change(i, j);
                    self.remember(i, j, change);
                    change
                }
            };
            match self.saved(change, lengths) {
                saved if saved > 0.0 => heap.push(Reverse(self.pair(i, j, saved))),
                _ => rest.push((i, j)),
            }
        }
        rest
    }

    fn merge(&mut self, i: u32, j: u32, change: Counts) {
        let pair = (
            self.groups[i as usize].take(),
            self.groups[j as usize].take(),
        );
        let (Some(one), Some(two)) = pair else {
            return;
        };
        self.groups[i as usize] = Some(one.merged(two));
        self.into[j as usize] = i;
        self.versions[i as usize] += 1;
        self.changes.remove(&(i, j));
        self.counts = self.counts + change;
        self.steps.push(Step {
            first: i,
            second: j,
            counts: self.counts,
        });
    }
}
