//! What is found out before learning, from files to assignments.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;
use unframe::batch::{CleanOptions, clean};
use unframe::page::page_identity;
use unframe::read::{Inputs, ReadOptions};
use unframe::store::Sites;
use unframe::survey::mdl::{MdlParams, OnlineParams};
use unframe::survey::{
    ClusterBy, Deduped, IMatchParams, MinMaxParams, SurveyOptions, dedup, survey,
};
use unframe::{Flag, MethodSpec};

use crate::collect::Collect;

/// A file of JSON lines in a folder that goes away with the test.
struct Pages(TempDir);

impl Pages {
    fn new(pages: &[(String, String)]) -> Pages {
        let folder = TempDir::new().unwrap();
        let mut lines = String::new();
        for (url, html) in pages {
            writeln!(lines, "{{\"url\": {url:?}, \"html\": {html:?}}}").unwrap();
        }
        std::fs::write(folder.path().join("pages.jsonl"), lines).unwrap();
        Pages(folder)
    }

    fn open(&self) -> Inputs {
        let file = self.0.path().join("pages.jsonl").into_os_string();
        Inputs::open(&[file], ReadOptions::default()).unwrap()
    }
}

fn options(jobs: usize, keep_bytes: usize) -> SurveyOptions {
    SurveyOptions {
        duplicates: Some(IMatchParams::default()),
        clusters: Some(ClusterBy::MinMax(MinMaxParams::default())),
        jobs,
        keep_bytes,
        ..SurveyOptions::default()
    }
}

fn list(pages: &Pages, options: &SurveyOptions) -> Deduped {
    dedup::<Infallible>(&mut pages.open(), options, None, |_| ()).unwrap()
}

fn names(found: &Deduped) -> Vec<Vec<String>> {
    let one = |name: &str| name.rsplit(':').next().unwrap().to_string();
    let groups = found.groups.iter().map(|group| {
        let others = group.duplicates.iter().map(|page| one(&page.name));
        std::iter::once(one(&group.kept.name))
            .chain(others)
            .collect()
    });
    groups.collect()
}

fn url(site: usize, page: usize) -> String {
    format!("http://s{site}.example/{page}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn neither_threads_nor_room_change_anything(
        pages in prop::collection::vec(
            (0..3usize, 0..40usize, prop::collection::vec(0..9usize, 0..8), 0..4usize),
            0..60,
        ),
    ) {
        let built = ["p", "div><b", "ul><li", "table><td"];
        let pages: Vec<(String, String)> = pages
            .iter()
            .map(|(site, page, words, tag)| {
                let words: String = words.iter().map(|word| format!("w{word} ")).collect();
                (url(*site, *page), format!("<{}>{words}", built[*tag]))
            })
            .collect();
        let file = Pages::new(&pages);
        let mut expected = None;
        for (jobs, keep_bytes) in [(1, usize::MAX), (1, 0), (3, usize::MAX), (3, 0), (2, 2000)] {
            let options = options(jobs, keep_bytes);
            let survey = survey(&mut file.open(), &options).unwrap();
            let clusters: Vec<_> = pages
                .iter()
                .map(|(url, _)| {
                    let site = url.split('/').nth(2).unwrap();
                    survey.assignment(site, page_identity(Some(url), ""))
                })
                .collect();
            let found = (clusters, names(&list(&file, &options)));
            match &expected {
                None => expected = Some(found),
                Some(expected) => prop_assert_eq!(expected, &found),
            }
        }
    }
}

