//! Considers all pairs: each round merges the two clusters that shorten the description most.
//!
//! What a merge adds to the three counts depends only on the two clusters, so it is computed once.
//! How many bits that is depends on the sums over all clusters, which change with every merge. A
//! heap ordered by bits would not be exact: a pair that is not on top may become the best one while
//! others are merged. So each round evaluates all pairs again, but needs only three integers of
//! each and a table of logarithms, and usually just one integer: a pair that removes too few paths
//! from the templates cannot be the best, whatever it adds elsewhere.

use rayon::prelude::*;

use super::group::Mergeable;
use super::length::{Counts, Lengths};
use super::spread::Spread;

/// One merge: the first pages of the two clusters, and the counts afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// The lower first page, which is the first page of the merged cluster.
    pub first: u32,
    /// The other one.
    pub second: u32,
    /// Summed over all clusters.
    pub counts: Counts,
}

/// What a merge adds, as 32-bit numbers to halve the memory: there are many pairs.
#[derive(Clone, Copy, Default)]
struct Change([i32; 3]);

impl From<Counts> for Change {
    fn from(counts: Counts) -> Change {
        Change([counts.template, counts.beside, counts.lacking].map(|n| n as i32))
    }
}

impl From<Change> for Counts {
    fn from(Change([template, beside, lacking]): Change) -> Counts {
        Counts {
            template: i64::from(template),
            beside: i64::from(beside),
            lacking: i64::from(lacking),
        }
    }
}

/// Merges until no merge shortens the description. `groups` are clusters with their first pages,
/// ascending; `counts` are the sums over them. Of equally good pairs, the one with the lowest first
/// pages is merged.
pub(super) fn merge_all_pairs<G: Mergeable>(
    groups: Vec<(u32, G)>,
    mut counts: Counts,
    lengths: &Lengths,
) -> Vec<Step> {
    let (firsts, groups): (Vec<u32>, Vec<G>) = groups.into_iter().unzip();
    // Indexed by the higher place, then by the lower.
    let mut changes: Vec<Vec<Change>> = groups
        .par_iter()
        .enumerate()
        .map_init(Spread::default, |room, (at, one)| {
            let change = one.spread(room);
            let pairs = groups[..at].iter().map(|other| change(other).into());
            pairs.collect()
        })
        .collect();
    let mut groups: Vec<Option<G>> = groups.into_iter().map(Some).collect();
    let mut alive: Vec<usize> = (0..groups.len()).collect();
    let mut layout = Spread::default();
    // For each place, the lower place that was its best partner last time.
    let mut partners: Vec<usize> = vec![usize::MAX; groups.len()];
    let mut steps = Vec::new();
    loop {
        let now = lengths.of(counts);
        let room = lengths.half() - counts.beside - counts.lacking;
        let length = |i: usize, j: usize| lengths.of(counts + changes[j][i].into());
        let known = alive.iter().filter(|j| partners[**j] < **j);
        let known = known.map(|j| length(partners[*j], *j));
        let least = least_taken(now - known.fold(f64::INFINITY, f64::min), counts, lengths);
        let may_be_best = |Change([template, beside, lacking]): Change| {
            let only_adds = beside >= 0 && lacking >= 0;
            let within = i64::from(beside) + i64::from(lacking) <= room;
            -template >= least || !only_adds || !within
        };
        let scan = |(n, j): (usize, &usize)| {
            let below = alive[..n].iter().filter(|i| may_be_best(changes[*j][**i]));
            below.fold(NO_PAIR, |best, i| better(best, (length(*i, *j), *i, *j)))
        };
        let rows = alive.par_iter().enumerate().with_min_len(32);
        let bests: Vec<Pair> = rows.map(scan).collect();
        for (_, i, j) in bests.iter().filter(|best| best.0.is_finite()) {
            partners[*j] = *i;
        }
        let (length, first, second) = bests.into_iter().fold(NO_PAIR, better);
        if length >= now {
            return steps;
        }
        let (Some(one), Some(two)) = (groups[first].take(), groups[second].take()) else {
            return steps;
        };
        counts = counts + changes[second][first].into();
        steps.push(Step {
            first: firsts[first],
            second: firsts[second],
            counts,
        });
        alive.retain(|at| *at != second);
        for partner in partners.iter_mut().filter(|partner| **partner == second) {
            *partner = first;
        }
        let merged = one.merged(two);
        let change = merged.spread(&mut layout);
        let with_merged: Vec<Change> = alive
            .par_iter()
            .with_min_len(16)
            .map(|at| groups[*at].as_ref().map(&change).unwrap_or_default().into())
            .collect();
        drop(change);
        groups[first] = Some(merged);
        for (at, change) in alive.iter().zip(with_merged) {
            if *at != first {
                changes[first.max(*at)][first.min(*at)] = change;
            }
        }
    }
}

/// A length and the places of the two clusters whose merge has it.
type Pair = (f64, usize, usize);

const NO_PAIR: Pair = (f64::INFINITY, usize::MAX, usize::MAX);

/// The shorter length; for equal ones, the lower first page, then the lower second.
fn better(a: Pair, b: Pair) -> Pair {
    let order = a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)));
    match order.is_le() {
        true => a,
        false => b,
    }
}

/// The minimum number of paths that a pair must remove from the templates to save this many bits,
/// if it adds to nothing else.
fn least_taken(saved: f64, counts: Counts, lengths: &Lengths) -> i32 {
    // Pairs that are about as good must be evaluated, because sums of logarithms are not exact.
    let saved = saved - 1e-6;
    if saved <= 0.0 || saved.is_infinite() || counts.template > lengths.half() {
        return 0;
    }
    let (mut too_few, mut enough) = (0, counts.template);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        match lengths.saved_by(counts.template, middle) < saved {
            true => too_few = middle,
            false => enough = middle,
        }
    }
    enough as i32
}
