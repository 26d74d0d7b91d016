//! What holds for any method's memory: pages count once, on disk as in memory, whatever is let go.

use std::collections::BTreeMap;

use unframe_page::Fingerprint;
use unframe_site::{BadRow, Memory, MemoryKind, Sites, Store, StoreError, Visit, WriteRow, merge};

/// Counts how many pages have each key; the simplest thing that can be learnt.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    rows: BTreeMap<Fingerprint, u8>,
    changed: Vec<Fingerprint>,
}

impl Counts {
    fn learn(&mut self, keys: &[u8], visit: Visit<'_>) -> Vec<u8> {
        if let Some(former) = visit.former {
            self.unlearn(visit.page, former);
        }
        for key in keys {
            *self.rows.entry(Fingerprint((*key).into())).or_default() += 1;
            self.changed.push(Fingerprint((*key).into()));
        }
        keys.to_vec()
    }
}

impl Memory for Counts {
    fn load(&mut self, _: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        self.rows.insert(key, *row.first().ok_or(BadRow)?);
        Ok(())
    }

    fn load_head(&mut self, _: &[u8]) -> Result<(), BadRow> {
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        Vec::new()
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        self.rows
            .iter()
            .for_each(|(key, count)| write(0, *key, Some(&[*count])));
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        for key in std::mem::take(&mut self.changed) {
            let row = self.rows.get(&key).map(|count| [*count]);
            write(0, key, row.as_ref().map(|row| &row[..]));
        }
    }

    fn unlearn(&mut self, _: Fingerprint, contribution: &[u8]) {
        for key in contribution {
            let key = Fingerprint((*key).into());
            let count = self.rows.get_mut(&key).expect("was learnt");
            *count -= 1;
            if *count == 0 {
                self.rows.remove(&key);
            }
            self.changed.push(key);
        }
    }

    fn merge(&mut self, other: Self) {
        for (key, count) in other.rows {
            *self.rows.entry(key).or_default() += count;
            self.changed.push(key);
        }
    }

    fn len(&self) -> usize {
        self.rows.len()
    }
}

fn kind(version: u32) -> MemoryKind {
    MemoryKind::of::<Counts>("counts", version)
}

fn open(store: Option<Store>, room: usize) -> Sites {
    Sites::new(kind(1), store, room).unwrap()
}

/// A page whose keys are the bytes of `text`.
fn visit(sites: &mut Sites, site: &str, page: u128, text: &str) -> bool {
    let content = Fingerprint(text.bytes().fold(7, |sum, b| sum * 256 + u128::from(b)));
    let learn = |memory: &mut dyn Memory, visit: Visit<'_>| {
        let memory: &mut Counts = memory.downcast_mut().unwrap();
        memory.learn(text.as_bytes(), visit)
    };
    sites
        .visit(site, Fingerprint(page), content, 1, learn)
        .unwrap()
}

fn counts(sites: &mut Sites, site: &str) -> (u64, Vec<(u8, u8)>) {
    sites.load(site).unwrap();
    let rows = &sites
        .get(site)
        .unwrap()
        .downcast_ref::<Counts>()
        .unwrap()
        .rows;
    let rows = rows
        .iter()
        .map(|(key, count)| (key.0 as u8, *count))
        .collect();
    (sites.record(site).unwrap().pages, rows)
}

#[test]
fn what_was_committed_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    for round in 0..3 {
        let mut sites = open(Some(Store::open(&file).unwrap()), usize::MAX);
        assert_eq!(visit(&mut sites, "s", 1, "ab"), round == 0);
        assert_eq!(visit(&mut sites, "s", 2, "bc"), round == 0);
        assert_eq!(
            counts(&mut sites, "s"),
            (2, vec![(b'a', 1), (b'b', 2), (b'c', 1)])
        );
        sites.commit().unwrap();
    }
    let mut sites = open(Some(Store::open(&file).unwrap()), usize::MAX);
    assert!(
        visit(&mut sites, "s", 2, "cd"),
        "a changed page replaces its former self"
    );
    sites.commit().unwrap();
    assert_eq!(
        counts(&mut sites, "s"),
        (2, vec![(b'a', 1), (b'b', 1), (b'c', 1), (b'd', 1)])
    );
}

