//! `unframe cluster`: groups of pages that share a template, as lines, as a table and as a page.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::args;
use crate::harness::*;

/// A page of another build than [`page`]: a shop.
fn shop(n: usize) -> String {
    format!(
        "<!doctype html><title>Thing {n}</title><table><tr><td><b>Chandlery</b><td><i>Ropes</i>\
         <td><i>Lamps</i></table><form><input name=q><button>Find</button></form>\
         <dl><dt>Thing<dd>t{n}<dt>Price<dd>{n}.50</dl><footer><small>Open on Sundays</small></footer>"
    )
}

/// Ten pages of news and eight of a shop.
fn two_templates(folder: &Folder) -> PathBuf {
    for n in 0..10 {
        folder.write(format!("site/news/{n}/story-{n}.html"), page(n));
    }
    for n in 0..8 {
        folder.write(format!("site/shop/thing{n}.html"), shop(n));
    }
    folder.path("site")
}

fn of_type<'a>(records: &'a [Value], kind: &str) -> Vec<&'a Value> {
    records.iter().filter(|line| line["type"] == kind).collect()
}

/// The sources of the pages of each cluster, by file name.
fn groups(records: &[Value]) -> BTreeSet<BTreeSet<String>> {
    let mut groups: HashMap<u64, BTreeSet<String>> = HashMap::new();
    for page in of_type(records, "page") {
        let source = page["source"].as_str().unwrap();
        let name = source.rsplit('/').next().unwrap().to_string();
        let cluster = page["cluster"].as_u64().unwrap();
        groups.entry(cluster).or_default().insert(name);
    }
    groups.into_values().collect()
}

#[test]
fn pages_of_two_templates_come_apart() {
    let folder = Folder::new();
    let site = two_templates(&folder);
    let done = run(args!["cluster", site, "--pages", "--json"]).expect(0);
    let records = done.records();
    let clusters = of_type(&records, "cluster");
    assert_eq!(clusters.len(), 2);
    let patterns: Vec<&str> = clusters
        .iter()
        .map(|cluster| cluster["pattern"].as_str().unwrap())
        .collect();
    assert_eq!(patterns, ["news/{N}/story-{N}.html", "shop/thing{N}.html"]);
    for (cluster, pages) in clusters.iter().zip([10, 8]) {
        assert_eq!(cluster["pages"], pages);
        assert_eq!(cluster["site"], "site");
        assert_eq!(cluster["pattern_share"], 1.0);
        assert!(cluster["template_paths"].as_u64().unwrap() > 5);
        assert!(cluster["gain"].as_f64().unwrap() > 0.0);
        assert!(cluster["template"].is_null());
    }
    let shown = clusters[1]["representative"]["source"].as_str().unwrap();
    assert!(shown.contains("shop/thing"), "{shown}");
    assert_eq!(of_type(&records, "page").len(), 18);
    let names: BTreeSet<usize> = groups(&records).iter().map(BTreeSet::len).collect();
    assert_eq!(names, BTreeSet::from([8, 10]));
    let summary = done.summary();
    assert_eq!(
        (&summary["clusters"], &summary["alone"]),
        (&2.into(), &0.into())
    );
    assert!(summary["length_after"].as_f64() < summary["length_before"].as_f64());

    // The templates, path by path.
    let done = run(args!["cluster", site, "--paths", "-q"]).expect(0);
    let records = done.records();
    let template = records[0]["template"].as_array().unwrap();
    let has = |path: &str| template.iter().any(|found| found == path);
    assert!(has("html/body/div/h1") && has("html/body/div/a \"Tides\""));
    assert!(
        !template
            .iter()
            .any(|path| path.as_str().unwrap().contains("w3x"))
    );
    assert_eq!(done.stderr, "");
}

#[test]
fn a_table_for_people() {
    let folder = Folder::new();
    let site = two_templates(&folder);
    let done = run(args!["cluster", site, "--format", "table"]).expect(0);
    let table = String::from_utf8(done.stdout.clone()).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].contains("cluster") && lines[0].contains("address"),
        "{table}"
    );
    assert!(
        lines[1].contains("10") && lines[1].contains("news/{N}/story-{N}.html"),
        "{table}"
    );
    assert!(
        lines[2].contains("44.4 %") && lines[2].contains("shop/thing{N}.html"),
        "{table}"
    );
    assert_eq!(lines.len(), 3);
    done.says(&["1 site, 18 pages", "2 clusters, 0 of a single page"]);
    let done = run(args!["cluster", site, "--format", "table", "--top", "1"]).expect(0);
    let table = String::from_utf8(done.stdout).unwrap();
    assert!(
        table.ends_with("and 1 more cluster with 8 pages; --top 0 lists all\n"),
        "{table}"
    );
}

