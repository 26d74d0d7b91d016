//! A page as the set of its tag paths: its structure, independent of its text.

use foldhash::HashMap;
use unframe_dom::{Dom, NodeId};
use unframe_page::Paths;

use crate::ascending::in_both;

/// The distinct tag paths of a page's elements, as 32 bits of each fingerprint, ascending.
///
/// For a page with more than [`PathSet::MOST`] paths the smallest fingerprints are kept. They are a
/// random sample that is the same for every page that has the path, so pages with a similar
/// structure have similar samples. 32 bits are enough to compare two sets: two of a thousand paths
/// collide in one of ten thousand pages, and then count as one path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathSet(Box<[u32]>);

impl PathSet {
    /// Maximum number of paths kept per page; they take 2 kB.
    pub const MOST: usize = 512;

    /// Computes the path set of a page.
    pub fn of(dom: &Dom) -> PathSet {
        let paths = Paths::tags(dom);
        let mut seen = vec![false; paths.count() + 1];
        let mut found = Vec::with_capacity(paths.count());
        for (id, node) in dom.nodes().iter().enumerate().skip(1) {
            let id = id as NodeId;
            let known = &mut seen[paths.number(id) as usize];
            if node.tag.is_element() && !std::mem::replace(known, true) {
                found.push((paths.fingerprint(id).0 >> 96) as u32);
            }
        }
        found.into_iter().collect()
    }

    /// The Jaccard distance: the share of the paths of either page that only one of them has. Two
    /// pages without any path are equal.
    pub fn distance(&self, other: &PathSet) -> f64 {
        let (a, b) = (&self.0, &other.0);
        let both = in_both(a, b);
        let either = a.len() + b.len() - both;
        match either {
            0 => 0.0,
            _ => 1.0 - both as f64 / either as f64,
        }
    }
}

impl FromIterator<u32> for PathSet {
    fn from_iter<I: IntoIterator<Item = u32>>(paths: I) -> Self {
        let mut paths: Vec<u32> = paths.into_iter().collect();
        paths.sort_unstable();
        paths.dedup();
        paths.truncate(PathSet::MOST);
        PathSet(paths.into())
    }
}

/// The distinct path sets of a site: most pages of a template have the same one.
#[derive(Clone, Debug, Default)]
pub struct PathSets(HashMap<PathSet, u32>);

impl PathSets {
    /// Adds a page's set; returns its number, which is its index in [`PathSets::into_vec`].
    pub fn add(&mut self, set: PathSet) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(set).or_insert(next)
    }

    /// The sets in the order of their first page.
    pub fn into_vec(self) -> Vec<PathSet> {
        let mut sets: Vec<(PathSet, u32)> = self.0.into_iter().collect();
        sets.sort_unstable_by_key(|(_, number)| *number);
        sets.into_iter().map(|(set, _)| set).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    fn set(paths: &[u32]) -> PathSet {
        paths.iter().copied().collect()
    }

    #[test]
    fn distances() {
        for (a, b, expected) in [
            (&[][..], &[][..], 0.0),
            (&[], &[1], 1.0),
            (&[1, 2, 3], &[3, 2, 1, 1], 0.0),
            (&[1, 2], &[3, 4], 1.0),
            (&[1, 2, 3], &[2, 3, 4], 0.5),
            (&[1, 2, 3, 4], &[1], 0.75),
        ] {
            assert_eq!(set(a).distance(&set(b)), expected, "{a:?} {b:?}");
            assert_eq!(set(b).distance(&set(a)), expected, "{b:?} {a:?}");
        }
    }

    #[test]
    fn paths_are_of_tags_alone_and_counted_once() {
        let of = |html: &str| PathSet::of(&parse(html, &Limits::default()));
        let short = of("<p class=a>one");
        assert_eq!(short, of("<p>two<p>three"));
        // html, head, body and p, compared with those and a b in the p.
        assert!((short.distance(&of("<p>x<b>y</b>")) - 0.2).abs() < 1e-12);
        assert_eq!(of(""), of("words"));
    }

    #[test]
    fn large_sets_are_cut_alike() {
        let all: PathSet = (0..10_000).collect();
        assert_eq!(all.0.len(), PathSet::MOST);
        assert_eq!(all, (0..10_000).rev().collect());
    }

    #[test]
    fn equal_sets_are_kept_once() {
        let mut sets = PathSets::default();
        let numbers = [&[1, 2][..], &[3], &[2, 1], &[3], &[4]].map(|paths| sets.add(set(paths)));
        assert_eq!(numbers, [0, 1, 0, 1, 2]);
        assert_eq!(sets.into_vec(), [set(&[1, 2]), set(&[3]), set(&[4])]);
    }
}
