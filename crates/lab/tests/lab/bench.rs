//! `unframe-lab bench` on the demo sites.

use std::path::Path;

use serde_json::{Value, json};

use crate::args;
use crate::harness::*;
use crate::whole::broken_page;

fn demo() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo")
}

fn rows() -> Vec<Value> {
    let done = run(args!["bench", "--json", demo()]).expect(0);
    serde_json::from_slice(&done.stdout).expect("one JSON document")
}

#[test]
fn scores_of_the_demo_make_sense() {
    let rows = rows();
    let column = |method: &str, name: &str| {
        let row = rows.iter().find(|row| row["method"] == method);
        let row = row.unwrap_or_else(|| panic!("{method} is not scored"));
        let value = row
            .get(name)
            .unwrap_or_else(|| panic!("no column {name}: {row}"));
        value.as_f64().unwrap_or_else(|| panic!("{name}: {value}"))
    };
    for method in [
        "text",
        "chunks:preset=ma-2003a",
        "chunks:preset=ma-2003b",
        "chunks",
        "stream:arrival",
        "stream",
        "stream:separators=modern",
        "auto:remove=template",
        "auto",
    ] {
        for name in ["f1", "f1t", "p", "r", "leak_t", "leak_d"] {
            let value = column(method, name);
            assert!((0.0..=1.0).contains(&value), "{method} {name}: {value}");
        }
        assert!(column(method, "pages_per_second") > 0.0);
        assert!(column(method, "ms_per_kb") > 0.0);
    }
    // Whoever keeps everything has all the content, and all the frame with it.
    assert!(column("text", "r") > 0.99);
    assert!(column("text", "leak_t") > 0.99);
    assert!(column("stream", "f1") > column("text", "f1"));
    assert!(column("chunks", "f1") > column("text", "f1"));
    assert!(column("stream", "leak_t") < column("text", "leak_t"));
    assert!(column("stream", "state_bytes") > 0.0);
    assert!(column("auto", "state_bytes") > 0.0);
}

#[test]
fn losses_are_counted_with_and_without_labels() {
    let folder = Folder::new();
    for n in 0..5 {
        folder.write(format!("set/site/pages/{n}.html"), broken_page(n));
    }
    let gold = r#"{"kind": "article", "content": "Boat 1 sails at 1."}"#;
    folder.write("set/site/gold/1.html.json", gold);
    let methods = ["-m", "text", "-m", "stream", "--json"];
    let done = run(with(&args!["bench", folder.path("set")], &methods)).expect(0);
    let rows: Vec<Value> = serde_json::from_slice(&done.stdout).unwrap();
    let [all_kept, broken] = &rows[..] else {
        panic!("{rows:?}");
    };
    assert_eq!(all_kept["pages"], 1);
    for row in &rows {
        assert_eq!(row["whole"]["pages"], 5);
        assert_eq!(row["sites"][0]["whole"], row["whole"]);
    }
    for (what, lost, of) in [
        ("lines", 5, 25),
        ("headings", 5, 10),
        ("rows", 5, 5),
        ("pre", 5, 5),
    ] {
        assert_eq!(
            broken["whole"][what],
            json!({"lost": lost, "of": of}),
            "{what}"
        );
        assert_eq!(all_kept["whole"][what]["lost"], 0, "{what}");
    }
    assert_eq!(all_kept["whole"]["cuts"], 0);
    assert_eq!(broken["whole"]["cuts"], 5 * 4);
}

#[test]
fn a_table_shows_methods_and_sites() {
    let done = run(args!["bench", demo(), "--sites", "--method", "text"]).expect(0);
    let table = String::from_utf8(done.stdout).unwrap();
    for word in [
        "F1",
        "leakT",
        "holes orphans  rows   pre  cuts",
        "text",
        "fieldnotes",
        "harbour-shop",
        "petromyra-museum",
    ] {
        assert!(table.contains(word), "{word}: {table}");
    }
}

#[test]
fn wrong_corpora_and_methods_are_wrong_use() {
    let folder = Folder::new();
    folder.write("x/readme.txt", "no site");
    for (args, hint) in [
        (args!["bench", folder.path("x")].to_vec(), "pages/"),
        (args!["bench", folder.path("missing")].to_vec(), "missing"),
        (
            args!["bench", demo(), "--method", "magic"].to_vec(),
            "auto, stream, chunks, mdl, links and text",
        ),
        (
            args!["bench", demo(), "--method", "stream:df=1"].to_vec(),
            "at least 2",
        ),
    ] {
        run(args).expect(2).says(&[hint]);
    }
}

