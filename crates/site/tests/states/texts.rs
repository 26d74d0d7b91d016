//! Pages of made-up texts, and the simplest memory that counts them, for tests that break things.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use unframe_page::{Fingerprint, Kind};
use unframe_site::{BadRow, Memory, MemoryKind, Sites, Store, Visit, WriteRow};

/// On how many pages each text is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    rows: BTreeMap<u64, u32>,
    changed: BTreeSet<u64>,
}

impl Texts {
    fn count(&mut self, key: u64, by: i64) {
        let count = self.rows.entry(key).or_default();
        *count = (i64::from(*count) + by).max(0) as u32;
        if *count == 0 {
            self.rows.remove(&key);
        }
        self.changed.insert(key);
    }

    /// How many counts differ from those of the pages in the ledger.
    fn recount(&self, ledger: &[(Fingerprint, unframe_site::PageRecord)]) -> u64 {
        let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
        for (_, page) in ledger {
            for key in keys(&page.contribution) {
                *counts.entry(key).or_default() += 1;
            }
        }
        u64::from(counts != self.rows)
    }
}

fn keys(contribution: &[u8]) -> impl Iterator<Item = u64> {
    contribution
        .as_chunks()
        .0
        .iter()
        .map(|key| u64::from_be_bytes(*key))
}

impl Memory for Texts {
    fn load(&mut self, _: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let count = u32::from_le_bytes(row.try_into().map_err(|_| BadRow)?);
        self.rows.insert(key.0 as u64, count);
        Ok(())
    }

    fn load_head(&mut self, _: &[u8]) -> Result<(), BadRow> {
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        Vec::new()
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        for (key, count) in &self.rows {
            write(0, Fingerprint((*key).into()), Some(&count.to_le_bytes()));
        }
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        for key in std::mem::take(&mut self.changed) {
            let row = self.rows.get(&key).map(|count| count.to_le_bytes());
            write(0, Fingerprint(key.into()), row.as_ref().map(|row| &row[..]));
        }
    }

    fn unlearn(&mut self, _: Fingerprint, contribution: &[u8]) {
        keys(contribution).for_each(|key| self.count(key, -1));
    }

    fn lists_keys() -> bool {
        true
    }

    fn merge(&mut self, other: Self) {
        for (key, count) in other.rows {
            self.count(key, count.into());
        }
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, unframe_site::PageRecord)]) -> u64 {
        self.recount(ledger)
    }
}

pub fn kind() -> MemoryKind {
    MemoryKind::of::<Texts>("texts", 1)
}

/// Numbers that look random and are the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, below: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }
}

/// Ten texts of the frame, and thirty of the page's own.
fn texts(page: u64) -> Vec<u8> {
    let key = |text: String| Fingerprint::of(Kind::Text, text).0 as u64 >> 16;
    let frame = (0..10).map(|n| key(format!("frame {n}")));
    let own = (0..30).map(|n| key(format!("page {page}, text {n}")));
    let mut keys: Vec<u64> = frame.chain(own).collect();
    keys.sort_unstable();
    keys.iter().flat_map(|key| key.to_be_bytes()).collect()
}

/// Bytes that a page is said to have.
pub const PAGE_BYTES: u64 = 20_000;

/// Learns a version of a page of one of `sites` sites.
pub fn learn(sites: &mut Sites, among: u64, page: u64, version: u64) -> bool {
    let site = format!("site{}.example", page % among);
    let content = Fingerprint((page * 1000 + version).into());
    let identity = Fingerprint::of(Kind::Page, page.to_string());
    let learn = |memory: &mut dyn Memory, visit: Visit<'_>| {
        let memory: &mut Texts = memory.downcast_mut().unwrap();
        if let Some(former) = visit.former {
            memory.unlearn(visit.page, former);
        }
        let contribution = texts(page * 7 + version);
        keys(&contribution).for_each(|key| memory.count(key, 1));
        contribution
    };
    sites
        .visit(&site, identity, content, PAGE_BYTES, learn)
        .unwrap()
}

/// Learns a version of many pages.
pub fn learn_all(sites: &mut Sites, among: u64, pages: impl Iterator<Item = u64>, version: u64) {
    for page in pages {
        learn(sites, among, page, version);
    }
}

pub fn open(path: &Path) -> Sites {
    Sites::new(kind(), Some(Store::open(path).unwrap()), usize::MAX).unwrap()
}

/// Everything in a state, by site, or why it could not be read.
pub fn read(path: &Path) -> Result<BTreeMap<String, Vec<u8>>, unframe_site::StoreError> {
    let store = Store::open_read_only(path)?;
    store.verify()?;
    let mut sites = Sites::new(kind(), Some(store), usize::MAX)?;
    let mut found = BTreeMap::new();
    for name in sites.names() {
        let bytes = sites.export(&name)?;
        found.insert(name, bytes);
    }
    Ok(found)
}

/// Fails unless every page in the ledgers is counted once; returns how many there are.
pub fn pages(path: &Path) -> u64 {
    let store = Store::open_read_only(path).unwrap();
    store.verify().unwrap();
    let mut pages = 0;
    for (name, record) in store.sites("texts") {
        let ledger = store.pages(kind(), &name).unwrap();
        let (memory, _) = store.load(kind(), &name).unwrap().unwrap();
        assert_eq!(memory.wrong_counts(&ledger), 0, "{name}");
        assert_eq!(ledger.len() as u64, record.pages, "{name}");
        pages += record.pages;
    }
    pages
}
