//! `unframe bench` on the demo sites.

use std::path::Path;

use serde_json::Value;

use crate::args;
use crate::harness::*;

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
        "chunks:preset=modern",
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
    assert!(column("chunks:preset=modern", "f1") > column("text", "f1"));
    assert!(column("stream", "leak_t") < column("text", "leak_t"));
    assert!(column("stream", "state_bytes") > 0.0);
    assert!(column("auto", "state_bytes") > 0.0);
}

#[test]
fn a_table_shows_methods_and_sites() {
    let done = run(args!["bench", demo(), "--sites", "--method", "text"]).expect(0);
    let table = String::from_utf8(done.stdout).unwrap();
    for word in [
        "F1",
        "leakT",
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
            "auto, text, stream, chunks, mdl and links",
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
