//! From tables to scores.

use super::{EarlyExits, Forest, Table, Tree};

/// Trees that a row goes down side by side: so many that none waits for another, so few that they
/// stay in the processor's nearest cache while all rows of a table go down them. After so many a row
/// may be done, so that another number gives other scores.
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
        let mut doubtful: Vec<usize> = (0..table.rows()).collect();
        for (round, trees) in self.rounds().enumerate() {
            doubtful.retain(|row| {
                let sum = &mut scores[*row];
                *sum = add(trees, table.cells(*row), *sum);
                let settled = self.exit_score(*sum, round, early_exits);
                *sum = settled.unwrap_or(*sum);
                settled.is_none()
            });
            if doubtful.is_empty() {
                break;
            }
        }
    }

    /// The log-odds of each row after each round, all trees asked: what [`Forest::early_exits`] are found by.
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

    /// The trees, by those that are asked together.
    pub(super) fn rounds(&self) -> impl Iterator<Item = &[Tree]> {
        self.trees.chunks(TREES_PER_ROUND)
    }

    /// The log-odds in the end of a row that has this score after a round, if it is not worth the
    /// trees that are left.
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
            .filter(|early_exit| size >= early_exit.from)?;
        Some((size * early_exit.gain).min(self.sure).copysign(score))
    }
}

/// Adds what some trees say of a row to a sum.
fn add(trees: &[Tree], row: &[f32; Table::WIDTH], sum: f32) -> f32 {
    match <&[Tree; TREES_PER_ROUND]>::try_from(trees) {
        Ok(trees) => add_full_round(trees, row, sum),
        // The last ones.
        Err(_) => trees
            .iter()
            .fold(sum, |sum, tree| sum + tree.leaves[tree.leaf(row)]),
    }
}

fn add_full_round(trees: &[Tree; TREES_PER_ROUND], row: &[f32; Table::WIDTH], sum: f32) -> f32 {
    let mut answers = [0; TREES_PER_ROUND];
    // Written out, so that the compiler knows each level's number and checks no bounds.
    level::<0>(trees, row, &mut answers);
    level::<1>(trees, row, &mut answers);
    level::<2>(trees, row, &mut answers);
    level::<3>(trees, row, &mut answers);
    level::<4>(trees, row, &mut answers);
    level::<5>(trees, row, &mut answers);
    level::<6>(trees, row, &mut answers);
    const { assert!(Tree::DEPTH == 7, "one line above for each level") };
    trees.iter().zip(answers).fold(sum, |sum, (tree, leaf)| {
        sum + tree.leaves[leaf % Tree::LEAVES]
    })
}

#[inline(always)]
fn level<const LEVEL: usize>(
    trees: &[Tree; TREES_PER_ROUND],
    row: &[f32; Table::WIDTH],
    answers: &mut [usize; TREES_PER_ROUND],
) {
    for (tree, answers) in trees.iter().zip(answers) {
        let split = tree.split(LEVEL, *answers);
        *answers |= usize::from(split.is_above(row)) << LEVEL;
    }
}
