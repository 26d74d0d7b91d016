//! All pairs: each round merges the two clusters that shorten the description most.
//!
//! What a merge adds to the three counts depends on the two clusters alone, so it is computed
//! once; how many bits that is depends on the sums over all clusters, which change with every
//! merge. A heap of bits would not be exact: a pair that is not on top may become the best one
//! while others are merged. So each round looks at all pairs again, but only at three integers of
//! each and a table of logarithms.

use rayon::prelude::*;

use super::group::Mergeable;
use super::length::{Counts, Lengths};

/// What one merge did: the first pages of the two clusters, and the counts afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// The lower first page; it stays the first page of the merged cluster.
    pub first: u32,
    /// The other one.
    pub second: u32,
    /// Summed over all clusters.
    pub counts: Counts,
}

/// What a merge adds, in half the room: there are many pairs.
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
/// ascending; `counts` are the sums over them. Of pairs that are equally good the one with the
/// lowest first pages is merged.
pub(super) fn merge_all_pairs<G: Mergeable>(
    groups: Vec<(u32, G)>,
    mut counts: Counts,
    lengths: &Lengths,
) -> Vec<Step> {
    let (firsts, groups): (Vec<u32>, Vec<G>) = groups.into_iter().unzip();
    let mut groups: Vec<Option<G>> = groups.into_iter().map(Some).collect();
    let mut alive: Vec<usize> = (0..groups.len()).collect();
    // By the higher place, then by the lower.
    let mut changes: Vec<Vec<Change>> = groups
        .par_iter()
        .enumerate()
        .map(|(at, one)| {
            let pairs = groups[..at].iter().map(|other| change(one, other));
            pairs.collect()
        })
        .collect();
    let mut steps = Vec::new();
    loop {
        let rows = alive.par_iter().enumerate().with_min_len(32);
        let best = rows.map(|(n, j)| {
            let row = &changes[*j];
            let length = |i: &usize| lengths.of(counts + row[*i].into());
            let pairs = alive[..n].iter().map(|i| (length(i), *i, *j));
            pairs.fold(NO_PAIR, better)
        });
        let (length, first, second) = best.reduce(|| NO_PAIR, better);
        if length >= lengths.of(counts) {
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
        groups[first] = Some(one.merged(two));
        let with_merged: Vec<Change> = alive
            .par_iter()
            .with_min_len(16)
            .map(|at| change(&groups[first], &groups[*at]))
            .collect();
        for (at, change) in alive.iter().zip(with_merged) {
            if *at != first {
                changes[first.max(*at)][first.min(*at)] = change;
            }
        }
    }
}

/// A length and the places of the two clusters that would have it as one.
type Pair = (f64, usize, usize);

const NO_PAIR: Pair = (f64::INFINITY, usize::MAX, usize::MAX);

/// The shorter one; of equals, the one with the lower first page, then the lower second.
fn better(a: Pair, b: Pair) -> Pair {
    let order = a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)));
    match order.is_le() {
        true => a,
        false => b,
    }
}

fn change<G: Mergeable>(one: &Option<G>, two: &Option<G>) -> Change {
    match (one, two) {
        (Some(one), Some(two)) => one.change_with(two).into(),
        _ => Change::default(),
    }
}
