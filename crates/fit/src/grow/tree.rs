//! One tree, level by level.

use std::ops::Range;

use rayon::prelude::*;
use unframe_methods::auto::{Forest, Split, Tree};

use super::bins::Column;
use super::boost::GrowParams;
use super::histogram::{Candidate, Group, LANES, Lane, Sums, newton};

/// No leaf moves a row's log-odds further than this, before the rate.
const MOST: f64 = 5.0;

/// A leaf while the tree grows.
pub(super) struct Leaf {
    /// Its rows in the tree's order.
    pub(super) rows: Range<usize>,
    pub(super) sums: Sums,
}

/// What a tree is grown on.
pub(super) struct Ground<'a> {
    pub(super) columns: &'a [Column],
    /// First and second derivative of each row's loss.
    pub(super) gradients: &'a [[f32; 2]],
    /// Mean 1.
    pub(super) weights: &'a [f32],
    pub(super) params: &'a GrowParams,
}

/// A tree and, for each of its splits, the step and the gain.
pub(super) struct Grown {
    pub(super) tree: Tree,
    pub(super) splits: Vec<Candidate>,
}

/// Grows a tree on some rows and features; `None` if no split gains anything.
pub(super) fn grow_tree(ground: &Ground, sample: &[u32], features: &[usize]) -> Option<Grown> {
    let params = ground.params;
    let l2 = f64::from(params.l2);
    let mut groups: Vec<Group> = features
        .par_chunks(LANES)
        .map(|features| group(ground, sample, features))
        .collect();
    // Rows are numbered within the sample, and kept so that those of a leaf lie together.
    let mut rows: Vec<u32> = (0..sample.len() as u32).collect();
    let mut gradients: Vec<[f32; 2]> = sample
        .iter()
        .map(|row| ground.gradients[*row as usize])
        .collect();
    let mut leaves = vec![leaf(0..rows.len(), &gradients)];
    let mut splits: Vec<Candidate> = Vec::new();
    while splits.len() < params.depth {
        groups.par_iter_mut().for_each(|group| {
            if splits.is_empty() {
                group.start(&rows, &gradients);
            } else {
                group.descend(&leaves, &rows, &gradients);
            }
        });
        let best: Vec<Option<Candidate>> = groups
            .par_iter()
            .map(|group| group.best(&leaves, l2))
            .collect();
        let Some(split) = best.into_iter().flatten().reduce(|best, next| {
            if next.ranked > best.ranked {
                next
            } else {
                best
            }
        }) else {
            break;
        };
        splits.push(split);
        let steps = &ground.columns[split.feature].steps;
        let above = |row: u32| usize::from(steps[sample[row as usize] as usize]) > split.step;
        leaves = part(&leaves, &mut rows, &mut gradients, above);
    }
    if splits.is_empty() {
        return None;
    }
    let tree = finish(ground, sample, &rows, &leaves, &splits);
    Some(Grown { tree, splits })
}

/// Puts the steps of a few features side by side.
fn group(ground: &Ground, sample: &[u32], features: &[usize]) -> Group {
    let params = ground.params;
    let lanes: Vec<Lane> = features
        .iter()
        .map(|feature| Lane {
            feature: *feature,
            splits: ground.columns[*feature].thresholds.len(),
            penalty: params.penalty_of(*feature),
            monotone: params.monotone_of(*feature),
        })
        .collect();
    // Lanes that are left over repeat the last feature; nobody looks at their sums.
    let column = |lane: usize| {
        let feature = features[lane.min(features.len() - 1)];
        ground.columns[feature].steps.as_slice()
    };
    let columns: [&[u8]; LANES] = std::array::from_fn(column);
    let steps = sample
        .iter()
        .map(|row| columns.map(|column| column[*row as usize]))
        .collect();
    Group::new(lanes, steps)
}

fn leaf(rows: Range<usize>, gradients: &[[f32; 2]]) -> Leaf {
    let mut sums = [0.0; 2];
    for gradient in &gradients[rows.clone()] {
        sums[0] += f64::from(gradient[0]);
        sums[1] += f64::from(gradient[1]);
    }
    Leaf { rows, sums }
}

