//! A site that is learned in parts: however its pages are dealt out, and in whatever order the parts are
//! merged, the same bytes result.

use proptest::prelude::*;
use unframe::batch::CleanOptions;
use unframe::read::{GivenPage, Inputs, ReadOptions};
use unframe::store::Versions;
use unframe::{CleanPage, Crawl, MethodSpec};

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

/// Parts that keep a sample, of a site that lists some of its pages, in versions that meet within a part and
/// in a merge.
#[test]
fn large_parts_and_their_order_change_nothing() {
    const PAGES: usize = 700;
    const MOST: usize = 60;
    let pages: Vec<(usize, usize)> = (0..3)
        .flat_map(|version| (0..PAGES).map(move |n| (n, (version + n) % 3)))
        .filter(|(n, version)| n % 5 > 0 || *version < 2)
        .collect();
    let whole = merged(&pages, &[(0..pages.len()).collect()], MOST);
    // Half of them in one part, so that it has a sample, too.
    let part_of = |at: usize| (at * 7919 % 1009 % 12).saturating_sub(6);
    let mut parts: Vec<Vec<usize>> = (0..6)
        .map(|part| (0..pages.len()).filter(|at| part_of(*at) == part).collect())
        .collect();
    assert!(parts.iter().all(|part| part.len() > 20));
    assert!(parts[0].len() > 800);
    assert_eq!(merged(&pages, &parts, MOST), whole);
    parts.reverse();
    parts.iter_mut().for_each(|part| part.reverse());
    assert_eq!(merged(&pages, &parts, MOST), whole);
    // The list is thinned, and its number of pages an estimate.
    let (full_bytes, full_count) = merged(&pages, &parts, usize::MAX);
    let (bytes, count) = whole;
    assert_eq!(full_count, PAGES as u64);
    assert!((500..900).contains(&count), "{count}");
    assert!(bytes.len() < full_bytes.len());
}

#[test]
fn a_changed_page_is_replaced_unless_any_order_is_asked_for() {
    let mut last = Crawl::new();
    last.learn(SITE, &url(1), html(1, 0)).unwrap();
    assert!(last.learn(SITE, &url(1), html(1, 1)).unwrap());
    assert!(last.learn(SITE, &url(1), html(1, 0)).unwrap());
    // Of two versions, the same one wins, whichever comes first.
    let learned = |first, second| {
        let mut any = part(usize::MAX);
        assert!(any.learn(SITE, &url(1), html(1, first)).unwrap());
        let is_replaced = any.learn(SITE, &url(1), html(1, second)).unwrap();
        assert_eq!(any.pages(SITE).unwrap(), 1);
        (is_replaced, any.export(SITE).unwrap())
    };
    let (there, back) = (learned(0, 1), learned(1, 0));
    assert_ne!(there.0, back.0);
    assert_eq!(there.1, back.1);
}

/// Inputs with these pages, in versions.
fn inputs(pages: &[(usize, usize)]) -> Inputs {
    let given: Vec<GivenPage> = pages
        .iter()
        .map(|(n, version)| GivenPage {
            url: Some(url(*n)),
            body: html(*n, *version).into(),
            ..GivenPage::default()
        })
        .collect();
    Inputs::of_pages(given.into_iter(), ReadOptions::default())
}

/// More pages than the sample has, some of them in versions that meet in a batch.
fn visits() -> Vec<(usize, usize)> {
    let versions = |n: usize| -> &[usize] {
        match n % 4 {
            0 => &[1],
            1 => &[1, 0],
            2 => &[0, 1],
            _ => &[0, 2, 1, 0],
        }
    };
    let rounds = |first: usize| {
        let round = move |round| {
            let visit = move |n| Some((n, *versions(n).get(round)?));
            (first..first + 20).filter_map(visit)
        };
        (0..4).flat_map(round)
    };
    (0..600).step_by(20).flat_map(rounds).collect()
}

/// Learning a run at once leaves out what changes nothing, so it must learn the same.
#[test]
fn a_run_that_only_learns_learns_what_single_pages_do() {
    let visits = visits();
    for (method, versions, most_listed) in [
        ("auto", Versions::Last, usize::MAX),
        ("auto", Versions::Last, 100),
        ("auto", Versions::AnyOrder, usize::MAX),
        ("auto", Versions::AnyOrder, 100),
        ("chunks", Versions::Last, usize::MAX),
        ("chunks", Versions::AnyOrder, usize::MAX),
    ] {
        let spec: MethodSpec = method.parse().unwrap();
        // Knows some pages in the version that others are learned in first, in between or last.
        let known = || {
            let mut crawl = Crawl::with_method(&spec);
            crawl.set_versions(versions);
            crawl.set_most_listed(most_listed);
            for n in (0..600).filter(|n| n % 3 == 0) {
                crawl.learn(SITE, &url(n), html(n, 0)).unwrap();
            }
            crawl
        };
        let mut one_by_one = known();
        let mut learn = |(n, version)| one_by_one.learn(SITE, &url(n), html(n, version)).unwrap();
        let changes = visits.iter().filter(|visit| learn(**visit)).count();
        let mut at_once = known();
        let summary = at_once
            .learn_all(&mut inputs(&visits), &CleanOptions::default())
            .unwrap();
        let case = format!("{method}, {versions:?}, {most_listed} listed");
        assert_eq!(summary.new + summary.changed, changes as u64, "{case}");
        assert_eq!(summary.unchanged, (visits.len() - changes) as u64, "{case}");
        let (at_once, one_by_one) = (at_once.export(SITE), one_by_one.export(SITE));
        assert!(at_once.unwrap() == one_by_one.unwrap(), "{case}");
    }
}

/// A state file that knows nothing yet is like none, also if another method has used it.
#[test]
fn the_order_of_versions_changes_nothing_in_a_run_with_a_fresh_state() {
    let there: Vec<(usize, usize)> = (0..20).flat_map(|n| [(n, 0), (n, 1)]).collect();
    let back: Vec<(usize, usize)> = there.iter().rev().copied().collect();
    let folder = tempfile::tempdir().unwrap();
    for method in ["auto", "chunks"] {
        let spec: MethodSpec = method.parse().unwrap();
        let open = |file| Crawl::open(folder.path().join(file), &spec, usize::MAX).unwrap();
        let clean = |mut crawl: Crawl, pages: &[(usize, usize)]| {
            let mut nothing = |_: &CleanPage| {};
            let options = CleanOptions::default();
            let summary = crawl.clean_all(&mut inputs(pages), &options, &mut nothing);
            (crawl.export(SITE).unwrap(), summary.unwrap().changed)
        };
        let (without_file, _) = clean(Crawl::with_method(&spec), &there);
        assert!(clean(open("there"), &there).0 == without_file, "{method}");
        assert!(clean(open("back"), &back).0 == without_file, "{method}");
        // What is known before is replaced by what comes later.
        clean(open("there"), &[(0, 0)]);
        assert_eq!(clean(open("there"), &[(0, 1)]).1, 1, "{method}");
        assert_eq!(clean(open("there"), &[(0, 0)]).1, 1, "{method}");
    }
}
