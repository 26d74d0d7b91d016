//! `unframe-lab search-report`: what removing the frame does to search.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::args;
use crate::harness::*;

fn demo(site: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    root.join(site).join("pages")
}

/// The one JSON object on standard output.
#[track_caller]
fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).expect("one JSON object")
}

#[track_caller]
fn report(more: &[std::ffi::OsString]) -> Value {
    let mut args = args!["search-report", "--json", "-q"].to_vec();
    args.extend_from_slice(more);
    json(&run(args).expect(0))
}

fn query<'a>(report: &'a Value, text: &str) -> &'a Value {
    let queries = report["queries"].as_array().unwrap();
    let found = queries.iter().find(|query| query["query"] == text);
    found.unwrap_or_else(|| panic!("`{text}` is not in {report}"))
}

#[test]
fn a_query_of_the_navigation_loses_its_hits_and_one_of_the_content_keeps_them() {
    let folder = Folder::new();
    let asked = "\"ropes & cordage\"\nparaffin\n";
    let queries = folder.write("queries.txt", asked);
    let method = ["-mstream", "--separators=modern"];
    let found = report(&args![
        demo("harbour-shop"),
        method[0],
        method[1],
        "--queries",
        queries
    ]);
    let navigation = query(&found, "\"ropes & cordage\"");
    let pages = found["pages"].as_u64().unwrap();
    assert_eq!(navigation["hits_before"].as_u64(), Some(pages));
    assert_eq!(navigation["hits_after"], 0, "{navigation}");
    assert_eq!(navigation["frame_only"][0], 1);
    let content = query(&found, "paraffin");
    assert!(content["hits_before"].as_u64().unwrap() > 0);
    assert_eq!(content["hits_before"], content["hits_after"]);
    assert_eq!(content["frame_only"], serde_json::json!([0, 0, 0]));
    let size = |which: &str| found[which]["total"].as_u64().unwrap();
    assert!(size("size_after") < size("size_before"));
}

#[test]
fn queries_come_from_the_frame_and_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let site = folder.site(40);
    let one = report(&args![site, "-mstream", "--jobs", "1"]);
    for jobs in ["2", "5"] {
        assert_eq!(report(&args![site, "-mstream", "--jobs", jobs]), one);
    }
    assert_eq!(one["queries_from"], "frame");
    let gazette = query(&one, "gazette");
    assert_eq!(
        (&gazette["hits_before"], &gazette["hits_after"]),
        (&40.into(), &0.into())
    );
    let phrases = one["queries"].as_array().unwrap();
    let is_phrase = |query: &Value| query["query"].as_str().unwrap().starts_with('"');
    assert!(phrases.iter().any(is_phrase), "{one}");
    assert_eq!(one["totals"]["hits_after"], 0);

    let few = report(&args![site, "-mstream", "--derive", "3"]);
    assert_eq!(few["queries"].as_array().unwrap().len(), 3);
    let none = report(&args![site, "--method", "text"]);
    assert_eq!(none["queries"].as_array().unwrap().len(), 0);
    assert_eq!(none["size_before"], none["size_after"]);
}

#[test]
fn query_files_are_plain_words_whatever_is_in_them() {
    let folder = Folder::new();
    let lines = "\u{feff}# a log\n\n   \nheadline\n+headline -w3x7\n(headline AND\n\"tides\n\
                 title:headline^5~2\n[a TO z}\n*\n?\n-\n\\\n\"\"\nAND\nheadline\n&& || !\n";
    let queries = folder.write("queries.txt", lines);
    let site = folder.site(6);
    let asked = run(args![
        "search-report",
        site,
        "-mstream",
        "--json",
        "--queries",
        queries
    ])
    .expect(0)
    .says(&["queries.txt:10: skipped", "1 more line skipped"]);
    let found = json(&asked);
    let texts: Vec<&str> = found["queries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|query| query["query"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "headline",
            "+headline -w3x7",
            "(headline AND",
            "\"tides",
            "title:headline^5~2",
            "[a TO z}",
            "AND"
        ]
    );
    for text in ["headline", "+headline -w3x7", "(headline AND"] {
        assert_eq!(query(&found, text)["hits_after"], 6, "{text}");
    }
    // Words that the page does not have side by side.
    assert_eq!(query(&found, "title:headline^5~2")["hits_before"], 0);

    let empty = folder.write("empty.txt", "# nothing\n\n+-\n");
    run(args![
        "search-report",
        "-mstream",
        site,
        "--json",
        "--queries",
        empty
    ])
    .expect(2)
    .says(&["empty.txt", "no query"]);
    run(args![
        "search-report",
        "-mstream",
        site,
        "--queries",
        folder.path("none.txt")
    ])
    .expect(2)
    .says(&["none.txt"]);
}

