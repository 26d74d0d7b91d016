//! A cluster during merging: how many of its pages have each path.

use foldhash::HashMap;

use super::length::Counts;
use super::spread::Spread;

/// What the searches merge: a cluster that knows its counts, and those of its union with another.
pub(super) trait Mergeable: Send + Sync {
    /// Its contribution to the sums over all clusters.
    fn counts(&self) -> Counts;

    /// The counts of the union of this and another.
    fn counts_with(&self, other: &Self) -> Counts;

    /// The union of this and another.
    fn merged(self, other: Self) -> Self;

    /// What merging the two adds to the sums over all clusters.
    fn change_with(&self, other: &Self) -> Counts {
        self.counts_with(other) - self.counts() - other.counts()
    }

    /// Returns a function that compares this with many others. Implementations may index this in
    /// `room` to make it faster.
    fn spread<'a>(&'a self, _room: &'a mut Spread) -> impl Fn(&Self) -> Counts + Sync + 'a {
        |other| self.change_with(other)
    }
}

/// A cluster of one or more pages, with the support of every path.
///
/// A path that most pages of two clusters together have is one that most pages of at least one of
/// them have. So the template of a merged cluster is a subset of the two templates, and only these
/// have to be inspected to evaluate a merge, however many other paths the pages have.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pages: u32,
    /// Paths that most members have, ascending, with their support.
    template: Vec<(u32, u32)>,
    /// The support of each other path.
    rest: HashMap<u32, u32>,
    /// An upper bound for the supports in `rest`.
    most_of_rest: u32,
    /// The sum of all supports.
    total: i64,
    counts: Counts,
}

impl Group {
    /// A single page: it is its own template.
    pub fn of_page(paths: &[u32]) -> Group {
        Group::of_pages([paths].into_iter())
    }

    /// A cluster of several pages.
    pub fn of_pages<'a>(pages: impl Iterator<Item = &'a [u32]>) -> Group {
        let (mut all, mut count) = (Vec::new(), 0);
        for page in pages {
            all.extend_from_slice(page);
            count += 1;
        }
        all.sort_unstable();
        let mut group = Group {
            pages: count,
            total: all.len() as i64,
            ..Group::default()
        };
        for run in all.chunk_by(|a, b| a == b) {
            match run.len() as u32 {
                support if support >= majority(count) => group.template.push((run[0], support)),
                support => {
                    group.rest.insert(run[0], support);
                    group.most_of_rest = group.most_of_rest.max(support);
                }
            }
        }
        let mut tally = Tally::new(count);
        group.template.iter().for_each(|(_, n)| tally.add(*n));
        group.counts = tally.counts(group.total);
        group
    }

    /// The paths that most members have, ascending.
    pub fn template(&self) -> impl Iterator<Item = u32> + '_ {
        self.template.iter().map(|(path, _)| *path)
    }
}

impl Mergeable for Group {
    fn counts(&self) -> Counts {
        self.counts
    }

    fn counts_with(&self, other: &Group) -> Counts {
        let mut tally = Tally::new(self.pages + other.pages);
        let least = tally.least;
        // A path in only one template is looked up in the other cluster only if its support there
        // could be large enough, which is rare.
        let with_rest = |path: u32, support: u32, group: &Group| {
            let enough = support + group.most_of_rest >= least;
            let found = enough.then(|| group.rest.get(&path)).flatten();
            support + found.copied().unwrap_or(0)
        };
        for_each_path(&self.template, &other.template, |path, one, two| {
            tally.add(match (one, two) {
                (Some(one), Some(two)) => one + two,
                (Some(one), None) => with_rest(path, one, other),
                (None, two) => with_rest(path, two.unwrap_or(0), self),
            });
        });
        tally.counts(self.total + other.total)
    }

    fn spread<'a>(&'a self, room: &'a mut Spread) -> impl Fn(&Self) -> Counts + Sync + 'a {
        room.lay_out(&self.template, &self.rest);
        let room = &*room;
        move |other| {
            // The other paths of a cluster of several pages would have to be looked up.
            if !other.rest.is_empty() {
                return self.change_with(other);
            }
            let mut tally = Tally::new(self.pages + other.pages);
            (tally.template, tally.inside) = room.template_with(tally.least, &other.template);
            tally.counts(self.total + other.total) - self.counts - other.counts
        }
    }

    fn merged(self, other: Group) -> Group {
        let pages = self.pages + other.pages;
        let total = self.total + other.total;
        let (mut rest, fewer) = match self.rest.len() >= other.rest.len() {
            true => (self.rest, other.rest),
            false => (other.rest, self.rest),
        };
        let mut most_of_rest = self.most_of_rest.max(other.most_of_rest);
        for (path, support) in fewer {
            let sum = rest.entry(path).or_default();
            *sum += support;
            most_of_rest = most_of_rest.max(*sum);
        }
        let mut tally = Tally::new(pages);
        let mut template = Vec::with_capacity(self.template.len().max(other.template.len()));
        for_each_path(&self.template, &other.template, |path, one, two| {
            let known = one.unwrap_or(0) + two.unwrap_or(0);
            let support = match one.is_some() && two.is_some() {
                true => known,
                false => known + rest.remove(&path).unwrap_or(0),
            };
            tally.add(support);
            match support >= tally.least {
                true => template.push((path, support)),
                false => {
                    rest.insert(path, support);
                    most_of_rest = most_of_rest.max(support);
                }
            }
        });
        Group {
            pages,
            template,
            rest,
            most_of_rest,
            total,
            counts: tally.counts(total),
        }
    }
}