#[test]
fn texts_are_written_for_other_scorers() {
    let folder = Folder::new();
    let out = folder.path("texts");
    run(args!["bench", demo(), "--method", "stream", "--texts", out]).expect(0);
    let files = tree(&out);
    assert_eq!(files.len(), 29, "{:?}", files.keys());
    assert!(
        files
            .keys()
            .all(|name| name.starts_with("stream/") && name.ends_with(".txt"))
    );
}

/// The rows of a run on the demo sites with these arguments, by method.
fn rows_with(more: &[&str]) -> Vec<Value> {
    let args = with(&args!["bench", "--json", demo()], more);
    let done = run(args).expect(0);
    serde_json::from_slice(&done.stdout).expect("one JSON document")
}

#[test]
fn texts_of_other_tools_are_scored_beside_the_methods() {
    let folder = Folder::new();
    let out = folder.path("texts");
    let name = out.to_str().unwrap();
    rows_with(&["--method", "stream", "--texts", name]);
    let same = format!("same={name}/stream");
    let rows = rows_with(&["--method", "stream", "--predictions", &same]);
    assert_eq!(rows[1]["method"], "same");
    for column in ["f1", "p", "r", "leak_t"] {
        assert_eq!(rows[0][column], rows[1][column], "{column}");
        assert_eq!(rows[0]["sites"][0][column], rows[1]["sites"][0][column]);
    }
    // What is lost of a line is only known with the page.
    assert!(rows[1].get("whole").is_none(), "{}", rows[1]);
    assert_eq!(rows[1]["missing"], 0);
    assert!(rows[1].get("pages_per_second").is_none(), "{}", rows[1]);
}

#[test]
fn pages_without_a_prediction_are_scored_as_empty() {
    let folder = Folder::new();
    let kept = r#"{"site": "harbour-shop", "page": "ropes.html", "text": "rope"}"#;
    let file = folder.write("kept.jsonl", kept);
    let tool = format!("tool={}", file.display());
    let done = run(args!["bench", demo(), "-m", "text", "--predictions", tool]).expect(0);
    let done = done.says(&["tool: no text for", "scored as empty"]);
    let table = String::from_utf8(done.stdout).unwrap();
    assert!(
        table
            .lines()
            .any(|line| line.contains("tool") && line.contains('–'))
    );
}

#[test]
fn differences_have_intervals() {
    let rows = rows_with(&["-m", "stream", "-m", "text", "--against", "text"]);
    assert!(rows[1].get("against").is_none());
    let against = &rows[0]["against"];
    let number = |name: &str| against[name].as_f64().expect(name);
    let gained = rows[0]["f1"].as_f64().unwrap() - rows[1]["f1"].as_f64().unwrap();
    assert_eq!(
        (&against["method"], &against["column"]),
        (&"text".into(), &"F1".into())
    );
    assert!((number("mean") - gained).abs() < 1e-9);
    assert!(number("low") <= number("mean") && number("mean") <= number("high"));
    assert_eq!(number("not_better"), 0.0);
    assert_eq!(
        rows[0]["against"],
        rows_with(&["-m", "stream", "-m", "text", "--against", "text"])[0]["against"]
    );

    let args = args![
        "bench",
        demo(),
        "-m",
        "stream",
        "-m",
        "text",
        "--against",
        "text"
    ];
    let table = String::from_utf8(run(args).expect(0).stdout).unwrap();
    assert!(
        table.contains("F1 minus F1 of text") && table.contains("…"),
        "{table}"
    );
}

#[test]
fn pages_are_judged_with_few_or_all_others() {
    let f1 = |more: &[&str]| rows_with(more)[0]["f1"].as_f64().unwrap();
    let whole = f1(&["-m", "chunks"]);
    // Nothing repeats where there is one page, and all pages are the whole site.
    assert_eq!(f1(&["-m", "chunks", "--pages", "1"]), f1(&["-m", "text"]));
    assert_eq!(f1(&["-m", "chunks", "--pages", "1000"]), whole);
    assert!(f1(&["-m", "chunks", "--pages", "6"]) <= whole + 0.05);
    assert_eq!(
        rows_with(&["-m", "chunks", "--pages", "3"])[0]["site_pages"],
        3
    );
}

