//! `unframe clean --method chunks`: its flags, its states, and the sites that give it trouble.

use serde_json::Value;

use crate::args;
use crate::harness::*;

fn clean(site: &std::path::Path, more: &[&str]) -> Run {
    run(with(&args!["clean", "--method", "chunks", site], more))
}

#[test]
fn frame_goes_and_the_reason_is_given() {
    let folder = Folder::new();
    let done = clean(&folder.site(8), &["--json"]).expect(0);
    for record in done.records() {
        let text = record["text"].as_str().unwrap();
        assert!(text.contains("Headline") && !text.contains(HEAD) && !text.contains(FOOT));
        let removed = record["removed"].as_array().unwrap();
        assert_eq!(removed.len(), 2, "head and foot: {removed:?}");
        for region in removed {
            let evidence = &region["evidence"];
            assert_eq!(evidence["rule"], "chunk-df");
            assert_eq!(
                (&evidence["df"], &evidence["pages"]),
                (&8.into(), &8.into())
            );
            assert_eq!(evidence["threshold"], 4);
            assert!(evidence["length"].as_u64().unwrap() > 40);
        }
    }
    let summary = done.summary();
    assert!(summary["ms_per_kb"].as_f64().unwrap() > 0.0);
    assert_eq!(summary["chunks"]["counted_pages"], 8);
    assert!(
        summary["chunks"]["template"].as_u64().unwrap() >= 2,
        "{summary}"
    );
}

#[test]
fn summaries_have_what_the_method_has_learnt() {
    let folder = Folder::new();
    let site = folder.site(5);
    for (method, learned) in [
        ("text", None),
        ("stream", Some("table")),
        ("chunks", Some("chunks")),
    ] {
        let done = run(args!["clean", site, "--method", method, "--json"]).expect(0);
        let summary = done.summary();
        for name in ["table", "chunks"] {
            let there = summary.get(name).is_some();
            assert_eq!(there, learned == Some(name), "{method}: {summary}");
        }
    }
}

#[test]
fn presets_and_flags_decide_what_goes() {
    let folder = Folder::new();
    for n in 0..6 {
        let html = format!(
            "<div>Home<map>Plan</map></div><div>story {n}</div>\
             <table><tr><td>Imprint <img src=fish{n}.gif></td></tr></table>"
        );
        folder.write(format!("s/{n}.html"), html);
    }
    let site = folder.path("s");
    for (flags, gone) in [
        (&[][..], &["Home", "Plan", "Imprint"][..]),
        (&["--preset", "modern", "--images"], &["Home", "Plan"]),
        (&["--preset", "ma-2003a"], &[]),
        (&["--preset", "ma-2003a", "--no-images"], &["Imprint"]),
        (&["--preset", "ma-2003b"], &["Home", "Plan", "Imprint"]),
        (&["--delimiters", "table"], &["Imprint"]),
        (&["--threshold", "6"], &["Home", "Plan", "Imprint"]),
        (&["--threshold", "100%"], &["Home", "Plan", "Imprint"]),
        (&["--threshold", "7"], &[]),
        (&["--key", "path"], &["Home", "Plan", "Imprint"]),
        (
            &["--sample", "4", "--seed", "7"],
            &["Home", "Plan", "Imprint"],
        ),
    ] {
        for record in clean(&site, flags).expect(0).records() {
            let text = record["text"].as_str().unwrap();
            for word in ["Home", "Plan", "Imprint"] {
                assert_eq!(
                    !text.contains(word),
                    gone.contains(&word),
                    "{flags:?}: {text}"
                );
            }
            assert!(text.contains("story"), "{flags:?}");
        }
    }
}

#[test]
fn the_second_paper_leaves_duplicates_out() {
    let folder = Folder::new();
    for n in 0..4 {
        let name = |kind: &str| format!("s/{kind}{n}.html");
        folder.write(
            name("copy"),
            "<table><tr><td>one story told four times</table>",
        );
        folder.write(name("own"), format!("<p>story number {n} of its own</p>"));
    }
    let site = folder.path("s");
    for (flags, duplicates, told) in [
        (&["--preset", "ma-2003b"][..], 3, 4),
        (&["--preset", "ma-2003b", "--no-dedup"], 0, 0),
        (&["--preset", "modern"], 0, 0),
        (&["--preset", "modern", "--dedup"], 3, 4),
    ] {
        let records = clean(&site, flags).expect(0).records();
        let flagged =
            |record: &&serde_json::Value| record["flags"].to_string().contains("duplicate");
        let tells = |record: &&serde_json::Value| record["text"].to_string().contains("four times");
        assert_eq!(
            records.iter().filter(flagged).count(),
            duplicates,
            "{flags:?}"
        );
        assert_eq!(records.iter().filter(tells).count(), told, "{flags:?}");
    }
}

