//! Chooses which page of a set of duplicates is kept.

use foldhash::HashMap;

use crate::imatch::{Frequencies, IMatchParams, Signature};
use crate::terms::Terms;

/// The pages seen so far, by signature.
#[derive(Clone, Debug, Default)]
pub struct Duplicates {
    first: HashMap<(u32, Signature), u32>,
}

impl Duplicates {
    /// Adds a page. Returns the number of the page to keep in its place: the first that had this
    /// signature in this scope, which may be the page itself. Scopes (one per site, or one for all)
    /// are independent of each other. A page without a signature is always kept.
    pub fn meet(&mut self, scope: u32, signature: Option<Signature>, number: u32) -> u32 {
        match signature {
            Some(signature) => *self.first.entry((scope, signature)).or_insert(number),
            None => number,
        }
    }
}

/// Runs both passes over a collection that is in memory. Returns for each page the number of the
/// one that is kept in its place.
///
/// ```
/// use unframe_survey::{IMatchParams, Terms, kept_pages};
///
/// let pages = ["Gale warning: stay in port", "tide tables", "GALE WARNING: stay in port"];
/// let pages = pages.map(|text| Terms::of_texts([text]));
/// assert_eq!(kept_pages(&pages, &IMatchParams::default()), [0, 1, 0]);
/// ```
pub fn kept_pages(pages: &[Terms], params: &IMatchParams) -> Vec<u32> {
    let mut frequencies = Frequencies::default();
    pages.iter().for_each(|terms| frequencies.add(terms));
    let lexicon = frequencies.lexicon(params);
    let mut duplicates = Duplicates::default();
    (0..)
        .zip(pages)
        .map(|(number, terms)| duplicates.meet(0, lexicon.signature(terms), number))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The textbook version: compares every page with every earlier page, by the terms themselves.
    fn naive(pages: &[Vec<&str>], params: &IMatchParams) -> Vec<u32> {
        let pages: Vec<BTreeSet<&str>> = pages
            .iter()
            .map(|page| page.iter().copied().collect())
            .collect();
        let df = |term: &str| pages.iter().filter(|page| page.contains(term)).count();
        let idf = |term: &str| libm::log(pages.len() as f64 / df(term) as f64);
        let all = || pages.iter().flatten().map(|term| idf(term));
        let (min, max) = (
            all().fold(f64::MAX, f64::min),
            all().fold(f64::MIN, f64::max),
        );
        let nidf = |term: &str| match min == max {
            true => 1.0,
            false => (idf(term) - min) / (max - min),
        };
        let used: Vec<BTreeSet<&str>> = pages
            .iter()
            .map(|page| {
                let matters = |term: &&str| {
                    let nidf = nidf(term);
                    params.lo <= nidf && nidf <= params.hi
                };
                let kept: BTreeSet<&str> = page.iter().copied().filter(matters).collect();
                match kept.len() < params.min_terms {
                    true => page.clone(),
                    false => kept,
                }
            })
            .collect();
        (0..pages.len())
            .map(|at| {
                let same = |other: &usize| !used[at].is_empty() && used[*other] == used[at];
                (0..at).find(same).unwrap_or(at) as u32
            })
            .collect()
    }

    proptest! {
        #[test]
        fn duplicates_are_those_of_the_textbook(
            pages in prop::collection::vec(prop::collection::vec("[a-h]", 0..9), 0..12),
            lo in 0.0..0.6f64,
            hi in 0.6..1.0f64,
            all in any::<bool>(),
            min_terms in 1..6usize,
        ) {
            let params = IMatchParams { lo, hi: if all { 1.0 } else { hi }, min_terms };
            let pages: Vec<Vec<&str>> = pages
                .iter()
                .map(|page| page.iter().map(String::as_str).collect())
                .collect();
            let terms: Vec<Terms> = pages
                .iter()
                .map(|page| Terms::of_texts(page.iter().copied()))
                .collect();
            prop_assert_eq!(kept_pages(&terms, &params), naive(&pages, &params));
        }
    }

    #[test]
    fn scopes_are_apart() {
        let same = Some(Signature([7; 20]));
        let mut duplicates = Duplicates::default();
        assert_eq!(duplicates.meet(0, same, 0), 0);
        assert_eq!(duplicates.meet(1, same, 1), 1);
        assert_eq!(duplicates.meet(0, same, 2), 0);
        assert_eq!(duplicates.meet(1, same, 3), 1);
        assert_eq!(duplicates.meet(0, None, 4), 4);
        assert_eq!(duplicates.meet(0, None, 5), 5);
    }
}
