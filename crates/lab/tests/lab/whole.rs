//! `unframe-lab whole`.

use serde_json::{Value, json};

use crate::args;
use crate::harness::*;

/// A page of which every method but `text` removes a heading, a word, a cell and a `pre`: the owner of
/// the site has marked them.
pub fn broken_page(n: usize) -> String {
    let marked = |text: &str| format!("<span data-nosnippet>{text} {n}</span>");
    format!(
        "<title>{n}</title><h1>{heading}</h1><p>Boat {n} {word} at dawn {n}.</p><h2>Ship {n}</h2>\
         <table><tr><td>Hull {n}<td>{cell}</table><p>Before {n}<pre>{code}</pre><p>end {n}",
        heading = marked("Tide"),
        word = marked("sails"),
        cell = marked("oak"),
        code = marked("code"),
    )
}

fn site(folder: &Folder) -> std::path::PathBuf {
    for n in 0..5 {
        folder.write(format!("boats/p{n}.html"), broken_page(n));
    }
    folder.path("boats")
}

#[test]
fn losses_are_counted_by_site() {
    let folder = Folder::new();
    let (boats, plain) = (site(&folder), folder.site(6));
    let args = args!["whole", boats, plain, "--method", "stream", "--json"];
    let done = run(args).expect(0);
    let rows: Vec<Value> = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[0]["site"], &rows[0]["pages"]),
        (&json!("boats"), &json!(5))
    );
    for (what, lost, of) in [
        ("lines", 5, 25),
        ("headings", 5, 10),
        ("markdown_headings", 5, 10),
        ("rows", 5, 5),
        ("pre", 5, 5),
    ] {
        assert_eq!(rows[0][what], json!({"lost": lost, "of": of}), "{what}");
    }
    assert_eq!(rows[0]["cuts"], 20);
    assert!(rows[0].get("losses").is_none());
    assert_eq!(rows[1]["headings"], json!({"lost": 0, "of": 6}));
}

#[test]
fn losses_are_shown() {
    let folder = Folder::new();
    let args = args!["whole", site(&folder), "--method", "stream", "--list", "2"];
    let done = run(args).expect(0);
    let table = String::from_utf8(done.stdout).unwrap();
    for part in [
        "boats                         5",
        "20.0 % of 25",
        "boats, holes:\n  p0.html: Boat 0 [-sails 0-] at dawn 0.\n  p1.html:",
        "boats, orphans:\n  p0.html: [-Tide 0-] Boat 0\n",
        "boats, h1-h3:\n  p0.html: [-Tide 0-]\n",
        "boats, rows:\n  p0.html: Hull 0 [-oak 0-]\n",
        "boats, pre:\n  p0.html: [-code 0-]\n",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(!table.contains("p2.html"), "{table}");
}

#[test]
fn without_pages_there_is_nothing_to_count() {
    let folder = Folder::new();
    folder.write("notes/a.txt", "no page");
    run(args!["whole", folder.path("notes")])
        .expect(1)
        .says(&["no page was found"]);
}
