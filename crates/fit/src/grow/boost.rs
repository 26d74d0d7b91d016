//! Gradient boosting: each tree is fitted to the gradients that the trees before it leave.

use rayon::prelude::*;
use unframe_methods::auto::{Forest, Table, Tree};

use super::bins::{Octet, octets};
use super::histogram::{Candidate, MAX_BINS};
use super::random::Random;
use super::tree::{TrainingData, grow_tree};

/// The training rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// One vector per feature, with a value for each row.
    pub features: Vec<Vec<f32>>,
    /// For each row the probability to be positive: 0 to 1.
    pub target: Vec<f32>,
    /// For each row its weight; not below 0.
    pub weight: Vec<f32>,
}

impl Rows {
    /// The features of all rows, as a forest reads them.
    pub fn table(&self) -> Table {
        let all: Vec<usize> = (0..self.target.len()).collect();
        self.table_of(&all)
    }

    /// The features of some rows, in the order given.
    pub fn table_of(&self, rows: &[usize]) -> Table {
        let mut table = Table::new(rows.len(), self.features.len());
        for (column, values) in self.features.iter().enumerate() {
            for (at, row) in rows.iter().enumerate() {
                table.row_mut(at)[column] = values[*row];
            }
        }
        table
    }
}

/// How a forest is grown.
#[derive(Clone, Debug)]
pub struct GrowParams {
    /// The most trees; trees without gain are left out. Default 200. More fit closer and take more time per
    /// page.
    pub trees: usize,
    /// Levels of a tree, at most [`Tree::DEPTH`]. Default 6. More let more features work
    /// together, and fit closer.
    pub depth: usize,
    /// Learning rate. Default 0.08. Lower needs more trees and generalises better.
    pub rate: f32,
    /// Bins of a feature, 2 to 64. Default 64. More make thresholds finer.
    pub bins: usize,
    /// Share of the features that each tree may use, above 0 to 1; they are drawn in groups of eight. Default
    /// 0.3. Lower makes trees more diverse.
    pub feature_share: f32,
    /// Share of the rows that each tree is grown on, above 0 to 1. Default 0.7.
    pub row_share: f32,
    /// L2 regularisation: added to the sum of second derivatives of each leaf, in units of the mean weight of
    /// a row; such a sum is at most a quarter of the leaf's weight. Default 8. Higher pulls small leaves to 0.
    pub l2: f32,
    /// The least sum of second derivatives of a leaf, in the same units. Default 1. Higher keeps
    /// splits from serving a few rows.
    pub min_leaf: f32,
    /// The fewest rows of a leaf, if all rows of its parent have equal weight. Default 20.
    pub min_rows: f32,
    /// Seed of the random numbers. Default 1.
    pub seed: u64,
    /// Features that may be used; all if `None`.
    pub allowed: Option<Vec<bool>>,
    /// Factor for each feature on the gain of its splits when they are ranked, to hold features back.
    pub penalty: Option<Vec<f32>>,
}

impl Default for GrowParams {
    fn default() -> Self {
        Self {
            trees: 200,
            depth: 6,
            rate: 0.08,
            bins: 64,
            feature_share: 0.3,
            row_share: 0.7,
            l2: 8.0,
            min_leaf: 1.0,
            min_rows: 20.0,
            seed: 1,
            allowed: None,
            penalty: None,
        }
    }
}

impl GrowParams {
    fn allows(&self, feature: usize) -> bool {
        let allowed = self.allowed.as_ref();
        allowed.is_none_or(|allowed| allowed[feature]) && self.penalty_of(feature) > 0.0
    }

    pub(super) fn penalty_of(&self, feature: usize) -> f64 {
        let penalty = self.penalty.as_ref();
        penalty.map_or(1.0, |penalty| f64::from(penalty[feature]))
    }

    /// The smallest sum of second derivatives of a child, by that of the leaf and its rows.
    pub(super) fn least(&self, hessian: f64, rows: usize) -> f64 {
        let of_rows = f64::from(self.min_rows) * hessian / rows.max(1) as f64;
        of_rows.max(f64::from(self.min_leaf))
    }

    fn check(&self, rows: &Rows) {
        let (count, features) = (rows.target.len(), rows.features.len());
        assert_eq!(rows.weight.len(), count, "a weight for each row");
        for (feature, values) in rows.features.iter().enumerate() {
            assert_eq!(
                values.len(),
                count,
                "a value of feature {feature} for each row"
            );
        }
        assert!(features <= Forest::MAX_FEATURES, "too many features");
        assert!(u32::try_from(count).is_ok(), "too many rows");
        assert!(self.trees <= Forest::MAX_TREES, "too many trees");
        assert!(self.depth <= Tree::DEPTH, "trees too deep");
        assert!((2..=MAX_BINS).contains(&self.bins), "bins not in 2..=64");
        let lengths = [
            self.allowed.as_ref().map(Vec::len),
            self.penalty.as_ref().map(Vec::len),
        ];
        let fits = |length: &usize| *length == features;
        assert!(lengths.iter().flatten().all(fits), "one entry a feature");
    }
}