#[test]
fn a_forgotten_page_is_new_again_also_before_the_commit() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("state")).unwrap();
    let mut sites = open(Some(store), usize::MAX);
    visit(&mut sites, "s", 1, "ab");
    sites.commit().unwrap();
    assert!(sites.forget("s", Fingerprint(1)).unwrap());
    assert!(!sites.forget("s", Fingerprint(1)).unwrap());
    assert!(visit(&mut sites, "s", 1, "ab"));
    sites.commit().unwrap();
    assert_eq!(counts(&mut sites, "s"), (1, vec![(b'a', 1), (b'b', 1)]));
    assert!(!visit(&mut sites, "s", 1, "ab"));
}

#[test]
fn sites_are_empty_until_a_page_of_the_method_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let mut sites = open(Some(Store::open(&path).unwrap()), usize::MAX);
    assert!(sites.is_empty());
    sites.load("s").unwrap();
    assert!(sites.is_empty(), "it was only looked up");
    visit(&mut sites, "s", 1, "ab");
    assert!(!sites.is_empty(), "before the commit");
    sites.commit().unwrap();
    drop(sites);
    let sites = open(Some(Store::open(&path).unwrap()), usize::MAX);
    assert!(!sites.is_empty(), "none is open");
    drop(sites);
    let other = MemoryKind::of::<Counts>("others", 1);
    let sites = Sites::new(other, Some(Store::open(&path).unwrap()), usize::MAX).unwrap();
    assert!(sites.is_empty(), "another method has learnt it");
}

#[test]
fn a_removed_site_is_gone_and_can_be_learned_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let reopened = || open(Some(Store::open(&path).unwrap()), usize::MAX);
    let mut sites = reopened();
    visit(&mut sites, "a", 1, "xy");
    visit(&mut sites, "b", 1, "z");
    sites.commit().unwrap();
    assert!(sites.remove("a").unwrap());
    assert!(!sites.remove("a").unwrap());
    assert!(!sites.remove("never seen").unwrap());
    assert_eq!(sites.names(), ["b"]);
    sites.commit().unwrap();
    drop(sites);
    // Also where the file was not compacted.
    let mut sites = reopened();
    assert_eq!(sites.names(), ["b"]);
    assert_eq!(counts(&mut sites, "a"), (0, vec![]));
    assert!(visit(&mut sites, "a", 1, "xy"));
    sites.commit().unwrap();
    assert!(sites.remove("b").unwrap());
    sites.finish().unwrap();
    drop(sites);
    let mut sites = reopened();
    assert_eq!(sites.names(), ["a"]);
    assert_eq!(counts(&mut sites, "a").0, 1);
    let records = sites.records();
    assert_eq!(records.len(), 1);
    assert!(records[0].1.stored > 0);
}

#[test]
fn sites_without_room_go_to_disk_and_come_back() {
    // No room at all: every commit lets go of all sites but one.
    let mut sites = open(None, 0);
    for page in 0..40u128 {
        for site in ["a", "b", "c"] {
            visit(&mut sites, site, page, "xy");
            sites.commit().unwrap();
        }
    }
    for site in ["a", "b", "c"] {
        assert_eq!(counts(&mut sites, site), (40, vec![(b'x', 40), (b'y', 40)]));
        assert!(!visit(&mut sites, site, 7, "xy"));
    }
}

#[test]
fn merging_counts_a_shared_page_once() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one");
    let other = folder.path().join("other");
    for (file, pages) in [
        (&one, [(1, "ab"), (2, "b")]),
        (&other, [(2, "b"), (3, "bc")]),
    ] {
        let mut sites = open(Some(Store::open(file).unwrap()), usize::MAX);
        for (page, text) in pages {
            visit(&mut sites, "s", page, text);
        }
        sites.commit().unwrap();
    }
    let mut sites = open(Some(Store::open(&one).unwrap()), usize::MAX);
    assert_eq!(
        merge(&mut sites, &Store::open_existing(&other).unwrap()).unwrap(),
        1
    );
    assert_eq!(
        counts(&mut sites, "s"),
        (3, vec![(b'a', 1), (b'b', 3), (b'c', 1)])
    );
}

