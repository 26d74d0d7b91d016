//! Feature attribution: how much each group of features added to the score of a row.

use super::{EarlyExits, Forest, Table, Tree};

/// A score, split up by groups of features.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// The mean score of the training rows, over the trees that were evaluated.
    pub base: f32,
    /// How far each group of features moved the score away from that.
    pub groups: Vec<f32>,
}

/// A forest with the mean values of its subtrees, which are computed once for all rows.
pub struct Attributor<'a> {
    forest: &'a Forest,
    means: Vec<Means>,
}

impl Forest {
    /// Prepares the forest for attributing scores.
    pub fn attributor(&self) -> Attributor<'_> {
        Attributor {
            forest: self,
            means: self.trees.iter().map(Means::of).collect(),
        }
    }
}

impl Attributor<'_> {
    /// Attributes the score of a row: base and groups sum to it.
    ///
    /// This follows Saabas (2014): each comparison on the path halves the leaves that can be reached, and
    /// the change of their mean, weighted by cover, is attributed to the group of its feature.
    /// `early_exits` are those that the row was scored with; `groups` has the group of each feature, all
    /// below `n_groups`.
    ///
    /// # Panics
    ///
    /// If `groups` has fewer features than the trees use, or none, if the table has no such row,
    /// or if a group is not below `n_groups`.
    pub fn attribute(
        &self,
        table: &Table,
        row: usize,
        early_exits: &EarlyExits,
        groups: &[u16],
        n_groups: usize,
    ) -> Attribution {
        let row = table.cells(row);
        let mut base = f64::from(self.forest.bias);
        let mut shares = vec![0.0_f64; n_groups];
        let mut score = self.forest.bias;
        let mut means = self.means.iter();
        for (round, trees) in self.forest.rounds().enumerate() {
            for (tree, means) in trees.iter().zip(&mut means) {
                let leaf = tree.leaf(row);
                score += tree.leaves[leaf];
                let mut before = means.of_subtree(0, 0);
                base += before;
                for level in 0..Tree::DEPTH {
                    let after = means.of_subtree(leaf, level + 1);
                    let split = tree.split(level, leaf);
                    shares[usize::from(groups[usize::from(split.feature)])] += after - before;
                    before = after;
                }
            }
            if let Some(exit) = self.forest.exit_score(score, round, early_exits) {
                // The skipped trees are attributed in proportion.
                let scale = f64::from(exit / score);
                base *= scale;
                shares.iter_mut().for_each(|share| *share *= scale);
                break;
            }
        }
        Attribution {
            base: base as f32,
            groups: shares.into_iter().map(|share| share as f32).collect(),
        }
    }
}

/// The mean value of every subtree, level by level from the root.
struct Means(Vec<f64>);

impl Means {
    fn of(tree: &Tree) -> Means {
        let levels = 0..=Tree::DEPTH;
        let branches = levels.flat_map(|level| (0..1 << level).map(move |leaf| (leaf, level)));
        Means(
            branches
                .map(|(leaf, level)| tree.mean(leaf, level))
                .collect(),
        )
    }

    /// The mean of the subtree that holds `leaf`, `level` levels below the root.
    fn of_subtree(&self, leaf: usize, level: usize) -> f64 {
        let first = (1 << level) - 1;
        self.0[first + (leaf & first)]
    }
}

impl Tree {
    /// The mean of the subtree that holds `leaf`, `level` levels below the root, weighted by cover. If
    /// no training row was there, all leaves count alike.
    fn mean(&self, leaf: usize, level: usize) -> f64 {
        let step = 1 << level;
        let (mut cover, mut sum, mut plain, mut count) = (0.0, 0.0, 0.0, 0.0);
        for at in (leaf % step..self.leaves.len()).step_by(step) {
            let (value, weight) = (f64::from(self.leaves[at]), f64::from(self.covers[at]));
            cover += weight;
            sum += weight * value;
            plain += value;
            count += 1.0;
        }
        if cover > 0.0 {
            sum / cover
        } else {
            plain / count
        }
    }
}
