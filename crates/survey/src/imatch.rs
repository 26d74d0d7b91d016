//! I-Match: two pages are duplicates if their significant terms are the same.
//!
//! Input: the distinct terms of each page, in two passes. The first pass counts them
//! ([`Frequencies`]). The counts decide which terms are in the lexicon ([`Lexicon`]). The second
//! pass computes for each page the SHA-1 of its terms in the lexicon ([`Signature`]). The most
//! frequent terms are left out, so pages that differ only in those count as equal. Pages are never
//! compared in pairs.
//!
//! Memory: a distinct term takes 16 bytes in a hash table that is between 7/16 and 7/8 full, so 20
//! to 39 bytes, until the lexicon is built. After that only the few terms outside the lexicon are
//! kept. A page takes the 20 bytes of its signature, wherever the caller stores it.

use std::fmt;
use std::hash::BuildHasher;

use foldhash::HashMap;
use foldhash::quality::FixedState;
use sha1::{Digest, Sha1};

use crate::terms::Terms;

/// The parameters of I-Match (Chowdhury et al., used by Ma et al., CIKM 2003, §3).
///
/// `nidf` is a term's inverse document frequency `ln(N/df)`, normalised over the collection so that
/// the most frequent term has 0 and the rarest 1. If all terms are equally frequent, all have 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IMatchParams {
    /// Terms with a lower `nidf`, the most frequent ones, are left out. From 0 to `hi`; default
    /// 0.1. Raising it treats pages as duplicates that share only their rarer terms.
    pub lo: f64,
    /// Terms with a higher `nidf`, the rarest ones, are left out. From `lo` to 1; default 1, which
    /// leaves out none. A value below 1 leaves out terms that occur on a single page, such as a
    /// counter.
    pub hi: f64,
    /// A page with fewer terms in the lexicon is compared by all its terms, because few terms say
    /// little. Default 5. Raising it makes more of the short pages differ.
    pub min_terms: usize,
}

impl Default for IMatchParams {
    fn default() -> Self {
        IMatchParams {
            lo: 0.1,
            hi: 1.0,
            min_terms: 5,
        }
    }
}

impl IMatchParams {
    /// Fails unless 0 ≤ lo ≤ hi ≤ 1.
    pub fn check(&self) -> Result<(), BadCutOffs> {
        let &IMatchParams { lo, hi, .. } = self;
        match 0.0 <= lo && lo <= hi && hi <= 1.0 {
            true => Ok(()),
            false => Err(BadCutOffs { lo, hi }),
        }
    }
}

/// Cut-offs that exclude every term.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "lo is {lo} and hi is {hi}, but they must be between 0 and 1, and lo no more than hi; usual \
     are lo 0.1 and hi 1"
)]
pub struct BadCutOffs {
    /// The lower one.
    pub lo: f64,
    /// The upper one.
    pub hi: f64,
}

/// The number of pages of a collection that contain each term.
///
/// Terms are identified by a 64-bit hash, which is local to the run. If two of a billion terms
/// share one (the probability is 3 %), they count as one more frequent term.
#[derive(Clone, Debug, Default)]
pub struct Frequencies(HashMap<u64, u32>);

