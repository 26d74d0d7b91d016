//! Laws for any method's memory: pages count once, on disk as in memory, whatever is evicted.

use std::collections::BTreeMap;

use unframe_page::Fingerprint;
use unframe_site::{BadRow, Memory, Sites, Store, StoreError, Visit, WriteRow, merge};

/// Counts how many pages have each key: the simplest possible method.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    rows: BTreeMap<Fingerprint, u8>,
    changed: Vec<Fingerprint>,
}

impl Counts {
    fn learn(&mut self, keys: &[u8], visit: Visit<'_>) -> Vec<u8> {
        if let Some(former) = visit.former {
            self.unlearn(former);
        }
        for key in keys {
            *self.rows.entry(Fingerprint((*key).into())).or_default() += 1;
            self.changed.push(Fingerprint((*key).into()));
        }
        keys.to_vec()
    }
}

impl Memory for Counts {
    const METHOD: &'static str = "counts";

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

    fn unlearn(&mut self, contribution: &[u8]) {
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

/// A page whose keys are the bytes of `text`.
fn visit(sites: &mut Sites<Counts>, site: &str, page: u128, text: &str) -> bool {
    let content = Fingerprint(text.bytes().fold(7, |sum, b| sum * 256 + u128::from(b)));
    let learn = |memory: &mut Counts, visit: Visit<'_>| memory.learn(text.as_bytes(), visit);
    sites
        .visit(site, Fingerprint(page), content, 1, learn)
        .unwrap()
}

fn counts(sites: &mut Sites<Counts>, site: &str) -> (u64, Vec<(u8, u8)>) {
    sites.load(site).unwrap();
    let rows = &sites.get(site).unwrap().rows;
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
        let mut sites = Sites::<Counts>::new(Some(Store::open(&file).unwrap()), usize::MAX);
        assert_eq!(visit(&mut sites, "s", 1, "ab"), round == 0);
        assert_eq!(visit(&mut sites, "s", 2, "bc"), round == 0);
        assert_eq!(
            counts(&mut sites, "s"),
            (2, vec![(b'a', 1), (b'b', 2), (b'c', 1)])
        );
        sites.commit().unwrap();
    }
    let mut sites = Sites::<Counts>::new(Some(Store::open(&file).unwrap()), usize::MAX);
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
    let mut sites = Sites::<Counts>::new(Some(store), usize::MAX);
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
fn sites_without_room_go_to_disk_and_come_back() {
    // No room at all: every commit evicts all sites but one.
    let mut sites = Sites::<Counts>::new(None, 0);
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
        let mut sites = Sites::<Counts>::new(Some(Store::open(file).unwrap()), usize::MAX);
        for (page, text) in pages {
            visit(&mut sites, "s", page, text);
        }
        sites.commit().unwrap();
    }
    let mut sites = Sites::<Counts>::new(Some(Store::open(&one).unwrap()), usize::MAX);
    assert_eq!(
        merge(&mut sites, &Store::open_existing(&other).unwrap()).unwrap(),
        1
    );
    assert_eq!(
        counts(&mut sites, "s"),
        (3, vec![(b'a', 1), (b'b', 3), (b'c', 1)])
    );
}

/// When two sites are merged, their pages are known, whether in memory or evicted.
#[test]
fn two_sites_become_one() {
    for room in [usize::MAX, 0] {
        let mut sites = Sites::<Counts>::new(None, room);
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
        // An unknown site has nothing to add.
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
    let mut sites = Sites::<Counts>::new(Some(Store::open(&path).unwrap()), 1 << 20);
    visit(&mut sites, "s", 1, "ab");
    sites.commit().unwrap();
    drop(sites);
    let before = std::fs::read(&path).unwrap();
    let mut store = Store::open_read_only(&path).unwrap();
    let again = Store::open_read_only(&path).unwrap();
    let [(name, record)] = &store.sites("counts").unwrap()[..] else {
        panic!("one site");
    };
    assert_eq!(name, "s");
    let memory: Counts = again.load(record).unwrap();
    assert_eq!(memory.rows.len(), 2);
    assert!(matches!(store.verify(), Err(StoreError::ReadOnly(_))));
    drop((store, again));
    assert!(std::fs::read(&path).unwrap() == before);
}
