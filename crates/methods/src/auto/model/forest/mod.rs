//! A sum of small trees: what enters is a [`Table`], what leaves is a log-odds for each row.
//!
//! All ways through a tree are of one length, so that a row can go down some trees side by side
//! without a branch, and none of its questions waits for the answer of another tree: that is why a
//! page of hundreds of rows costs microseconds.

mod attribution;
mod bytes;
mod scoring;
mod table;
mod text;

pub use attribution::{Attribution, Attributor};
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

    #[inline]
    fn is_above(self, row: &[f32; Table::WIDTH]) -> bool {
        // The remainder is the number itself, and spares a check of the bounds.
        row[usize::from(self.feature) % Table::WIDTH] > self.above
    }
}

/// Questions, of which each row is asked one a level, and a value for each way through them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Level after level: one question, then two, then four. Which of its level's is asked of a row
    /// is the number that its answers so far make: bit i is the answer on level i.
    splits: [Split; Tree::SPLITS],
    /// Bit i of a leaf's number is the answer on level i.
    leaves: [f32; Tree::LEAVES],
    /// The weight of the rows in each leaf when the tree was grown, for explanations.
    covers: Box<[f32; Tree::LEAVES]>,
}

impl Tree {
    /// How many questions are asked of a row.
    pub const DEPTH: usize = 7;
    /// How many questions there are.
    pub const SPLITS: usize = Tree::LEAVES - 1;
    /// How many ways through them.
    pub const LEAVES: usize = 1 << Tree::DEPTH;

    /// A tree of full levels, at most [`Tree::DEPTH`]; those that it lacks part nothing.
    ///
    /// # Panics
    ///
    /// If the splits do not fill their levels, or are too many, or ask for a feature that no
    /// [`Table`] has, or if there is not one leaf and one cover more than splits.
    pub fn new(splits: &[Split], leaves: &[f32], covers: &[f32]) -> Tree {
        let count = splits.len() + 1;
        assert!(count.is_power_of_two(), "splits that fill their levels");
        assert!(count <= Tree::LEAVES, "too many splits");
        let known = |split: &Split| usize::from(split.feature) < Table::WIDTH;
        assert!(splits.iter().all(known), "features that a table has");
        assert_eq!(leaves.len(), count, "one leaf more than splits");
        assert_eq!(covers.len(), count, "one cover more than splits");
        Tree {
            splits: std::array::from_fn(|at| splits.get(at).copied().unwrap_or(Split::NONE)),
            leaves: std::array::from_fn(|at| leaves[at % count]),
            covers: Box::new(std::array::from_fn(|at| {
                covers.get(at).copied().unwrap_or(0.0)
            })),
        }
    }

    /// The questions, level after level.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The values; bit i of a leaf's number is the answer on level i.
    pub fn leaves(&self) -> &[f32] {
        &self.leaves
    }

    /// The question that a row is asked on a level, by its answers so far.
    #[inline]
    fn split(&self, level: usize, answers: usize) -> Split {
        let first = (1 << level) - 1;
        self.splits[first + (answers & first)]
    }

    /// The number of the leaf that a row falls into.
    fn leaf(&self, row: &[f32; Table::WIDTH]) -> usize {
        (0..Tree::DEPTH).fold(0, |answers, level| {
            let split = self.split(level, answers);
            answers | usize::from(split.is_above(row)) << level
        })
    }
}

/// Trees whose values are added up.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// The score of a row before any tree.
    pub bias: f32,
    /// The trees, in the order in which they were grown.
    pub trees: Vec<Tree>,
    /// A row whose log-odds are at least so far from 0 after 16 trees, or 32, and so on, is beyond
    /// doubt: the rest are not asked.
    pub sure: f32,
    /// When a row is done sooner.
    pub early_exits: EarlyExits,
}

/// When rows are done before they are sure, because nearly none that were so far from 0 by then came
/// back: after 16 trees, after 32, and so on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlyExits {
    /// For rows whose log-odds are below 0 …
    pub below: Vec<EarlyExit>,
    /// … and for those above.
    pub above: Vec<EarlyExit>,
}

impl EarlyExits {
    /// No row is done before it is sure.
    pub const NONE: &'static EarlyExits = &EarlyExits {
        below: Vec::new(),
        above: Vec::new(),
    };

    /// The early_exit after a round for rows of this score.
    fn after(&self, round: usize, score: f32) -> Option<&EarlyExit> {
        let side = if score < 0.0 {
            &self.below
        } else {
            &self.above
        };
        side.get(round)
    }
}

/// When a row is done after so many trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyExit {
    /// Its log-odds are at least so far from 0.
    pub from: f32,
    /// What the rest would multiply them by, on average.
    pub gain: f32,
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
    /// More features than this are not accepted.
    pub const MAX_FEATURES: usize = Table::WIDTH;
    /// More trees than this are not accepted.
    pub const MAX_TREES: usize = 10_000;

    /// Which features some split asks for; as long as the largest number of one needs.
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

    /// Gives each feature the number that `column` says: one that a [`Table`] has.
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
