//! A paired bootstrap: is the difference between two methods significant?
//!
//! The sites of a set are resampled with replacement, and the difference of the two methods is
//! averaged over each sample. Sites are sampled rather than pages, because the pages of a site
//! succeed or fail together. Both methods use the same sites, because a hard site is hard for both.

use std::collections::HashMap;

use serde::Serialize;

use crate::{Columns, SetTotal};

/// Number of resamples.
pub const DRAWS: usize = 2_000;
/// The seed of the generator; the same numbers give the same interval every time.
const SEED: u64 = 0x5eed_0f5e_ed0f_5eed;

/// The difference between two methods.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Mean difference over sites.
    pub mean: f64,
    /// Lower bound …
    pub low: f64,
    /// … and upper bound of the 95 % interval.
    pub high: f64,
    /// Share of the resamples in which the first method is not better.
    pub not_better: f64,
    /// Number of sites on which both are scored.
    pub sites: usize,
}

impl Difference {
    /// `method` minus `other` in one column, over the sites where both have it; `None` if there are
    /// none.
    pub fn new(
        method: &SetTotal,
        other: &SetTotal,
        column: impl Fn(&Columns) -> Option<f64>,
    ) -> Option<Self> {
        let others: HashMap<&str, f64> = other
            .sites
            .iter()
            .filter_map(|site| Some((site.site.as_str(), column(&site.columns)?)))
            .collect();
        let of_sites: Vec<f64> = method
            .sites
            .iter()
            .filter_map(|site| Some(column(&site.columns)? - others.get(site.site.as_str())?))
            .collect();
        Difference::of(&of_sites)
    }

    /// From the differences of the sites; `None` if there are none.
    pub fn of(sites: &[f64]) -> Option<Self> {
        if sites.is_empty() {
            return None;
        }
        let count = sites.len() as f64;
        let mut random = Random(SEED);
        let mut draws: Vec<f64> = (0..DRAWS)
            .map(|_| {
                let drawn = (0..sites.len()).map(|_| sites[random.below(sites.len())]);
                drawn.sum::<f64>() / count
            })
            .collect();
        draws.sort_by(f64::total_cmp);
        let not_better = draws.partition_point(|draw| *draw <= 0.0);
        // As many samples lie below the interval as above it.
        let outside = DRAWS / 40;
        Some(Difference {
            mean: sites.iter().sum::<f64>() / count,
            low: draws[outside],
            high: draws[DRAWS - 1 - outside],
            not_better: not_better as f64 / DRAWS as f64,
            sites: sites.len(),
        })
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): gives the same numbers on every machine and in every
/// version, which the random number crates do not promise.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end` − 1.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteTotal;

    #[test]
    fn a_difference_that_all_sites_have_is_sure() {
        let sure = Difference::of(&[0.1; 12]).unwrap();
        assert!((sure.mean - 0.1).abs() < 1e-12 && (sure.low - 0.1).abs() < 1e-12);
        assert_eq!((sure.not_better, sure.sites), (0.0, 12));
        let none = Difference::of(&[0.0; 5]).unwrap();
        assert_eq!((none.mean, none.low, none.high), (0.0, 0.0, 0.0));
        assert_eq!(none.not_better, 1.0);
        assert_eq!(Difference::of(&[]), None);
    }

    /// For a large sample the interval is about 1.96 standard errors to both sides.
    #[test]
    fn the_interval_is_that_of_a_mean() {
        let sites: Vec<f64> = (0..100).map(|at| f64::from(at % 2)).collect();
        let found = Difference::of(&sites).unwrap();
        assert_eq!(found.mean, 0.5);
        for (end, expected) in [(found.low, 0.5 - 0.098), (found.high, 0.5 + 0.098)] {
            assert!((end - expected).abs() < 0.015, "{found:?}");
        }
        assert_eq!(Difference::of(&sites), Some(found));
        let worse: Vec<f64> = sites.iter().map(|site| -site).collect();
        assert_eq!(Difference::of(&worse).unwrap().not_better, 1.0);
    }

    #[test]
    fn sites_are_paired_by_name() {
        let total = |sites: &[(&str, Option<f64>)]| {
            let sites = sites.iter().map(|(name, f1)| {
                let columns = Columns {
                    f1: *f1,
                    ..Columns::default()
                };
                SiteTotal::new(*name, &[columns])
            });
            SetTotal::new("set", sites.collect())
        };
        let one = total(&[("a", Some(0.9)), ("b", Some(0.5)), ("c", None)]);
        let other = total(&[("b", Some(0.25)), ("c", Some(1.0)), ("d", Some(0.0))]);
        let found = Difference::new(&one, &other, |columns| columns.f1).unwrap();
        assert_eq!((found.mean, found.sites), (0.25, 1));
        assert_eq!(Difference::new(&one, &other, |columns| columns.surv), None);
    }

    /// The first numbers of the published generator for seed 0.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = Random(0);
        let first = [random.next(), random.next(), random.next()];
        let expected = [
            0xe220_a839_7b1d_cdaf,
            0x6e78_9e6a_a1b9_65f4,
            0x06c4_5d18_8009_454f,
        ];
        assert_eq!(first, expected);
    }
}
