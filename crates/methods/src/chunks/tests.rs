//! The test vectors of the specification, and laws for any pages.

use std::collections::BTreeMap;

use proptest::prelude::*;
use unframe_dom::Limits;
use unframe_page::{content_fingerprint, page_identity, visible_texts};
use unframe_site::{Memory, MemoryKind, Sites};

use super::*;

fn page(html: &str) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

fn method(preset: Preset, change: impl FnOnce(&mut ChunkParams)) -> Chunks {
    let mut params = preset.params();
    change(&mut params);
    Chunks::new(params).unwrap()
}

/// What has been learned of the site.
fn known(sites: &Sites) -> &ChunkMemory {
    sites.get("s").unwrap().downcast_ref().unwrap()
}

fn visit(method: &Chunks, sites: &mut Sites, name: &str, html: &str) -> bool {
    let parsed = page(html);
    let view = method.view(&parsed);
    let identity = page_identity(None, name);
    let content = content_fingerprint(parsed.bytes());
    let learn = |memory: &mut dyn Memory, visit: Visit<'_>| {
        method.learn(memory.downcast_mut().unwrap(), &parsed, &view, visit)
    };
    sites
        .visit("s", identity, content, html.len() as u64, learn)
        .unwrap()
}

/// Learns pages, each under its name.
fn learn<'a>(method: &Chunks, pages: impl IntoIterator<Item = (usize, &'a String)>) -> Sites {
    let mut sites = Sites::in_memory(MemoryKind::of::<ChunkMemory>("chunks", 1));
    sites.load("s").unwrap();
    for (name, html) in pages {
        visit(method, &mut sites, &name.to_string(), html);
    }
    sites
}

fn learn_all(method: &Chunks, pages: &[String]) -> ChunkMemory {
    let sites = learn(method, pages.iter().enumerate());
    known(&sites).clone()
}

/// The texts that are template.
fn template(method: &Chunks, memory: &ChunkMemory, html: &str) -> Vec<String> {
    let page = page(html);
    let labels = method.label(memory, &method.view(&page));
    let template = labels
        .texts
        .iter()
        .filter(|text| text.label == Label::Template);
    template
        .map(|text| page.dom().text(text.node).to_string())
        .collect()
}

/// A table's number, a key, and the bytes under it.
type Row = (u8, u128, Vec<u8>);

/// Everything that a memory would store, to compare states.
fn state(memory: &ChunkMemory) -> (Vec<u8>, Vec<Row>) {
    let mut rows = Vec::new();
    memory.rows(&mut |table, key, row| rows.push((table, key.0, row.unwrap().to_vec())));
    (memory.head(), rows)
}

/// The counts, without the excerpts for users.
fn counts(memory: &ChunkMemory) -> (u64, u64, BTreeMap<u128, Counted>) {
    let table = memory.table().map(|(key, row)| (key.0, row)).collect();
    (memory.pages(), memory.counted_pages(), table)
}

const TWICE: &str = "<table><tr><td>x</td></tr></table><table><tr><td>x</td></tr></table>";

#[test]
fn a_chunk_counts_once_a_page_and_goes_twice() {
    let method = method(Preset::Ma2003a, |_| ());
    let mut pages = vec![TWICE.to_string(); 4];
    let key = method.view(&page("x")).chunks[0].key;
    let memory = learn_all(&method, &pages);
    assert_eq!(memory.df(key), 4);
    assert_eq!(memory.len(), 1);
    assert_eq!(template(&method, &memory, TWICE), ["x", "x"]);
    assert_eq!(
        template(&method, &learn_all(&method, &pages[1..]), TWICE),
        [""; 0]
    );
    // A fifth page has it once; before the first table it is the same chunk.
    pages.push("<table><tr><td>x</td></tr></table>".into());
    assert_eq!(learn_all(&method, &pages).df(key), 5);
    pages.push("x<table><tr><td>y</td></tr></table>".into());
    assert_eq!(learn_all(&method, &pages).df(key), 6);
}

