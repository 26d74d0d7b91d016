//! The equal top-down mapping of two trees (§3.3): maps nodes of the key page to their counterparts
//! on another page.
//!
//! Roots are mapped first. Then, for each pair of mapped nodes, their children: the most similar
//! pair is mapped, and the siblings before it and after it are mapped separately. This is
//! equivalent to considering all pairs in order of similarity and mapping each that does not cross
//! an earlier one, which is how it is implemented here, without recursion.

use std::collections::BTreeMap;

use super::equality::{Equality, Place};
use super::params::LinksParams;
use super::tree::PageTree;

/// The counterpart of each node of the key page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    to: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Sibling groups with more pairs than this are compared near the diagonal only …
const MOST_PAIRS: usize = 40_000;
/// … where positions differ by at most this, counted from either end …
const BAND: usize = 100;
/// … or by less, so that all pairs of two pages do not exceed this by much.
const PAIR_BUDGET: usize = 4_000_000;

impl Mapping {
    /// Maps a key page to another.
    pub fn of(params: &LinksParams, key: &PageTree, other: &PageTree) -> Mapping {
        let mut to = vec![NONE; key.len()];
        if key.is_empty() || other.is_empty() {
            return Mapping { to };
        }
        let equality = Equality::new(params, key, other);
        let alone = Place { position: 1, of: 1 };
        let roots = equality.of(0, alone, 0, alone);
        if roots.is_none_or(|like| like <= params.threshold) {
            return Mapping { to };
        }
        to[0] = 0;
        let mut open = vec![(0, 0)];
        let mut siblings = Siblings {
            equality: &equality,
            threshold: params.threshold,
            budget: PAIR_BUDGET,
            ours: Vec::new(),
            theirs: Vec::new(),
            pairs: Vec::new(),
        };
        while let Some((ours, theirs)) = open.pop() {
            siblings.ours.clear();
            siblings.ours.extend(key.children(ours));
            siblings.theirs.clear();
            siblings.theirs.extend(other.children(theirs));
            siblings.map(|one, two| {
                to[one as usize] = two;
                open.push((one, two));
            });
        }
        Mapping { to }
    }

    /// The counterpart of a node.
    pub fn counterpart(&self, node: usize) -> Option<u32> {
        Some(self.to[node]).filter(|to| *to != NONE)
    }

    /// The number of nodes with a counterpart.
    pub fn mapped(&self) -> usize {
        self.to.iter().filter(|to| **to != NONE).count()
    }
}

struct Siblings<'a> {
    equality: &'a Equality<'a>,
    threshold: f64,
    budget: usize,
    ours: Vec<u32>,
    theirs: Vec<u32>,
    /// Similarity, inverted so that the highest sorts first; difference of positions; our position;
    /// theirs.
    pairs: Vec<(u64, u32, u32, u32)>,
}

impl Siblings<'_> {
    fn map(&mut self, mut take: impl FnMut(u32, u32)) {
        let (ours, theirs) = (self.ours.len(), self.theirs.len());
        if ours == 0 || theirs == 0 {
            return;
        }
        self.pairs.clear();
        if ours * theirs <= MOST_PAIRS.min(self.budget) {
            self.budget -= ours * theirs;
            for one in 0..ours {
                for two in 0..theirs {
                    self.compare(one, two);
                }
            }
        } else {
            self.compare_near_the_diagonal();
        }
        self.pairs.sort_unstable();
        let mut taken = Taken::default();
        for (_, _, one, two) in &self.pairs {
            if taken.take(*one, *two) {
                take(self.ours[*one as usize], self.theirs[*two as usize]);
                if taken.len() == ours.min(theirs) {
                    break;
                }
            }
        }
    }

    fn compare_near_the_diagonal(&mut self) {
        let (ours, theirs) = (self.ours.len(), self.theirs.len());
        let width = self.budget / 2 / (ours + theirs);
        let band = (width / 4).clamp(2, BAND);
        // Counted from the end, the diagonal is shifted by the difference of the lengths.
        let shift = theirs as i64 - ours as i64;
        for one in 0..ours {
            let around = |middle: i64| {
                let from = (middle - band as i64).clamp(0, theirs as i64);
                let to = (middle + band as i64 + 1).clamp(0, theirs as i64);
                from as usize..to as usize
            };
            let (left, right) = (around(one as i64), around(one as i64 + shift));
            let (first, second) = match left.start <= right.start {
                true => (left, right),
                false => (right, left),
            };
            let second = second.start.max(first.end)..second.end.max(first.end);
            self.budget = self.budget.saturating_sub(first.len() + second.len());
            for two in first.chain(second) {
                self.compare(one, two);
            }
        }
    }

    fn compare(&mut self, one: usize, two: usize) {
        let place = |position: usize, of: usize| Place {
            position: position as u32 + 1,
            of: of as u32,
        };
        let like = self.equality.of(
            self.ours[one],
            place(one, self.ours.len()),
            self.theirs[two],
            place(two, self.theirs.len()),
        );
        if let Some(like) = like.filter(|like| *like > self.threshold) {
            // The bits of positive floats sort like the floats.
            self.pairs.push((
                !like.to_bits(),
                one.abs_diff(two) as u32,
                one as u32,
                two as u32,
            ));
        }
    }
}

/// Pairs of positions that do not cross.
#[derive(Default)]
struct Taken(BTreeMap<u32, u32>);

