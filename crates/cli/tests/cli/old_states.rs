//! States that other versions wrote are refused without a change, with what to do.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use unframe::methods::MethodSpec;
use unframe::page::Fingerprint;
use unframe::store::{Sites, Store};

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
fn a_state_of_version_0_1_0_is_refused_with_what_to_do() {
    let folder = Folder::new();
    let (state, site) = (unpacked(&folder), site(&folder));
    let before = fs::read(&state).unwrap();
    let message = [
        "old.unframe",
        "written by an earlier version",
        "unframe clean PAGES --state NEW",
    ];
    for args in [
        args!["clean", site, "--state", state].to_vec(),
        args!["clean", site, "--state", state, "--dry-run"].to_vec(),
        args!["state", "show", state].to_vec(),
        args!["state", "compact", state].to_vec(),
        args!["state", "merge", state, "-o", folder.path("new.unframe")].to_vec(),
    ] {
        run(&args).expect(2).says(&message);
        assert!(
            fs::read(&state).unwrap() == before,
            "{args:?} changed the file"
        );
    }
    let checked = run(args!["state", "check", state]);
    assert_eq!(checked.code, Some(1));
    checked.says(&message);
    // What the message says works.
    let new = folder.path("new.unframe");
    run(args!["clean", site, "--state", new, "-q"]).expect(0);
    assert_eq!(check(&new), 6);
}

#[test]
fn what_another_version_of_a_method_learned_is_refused() {
    let folder = Folder::new();
    let (state, site) = (folder.path("s.unframe"), site(&folder));
    for method in METHODS {
        run(args![
            "clean", site, "--method", method, "--state", state, "-q"
        ])
        .expect(0);
    }
    assert_eq!(check(&state), 6 * METHODS.len() as u64);
    let engine = MethodSpec::default().engine().clone();
    let mut other = engine.memory();
    other.version = 99;
    // A file that another version of `auto` has written.
    fs::remove_file(&state).unwrap();
    let mut sites = Sites::new(other, Some(Store::open(&state).unwrap()), usize::MAX).unwrap();
    let page = Fingerprint(1);
    sites
        .visit("site", page, page, 1, |_, _| Vec::new())
        .unwrap();
    sites.commit().unwrap();
    drop(sites);
    let before = fs::read(&state).unwrap();
    let message = [
        "version 99 of the method auto",
        "unframe clean PAGES --state NEW",
    ];
    let new = folder.path("new.unframe");
    for args in [
        args!["clean", site, "--state", state].to_vec(),
        args!["state", "show", state].to_vec(),
        args!["state", "merge", state, "-o", new].to_vec(),
    ] {
        run(&args).expect(2).says(&message);
    }
    assert!(fs::read(&state).unwrap() == before, "no byte has changed");
    // Other methods in the same file are not concerned.
    let out = folder.path("out");
    run(args![
        "clean", site, "--method", "stream", "--state", state, "-o", out
    ])
    .expect(0);
}
