//! A sum of oblivious trees: what enters is a [`Table`], what leaves is a log-odds for each row.
//!
//! In an oblivious tree all nodes of one depth ask the same question, so that a tree is a short list
//! of questions and a table of answers. The answers of one question for all rows are one loop over
//! one column without branches, which is why a page of hundreds of rows costs microseconds.

mod shares;
mod table;
mod text;

use table::LANES;

pub use table::{RowCells, Table};

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

/// Questions asked in turn, and a value for each combination of answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The questions, at most [`Tree::MAX_DEPTH`].
    pub splits: Vec<Split>,
    /// 2^depth values; bit i of a leaf's number is the answer of split i.
    pub leaves: Vec<f32>,
    /// The weight of the rows in each leaf when the tree was grown, for explanations.
    pub covers: Vec<f32>,
}

impl Tree {
    /// Leaf numbers fit into a byte.
    pub const MAX_DEPTH: usize = 8;

    /// The number of the leaf that a row falls into.
    fn leaf(&self, table: &Table, row: usize) -> usize {
        let answers = self.splits.iter().enumerate();
        answers.fold(0, |leaf, (at, split)| {
            let value = table.column(usize::from(split.feature))[row];
            leaf | usize::from(value > split.above) << at
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
}

impl Forest {
    /// More features than this are not accepted.
    pub const MAX_FEATURES: usize = 4096;
    /// More trees than this are not accepted.
    pub const MAX_TREES: usize = 10_000;

    /// Replaces `out` with the log-odds of each row.
    ///
    /// # Panics
    ///
    /// If the table has fewer columns than [`Forest::used`] has entries.
    pub fn scores(&self, table: &Table, out: &mut Vec<f32>) {
        out.clear();
        out.resize(table.rows().next_multiple_of(LANES), self.bias);
        let (scores, _) = out.as_chunks_mut::<LANES>();
        // As long as a byte can count, so that looking up a leaf needs no check.
        let mut leaves = [0.0_f32; 1 << Tree::MAX_DEPTH];
        for tree in &self.trees {
            leaves[..tree.leaves.len()].copy_from_slice(&tree.leaves);
            let mut columns: [&[[f32; LANES]]; Tree::MAX_DEPTH] = [&[]; _];
            for (column, split) in columns.iter_mut().zip(&tree.splits) {
                *column = table.filled_column(usize::from(split.feature));
            }
            for (at, scores) in scores.iter_mut().enumerate() {
                let mut leaf_of = [0_u8; LANES];
                for (depth, (split, column)) in tree.splits.iter().zip(&columns).enumerate() {
                    let bit = 1 << depth;
                    for (leaf, value) in leaf_of.iter_mut().zip(&column[at]) {
                        *leaf |= if *value > split.above { bit } else { 0 };
                    }
                }
                for (score, leaf) in scores.iter_mut().zip(leaf_of) {
                    *score += leaves[usize::from(leaf)];
                }
            }
        }
        out.truncate(table.rows());
    }

    /// Which features some split asks for; as long as the largest number of one needs.
    pub fn used(&self) -> Vec<bool> {
        let mut used = Vec::new();
        for split in self.trees.iter().flat_map(|tree| &tree.splits) {
            let feature = usize::from(split.feature);
            if used.len() <= feature {
                used.resize(feature + 1, false);
            }
            used[feature] = true;
        }
        used
    }

    /// A leaf's value with the digits that the file keeps: four that count, none behind the sixth
    /// after the point. Grown trees are rounded before they are used, so that file and memory agree.
    pub fn rounded(value: f32) -> f32 {
        let digits = if value.abs() < 1e-3 {
            format!("{value:.6}")
        } else {
            format!("{value:.3e}")
        };
        // Adding zero turns −0 into 0.
        digits.parse::<f32>().unwrap_or(value) + 0.0
    }
}

#[cfg(test)]
mod tests;