/// Pages of two sites that become one are known there, be they in memory or let go.
#[test]
fn two_sites_become_one() {
    for room in [usize::MAX, 0] {
        let mut sites = open(None, room);
        visit(&mut sites, "a", 1, "xy");
        visit(&mut sites, "b", 2, "yz");
        sites.commit().unwrap();
        visit(&mut sites, "b", 3, "z");
        sites.join("b", "a").unwrap();
        let all = (3, vec![(b'x', 1), (b'y', 2), (b'z', 2)]);
        assert_eq!(counts(&mut sites, "a"), all);
        assert!(!visit(&mut sites, "a", 2, "yz"));
        assert!(visit(&mut sites, "a", 3, "x"));
        let changed = (3, vec![(b'x', 2), (b'y', 2), (b'z', 1)]);
        assert_eq!(counts(&mut sites, "a"), changed);
        // A site that nobody knows has nothing to add.
        sites.join("c", "a").unwrap();
        assert_eq!(counts(&mut sites, "a"), changed);
    }
}

#[test]
fn reading_only_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.unframe");
    assert!(matches!(
        Store::open_read_only(&path),
        Err(StoreError::Missing(_))
    ));
    let mut sites = open(Some(Store::open(&path).unwrap()), 1 << 20);
    visit(&mut sites, "s", 1, "ab");
    sites.commit().unwrap();
    drop(sites);
    let before = std::fs::read(&path).unwrap();
    let store = Store::open_read_only(&path).unwrap();
    let again = Store::open_read_only(&path).unwrap();
    let [(name, record)] = &store.sites("counts")[..] else {
        panic!("one site");
    };
    assert_eq!((&**name, record.pages), ("s", 1));
    let (memory, _) = again.load(kind(1), name).unwrap().unwrap();
    assert_eq!(memory.len(), 2);
    store.verify().unwrap();
    let mut sites = open(Some(store), 1 << 20);
    visit(&mut sites, "s", 2, "c");
    assert!(matches!(sites.commit(), Err(StoreError::ReadOnly(_))));
    drop((sites, again));
    assert!(std::fs::read(&path).unwrap() == before);
}

#[test]
fn what_another_version_has_learned_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.unframe");
    let mut sites = open(Some(Store::open(&path).unwrap()), 1 << 20);
    visit(&mut sites, "s", 1, "ab");
    sites.commit().unwrap();
    drop(sites);
    let store = Store::open(&path).unwrap();
    let refused = Sites::new(kind(2), Some(store), 1 << 20).err().unwrap();
    assert!(matches!(
        refused,
        StoreError::OtherVersion {
            found: 1,
            known: 2,
            ..
        }
    ));
    // Another method in the same file is none of its business.
    let other = MemoryKind::of::<Counts>("other", 7);
    Sites::new(other, Some(Store::open(&path).unwrap()), 1 << 20).unwrap();
}

#[test]
fn an_exported_site_comes_back() {
    for room in [usize::MAX, 0] {
        let mut sites = open(None, room);
        for (page, text) in [(1, "ab"), (2, "bc"), (3, "d")] {
            visit(&mut sites, "s", page, text);
        }
        sites.commit().unwrap();
        let bytes = sites.export("s").unwrap();
        let mut again = open(None, usize::MAX);
        visit(&mut again, "t", 3, "d");
        assert_eq!(again.import("t", &bytes).unwrap(), 2);
        assert_eq!(counts(&mut again, "t"), counts(&mut sites, "s"));
        assert!(!visit(&mut again, "t", 2, "bc"));
        assert_eq!(
            again.export("t").unwrap(),
            bytes,
            "equal sites, equal bytes"
        );
    }
}

#[test]
fn a_damaged_export_is_refused() {
    let mut sites = open(None, usize::MAX);
    visit(&mut sites, "s", 1, "ab");
    let bytes = sites.export("s").unwrap();
    for cut in 0..bytes.len() {
        assert!(sites.import("t", &bytes[..cut]).is_err(), "{cut}");
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert!(sites.import("t", &changed).is_err(), "{at}");
    }
    let mut newer = Sites::in_memory(kind(2));
    let refused = newer.import("t", &bytes).unwrap_err().to_string();
    assert!(refused.contains("version 1"), "{refused}");
}