#[test]
fn the_path_tells_chunks_apart_if_asked() {
    let pages: Vec<String> = ["<p>x", "<p>x", "<div>x</div>", "<div>x</div>"]
        .map(String::from)
        .into();
    for (key, removed) in [(ChunkKey::Text, 1), (ChunkKey::Path, 0)] {
        let method = method(Preset::Modern, |params| params.key = key);
        let memory = learn_all(&method, &pages);
        assert_eq!(
            template(&method, &memory, &pages[0]).len(),
            removed,
            "{key}"
        );
    }
}

#[test]
fn presets_divide_as_their_papers_do() {
    let html = |n: usize| {
        format!(
            "<p>Home<map>Plan</map>Shop <img src=fish.gif alt='{n}'></p><p>own {n}</p>\
             <table><tr><td>Imprint</td></tr></table>"
        )
    };
    let pages: Vec<_> = (0..4).map(html).collect();
    for (preset, expected) in [
        (Preset::Ma2003a, &["Imprint"][..]),
        (Preset::Ma2003b, &["Home", "Plan", "Imprint"]),
        (Preset::Modern, &["Home", "Plan", "Shop ", "Imprint"]),
    ] {
        let method = method(preset, |_| ());
        let memory = learn_all(&method, &pages);
        assert_eq!(template(&method, &memory, &pages[1]), expected, "{preset}");
    }
}

#[test]
fn image_texts_make_chunks_differ() {
    let html = |n: usize| format!("Home <img src='fish{n}.gif'><table><tr><td>own {n}</table>");
    let pages: Vec<_> = (0..4).map(html).collect();
    for (images, expected) in [(true, &[][..]), (false, &["Home "])] {
        let method = method(Preset::Ma2003a, |params| params.images = images);
        let memory = learn_all(&method, &pages);
        assert_eq!(template(&method, &memory, &pages[0]), expected);
    }
}

#[test]
fn a_share_grows_with_the_site() {
    let method = method(Preset::Modern, |params| {
        params.threshold = Threshold::Share(0.5)
    });
    let html = |n: usize| format!("<p>{}</p><p>own {n}", if n < 3 { "menu" } else { "other" });
    let pages: Vec<_> = (0..7).map(html).collect();
    // On 3 of 6 pages the menu is frame; on 3 of 7 it is not.
    let six = learn_all(&method, &pages[..6]);
    assert_eq!(template(&method, &six, &pages[0]), ["menu"]);
    let seven = learn_all(&method, &pages);
    assert_eq!(template(&method, &seven, &pages[0]), [""; 0]);
}

#[test]
fn labels_say_why() {
    let method = method(Preset::Modern, |_| ());
    let memory = learn_all(&method, &vec!["<p>Home <b>About</b>".to_string(); 5]);
    let labels = method.label(&memory, &method.view(&page("<p>Home <b>About</b>")));
    let expected = Reason::ChunkDf {
        df: 5,
        threshold: 4,
        pages: 5,
        length: 10,
        texts: 2,
    };
    assert_eq!(labels.reasons, [expected]);
    assert_eq!(memory.top_texts(9)[0].0, "Home About");
}

#[test]
fn a_sample_sees_so_many_pages() {
    let method = method(Preset::Modern, |params| params.sample = Some(6));
    let html = |n: usize| format!("<p>menu</p><p>own {n}");
    let pages: Vec<_> = (0..40).map(html).collect();
    let memory = learn_all(&method, &pages);
    assert_eq!((memory.pages(), memory.counted_pages()), (40, 6));
    assert_eq!(memory.len(), 7, "the menu and six pages' own");
    assert_eq!(template(&method, &memory, &pages[0]), ["menu"]);
    let other = self::method(Preset::Modern, |params| {
        (params.sample, params.seed) = (Some(6), 1)
    });
    assert_ne!(counts(&learn_all(&other, &pages)), counts(&memory));
    // Fewer pages than the sample: all are counted.
    let few = learn_all(&method, &pages[..5]);
    let all = self::method(Preset::Modern, |_| ());
    assert_eq!(counts(&few), counts(&learn_all(&all, &pages[..5])));
}