#[test]
fn mixed_heaps_ignore_the_sites() {
    let folder = Folder::new();
    let mut lines = String::new();
    for n in 0..6 {
        lines += &jsonl([
            (format!("http://a.example/news/{n}"), page(n)),
            (format!("http://b.example/news/{n}"), page(n + 50)),
            (format!("http://b.example/shop/{n}"), shop(n)),
        ]);
    }
    let file = folder.write("pages.jsonl", lines);
    let apart = run(args!["cluster", file, "-q"]).expect(0).records();
    let names: Vec<_> = apart
        .iter()
        .map(|one| (one["site"].as_str(), one["pages"].as_u64()))
        .collect();
    let [a, b] = [Some("a.example"), Some("b.example")];
    assert_eq!(names, [(a, Some(6)), (b, Some(6)), (b, Some(6))]);
    let mixed = run(args!["cluster", file, "-q", "--mixed"])
        .expect(0)
        .records();
    assert_eq!(mixed.len(), 2);
    assert_eq!(
        (&mixed[0]["pages"], &mixed[0]["pattern"]),
        (&12.into(), &"*.example/news/{N}".into())
    );
    assert_eq!(
        (&mixed[1]["pages"], &mixed[1]["pattern"]),
        (&6.into(), &"b.example/shop/{N}".into())
    );
    assert!(mixed[0]["site"].is_null());
    // From standard input too, which cannot be read twice but is.
    let bytes = fs::read(&file).unwrap();
    let report = folder.path("stdin.html");
    let piped = run_with_stdin(
        args!["cluster", "-", "-q", "--mixed", "--report", report],
        &bytes,
    );
    assert_eq!(piped.expect(0).records().len(), 2);
    assert!(fs::read_to_string(report).unwrap().contains("<svg"));
}

