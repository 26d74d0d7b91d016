//! From tables to scores.

use super::{Forest, Table, Tree};

/// Trees that a row goes down side by side: so many that none waits for another, so few that they
/// stay in the processor's nearest cache while all rows of a table go down them. After so many a row
/// may be done, so that another number gives other scores.
const ABREAST: usize = 16;

impl Forest {
    /// The log-odds of each row. Features that the table does not have count as 0.
    pub fn scores(&self, table: &Table) -> Vec<f32> {
        let mut scores = Vec::new();
        self.append_scores(table, &mut scores);
        scores
    }

    /// Appends the log-odds of each row.
    pub fn append_scores(&self, table: &Table, scores: &mut Vec<f32>) {
        let before = scores.len();
        scores.resize(before + table.rows(), self.bias);
        let scores = &mut scores[before..];
        let mut doubtful: Vec<usize> = (0..table.rows()).collect();
        for trees in self.rounds() {
            for row in &doubtful {
                let sum = &mut scores[*row];
                *sum = add(trees, table.cells(*row), *sum);
            }
            doubtful.retain(|row| self.is_doubtful(scores[*row]));
            if doubtful.is_empty() {
                break;
            }
        }
    }

    /// The trees, by those that are asked together.
    pub(super) fn rounds(&self) -> impl Iterator<Item = &[Tree]> {
        self.trees.chunks(ABREAST)
    }

    /// Whether a row that has this score is worth the trees that are left.
    pub(super) fn is_doubtful(&self, score: f32) -> bool {
        score.abs() < self.sure
    }
}

/// Adds what some trees say of a row to a sum.
fn add(trees: &[Tree], row: &[f32; Table::WIDTH], sum: f32) -> f32 {
    match <&[Tree; ABREAST]>::try_from(trees) {
        Ok(trees) => add_abreast(trees, row, sum),
        // The last ones.
        Err(_) => trees
            .iter()
            .fold(sum, |sum, tree| sum + tree.leaves[tree.leaf(row)]),
    }
}

fn add_abreast(trees: &[Tree; ABREAST], row: &[f32; Table::WIDTH], sum: f32) -> f32 {
    let mut answers = [0; ABREAST];
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
    trees: &[Tree; ABREAST],
    row: &[f32; Table::WIDTH],
    answers: &mut [usize; ABREAST],
) {
    for (tree, answers) in trees.iter().zip(answers) {
        let split = tree.split(LEVEL, *answers);
        *answers |= usize::from(split.is_above(row)) << LEVEL;
    }
}
