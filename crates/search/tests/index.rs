//! Complete indexes: created, queried, refused, compared.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use unframe_search::{
    Document, Index, IndexWriter, Indexed, Judgements, PlainQuery, SearchError, compare,
};

fn page(n: usize, body: &str) -> Document {
    Document {
        url: format!("http://a.example/{n}"),
        site: "a.example".into(),
        title: format!("Page {n}"),
        body: body.into(),
        source: format!("pages.jsonl:{n}"),
    }
}

fn make(folder: &Path, bodies: &[&str]) -> Index {
    let mut writer = IndexWriter::open(folder).unwrap();
    for (n, body) in bodies.iter().enumerate() {
        writer.add(page(n, body)).unwrap();
    }
    assert_eq!(writer.finish().unwrap().written, bodies.len() as u64);
    Index::open(folder).unwrap()
}

fn urls(index: &Index, query: &str) -> Vec<String> {
    let found = index.search(&*index.parse(query).unwrap(), 10).unwrap();
    assert_eq!(found.total as usize, found.hits.len());
    found.hits.into_iter().map(|hit| hit.url).collect()
}

#[test]
fn pages_are_found_by_words_phrases_and_fields() {
    let folder = TempDir::new().unwrap();
    let index = make(
        folder.path(),
        &[
            "Ropes and lamps",
            "lamps\nfor ships",
            "漢字の本 caf\u{65}\u{301}",
            "",
        ],
    );
    let url = |n: usize| format!("http://a.example/{n}");
    for (query, expected) in [
        ("ROPES", vec![url(0)]),
        ("lamps", vec![url(0), url(1)]),
        ("ships lamps", vec![url(1), url(0)]),
        ("+lamps -ships", vec![url(0)]),
        ("\"lamps for\"", vec![url(1)]),
        ("漢字", vec![url(2)]),
        ("café", vec![url(2)]),
        ("title:3", vec![url(3)]),
        ("url:\"http://a.example/1\"", vec![url(1)]),
        ("nowhere", vec![]),
    ] {
        assert_eq!(urls(&index, query), expected, "{query}");
    }
    let query = index.parse("ships").unwrap();
    let found = index.search(&*query, 10).unwrap();
    assert_eq!(found.hits[0].snippet, "lamps for ships");
    assert_eq!((found.hits[0].rank, found.hits[0].score > 0.0), (1, true));
}

#[test]
fn wrong_queries_are_explained() {
    let folder = TempDir::new().unwrap();
    let index = make(folder.path(), &["text"]);
    let deep = "(".repeat(500);
    let long = "word ".repeat(1000);
    for (query, hint) in [
        ("", "contains no words to search for"),
        ("   ", "contains no words to search for"),
        ("!!!", "try for example"),
        ("\"open", "is misplaced"),
        ("a AND", "is misplaced"),
        ("colour:red", "there is no field `colour`"),
        ("-text", "it only excludes words"),
        (&deep, "brackets"),
        (&long, "longer than"),
    ] {
        match index.parse(query) {
            Err(error) => {
                assert!(error.is_wrong_use());
                assert!(error.to_string().contains(hint), "{query}: {error}");
            }
            Ok(parsed) => panic!("{query} was read as {parsed:?}"),
        }
    }
}

#[test]
fn equal_pages_keep_the_order_of_the_input_in_a_large_index() {
    let folder = TempDir::new().unwrap();
    let mut writer = IndexWriter::open(folder.path()).unwrap();
    // Enough text for several segments, which the writer then merges. It is one word, which is no work.
    let filler = "x".repeat(1 << 20);
    for n in 0..90 {
        writer.add(page(n, &format!("same {filler}"))).unwrap();
    }
    assert_eq!(writer.finish().unwrap().total, 90);
    let index = Index::open(folder.path()).unwrap();
    let expected: Vec<String> = (0..10).map(|n| format!("http://a.example/{n}")).collect();
    let found = index.search(&*index.parse("same").unwrap(), 10).unwrap();
    let urls: Vec<String> = found.hits.into_iter().map(|hit| hit.url).collect();
    assert_eq!((found.total, urls), (90, expected));
    let stores = fs::read_dir(folder.path()).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".store")
    });
    assert_eq!(stores.count(), 1);
}

fn refused(folder: &Path) -> SearchError {
    match IndexWriter::open(folder) {
        Err(error) => error,
        Ok(_) => panic!("{} was taken", folder.display()),
    }
}

