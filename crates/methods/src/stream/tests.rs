//! The paper's rules on small pages, and laws for any pages.

use proptest::prelude::*;
use unframe_dom::Limits;
use unframe_page::Separators;
use unframe_page::{Page, content_fingerprint, page_identity};
use unframe_site::{Memory, MemoryKind, Sites};

use super::*;
use crate::rows::short;

fn page(html: &str) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

fn method(change: impl FnOnce(&mut StreamParams)) -> Stream {
    let mut params = StreamParams::default();
    change(&mut params);
    Stream::new(params).unwrap()
}

/// What has been learned of the site; of none nothing.
fn known_or_empty(sites: &Sites) -> StreamMemory {
    let memory = sites.get("s").and_then(|memory| memory.downcast_ref());
    memory.cloned().unwrap_or_default()
}

/// What has been learned of the site.
fn known(sites: &Sites) -> &StreamMemory {
    sites.get("s").unwrap().downcast_ref().unwrap()
}

/// Learns pages one by one under the names `0`, `1`, …
fn learn(method: &Stream, pages: &[String]) -> Sites {
    let mut sites = Sites::in_memory(MemoryKind::of::<StreamMemory>("stream", 1));
    for (number, html) in pages.iter().enumerate() {
        visit(method, &mut sites, &number.to_string(), html);
    }
    sites
}

fn visit(method: &Stream, sites: &mut Sites, name: &str, html: &str) -> bool {
    let parsed = page(html);
    let view = method.view(&parsed);
    let identity = page_identity(None, name);
    let content = content_fingerprint(parsed.bytes());
    sites
        .visit(
            "s",
            identity,
            content,
            html.len() as u64,
            |memory, visit| method.learn(memory.downcast_mut().unwrap(), &parsed, &view, visit),
        )
        .unwrap()
}

/// The texts that are template in the final state.
fn template(method: &Stream, memory: &StreamMemory, html: &str) -> Vec<String> {
    let page = page(html);
    let labels = method.label(memory, &method.view(&page));
    labels
        .texts
        .iter()
        .filter(|text| text.label == Label::Template)
        .map(|text| page.dom().text(text.node).to_string())
        .collect()
}

/// All rows of a memory, to compare states.
fn rows(memory: &StreamMemory) -> Vec<(u128, Vec<u8>)> {
    let mut found = Vec::new();
    memory.rows(&mut |_, key, row| found.push((key.0, row.unwrap().to_vec())));
    found
}

fn menu(n: usize) -> String {
    format!("<div>Home | About</div><div>article {n}</div>")
}

#[test]
fn five_pages_make_a_template() {
    let method = method(|_| ());
    let pages: Vec<_> = (0..4).map(menu).collect();
    let sites = learn(&method, &pages);
    assert_eq!(template(&method, known(&sites), &pages[0]), [""; 0]);
    let pages: Vec<_> = (0..5).map(menu).collect();
    let sites = learn(&method, &pages);
    assert_eq!(
        template(&method, known(&sites), &pages[0]),
        ["Home | About"]
    );
}

#[test]
fn a_segment_counts_once_a_page() {
    let method = method(|_| ());
    let twice = "<p>x</p><p>x</p>".to_string();
    let pages: Vec<_> = (0..4).map(|n| format!("{twice}{n}")).collect();
    let sites = learn(&method, &pages);
    let memory = known(&sites);
    let view = method.view(&page(&twice));
    assert_eq!(memory.df(view.segments[0].key), 4);
}

#[test]
fn the_ratio_must_be_exceeded() {
    // 7 of 10 characters is not more than 0.7; 71 of 100 is.
    for (repeated, own, expected) in [(7, 3, false), (71, 29, true), (91, 39, false)] {
        let method = method(|_| ());
        let pages: Vec<_> = (0..5)
            .map(|n| {
                format!(
                    "<div>{}<b>{}</b></div>",
                    "r".repeat(repeated),
                    format!("{n}").repeat(own)
                )
            })
            .collect();
        let sites = learn(&method, &pages);
        let found = template(&method, known(&sites), &pages[0]);
        assert_eq!(
            !found.is_empty(),
            expected,
            "{repeated} of {}",
            repeated + own
        );
    }
}

