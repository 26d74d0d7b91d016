//! Finds the largest set of pages that all link to each other, among those that link to one page
//! and are linked from it.

/// Maximum number of search steps; then the best clique found so far is used.
const MOST_STEPS: u32 = 100_000;

/// The indices in `mutual` of a largest clique of at most `target` pages, ascending. `mutual[a]`
/// has bit `b` set if pages a and b link to each other; there are at most 64. Of equally large
/// cliques, the one with the earliest pages.
pub(super) fn largest_clique(mutual: &[u64], target: usize) -> Vec<usize> {
    let mut search = Search {
        mutual,
        target,
        best: 0,
        steps: 0,
    };
    let all = match mutual.len() {
        0 => 0,
        count => u64::MAX >> (64 - count.min(64)),
    };
    search.extend(0, all);
    (0..64).filter(|at| search.best >> at & 1 == 1).collect()
}

struct Search<'a> {
    mutual: &'a [u64],
    target: usize,
    best: u64,
    steps: u32,
}

impl Search<'_> {
    /// Extends a clique by pages that link with all of it. The recursion is as deep as the clique
    /// is large.
    fn extend(&mut self, clique: u64, mut left: u64) {
        let size = clique.count_ones();
        if size > self.best.count_ones() {
            self.best = clique;
        }
        while left != 0 {
            self.steps += 1;
            let best = self.best.count_ones();
            if best as usize >= self.target
                || size + left.count_ones() <= best
                || self.steps > MOST_STEPS
            {
                return;
            }
            let next = left.trailing_zeros();
            left &= left - 1;
            self.extend(clique | 1 << next, left & self.mutual[next as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mutual(count: usize, edges: &[(usize, usize)]) -> Vec<u64> {
        let mut mutual = vec![0; count];
        for (a, b) in edges.iter().filter(|(a, b)| a != b) {
            mutual[*a] |= 1 << b;
            mutual[*b] |= 1 << a;
        }
        mutual
    }

    #[test]
    fn cliques() {
        assert_eq!(largest_clique(&[], 3), [0usize; 0]);
        assert_eq!(largest_clique(&mutual(3, &[]), 3), [0]);
        let path = mutual(4, &[(0, 1), (1, 2), (2, 3), (1, 3)]);
        assert_eq!(largest_clique(&path, 9), [1, 2, 3]);
        assert_eq!(largest_clique(&path, 2), [0, 1]);
        let all: Vec<_> = (0..64).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        assert_eq!(largest_clique(&mutual(64, &all), 8).len(), 8);
        assert_eq!(largest_clique(&mutual(64, &all), 64).len(), 64);
    }

    proptest! {
        #[test]
        fn the_largest_is_found(edges in prop::collection::vec((0..9usize, 0..9usize), 0..40)) {
            let mutual = mutual(9, &edges);
            let found = largest_clique(&mutual, 9);
            let is_clique = |set: u64| {
                (0..9).filter(|at| set >> at & 1 == 1).all(|at| set & !mutual[at] == 1 << at)
            };
            let most = (0..512u64).filter(|set| is_clique(*set)).map(u64::count_ones).max();
            prop_assert_eq!(found.len() as u32, most.unwrap());
            prop_assert!(is_clique(found.iter().fold(0, |set, at| set | 1 << at)));
        }
    }
}