#[test]
fn sites_are_apart_unless_asked_for() {
    let text = "<p>alpha beta gamma delta epsilon zeta";
    let page = |site, page| (url(site, page), text.to_string());
    let file = Pages::new(&[page(0, 1), page(1, 1), page(0, 2), page(1, 2), page(0, 1)]);
    let mut options = options(1, usize::MAX);
    assert_eq!(
        names(&list(&file, &options)),
        [vec!["1", "3", "5"], vec!["2", "4"]]
    );
    options.across_sites = true;
    let found = list(&file, &options);
    assert_eq!(names(&found), [["1", "2", "3", "4", "5"]]);
    assert_eq!(
        (found.duplicates(), found.summary.pages, found.summary.sites),
        (4, 5, 2)
    );

    // The same URL twice is one page for the survey, and no duplicate of itself.
    let survey = survey(&mut file.open(), &options).unwrap();
    assert_eq!((survey.pages(), survey.duplicates()), (4, 3));
    let first = survey.assignment("s0.example", page_identity(Some(&url(0, 1)), ""));
    assert!(!first.duplicate);
}

#[test]
fn the_last_version_of_a_page_counts() {
    let text = |words: &str| format!("<p>{words}");
    let (a, b) = (
        text("one two three four five"),
        text("six seven eight nine ten"),
    );
    let file = Pages::new(&[
        (url(0, 1), a.clone()),
        (url(0, 2), a.clone()),
        (url(0, 1), b.clone()),
        (url(0, 3), b),
    ]);
    let survey = survey(&mut file.open(), &options(1, 0)).unwrap();
    let duplicates = [1, 2, 3].map(|page| {
        let identity = page_identity(Some(&url(0, page)), "");
        survey.assignment("s0.example", identity).duplicate
    });
    assert_eq!(duplicates, [false, false, true]);
}

/// The flags, the pages learnt, and the text of each page, by URL.
type Cleaned = BTreeMap<String, (Vec<Flag>, u64, f64)>;

fn cleaned(file: &Pages, options: &CleanOptions) -> Cleaned {
    let spec: MethodSpec = "stream".parse().unwrap();
    let mut sites = Sites::in_memory(spec.engine().memory());
    let mut sink = Collect::new(|raw, page| {
        assert_eq!(raw.site, "s0.example");
        let verdict = (
            page.flags().to_vec(),
            page.state_pages(),
            page.removed_share(),
        );
        (raw.url.clone().unwrap(), verdict)
    });
    clean(
        &mut file.open(),
        spec.engine(),
        &mut sites,
        options,
        &mut sink,
    )
    .unwrap();
    sink.made.into_iter().collect()
}

#[test]
fn duplicates_are_labelled_but_not_learnt_from() {
    let story = |n: usize| {
        let words: String = (0..20).map(|at| format!("w{n}x{at} ")).collect();
        format!("<div>Home About</div><div>{words}</div>")
    };
    // Six pages with one story, which the method takes for frame if it learns from all of them.
    let mut pages: Vec<_> = (0..6).map(|n| (url(0, n), story(n))).collect();
    pages.extend((6..11).map(|n| (url(0, n), story(0))));
    let file = Pages::new(&pages);
    for (arrival, jobs) in [(false, 1), (false, 3), (true, 1), (true, 3)] {
        let survey = survey(&mut file.open(), &options(jobs, 0)).unwrap();
        assert_eq!(survey.duplicates(), 5);
        let mut options = CleanOptions::default();
        (options.arrival, options.jobs) = (arrival, jobs);
        let learnt_all = cleaned(&file, &options);
        assert_eq!(learnt_all[&url(0, 10)].1, 11);
        options.survey = Some(Arc::new(survey));
        let found = cleaned(&file, &options);
        assert_eq!(found.len(), 11);
        for n in 0..11 {
            let (flags, state_pages, share) = &found[&url(0, n)];
            assert_eq!(flags.contains(&Flag::Duplicate), n > 5, "{n}");
            if n > 5 {
                assert_eq!(*state_pages, 6);
                assert!(*share < 0.5, "{n}: {share}");
            }
        }
    }
}