/// Adds pages to what is there, and returns what the run did.
fn add(folder: &Path, pages: impl IntoIterator<Item = Document>) -> Indexed {
    let mut writer = IndexWriter::open(folder).unwrap();
    for page in pages {
        writer.add(page).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn pages_are_added_and_replaced_by_url() {
    let folder = TempDir::new().unwrap();
    make(folder.path(), &["lamps", "old ropes", "lamps"]);
    let done = add(folder.path(), [page(1, "new ropes"), page(7, "anchors")]);
    assert_eq!((done.written, done.total), (2, 4));
    let index = Index::open(folder.path()).unwrap();
    let url = |n: usize| format!("http://a.example/{n}");
    for (query, expected) in [
        ("old", vec![]),
        ("ropes", vec![url(1)]),
        ("lamps", vec![url(0), url(2)]),
        ("anchors", vec![url(7)]),
    ] {
        assert_eq!(urls(&index, query), expected, "{query}");
    }

    // The last of equal URLs counts, within a run, too; even if the URL is too long for a term.
    let mut long = page(8, "first");
    long.url = format!("http://a.example/{}", "x".repeat(70_000));
    let pages = ["first", "second"].map(|body| Document {
        body: body.into(),
        ..long.clone()
    });
    assert_eq!(add(folder.path(), pages).total, 5);
    let last = Document {
        body: "third".into(),
        ..long
    };
    let done = add(folder.path(), [last, page(0, "buoys")]);
    assert_eq!((done.written, done.total), (2, 5));
    let index = Index::open(folder.path()).unwrap();
    for (query, expected) in [
        ("first", 0),
        ("second", 0),
        ("third", 1),
        ("buoys", 1),
        ("lamps", 1),
    ] {
        assert_eq!(urls(&index, query).len(), expected, "{query}");
    }
}

/// Scores depend on how many pages have a word; pages that were replaced have no say.
#[test]
fn an_index_in_several_runs_answers_like_one() {
    let (whole, parts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let bodies = ["ropes and lamps", "lamps for ships", "anchors", "ropes"];
    make(whole.path(), &bodies);
    add(
        parts.path(),
        [page(0, "lamps lamps lamps"), page(3, "lamps")],
    );
    add(parts.path(), [page(0, bodies[0]), page(1, bodies[1])]);
    add(parts.path(), [page(2, bodies[2]), page(3, bodies[3])]);
    let found = |folder: &Path| {
        let index = Index::open(folder).unwrap();
        let query = index.parse("lamps ropes").unwrap();
        let hits = index.search(&*query, 10).unwrap().hits;
        let hits = hits.into_iter().map(|hit| (hit.url, hit.score));
        hits.collect::<Vec<_>>()
    };
    assert_eq!(found(parts.path()), found(whole.path()));
}

/// What was not committed when the writer ended is as if it had not been.
#[test]
fn an_abandoned_run_leaves_the_former_index() {
    let folder = TempDir::new().unwrap();
    make(folder.path(), &["lamps", "ropes"]);
    let mut writer = IndexWriter::open(folder.path()).unwrap();
    writer.add(page(0, "anchors")).unwrap();
    drop(writer);
    let index = Index::open(folder.path()).unwrap();
    assert_eq!((index.pages(), urls(&index, "lamps").len()), (2, 1));
    assert_eq!(add(folder.path(), [page(0, "anchors")]).total, 2);
}

/// A run that is killed in a commit leaves files that the index does not know yet. The next run needs
/// their names.
#[test]
fn files_of_a_killed_run_are_not_in_the_way() {
    let (folder, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    make(folder.path(), &["lamps", "ropes"]);
    let copy_files = |from: &Path, to: &Path, is_wanted: fn(&str) -> bool| {
        let mut copied = 0;
        for entry in fs::read_dir(from).unwrap() {
            let name = entry.unwrap().file_name();
            if is_wanted(name.to_str().unwrap()) {
                fs::copy(from.join(&name), to.join(&name)).unwrap();
                copied += 1;
            }
        }
        copied
    };
    copy_files(folder.path(), copy.path(), |name| !name.ends_with(".lock"));
    // So much text that it is committed at once. Most of it is one word, which is no work.
    let long = "lorem ".to_string() + &"x".repeat(33 << 20);
    let mut writer = IndexWriter::open(copy.path()).unwrap();
    writer.add(page(0, &long)).unwrap();
    drop(writer);
    let is_left = |name: &str| name.ends_with(".del") || name == ".managed.json";
    assert_eq!(copy_files(copy.path(), folder.path(), is_left), 2);

    assert_eq!(add(folder.path(), [page(0, &long)]).total, 2);
    let index = Index::open(folder.path()).unwrap();
    assert_eq!(
        (urls(&index, "lamps").len(), urls(&index, "lorem").len()),
        (0, 1)
    );
}

#[test]
fn foreign_folders_are_never_touched() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("thesis.txt"), "years of work").unwrap();
    for foreign in [path, &path.join("thesis.txt")] {
        let error = refused(foreign);
        assert!(matches!(error, SearchError::Foreign { .. }), "{error}");
    }
    assert_eq!(fs::read_dir(path).unwrap().count(), 1);
    assert!(matches!(
        Index::open(path),
        Err(SearchError::Foreign { .. })
    ));

    // An index of the same engine that is not ours.
    let other = TempDir::new().unwrap();
    fs::write(other.path().join("meta.json"), "{}").unwrap();
    let error = refused(other.path());
    assert!(matches!(error, SearchError::Foreign { .. }), "{error}");

    // Ours, with a foreign file in it, which stays.
    let mixed = TempDir::new().unwrap();
    make(mixed.path(), &["text"]);
    fs::write(mixed.path().join("notes.txt"), "mine").unwrap();
    assert_eq!(add(mixed.path(), [page(1, "text")]).total, 2);
    assert_eq!(fs::read(mixed.path().join("notes.txt")).unwrap(), b"mine");
}

#[test]
fn a_locked_index_is_left_to_its_writer() {
    let folder = TempDir::new().unwrap();
    let mut writer = IndexWriter::open(folder.path()).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, SearchError::Locked(_)), "{error}");
    writer.add(page(0, "text")).unwrap();
    writer.finish().unwrap();
    assert_eq!(urls(&Index::open(folder.path()).unwrap(), "text").len(), 1);
}

