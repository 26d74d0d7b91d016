//! How large states are, and that it does not matter how they came about.

use std::fs;
use std::path::Path;

use unframe_site::{Sites, Store, StoreError, merge};

use crate::texts::{PAGE_BYTES, kind, learn, learn_all, open, pages, read};

fn length(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

/// Learns pages in runs of some pages, with a commit after every few.
fn learned(path: &Path, all: u64, per_run: u64, per_commit: u64) {
    for run in (0..all).step_by(per_run as usize) {
        let mut sites = open(path);
        for page in run..all.min(run + per_run) {
            learn(&mut sites, 3, page, 0);
            if page % per_commit == 0 {
                sites.commit().unwrap();
            }
        }
        assert!(sites.finish().unwrap().is_none());
    }
}

#[test]
fn a_state_is_as_small_however_often_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let once = folder.path().join("once");
    learned(&once, 900, 900, 900);
    // Forty texts a page are 48 bits each, and 13 bytes for the page.
    let most = 900 * (30 * 6 + 13) + 4000;
    assert!(length(&once) < most, "{} of {most}", length(&once));
    assert!(length(&once) < 900 * PAGE_BYTES / 50, "2 %");
    for (per_run, per_commit) in [(900, 3), (10, 10), (33, 1), (300, 50)] {
        let path = folder.path().join(format!("{per_run}-{per_commit}"));
        learned(&path, 900, per_run, per_commit);
        let (found, whole) = (length(&path), length(&once));
        assert!(
            found <= whole * 11 / 10,
            "{found} instead of {whole} with {per_run} pages a run, {per_commit} a commit"
        );
        assert!(read(&path).unwrap() == read(&once).unwrap());
        let mut store = Store::open(&path).unwrap();
        let done = store.compact(&[kind()]).unwrap();
        assert_eq!((done.before, done.after), (found, length(&path)));
        assert_eq!(length(&path), whole, "compacted, they are all alike");
        drop(store);
        assert!(fs::read(&path).unwrap()[80..] == fs::read(&once).unwrap()[80..]);
    }
}

#[test]
fn all_bytes_are_accounted_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    learned(&path, 300, 40, 7);
    let mut sites = open(&path);
    learn_all(&mut sites, 3, 0..50, 1);
    sites.commit().unwrap();
    drop(sites);
    let store = Store::open_read_only(&path).unwrap();
    let spent = store.spent().unwrap();
    assert_eq!(spent.total(), length(&path));
    assert_eq!(store.size().bytes, length(&path));
    assert_eq!(store.size().page_bytes, 300 * PAGE_BYTES);
    assert!(
        spent.rows > spent.ledger && spent.ledger > 12 * 300,
        "{spent:?}"
    );
}

#[test]
fn merging_two_is_learning_both() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other, both] = ["one", "other", "both"].map(|name| folder.path().join(name));
    for (path, range) in [(&one, 0..60), (&other, 40..100), (&both, 0..100)] {
        let mut sites = open(path);
        learn_all(&mut sites, 3, range, 0);
        sites.finish().unwrap();
    }
    let mut sites = open(&one);
    assert_eq!(
        merge(&mut sites, &Store::open_read_only(&other).unwrap()).unwrap(),
        40
    );
    sites.finish().unwrap();
    drop(sites);
    assert_eq!(pages(&one), 100);
    assert!(read(&one).unwrap() == read(&both).unwrap());
}

/// The same pages in another order are the same bytes.
#[test]
fn equal_memories_are_equal_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [up, down] = ["up", "down"].map(|name| folder.path().join(name));
    let mut sites = open(&up);
    learn_all(&mut sites, 3, 0..80, 0);
    sites.finish().unwrap();
    drop(sites);
    let mut sites = open(&down);
    learn_all(&mut sites, 3, (0..80).rev(), 5);
    learn_all(&mut sites, 3, (0..80).rev(), 0);
    sites.finish().unwrap();
    drop(sites);
    assert!(fs::read(&up).unwrap()[80..] == fs::read(&down).unwrap()[80..]);
}

#[test]
fn files_of_the_former_store_are_refused_and_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.unframe");
    let mut bytes = b"redb\x1a\x0a\xa9\x0d\x0a".to_vec();
    bytes.resize(10_000, 3);
    fs::write(&path, &bytes).unwrap();
    for opened in [
        Store::open(&path),
        Store::open_read_only(&path),
        Store::scratch(&path),
    ] {
        let error = opened.err().unwrap();
        assert!(matches!(error, StoreError::Earlier(_)), "{error}");
        assert!(
            error
                .to_string()
                .contains("unframe clean PAGES --state NEW"),
            "{error}"
        );
    }
    assert!(fs::read(&path).unwrap() == bytes);
}

/// A state behind a link is compacted where it is, and the link stays.
#[cfg(unix)]
#[test]
fn a_link_to_a_state_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("s"), folder.path().join("link"));
    learned(&path, 60, 60, 7);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut store = Store::open(&link).unwrap();
    store.compact(&[kind()]).unwrap();
    // Who opens the new file finds it in use.
    assert!(matches!(
        Store::open_read_only(&path),
        Err(StoreError::InUse(_))
    ));
    drop(store);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(pages(&link), 60);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        2,
        "no partial file is left"
    );
}

#[test]
fn many_sites_are_let_go_and_counted() {
    let room = 1 << 20;
    let mut sites = Sites::new(kind(), None, room).unwrap();
    for page in 0..4000 {
        learn(&mut sites, 2000, page, 0);
        if sites.is_crowded() {
            sites.commit().unwrap();
        }
        assert!(sites.bytes() < 3 * room, "{page}: {}", sites.bytes());
    }
    assert_eq!(sites.names().len(), 2000);
    for page in 0..4000 {
        assert!(!learn(&mut sites, 2000, page, 0));
    }
}