#[test]
fn judgements_give_precision_and_the_papers_counts() {
    let folder = Folder::new();
    // Page 7 alone is about tides; all have them in their navigation.
    for n in 0..12 {
        let word = if n == 7 { "tides" } else { "gulls" };
        let own: Vec<String> = (0..20).map(|at| format!("w{n}x{at}")).collect();
        let story = format!("<p>Of {word} and more: {}</p><p>only{n}</p>", own.join(" "));
        folder.write(format!("site/{n}.html"), page_with(n, &story));
    }
    let site = folder.path("site");
    let url = site.join("7.html").display().to_string();
    let lines = format!(
        "query\turl\trelevant\ntides\t{url}\t1\nonly3\t{url}\t0\n\
                         tides\thttp://elsewhere.example/\t1\n"
    );
    let judged = folder.write("judged.tsv", lines);
    let asked = run(args![
        "search-report",
        "-mstream",
        site,
        "--json",
        "--judgements",
        judged
    ])
    .expect(0)
    .says(&["not among the pages: 1 judged page;"]);
    let found = json(&asked);
    let tides = query(&found, "tides");
    assert_eq!(
        (&tides["hits_before"], &tides["hits_after"]),
        (&12.into(), &1.into())
    );
    assert_eq!(
        tides["precision"]["after"],
        serde_json::json!([1.0, 0.2, 0.1])
    );
    let verdicts = &found["judged"];
    assert_eq!(
        (&verdicts["queries"], &verdicts["different"]),
        (&2.into(), &1.into())
    );
    assert_eq!(verdicts["at"][0]["at"], 1);
    assert_eq!(verdicts["at"][2]["worse"], 0);

    let wrong = folder.write("wrong.tsv", "tides\tonly two\n");
    run(args![
        "search-report",
        "-mstream",
        site,
        "--judgements",
        wrong
    ])
    .expect(2)
    .says(&["wrong.tsv:1", "tab"]);
}

#[test]
fn the_report_is_one_page_that_needs_nothing_else() {
    let folder = Folder::new();
    let out = folder.path("report.html");
    let site = folder.site(8);
    let make = args!["search-report", "-mstream", site, "-o", out];
    let made = run(&make).expect(0).says(&["report: ", "8 pages"]);
    assert!(made.stdout.is_empty());
    let page = fs::read_to_string(&out).unwrap();
    for part in [
        "<svg",
        "gazette",
        "prefers-color-scheme",
        "name=\"viewport\"",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["src=", "href=", "@import", "url(", "<script", "<link"] {
        assert!(!page.contains(part), "{part}");
    }
    fs::write(&out, "of another day").unwrap();
    run(with(&make, &["-q"])).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap(), page);
    let nowhere = args![
        "search-report",
        "-mstream",
        site,
        "-o",
        folder.path("no/r.html")
    ];
    run(nowhere).expect(2).says(&["no folder"]);
    let inside = args!["search-report", "-mstream", site, "-o", site.join("r.html")];
    run(inside).expect(2).says(&["inside the input folder"]);
}

#[test]
fn markup_in_queries_stays_text() {
    let folder = Folder::new();
    let queries = folder.write("q.txt", "<script>alert(1)</script>\nheadline & \"co\"\n");
    let out = folder.path("r.html");
    run(args![
        "search-report",
        "-mstream",
        folder.site(6),
        "-o",
        out,
        "--queries",
        queries
    ])
    .expect(0);
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script"));
}

#[test]
fn without_pages_there_is_no_report() {
    let folder = Folder::new();
    folder.write("empty/readme.txt", "no page");
    let out = folder.path("r.html");
    run(args![
        "search-report",
        "-mstream",
        folder.path("empty"),
        "-o",
        out
    ])
    .expect(1)
    .says(&["no page was found"]);
    assert!(!out.exists());
}

#[test]
fn a_mixed_crawl_is_reported() {
    let folder = Folder::new();
    let warc: Vec<u8> = (0..12)
        .flat_map(|n| {
            let host = ["a", "b"][n % 2];
            warc_record(&format!("http://{host}.example/{n}"), page(n).as_bytes())
        })
        .chain(warc_record("http://c.example/", b"<p>alone</p>"))
        .collect();
    let crawl = folder.write("crawl.warc.gz", warc);
    let found = report(&args![crawl, "-mstream"]);
    assert_eq!((&found["pages"], &found["sites"]), (&13.into(), &3.into()));
    let gazette = query(&found, "gazette");
    assert_eq!(
        (&gazette["hits_before"], &gazette["hits_after"]),
        (&12.into(), &0.into())
    );
    let first = gazette["top_before"][0].as_str().unwrap();
    assert!(first.starts_with("http://"), "{first}");
}

#[test]
fn clusters_are_learnt_apart_if_asked_for() {
    let folder = Folder::new();
    let site = two_builds(&folder, 6);
    let report = folder.path("r.html");
    let flags = ["--cluster-by", "mdl", "--method", "chunks", "-q"];
    run(with(&args!["search-report", site, "-o", report], &flags)).expect(0);
}

#[test]
fn the_report_does_not_replace_what_it_is_about() {
    let folder = Folder::new();
    let site = folder.site(4);
    let page = site.join("p001.html");
    let before = fs::read(&page).unwrap();
    let args = args!["search-report", page, "-o", page];
    run(&args).expect(2).says(&["is the input"]);
    assert_eq!(fs::read(&page).unwrap(), before, "{args:?}");
}
