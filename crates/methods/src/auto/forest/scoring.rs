//! From tables to scores.

use super::{Forest, Table, Tree};

/// Rows that go down a tree side by side.
const LANES: usize = 16;

/// Rows in doubt that are kept until the later trees are asked: so many that asking pays, so few that
/// their features stay small on a page of a million texts.
const DOUBTFUL: usize = 1024;

/// The scores of many rows, whose features come in one table after another.
pub struct Scoring<'a> {
    forest: &'a Forest,
    scores: Vec<f32>,
    /// Rows that the later trees are asked about too …
    doubtful: Vec<usize>,
    /// … and their features: of one table they are few, and trees like to be asked about many.
    rest: Table,
}

impl<'a> Scoring<'a> {
    /// Nothing is scored yet.
    pub fn new(forest: &'a Forest) -> Self {
        Self {
            forest,
            scores: Vec::new(),
            doubtful: Vec::new(),
            rest: Table::default(),
        }
    }

    /// Takes the next rows.
    ///
    /// # Panics
    ///
    /// If the table has fewer columns than [`Forest::used`] has entries, or others than the table
    /// before.
    pub fn score(&mut self, table: &Table) {
        let from = self.scores.len();
        self.scores.resize(from + table.rows(), self.forest.bias);
        add(self.forest.first(), table, &mut self.scores[from..]);
        for row in 0..table.rows() {
            if self.scores[from + row].abs() < self.forest.early.sure {
                self.doubtful.push(from + row);
                self.rest.push(table.row(row));
            }
        }
        if self.rest.rows() >= DOUBTFUL {
            self.settle();
        }
    }

    /// The log-odds of all rows.
    pub fn finish(mut self) -> Vec<f32> {
        self.settle();
        self.scores
    }

    /// Asks the later trees about the rows in doubt.
    fn settle(&mut self) {
        let doubtful = self.doubtful.iter();
        let mut sums: Vec<f32> = doubtful.map(|row| self.scores[*row]).collect();
        add(self.forest.rest(), &self.rest, &mut sums);
        for (row, sum) in self.doubtful.drain(..).zip(sums) {
            self.scores[row] = sum;
        }
        self.rest.resize(0, self.rest.columns());
    }
}

/// Adds what some trees say of the rows to their scores.
fn add(trees: &[Tree], table: &Table, scores: &mut [f32]) {
    // Lanes that are left over repeat the last row; nobody looks at their leaves.
    let lane = |block: usize, lane: usize| table.row((block * LANES + lane).min(table.rows() - 1));
    let blocks: Vec<[&[f32]; LANES]> = (0..table.rows().div_ceil(LANES))
        .map(|block| std::array::from_fn(|at| lane(block, at)))
        .collect();
    for tree in trees {
        for (rows, scores) in blocks.iter().zip(scores.chunks_mut(LANES)) {
            let mut answers = [0_usize; LANES];
            for level in 0..tree.depth() {
                let splits = tree.level(level);
                for (answers, row) in answers.iter_mut().zip(rows) {
                    let split = splits[*answers];
                    let above = row[usize::from(split.feature)] > split.above;
                    *answers |= usize::from(above) << level;
                }
            }
            for (score, leaf) in scores.iter_mut().zip(answers) {
                *score += tree.leaves[leaf];
            }
        }
    }
}
