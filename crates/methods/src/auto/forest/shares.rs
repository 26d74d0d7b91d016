//! Why a row has its score: what each group of features added.

use super::{Forest, Table, Tree};

impl Forest {
    /// The score of a row of which nothing is known: the mean over the rows that the trees were
    /// grown on.
    pub fn base(&self) -> f32 {
        let means = self.trees.iter().map(|tree| tree.mean(0, 0));
        (f64::from(self.bias) + means.sum::<f64>()) as f32
    }

    /// How far each group of features moved the log-odds of a row away from [`Forest::base`]; with
    /// it they sum to what all trees say of the row, be it done [`Early`](super::Early) or not.
    ///
    /// In each tree the answers are taken in turn (Saabas 2014): an answer leaves half of the leaves
    /// in reach, and what it changes in their mean, weighted by cover, is the share of its feature's
    /// group. `groups` has the group of each feature, all below `n_groups`.
    ///
    /// # Panics
    ///
    /// If the table or `groups` has fewer features than the trees ask for, if the table has no such
    /// row, or if a group is not below `n_groups`.
    pub fn contributions(
        &self,
        table: &Table,
        row: usize,
        groups: &[u16],
        n_groups: usize,
    ) -> Vec<f32> {
        let mut shares = vec![0.0_f64; n_groups];
        for tree in &self.trees {
            let leaf = tree.leaf(table.row(row));
            let mut before = tree.mean(0, 0);
            for level in 0..tree.depth() {
                let after = tree.mean(leaf, level + 1);
                let split = tree.level(level)[leaf % (1 << level)];
                shares[usize::from(groups[usize::from(split.feature)])] += after - before;
                before = after;
            }
        }
        shares.into_iter().map(|share| share as f32).collect()
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
