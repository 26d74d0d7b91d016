//! When a text may skip the remaining trees: most are classified by the first few dozen.
//!
//! Most trees of a forest are for the few texts that are hard. So after each round of trees, texts leave
//! whose log-odds are so far from 0 that nearly none of the training rows that were as far came back. Their
//! final log-odds are extrapolated from those rows.

use unframe_methods::auto::{EarlyExit, EarlyExits, Forest};

use crate::grow::Rows;

/// Rows that are evaluated, at most.
const MOST_ROWS: usize = 120_000;
/// Rows of one table.
const AT_ONCE: usize = 1024;
/// The share of rows that may leave early by mistake.
const MAX_WRONG: f64 = 0.0005;
/// The smallest share of the rows of its side that an early exit must serve.
const MIN_SERVED: f64 = 0.01;

/// When rows on one side of 0 may leave early.
struct Side {
    /// 1 above 0, -1 below.
    sign: f32,
    /// Final log-odds, in the direction of the side, below which a row should not have left early.
    edge: f32,
}

/// Thresholds are at -0.2 and above (those of recall are lower, and do without these exits), so content is
/// soon far from them …
const BELOW: Side = Side {
    sign: -1.0,
    edge: 0.5,
};
/// … but frame may still come near one.
const ABOVE: Side = Side {
    sign: 1.0,
    edge: 1.5,
};

/// The early exits of a forest after each round, by the rows that it was grown on.
pub fn early_exits(forest: &Forest, rows: &Rows) -> EarlyExits {
    let step = rows.target.len().div_ceil(MOST_ROWS).max(1);
    let chosen: Vec<usize> = (0..rows.target.len())
        .step_by(step)
        .filter(|row| rows.weight[*row] > 0.0)
        .collect();
    let mut by_round: Vec<Vec<f32>> = Vec::new();
    for chunk in chosen.chunks(AT_ONCE) {
        let scores = forest.scores_by_round(&rows.table_of(chunk));
        by_round.resize(scores.len(), Vec::new());
        for (all, own) in by_round.iter_mut().zip(scores) {
            all.extend(own);
        }
    }
    let weights: Vec<f64> = chosen
        .iter()
        .map(|row| f64::from(rows.weight[*row]))
        .collect();
    let Some(last) = by_round.pop().filter(|_| forest.sure.is_finite()) else {
        return EarlyExits::default();
    };
    let of = |side: &Side| {
        let rounds = by_round.iter();
        rounds
            .map(|scores| side.early_exit(scores, &last, &weights, forest.sure))
            .collect()
    };
    EarlyExits {
        below: of(&BELOW),
        above: of(&ABOVE),
    }
}

impl Side {
    /// The early exit after a round, by the scores then and at the end.
    fn early_exit(&self, scores: &[f32], last: &[f32], weights: &[f64], sure: f32) -> EarlyExit {
        let of_side = |row: &usize| scores[*row] * self.sign > 0.0;
        let mut order: Vec<usize> = (0..scores.len()).filter(of_side).collect();
        order.sort_by(|a, b| scores[*b].abs().total_cmp(&scores[*a].abs()));
        let all: f64 = order.iter().map(|row| weights[*row]).sum();
        let (mut passed, mut wrong) = (0.0, 0.0);
        let (mut then, mut both) = (0.0, 0.0);
        let mut found = EarlyExit {
            threshold: sure,
            scale: 1.0,
        };
        for row in order {
            let (score, weight) = (scores[row], weights[row]);
            passed += weight;
            wrong += match last[row] * self.sign < self.edge {
                true => weight,
                false => 0.0,
            };
            if score.abs() >= sure {
                continue;
            }
            // Rows nearer to 0 could end anywhere.
            if score.abs() < self.edge {
                break;
            }
            then += weight * f64::from(score * score);
            both += weight * f64::from(score * last[row]);
            if passed >= MIN_SERVED * all && wrong <= MAX_WRONG * passed {
                found = EarlyExit {
                    threshold: Forest::rounded(score.abs()),
                    scale: Forest::rounded((both / then) as f32).max(1.0),
                };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use unframe_methods::auto::{Split, Tree};

    use super::*;

    #[test]
    fn an_early_exit_is_where_few_come_back() {
        // Rows go on to twice their score, but every tenth below 2 comes back.
        let scores: Vec<f32> = (1..=2000).map(|row| row as f32 / 500.0).collect();
        let comes_back = |row: usize| row < 1000 && row.is_multiple_of(10);
        let end = |(row, score): (usize, &f32)| match comes_back(row) {
            true => -score,
            false => 2.0 * score,
        };
        let last: Vec<f32> = scores.iter().enumerate().map(end).collect();
        let found = ABOVE.early_exit(&scores, &last, &[1.0; 2000], 6.0);
        assert!((1.8..2.0).contains(&found.threshold), "{found:?}");
        assert!((found.scale - 2.0).abs() < 0.05, "{found:?}");
        // The same on the other side, among rows of this one.
        let mirrored = |scores: &[f32]| -> Vec<f32> {
            let there = scores.iter().map(|score| -score);
            there.chain(vec![3.0; scores.len()]).collect()
        };
        let (scores, last) = (mirrored(&scores), mirrored(&last));
        let below = BELOW.early_exit(&scores, &last, &[1.0; 4000], 6.0);
        assert!((1.8..2.0).contains(&below.threshold), "{below:?}");
    }

    #[test]
    fn each_side_has_its_early_exits() {
        // Rows above 0 gain slowly, those below are soon as low as they get.
        let rows = Rows {
            features: vec![(0..400).map(|row| row as f32).collect()],
            target: vec![0.5; 400],
            weight: vec![1.0; 400],
        };
        let tree = |low: f32, high: f32| {
            let split = Split {
                feature: 0,
                threshold: 199.5,
            };
            Tree::new(&[split], &[low, high], &[1.0; 2])
        };
        let first = (0..16).map(|_| tree(-0.05, 0.15));
        let rest = (0..32).map(|_| tree(0.0, 0.05));
        let forest = Forest {
            trees: first.chain(rest).collect(),
            sure: 9.0,
            ..Forest::default()
        };
        let found = early_exits(&forest, &rows);
        let sides = [found.below, found.above].map(|side| {
            let from = side
                .iter()
                .map(|early_exit| (10.0 * early_exit.threshold).round());
            from.collect::<Vec<_>>()
        });
        assert_eq!(sides, [[8.0, 8.0], [24.0, 32.0]]);
    }

    #[test]
    fn rows_that_may_all_come_back_do_not_leave() {
        let scores = [0.5, -0.5, 1.5, -1.5];
        for side in [ABOVE, BELOW] {
            let found = side.early_exit(&scores, &[-1.0, 1.0, -2.0, 2.0], &[1.0; 4], 3.0);
            let (threshold, scale) = (3.0, 1.0);
            assert_eq!(found, EarlyExit { threshold, scale });
        }
    }
}