#[test]
fn other_versions_and_damage_are_told() {
    let missing = TempDir::new().unwrap();
    for path in [missing.path().to_path_buf(), missing.path().join("none")] {
        assert!(matches!(Index::open(&path), Err(SearchError::Missing(_))));
    }
    let folder = TempDir::new().unwrap();
    make(folder.path(), &["text"]);
    let mark = folder.path().join("unframe-index.json");
    let ours = fs::read_to_string(&mark).unwrap();
    fs::write(&mark, ours.replace(":1", ":99")).unwrap();
    match Index::open(folder.path()) {
        Err(SearchError::Version { found: 99, .. }) => {}
        other => panic!("{:?}", other.err()),
    }
    let error = refused(folder.path());
    assert!(matches!(error, SearchError::Version { .. }), "{error}");
    assert!(error.to_string().contains("remove the folder"), "{error}");
    fs::write(&mark, ours).unwrap();
    fs::write(folder.path().join("meta.json"), "{").unwrap();
    match Index::open(folder.path()) {
        Err(SearchError::Damaged { .. }) => {}
        other => panic!("{:?}", other.err()),
    }
    let error = refused(folder.path());
    assert!(matches!(error, SearchError::Damaged { .. }), "{error}");
}

#[test]
fn a_comparison_tells_frame_from_content() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let before = make(
        one.path(),
        &[
            "Home Lamps Health. A story of ropes",
            "Home Lamps Health. A story of lamps",
            "Home Lamps Health. A story of health",
        ],
    );
    let after = make(
        two.path(),
        &["A story of ropes", "A story of lamps", "A story of health"],
    );
    let queries: Vec<PlainQuery> = ["home", "lamps", "ropes", "\"lamps health\"", "absent"]
        .into_iter()
        .map(|line| PlainQuery::parse(line).unwrap())
        .collect();
    let text = "lamps\thttp://a.example/1\t1\nropes\thttp://a.example/0\t1\n";
    let judgements = Judgements::parse(Path::new("j"), text).unwrap();
    let found = compare(&before, &after, &queries, Some(&judgements)).unwrap();
    let rows: Vec<_> = found
        .queries
        .iter()
        .map(|q| (q.hits_before, q.hits_after, q.frame_only, q.differs))
        .collect();
    assert_eq!(
        rows,
        [
            (3, 0, [1, 3, 3], true),
            (3, 1, [0, 2, 2], true),
            (1, 1, [0, 0, 0], false),
            (3, 0, [1, 3, 3], true),
            (0, 0, [0, 0, 0], false),
        ]
    );
    assert_eq!((found.totals.different, found.totals.lost_all), (3, 2));
    assert_eq!(
        (found.totals.shown, found.totals.frame_only),
        ([4, 10, 10], [2, 8, 8])
    );
    assert!(found.size_after.words < found.size_before.words);
    let home = found
        .top_terms_before
        .iter()
        .find(|t| t.term == "home")
        .unwrap();
    assert_eq!((home.before, home.after), (3, 0));
    assert!(found.top_terms_after.iter().all(|t| t.term != "home"));
    let judged = found.judged.unwrap();
    assert_eq!((judged.queries, judged.different), (2, 1));
    assert_eq!(judged.at[0].after, 1.0);
}