impl Frequencies {
    /// Counts a page.
    pub fn add(&mut self, terms: &Terms) {
        for term in terms.iter() {
            let count = self.0.entry(key(term)).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// The number of distinct terms.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if no page had any term.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Builds the lexicon of significant terms.
    pub fn lexicon(mut self, params: &IMatchParams) -> Lexicon {
        let most = self.0.values().copied().max().unwrap_or(1);
        let least = self.0.values().copied().min().unwrap_or(1);
        self.0.retain(|_, count| {
            let nidf = nidf(*count, least, most);
            !(params.lo <= nidf && nidf <= params.hi)
        });
        self.0.shrink_to_fit();
        Lexicon {
            left_out: self.0,
            min_terms: params.min_terms,
        }
    }
}

/// The number of pages in the collection cancels: `ln(N/df) − ln(N/most) = ln(most) − ln(df)`.
fn nidf(count: u32, least: u32, most: u32) -> f64 {
    let rarity = |count: u32| libm::log(f64::from(most)) - libm::log(f64::from(count));
    match least == most {
        true => 1.0,
        false => rarity(count) / rarity(least),
    }
}

fn key(term: &str) -> u64 {
    FixedState::with_seed(0).hash_one(term)
}

/// The significant terms of a collection, stored as the set of the other terms.
#[derive(Clone, Debug)]
pub struct Lexicon {
    left_out: HashMap<u64, u32>,
    min_terms: usize,
}

impl Lexicon {
    /// The signature of a page. `None` if it has no terms, because empty pages are not duplicates
    /// of each other.
    pub fn signature(&self, terms: &Terms) -> Option<Signature> {
        if terms.is_empty() {
            return None;
        }
        let matters = |term: &&str| !self.left_out.contains_key(&key(term));
        let mut hasher = Sha1::new();
        let mut kept = 0;
        for term in terms.iter().filter(matters) {
            if kept > 0 {
                hasher.update(b" ");
            }
            hasher.update(term);
            kept += 1;
        }
        let digest = match kept < self.min_terms || kept == 0 {
            true => Sha1::digest(terms.as_str()),
            false => hasher.finalize(),
        };
        Some(Signature(digest.into()))
    }
}

/// The SHA-1 of the significant terms of a page, in ascending order, joined by spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(pub [u8; 20]);

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon(pages: &[&str], params: &IMatchParams) -> Lexicon {
        let mut frequencies = Frequencies::default();
        for page in pages {
            frequencies.add(&Terms::of_texts([*page]));
        }
        frequencies.lexicon(params)
    }

    fn params(lo: f64, hi: f64, min_terms: usize) -> IMatchParams {
        IMatchParams { lo, hi, min_terms }
    }

    /// The test vector of the specification.
    #[test]
    fn a_signature_is_the_sha1_of_the_sorted_terms() {
        let text = "the cat sat on the mat the cat";
        let signature = lexicon(&[text], &params(0.0, 1.0, 0)).signature(&Terms::of_texts([text]));
        let expected = "6a3551fb1496a5051bed5e4d5fe2f1568660af8e";
        assert_eq!(signature.unwrap().to_string(), expected);
        // In a single page all terms have the same frequency, so any range that includes 1 keeps
        // all.
        let signature = lexicon(&[text], &params(0.9, 1.0, 5)).signature(&Terms::of_texts([text]));
        assert_eq!(signature.unwrap().to_string(), expected);
    }

    #[test]
    fn nidf_goes_from_the_most_frequent_to_the_rarest() {
        for (count, least, most, expected) in [
            (8, 1, 8, 0.0),
            (1, 1, 8, 1.0),
            (4, 1, 8, 1.0 / 3.0),
            (2, 1, 8, 2.0 / 3.0),
            (3, 3, 3, 1.0),
            (6, 2, 6, 0.0),
            (2, 2, 6, 1.0),
        ] {
            let found = nidf(count, least, most);
            assert!(
                (found - expected).abs() < 1e-12,
                "{count} {least} {most}: {found}"
            );
        }
    }

    #[test]
    fn which_terms_matter() {
        // Frequencies: a 4, b 2, and c to f 1.
        let pages = ["a b c d e f", "a b", "a", "a"];
        for (lo, hi, min_terms, page, expected) in [
            (0.1, 1.0, 5, "a b c d e f", "b c d e f"),
            (0.5, 1.0, 5, "a b c d e f", "b c d e f"),
            (0.51, 1.0, 4, "a b c d e f", "c d e f"),
            (0.51, 1.0, 5, "a b c d e f", "a b c d e f"),
            (0.1, 0.9, 1, "a b c d e f", "b"),
            (0.0, 0.0, 1, "a b c d e f", "a"),
            (0.1, 1.0, 1, "a", "a"),
            (0.1, 1.0, 0, "a", "a"),
            (0.1, 1.0, 1, "a unheard", "unheard"),
        ] {
            let lexicon = lexicon(&pages, &params(lo, hi, min_terms));
            let found = lexicon.signature(&Terms::of_texts([page])).unwrap();
            let expected = Signature(Sha1::digest(expected).into());
            assert_eq!(found, expected, "{lo} {hi} {min_terms} {page}");
        }
    }

    #[test]
    fn a_page_without_terms_has_no_signature() {
        let lexicon = lexicon(&["", ""], &IMatchParams::default());
        assert_eq!(lexicon.signature(&Terms::default()), None);
    }

    #[test]
    fn cut_offs_are_checked() {
        for (lo, hi, fine) in [
            (0.0, 1.0, true),
            (0.5, 0.5, true),
            (0.6, 0.5, false),
            (-0.1, 1.0, false),
            (0.0, 1.1, false),
            (f64::NAN, 1.0, false),
            (0.0, f64::NAN, false),
        ] {
            assert_eq!(params(lo, hi, 5).check().is_ok(), fine, "{lo} {hi}");
        }
    }
}