#[test]
fn a_curve_goes_over_numbers_of_pages() {
    let folder = Folder::new();
    let plot = folder.path("curve.svg");
    let more = ["-m", "links", "-m", "text", "--curve", "1,3,1000"];
    let curves = rows_with(&[&more[..], &["--plot", plot.to_str().unwrap()]].concat());
    assert_eq!(curves[0]["method"], "links");
    let points = curves[0]["points"].as_array().unwrap();
    let pages: Vec<u64> = points
        .iter()
        .map(|point| point["pages"].as_u64().unwrap())
        .collect();
    assert_eq!(pages, [1, 3, 1000]);
    let value = |at: usize| points[at]["value"].as_f64().unwrap();
    assert!(value(0) < value(1), "{points:?}");
    let at_three = rows_with(&["-m", "links", "--pages", "3"]);
    assert_eq!(at_three[0]["f1"], points[1]["value"]);
    let svg = std::fs::read_to_string(&plot).unwrap();
    for part in [
        "<svg",
        "links",
        "text",
        "demo",
        "pages of the site",
        "<polyline",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    let args = with(&args!["bench", demo()], &more);
    let table = String::from_utf8(run(args).expect(0).stdout).unwrap();
    assert!(
        table.contains("n=1000") && table.lines().count() == 3,
        "{table}"
    );
}

#[test]
fn wrong_comparisons_are_wrong_use() {
    let folder = Folder::new();
    let empty = format!("tool={}", folder.path("").display());
    let broken = folder.write("broken.jsonl", "{\"site\": 1}\n");
    let broken = format!("tool={}", broken.display());
    let kept = folder.write(
        "ok.jsonl",
        r#"{"site":"harbour-shop","page":"ropes.html","text":""}"#,
    );
    let as_method = format!("text={}", kept.display());
    for (more, hint) in [
        (&["--predictions", "texts"][..], "NAME=DIR"),
        (&["--predictions", "=texts"], "NAME=DIR"),
        (&["--predictions", "tool=missing-folder"], "missing-folder"),
        (&["--predictions", &empty], "<site>/<page>.txt"),
        (&["--predictions", &broken], "line 1"),
        (&["--predictions", &as_method], "another name"),
        (&["--against", "links"], "--method links"),
        (&["--against", "magic"], "one of text"),
        (&["--pages", "0"], "1..=65535"),
        (&["--pages", "some"], "--pages"),
        (&["--curve", "1,two"], "1,2,3,5,10,30"),
        (&["--curve", "0"], "1,2,3,5,10,30"),
        (&["--plot", "x.svg"], "--curve"),
        (&["--curve", "1", "--pages", "2"], "cannot be used with"),
        (
            &["--curve", "1", "--against", "text"],
            "cannot be used with",
        ),
    ] {
        let args = with(&args!["bench", demo(), "--method", "text"], more);
        run(args).expect(2).says(&[hint]);
    }
}

#[test]
fn clusters_can_be_scored() {
    let folder = Folder::new();
    for n in 0..6 {
        folder.write(format!("set/one/pages/{n}.html"), page(n));
        let gold = format!("{{\"content\": \"Headline {n}\", \"template\": \"{FOOT}\"}}");
        folder.write(format!("set/one/gold/{n}.html.json"), gold);
    }
    let set = folder.path("set");
    let methods = [
        "mdl",
        "mdl:preset=kim-shim",
        "chunks:cluster=mdl",
        "stream:cluster=minmax",
        "stream:cluster=mdl",
        "stream:arrival,df=2,cluster=mdl",
        "mdl:arrival",
    ];
    let flags: Vec<&str> = methods.iter().flat_map(|method| ["-m", *method]).collect();
    let done = run(with(&args!["bench", set, "--json"], &flags)).expect(0);
    let rows: Value = serde_json::from_slice(&done.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), methods.len());
    for row in rows {
        // At arrival the first page is not known yet.
        let arrives = row["method"].as_str().unwrap().contains("arrival");
        let leak = row["leak_t"].as_f64().unwrap();
        assert!(leak == 0.0 || (arrives && leak < 0.4), "{row}");
        assert!(row["state_bytes"].as_f64().unwrap() > 0.0, "{row}");
    }
    run(args!["bench", set, "-m", "mdl:fast"])
        .expect(2)
        .says(&["mode-rule"]);
}

#[test]
fn a_folder_without_labels_is_refused_with_what_is_expected() {
    let folder = Folder::new();
    folder.write("corpus/site/pages/a.html", "<p>a");
    std::fs::create_dir_all(folder.path("corpus/site/gold")).unwrap();
    let done = run(args!["bench", folder.path("corpus")]).expect(2);
    done.says(&["no page has a label", "gold/NAME.json", "`content`"]);
}
