//! Selects the essential paths of a page, that is, those that may belong to a template.

use super::params::ModeRule;
use super::paths::is_text_path;
use super::table::PathTable;

/// The essential paths of all pages, renumbered so that other paths take no memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Essentials {
    /// The paths by number, ascending.
    pub paths: Vec<u64>,
    /// For each page, the numbers of its essential paths, ascending.
    pub pages: Vec<Box<[u32]>>,
    /// The number of distinct paths before the selection, |P|.
    pub all_paths: u64,
}

impl Essentials {
    /// Consumes the table: paths that are essential on no page are dropped.
    pub fn of(table: PathTable, rule: ModeRule) -> Essentials {
        let PathTable {
            numbers,
            paths,
            pages_with,
            mut pages,
        } = table;
        drop(numbers);
        let mut essential = vec![false; paths.len()];
        let mut counts = Vec::new();
        for page in &mut pages {
            counts.clear();
            let counted = page.iter().map(|number| *number as usize);
            let counted = counted.filter(|number| match rule {
                ModeRule::Literal => true,
                ModeRule::IgnoreSingletons => pages_with[*number] >= 2,
                ModeRule::Elements => !is_text_path(paths[*number]),
            });
            counts.extend(counted.map(|number| pages_with[number]));
            let threshold = smallest_mode(&mut counts);
            let kept = page.iter().copied();
            *page = match threshold {
                Some(least) => kept.filter(|n| pages_with[*n as usize] >= least).collect(),
                None => Box::default(),
            };
            for number in page.iter() {
                essential[*number as usize] = true;
            }
        }
        let mut kept: Vec<u32> = (0..paths.len() as u32)
            .filter(|number| essential[*number as usize])
            .collect();
        kept.sort_unstable_by_key(|number| paths[*number as usize]);
        let mut anew = vec![0; paths.len()];
        for (new, old) in kept.iter().enumerate() {
            anew[*old as usize] = new as u32;
        }
        for page in &mut pages {
            for number in page.iter_mut() {
                *number = anew[*number as usize];
            }
            page.sort_unstable();
        }
        Essentials {
            paths: kept.iter().map(|old| paths[*old as usize]).collect(),
            pages,
            all_paths: paths.len() as u64,
        }
    }
}

/// The most frequent number, or the smallest of several; `None` for an empty slice.
fn smallest_mode(numbers: &mut [u32]) -> Option<u32> {
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|a, b| a == b);
    let longest = runs.reduce(|best, run| match run.len() > best.len() {
        true => run,
        false => best,
    });
    longest.map(|run| run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn essentials(pages: &[&[u64]], rule: ModeRule) -> Vec<Vec<u64>> {
        let mut table = PathTable::default();
        for page in pages {
            table.add(&page.iter().copied().collect());
        }
        let found = Essentials::of(table, rule);
        let spell = |page: &[u32]| page.iter().map(|n| found.paths[*n as usize]).collect();
        found.pages.iter().map(|page| spell(page)).collect()
    }

    #[test]
    fn modes() {
        for (numbers, expected) in [
            (&mut [][..], None),
            (&mut [3], Some(3)),
            (&mut [2, 1], Some(1)),
            (&mut [2, 1, 2], Some(2)),
            (&mut [5, 1, 5, 1, 4], Some(1)),
        ] {
            assert_eq!(smallest_mode(numbers), expected);
        }
    }

    /// Even numbers are elements, odd numbers are texts.
    #[test]
    fn the_three_rules() {
        // The paper's Table 1: the threshold is 2 on both pages.
        let table1 = [&[2, 4, 6, 8, 1][..], &[2, 4, 6, 8, 3, 5]];
        for rule in [
            ModeRule::Literal,
            ModeRule::IgnoreSingletons,
            ModeRule::Elements,
        ] {
            assert_eq!(essentials(&table1, rule), [[2, 4, 6, 8]; 2], "{rule:?}");
        }
        // Much text: each page has three texts of its own and two shared paths.
        let wordy = [&[2, 4, 11, 13, 15][..], &[2, 4, 21, 23, 25]];
        let literal = essentials(&wordy, ModeRule::Literal);
        assert_eq!(literal, wordy);
        for rule in [ModeRule::IgnoreSingletons, ModeRule::Elements] {
            assert_eq!(essentials(&wordy, rule), [[2, 4]; 2], "{rule:?}");
        }
        // The rules for elements and without singletons differ if texts repeat.
        let texts = [&[2, 4, 6, 1, 3][..], &[2, 4, 6, 1, 3], &[2, 1, 3]];
        let elements = essentials(&texts, ModeRule::Elements);
        assert_eq!(
            elements,
            [&[1, 2, 3, 4, 6][..], &[1, 2, 3, 4, 6], &[1, 2, 3]]
        );
        let ignoring = essentials(&texts, ModeRule::IgnoreSingletons);
        assert_eq!(ignoring, [[1, 2, 3]; 3]);
    }

    #[test]
    fn a_page_alone_has_nothing_essential_without_singletons() {
        assert_eq!(essentials(&[&[2, 4]], ModeRule::IgnoreSingletons), [[]; 1]);
        assert_eq!(essentials(&[&[2, 4]], ModeRule::Literal), [[2, 4]]);
        assert_eq!(essentials(&[&[1, 3]], ModeRule::Elements), [[]; 1]);
    }
}
