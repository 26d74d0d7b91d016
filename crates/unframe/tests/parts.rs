//! A site that is learned in parts: however its pages are dealt out, and in whatever order the parts are
//! merged, the same bytes result.

use proptest::prelude::*;
use unframe::batch::CleanOptions;
use unframe::read::{GivenPage, Inputs, ReadOptions};
use unframe::store::Versions;
use unframe::{Crawl, MethodSpec};

const SITE: &str = "a.example";

fn url(n: usize) -> String {
    format!("https://a.example/{n}")
}

/// A version of a page.
fn html(n: usize, version: usize) -> String {
    format!(
        "<nav><a href=/>Home</a> <a href=/shop>Shop</a></nav><h1>Story {n}</h1><p>Only page {n} tells \
         this, now for the {version}. time.</p><footer>All rights reserved</footer>"
    )
}

/// A part of a crawl, as a task of a distributed job learns it.
fn part(most_listed: usize) -> Crawl {
    let mut crawl = Crawl::new();
    crawl.set_versions(Versions::AnyOrder);
    crawl.set_most_listed(most_listed);
    crawl
}

/// The exported site after these pages, in versions, are dealt out to parts, which are merged in this order.
fn merged(pages: &[(usize, usize)], parts: &[Vec<usize>], most_listed: usize) -> (Vec<u8>, u64) {
    let mut whole = part(most_listed);
    for numbers in parts {
        let mut crawl = part(most_listed);
        for at in numbers {
            let (n, version) = pages[*at];
            crawl.learn(SITE, &url(n), html(n, version)).unwrap();
        }
        let bytes = crawl.export(SITE).unwrap();
        whole.import(SITE, &bytes).unwrap();
    }
    (whole.export(SITE).unwrap(), whole.pages(SITE).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn parts_and_their_order_change_nothing(
        // So few pages that no place is named: a merge may leave out names, which only rules need.
        pages in prop::collection::vec((0..16usize, 0..3usize), 1..60),
        dealt in prop::collection::vec(0..5usize, 60),
        order in Just((0..5usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let all = vec![(0..pages.len()).collect()];
        let dealt_out: Vec<Vec<usize>> = order
            .iter()
            .map(|part| (0..pages.len()).rev().filter(|at| dealt[*at] == *part).collect())
            .collect();
        prop_assert_eq!(
            merged(&pages, &all, usize::MAX),
            merged(&pages, &dealt_out, usize::MAX)
        );
    }
}

#[test]
fn a_large_site_lists_some_of_its_pages() {
    const PAGES: usize = 3000;
    const MOST: usize = 700;
    let pages: Vec<(usize, usize)> = (0..PAGES).map(|n| (n, 0)).collect();
    let whole = merged(&pages, &[(0..PAGES).collect()], MOST);
    let parts: Vec<Vec<usize>> = (0..4)
        .map(|part| (0..PAGES).filter(|n| n * n % 4 == part).collect())
        .collect();
    assert_eq!(merged(&pages, &parts, MOST), whole);
    // The number is an estimate; the texts are those of a site that lists all.
    let (bytes, count) = whole;
    assert!((2_500..3_500).contains(&count), "{count}");
    let (full_bytes, full_count) = merged(&pages, &[(0..PAGES).collect()], usize::MAX);
    assert_eq!(full_count, PAGES as u64);
    assert!(
        bytes.len() + 20_000 < full_bytes.len(),
        "{} and {} bytes",
        bytes.len(),
        full_bytes.len()
    );
    let (mut thin, mut full) = (part(MOST), part(usize::MAX));
    thin.import(SITE, &bytes).unwrap();
    full.import(SITE, &full_bytes).unwrap();
    for n in [0, 7, 2999, 4000] {
        let text = |crawl: &mut Crawl| crawl.label(SITE, &url(n), html(n, 0)).unwrap().text();
        assert_eq!(text(&mut thin), text(&mut full));
    }
}

/// The methods that count every page keep every page in the list, because it is needed to undo it.
#[test]
fn methods_without_a_sample_list_all_pages() {
    let spec: MethodSpec = "stream".parse().unwrap();
    let mut crawl = Crawl::with_method(&spec);
    crawl.set_most_listed(10);
    for n in 0..100 {
        crawl.learn(SITE, &url(n), html(n, 0)).unwrap();
    }
    assert_eq!(crawl.pages(SITE).unwrap(), 100);
    assert!(!crawl.learn(SITE, &url(99), html(99, 0)).unwrap());
}

#[test]
fn a_changed_page_is_replaced_unless_any_order_is_asked_for() {
    let mut last = Crawl::new();
    last.learn(SITE, &url(1), html(1, 0)).unwrap();
    assert!(last.learn(SITE, &url(1), html(1, 1)).unwrap());
    assert!(last.learn(SITE, &url(1), html(1, 0)).unwrap());
    // Of two versions, one wins, whichever comes first.
    let mut any = part(usize::MAX);
    any.learn(SITE, &url(1), html(1, 0)).unwrap();
    any.learn(SITE, &url(1), html(1, 1)).unwrap();
    assert!(
        !any.learn(SITE, &url(1), html(1, 0)).unwrap()
            || !any.learn(SITE, &url(1), html(1, 1)).unwrap()
    );
    assert_eq!(any.pages(SITE).unwrap(), 1);
}

/// Learning a run at once leaves out what changes nothing, so it must learn the same.
#[test]
fn a_run_that_only_learns_learns_what_single_pages_do() {
    // More pages than the sample has, some of them twice.
    let pages = || (0..900).map(|n| (n % 850, n / 850));
    let given = |(n, version)| GivenPage {
        url: Some(url(n)),
        body: html(n, version).into(),
        ..GivenPage::default()
    };
    let mut at_once = part(usize::MAX);
    let mut inputs = Inputs::of_pages(pages().map(given), ReadOptions::default());
    let summary = at_once
        .learn_all(&mut inputs, &CleanOptions::default())
        .unwrap();
    let mut one_by_one = part(usize::MAX);
    let changes = pages()
        .filter(|(n, version)| {
            one_by_one
                .learn(SITE, &url(*n), html(*n, *version))
                .unwrap()
        })
        .count();
    assert_eq!(summary.new + summary.changed, changes as u64);
    assert_eq!(summary.unchanged, 900 - changes as u64);
    assert_eq!(
        at_once.export(SITE).unwrap(),
        one_by_one.export(SITE).unwrap()
    );
}
