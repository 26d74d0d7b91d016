//! When the pages of a site no longer fit what was learned about it.

use std::path::PathBuf;

use serde_json::Value;

use crate::args;
use crate::harness::*;

/// Page `n` in the design after the one of [`page`].
fn redesigned(n: usize) -> String {
    let words: Vec<String> = (0..30).map(|at| format!("new{n}x{at}")).collect();
    format!(
        "<!doctype html><meta charset=utf-8><title>{n}</title><main class=wide><article>\
         <h2>Title {n}</h2><section class=body><span>{}</span></section></article></main>\
         <aside class=rail><b>{HEAD}</b></aside>",
        words.join(" ")
    )
}

fn write(folder: &Folder, name: &str, pages: std::ops::Range<usize>, new: bool) -> PathBuf {
    for n in pages {
        let html = match new {
            true => redesigned(n),
            false => page(n),
        };
        folder.write(format!("{name}/p{n:03}.html"), html);
    }
    folder.path(name)
}

fn flagged(records: &[Value]) -> Vec<String> {
    let is_flagged = |record: &&Value| {
        let flags = record["flags"].as_array().unwrap();
        flags.iter().any(|flag| flag == "drift")
    };
    let named = records.iter().filter(is_flagged);
    named
        .map(|record| record["url"].as_str().unwrap().to_string())
        .collect()
}

#[test]
fn a_redesign_is_told_from_what_a_state_knows() {
    let folder = Folder::new();
    let (old, more) = (
        write(&folder, "old", 0..12, false),
        write(&folder, "more", 12..18, false),
    );
    let new = write(&folder, "new", 20..28, true);
    let state = folder.path("s.unframe");
    let clean = |site: &PathBuf, more: &[&str]| {
        let all = args![
            "clean",
            site,
            "--site-name",
            "s",
            "--state",
            state,
            "--fail-on-drift"
        ];
        run(with(&all, more))
    };
    let first = clean(&old, &[]).expect(0);
    assert!(flagged(&first.records()).is_empty());
    assert!(flagged(&clean(&more, &[]).expect(0).records()).is_empty());
    let drifted = clean(&new, &[]).expect(3).says(&[
        "drift: s: 8 pages do not fit what was learned, starting with page 19 (",
        "p020.html): 0 % of their text is at known places, 100 % before",
        "8 drift",
    ]);
    assert_eq!(flagged(&drifted.records()).len(), 8);
    let shown = run(args!["state", "show", state]).expect(0);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("s: versions of its template"), "{shown}");
    assert!(
        shown.contains("      18  version 1, since page 1 ("),
        "{shown}"
    );
    assert!(
        shown.contains("       8  version 2, since page 19 ("),
        "{shown}"
    );
    assert_eq!(learned(&state)[0]["templates"][1]["pages"], 8);
    check(&state);
    // Now it is known, and so is the old one; pages that were seen before change nothing.
    let again = write(&folder, "again", 40..50, true);
    clean(&again, &[]).expect(0);
    clean(&old, &[]).expect(0);
    clean(
        &new,
        &["--json", "-o", folder.path("out").to_str().unwrap()],
    )
    .expect(0);
    assert_eq!(learned(&state)[0]["templates"][1]["pages"], 18);
}

#[test]
fn a_redesign_is_told_as_pages_arrive() {
    let folder = Folder::new();
    write(&folder, "site", 0..12, false);
    let site = write(&folder, "site", 12..22, true);
    let all = args!["clean", site, "--arrival", "--fail-on-drift", "--json"];
    let done = run(&all).expect(3);
    // The first four could have been odd pages when they were handed out.
    assert_eq!(flagged(&done.records()).len(), 6);
    let drift = &done.summary()["drift"][0];
    assert_eq!(drift["page_number"], 13);
    assert_eq!(drift["pages"], 10);
    assert!(
        drift["first_page"].as_str().unwrap().ends_with("p012.html"),
        "{drift}"
    );
    assert!(drift["former_fit"].as_f64().unwrap() > 0.7, "{drift}");
    // On any number of threads.
    let single = run(with(&all, &["--jobs", "1"])).expect(3);
    assert_eq!(flagged(&single.records()), flagged(&done.records()));
}

#[test]
fn without_a_past_there_is_nothing_to_drift_from() {
    let folder = Folder::new();
    write(&folder, "site", 0..12, false);
    let site = write(&folder, "site", 12..22, true);
    let plain = run(args!["clean", site, "--json"]).expect(0);
    assert!(flagged(&plain.records()).is_empty());
    assert_eq!(plain.summary()["drift"], serde_json::json!([]));
    run(args!["clean", site, "--fail-on-drift"])
        .expect(2)
        .says(&["--state", "--arrival"]);
}
