//! The paths of all pages, collected page by page.

use foldhash::HashMap;

use super::paths::PagePaths;

/// Which page has which paths. Each distinct path has a small number, so that a path of a page
/// takes four bytes.
#[derive(Clone, Debug, Default)]
pub struct PathTable {
    pub(super) numbers: HashMap<u64, u32>,
    /// The paths by number.
    pub(super) paths: Vec<u64>,
    /// For each number, how many pages have the path (the paper's *pathno*).
    pub(super) pages_with: Vec<u32>,
    /// For each page, the numbers of its paths, ordered by the paths themselves.
    pub(super) pages: Vec<Box<[u32]>>,
}

impl PathTable {
    /// Adds a page; returns its number, counted from 0.
    pub fn add(&mut self, page: &PagePaths) -> u32 {
        let numbers = page.iter().map(|path| {
            let number = *self.numbers.entry(path).or_insert_with(|| {
                self.paths.push(path);
                self.pages_with.push(0);
                self.paths.len() as u32 - 1
            });
            self.pages_with[number as usize] += 1;
            number
        });
        let numbers = numbers.collect();
        self.pages.push(numbers);
        self.pages.len() as u32 - 1
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The number of distinct paths.
    pub fn paths(&self) -> usize {
        self.paths.len()
    }

    /// The number of pages that have a path.
    pub fn pages_with(&self, path: u64) -> u32 {
        match self.numbers.get(&path) {
            Some(number) => self.pages_with[*number as usize],
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_counted_by_page() {
        let mut table = PathTable::default();
        let pages = [&[2, 4, 6][..], &[4], &[], &[4, 6, 6]];
        let added = pages.map(|paths| table.add(&paths.iter().copied().collect()));
        assert_eq!(added, [0, 1, 2, 3]);
        assert_eq!((table.pages(), table.paths()), (4, 3));
        let counts = [2, 4, 6, 8].map(|path| table.pages_with(path));
        assert_eq!(counts, [1, 3, 2, 0]);
    }
}
