//! The method `links`, sites of TECO's shape, and the thesis redone on them.

use serde_json::Value;

use crate::args;
use crate::harness::*;

#[test]
fn clean_takes_the_frame_off() {
    let folder = Folder::new();
    let site = folder.site(12);
    let out = folder.path("out");
    run(args!["clean", site, "--method", "links", "-o", out])
        .expect(0)
        .says(&["the trees of 12 of 12 pages are kept", "frame: "]);
    let links = tree(&out);
    let usual = folder.path("usual");
    run(args!["clean", site, "-o", usual]).expect(0);
    assert_eq!(
        links.keys().collect::<Vec<_>>(),
        tree(&usual).keys().collect::<Vec<_>>()
    );
    let all = folder.path("all");
    run(args!["clean", site, "--method", "text", "-o", all]).expect(0);
    for (name, text) in tree(&all) {
        assert!(links[&name].len() < text.len(), "{name}");
    }
}

#[test]
fn state_is_learnt_on_from_shown_checked_and_merged() {
    let folder = Folder::new();
    let (one, two) = (folder.path("one.unframe"), folder.path("two.unframe"));
    let method = ["--method", "links", "--links", "keep=6", "--json"];
    for (state, range) in [(&one, 0..8), (&two, 8..16)] {
        let pages = folder.write(
            format!("{}.jsonl", range.start),
            jsonl_site("h.example", range),
        );
        run(with(&args!["clean", pages, "--state", state], &method)).expect(0);
    }
    // The same pages again change nothing.
    let again = with(
        &args!["clean", folder.path("0.jsonl"), "--state", one],
        &method,
    );
    let done = run(again).expect(0);
    assert_eq!(done.summary()["unchanged"], 8);
    assert_eq!(check(&one), 8);
    let shown = run(args!["state", "show", one]).expect(0);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.contains("links") && shown.contains("h.example"),
        "{shown}"
    );
    let both = folder.path("both.unframe");
    run(args!["state", "merge", one, two, "-o", both]).expect(0);
    assert_eq!(check(&both), 16);
    // Learnt together from the start, it is the same.
    let pages = folder.write("all.jsonl", jsonl_site("h.example", 0..16));
    let whole = folder.path("whole.unframe");
    let first = run(with(&args!["clean", pages, "--state", whole], &method)).expect(0);
    let second = run(with(&args!["clean", pages, "--state", both], &method)).expect(0);
    assert_eq!(first.stdout, second.stdout);
    // Trees of another make are refused.
    run(args![
        "clean",
        pages,
        "--state",
        one,
        "--method",
        "links",
        "--preset",
        "alarte-2014"
    ])
    .expect(2)
    .says(&["it was learned with `ids=unique-stable,classes=stable,keep=6`"]);
}

#[test]
fn threads_do_not_matter() {
    let folder = Folder::new();
    let site = folder.site(40);
    let done = |jobs: &str| {
        run(args![
            "clean", site, "-m", "links", "-f", "jsonl", "-j", jobs
        ])
        .expect(0)
        .stdout
    };
    assert_eq!(done("1"), done("3"));
}

#[test]
fn wrong_settings_say_what_is_right() {
    let folder = Folder::new();
    let site = folder.site(2);
    for (arguments, hint) in [
        (
            &["--method", "links", "--links", "t=9"][..],
            "t is 9, but must be at least 1 and at most n",
        ),
        (
            &["--method", "links", "--links", "df=2"],
            "`links` has no setting `df`",
        ),
        (
            &["--method", "links", "--preset", "ma-2003a"],
            "alarte-2014, alarte-best, modern",
        ),
        (&["--links", "n=2"], "--links belongs to the method links"),
        (
            &["--method", "links", "--df", "2"],
            "--df belongs to the method stream",
        ),
    ] {
        run(with(&args!["clean", site], arguments))
            .expect(2)
            .says(&[hint]);
    }
}

/// Two sites of TECO's shape, one of them as a mirror has it, with the later names.
fn teco(folder: &Folder) -> std::path::PathBuf {
    for (site, prefix) in [("one/www.one.example", ""), ("two", "TECO_")] {
        for name in ["index", "a", "b", "c"] {
            let menu: String = ["index", "a", "b", "c"]
                .map(|to| format!("<li><a href={to}.html>Page {to}</a></li>"))
                .concat();
            let mark = |class: &str| match name {
                "index" => format!(" class='{prefix}{class}'"),
                _ => String::new(),
            };
            let own = if name == "index" {
                "<table><tr><td>x</table>"
            } else {
                "<h2>y</h2>"
            };
            let html = format!(
                "<html><head><title>t</title></head><body><ul id=menu>{menu}</ul><div id=main>\
                 <div{}>{own}</div><p{}>Words of {name}</p></div><p id=foot>Foot</p></body></html>",
                mark("notTemplate"),
                mark("notTemplate mainContent"),
            );
            folder.write(format!("teco/{site}/{name}.html"), html);
        }
    }
    folder.write("teco/notes/readme.txt", "nothing");
    folder.path("teco")
}

#[test]
fn bench_reads_teco() {
    let folder = Folder::new();
    let teco = teco(&folder);
    let done = run(args![
        "bench",
        teco,
        "--json",
        "-m",
        "links",
        "-m",
        "links:preset=alarte-2014"
    ]);
    let rows: Vec<Value> = serde_json::from_slice(&done.expect(0).stdout).unwrap();
    assert_eq!(rows.len(), 2);
    for row in &rows {
        let keys = row["keys"].as_array().unwrap();
        assert_eq!(keys.len(), 2);
        for key in keys {
            // html, head, title, body, ul, 4 × (li, a), two divs, foot; the div, the table's four
            // and the paragraph are the page's own.
            assert_eq!(
                (key["elements"].as_u64(), key["template"].as_u64()),
                (Some(21), Some(15))
            );
            assert_eq!(
                (key["loads"].as_u64(), key["pages"].as_u64()),
                (Some(3), Some(3))
            );
            assert_eq!(key["recall"], 1.0, "{key}");
        }
        // The paragraph and the division around the table are built as those of other pages, so
        // they are taken for template, and the table is not.
        assert_eq!(row["precision"].as_f64().unwrap(), 15.0 / 17.0, "{row}");
    }
    let table = run(args!["bench", teco, "--sites"])
        .expect(0)
        .says(&["these methods label texts"]);
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("one www.one.example/index.html"), "{table}");
    assert!(table.contains("two two.invalid/index.html"), "{table}");
}

#[test]
fn the_thesis_is_redone() {
    let folder = Folder::new();
    let teco = teco(&folder);
    let out = folder.path("report");
    run(args!["reproduce", "links", teco, "--most", "4", "-o", out]).expect(0);
    let mut files = tree(&out);
    let report = String::from_utf8(files.remove("report.md").unwrap()).unwrap();
    for part in [
        "2 key pages of 2 sites",
        "Table 5.1",
        "| t | n = 1 |",
        "modern",
        "menu by density",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(files.keys().collect::<Vec<_>>(), ["loads.svg", "votes.svg"]);
    // The demo has no labels of elements.
    let demo = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    run(args!["reproduce", "links", demo])
        .expect(2)
        .says(&["editable"]);
}