/// Parts each leaf in two: those not above keep its number, the others get one higher bit.
fn part(
    leaves: &[Leaf],
    rows: &mut Vec<u32>,
    gradients: &mut Vec<[f32; 2]>,
    above: impl Fn(u32) -> bool,
) -> Vec<Leaf> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut new_rows = Vec::with_capacity(rows.len());
    let mut new_gradients = Vec::with_capacity(rows.len());
    let (mut high_rows, mut high_gradients) = (Vec::new(), Vec::new());
    for old in leaves {
        // Leaves are not in the order of their rows, so the new places follow the new order.
        let start = new_rows.len();
        for at in old.rows.clone() {
            if above(rows[at]) {
                high_rows.push(rows[at]);
                high_gradients.push(gradients[at]);
            } else {
                new_rows.push(rows[at]);
                new_gradients.push(gradients[at]);
            }
        }
        let middle = new_rows.len();
        new_rows.append(&mut high_rows);
        new_gradients.append(&mut high_gradients);
        low.push(leaf(start..middle, &new_gradients));
        high.push(leaf(middle..new_rows.len(), &new_gradients));
    }
    *rows = new_rows;
    *gradients = new_gradients;
    low.append(&mut high);
    low
}

/// The values of the leaves.
fn finish(
    ground: &Ground,
    sample: &[u32],
    rows: &[u32],
    leaves: &[Leaf],
    splits: &[Candidate],
) -> Tree {
    let params = ground.params;
    let covers: Vec<f64> = leaves
        .iter()
        .map(|leaf| {
            let weight = |row: &u32| f64::from(ground.weights[sample[*row as usize] as usize]);
            rows[leaf.rows.clone()].iter().map(weight).sum()
        })
        .collect();
    let mut values: Vec<f64> = (0..leaves.len())
        .map(|number| {
            let sums = supported(number, splits.len(), leaves, &covers, params.min_leaf);
            newton(sums, f64::from(params.l2)).clamp(-MOST, MOST) * f64::from(params.rate)
        })
        .collect();
    let directions = splits.iter().map(|split| params.monotone_of(split.feature));
    straighten(&mut values, &directions.collect::<Vec<_>>());
    Tree {
        splits: splits
            .iter()
            .map(|split| Split {
                feature: split.feature as u16,
                above: ground.columns[split.feature].thresholds[split.step],
            })
            .collect(),
        leaves: values
            .iter()
            .map(|value| Forest::rounded(*value as f32))
            .collect(),
        covers: covers
            .iter()
            .map(|cover| Forest::rounded(*cover as f32))
            .collect(),
    }
}

/// The sums of a leaf or, if its rows weigh too little, of the leaves that give the same first
/// answers, as many as weigh enough.
fn supported(number: usize, depth: usize, leaves: &[Leaf], covers: &[f64], min_leaf: f32) -> Sums {
    let mut found = [0.0; 2];
    for answers in (0..=depth).rev() {
        let step = 1 << answers;
        let (mut cover, mut sums) = (0.0, [0.0; 2]);
        for at in (number % step..leaves.len()).step_by(step) {
            cover += covers[at];
            sums = [sums[0] + leaves[at].sums[0], sums[1] + leaves[at].sums[1]];
        }
        found = sums;
        if cover > 0.0 && cover >= f64::from(min_leaf) {
            break;
        }
    }
    found
}

/// Makes the values respect the directions of their splits: two neighbours in the wrong order meet
/// half way, and what is still wrong after some rounds is raised to its neighbour.
fn straighten(values: &mut [f64], directions: &[i8]) {
    const ROUNDS: usize = 20;
    for round in 0..=ROUNDS {
        let mut wrong = false;
        for (at, direction) in directions.iter().enumerate() {
            for low in (0..values.len()).filter(|leaf| leaf >> at & 1 == 0) {
                let mut pair = (low, low | 1 << at);
                if *direction < 0 {
                    pair = (pair.1, pair.0);
                }
                if *direction != 0 && values[pair.1] < values[pair.0] {
                    wrong = true;
                    if round < ROUNDS {
                        values[pair.0] = (values[pair.0] + values[pair.1]) / 2.0;
                    }
                    values[pair.1] = values[pair.0];
                }
            }
        }
        if !wrong {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::straighten;

    #[test]
    fn values_follow_the_directions() {
        let mut values = [3.0, 1.0, 0.0, 5.0, 2.0, 2.5, -1.0, 0.0];
        straighten(&mut values, &[1, 0, -1]);
        for low in [0, 2, 4, 6] {
            assert!(values[low] <= values[low + 1]);
        }
        for low in 0..4 {
            assert!(values[low] >= values[low + 4]);
        }
        let free = [3.0, 1.0];
        let mut values = free;
        straighten(&mut values, &[0]);
        assert_eq!(values, free);
    }
}
