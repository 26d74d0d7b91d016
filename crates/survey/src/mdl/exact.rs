//! All pairs: each round merges the two clusters that shorten the description most.
//!
//! What a merge adds to the three counts depends on the two clusters alone, so it is computed
//! once; how many bits that is depends on the sums over all clusters, which change with every
//! merge. A heap of bits would not do: a pair that is not on top may become the best one while
//! others are merged, and nothing says which. So each round looks at all pairs again, but only at
//! three integers and a table of each.

use rayon::prelude::*;

use super::group::Group;
use super::length::{Counts, Lengths};

/// What one merge did: the first pages of the two clusters, and the counts afterwards.
pub(super) struct Step {
    /// The lower first page; it stays the first page of the merged cluster.
    pub first: u32,
    /// The other one.
    pub second: u32,
    /// Summed over all clusters.
    pub counts: Counts,
}

/// Merges until no merge shortens the description. `groups` are known by their place; a merged
/// group stands at the lower place of the two, and `None` at the other.
pub(super) fn merge_all_pairs(
    groups: &mut [Option<Group>],
    lengths: &Lengths,
    mut step: impl FnMut(Step),
) {
    let mut alive: Vec<usize> = (0..groups.len()).filter(|i| groups[*i].is_some()).collect();
    let mut counts = groups
        .iter()
        .flatten()
        .fold(Counts::default(), |sum, group| sum + group.counts);
    // By the two places, the lower one second.
    let mut changes: Vec<Vec<Counts>> = groups
        .par_iter()
        .enumerate()
        .map(|(at, one)| changes_with(one.as_ref(), &groups[..at]))
        .collect();
    loop {
        let now = lengths.of(counts);
        let best = alive.par_iter().enumerate().with_min_len(16).map(|(n, j)| {
            let row = &changes[*j];
            let of_row = alive[..n]
                .iter()
                .map(|i| (lengths.of(counts + row[*i]), *i, *j));
            of_row.fold((f64::INFINITY, usize::MAX, usize::MAX), better)
        });
        let none = || (f64::INFINITY, usize::MAX, usize::MAX);
        let (length, first, second) = best.reduce(none, better);
        if length >= now || length.is_infinite() {
            return;
        }
        counts = counts + changes[second][first];
        let (Some(a), Some(b)) = (groups[first].take(), groups[second].take()) else {
            return;
        };
        let merged = a.merged(&b);
        alive.retain(|at| *at != second);
        let with_merged: Vec<(usize, Counts)> = alive
            .par_iter()
            .filter_map(|at| {
                groups[*at]
                    .as_ref()
                    .map(|other| (*at, change(&merged, other)))
            })
            .collect();
        for (at, change) in with_merged {
            match at < first {
                true => changes[first][at] = change,
                false => changes[at][first] = change,
            }
        }
        groups[first] = Some(merged);
        step(Step {
            first: first as u32,
            second: second as u32,
            counts,
        });
    }
}

/// The shorter one; of equals, the one with the lower first page, then the lower second.
fn better(a: (f64, usize, usize), b: (f64, usize, usize)) -> (f64, usize, usize) {
    let order = a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)));
    match order.is_le() {
        true => a,
        false => b,
    }
}

fn changes_with(one: Option<&Group>, others: &[Option<Group>]) -> Vec<Counts> {
    let change_with = |other: &Option<Group>| match (one, other) {
        (Some(one), Some(other)) => change(one, other),
        _ => Counts::default(),
    };
    others.iter().map(change_with).collect()
}

fn change(one: &Group, other: &Group) -> Counts {
    one.counts_with(other) - one.counts - other.counts
}