impl Taken {
    /// Adds a pair unless it crosses an earlier one.
    fn take(&mut self, one: u32, two: u32) -> bool {
        let before = self.0.range(..=one).next_back();
        if before.is_some_and(|(ours, theirs)| *ours == one || *theirs >= two) {
            return false;
        }
        let after = self.0.range(one..).next();
        if after.is_some_and(|(_, theirs)| *theirs <= two) {
            return false;
        }
        self.0.insert(one, two);
        true
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::LinksPreset;
    use super::super::tree::RootedTree;
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;
    use unframe_dom::{Limits, parse};

    fn tree(html: &str, params: &LinksParams) -> PageTree {
        RootedTree::of(&parse(html, &Limits::default()), params, None).tree
    }

    /// Definition 3.3.1 as printed: the best pair, then what is before and after it, then down.
    fn slowly(params: &LinksParams, key: &PageTree, other: &PageTree) -> Vec<u32> {
        let equality = Equality::new(params, key, other);
        let alone = Place { position: 1, of: 1 };
        let mut to = vec![NONE; key.len()];
        if equality.of(0, alone, 0, alone).unwrap_or(0.0) > params.threshold {
            to[0] = 0;
            below(params, &equality, key, 0, other, 0, &mut to);
        }
        to
    }

    fn below(
        params: &LinksParams,
        equality: &Equality<'_>,
        key: &PageTree,
        ours: u32,
        other: &PageTree,
        theirs: u32,
        to: &mut [u32],
    ) {
        let one: Vec<u32> = key.children(ours).collect();
        let two: Vec<u32> = other.children(theirs).collect();
        let mut found = Vec::new();
        best_first(
            params,
            equality,
            &one,
            0..one.len(),
            &two,
            0..two.len(),
            &mut found,
        );
        for (a, b) in found {
            to[one[a] as usize] = two[b];
            below(params, equality, key, one[a], other, two[b], to);
        }
    }

    /// Similarity; difference of positions, our position, theirs: smaller is better.
    type Pair = (f64, Reverse<usize>, Reverse<usize>, Reverse<usize>);

    fn best_first(
        params: &LinksParams,
        equality: &Equality<'_>,
        one: &[u32],
        ours: std::ops::Range<usize>,
        two: &[u32],
        theirs: std::ops::Range<usize>,
        found: &mut Vec<(usize, usize)>,
    ) {
        let place = |at: usize, all: &[u32]| Place {
            position: at as u32 + 1,
            of: all.len() as u32,
        };
        let mut best: Option<Pair> = None;
        for a in ours.clone() {
            for b in theirs.clone() {
                let like = equality.of(one[a], place(a, one), two[b], place(b, two));
                let like = like.unwrap_or(0.0);
                let pair = (like, Reverse(a.abs_diff(b)), Reverse(a), Reverse(b));
                if like > params.threshold && best.is_none_or(|best| pair > best) {
                    best = Some(pair);
                }
            }
        }
        let Some((_, _, Reverse(a), Reverse(b))) = best else {
            return;
        };
        found.push((a, b));
        best_first(
            params,
            equality,
            one,
            ours.start..a,
            two,
            theirs.start..b,
            found,
        );
        best_first(
            params,
            equality,
            one,
            a + 1..ours.end,
            two,
            b + 1..theirs.end,
            found,
        );
    }

    const MARKUP: &str = "(<(div|p|ul|li|b)( class=(a|b|'a b'))?( id=(x|y))?( title=t)?>|</(div|p|ul|li|b)>|one|two){0,30}";

    proptest! {
        #[test]
        fn as_defined(one in MARKUP, other in MARKUP, preset in 0..3usize) {
            let params = LinksPreset::ALL[preset].params();
            let (one, other) = (tree(&one, &params), tree(&other, &params));
            let found = Mapping::of(&params, &one, &other);
            prop_assert_eq!(&found.to, &slowly(&params, &one, &other));
            // Top-down: the parent of a mapped node is mapped, and the order is preserved.
            for at in 1..one.len() {
                if let Some(to) = found.counterpart(at) {
                    let parent = one.nodes[at].parent as usize;
                    prop_assert_eq!(found.counterpart(parent), Some(other.nodes[to as usize].parent));
                }
            }
            let mapped: Vec<u32> = found.to.iter().copied().filter(|to| *to != NONE).collect();
            prop_assert!(mapped.is_sorted());
        }

        #[test]
        fn a_page_is_its_own_counterpart(html in MARKUP) {
            let params = LinksPreset::Modern.params();
            let page = tree(&html, &params);
            let found = Mapping::of(&params, &page, &page);
            prop_assert_eq!(found.mapped(), page.len());
        }
    }

    #[test]
    fn twenty_thousand_siblings() {
        let params = LinksPreset::Alarte2014.params();
        let page = |skip: usize| {
            let items = (0..20_000).filter(|n| n % 1000 != skip);
            let html: String = items.map(|n| format!("<li title=t{}>x", n % 7)).collect();
            tree(&format!("<ul>{html}"), &params)
        };
        let (one, other) = (page(1), page(2));
        let found = Mapping::of(&params, &one, &other);
        assert!(found.mapped() > 39_000, "{}", found.mapped());
    }

    #[test]
    fn deep_trees_need_no_stack() {
        let params = LinksPreset::Modern.params();
        let page = tree(&"<div>".repeat(5_000), &params);
        assert_eq!(Mapping::of(&params, &page, &page).mapped(), page.len());
    }

    #[test]
    fn ids_that_repeat() {
        let params = LinksPreset::Alarte2014.params();
        let html = "<p id=a>1</p>".repeat(50);
        let one = tree(&html, &params);
        let other = tree(&html[13..], &params);
        // One fewer here: the last has no counterpart, because the closest positions come first.
        let found = Mapping::of(&params, &one, &other);
        assert_eq!(found.mapped(), other.len());
    }
}