/// The gain of each feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Gains {
    /// The sum of the gains of its splits.
    pub by_feature: Vec<f64>,
}

/// Grows a forest whose scores are the log-odds of the target.
///
/// The loss is the cross-entropy with the soft target; each leaf takes a Newton step. Rows of
/// weight 0 are ignored.
///
/// # Panics
///
/// If the rows' vectors differ in length, or a parameter is out of its range.
pub fn grow(rows: &Rows, params: &GrowParams) -> (Forest, Gains) {
    params.check(rows);
    let mut gains = Gains {
        by_feature: vec![0.0; rows.features.len()],
    };
    let Some((weights, bias)) = weights_and_bias(rows) else {
        return (Forest::default(), gains);
    };
    let mut forest = Forest {
        bias,
        ..Forest::default()
    };
    let mut random = Random(params.seed);
    let octets = octets(rows, params.bins, random.next(), |feature| {
        params.allows(feature)
    });
    let drawn = (octets.len() as f32 * params.feature_share).ceil().max(1.0) as usize;
    let mut scores = vec![bias; rows.target.len()];
    let mut gradients = vec![[0.0; 2]; scores.len()];
    for _ in 0..params.trees {
        compute_gradients(&scores, &rows.target, &weights, &mut gradients);
        let sample: Vec<u32> = (0..scores.len() as u32)
            .filter(|row| random.chance(params.row_share) && weights[*row as usize] > 0.0)
            .collect();
        let data = TrainingData {
            octets: &octets,
            gradients: &gradients,
            weights: &weights,
            params,
        };
        let drawn = random.draw((0..octets.len()).collect(), drawn);
        let Some(grown) = grow_tree(&data, sample, &drawn) else {
            continue;
        };
        for split in grown.splits.iter().flatten() {
            gains.by_feature[split.feature] += split.gain;
        }
        add(&octets, &grown.splits, grown.tree.leaves(), &mut scores);
        forest.trees.push(grown.tree);
    }
    (forest, gains)
}

/// Weights of mean 1, and the log-odds of the mean target; `None` if no row has weight.
fn weights_and_bias(rows: &Rows) -> Option<(Vec<f32>, f32)> {
    // Bounds the bias.
    const LEAST: f64 = 1e-4;
    let (mut count, mut weight, mut target) = (0.0, 0.0, 0.0);
    for (row_weight, row_target) in rows.weight.iter().zip(&rows.target) {
        if *row_weight > 0.0 {
            count += 1.0;
            weight += f64::from(*row_weight);
            target += f64::from(*row_weight) * f64::from(*row_target);
        }
    }
    if count == 0.0 {
        return None;
    }
    let mean = (target / weight).clamp(LEAST, 1.0 - LEAST);
    let scaled = |row: &f32| (f64::from(*row) * count / weight) as f32;
    let weights = rows.weight.iter().map(scaled).collect();
    Some((weights, (mean / (1.0 - mean)).ln() as f32))
}

/// First and second derivative of each row's loss at its score.
fn compute_gradients(scores: &[f32], targets: &[f32], weights: &[f32], gradients: &mut [[f32; 2]]) {
    let rows = scores.par_iter().zip(targets).zip(weights);
    gradients
        .par_iter_mut()
        .zip(rows)
        .with_min_len(CHUNK)
        .for_each(|(gradient, ((score, target), weight))| {
            let chance = 1.0 / (1.0 + (-score).exp());
            *gradient = [weight * (chance - target), weight * chance * (1.0 - chance)];
        });
}

/// Adds a tree's values to the scores of all rows.
fn add(octets: &[Octet], splits: &[Option<Candidate>], leaves: &[f32], scores: &mut [f32]) {
    let depth = (splits.len() + 1).ilog2();
    scores
        .par_chunks_mut(CHUNK)
        .enumerate()
        .for_each(|(part, scores)| {
            for (at, score) in scores.iter_mut().enumerate() {
                let row = part * CHUNK + at;
                let leaf = (0..depth).fold(0, |answers, level| {
                    let split = &splits[(1 << level) - 1 + answers];
                    let above = |split: &Candidate| split.is_above(octets, row);
                    answers | usize::from(split.as_ref().is_some_and(above)) << level
                });
                *score += leaves[leaf];
            }
        });
}

/// Rows that one thread handles at a time.
const CHUNK: usize = 1 << 13;
