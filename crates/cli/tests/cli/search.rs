//! Indexes of cleaned pages.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

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
}

/// How many pages match.
#[track_caller]
fn total(index: &Path, query: &str) -> u64 {
    let found = json(&run(args!["search", index, query, "--json"]).expect(0));
    found["total"].as_u64().expect("a number of pages")
}

#[test]
fn a_second_run_adds_pages_and_replaces_those_with_the_same_url() {
    let folder = Folder::new();
    let index = folder.path("idx");
    let clean = |lines: String, name: &str| {
        let file = folder.write(name, lines);
        run(args!["clean", "-mstream", file, "--index", index]).expect(0)
    };
    clean(jsonl_site("a.example", 0..6), "mon.jsonl").says(&["index: 6 pages in "]);
    let tuesday = jsonl_site("a.example", 4..9).replace("w4x7", "changed");
    clean(tuesday, "tue.jsonl").says(&["index: 5 pages added or replaced; 9 pages in "]);
    for (query, pages) in [
        ("headline", 9),
        ("w4x7", 0),
        ("changed", 1),
        ("w5x7", 1),
        ("w8x7", 1),
    ] {
        assert_eq!(total(&index, query), pages, "{query}");
    }
    // The same pages again change nothing.
    clean(jsonl_site("a.example", 0..9), "all.jsonl").says(&["index: 9 pages in "]);
    assert_eq!((total(&index, "headline"), total(&index, "w4x7")), (9, 1));
}

#[test]
fn nothing_is_overwritten_that_must_not_be() {
    let folder = Folder::new();
    let (site, index) = (folder.site(6), folder.path("idx"));
    let make = args!["clean", "-mstream", site, "-q", "--index", index];
    run(&make).expect(0);
    let foreign = folder.path("foreign");
    folder.write("foreign/thesis.txt", "years of work");
    run(args!["clean", "-mstream", site, "-q", "--index", foreign])
        .expect(2)
        .says(&["foreign", "not an unframe index", "new or empty folder"]);
    assert_eq!(tree(&foreign).len(), 1);
    run(args!["search", foreign, "x"])
        .expect(2)
        .says(&["foreign"]);

    folder.write("idx/notes.txt", "mine");
    run(&make).expect(0);
    assert_eq!(tree(&index)["notes.txt"], b"mine");
    assert_eq!(total(&index, "headline"), 6);

    let missing = folder.path("none");
    run(args!["search", missing, "x"])
        .expect(2)
        .says(&["no index", "--index"]);
    // Without a page, an index stays as it was.
    let nothing = folder.path("nothing");
    fs::create_dir(&nothing).unwrap();
    run(args!["clean", "-mstream", nothing, "--index", index]).expect(1);
    assert_eq!(total(&index, "headline"), 6);
    run(args!["clean", site, "--index", index, "-o", index])
        .expect(2)
        .says(&["same folder"]);
}

/// Pages that are already written are skipped in the output, and still in the index, once.
#[test]
fn a_resumed_run_completes_the_index() {
    let folder = Folder::new();
    let (index, out) = (folder.path("idx"), folder.path("out.jsonl"));
    let file = folder.write("in.jsonl", jsonl_site("a.example", 0..8));
    let first = folder.write("first.jsonl", jsonl_site("a.example", 0..3));
    run(args!["clean", "-mstream", first, "-q", "--index", index]).expect(0);
    run(args![
        "clean", "-mstream", file, "-q", "--index", index, "-o", out
    ])
    .expect(0);
    // As if the run had been killed after some pages.
    let whole = fs::read(&out).unwrap();
    let end = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    fs::remove_file(&out).unwrap();
    folder.write(".out.jsonl.unframe-partial", &whole[..end]);
    run(args![
        "clean", "-mstream", file, "-q", "--resume", "--index", index, "-o", out
    ])
    .expect(0);
    assert_eq!(fs::read(&out).unwrap(), whole);
    assert_eq!((total(&index, "headline"), total(&index, "w2x7")), (8, 1));
}

/// Killed while pages are in the engine, and at any other time.
#[test]
fn a_killed_run_leaves_an_index_that_can_be_used_and_continued() {
    let folder = Folder::new();
    let (index, out) = (folder.path("idx"), folder.path("out"));
    let monday = folder.write("mon.jsonl", jsonl_site("a.example", 0..6));
    run(args!["clean", "-mstream", monday, "-q", "--index", index]).expect(0);

    let mut slow = command(args![
        "clean",
        "-mstream",
        "-",
        "--arrival",
        "--commit-every",
        "1",
        "--index",
        index,
        "-o",
        out
    ]);
    slow.stdin(Stdio::piped());
    let mut child = start(slow);
    let mut pipe = child.stdin.take().unwrap();
    // More than one batch, so that the first pages are written while the others are awaited.
    let lines = jsonl_site("a.example", 3..3000);
    pipe.write_all(lines.as_bytes()).unwrap();
    wait_until("the first page is written", || {
        out.join("a.example/3.txt").exists()
    });
    signal(child.id(), "KILL");
    assert_eq!(finish(child).code, None);
    assert!(total(&index, "headline") >= 6);
    assert_eq!(total(&index, "w4x7"), 1);

    let all = folder.write("all.jsonl", jsonl_site("a.example", 0..60));
    let make = args!["clean", "-mstream", all, "-q", "--index", index];
    for delay in [1, 10, 30, 60, 90, 120, 200] {
        let child = start(command(&make));
        std::thread::sleep(Duration::from_millis(delay));
        signal(child.id(), "KILL");
        let _ = finish(child);
        assert!(total(&index, "headline") >= 6, "{delay} ms");
        assert_eq!(total(&index, "w4x7"), 1, "{delay} ms");
    }
    run(&make).expect(0);
    assert_eq!(total(&index, "headline"), 60);
    let files = tree(&index);
    let stores = files.keys().filter(|name| name.ends_with(".store"));
    assert_eq!(stores.count(), 1, "{:?}", files.keys());
}

#[test]
fn a_locked_index_is_left_alone() {
    let folder = Folder::new();
    let (site, index) = (folder.site(6), folder.path("idx"));
    run(args!["clean", "-mstream", site, "-q", "--index", index]).expect(0);
    // The engine's own lock, held as another run would hold it.
    let lock = fs::File::create(index.join(".tantivy-writer.lock")).unwrap();
    lock.lock().unwrap();
    let make = args!["clean", "-mstream", site, "-q", "--index", index];
    run(&make)
        .expect(1)
        .says(&["idx", "another run is writing"]);
    run(args!["search", index, "headline"])
        .expect(0)
        .says(&["6 of 6"]);
    // Closing it is not enough: a process that another test has just started may still have it open, too.
    lock.unlock().unwrap();
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
        .says(&["version 99", "remove the folder"]);
    fs::write(&mark, ours).unwrap();
    fs::write(index.join("meta.json"), "{").unwrap();
    run(args!["search", index, "x"])
        .expect(1)
        .says(&["damaged", "remove the folder"]);
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
