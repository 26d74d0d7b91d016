//! A forest of boosted trees: a [`Table`] of features enters, log-odds for each row leave.
//!
//! Every path through a tree has the same length. So a row can be evaluated by several trees together
//! without a branch, and no comparison waits for the result of another tree: a page of hundreds of rows
//! takes microseconds.

mod attribution;
mod bytes;
mod scoring;
mod table;
mod text;

pub use attribution::{Attribution, Attributor};
pub use table::Table;

/// A comparison: is the value of a feature above a threshold?
///
/// NaN is not above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Number of the feature: the column of the [`Table`].
    pub feature: u16,
    /// The threshold.
    pub threshold: f32,
}

impl Split {
    /// The split that no row is above, for nodes that are not split.
    pub const NONE: Split = Split {
        feature: 0,
        threshold: f32::INFINITY,
    };

    #[inline]
    fn is_above(self, row: &[f32; Table::WIDTH]) -> bool {
        // The remainder changes nothing; it saves a bounds check.
        row[usize::from(self.feature) % Table::WIDTH] > self.threshold
    }
}

/// A tree of full depth: one split per level for each row, and a value for each leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Level by level: one split, then two, then four. The comparisons so far select the split of a
    /// level: bit i of its number is the result on level i.
    splits: [Split; Tree::SPLITS],
    /// Bit i of a leaf's number is the result on level i.
    leaves: [f32; Tree::LEAVES],
    /// The weight of the rows in each leaf when the tree was grown, for explanations; a whole number.
    covers: Box<[f32; Tree::LEAVES]>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            splits: [Split::NONE; Tree::SPLITS],
            leaves: [0.0; Tree::LEAVES],
            covers: Box::new([0.0; Tree::LEAVES]),
        }
    }
}

impl Tree {
    /// Comparisons for each row.
    pub const DEPTH: usize = 7;
    /// Splits of a tree.
    pub const SPLITS: usize = Tree::LEAVES - 1;
    /// Leaves of a tree.
    pub const LEAVES: usize = 1 << Tree::DEPTH;

    /// A tree of full levels, at most [`Tree::DEPTH`]; missing levels are filled with [`Split::NONE`].
    ///
    /// # Panics
    ///
    /// If the splits do not fill their levels, or are too many, or use a feature that no [`Table`] has,
    /// if there is not one leaf and one cover more than splits, or if a cover is not a whole number that
    /// [`u32`] has.
    pub fn new(splits: &[Split], leaves: &[f32], covers: &[f32]) -> Tree {
        let count = splits.len() + 1;
        assert!(count.is_power_of_two(), "splits that fill their levels");
        assert!(count <= Tree::LEAVES, "too many splits");
        let known = |split: &Split| usize::from(split.feature) < Table::WIDTH;
        assert!(splits.iter().all(known), "features that a table has");
        assert_eq!(leaves.len(), count, "one leaf more than splits");
        assert_eq!(covers.len(), count, "one cover more than splits");
        let is_whole = |cover: &f32| f64::from(*cover as u32) == f64::from(*cover);
        assert!(covers.iter().all(is_whole), "covers that are whole numbers");
        Tree {
            splits: std::array::from_fn(|at| splits.get(at).copied().unwrap_or(Split::NONE)),
            leaves: std::array::from_fn(|at| leaves[at % count]),
            covers: Box::new(std::array::from_fn(|at| {
                covers.get(at).copied().unwrap_or(0.0)
            })),
        }
    }

    /// The splits, level by level.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The values; bit i of a leaf's number is the result on level i.
    pub fn leaves(&self) -> &[f32] {
        &self.leaves
    }

    /// The split of a level, by the results so far.
    #[inline]
    fn split(&self, level: usize, results: usize) -> Split {
        let first = (1 << level) - 1;
        self.splits[first + (results & first)]
    }

    /// The number of the leaf that a row falls into.
    fn leaf(&self, row: &[f32; Table::WIDTH]) -> usize {
        (0..Tree::DEPTH).fold(0, |results, level| {
            let split = self.split(level, results);
            results | usize::from(split.is_above(row)) << level
        })
    }
}

/// Trees whose values are summed.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// The score of a row before any tree.
    pub bias: f32,
    /// The trees, in the order in which they were grown.
    pub trees: Vec<Tree>,
    /// A row whose log-odds are at least this far from 0 after 16 trees, or 32, and so on, is sure: the
    /// remaining trees are skipped.
    pub sure: f32,
    /// When a row may skip the remaining trees before it is sure.
    pub early_exits: EarlyExits,
}

/// When rows leave the forest before they are sure: in training, nearly none that were this far from 0
/// after 16 trees, after 32, and so on, came back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlyExits {
    /// For rows whose log-odds are below 0 …
    pub below: Vec<EarlyExit>,
    /// … and for those above.
    pub above: Vec<EarlyExit>,
}

impl EarlyExits {
    /// No row leaves before it is sure.
    pub const NONE: &'static EarlyExits = &EarlyExits {
        below: Vec::new(),
        above: Vec::new(),
    };

    /// The early exit after a round for rows of this score.
    fn after(&self, round: usize, score: f32) -> Option<&EarlyExit> {
        let side = if score < 0.0 {
            &self.below
        } else {
            &self.above
        };
        side.get(round)
    }
}

/// When a row may leave after a round of trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyExit {
    /// Its log-odds are at least this far from 0.
    pub threshold: f32,
    /// What the remaining trees would multiply them by, on average.
    pub scale: f32,
}

impl Default for Forest {
    /// No trees; no row is sure.
    fn default() -> Self {
        Forest {
            bias: 0.0,
            trees: Vec::new(),
            sure: f32::INFINITY,
            early_exits: EarlyExits::default(),
        }
    }
}

impl Forest {
    /// The most features that are accepted.
    pub const MAX_FEATURES: usize = Table::WIDTH;
    /// The most trees that are accepted.
    pub const MAX_TREES: usize = 10_000;

    /// Which features are used by a split, up to the largest number of one.
    pub fn used(&self) -> Vec<bool> {
        let mut used = Vec::new();
        let splits = self.trees.iter().flat_map(Tree::splits);
        for split in splits.filter(|split| **split != Split::NONE) {
            let feature = usize::from(split.feature);
            if used.len() <= feature {
                used.resize(feature + 1, false);
            }
            used[feature] = true;
        }
        used
    }

    /// Renumbers the features: `column` gives the new number of each, which a [`Table`] must have.
    pub(super) fn remap_features<E>(
        &mut self,
        column: impl Fn(u16) -> Result<u16, E>,
    ) -> Result<(), E> {
        let splits = self.trees.iter_mut().flat_map(|tree| &mut tree.splits);
        for split in splits.filter(|split| **split != Split::NONE) {
            split.feature = column(split.feature)?;
        }
        Ok(())
    }

    /// A leaf's value as the file keeps it: three significant digits, at most five after the point. Grown
    /// trees are rounded before they are used, so that file and memory agree.
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