#[test]
fn parameters_are_checked() {
    let fails = |change: fn(&mut ChunkParams)| {
        let mut params = ChunkParams::default();
        change(&mut params);
        Chunks::new(params).unwrap_err().to_string()
    };
    assert_eq!(
        fails(|p| p.threshold = Threshold::Pages(1)),
        "threshold is 1, but must be at least 2"
    );
    for share in [0.0, -1.0, 1.01, f64::NAN] {
        let params = ChunkParams {
            threshold: Threshold::Share(share),
            ..ChunkParams::default()
        };
        let error = Chunks::new(params).unwrap_err().to_string();
        assert!(error.contains("above 0% and at most 100%"), "{error}");
    }
    assert!(fails(|p| p.sample = Some(3)).starts_with("sample is 3, but must be at least the"));
    assert!(fails(|p| p.sample = Some(0)).starts_with("sample is 0"));
}

#[test]
fn damaged_rows_are_refused() {
    let mut memory = ChunkMemory::default();
    for (table, row) in [(0, vec![]), (0, vec![0; 8]), (1, vec![0; 17]), (2, vec![])] {
        assert!(
            memory.load(table, Default::default(), &row).is_err(),
            "{table} {row:?}"
        );
    }
    let bad_text = [1, 0, 0, 0, 1, 0, 0, 0, 0xff];
    assert!(memory.load(0, Default::default(), &bad_text).is_err());
    assert!(memory.load_head(&[0; 15]).is_err());
}

/// Pages made of a few texts, so that they share chunks.
fn pages(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    let part = "(<table><tr><td>)?(Home|About|[a-d]|<p>[a-c]|<img alt=[a-b]>){1,2}(</table>)?";
    let part = proptest::string::string_regex(part).unwrap();
    let page = proptest::collection::vec(part, 0..5).prop_map(|parts| parts.concat());
    proptest::collection::vec(page, count)
}

