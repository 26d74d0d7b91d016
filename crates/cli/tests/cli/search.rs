//! Indexes of cleaned pages.

use std::fs;

use serde_json::Value;

use crate::args;
use crate::harness::*;

/// The one JSON object on standard output.
#[track_caller]
fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).expect("one JSON object")
}

#[test]
fn cleaned_pages_are_found_by_their_content_alone() {
    let folder = Folder::new();
    let index = folder.path("idx");
    let made = run(args!["clean", "-mstream", folder.site(8), "--index", index])
        .expect(0)
        .says(&["index: 8 pages"]);
    assert!(made.stdout.is_empty());

    let found = json(&run(args!["search", index, "w3x7", "--json"]).expect(0));
    assert_eq!(found["total"], 1);
    let hit = &found["hits"][0];
    assert_eq!(
        (&hit["rank"], &hit["title"]),
        (&1.into(), &"Story 3".into())
    );
    assert!(hit["url"].as_str().unwrap().ends_with("p003.html"));
    assert!(hit["snippet"].as_str().unwrap().contains("w3x7"));
    assert!(hit["score"].as_f64().unwrap() > 0.0);

    let shown = run(args!["search", index, "headline", "-n", "2"]).expect(0);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(
        text.starts_with(" 1. ") && text.contains("\n 2. "),
        "{text}"
    );
    assert!(!text.contains(" 3. ") && shown.stderr.contains("8 of 8 pages"));

    // The frame is gone, and that is no error.
    let none = run(args!["search", index, "\"Pier Road\""]).expect(0);
    assert!(none.stdout.is_empty() && none.stderr.contains("no page matches"));
}

#[test]
fn pages_cannot_command_the_terminal() {
    let folder = Folder::new();
    let html = "<title>\u{1b}]0;owned\u{7}</title><p>lamps \u{1b}[2J and more</p>";
    folder.write("site/a.html", html);
    let index = folder.path("idx");
    run(args![
        "clean",
        "-mstream",
        folder.path("site"),
        "-q",
        "--index",
        index
    ])
    .expect(0);
    let shown = run(args!["search", index, "lamps"]).expect(0);
    assert!(!shown.stdout.is_empty() && !shown.stdout.contains(&0x1b));
}

#[test]
fn an_index_beside_other_output() {
    let folder = Folder::new();
    let (site, index, out) = (folder.site(6), folder.path("idx"), folder.path("out"));
    run(args![
        "clean", "-mstream", site, "--index", index, "-o", out
    ])
    .expect(0);
    assert_eq!(tree(&out).len(), 6);
    run(args!["search", index, "headline"])
        .expect(0)
        .says(&["6 of 6"]);

    let other = folder.path("other");
    let summary = run(args!["clean", "-mstream", site, "--index", other, "--json"]).expect(0);
    assert_eq!(json(&summary)["pages"], 6);
    let format = args![
        "clean",
        "-mstream",
        site,
        "--index",
        folder.path("i"),
        "-f",
        "html"
    ];
    run(format).expect(2).says(&["--format", "-o"]);
    assert!(!folder.path("i").exists());
    let inside = args!["clean", "-mstream", site, "--index", site.join("idx")];
    run(inside).expect(2).says(&["inside the input folder"]);
    let alone = args!["clean", "-mstream", site, "--force"];
    run(alone).expect(2).says(&["--index"]);
}

#[test]
fn nothing_is_overwritten_that_must_not_be() {
    let folder = Folder::new();
    let (site, index) = (folder.site(6), folder.path("idx"));
    let make = args!["clean", "-mstream", site, "-q", "--index", index];
    run(&make).expect(0);
    run(&make)
        .expect(2)
        .says(&["idx", "already exists", "--force"]);
    run(with(&make, &["--force"])).expect(0);
    run(args!["search", index, "headline"])
        .expect(0)
        .says(&["6 of 6"]);

    let foreign = folder.path("foreign");
    folder.write("foreign/thesis.txt", "years of work");
    let make = args![
        "clean", "-mstream", site, "-q", "--force", "--index", foreign
    ];
    run(make)
        .expect(2)
        .says(&["foreign", "not an unframe index"]);
    assert_eq!(tree(&foreign).len(), 1);
    run(args!["search", foreign, "x"])
        .expect(2)
        .says(&["foreign"]);

    folder.write("idx/notes.txt", "mine");
    let make = args!["clean", "-mstream", site, "-q", "--force", "--index", index];
    run(make).expect(2).says(&["notes.txt"]);
    run(args!["search", index, "headline"])
        .expect(0)
        .says(&["6 of 6"]);

    let missing = folder.path("none");
    run(args!["search", missing, "x"])
        .expect(2)
        .says(&["no index", "--index"]);
    // Wrong inputs are found before the old index is touched.
    let make = args![
        "clean",
        "-mstream",
        folder.path("nowhere"),
        "--force",
        "--index",
        index
    ];
    run(make).expect(2).says(&["nowhere"]);
}

