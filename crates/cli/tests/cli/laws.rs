//! The laws of the design that a user can see: the same pages give the same answer, however they
//! come.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::args;
use crate::harness::*;

/// More than two batches of the pipeline, so that threads can overtake each other.
const MANY: usize = 300;

fn many_pages(folder: &Folder) -> PathBuf {
    let two_sites = jsonl_site("a.example", 0..MANY) + &jsonl_site("b.example", 0..MANY);
    folder.write("pages.jsonl", two_sites)
}

/// Each of them is a site, and the order does not matter, though their pages are called alike.
#[test]
fn folders_of_one_name_are_sites_of_their_own() {
    let folder = Folder::new();
    for n in 0..6 {
        folder.write(format!("one/pages/{n}.html"), page(n));
        let other = page(n + 6).replace(HEAD, "The museum of lamps");
        folder.write(format!("two/pages/{n}.html"), other);
    }
    let (one, two) = (folder.path("one/pages"), folder.path("two/pages"));
    let cleaned = |inputs: [&Path; 2]| {
        let done = run(args!["clean", inputs[0], inputs[1], "--json"]).expect(0);
        assert_eq!(done.summary()["sites"], 2);
        let mut records = done.records();
        records.sort_by_key(|record| record["source"].to_string());
        records
    };
    let records = cleaned([&one, &two]);
    assert_eq!(records, cleaned([&two, &one]));
    for record in records {
        let text = record["text"].as_str().unwrap();
        assert!(!text.contains(HEAD) && !text.contains("museum"), "{text}");
    }
}

#[test]
fn output_is_in_input_order_and_the_same_for_any_number_of_jobs() {
    let folder = Folder::new();
    let pages = many_pages(&folder);
    for mode in [&[][..], &["--arrival"]] {
        let mut first: Option<(Vec<u8>, Vec<Value>)> = None;
        for jobs in ["1", "2", "7"] {
            let state = folder.path(format!("{jobs}{}.unframe", mode.len()));
            let args = args!["clean", pages, "--jobs", jobs, "--state", state];
            let done = run(with(&args, mode)).expect(0);
            let urls = done
                .records()
                .iter()
                .map(|r| r["url"].clone())
                .collect::<Vec<_>>();
            let hosts = ["a.example", "b.example"];
            let expected = hosts
                .iter()
                .flat_map(|host| (0..MANY).map(move |n| format!("http://{host}/{n}")));
            assert!(urls.into_iter().eq(expected), "{mode:?} {jobs}: order");
            let found = (done.stdout, learned(&state));
            match &first {
                None => first = Some(found),
                Some((output, state)) => {
                    assert!(
                        *output == found.0,
                        "{mode:?}: output with {jobs} jobs differs"
                    );
                    assert_eq!(*state, found.1, "{mode:?}: state with {jobs} jobs differs");
                }
            }
        }
    }
}

#[test]
fn files_are_the_same_for_any_number_of_jobs() {
    let folder = Folder::new();
    let site = folder.site(150);
    let outputs: Vec<_> = ["1", "2", "7"]
        .iter()
        .map(|jobs| {
            let out = folder.path(format!("out{jobs}"));
            run(args!["clean", site, "-o", out, "--jobs", jobs, "-q"]).expect(0);
            tree(&out)
        })
        .collect();
    assert_eq!(outputs[0].len(), 150);
    assert!(outputs[0] == outputs[1] && outputs[1] == outputs[2]);
}

/// Pages of a site that is over are handed out before those of the next are read.
#[test]
fn a_site_among_others_is_cleaned_as_it_is_alone() {
    let folder = Folder::new();
    // Several batches of either site.
    let padding = format!("<!-- {} -->", "x".repeat(400_000));
    for (site, first) in [("ash", 0), ("birch", 100)] {
        for n in first..first + 12 {
            let html = page(n).replace("</body>", &format!("{padding}</body>"));
            folder.write(format!("sites/{site}/{n}.html"), html);
        }
    }
    let alone: Vec<Value> = ["ash", "birch"]
        .into_iter()
        .flat_map(|site| {
            let pages = folder.path(format!("sites/{site}"));
            run(args!["clean", pages, "-q"]).expect(0).records()
        })
        .collect();
    for jobs in ["1", "2"] {
        let sites = folder.path("sites");
        let state = folder.path(format!("{jobs}.unframe"));
        let args = args!["clean", sites, "--site-from", "folder", "-q"];
        let more = [
            "--jobs",
            jobs,
            "--state",
            state.to_str().expect("a plain path"),
        ];
        let records = run(with(&args, &more)).expect(0).records();
        assert_eq!(records, alone);
        let pages = learned(&state)
            .into_iter()
            .map(|site| site["pages"].clone());
        assert_eq!(pages.collect::<Vec<_>>(), [12, 12]);
    }
}

