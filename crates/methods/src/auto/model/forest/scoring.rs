//! From tables to scores.

use super::{EarlyExits, Forest, Table, Tree};

/// Trees that are evaluated together: enough to hide memory latency, few enough to stay in the first-level
/// cache for all rows of a table. Rows may leave after each round, so another number gives other scores.
const TREES_PER_ROUND: usize = 16;

impl Forest {
    /// The log-odds of each row. Features that the table does not have count as 0.
    pub fn scores(&self, table: &Table) -> Vec<f32> {
        let mut scores = Vec::new();
        self.append_scores(table, &self.early_exits, &mut scores);
        scores
    }

    /// Appends the log-odds of each row; `early_exits` are the forest's own, or none.
    pub fn append_scores(&self, table: &Table, early_exits: &EarlyExits, scores: &mut Vec<f32>) {
        let before = scores.len();
        scores.resize(before + table.rows(), self.bias);
        let scores = &mut scores[before..];
        let mut active: Vec<usize> = (0..table.rows()).collect();
        for (round, trees) in self.rounds().enumerate() {
            active.retain(|row| {
                let sum = &mut scores[*row];
                *sum = add(trees, table.cells(*row), *sum);
                let exit = self.exit_score(*sum, round, early_exits);
                *sum = exit.unwrap_or(*sum);
                exit.is_none()
            });
            if active.is_empty() {
                break;
            }
        }
    }

    /// The log-odds of each row after each round, without early exits, which are derived from them.
    pub fn scores_by_round(&self, table: &Table) -> Vec<Vec<f32>> {
        let mut scores = vec![self.bias; table.rows()];
        let rounds = self.rounds().map(|trees| {
            for (row, sum) in scores.iter_mut().enumerate() {
                *sum = add(trees, table.cells(row), *sum);
            }
            scores.clone()
        });
        rounds.collect()
    }

    /// The trees, by those that are evaluated together.
    pub(super) fn rounds(&self) -> impl Iterator<Item = &[Tree]> {
        self.trees.chunks(TREES_PER_ROUND)
    }

    /// The final log-odds of a row with this score after a round, if it may skip the remaining trees.
    pub(super) fn exit_score(
        &self,
        score: f32,
        round: usize,
        early_exits: &EarlyExits,
    ) -> Option<f32> {
        let size = score.abs();
        if size >= self.sure {
            return Some(score);
        }
        let early_exit = early_exits
            .after(round, score)
            .filter(|early_exit| size >= early_exit.threshold)?;
        Some((size * early_exit.scale).min(self.sure).copysign(score))
    }
}

/// Adds the values of some trees for a row to a sum.
fn add(trees: &[Tree], row: &[f32; Table::WIDTH], sum: f32) -> f32 {
    match <&[Tree; TREES_PER_ROUND]>::try_from(trees) {
        Ok(trees) => add_full_round(trees, row, sum),
        // The last round may be shorter.
        Err(_) => trees
            .iter()
            .fold(sum, |sum, tree| sum + tree.leaves[tree.leaf(row)]),
    }
}

fn add_full_round(trees: &[Tree; TREES_PER_ROUND], row: &[f32; Table::WIDTH], sum: f32) -> f32 {
    let mut results = [0; TREES_PER_ROUND];
    // Unrolled, so that each level is a constant and the compiler needs no bounds checks.
    level::<0>(trees, row, &mut results);
    level::<1>(trees, row, &mut results);
    level::<2>(trees, row, &mut results);
    level::<3>(trees, row, &mut results);
    level::<4>(trees, row, &mut results);
    level::<5>(trees, row, &mut results);
    level::<6>(trees, row, &mut results);
    const { assert!(Tree::DEPTH == 7, "one line above for each level") };
    trees.iter().zip(results).fold(sum, |sum, (tree, leaf)| {
        sum + tree.leaves[leaf % Tree::LEAVES]
    })
}

#[inline(always)]
fn level<const LEVEL: usize>(
    trees: &[Tree; TREES_PER_ROUND],
    row: &[f32; Table::WIDTH],
    results: &mut [usize; TREES_PER_ROUND],
) {
    for (tree, results) in trees.iter().zip(results) {
        let split = tree.split(LEVEL, *results);
        *results |= usize::from(split.is_above(row)) << LEVEL;
    }
}
