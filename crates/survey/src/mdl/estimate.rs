//! Estimates lengths from signatures alone: Kim and Shim's extended MinHash.
//!
//! Each entry of a signature is the first path of the pages' union in some random order, that is, a
//! path drawn at random from the union. The number of pages that have that path is stored with it.
//! These counts are a sample of the supports of all paths, from which the three counts are
//! estimated. Evaluating a pair costs one pass over two signatures, however many paths the pages
//! have.

use super::group::{Mergeable, majority};
use super::length::Counts;

/// A cluster represented by its signature.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pages: u32,
    /// The sum of the numbers of essential paths of its pages.
    total: u64,
    /// For each hash function, the least hash, and how many pages have its path.
    least: Box<[(u32, u32)]>,
    counts: Counts,
}

impl Sample {
    /// A cluster of one page.
    pub fn of_page(signature: &[u32], paths: usize) -> Sample {
        let has = u32::from(paths > 0);
        Sample {
            pages: 1,
            total: paths as u64,
            least: signature.iter().map(|least| (*least, has)).collect(),
            counts: Counts {
                template: paths as i64,
                ..Counts::default()
            },
        }
    }

    /// The estimated number of distinct paths of its pages.
    pub fn union(&self) -> f64 {
        let supports = self.least.iter().map(|(_, support)| *support);
        estimated(self.pages, self.total, supports).union
    }

    fn with<'a>(&'a self, other: &'a Sample) -> impl Iterator<Item = (u32, u32)> + 'a {
        let places = self.least.iter().zip(&other.least);
        places.map(|(a, b)| match a.0.cmp(&b.0) {
            std::cmp::Ordering::Less => *a,
            std::cmp::Ordering::Greater => *b,
            std::cmp::Ordering::Equal => (a.0, a.1 + b.1),
        })
    }
}

impl Mergeable for Sample {
    fn counts(&self) -> Counts {
        self.counts
    }

    fn counts_with(&self, other: &Sample) -> Counts {
        let supports = self.with(other).map(|(_, support)| support);
        estimated(self.pages + other.pages, self.total + other.total, supports).rounded()
    }

    fn merged(self, other: Sample) -> Sample {
        Sample {
            pages: self.pages + other.pages,
            total: self.total + other.total,
            least: self.with(&other).collect(),
            counts: self.counts_with(&other),
        }
    }
}

/// The estimated counts, and the estimated number of distinct paths.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    template: f64,
    beside: f64,
    lacking: f64,
    union: f64,
}

impl Estimate {
    fn rounded(self) -> Counts {
        Counts {
            template: self.template.round() as i64,
            beside: self.beside.round() as i64,
            lacking: self.lacking.round() as i64,
        }
    }
}

/// Estimates from a sample of supports in a cluster of `pages` pages with `total` paths in all.
fn estimated(pages: u32, total: u64, supports: impl Iterator<Item = u32>) -> Estimate {
    let least = majority(pages);
    let (mut sum, mut template, mut inside, mut drawn) = (0u64, 0u64, 0u64, 0u64);
    for support in supports {
        let enough = u64::from(support >= least);
        sum += u64::from(support);
        template += enough;
        inside += enough * u64::from(support);
        drawn += 1;
    }
    // The mean support gives the number of distinct paths that make up the total. The sample of an
    // empty signature is all zeros.
    let each = match sum {
        0 => 0.0,
        sum => total as f64 / sum as f64,
    };
    Estimate {
        template: each * template as f64,
        beside: each * (sum - inside) as f64,
        lacking: each * (template * u64::from(pages) - inside) as f64,
        union: each * drawn as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mdl::group::Group;
    use crate::mdl::minhash::MinHash;
    use foldhash::quality::FixedState;
    use std::hash::BuildHasher;

    fn path(number: u32) -> u64 {
        FixedState::with_seed(1).hash_one(number)
    }

    fn sample(hash: &MinHash, pages: &[Vec<u32>]) -> Sample {
        let samples = pages.iter().map(|page| {
            let signature = hash.signature(page.iter().map(|number| path(*number)));
            Sample::of_page(&signature, page.len())
        });
        samples.reduce(Sample::merged).unwrap()
    }

    fn estimate(sample: &Sample) -> Estimate {
        let supports = sample.least.iter().map(|(_, support)| *support);
        estimated(sample.pages, sample.total, supports)
    }

    /// The specification's example, six pages {0..59} with 5 paths of their own and one of {10..59}
    /// with 20: 60, 50 and 10 by the definition, 110 paths. With 256 hashes the standard error of a
    /// share of ½ is .031, so 3.4 of 110 paths. Three standard errors are allowed, plus the effect
    /// of a wrong |U|.
    #[test]
    fn the_example_of_the_specification() {
        let mut pages: Vec<Vec<u32>> = (0..6)
            .map(|n| (0..60).chain(100 + 5 * n..105 + 5 * n).collect())
            .collect();
        pages.push((10..60).chain(200..220).collect());
        let exact = Group::of_pages(pages.iter().map(|page| &page[..])).counts();
        assert_eq!((exact.template, exact.beside, exact.lacking), (60, 50, 10));
        let found = estimate(&sample(&MinHash::new(256), &pages));
        for (found, exact) in [
            (found.template, 60.0),
            (found.beside, 50.0),
            (found.lacking, 10.0),
            (found.union, 110.0),
        ] {
            assert!((found - exact).abs() < 12.0, "{found} {exact}");
        }
    }

    /// More hashes give better estimates: the error over many sets of pages falls with the square
    /// root.
    #[test]
    fn errors_fall_with_the_number_of_hashes() {
        let error = |hashes: usize| -> f64 {
            let hash = MinHash::new(hashes);
            let errors = (0..60u32).map(|n| {
                let start = n * 1000;
                let pages: Vec<Vec<u32>> = (0..4)
                    .map(|page| {
                        let own = start + 200 + 40 * page;
                        (start..start + 80).chain(own..own + 40).collect()
                    })
                    .collect();
                let exact = Group::of_pages(pages.iter().map(|page| &page[..])).counts();
                let found = sample(&hash, &pages).counts();
                (found.template - exact.template).abs() as f64 / exact.template as f64
            });
            errors.sum::<f64>() / 60.0
        };
        // A third of 240 paths are in the template: √(⅓·⅔/k)/⅓, and slightly more with the error of
        // the union.
        let (few, many) = (error(64), error(1024));
        assert!(
            few < 0.25 && many < 0.06 && many < few / 2.0,
            "{few} {many}"
        );
    }

    #[test]
    fn a_page_alone_and_pages_without_paths_are_exact() {
        let hash = MinHash::new(16);
        let page: Vec<u32> = (0..37).collect();
        assert_eq!(
            sample(&hash, std::slice::from_ref(&page)).counts().template,
            37
        );
        let same = sample(&hash, &[page.clone(), page.clone()]).counts();
        assert_eq!((same.template, same.beside, same.lacking), (37, 0, 0));
        let empty = sample(&hash, &[vec![], vec![]]).counts();
        assert_eq!(empty, Counts::default());
        let half = sample(&hash, &[page, vec![]]).counts();
        assert_eq!((half.template, half.beside, half.lacking), (0, 37, 0));
    }
}
