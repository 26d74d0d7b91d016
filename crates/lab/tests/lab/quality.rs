//! Pins the quality of `auto` and of the papers' methods on the demo sites, and that `bench` scores
//! what the library keeps.
//!
//! The scores are in `quality.json`; `UNFRAME_UPDATE=1` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use unframe::page::{file_url, page_identity};
use unframe::rules::{Observed, Outline, RuleSet, SiteRules};
use unframe::{MethodSpec, Overrides, Site};
use unframe_eval::{Corpus, GoldBags};

use crate::args;
use crate::harness::*;

/// `auto`, and the method of each paper.
const METHODS: [&str; 8] = [
    "auto",
    "auto:favor=precision",
    "auto:favor=recall",
    "chunks:preset=ma-2003a",
    "chunks:preset=ma-2003b",
    "stream",
    "mdl",
    "links",
];

const COLUMNS: [&str; 3] = ["p", "r", "f1"];

/// By method and column, rounded to three decimals.
type Scores = BTreeMap<String, BTreeMap<String, f64>>;

#[test]
fn quality_on_the_demo_sites_is_as_pinned() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/lab/quality.json");
    let found = scores(&root.join("../../demo"));
    if std::env::var_os("UNFRAME_UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&found).unwrap() + "\n";
        fs::write(&file, text).unwrap();
        return;
    }
    let pinned: Scores = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let moved = moves(&pinned, &found);
    assert!(
        moved.is_empty(),
        "quality on the demo sites has moved; if that is meant, run with UNFRAME_UPDATE=1:\n{}",
        moved.join("\n")
    );
}

/// `favor` refers to the kept text, as P and R of `bench` do.
#[test]
fn what_is_favored_is_what_bench_measures() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    for remove in ["template", "boilerplate"] {
        let score = |favor: &str| {
            let method = format!("auto:remove={remove},favor={favor}");
            let done = run(args!["bench", demo, "--json", "-m", method]).expect(0);
            let rows: Value = serde_json::from_slice(&done.stdout).expect("one JSON document");
            let column = |name: &str| rows[0][name].as_f64().expect("a score");
            (column("p"), column("r"))
        };
        let [(p, r), (usual_p, usual_r), (less_p, more_r)] =
            ["precision", "balance", "recall"].map(score);
        assert!(p >= usual_p && usual_p > less_p, "{p} {usual_p} {less_p}");
        assert!(r <= usual_r && usual_r <= more_r, "{r} {usual_r} {more_r}");
    }
}

fn scores(corpus: &Path) -> Scores {
    let flags: Vec<&str> = METHODS.iter().flat_map(|method| ["-m", *method]).collect();
    let done = run(with(&args!["bench", corpus, "--json"], &flags)).expect(0);
    let rows: Vec<Value> = serde_json::from_slice(&done.stdout).expect("one JSON document");
    let column = |row: &Value, name: &str| {
        let value = row[name].as_f64();
        let value = value.unwrap_or_else(|| panic!("no {name}: {row}"));
        (name.to_string(), (1e3 * value).round() / 1e3)
    };
    let row = |row: &Value| {
        let columns = COLUMNS.iter().map(|name| column(row, name));
        (row["method"].as_str().unwrap().into(), columns.collect())
    };
    rows.iter().map(row).collect()
}

/// Every score that differs: `auto: f1 moved from 0.951 to 0.948`.
fn moves(pinned: &Scores, found: &Scores) -> Vec<String> {
    let score = |of: &Scores, method: &str, column: &str| {
        let score = of.get(method).and_then(|columns| columns.get(column));
        score.map_or("none".into(), |score| format!("{score:.3}"))
    };
    let mut methods: Vec<&String> = pinned.keys().chain(found.keys()).collect();
    methods.sort();
    methods.dedup();
    let mut moves = Vec::new();
    for method in methods {
        for column in COLUMNS {
            let (was, is) = (score(pinned, method, column), score(found, method, column));
            if was != is {
                moves.push(format!("  {method}: {column} moved from {was} to {is}"));
            }
        }
    }
    moves
}

#[test]
fn moves_name_the_method_and_both_scores() {
    let scores = |f1: f64| -> Scores {
        let columns = [("p", 0.9), ("r", 0.8), ("f1", f1)];
        let columns = columns.map(|(name, value)| (name.to_string(), value));
        [("auto".to_string(), columns.into())].into()
    };
    assert_eq!(moves(&scores(0.85), &scores(0.85)), [""; 0]);
    assert_eq!(
        moves(&scores(0.85), &scores(0.84)),
        ["  auto: f1 moved from 0.850 to 0.840"]
    );
    assert_eq!(moves(&scores(0.85), &Scores::new()).len(), 3);
}

