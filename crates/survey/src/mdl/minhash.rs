//! MinHash signatures: estimate the similarity of two sets from a few numbers of each.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use rayon::prelude::*;

/// The hash functions. Each puts all paths into a different order, and a signature holds the first
/// path of a set in each order. The probability that two sets have the same first path is the share
/// of paths they have in common.
#[derive(Clone, Debug)]
pub(super) struct MinHash {
    functions: Vec<(u32, u32)>,
}

impl MinHash {
    /// Creates the hash functions; they depend only on their number.
    pub fn new(hashes: usize) -> MinHash {
        let random = FixedState::with_seed(0x6d64_6c21);
        let numbers = (0..hashes as u64).map(|n| random.hash_one(n));
        // Multiplying by an odd number is a permutation of the 32-bit numbers.
        let functions = numbers.map(|n| (n as u32, (n >> 32) as u32 | 1));
        MinHash {
            functions: functions.collect(),
        }
    }

    /// The signature of a set of paths.
    pub fn signature(&self, paths: impl Iterator<Item = u64>) -> Box<[u32]> {
        let mut least = vec![u32::MAX; self.functions.len()];
        for path in paths {
            let path = scattered(path);
            for (least, (add, multiply)) in least.iter_mut().zip(&self.functions) {
                *least = (*least).min((path ^ add).wrapping_mul(*multiply));
            }
        }
        least.into()
    }

    /// The signatures of all pages; `paths` maps numbers to paths.
    pub fn signatures(&self, pages: &[Box<[u32]>], paths: &[u64]) -> Vec<Box<[u32]>> {
        let path = |number: &u32| paths[*number as usize];
        let pages = pages.par_iter();
        pages
            .map(|page| self.signature(page.iter().map(path)))
            .collect()
    }
}

/// 32 bits of a path, each of which depends on all of its bits.
fn scattered(path: u64) -> u32 {
    let mixed = (path ^ (path >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// The share of equal entries in two signatures. It estimates the Jaccard similarity of the two
/// sets.
pub(super) fn likeness(a: &[u32], b: &[u32]) -> f64 {
    let same = a.iter().zip(b).filter(|(a, b)| a == b).count();
    same as f64 / a.len().max(1) as f64
}

/// Pairs of signatures that agree in a whole band of `rows` numbers, each pair once, the lower
/// place first.
///
/// In a bucket with many members, each is paired only with the next few: they are all similar, and
/// once neighbours are merged, the clusters are neighbours. So there are at most `bands` ·
/// [`LINKS`] pairs for each signature.
pub(super) fn candidate_pairs(signatures: &[Box<[u32]>], rows: usize) -> Vec<(u32, u32)> {
    let hashes = signatures.first().map_or(0, |first| first.len());
    let random = FixedState::with_seed(0);
    let of_band = |band: usize| {
        let key = |signature: &[u32]| random.hash_one(&signature[band..band + rows]);
        let mut buckets: Vec<(u64, u32)> = (0u32..)
            .zip(signatures)
            // A page without essential paths is similar to no other.
            .filter(|(_, signature)| signature.iter().any(|least| *least != u32::MAX))
            .map(|(place, signature)| (key(signature), place))
            .collect();
        buckets.sort_unstable();
        let mut pairs = Vec::new();
        for bucket in buckets.chunk_by(|a, b| a.0 == b.0) {
            for (at, (_, one)) in bucket.iter().enumerate() {
                let next = bucket[at + 1..].iter().take(LINKS);
                pairs.extend(next.map(|(_, two)| (*one, *two)));
            }
        }
        pairs
    };
    let bands: Vec<usize> = (0..hashes).step_by(rows).collect();
    let mut pairs: Vec<(u32, u32)> = bands.into_par_iter().flat_map_iter(of_band).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

/// How many of the next members of its bucket a signature is paired with.
const LINKS: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn set(range: std::ops::Range<u64>) -> impl Iterator<Item = u64> {
        let random = FixedState::with_seed(7);
        range.map(move |n| random.hash_one(n))
    }

    /// The standard error for k = 1024 is at most 1/(2·32); three standard errors are .047.
    #[test]
    fn likeness_is_about_the_share_in_common() {
        let hash = MinHash::new(1024);
        let one = hash.signature(set(0..1000));
        for (other, expected) in [
            (0..1000, 1.0),
            (1000..2000, 0.0),
            (500..1500, 1.0 / 3.0),
            (100..1000, 0.9),
            (800..1000, 0.2),
        ] {
            let found = likeness(&one, &hash.signature(set(other.clone())));
            assert!((found - expected).abs() < 0.047, "{other:?} {found}");
        }
        let none = hash.signature(std::iter::empty());
        assert_eq!(likeness(&none, &one), 0.0);
    }

    /// With 32 bands of 4: 5 %, 56 %, 99 % and all of the pairs that share .2, .4, .6 and .8.
    #[test]
    fn pairs_are_candidates_as_often_as_the_curve_says() {
        let hash = MinHash::new(128);
        for (share, expected) in [(0.2, 0.050), (0.4, 0.564), (0.6, 0.988), (0.8, 1.0)] {
            let found: usize = (0..400u64)
                .map(|n| {
                    let common = (500.0 * share) as u64;
                    let own = (500 - common) / 2;
                    let start = n * 10_000;
                    let one = set(start..start + common + own);
                    let two =
                        set(start..start + common).chain(set(start + 5000..start + 5000 + own));
                    let pair = [hash.signature(one), hash.signature(two)];
                    candidate_pairs(&pair, 4).len()
                })
                .sum();
            let found = found as f64 / 400.0;
            assert!((found - expected).abs() < 0.08, "{share} {found}");
        }
    }

    #[test]
    fn candidates_are_few_however_alike_all_are() {
        let hash = MinHash::new(128);
        let pages = vec![hash.signature(set(0..100)); 1000];
        assert_eq!(candidate_pairs(&pages, 4).len(), 999 * 2 - 1);
        let empty = vec![hash.signature(std::iter::empty()); 10];
        assert_eq!(candidate_pairs(&empty, 4), []);
        assert_eq!(candidate_pairs(&[], 4), []);
    }
}
