//! Scores the synthetic corpus in `tests/corpus` with the texts in `tests/kept`.
//!
//! All expected numbers are from the reference scorer, the Python script that defines the columns,
//! run once on these folders.

use std::fs;
use std::path::{Path, PathBuf};

use unframe_eval::{Columns, Corpus, GoldBags, Page, Set, SetTotal, Site, SiteTotal};

const TOLERANCE: f64 = 0.0001;

/// The columns in the order of [`Columns::named`], to four places.
type Expected = [Option<f64>; 8];

#[rustfmt::skip]
const PAGES: [(&str, Expected); 11] = [
    ("tea-garden/teas/black.html", [Some(0.5455), Some(0.5455), Some(0.6000), Some(0.5000), Some(0.0000), None, None, None]),
    ("tea-garden/teas/empty.html", [None, None, None, None, None, None, None, None]),
    ("tea-garden/teas/green.html", [Some(0.8214), Some(0.8519), Some(0.7667), Some(0.8846), Some(0.4000), Some(0.6667), None, None]),
    ("tea-garden/teas/white.html", [Some(0.0000), Some(0.0000), Some(0.0000), Some(0.0000), Some(0.0000), None, None, None]),
    ("voyages/broken.html", [Some(0.5000), Some(0.5000), Some(0.5000), Some(0.5000), None, None, None, None]),
    ("voyages/istanbul.html", [Some(0.6667), Some(0.6957), Some(0.5714), Some(0.8000), Some(0.5000), Some(0.5000), None, None]),
    ("voyages/wrong.html", [Some(0.0000), Some(0.0000), Some(0.0000), Some(0.0000), Some(1.0000), None, None, None]),
    ("shop/0001.html", [None, None, None, None, None, None, Some(0.6667), Some(0.5714)]),
    ("shop/0002.html", [None, None, None, None, None, None, Some(1.0000), Some(1.0000)]),
    ("shop/0003.html", [None, None, None, None, None, None, None, Some(1.0000)]),
    ("shop/0004.html", [None, None, None, None, None, None, Some(0.0000), Some(0.0000)]),
];

#[rustfmt::skip]
const SITES: [(&str, usize, Expected); 3] = [
    ("tea-garden", 4, [Some(0.4556), Some(0.4658), Some(0.4556), Some(0.4615), Some(0.1333), Some(0.6667), None, None]),
    ("voyages", 3, [Some(0.3889), Some(0.3986), Some(0.3571), Some(0.4333), Some(0.7500), Some(0.5000), None, None]),
    ("shop", 4, [None, None, None, None, None, None, Some(0.5556), Some(0.6429)]),
];

#[rustfmt::skip]
const SETS: [(&str, usize, Expected); 2] = [
    ("articles", 7, [Some(0.4223), Some(0.4322), Some(0.4063), Some(0.4474), Some(0.4417), Some(0.5833), None, None]),
    ("records", 4, [None, None, None, None, None, None, Some(0.5556), Some(0.6429)]),
];

#[test]
fn pages() {
    let mut expected = PAGES.iter();
    for set in corpus().sets {
        for site in &set.sites {
            for page in site.scored() {
                let name = format!("{}/{}", site.name, page.id);
                let (expected_name, expected) = expected.next().expect("no more pages");
                assert_eq!(name, *expected_name);
                check(&name, score(&set, site, page), expected);
            }
        }
    }
    assert_eq!(expected.next(), None);
}

#[test]
fn sites_and_sets() {
    let sets: Vec<SetTotal> = corpus().sets.iter().map(total).collect();
    let sites: Vec<&SiteTotal> = sets.iter().flat_map(|set| &set.sites).collect();
    assert_eq!((sites.len(), sets.len()), (SITES.len(), SETS.len()));
    for (total, (name, pages, expected)) in sites.iter().zip(&SITES) {
        assert_eq!((total.site.as_str(), total.pages), (*name, *pages));
        check(name, total.columns, expected);
    }
    for (total, (name, pages, expected)) in sets.iter().zip(&SETS) {
        assert_eq!((total.set.as_str(), total.pages), (*name, *pages));
        check(name, total.columns, expected);
    }
}

#[test]
fn pages_without_score_are_pages_of_the_site() {
    let corpus = corpus();
    let site = &corpus.sets[0].sites[0];
    let unscored: Vec<(&str, bool)> = site
        .pages
        .iter()
        .filter(|page| !page.scored)
        .map(|page| (page.id.as_str(), page.gold.is_some()))
        .collect();
    assert_eq!(
        unscored,
        [("index.html", true), ("teas/unlabelled.html", false)]
    );
    for page in site.pages.iter().filter(|page| !page.scored) {
        assert!(GoldBags::read(page).unwrap().is_none(), "{}", page.id);
    }
}

fn check(name: &str, columns: Columns, expected: &Expected) {
    for ((column, actual), expected) in columns.named().into_iter().zip(expected) {
        let equal = match (actual, *expected) {
            (Some(actual), Some(expected)) => (actual - expected).abs() < TOLERANCE,
            (actual, expected) => actual == expected,
        };
        assert!(
            equal,
            "{name}: {column} is {actual:?}, expected {expected:?}"
        );
    }
}

fn total(set: &Set) -> SetTotal {
    let of_site = |site: &Site| {
        let pages: Vec<Columns> = site.scored().map(|page| score(set, site, page)).collect();
        SiteTotal::new(&site.name, &pages)
    };
    SetTotal::new(&set.name, set.sites.iter().map(of_site).collect())
}

fn score(set: &Set, site: &Site, page: &Page) -> Columns {
    let kept = tests_folder("kept")
        .join(&set.name)
        .join(&site.name)
        .join(format!("{}.txt", page.id));
    let kept = fs::read(kept).unwrap_or_default();
    let labels = GoldBags::read(page).unwrap().expect("a scored page");
    labels.score(&String::from_utf8_lossy(&kept))
}

fn corpus() -> Corpus {
    Corpus::open(tests_folder("corpus")).unwrap()
}

fn tests_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}