/// The owner of the site has marked a note that no method would take for frame: it is different on
/// every page.
#[test]
fn bench_obeys_marks_of_the_owner_as_the_library_does() {
    let folder = Folder::new();
    let names: Vec<String> = (0..6).map(|n| format!("{n}.html")).collect();
    let note =
        |n: usize| format!("Note{n} for editors{n}: check{n} spelling{n} before{n} print{n}");
    let html = |n: usize| {
        let marked = format!("</h1><div data-nosnippet>{}</div>", note(n));
        page(n).replace("</h1>", &marked)
    };
    for (n, name) in names.iter().enumerate() {
        folder.write(format!("set/notes/pages/{name}"), html(n));
        let gold = format!("{{\"content\": \"Headline {n}\"}}");
        folder.write(format!("set/notes/gold/{name}.json"), gold);
    }
    for method in ["auto", "stream", "text"] {
        let out = folder.path(format!("texts-{method}"));
        let set = folder.path("set");
        run(args!["bench", set, "-m", method, "--texts", out]).expect(0);
        let mut kept = tree(&out);

        let spec: MethodSpec = method.parse().unwrap();
        let mut site = Site::with_method(&spec);
        let url = |name: &str| file_url("notes", name.as_ref());
        for (n, name) in names.iter().enumerate() {
            site.learn(&url(name), html(n)).unwrap();
        }
        for (n, name) in names.iter().enumerate() {
            let file = format!("{method}/set/notes/{name}.txt");
            let kept = kept.remove(&file).unwrap_or_else(|| panic!("no {file}"));
            let kept = String::from_utf8(kept).unwrap();
            assert_eq!(
                kept,
                site.label(&url(name), html(n)).text(),
                "{method} {name}"
            );
            assert!(
                kept.contains(&format!("Headline {n}")),
                "{method} {name}: {kept}"
            );
            // The method that keeps everything keeps marked texts, too.
            let keeps_notes = method == "text";
            assert_eq!(
                kept.contains(&note(n)),
                keeps_notes,
                "{method} {name}: {kept}"
            );
        }
    }
}

/// The rules of a demo site alone clean it nearly as well as the method that they imitate.
#[test]
fn rules_clean_the_demo_sites_as_auto_does() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    let corpus = Corpus::open(&demo).expect("the demo sites can be read");
    let sites: Vec<_> = corpus.sets.iter().flat_map(|set| &set.sites).collect();
    assert_eq!(sites.len(), 3);
    for demo in sites {
        let mut site = Site::new();
        let pages: Vec<(String, Vec<u8>)> = demo
            .pages
            .iter()
            .map(|page| (page.id.clone(), fs::read(&page.path).unwrap()))
            .collect();
        for (url, html) in &pages {
            site.learn(url, html.clone()).unwrap();
        }
        let mut observed = Observed::default();
        for (url, html) in &pages {
            let clean = site.label(url, html.clone());
            let outline = Outline::new(clean.page().dom(), clean.labels());
            observed.add(page_identity(Some(url), url), outline);
        }
        let rules = observed.rules();
        let section = SiteRules {
            keep: rules.keep,
            remove: rules.remove,
            ..SiteRules::default()
        };
        let rules = RuleSet {
            sections: vec![section],
        };
        // By way of the file, as people use them.
        let rules = RuleSet::parse(&rules.to_css()).unwrap();
        let mut by_rules = Site::with_method(&"text".parse::<MethodSpec>().unwrap());
        by_rules.set_overrides(Overrides {
            rules: Some(Arc::new(rules)),
            ..Overrides::default()
        });
        let f1 = |site: &Site| {
            let scores = demo
                .pages
                .iter()
                .zip(&pages)
                .filter_map(|(page, (url, html))| {
                    let gold = GoldBags::read(page).unwrap()?;
                    gold.score(&site.label(url, html.clone()).text()).f1
                });
            let scores: Vec<f64> = scores.collect();
            scores.iter().sum::<f64>() / scores.len() as f64
        };
        let (auto, rules) = (f1(&site), f1(&by_rules));
        println!(
            "{}: F1 of auto {auto:.4}, of its rules {rules:.4}",
            demo.name
        );
        assert!(rules >= auto - 0.01, "{}: {rules} {auto}", demo.name);
    }
}