#[test]
fn copies_are_told_from_frame() {
    let folder = Folder::new();
    for n in 0..6 {
        folder.write(format!("s/{n}.html"), "<p>the same on all of them</p>");
    }
    let (site, out) = (folder.path("s"), folder.path("out"));
    let all = args!["clean", site, "--method", "chunks", "-o", out];
    run(all).expect(0).says(&["100.0 %", "--dedup"]);
    let one = args!["clean", site, "--method", "chunks", "-o", out, "--dedup"];
    run(one).expect(0).says(&["frame: 0.0 %"]);
}

#[test]
fn wrong_values_and_flags_of_other_methods_are_refused() {
    let folder = Folder::new();
    let site = folder.site(2);
    for (wrong, hints) in [
        (
            &["--method", "chunks", "--threshold", "1"][..],
            &["at least 2"][..],
        ),
        (&["--method", "chunks", "--threshold", "0%"], &["above 0%"]),
        (&["--method", "chunks", "--threshold", "few"], &["4 or 30%"]),
        (
            &["--method", "chunks", "--delimiters", "tabel"],
            &["tabel", "modern"],
        ),
        (&["--method", "chunks", "--key", "url"], &["text, or path"]),
        (
            &["--method", "chunks", "--preset", "ma"],
            &["modern, ma-2003a, ma-2003b"],
        ),
        (
            &["--method", "chunks", "--sample", "3"],
            &["at least the threshold"],
        ),
        (&["--method", "chunks", "--seed", "3"], &["--sample"]),
        (
            &["--method", "chunks", "--df", "3"],
            &["--df", "--method stream"],
        ),
        (&["--threshold", "3"], &["--threshold", "--method chunks"]),
        (&["--no-images"], &["--no-images", "--method chunks"]),
        (
            &["--method", "text", "--ratio", "0.5"],
            &["--ratio", "--method stream"],
        ),
        (
            &["--method", "text", "--sample", "9"],
            &["--sample", "--method chunks"],
        ),
    ] {
        let refused = run(with(&args!["clean", site], wrong))
            .expect(2)
            .says(hints);
        assert!(refused.stdout.is_empty(), "{wrong:?}");
    }
}

#[test]
fn too_few_pages_are_kept_whole_with_a_hint() {
    let folder = Folder::new();
    let site = folder.site(1);
    // One page; then fewer pages than the threshold.
    for flags in [&[][..], &["--threshold", "50%"]] {
        let done = clean(&site, flags).expect(0);
        done.records().iter().for_each(kept_whole);
        done.says(&["few-pages", "--threshold"]);
    }
    let done = clean(&folder.site(5), &["--threshold", "6"]).expect(0);
    done.records().iter().for_each(kept_whole);
    done.says(&["5 few-pages", "--threshold"]);
}

#[track_caller]
fn kept_whole(record: &Value) {
    assert_eq!(record["flags"], Value::from(vec!["few-pages"]));
    let text = record["text"].as_str().unwrap();
    assert!(text.contains(HEAD) && text.contains(FOOT), "{text}");
}

#[test]
fn a_sample_larger_than_the_site_counts_all_of_it_and_says_so() {
    let folder = Folder::new();
    let site = folder.site(6);
    let all = texts(&clean(&site, &[]).expect(0).records());
    let done = clean(&site, &["--sample", "100"]).expect(0);
    assert_eq!(texts(&done.records()), all);
    done.says(&[
        "1 site has fewer than the 100 pages of --sample",
        "all of their pages",
    ]);
    let fits = clean(&site, &["--sample", "6"]).expect(0);
    assert!(!fits.stderr.contains("--sample"), "{}", fits.stderr);
}

/// Pages of many chunks: what is kept of each sampled page is longer than most rows of a state.
#[test]
fn a_sample_is_kept_in_the_state() {
    let folder = Folder::new();
    for n in 0..8 {
        let own: String = (0..40).map(|at| format!("<p>{at} of {n}")).collect();
        folder.write(format!("s/{n}.html"), format!("<div>Home</div>{own}"));
    }
    let (site, state) = (folder.path("s"), folder.path("sample.unframe"));
    let flags = ["--sample", "5", "--state", state.to_str().unwrap()];
    let text = |record: &Value| record["text"].as_str().unwrap().to_string();
    let run = || clean(&site, &flags).expect(0).records();
    let first: Vec<String> = run().iter().map(text).collect();
    assert!(first.iter().all(|text| !text.contains("Home")));
    assert_eq!(run().iter().map(text).collect::<Vec<_>>(), first);
}