#[test]
fn an_index_stays_until_there_is_something_to_replace_it() {
    let folder = Folder::new();
    let (index, nothing) = (folder.path("idx"), folder.path("nothing"));
    run(args![
        "clean",
        "-mstream",
        folder.site(8),
        "-q",
        "--index",
        index
    ])
    .expect(0);
    fs::create_dir(&nothing).unwrap();
    run(args![
        "clean", "-mstream", nothing, "--index", index, "--force"
    ])
    .expect(1);
    let found = json(&run(args!["search", index, "w3x7", "--json"]).expect(0));
    assert_eq!(found["total"], 1);
    run(args![
        "clean",
        "-mstream",
        folder.site(8),
        "--index",
        index,
        "-o",
        index
    ])
    .expect(2)
    .says(&["same folder"]);
}

#[test]
fn a_locked_index_is_left_alone() {
    let folder = Folder::new();
    let (site, index) = (folder.site(6), folder.path("idx"));
    run(args!["clean", "-mstream", site, "-q", "--index", index]).expect(0);
    // The engine's own lock, held as another run would hold it.
    let lock = fs::File::create(index.join(".tantivy-writer.lock")).unwrap();
    lock.lock().unwrap();
    let make = args!["clean", "-mstream", site, "-q", "--force", "--index", index];
    run(&make)
        .expect(1)
        .says(&["idx", "another run is writing"]);
    run(args!["search", index, "headline"])
        .expect(0)
        .says(&["6 of 6"]);
    drop(lock);
    run(&make).expect(0);
}

#[test]
fn other_versions_and_damage_are_told() {
    let folder = Folder::new();
    let index = folder.path("idx");
    run(args![
        "clean",
        "-mstream",
        folder.site(6),
        "-q",
        "--index",
        index
    ])
    .expect(0);
    let mark = index.join("unframe-index.json");
    let ours = fs::read_to_string(&mark).unwrap();
    fs::write(&mark, ours.replace(":1", ":99")).unwrap();
    run(args!["search", index, "x"])
        .expect(2)
        .says(&["version 99", "--force"]);
    fs::write(&mark, ours).unwrap();
    fs::write(index.join("meta.json"), "{").unwrap();
    run(args!["search", index, "x"])
        .expect(1)
        .says(&["damaged", "--force"]);
}

#[test]
fn wrong_queries_are_explained() {
    let folder = Folder::new();
    let index = folder.path("idx");
    run(args![
        "clean",
        "-mstream",
        folder.site(6),
        "-q",
        "--index",
        index
    ])
    .expect(0);
    let deep = "(".repeat(10_000);
    for (query, hint) in [
        ("", "contains no words to search for"),
        ("&&", "quer"),
        ("\"open", "is misplaced"),
        ("colour:red", "there is no field `colour`"),
        (&deep, "longer than"),
    ] {
        run(args!["search", index, query]).expect(2).says(&[hint]);
    }
    run(args!["search", index]).expect(2).says(&["<QUERY>"]);
    run(args!["search", index, "x", "-n", "0"])
        .expect(2)
        .says(&["1..=10000"]);
}

#[test]
fn without_pages_there_is_no_index() {
    let folder = Folder::new();
    folder.write("empty/readme.txt", "no page");
    let index = folder.path("idx");
    run(args![
        "clean",
        "-mstream",
        folder.path("empty"),
        "--index",
        index
    ])
    .expect(1);
    run(args!["search", index, "x"])
        .expect(2)
        .says(&["no index found"]);
}