#[test]
fn separators_decide_what_goes_together() {
    let html = |n: usize| format!("<ul><li>Home</ul><p>own words of page {n}, and more of them");
    let pages: Vec<_> = (0..5).map(html).collect();
    let faithful = method(|_| ());
    let sites = learn(&faithful, &pages);
    assert_eq!(template(&faithful, known(&sites), &pages[0]), [""; 0]);
    let modern = method(|params| params.separators = Separators::modern());
    assert_eq!(template(&modern, known(&sites), &pages[0]), ["Home"]);
}

#[test]
fn what_is_not_seen_is_dropped_in_time() {
    let method = method(|params| (params.tb, params.n) = (10.0, 10.0));
    let mut sites = Sites::in_memory(MemoryKind::of::<StreamMemory>("stream", 1));
    // Seen on pages 98, 99 and 100, then never again: df 3 lives 45 pages.
    for n in 1..=150 {
        let mark = if (98..=100).contains(&n) {
            "<i>mark</i>"
        } else {
            ""
        };
        visit(
            &method,
            &mut sites,
            &n.to_string(),
            &format!("{mark}page {n}"),
        );
        let key = method.view(&page("<i>mark</i>")).segments[0].key;
        let alive = known(&sites).df(key) > 0;
        assert_eq!(alive, (98..=145).contains(&n), "page {n}");
    }
    // Each page's own text lives 10 pages longer.
    assert_eq!(known(&sites).len(), 11);
}

#[test]
fn average_size_is_taken_when_pages_come() {
    let method = method(|_| ());
    let sites = learn(&method, &["a".into(), "b".into(), "<p>c<p>d".into()]);
    let rows = (1 + 2 + 4) as f64 / 3.0;
    assert_eq!(known(&sites).average_size(), rows * 32.0);
}

#[test]
fn parameters_are_checked() {
    let fails = |change: fn(&mut StreamParams)| {
        let mut params = StreamParams::default();
        change(&mut params);
        Stream::new(params).unwrap_err().to_string()
    };
    assert_eq!(fails(|p| p.df = 1), "df is 1, but must be at least 2");
    assert_eq!(
        fails(|p| p.ratio = 1.0),
        "ratio is 1, but must be between 0 and 1"
    );
    assert_eq!(
        fails(|p| p.ratio = f64::NAN),
        "ratio is NaN, but must be between 0 and 1"
    );
    assert!(fails(|p| p.tb = 0.0).starts_with("tb is 0"));
    assert!(fails(|p| p.n = 0.5).starts_with("n is 0.5"));
}

#[test]
fn the_page_number_does_not_overflow() {
    let mut memory = StreamMemory::default();
    memory
        .load_head(
            &[(1u64 << 63), u64::MAX, 7, 0]
                .map(u64::to_le_bytes)
                .concat(),
        )
        .unwrap();
    let method = method(|_| ());
    let page = page("x");
    method.learn(
        &mut memory,
        &page,
        &method.view(&page),
        Visit::first(page_identity(None, "x")),
    );
    assert_eq!(memory.pages(), (1 << 63) + 1);
    assert!(memory.average_size().is_finite());
}

/// Pages made of a few texts, so that they share segments.
fn pages(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    let block = "<div>(Home|About|Terms|[a-d]|<b>[a-c]</b>[x-z]){1,3}</div>";
    let block = proptest::string::string_regex(block).unwrap();
    let page = proptest::collection::vec(block, 0..5).prop_map(|blocks| blocks.concat());
    proptest::collection::vec(page, count)
}

