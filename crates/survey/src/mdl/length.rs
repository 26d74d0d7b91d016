//! The description length of a clustering, in bits.
//!
//! The matrices are never built: their entropies depend on three numbers only.

use std::f64::consts::LN_2;
use std::ops::{Add, Sub};

use super::params::Cost;

/// The numbers that determine the entropies, of one cluster or summed over all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Counts {
    /// Paths in the template: ones in the template matrix, nT.
    pub template: i64,
    /// Paths of pages that are not in the template: entries +1 of the delta matrix, n⁺.
    pub beside: i64,
    /// Paths of the template that pages lack: entries −1 of the delta matrix, n⁻.
    pub lacking: i64,
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            template: self.template + other.template,
            beside: self.beside + other.beside,
            lacking: self.lacking + other.lacking,
        }
    }
}

impl Sub for Counts {
    type Output = Counts;

    fn sub(self, other: Counts) -> Counts {
        Counts {
            template: self.template - other.template,
            beside: self.beside - other.beside,
            lacking: self.lacking - other.lacking,
        }
    }
}

/// Computes lengths for given numbers of pages and paths.
#[derive(Clone, Debug)]
pub(super) struct Lengths {
    cost: Cost,
    /// Cells of the template matrix and of the delta matrix, |P|·|D|.
    cells: f64,
    /// The length of the membership matrix: it has a one for each page, however pages are grouped.
    membership: f64,
    /// For each k up to a limit: the contribution of k cells of one kind, and that of the cells
    /// that remain after k others. It saves the search from computing logarithms.
    table: Vec<(f64, f64)>,
}

impl Lengths {
    /// For `pages` pages with `paths` distinct paths in all.
    pub fn new(cost: Cost, pages: usize, paths: u64) -> Lengths {
        let (pages, paths) = (pages as f64, paths as f64);
        Lengths {
            cost,
            cells: pages * paths,
            membership: some(pages, pages * pages) + rest(pages, pages * pages),
            table: Vec::new(),
        }
    }

    /// Adds a table for all counts up to `most`.
    pub fn tabulated(mut self, most: usize) -> Lengths {
        /// A table of 16 MB.
        const MOST: usize = 1 << 20;
        let counts = 0..=most.min(MOST);
        self.table = counts
            .map(|k| (some(k as f64, self.cells), rest(k as f64, self.cells)))
            .collect();
        self
    }

    /// Half of the cells of a matrix. Up to here, every additional cell of any kind makes the
    /// description longer.
    pub fn half(&self) -> i64 {
        (self.cells / 2.0) as i64
    }

    /// Bits saved in the template matrix by removing `fewer` of its `ones` ones.
    pub fn saved_by(&self, ones: i64, fewer: i64) -> f64 {
        let of = |ones| self.some(ones) + self.rest(ones);
        of(ones) - of(ones - fewer)
    }

    /// The total length for the sums over all clusters.
    pub fn of(&self, counts: Counts) -> f64 {
        let templates = self.some(counts.template) + self.rest(counts.template);
        let deltas = match self.cost {
            Cost::Seed => 0.0,
            Cost::Delta => {
                let others = counts.beside + counts.lacking;
                self.some(counts.beside) + self.some(counts.lacking) + self.rest(others)
            }
        };
        templates + self.membership + deltas
    }

    fn some(&self, k: i64) -> f64 {
        match self.table.get(k as usize) {
            Some(known) => known.0,
            None => some(k as f64, self.cells),
        }
    }

    fn rest(&self, k: i64) -> f64 {
        match self.table.get(k as usize) {
            Some(known) => known.1,
            None => rest(k as f64, self.cells),
        }
    }
}

/// The contribution of k cells of the same value among `cells`: −k·log2(k/cells).
fn some(k: f64, cells: f64) -> f64 {
    match k > 0.0 {
        true => -k * libm::log2(k / cells),
        false => 0.0,
    }
}

/// The contribution of the cells that remain when k have other values.
fn rest(k: f64, cells: f64) -> f64 {
    match k < cells {
        // (cells − k)/cells is usually close to 1; `ln_1p` keeps the precision of the difference.
        true => -(cells - k) * libm::log1p(-k / cells) / LN_2,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cost: Cost, pages: usize, paths: u64, counts: (i64, i64, i64), expected: f64) {
        let counts = Counts {
            template: counts.0,
            beside: counts.1,
            lacking: counts.2,
        };
        let plain = Lengths::new(cost, pages, paths);
        assert!(
            (plain.of(counts) - expected).abs() < 6e-4,
            "{counts:?}: {} {expected}",
            plain.of(counts)
        );
        for most in [0, 3, 100] {
            let table = plain.clone().tabulated(most);
            assert_eq!(table.of(counts), plain.of(counts));
        }
    }

    /// The paper's two pages: 8 essential paths apart, 4 together, of 7.
    #[test]
    fn two_pages_of_the_paper() {
        for cost in [Cost::Seed, Cost::Delta] {
            check(cost, 2, 7, (8, 0, 0), 17.793);
            check(cost, 2, 7, (4, 0, 0), 16.084);
        }
    }

    /// {a b c d}, {a b c e}, {a b x y z} in every relevant grouping.
    #[test]
    fn three_pages() {
        for (counts, seed, delta) in [
            ((13, 0, 0), 32.1443, 32.1443),
            ((8, 2, 0), 30.3038, 40.2354),
            ((6, 5, 0), 27.7353, 45.4542),
            ((3, 5, 1), 21.3102, 44.6810),
        ] {
            check(Cost::Seed, 3, 8, counts, seed);
            check(Cost::Delta, 3, 8, counts, delta);
        }
    }

    #[test]
    fn no_pages_and_no_paths() {
        check(Cost::Delta, 0, 0, (0, 0, 0), 0.0);
        check(Cost::Delta, 1, 0, (0, 0, 0), 0.0);
        check(Cost::Delta, 1, 3, (3, 0, 0), 0.0);
    }
}