#[test]
fn identical_pages_are_kept_and_flagged() {
    let folder = Folder::new();
    for n in 0..6 {
        folder.write(format!("same/{n}.html"), page(0));
    }
    let done = clean(&folder.path("same"), &[]).expect(0);
    for record in done.records() {
        assert_eq!(record["flags"], Value::from(vec!["suspicious"]));
        assert!(record["text"].as_str().unwrap().contains("Headline 0"));
    }
    done.says(&["6 suspicious"]);
}

#[test]
fn a_page_that_is_one_chunk_of_ten_megabytes() {
    let folder = Folder::new();
    let site = folder.site(5);
    folder.write(
        "site/big.html",
        format!("<p>{}", "many words ".repeat(950_000)),
    );
    let out = folder.path("out");
    run_briefly(args!["clean", "--method", "chunks", site, "-o", out]).expect(0);
    let files = tree(&out);
    assert!(files["big.html.txt"].len() > 10_000_000);
    assert!(!String::from_utf8_lossy(&files["p001.html.txt"]).contains(HEAD));
}

#[test]
fn jobs_and_order_do_not_matter_to_a_sample() {
    let folder = Folder::new();
    let lines = |range: Vec<usize>| {
        let page = |n: usize| (format!("http://a.example/{n}"), page(n));
        jsonl(range.into_iter().map(page))
    };
    let forward = folder.write("f.jsonl", lines((0..300).collect()));
    let backward = folder.write("b.jsonl", lines((0..300).rev().collect()));
    let sample = ["--sample", "20", "--seed", "5"];
    let first = texts(&clean(&forward, &sample).expect(0).records());
    assert_eq!(texts(&clean(&backward, &sample).expect(0).records()), first);
    let one = with(
        &args!["clean", "--method", "chunks", forward, "--jobs", "1"],
        &sample,
    );
    assert_eq!(texts(&run(one).expect(0).records()), first);
}

#[test]
fn states_are_learnt_on_from_shown_checked_and_merged() {
    let folder = Folder::new();
    let state = |name: &str| folder.path(format!("{name}.unframe"));
    let learn = |name: &str, range, more: &[&str]| {
        let lines = folder.write(format!("{name}.jsonl"), jsonl_site("a.example", range));
        let args = args![
            "clean",
            "--method",
            "chunks",
            lines,
            "--state",
            state(name),
            "-q"
        ];
        run(with(&args, more))
    };
    for flags in [&[][..], &["--sample", "5"]] {
        let name = |part: &str| format!("{part}{}", flags.len());
        let (first, second, both) = (name("first"), name("second"), name("both"));
        learn(&first, 0..7, flags).expect(0);
        learn(&second, 5..12, flags).expect(0);
        learn(&both, 0..12, flags).expect(0);
        let week = state(&name("week"));
        let merge = args!["state", "merge", state(&first), state(&second), "-o", week];
        run(merge).expect(0).says(&["5 pages added"]);
        assert_eq!((check(&week), check(&state(&both))), (12, 12));
        let counts = |state: &std::path::Path| {
            let mut site = learned(state).remove(0);
            // Texts are known of chunks that were frame when a page with them came.
            site.as_object_mut().unwrap().remove("top_texts");
            site
        };
        assert_eq!(counts(&week), counts(&state(&both)));
        assert_eq!(learned(&state(&both))[0]["method"], "chunks");
        // Another page of the site is cleaned by what is known.
        let url = "http://a.example/new";
        let args = args![
            "clean", "--method", "chunks", "-", "--url", url, "--state", week
        ];
        let done = run_with_stdin(with(&args, flags), page(20).as_bytes()).expect(0);
        let text = done.records()[0]["text"].as_str().unwrap().to_string();
        assert!(
            text.contains("Headline 20") && !text.contains(HEAD),
            "{text}"
        );
        let shown = run(args!["state", "show", state(&both)]).expect(0);
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(
            shown.contains("(chunks)") && shown.contains(HEAD),
            "{shown}"
        );
    }
    // Counted another way: refused, and what to type is said.
    learn("first0", 0..2, &["--images"]).expect(2).says(&[
        "first0.unframe",
        "--delimiters modern --key text --no-images",
    ]);
    let merge = args![
        "state",
        "merge",
        state("first0"),
        state("first2"),
        "-o",
        state("no")
    ];
    run(merge)
        .expect(2)
        .says(&["--sample 5", "states with the same parameters"]);
    assert!(!state("no").exists());
    // Another threshold is no other way of counting.
    learn("first0", 0..2, &["--threshold", "30%"]).expect(0);
}