#[test]
fn input_that_cannot_be_read_twice_gives_the_same_output() {
    let folder = Folder::new();
    let pages = many_pages(&folder);
    let from_file = run(args!["clean", pages]).expect(0);
    let from_pipe = run_with_stdin(args!["clean", "-"], &std::fs::read(&pages).unwrap()).expect(0);
    assert_eq!(texts(&from_pipe.records()), texts(&from_file.records()));
}

/// Longer than the lifetime of a text seen once (50 pages), so that dropping is part of the law.
#[test]
fn learning_page_by_page_and_relabelling_equals_one_batch() {
    const PAGES: usize = 60;
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let (one_by_one, batch) = (folder.path("one.unframe"), folder.path("batch.unframe"));
    for n in 0..PAGES {
        let file = site.join(format!("p{n:03}.html"));
        let done = run(args!["clean", file, "--arrival", "--state", one_by_one]).expect(0);
        assert_eq!(done.records()[0]["state_pages"], n + 1);
    }
    let in_batch = run(args!["clean", site, "--state", batch]).expect(0);
    assert_eq!(learned(&one_by_one), learned(&batch));
    let relabelled = run(args!["clean", site, "--state", one_by_one, "--json"]).expect(0);
    assert_eq!(relabelled.summary()["unchanged"], PAGES);
    assert_eq!(relabelled.stdout, in_batch.stdout);
    assert_eq!(check(&one_by_one), PAGES as u64);
}

#[test]
fn labels_at_arrival_are_the_same_in_one_run_and_in_many() {
    let folder = Folder::new();
    let (site, state) = (folder.site(12), folder.path("s.unframe"));
    let together = run(args!["clean", "-mstream", site, "--arrival"])
        .expect(0)
        .records();
    for (n, expected) in together.iter().enumerate() {
        let file = site.join(format!("p{n:03}.html"));
        let alone = run(args![
            "clean",
            "-mstream",
            file,
            "--arrival",
            "--state",
            state
        ])
        .expect(0);
        assert_eq!(alone.records(), std::slice::from_ref(expected));
    }
    // The frame is known from the fifth page on, and not before.
    let has_frame = |record: &Value| record["text"].as_str().unwrap().contains(HEAD);
    let frames: Vec<bool> = together.iter().map(has_frame).collect();
    assert_eq!(frames, [vec![true; 4], vec![false; 8]].concat());
}

#[test]
fn seeing_the_same_pages_again_changes_nothing() {
    let folder = Folder::new();
    let (site, state) = (folder.site(12), folder.path("s.unframe"));
    let first = run(args!["clean", site, "--state", state]).expect(0);
    let known = learned(&state);
    for mode in [&[][..], &["--arrival"], &["--jobs", "1"]] {
        let again = run(with(
            &args!["clean", site, "--state", state, "--json"],
            mode,
        ))
        .expect(0);
        let summary = again.summary();
        assert_eq!(
            (&summary["new"], &summary["unchanged"]),
            (&0.into(), &12.into())
        );
        assert_eq!(learned(&state), known, "{mode:?}");
        assert_eq!(again.stdout, first.stdout, "{mode:?}");
    }
    assert_eq!(check(&state), 12);
}

#[test]
fn a_changed_page_replaces_its_former_self() {
    let folder = Folder::new();
    let (changed, fresh) = (folder.path("changed.unframe"), folder.path("fresh.unframe"));
    let site = folder.site(12);
    run(args!["clean", site, "--state", changed, "-q"]).expect(0);
    // Page 3 loses its story and gets another; page 4 loses its foot as well.
    folder.write("site/p003.html", page(103));
    folder.write("site/p004.html", page(104).replace(FOOT, "no foot today"));
    let done = run(args!["clean", site, "--state", changed, "--json"]).expect(0);
    assert_eq!(done.summary()["changed"], 2);
    let expected = run(args!["clean", site, "--state", fresh]).expect(0);
    assert_eq!(counts(&changed), counts(&fresh));
    assert_eq!(texts(&done.records()), texts(&expected.records()));
    assert_eq!(check(&changed), 12);
}

