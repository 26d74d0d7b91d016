//! One tree, level by level.

use std::ops::Range;

use rayon::prelude::*;
use unframe_methods::auto::{Forest, Split, Tree};

use super::bins::Octet;
use super::boost::GrowParams;
use super::histogram::{Candidate, Histograms, Sums, newton};

/// The largest step of a leaf, in log-odds, before the learning rate.
const MOST: f64 = 5.0;

/// A leaf of a growing tree.
pub(super) struct Leaf {
    /// Its range in the tree's order of rows.
    pub(super) rows: Range<usize>,
    pub(super) sums: Sums,
}

/// What a tree is fitted to.
pub(super) struct TrainingData<'a> {
    pub(super) octets: &'a [Octet],
    /// First and second derivative of each row's loss.
    pub(super) gradients: &'a [[f32; 2]],
    /// Mean 1.
    pub(super) weights: &'a [f32],
    pub(super) params: &'a GrowParams,
}

/// A tree and, for each of its splits, the bin and the gain.
pub(super) struct Grown {
    pub(super) tree: Tree,
    pub(super) splits: Vec<Option<Candidate>>,
}

/// Grows a tree on some rows and octets; `None` if no split gains anything.
pub(super) fn grow_tree(data: &TrainingData, sample: Vec<u32>, octets: &[usize]) -> Option<Grown> {
    let params = data.params;
    let mut histograms: Vec<Histograms> = octets
        .iter()
        .map(|number| Histograms::new(*number, &data.octets[*number]))
        .collect();
    // Ordered so that the rows of a leaf are contiguous.
    let mut rows = sample;
    let mut gradients: Vec<[f32; 2]> = rows
        .iter()
        .map(|row| data.gradients[*row as usize])
        .collect();
    let mut leaves = vec![leaf(0..rows.len(), &gradients)];
    let mut splits: Vec<Option<Candidate>> = Vec::new();
    for level in 0..params.depth {
        histograms.par_iter_mut().for_each(|histograms| {
            if level == 0 {
                histograms.start(&rows, &gradients);
            } else {
                histograms.descend(&leaves, &rows, &gradients);
            }
        });
        let by_octet: Vec<Vec<Option<Candidate>>> = histograms
            .par_iter()
            .map(|histograms| histograms.best(&leaves, params))
            .collect();
        let best: Vec<Option<Candidate>> = (0..leaves.len())
            .map(|leaf| {
                let of_octets = by_octet.iter().map(|best| best[leaf]);
                of_octets.fold(None, Candidate::better)
            })
            .collect();
        if best.iter().all(Option::is_none) {
            break;
        }
        leaves = partition(&leaves, &mut rows, &mut gradients, |leaf, row| {
            best[leaf].is_some_and(|split| split.is_above(data.octets, row as usize))
        });
        splits.extend(best);
    }
    if splits.is_empty() {
        return None;
    }
    let tree = finish(data, &rows, &leaves, &splits);
    Some(Grown { tree, splits })
}

fn leaf(rows: Range<usize>, gradients: &[[f32; 2]]) -> Leaf {
    let mut sums = [0.0; 2];
    for gradient in &gradients[rows.clone()] {
        sums[0] += f64::from(gradient[0]);
        sums[1] += f64::from(gradient[1]);
    }
    Leaf { rows, sums }
}

/// Splits each leaf in two: rows that are not above keep its number, the others get the next higher bit.
fn partition(
    leaves: &[Leaf],
    rows: &mut Vec<u32>,
    gradients: &mut Vec<[f32; 2]>,
    above: impl Fn(usize, u32) -> bool,
) -> Vec<Leaf> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut new_rows = Vec::with_capacity(rows.len());
    let mut new_gradients = Vec::with_capacity(rows.len());
    let (mut high_rows, mut high_gradients) = (Vec::new(), Vec::new());
    for (number, old) in leaves.iter().enumerate() {
        // Leaves are not in the order of their rows; the new ranges are.
        let start = new_rows.len();
        for at in old.rows.clone() {
            if above(number, rows[at]) {
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
    data: &TrainingData,
    rows: &[u32],
    leaves: &[Leaf],
    splits: &[Option<Candidate>],
) -> Tree {
    let params = data.params;
    let value = |leaf: &Leaf| {
        let step = newton(leaf.sums, f64::from(params.l2)).clamp(-MOST, MOST);
        Forest::rounded((step * f64::from(params.rate)) as f32)
    };
    let cover = |leaf: &Leaf| {
        let weight = |row: &u32| f64::from(data.weights[*row as usize]);
        let cover: f64 = rows[leaf.rows.clone()].iter().map(weight).sum();
        // Only for explanations, so rounded. Adding zero turns −0 into 0.
        cover.round() as f32 + 0.0
    };
    let split = |split: &Option<Candidate>| {
        split.map_or(Split::NONE, |split| Split {
            feature: split.feature as u16,
            threshold: data.octets[split.octet].lanes[split.lane].thresholds[split.bin],
        })
    };
    let splits: Vec<Split> = splits.iter().map(split).collect();
    let values: Vec<f32> = leaves.iter().map(value).collect();
    let covers: Vec<f32> = leaves.iter().map(cover).collect();
    Tree::new(&splits, &values, &covers)
}
