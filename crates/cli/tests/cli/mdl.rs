//! `unframe clean --method mdl`, and the clusters that other methods take from it.

use std::path::Path;

use serde_json::Value;

use crate::args;
use crate::harness::*;

fn clean(site: &Path, more: &[&str]) -> Run {
    run(with(&args!["clean", "--method", "mdl", site], more))
}

/// How often each cluster is named as a reason.
fn evidence(record: &Value) -> Vec<&Value> {
    let removed = record["removed"].as_array().unwrap();
    removed.iter().map(|region| &region["evidence"]).collect()
}

#[test]
fn frame_goes_and_the_reason_is_given() {
    let folder = Folder::new();
    let done = clean(&two_builds(&folder, 6), &["--json"]).expect(0);
    for record in done.records() {
        let text = record["text"].as_str().unwrap();
        assert!(text.contains("Headline") && !text.contains(HEAD) && !text.contains(FOOT));
        let is_second = record["source"].as_str().unwrap().contains("/b");
        for evidence in evidence(&record) {
            assert_eq!(evidence["rule"], "path-support");
            assert_eq!(evidence["cluster"], u32::from(is_second));
            let numbers = ["pages", "support", "least"].map(|key| evidence[key].as_u64());
            assert_eq!(numbers, [Some(6), Some(6), Some(4)]);
        }
        assert_eq!(record["state_pages"], 12);
    }
    let summary = done.summary();
    assert_eq!(summary["paths"]["templates"], 2, "{summary}");
    clean(&folder.path("site"), &["-q", "--format", "html"]).expect(0);
}

