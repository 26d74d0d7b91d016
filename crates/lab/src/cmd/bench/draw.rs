//! Small sites out of large ones: a page, and some others of its site.

use unframe::page::page_identity;
use unframe_eval::Site;

/// A page that is judged, with the pages that are learned.
pub struct Draw {
    /// Its position in the site.
    pub judged: usize,
    /// The positions of all pages that are learned. The judged one is the last, so that methods that
    /// label at arrival know the others by then.
    pub pages: Vec<usize>,
}

/// For each scored page of a site a small site of `count` pages, or of all if there are fewer.
///
/// The others are taken in a random but fixed order, so that a larger draw contains every smaller
/// one.
pub fn draws(site: &Site, count: usize) -> Vec<Draw> {
    let of_page = |judged: usize| {
        let id = &site.pages[judged].id;
        let mut pages: Vec<usize> = (0..site.pages.len()).filter(|at| *at != judged).collect();
        pages
            .sort_by_cached_key(|at| page_identity(None, &format!("{id}\n{}", site.pages[*at].id)));
        pages.truncate(count.saturating_sub(1));
        pages.push(judged);
        Draw { judged, pages }
    };
    let scored = (0..site.pages.len()).filter(|at| site.pages[*at].scored);
    scored.map(of_page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    use unframe_eval::Corpus;

    #[test]
    fn draws_are_nested_and_end_with_the_judged_page() {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
        let corpus = Corpus::open(demo).unwrap();
        for site in &corpus.sets[0].sites {
            let mut smaller: Vec<Draw> = draws(site, 1);
            assert_eq!(smaller.len(), site.scored().count());
            assert!(smaller.iter().all(|draw| draw.pages == [draw.judged]));
            for count in 2..site.pages.len() + 2 {
                let larger = draws(site, count);
                for (small, large) in smaller.iter().zip(&larger) {
                    assert_eq!(large.pages.len(), count.min(site.pages.len()));
                    assert_eq!(large.pages.last(), Some(&large.judged));
                    assert!(small.pages.iter().all(|page| large.pages.contains(page)));
                }
                smaller = larger;
            }
        }
    }
}