#[test]
fn a_text_that_too_few_pages_still_have_is_no_longer_shown_as_frame() {
    let folder = Folder::new();
    let (changed, fresh) = (folder.path("changed.unframe"), folder.path("fresh.unframe"));
    let site = folder.site(5);
    run(args!["clean", "-mstream", site, "--state", changed, "-q"]).expect(0);
    folder.write("site/p004.html", page(104).replace(FOOT, "no foot today"));
    run(args!["clean", "-mstream", site, "--state", changed, "-q"]).expect(0);
    run(args!["clean", "-mstream", site, "--state", fresh, "-q"]).expect(0);
    assert_eq!(counts(&changed), counts(&fresh));
}

/// What was learned, without the mean over the history of how it was learned.
#[track_caller]
fn counts(state: &Path) -> Vec<Value> {
    let mut sites = learned(state);
    for site in &mut sites {
        site.as_object_mut().unwrap().remove("average_size");
    }
    sites
}

/// Makes a state from a range of the pages of one host.
fn state_of(folder: &Folder, name: &str, range: std::ops::Range<usize>) -> PathBuf {
    let pages = folder.write(format!("{name}.jsonl"), jsonl_site("a.example", range));
    let state = folder.path(format!("{name}.unframe"));
    run(args!["clean", pages, "--state", state, "-q"]).expect(0);
    state
}

#[test]
fn merging_states_of_different_pages_equals_learning_all_of_them() {
    let folder = Folder::new();
    let (a, b) = (
        state_of(&folder, "a", 0..10),
        state_of(&folder, "b", 10..30),
    );
    let both = state_of(&folder, "both", 0..30);
    for (name, first, second) in [("ab", &a, &b), ("ba", &b, &a)] {
        let merged = folder.path(format!("{name}.unframe"));
        let done = run(args!["state", "merge", first, second, "-o", merged]).expect(0);
        done.says(&["10 pages added", "20 pages added"]);
        assert_eq!(counts(&merged), counts(&both), "{name}");
        assert_eq!(check(&merged), 30);
        same_labels(&folder, &merged, &both, 30);
    }
}

#[test]
fn merging_states_that_share_pages_counts_each_page_once() {
    let folder = Folder::new();
    let (a, b) = (
        state_of(&folder, "a", 0..20),
        state_of(&folder, "b", 12..30),
    );
    let both = state_of(&folder, "both", 0..30);
    let merged = folder.path("merged.unframe");
    let done = run(args!["state", "merge", a, b, "-o", merged]).expect(0);
    done.says(&["20 pages added", "10 pages added"]);
    assert_eq!(counts(&merged), counts(&both));
    assert_eq!(check(&merged), 30);
    same_labels(&folder, &merged, &both, 30);
}

#[test]
fn a_page_that_two_states_know_differently_counts_as_the_first_has_it() {
    let folder = Folder::new();
    let url = || "http://a.example/3".to_string();
    let old = state_of(&folder, "old", 0..10);
    let lines = jsonl([(url(), page(103))]) + &jsonl_site("a.example", 10..20);
    let pages = folder.write("new.jsonl", lines);
    let new = folder.path("new.unframe");
    run(args!["clean", pages, "--state", new, "-q"]).expect(0);
    let expected = state_of(&folder, "expected", 0..20);
    let merged = folder.path("merged.unframe");
    run(args!["state", "merge", old, new, "-o", merged]).expect(0);
    assert_eq!(counts(&merged), counts(&expected));
}

#[test]
fn a_merge_leaves_its_sources_as_they_are() {
    let folder = Folder::new();
    let (a, b) = (state_of(&folder, "a", 0..10), state_of(&folder, "b", 5..20));
    let before = (learned(&a), learned(&b));
    run(args![
        "state",
        "merge",
        a,
        b,
        "-o",
        folder.path("m.unframe")
    ])
    .expect(0);
    assert_eq!((learned(&a), learned(&b)), before);
}

/// Two states know the same pages and label them alike, with the same evidence.
#[track_caller]
fn same_labels(folder: &Folder, left: &Path, right: &Path, pages: usize) {
    let all = folder.write("all.jsonl", jsonl_site("a.example", 0..pages));
    let label = |state: &Path| {
        let done = run(args!["clean", all, "--state", state, "--json"]).expect(0);
        assert_eq!(done.summary()["unchanged"], pages);
        texts(&done.records())
    };
    assert_eq!(label(left), label(right));
}
