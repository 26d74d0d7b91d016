//! A cluster indexed by path, to be compared with many others.
//!
//! Comparing two sorted lists costs an unpredictable branch per step. If one of them is indexed by
//! path number, the other can be scanned without any.

use foldhash::HashMap;

/// Supports by path, and those of the template by size. The allocation is reused, and cleared path
/// by path.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    /// For each path: twice its support, plus one if it is in the template.
    supports: Vec<u32>,
    /// Paths that have a support.
    laid: Vec<u32>,
    /// Supports of the template, ascending.
    ladder: Vec<u32>,
    /// Suffix sums of `ladder`: the sum without the first n.
    sums: Vec<i64>,
}

impl Spread {
    /// Indexes a cluster in place of the previous one.
    pub fn lay_out(&mut self, template: &[(u32, u32)], rest: &HashMap<u32, u32>) {
        for path in self.laid.drain(..) {
            self.supports[path as usize] = 0;
        }
        for (path, support) in template {
            self.put(*path, 2 * support + 1);
        }
        for (path, support) in rest {
            self.put(*path, 2 * support);
        }
        self.ladder.clear();
        self.ladder
            .extend(template.iter().map(|(_, support)| *support));
        self.ladder.sort_unstable();
        self.sums.clear();
        let mut left: i64 = self.ladder.iter().map(|support| i64::from(*support)).sum();
        self.sums.push(left);
        for support in &self.ladder {
            left -= i64::from(*support);
            self.sums.push(left);
        }
    }

    fn put(&mut self, path: u32, entry: u32) {
        let at = path as usize;
        if self.supports.len() <= at {
            self.supports.resize(at + 1, 0);
        }
        self.supports[at] = entry;
        self.laid.push(path);
    }

    /// The number of template paths of the union with a cluster whose paths are all in its own
    /// template, if at least `least` pages must have a path; and the sum of their supports.
    pub fn template_with(&self, least: u32, other: &[(u32, u32)]) -> (i64, i64) {
        // First as if the other had none of this template's paths …
        let fewer = self.ladder.partition_point(|support| *support < least);
        let mut paths = (self.ladder.len() - fewer) as i64;
        let mut inside = self.sums[fewer];
        for (path, support) in other {
            let entry = self.supports.get(*path as usize).copied().unwrap_or(0);
            let own = entry / 2;
            // … and then a correction for those it has.
            let counted = i64::from((entry % 2 == 1) & (own >= least));
            let sum = own + support;
            let enough = i64::from(sum >= least);
            paths += enough - counted;
            inside += enough * i64::from(sum) - counted * i64::from(own);
        }
        (paths, inside)
    }
}