/// The paper's table in a straightforward implementation: scanned completely after each page.
fn oracle(pages: &[String], tb: f64, n: f64) -> Vec<(u128, u32, u64)> {
    let method = method(|_| ());
    let mut table: std::collections::BTreeMap<u128, (u32, u64)> = Default::default();
    for (number, html) in (1..).zip(pages) {
        let mut keys: Vec<_> = method
            .view(&page(html))
            .segments
            .iter()
            .map(|s| short(s.key).0)
            .collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let row = table.entry(key).or_default();
            *row = (row.0 + 1, number);
        }
        table.retain(|_, (df, last)| (number - *last) as f64 <= lifetime(*df, tb, n));
    }
    table
        .into_iter()
        .map(|(key, (df, last))| (key, df, last))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_lazy_queue_drops_what_a_full_scan_drops(pages in pages(0..60), tb in 1.0..8.0f64, n in 1.0..4.0f64) {
        let method = method(|params| (params.tb, params.n) = (tb, n));
        let sites = learn(&method, &pages);
        let found: Vec<_> = sites.get("s").map(|_| {
            let memory = known(&sites);
            let mut found: Vec<_> = memory.table().map(|(k, r)| (k.0, r.df, r.last)).collect();
            found.sort_unstable();
            found
        }).unwrap_or_default();
        prop_assert_eq!(found, oracle(&pages, tb, n));
    }

    /// Law 1: every visible text has exactly one label, in order, with a reason.
    #[test]
    fn every_text_has_one_label(pages in pages(1..9)) {
        let method = method(|params| params.df = 2);
        let sites = learn(&method, &pages);
        for html in &pages {
            let page = page(html);
            let labels = method.label(known(&sites), &method.view(&page));
            let nodes: Vec<_> = labels.texts.iter().map(|text| text.node).collect();
            let visible: Vec<_> = unframe_page::visible_texts(page.dom()).collect();
            prop_assert_eq!(nodes, visible);
            prop_assert!(labels.texts.iter().all(|text| (text.reason as usize) < labels.reasons.len()));
        }
    }

    /// Law 4: learning the same page again changes nothing; a changed page replaces its earlier
    /// version.
    #[test]
    fn seeing_a_page_again_changes_nothing(pages in pages(1..12), again in 0usize..12, changed in "[a-d]{1,3}") {
        let method = method(|_| ());
        let mut sites = learn(&method, &pages);
        let again = again % pages.len();
        let before = rows(known(&sites));
        prop_assert!(!visit(&method, &mut sites, &again.to_string(), &pages[again]));
        prop_assert_eq!(&rows(known(&sites)), &before);

        prop_assume!(changed != pages[again]);
        prop_assert!(visit(&method, &mut sites, &again.to_string(), &changed));
        let mut replaced = pages.clone();
        replaced[again] = changed;
        let fresh = learn(&method, &replaced);
        let counts = |memory: &StreamMemory| {
            let mut found: Vec<_> = memory.table().map(|(k, r)| (k.0, r.df)).collect();
            found.sort_unstable();
            (memory.pages(), found)
        };
        prop_assert_eq!(counts(known(&sites)), counts(known(&fresh)));
    }

    /// A page that is forgotten leaves no trace in the counts.
    #[test]
    fn forgetting_undoes_learning(pages in pages(2..12)) {
        let method = method(|_| ());
        let (last, rest) = pages.split_last().unwrap();
        let mut sites = learn(&method, rest);
        let before: Vec<_> = rows(known(&sites)).into_iter().map(|(k, r)| (k, r[..4].to_vec())).collect();
        visit(&method, &mut sites, "last", last);
        prop_assert!(sites.forget("s", page_identity(None, "last")).unwrap());
        let after: Vec<_> = rows(known(&sites)).into_iter().map(|(k, r)| (k, r[..4].to_vec())).collect();
        prop_assert_eq!(before, after);
    }

    /// Law 2 as far as it holds here: while nothing expires, merging two states gives the
    /// frequencies of learning both.
    #[test]
    fn merging_adds_up(pages in pages(2..20), split in 1usize..19) {
        let method = method(|params| params.tb = 1e6);
        let (a, b) = pages.split_at(split % pages.len());
        let both = learn(&method, &pages);
        let mut merged = known_or_empty(&learn(&method, a));
        merged.merge(known(&learn(&method, b)).clone());
        let counts = |memory: &StreamMemory| {
            let mut found: Vec<_> = memory.table().map(|(k, r)| (k.0, r.df, r.length)).collect();
            found.sort_unstable();
            (memory.pages(), found)
        };
        prop_assert_eq!(counts(&merged), counts(known(&both)));
    }
}