/// Any method, with or without a sample.
fn methods(sample: bool) -> impl Strategy<Value = Chunks> {
    let most = if sample { 6u32 } else { 1 };
    (0..3usize, 2..4u32, any::<bool>(), 0..most, 0..3u64).prop_map(
        |(preset, threshold, path, sample, seed)| {
            method(Preset::ALL[preset], |params| {
                params.threshold = Threshold::Pages(threshold);
                params.key = if path { ChunkKey::Path } else { ChunkKey::Text };
                params.sample = (sample > 0).then_some(threshold + sample - 1);
                params.seed = seed;
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The counts are those of the printed algorithm: a map from chunk texts to pages.
    #[test]
    fn counts_are_those_of_the_paper(pages in pages(0..12)) {
        let method = method(Preset::Ma2003a, |_| ());
        let mut map: BTreeMap<String, (u32, usize)> = BTreeMap::new();
        for (number, html) in pages.iter().enumerate() {
            let page = page(html);
            for chunk in &method.view(&page).chunks {
                let text = chunk.excerpt(page.dom(), true, usize::MAX);
                let (df, last) = map.entry(text).or_insert((0, usize::MAX));
                if *last != number {
                    (*df, *last) = (*df + 1, number);
                }
            }
        }
        let mut expected: Vec<u32> = map.into_values().map(|(df, _)| df).collect();
        let mut found: Vec<u32> = learn_all(&method, &pages).table().map(|(_, row)| row.df).collect();
        expected.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }

    /// Every visible text has exactly one label, in order, with a reason that is used.
    #[test]
    fn every_text_has_one_label(method in methods(true), pages in pages(1..9)) {
        let memory = learn_all(&method, &pages);
        for html in &pages {
            let page = page(html);
            let labels = method.label(&memory, &method.view(&page));
            let nodes: Vec<_> = labels.texts.iter().map(|text| text.node).collect();
            let visible: Vec<_> = visible_texts(page.dom()).collect();
            prop_assert_eq!(nodes, visible);
            let mut used: Vec<_> = labels.texts.iter().map(|text| text.reason).collect();
            used.dedup();
            prop_assert_eq!(used, (0..labels.reasons.len() as u32).collect::<Vec<_>>());
        }
    }

    /// The order of pages does not matter, down to the bytes that are stored.
    #[test]
    fn order_is_irrelevant(method in methods(true), pages in pages(1..14), by in 0usize..14) {
        let named: Vec<_> = pages.iter().enumerate().collect();
        let forward = learn(&method, named.clone());
        let backward = learn(&method, named.iter().rev().copied());
        let by = by % named.len();
        let turned = learn(&method, named[by..].iter().chain(&named[..by]).copied());
        let first = state(known(&forward));
        prop_assert_eq!(&state(known(&backward)), &first);
        prop_assert_eq!(&state(known(&turned)), &first);
    }

    /// Learning and unlearning a page leaves no trace.
    #[test]
    fn unlearning_undoes_learning(method in methods(false), pages in pages(1..12)) {
        let (last, rest) = pages.split_last().unwrap();
        let mut sites = learn(&method, rest.iter().enumerate());
        let before = counts(known(&sites));
        visit(&method, &mut sites, "last", last);
        prop_assert!(sites.forget("s", page_identity(None, "last")).unwrap());
        prop_assert_eq!(counts(known(&sites)), before);
    }

    /// Learning the same page again changes nothing; a changed page replaces its earlier version.
    #[test]
    fn a_changed_page_replaces_itself(method in methods(true), pages in pages(1..12), again in 0usize..12, changed in "[a-d]{1,3}") {
        let mut sites = learn(&method, pages.iter().enumerate());
        let again = again % pages.len();
        prop_assert!(!visit(&method, &mut sites, &again.to_string(), &pages[again]));
        prop_assert_eq!(state(known(&sites)), state(&learn_all(&method, &pages)));
        prop_assume!(changed != pages[again]);
        prop_assert!(visit(&method, &mut sites, &again.to_string(), &changed));
        let mut replaced = pages.clone();
        replaced[again] = changed;
        prop_assert_eq!(state(known(&sites)), state(&learn_all(&method, &replaced)));
    }

    /// Merging two states gives the counts, and the sample, of learning both.
    #[test]
    fn merging_adds_up(method in methods(true), pages in pages(2..20), split in 1usize..19) {
        let named: Vec<_> = pages.iter().enumerate().collect();
        let (a, b) = named.split_at(split % named.len());
        let mut merged = known(&learn(&method, a.to_vec())).clone();
        merged.merge(known(&learn(&method, b.to_vec())).clone());
        prop_assert_eq!(counts(&merged), counts(&learn_all(&method, &pages)));
    }

    /// Stored data is restored exactly, whether written as a whole or change by change.
    #[test]
    fn states_survive_storing(method in methods(true), pages in pages(1..12)) {
        let mut rows: BTreeMap<(u8, u128), Vec<u8>> = BTreeMap::new();
        let mut memory = ChunkMemory::default();
        for (number, html) in pages.iter().enumerate() {
            let page = page(html);
            let identity = page_identity(None, &number.to_string());
            method.learn(&mut memory, &page, &method.view(&page), Visit::first(identity));
            memory.take_changes(&mut |table, key, row| {
                match row {
                    Some(row) => rows.insert((table, key.0), row.to_vec()),
                    None => rows.remove(&(table, key.0)),
                };
            });
        }
        let mut loaded = ChunkMemory::default();
        loaded.load_head(&memory.head()).unwrap();
        for ((table, key), row) in rows {
            loaded.load(table, unframe_page::Fingerprint(key), &row).unwrap();
        }
        prop_assert_eq!(state(&loaded), state(&memory));
    }
}