/// Every name that the page refers to is in it, nothing else is referred to but pages, and all
/// elements are closed.
fn check_page(html: &str) {
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>"));
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';";
    assert!(html.contains(policy), "{html}");
    for outside in [
        "<script", "<link", "<img", "src=", "url(", "@import", "<iframe",
    ] {
        assert!(!html.contains(outside), "{outside}");
    }
    let values = |name: &str| -> Vec<String> {
        let start = format!(" {name}=\"");
        let parts = html.split(&start).skip(1);
        parts
            .map(|part| part.split('"').next().unwrap().to_string())
            .collect()
    };
    let ids = values("id");
    let distinct: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(ids.len(), distinct.len(), "no id is there twice");
    for target in values("href") {
        match target.strip_prefix('#') {
            Some(name) => assert!(distinct.contains(&name.to_string()), "{target}"),
            None => assert!(target.starts_with("http"), "{target}"),
        }
    }
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let name = tag
            .split(|c: char| !c.is_alphanumeric() && c != '/')
            .next()
            .unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if ["", "meta"].contains(&name) => (),
            None => open.push(name),
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn the_report_needs_nothing_else() {
    let folder = Folder::new();
    let site = two_templates(&folder);
    let evil = page(3).replace("Story 3", "&lt;script>alert(1)&lt;/script> \"'");
    folder.write("site/news/3/story-3.html", evil);
    folder.write(
        "site/<i>&\"'.html",
        page(11).replace("Story 11", "a &lt;/style> b"),
    );
    let report = folder.path("clusters.html");
    let done = run(args!["cluster", site, "-q", "--report", report]).expect(0);
    assert_eq!(done.records().len(), 2, "the list is there too");
    let html = fs::read_to_string(&report).unwrap();
    check_page(&html);
    for part in [
        "Which pages share a template",
        "news/{N}/story-{N}.html",
        "shop/thing{N}.html",
        "<b>11 pages</b>",
        "Chandlery",
        "prefers-color-scheme: dark",
        "name=\"viewport\"",
        "class=\"thumb\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(html.len() < 100_000);

    fs::write(&report, "the report of another day").unwrap();
    run(args!["cluster", site, "-q", "--report", report]).expect(0);
    assert_eq!(fs::read_to_string(&report).unwrap(), html);
    let inside = run(args!["cluster", site, "--report", site.join("r.html")]).expect(2);
    inside.says(&["inside the input folder"]);
    let nowhere = run(args!["cluster", site, "--report", folder.path("no/r.html")]).expect(2);
    nowhere.says(&["there is no folder", "create it first"]);
}

#[test]
fn wrong_use_is_explained() {
    let folder = Folder::new();
    let site = two_templates(&folder);
    for (more, hint) in [
        (&["--format", "table", "--pages"][..], "--format jsonl"),
        (&["--format", "table", "--paths"], "--format jsonl"),
        (&["--hashes", "100"], "--hashes 128 --bands 32"),
        (&["--hashes", "2048"], "1024"),
        (&["--bands", "0"], "multiple of bands"),
        (&["--mdl", "gamma"], "seed, delta"),
        (&["--mode-rule", "median"], "ignore-singletons"),
        (&["--search", "fast"], "estimate"),
        (&["--preset", "ma-2003a"], "modern, kim-shim"),
        (&["--jobs", "0"], "1..=1024"),
        (&["--top", "few"], "--top"),
    ] {
        let refused = run(with(&args!["cluster", site], more)).expect(2);
        assert!(refused.stdout.is_empty());
        refused.says(&[hint]);
    }
    run(args!["cluster"]).expect(2).says(&["INPUT"]);
    run(args!["cluster", folder.path("nothing")])
        .expect(2)
        .says(&["nothing"]);
}

#[test]
fn presets_and_flags_choose_the_clusters() {
    let folder = Folder::new();
    let site = two_templates(&folder);
    let count = |more: &[&str]| {
        let done = run(with(&args!["cluster", site, "-q"], more)).expect(0);
        done.records().len()
    };
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&["--preset", "modern"]), 2);
    // The cost of the paper accepts every merge.
    assert_eq!(count(&["--preset", "kim-shim"]), 1);
    assert_eq!(count(&["--mdl", "seed"]), 1);
    assert_eq!(
        count(&[
            "--preset",
            "kim-shim",
            "--mdl",
            "delta",
            "--mode-rule",
            "elements"
        ]),
        2
    );
    for search in ["exact", "lsh", "estimate"] {
        assert_eq!(count(&["--search", search]), 2, "{search}");
    }
    assert_eq!(
        count(&["--exact-limit", "3", "--hashes", "64", "--bands", "16"]),
        2
    );
}

#[test]
fn few_pages() {
    let folder = Folder::new();
    fs::create_dir(folder.path("empty")).unwrap();
    let report = folder.path("empty.html");
    let none = run(args!["cluster", folder.path("empty"), "--report", report]).expect(1);
    assert!(none.stdout.is_empty());
    none.says(&["no page was found", "unframe cluster --help"]);
    check_page(&fs::read_to_string(report).unwrap());
    let table = run(args!["cluster", folder.path("empty"), "--format", "table"]).expect(1);
    assert!(table.stdout.is_empty());

    folder.write("one/a.html", page(1));
    let one = run(args!["cluster", folder.path("one"), "-q"])
        .expect(0)
        .records();
    assert_eq!(one.len(), 1);
    let fields = ["pages", "template_paths", "gain"].map(|name| one[0][name].as_f64().unwrap());
    assert_eq!(fields, [1.0, 0.0, 0.0]);
    assert_eq!(one[0]["pattern"], "a.html");

    folder.write("two/a.html", page(1));
    folder.write("two/b.html", page(2));
    let report = folder.path("two.html");
    let two = run(args![
        "cluster",
        folder.path("two"),
        "-q",
        "--report",
        report
    ])
    .expect(0);
    assert_eq!(two.records().len(), 1);
    assert_eq!(two.records()[0]["pages"], 2);
    check_page(&fs::read_to_string(report).unwrap());
    // What only one page has is no evidence, so nothing but `html` and `body` speaks, for a merge.
    folder.write("two/b.html", shop(2));
    let two = run(args!["cluster", folder.path("two"), "-q", "--pages"]).expect(0);
    assert_eq!(of_type(&two.records(), "page").len(), 2);
}

