//! Why a row has its score: what each group of features added.

use super::{EarlyExits, Forest, Table, Tree};

/// What made a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// What the trees that the row was asked by say of a row of which nothing is known: the mean over
    /// the rows that they were grown on.
    pub base: f32,
    /// How far each group of features moved the score away from it.
    pub groups: Vec<f32>,
}

/// A forest with the means of its branches, which are worked out once for all rows.
pub struct Attributor<'a> {
    forest: &'a Forest,
    means: Vec<Means>,
}

impl Forest {
    /// For telling how scores came about.
    pub fn attributor(&self) -> Attributor<'_> {
        Attributor {
            forest: self,
            means: self.trees.iter().map(Means::of).collect(),
        }
    }
}

impl Attributor<'_> {
    /// How the score of a row came about: base and groups sum to it.
    ///
    /// In each tree the answers are taken in turn (Saabas 2014): an answer leaves half of the leaves
    /// in reach, and what it changes in their mean, weighted by cover, is the share of its feature's
    /// group. `early_exits` are those that it was scored with, `groups` has the group of each feature, all below
    /// `n_groups`.
    ///
    /// # Panics
    ///
    /// If `groups` has fewer features than the trees ask for, or none, if the table has no such row,
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
                let mut before = means.of_leaves_like(0, 0);
                base += before;
                for level in 0..Tree::DEPTH {
                    let after = means.of_leaves_like(leaf, level + 1);
                    let split = tree.split(level, leaf);
                    shares[usize::from(groups[usize::from(split.feature)])] += after - before;
                    before = after;
                }
            }
            if let Some(settled) = self.forest.exit_score(score, round, early_exits) {
                // What the trees that were not asked would have said, they share in the same way.
                let gain = f64::from(settled / score);
                base *= gain;
                shares.iter_mut().for_each(|share| *share *= gain);
                break;
            }
        }
        Attribution {
            base: base as f32,
            groups: shares.into_iter().map(|share| share as f32).collect(),
        }
    }
}

/// The means of the leaves that give the same first answers: of all, of those that give either first
/// answer, and so on.
struct Means(Vec<f64>);

impl Means {
    fn of(tree: &Tree) -> Means {
        let levels = 0..=Tree::DEPTH;
        let branches =
            levels.flat_map(|answers| (0..1 << answers).map(move |leaf| (leaf, answers)));
        Means(
            branches
                .map(|(leaf, answers)| tree.mean(leaf, answers))
                .collect(),
        )
    }

    /// The mean of the leaves that give the first `answers` answers of `leaf`.
    fn of_leaves_like(&self, leaf: usize, answers: usize) -> f64 {
        let first = (1 << answers) - 1;
        self.0[first + (leaf & first)]
    }
}

impl Tree {
    /// The mean of the leaves that give the first `answers` answers of `leaf`, weighted by cover. If
    /// no row has ever been there, all count alike.
    fn mean(&self, leaf: usize, answers: usize) -> f64 {
        let step = 1 << answers;
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
