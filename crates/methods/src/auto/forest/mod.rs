//! A sum of small trees: what enters is a [`Table`], what leaves is a log-odds for each row.
//!
//! All ways through a tree are of one length, so that some rows can go down side by side without a
//! branch, and none waits for the answer of another: that is why a page of hundreds of rows costs
//! microseconds.

mod scoring;
mod shares;
mod table;
mod text;

pub use scoring::Scoring;
pub use table::Table;

/// A question about a row: is the feature's value above a threshold?
///
/// A value that is not a number is not above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Number of the feature: the column of the [`Table`].
    pub feature: u16,
    /// The threshold.
    pub above: f32,
}

impl Split {
    /// The question that all rows answer with no: where there is nothing left to part.
    pub const NONE: Split = Split {
        feature: 0,
        above: f32::INFINITY,
    };
}

/// Questions, of which each row is asked one a level, and a value for each way through them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Level after level: one question, then two, then four. Which of its level's is asked of a row
    /// is the number that its answers so far make: bit i is the answer on level i.
    pub splits: Vec<Split>,
    /// One value more than questions; bit i of a leaf's number is the answer on level i.
    pub leaves: Vec<f32>,
    /// The weight of the rows in each leaf when the tree was grown, for explanations.
    pub covers: Vec<f32>,
}

impl Tree {
    /// More levels than this are not accepted.
    pub const MAX_DEPTH: usize = 7;

    /// How many questions are asked of a row.
    pub fn depth(&self) -> usize {
        (self.splits.len() + 1).ilog2() as usize
    }

    /// The questions of a level, by the answers so far.
    fn level(&self, level: usize) -> &[Split] {
        let count = 1 << level;
        &self.splits[count - 1..2 * count - 1]
    }

    /// The number of the leaf that a row falls into.
    fn leaf(&self, row: &[f32]) -> usize {
        (0..self.depth()).fold(0, |answers, level| {
            let split = self.level(level)[answers];
            answers | usize::from(row[usize::from(split.feature)] > split.above) << level
        })
    }
}

/// Trees whose values are added up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// The score of a row before any tree.
    pub bias: f32,
    /// The trees, in the order in which they were grown.
    pub trees: Vec<Tree>,
    /// When rows are done with before the last tree.
    pub early: Early,
}

/// After the first trees most rows are beyond doubt; the others are worth the rest of the trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Early {
    /// After so many trees …
    pub trees: usize,
    /// … rows whose log-odds are at least so far from 0 have their score.
    pub sure: f32,
}

impl Default for Early {
    /// After all trees: none is early.
    fn default() -> Self {
        Early {
            trees: usize::MAX,
            sure: 0.0,
        }
    }
}

impl Forest {
    /// More features than this are not accepted.
    pub const MAX_FEATURES: usize = 4096;
    /// More trees than this are not accepted.
    pub const MAX_TREES: usize = 10_000;

    /// The log-odds of each row.
    ///
    /// # Panics
    ///
    /// If the table has fewer columns than [`Forest::used`] has entries.
    pub fn scores(&self, table: &Table) -> Vec<f32> {
        let mut scoring = Scoring::new(self);
        scoring.score(table);
        scoring.finish()
    }

    /// The trees that all rows are asked by …
    fn first(&self) -> &[Tree] {
        &self.trees[..self.early.trees.min(self.trees.len())]
    }

    /// … and those for rows in doubt.
    fn rest(&self) -> &[Tree] {
        &self.trees[self.first().len()..]
    }

    /// Which features some split asks for; as long as the largest number of one needs.
    pub fn used(&self) -> Vec<bool> {
        let mut used = Vec::new();
        let splits = self.trees.iter().flat_map(|tree| &tree.splits);
        for split in splits.filter(|split| **split != Split::NONE) {
            let feature = usize::from(split.feature);
            if used.len() <= feature {
                used.resize(feature + 1, false);
            }
            used[feature] = true;
        }
        used
    }

    /// A leaf's value with the digits that the file keeps: three that count, none behind the fifth
    /// after the point. Grown trees are rounded before they are used, so that file and memory agree.
    pub fn rounded(value: f32) -> f32 {
        let digits = if value.abs() < 1e-3 {
            format!("{value:.5}")
        } else {
            format!("{value:.2e}")
        };
        // Adding zero turns −0 into 0.
        digits.parse::<f32>().unwrap_or(value) + 0.0
    }
}

#[cfg(test)]
mod tests;