#[test]
fn pages_that_are_the_same_or_say_nothing() {
    let folder = Folder::new();
    for n in 0..30 {
        folder.write(format!("same/{n}.html"), page(7));
        folder.write(
            format!("silent/{n}.html"),
            "<div><p></p><br><img src=x></div>",
        );
        folder.write(format!("void/{n}.html"), "");
    }
    let same = run(args!["cluster", folder.path("same"), "-q"])
        .expect(0)
        .records();
    assert_eq!((same.len(), &same[0]["pages"]), (1, &30.into()));
    let report = folder.path("silent.html");
    let silent = run(args!["cluster", folder.path("silent"), "--report", report]).expect(0);
    let silent = silent.says(&["flagged: 30 no-text"]).records();
    assert_eq!((silent.len(), &silent[0]["pages"]), (1, &30.into()));
    check_page(&fs::read_to_string(report).unwrap());
    run(args!["cluster", folder.path("void"), "-q"]);
}

#[test]
fn what_is_no_page_is_passed_over() {
    let folder = Folder::new();
    let site = two_templates(&folder);
    let clean = groups(
        &run(args!["cluster", site, "-q", "--pages"])
            .expect(0)
            .records(),
    );
    folder.write("site/news/a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    folder.write("site/news/b.pdf", "%PDF-1.4");
    folder.write("site/c.html", vec![0u8; 4096]);
    folder.write("site/data.json", "{\"a\": 1}");
    let done = run(args!["cluster", site, "--pages"]);
    assert!(done.stderr.contains("skipped:"), "{}", done.stderr);
    let found: BTreeSet<BTreeSet<String>> = groups(&done.records());
    for group in clean {
        assert!(found.contains(&group), "{group:?} {found:?}");
    }
}

#[test]
fn the_answer_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let mut lines = String::new();
    for n in 0..150 {
        lines += &jsonl([
            (format!("http://a.example/news/{n}"), page(n)),
            (format!("http://b.example/shop/{n}"), shop(n)),
            (
                format!("http://b.example/other/{n}"),
                page(n).replace("div", "section"),
            ),
        ]);
    }
    let file = folder.write("pages.jsonl", lines);
    for more in [&["--mixed"][..], &[], &["--search", "estimate", "--mixed"]] {
        let outputs = ["1", "2", "5"].map(|jobs| {
            let report = folder.path(format!("{jobs}.html"));
            let args = args![
                "cluster", file, "-q", "--pages", "--paths", "-j", jobs, "--report", report
            ];
            let done = run(with(&args, more)).expect(0);
            (done.stdout, fs::read(report).unwrap())
        });
        assert!(
            outputs[0] == outputs[1] && outputs[1] == outputs[2],
            "{more:?}"
        );
        assert_eq!(of_type(&json_lines(&outputs[0].0), "cluster").len(), 3);
    }
}

#[test]
fn a_page_of_very_many_paths() {
    let folder = Folder::new();
    let site = two_templates(&folder);
    let many: String = (0..200_000)
        .map(|n| format!("<p>text number {n}</p>\n"))
        .collect();
    folder.write("site/many.html", many);
    let report = folder.path("r.html");
    let done = run_briefly(args!["cluster", site, "-q", "--report", report]).expect(0);
    let sizes: Vec<u64> = done
        .records()
        .iter()
        .map(|one| one["pages"].as_u64().unwrap())
        .collect();
    assert_eq!(BTreeSet::from_iter(sizes), BTreeSet::from([1, 8, 10]));
    let html = fs::read_to_string(report).unwrap();
    check_page(&html);
    assert!(html.len() < 300_000);
}

#[test]
fn many_pages_that_have_nothing_in_common() {
    let folder = Folder::new();
    // No element and no text is on two pages.
    let odd = |n: usize| {
        let parts = (0..8).map(|at| format!("<x{n}-{at}>word {n} {at}<y{n}-{at}></x{n}-{at}>"));
        parts.collect::<String>()
    };
    let lines = jsonl((0..5_000).map(|n| (format!("http://a.example/{n}"), odd(n))));
    let file = folder.write("pages.jsonl", lines);
    let report = folder.path("r.html");
    let done = run_briefly(args!["cluster", file, "-q", "--report", report]).expect(0);
    let pages: u64 = done
        .records()
        .iter()
        .map(|one| one["pages"].as_u64().unwrap())
        .sum();
    assert_eq!(pages, 5_000);
    let html = fs::read_to_string(report).unwrap();
    check_page(&html);
    assert!(html.len() < 1_000_000, "{}", html.len());
}