#[test]
fn each_cluster_is_learnt_apart() {
    let text = |n: usize| (0..8).map(|at| format!("w{n}x{at} ")).collect::<String>();
    let article = |n| format!("<div><h1>News</h1></div><div><p>{}</p></div>", text(n));
    let list = |n| format!("<table><tr><td>Lists<td><ul><li>{}</ul></table>", text(n));
    let pages: Vec<_> = (0..10)
        .map(|n| (url(0, n), if n % 3 == 0 { list(n) } else { article(n) }))
        .collect();
    let file = Pages::new(&pages);
    let survey = survey(&mut file.open(), &options(2, 0)).unwrap();
    let options = CleanOptions {
        survey: Some(Arc::new(survey)),
        ..CleanOptions::default()
    };
    let found = cleaned(&file, &options);
    let learnt: Vec<u64> = (0..10).map(|n| found[&url(0, n)].1).collect();
    assert_eq!(learnt, [4, 6, 6, 4, 6, 6, 4, 6, 6, 4]);
}

/// Pages of two templates in turn.
fn two_templates(pages: usize) -> Vec<(String, String)> {
    let page = |n: usize| {
        let own = format!("w{n}a</p><p>w{n}b</p><p>w{n}c");
        match n % 2 {
            0 => format!("<div>Home</div><div><h1>h{n}</h1><p>{own}</p></div>"),
            _ => format!("<table><tr><td>Cart<td>Till</table><form><p>{own}</p></form>"),
        }
    };
    (0..pages).map(|n| (url(0, n), page(n))).collect()
}

#[test]
fn clusters_by_description_length() {
    let mut pages = two_templates(12);
    let clusters = |pages: &[(String, String)], jobs: usize| {
        let mut options = options(jobs, 0);
        options.duplicates = None;
        options.clusters = Some(ClusterBy::Mdl(MdlParams::default()));
        let survey = survey(&mut Pages::new(pages).open(), &options).unwrap();
        assert_eq!(survey.clusters(), Some(2));
        let assigned = |n| survey.assignment("s0.example", page_identity(Some(&url(0, n)), ""));
        (0..12).map(|n| assigned(n).cluster).collect::<Vec<u32>>()
    };
    let expected: Vec<u32> = (0..12).map(|n| n % 2).collect();
    for jobs in [1, 3] {
        assert_eq!(clusters(&pages, jobs), expected);
    }
    // A page that comes again is the same page; of one that has changed the last version counts.
    let again = pages[3..6].to_vec();
    pages[0].1 = pages[1].1.replace("w1", "w0");
    pages.extend(again);
    pages.extend(two_templates(1));
    assert_eq!(clusters(&pages, 2), expected);
}

#[test]
fn clusters_of_pages_as_they_arrive() {
    let file = Pages::new(&two_templates(80));
    let mut first = None;
    for jobs in [1, 3] {
        let mut options = CleanOptions::default();
        (options.arrival, options.jobs) = (true, jobs);
        options.assign = Some(OnlineParams::default());
        let found = cleaned(&file, &options);
        for n in 0..80 {
            assert_eq!(found[&url(0, n)].1, n as u64 / 2 + 1, "{n}");
        }
        assert_eq!(*first.get_or_insert(found.clone()), found);
    }
}

#[test]
fn nothing_to_survey() {
    let file = Pages::new(&[]);
    assert_eq!(survey(&mut file.open(), &options(2, 0)).unwrap().pages(), 0);
    assert!(list(&file, &options(2, 0)).groups.is_empty());
    let blank = ["", " ", "<p></p>", "<script>x</script>"];
    let pages: Vec<_> = (0..)
        .zip(blank)
        .map(|(n, html)| (url(0, n), html.into()))
        .collect();
    let found = list(&Pages::new(&pages), &options(2, 0));
    assert!(found.groups.is_empty());
    assert_eq!(found.summary.flags["no-text"], 4);
}

#[test]
fn senseless_cut_offs_are_refused() {
    let file = Pages::new(&[]);
    let mut params = IMatchParams::default();
    params.lo = 2.0;
    let mut options = options(1, 0);
    options.duplicates = Some(params);
    let error = survey(&mut file.open(), &options).unwrap_err();
    assert!(error.to_string().contains("lo is 2"), "{error}");
}