/// Calls a function with each path of two sorted lists and its support in either.
fn for_each_path(
    a: &[(u32, u32)],
    b: &[(u32, u32)],
    mut work: impl FnMut(u32, Option<u32>, Option<u32>),
) {
    let (mut at, mut bt) = (0, 0);
    while at < a.len() && bt < b.len() {
        let ((x, n), (y, m)) = (a[at], b[bt]);
        work(x.min(y), (x <= y).then_some(n), (y <= x).then_some(m));
        at += usize::from(x <= y);
        bt += usize::from(y <= x);
    }
    a[at..]
        .iter()
        .for_each(|(path, n)| work(*path, Some(*n), None));
    b[bt..]
        .iter()
        .for_each(|(path, m)| work(*path, None, Some(*m)));
}

/// How many members must have a path for it to be in the template: (n + 1)/2, more than half.
pub(super) fn majority(pages: u32) -> u32 {
    pages / 2 + 1
}

/// The counts of a cluster, derived from the supports of its template alone.
struct Tally {
    pages: u32,
    least: u32,
    template: i64,
    /// The sum of the supports of its paths.
    inside: i64,
}

impl Tally {
    fn new(pages: u32) -> Tally {
        Tally {
            pages,
            least: majority(pages),
            template: 0,
            inside: 0,
        }
    }

    /// Adds a path if enough members have it.
    fn add(&mut self, support: u32) {
        let enough = i64::from(support >= self.least);
        self.template += enough;
        self.inside += enough * i64::from(support);
    }

    /// `total` is the sum of the supports of all paths.
    fn counts(&self, total: i64) -> Counts {
        Counts {
            template: self.template,
            beside: total - self.inside,
            lacking: self.template * i64::from(self.pages) - self.inside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn majorities_are_strict() {
        assert_eq!([1, 2, 3, 4, 5].map(majority), [1, 2, 2, 3, 3]);
    }

    /// {a b c d}, {a b c e}, {a b x y z}: the partitions of the specification.
    #[test]
    fn three_pages() {
        let pages = [&[0, 1, 2, 3][..], &[0, 1, 2, 4], &[0, 1, 5, 6, 7]];
        let [one, two, three] = pages.map(Group::of_page);
        let counts = |template, beside, lacking| Counts {
            template,
            beside,
            lacking,
        };
        assert_eq!(one.counts_with(&two), counts(3, 2, 0));
        assert_eq!(one.counts_with(&three), counts(2, 5, 0));
        let all = one.merged(two).merged(three);
        assert_eq!(all.counts(), counts(3, 5, 1));
        assert_eq!(all.template().collect::<Vec<_>>(), [0, 1, 2]);
    }

    /// Counts from the supports of all paths, by definition.
    fn by_definition(pages: &[Vec<u32>]) -> (Counts, Vec<u32>) {
        let (mut counts, mut template) = (Counts::default(), Vec::new());
        for path in 0..12 {
            let support = pages.iter().filter(|page| page.contains(&path)).count();
            if 2 * support > pages.len() {
                counts.template += 1;
                counts.lacking += (pages.len() - support) as i64;
                template.push(path);
            } else {
                counts.beside += support as i64;
            }
        }
        (counts, template)
    }

    fn some_pages() -> impl Strategy<Value = Vec<Vec<u32>>> {
        let page = prop::collection::btree_set(0..12u32, 0..8);
        prop::collection::vec(page.prop_map(|paths| paths.into_iter().collect()), 1..9)
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_definition(pages in some_pages(), order in any::<u64>()) {
            let mut groups: Vec<(Vec<Vec<u32>>, Group)> = pages
                .iter()
                .map(|page| (vec![page.clone()], Group::of_page(page)))
                .collect();
            let mut order = order;
            let mut room = Spread::default();
            while groups.len() > 1 {
                let (members, one) = groups.swap_remove(order as usize % groups.len());
                let at = (order >> 8) as usize % groups.len();
                let (others, two) = groups.swap_remove(at);
                order = order.rotate_left(13);
                let members = [members, others].concat();
                let (expected, template) = by_definition(&members);
                prop_assert_eq!(one.counts_with(&two), expected);
                prop_assert_eq!(two.counts_with(&one), expected);
                for (a, b) in [(&one, &two), (&two, &one)] {
                    prop_assert_eq!(a.spread(&mut room)(b), a.change_with(b));
                }
                let merged = one.merged(two);
                prop_assert_eq!(merged.counts(), expected);
                prop_assert_eq!(merged.template().collect::<Vec<_>>(), template);
                groups.push((members, merged));
            }
            let whole = Group::of_pages(pages.iter().map(|page| &page[..]));
            prop_assert_eq!(whole.counts(), groups[0].1.counts());
        }
    }
}
