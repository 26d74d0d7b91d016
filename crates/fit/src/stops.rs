//! When a text has had enough trees: most are told apart by the first few dozen.
//!
//! A forest is asked of thousands of texts a second, and most of its trees are for the few that are
//! hard. So after each round of trees, texts whose log-odds are far enough from 0 that nearly none of
//! their like came near it in the end are let go, with the log-odds that their like ended at.

use unframe_methods::auto::{Forest, Stop};

use crate::grow::Rows;

/// Rows that are looked at, at most.
const MOST_ROWS: usize = 120_000;
/// Rows whose features are laid out at a time.
const AT_ONCE: usize = 1024;
/// Log-odds in the end, towards where a row went, below which it should not have been let go.
const EDGE: f32 = 1.5;
/// The part of those let go that may have been wrongly.
const WRONG: f64 = 0.0003;
/// The least part of all rows that a stop is worth having for.
const WORTH: f64 = 0.01;

/// When the rows of a forest may be done, round by round, by the rows that it was grown on.
pub fn stops(forest: &Forest, rows: &Rows) -> Vec<Stop> {
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
        return Vec::new();
    };
    by_round
        .iter()
        .map(|scores| stop(scores, &last, &weights, forest.sure))
        .collect()
}

/// The stop after a round, by the scores then and in the end.
fn stop(scores: &[f32], last: &[f32], weights: &[f64], sure: f32) -> Stop {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].abs().total_cmp(&scores[*a].abs()));
    let all: f64 = weights.iter().sum();
    let (mut passed, mut wrong) = (0.0, 0.0);
    let (mut then, mut both) = (0.0, 0.0);
    let mut found = Stop {
        from: sure,
        gain: 1.0,
    };
    for row in order {
        let (score, weight) = (scores[row], weights[row]);
        let end = last[row] * score.signum();
        passed += weight;
        wrong += if end < EDGE { weight } else { 0.0 };
        then += weight * f64::from(score * score);
        both += weight * f64::from(score * last[row]);
        let may_stop = score.abs() < sure && score != 0.0;
        if may_stop && passed >= WORTH * all && wrong <= WRONG * passed {
            found = Stop {
                from: Forest::rounded(score.abs()),
                gain: Forest::rounded((both / then) as f32).max(1.0),
            };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_where_few_come_back() {
        // Rows go on to twice their score, but every tenth below 1 comes back.
        let scores: Vec<f32> = (1..=2000).map(|row| row as f32 / 1000.0).collect();
        let comes_back = |row: usize| row < 1000 && row.is_multiple_of(10);
        let end = |(row, score): (usize, &f32)| match comes_back(row) {
            true => -score,
            false => 2.0 * score,
        };
        let last: Vec<f32> = scores.iter().enumerate().map(end).collect();
        let found = stop(&scores, &last, &[1.0; 2000], 3.0);
        assert!((0.9..1.0).contains(&found.from), "{found:?}");
        assert!((found.gain - 2.0).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn rows_that_may_all_come_back_stay() {
        let scores = [0.5, -0.5, 1.5, -1.5];
        let found = stop(&scores, &[-1.0, 1.0, -2.0, 2.0], &[1.0; 4], 3.0);
        assert_eq!(
            found,
            Stop {
                from: 3.0,
                gain: 1.0
            }
        );
    }
}