/// The paper's cost puts all pages into one cluster; the frame of half of them is no frame then.
#[test]
fn presets_and_flags_decide_what_goes() {
    let folder = Folder::new();
    let site = two_builds(&folder, 6);
    for (flags, templates, frame_goes) in [
        (&[][..], 2, true),
        (&["--preset", "modern"], 2, true),
        (&["--preset", "kim-shim"], 1, false),
        (&["--preset", "kim-shim", "--mdl", "delta"], 2, true),
        (&["--mdl", "seed"], 1, false),
        (&["--mode-rule", "elements"], 2, true),
        (&["--search", "exact"], 2, true),
        (&["--search", "lsh"], 2, true),
        (&["--search", "auto", "--exact-limit", "3"], 2, true),
        (
            &["--search", "lsh", "--hashes", "64", "--bands", "32"],
            2,
            true,
        ),
    ] {
        let done = clean(&site, &[flags, &["--json"]].concat()).expect(0);
        let found = &done.summary()["paths"]["templates"];
        assert_eq!(found, templates, "{flags:?}");
        for record in done.records() {
            let text = record["text"].as_str().unwrap();
            assert_eq!(!text.contains(FOOT), frame_goes, "{flags:?}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let folder = Folder::new();
    let site = two_builds(&folder, 9);
    let one = clean(&site, &["--jobs", "1"]).expect(0);
    for flags in [&["--jobs", "2"][..], &["--jobs", "7"]] {
        assert_eq!(
            clean(&site, flags).expect(0).stdout,
            one.stdout,
            "{flags:?}"
        );
    }
}

#[test]
fn a_state_labels_by_all_that_was_ever_learnt() {
    let folder = Folder::new();
    let site = two_builds(&folder, 6);
    let all = texts(&clean(&site, &[]).expect(0).records());
    let state = folder.path("s.unframe");
    let with_state = |state: &Path, part: &str, more: &[&str]| {
        let pages = folder.path(format!("site/{part}*.html"));
        let args = args![
            "clean",
            "--method",
            "mdl",
            pages,
            "--site-name",
            "site",
            "--state",
            state
        ];
        run(with(&args, more)).expect(0)
    };
    with_state(&state, "a", &["-q"]);
    with_state(&state, "b", &["-q"]);
    assert_eq!(check(&state), 12);
    // A further run over all of them learns nothing and finds what one run finds.
    let again = with_state(&state, "", &["--json"]);
    assert_eq!(again.summary()["unchanged"], 12);
    let found = texts(&again.records());
    let removed = |texts: &std::collections::BTreeMap<String, (String, Value)>| {
        texts
            .values()
            .map(|(text, _)| text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(removed(&found), removed(&all));

    // A page that changes replaces itself.
    folder.write("site/a0.html", other_build(77));
    with_state(&state, "a0", &["-q"]);
    assert_eq!(check(&state), 12);
    let shown = &learned(&state)[0];
    assert_eq!(
        (&shown["method"], &shown["clusters"]),
        (&"mdl".into(), &2.into())
    );

    // Two states together are one.
    let (left, right, both) = (folder.path("l"), folder.path("r"), folder.path("both"));
    with_state(&left, "a", &["-q"]);
    with_state(&right, "", &["-q"]);
    run(args!["state", "merge", left, right, "-o", both]).expect(0);
    assert_eq!(check(&both), 12);
    assert_eq!(learned(&both), learned(&state));
}

#[test]
fn few_pages_and_copies_are_kept_whole() {
    let folder = Folder::new();
    let one = clean(&folder.site(1), &[]).expect(0);
    one.says(&["few-pages", "most of two or more pages"]);
    let two = clean(&folder.site(2), &[]).expect(0);
    for record in two.records() {
        assert!(!record["text"].as_str().unwrap().contains(FOOT));
    }
    folder.write("empty/notes.txt", "no page");
    clean(&folder.path("empty"), &[])
        .expect(1)
        .says(&["no page was found"]);
    for n in 0..9 {
        folder.write(format!("same/{n}.html"), page(7));
        folder.write(format!("blank/{n}.html"), "<p><img>");
    }
    for record in clean(&folder.path("same"), &[]).expect(0).records() {
        assert!(record["text"].as_str().unwrap().contains(FOOT));
    }
    for record in clean(&folder.path("blank"), &[]).expect(0).records() {
        assert_eq!(record["flags"], Value::from(vec!["no-text"]));
    }
}

#[test]
fn what_is_no_page_does_not_disturb() {
    let folder = Folder::new();
    let site = two_builds(&folder, 5);
    let before = texts(&clean(&site, &[]).expect(0).records());
    folder.write("site/a2x.bin", [0, 159, 146, 150]);
    folder.write("site/a3x.pdf", "%PDF-1.4 nothing");
    folder.write("site/a4x.json", "{\"a\": 1}");
    let after = texts(&clean(&site, &[]).expect(0).records());
    assert_eq!(before, after);
}

#[test]
fn other_methods_learn_its_clusters_apart() {
    let folder = Folder::new();
    let site = two_builds(&folder, 6);
    for method in ["stream", "chunks"] {
        let mut first = None;
        for jobs in ["1", "3"] {
            let flags = [
                "--method",
                method,
                "--cluster-by",
                "mdl",
                "--json",
                "--jobs",
                jobs,
            ];
            let done = run(with(&args!["clean", site], &flags)).expect(0);
            assert_eq!(done.summary()["clusters"], 2, "{method}");
            for record in done.records() {
                assert_eq!(record["state_pages"], 6);
                let of_divs = record["source"].as_str().unwrap().contains("/a");
                let kept = record["text"].as_str().unwrap().contains(FOOT);
                // Sections separate no blocks for stream.
                assert!(!kept || (method == "stream" && !of_divs), "{method}");
            }
            assert_eq!(*first.get_or_insert(done.stdout.clone()), done.stdout);
        }
    }
    let seed = ["--cluster-by", "mdl", "--mdl", "seed", "--json"];
    let done = run(with(&args!["clean", site], &seed)).expect(0);
    assert_eq!(done.summary()["clusters"], 1);
}

/// One pass: what a page says can only be told from what came before it.
#[test]
fn pages_are_assigned_and_labelled_as_they_arrive() {
    let folder = Folder::new();
    let site = two_builds(&folder, 6);
    let state = folder.path("s.unframe");
    let with_state = ["--arrival", "--state", state.to_str().unwrap()];
    let has_frame = |record: &Value| record["text"].as_str().unwrap().contains(FOOT);
    let first = clean(&site, &with_state).expect(0);
    let kept: Vec<bool> = first.records().iter().map(has_frame).collect();
    // The a pages come first; the first of each build has none to be compared with.
    let alone = |n: usize| n == 0 || n == 6;
    assert_eq!(kept, (0..12).map(alone).collect::<Vec<_>>());
    assert_eq!(check(&state), 12);
    let same = clean(&site, &["--arrival", "--jobs", "3"]).expect(0);
    assert_eq!(same.stdout, first.stdout);
    // Learned pages are assigned again before the next page.
    folder.write("more/a9.html", page(50));
    folder.write("more/b9.html", other_build(50));
    let flags = [&with_state[..], &["--site-name", "site"]].concat();
    let second = clean(&folder.path("more"), &flags).expect(0);
    assert!(!second.records().iter().any(has_frame));

    for method in ["chunks", "stream"] {
        let flags = [
            "--method",
            method,
            "--cluster-by",
            "mdl",
            "--arrival",
            "--json",
        ];
        let apart = run(with(&args!["clean", site], &flags)).expect(0);
        assert_eq!(apart.summary()["clusters"], 2, "{method}");
        let records = apart.records();
        let known = records.iter().map(|record| record["state_pages"].as_u64());
        let expected = (1..=6).chain(1..=6).map(Some);
        assert!(known.eq(expected), "{method}: {records:?}");
        let jobs = with(&args!["clean", site], &flags);
        let again = run(with(&jobs, &["--jobs", "3"])).expect(0);
        assert_eq!(again.stdout, apart.stdout, "{method}");
    }
}

#[test]
fn wrong_values_and_flags_of_other_methods_are_refused() {
    let folder = Folder::new();
    let site = folder.site(2);
    for (wrong, hints) in [
        (
            &["--method", "mdl", "--mdl", "gamma"][..],
            &["seed", "delta"][..],
        ),
        (
            &["--method", "mdl", "--mode-rule", "median"],
            &["literal", "ignore-singletons", "elements"],
        ),
        (
            &["--method", "mdl", "--search", "fast"],
            &["auto", "exact", "lsh", "estimate"],
        ),
        (
            &["--method", "mdl", "--hashes", "100", "--bands", "32"],
            &["multiple of bands"],
        ),
        (
            &["--method", "mdl", "--preset", "ma-2003a"],
            &["modern, kim-shim"],
        ),
        (
            &["--method", "chunks", "--preset", "kim-shim"],
            &["modern, ma-2003a, ma-2003b"],
        ),
        (
            &["--preset", "modern"],
            &["--preset", "chunks, mdl and links"],
        ),
        (
            &["--search", "lsh"],
            &["--search", "--method mdl", "--cluster-by mdl"],
        ),
        (
            &[
                "--method",
                "chunks",
                "--mdl",
                "seed",
                "--cluster-by",
                "minmax",
            ],
            &["--mdl", "--cluster-by mdl"],
        ),
        (
            &["--method", "mdl", "--df", "3"],
            &["--df", "--method stream"],
        ),
        (
            &["--method", "mdl", "--threshold", "3"],
            &["--threshold", "--method chunks"],
        ),
        (
            &["--method", "mdl", "--cluster-by", "mdl"],
            &["leave out --cluster-by"],
        ),
        (
            &["--cluster-by", "mdl", "--bands", "0"],
            &["multiple of bands"],
        ),
        (
            &["--cluster-by", "mdl", "--state", "x.unframe"],
            &["leave out --cluster-by or --state"],
        ),
        (
            &["--method", "mdl", "--arrival", "--mode-rule", "literal"],
            &["--mode-rule", "--arrival", "leave out one"],
        ),
        (
            &["--method", "mdl", "--arrival", "--preset", "kim-shim"],
            &["--preset", "--arrival"],
        ),
        (
            &["--cluster-by", "mdl", "--arrival", "--search", "lsh"],
            &["--search", "--arrival"],
        ),
        (&["--method", "magic"], &["mdl"]),
    ] {
        let refused = run(with(&args!["clean", site], wrong))
            .expect(2)
            .says(hints);
        assert!(refused.stdout.is_empty(), "{wrong:?}");
    }
}
