//! States that earlier versions wrote: read and continued, or refused without a change.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use redb::{Database, TableDefinition};

use crate::args;
use crate::harness::{Folder, check, run};

/// Written by unframe 0.1.0: six pages, learned by each of the five methods that learn.
const WRITTEN_BY_0_1_0: &[u8] = include_bytes!("../fixtures/state-0.1.0.unframe.gz");

const METHODS: [&str; 5] = ["auto", "stream", "chunks", "mdl", "links"];

fn unpacked(folder: &Folder) -> PathBuf {
    let mut state = Vec::new();
    flate2::read::GzDecoder::new(WRITTEN_BY_0_1_0)
        .read_to_end(&mut state)
        .unwrap();
    folder.write("old.unframe", state)
}

/// The pages that it was learned from.
fn site(folder: &Folder) -> PathBuf {
    for n in 1..=6 {
        let html = format!(
            "<html><head><title>Story {n}</title></head><body><nav><a href=/1.html>Home</a> \
             <a href=/2.html>Shop</a> <a href=/3.html>Contact</a></nav><main><h1>Story number {n}\
             </h1><p>Only page {n} tells this story, which is long enough to be read as prose by \
             everybody.</p></main><footer>All rights reserved by nobody</footer></body></html>\n"
        );
        folder.write(format!("site/{n}.html"), html);
    }
    folder.path("site")
}

#[test]
fn every_method_continues_from_version_0_1_0() {
    let folder = Folder::new();
    let (state, site) = (unpacked(&folder), site(&folder));
    assert_eq!(check(&state), 30);
    for method in METHODS {
        let out = folder.path(format!("out-{method}"));
        let again = run(args![
            "clean", site, "--method", method, "--state", state, "-o", out, "--json"
        ])
        .expect(0);
        let summary = &again.records()[0];
        assert_eq!(summary["unchanged"], 6, "{method}: its pages are known");
        assert_eq!(summary["new"], 0, "{method}");
        let text = fs::read_to_string(out.join("4.html.txt")).unwrap();
        assert!(!text.contains("All rights reserved"), "{method}: {text}");
        assert!(text.contains("Only page 4 tells"), "{method}: {text}");
    }
    assert_eq!(check(&state), 30);
}

#[test]
fn what_another_version_of_a_method_learned_is_refused() {
    let folder = Folder::new();
    let (state, site) = (unpacked(&folder), site(&folder));
    let database = Database::open(&state).unwrap();
    let transaction = database.begin_write().unwrap();
    let about: TableDefinition<'_, &str, u32> = TableDefinition::new("unframe");
    transaction
        .open_table(about)
        .unwrap()
        .insert("auto/version", 99)
        .unwrap();
    transaction.commit().unwrap();
    drop(database);
    let before = fs::read(&state).unwrap();
    let message = [
        "version 99 of the method auto",
        "unframe clean PAGES --state NEW",
    ];
    run(args!["clean", site, "--state", state])
        .expect(2)
        .says(&message);
    run(args!["state", "show", state]).expect(2).says(&message);
    run(args![
        "state",
        "merge",
        state,
        "-o",
        folder.path("new.unframe")
    ])
    .expect(2)
    .says(&message);
    assert!(fs::read(&state).unwrap() == before, "no byte has changed");
    // Other methods in the same file are not concerned.
    let out = folder.path("out");
    run(args![
        "clean", site, "--method", "stream", "--state", state, "-o", out
    ])
    .expect(0);
}
