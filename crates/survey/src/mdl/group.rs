//! A cluster while it is being merged: how many of its pages have each path.

use super::length::Counts;

/// A cluster of one or more pages.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Members.
    pub pages: u32,
    /// Paths that any member has, ascending, and how many members have each.
    support: Vec<(u32, u32)>,
    /// Its part of the sums over all clusters.
    pub counts: Counts,
}

impl Group {
    /// A page of its own: it is its template.
    pub fn of_page(paths: &[u32]) -> Group {
        Group {
            pages: 1,
            support: paths.iter().map(|path| (*path, 1)).collect(),
            counts: Counts {
                template: paths.len() as i64,
                ..Counts::default()
            },
        }
    }

    /// Several pages at once.
    pub fn of_pages<'a>(pages: impl Iterator<Item = &'a [u32]>) -> Group {
        let (mut all, mut count) = (Vec::new(), 0);
        for page in pages {
            all.extend_from_slice(page);
            count += 1;
        }
        all.sort_unstable();
        let mut counter = Counter::new(count);
        let runs = all.chunk_by(|a, b| a == b);
        let support = runs
            .map(|run| (run[0], run.len() as u32))
            .collect::<Vec<_>>();
        support
            .iter()
            .for_each(|(_, support)| counter.add(*support));
        Group {
            pages: count,
            support,
            counts: counter.counts(),
        }
    }

    /// The counts that this and another would have as one.
    pub fn counts_with(&self, other: &Group) -> Counts {
        let mut counter = Counter::new(self.pages + other.pages);
        for_each_path(&self.support, &other.support, |_, support| {
            counter.add(support)
        });
        counter.counts()
    }

    /// This and another as one.
    pub fn merged(&self, other: &Group) -> Group {
        let pages = self.pages + other.pages;
        let mut counter = Counter::new(pages);
        let mut support = Vec::with_capacity(self.support.len().max(other.support.len()));
        for_each_path(&self.support, &other.support, |path, both| {
            counter.add(both);
            support.push((path, both));
        });
        Group {
            pages,
            support,
            counts: counter.counts(),
        }
    }

    /// The paths that most members have, ascending.
    pub fn template(&self) -> impl Iterator<Item = u32> + '_ {
        let least = majority(self.pages);
        let most = self.support.iter().filter(move |(_, n)| *n >= least);
        most.map(|(path, _)| *path)
    }
}

/// The paths of two sorted lists with the sum of their supports.
fn for_each_path(a: &[(u32, u32)], b: &[(u32, u32)], mut work: impl FnMut(u32, u32)) {
    let (mut at, mut bt) = (0, 0);
    while at < a.len() && bt < b.len() {
        let ((x, n), (y, m)) = (a[at], b[bt]);
        let support = if x <= y { n } else { 0 } + if y <= x { m } else { 0 };
        work(x.min(y), support);
        at += usize::from(x <= y);
        bt += usize::from(y <= x);
    }
    for (path, support) in a[at..].iter().chain(&b[bt..]) {
        work(*path, *support);
    }
}

/// Members that must have a path for it to be in the template: (n + 1)/2, more than half.
pub(super) fn majority(pages: u32) -> u32 {
    pages / 2 + 1
}

struct Counter {
    pages: i64,
    least: u32,
    counts: Counts,
}

impl Counter {
    fn new(pages: u32) -> Counter {
        Counter {
            pages: i64::from(pages),
            least: majority(pages),
            counts: Counts::default(),
        }
    }

    fn add(&mut self, support: u32) {
        match support >= self.least {
            true => {
                self.counts.template += 1;
                self.counts.lacking += self.pages - i64::from(support);
            }
            false => self.counts.beside += i64::from(support),
        }
    }

    fn counts(self) -> Counts {
        self.counts
    }
}
