//! A sample of the pages of a site, reduced to their trees, that other pages are compared with.
//!
//! The sample consists of the pages whose identities have the smallest hashes, so it does not
//! depend on the order in which pages arrive. The hash is a page's rank in that order, and the key
//! of its row.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use unframe_page::Fingerprint;
use unframe_site::{Amount, BadRow, Fields, Figure, Memory, PageRecord, Visit, WriteRow};

use super::kept_page::KeptPage;
use crate::rows::sample_place;

/// Larger pages are not stored; they are still labelled.
const MOST_NODES: usize = 50_000;

/// What `links` remembers about a site.
#[derive(Debug, Default)]
pub struct LinksMemory {
    /// Number of pages learned, stored or not.
    pages: u64,
    /// Maximum number of stored pages.
    most: u32,
    /// The rules their trees were built with; empty before the first page.
    rules: Box<str>,
    /// By their hashes.
    kept: BTreeMap<Fingerprint, Kept>,
    /// Hashes of pages added or removed since they were last written.
    changed: BTreeSet<Fingerprint>,
}

/// A stored page, decoded when it is first needed.
#[derive(Debug, Default)]
struct Kept {
    page: OnceLock<Option<KeptPage>>,
    /// As read from the store; empty if it was learned in this run.
    stored: Box<[u8]>,
}

impl Kept {
    fn page(&self) -> Option<&KeptPage> {
        let read = || KeptPage::decode(&self.stored);
        self.page.get_or_init(read).as_ref()
    }

    fn bytes(&self) -> Cow<'_, [u8]> {
        match self.page.get() {
            Some(Some(page)) if self.stored.is_empty() => Cow::Owned(page.encode()),
            _ => Cow::Borrowed(&self.stored),
        }
    }
}

impl LinksMemory {
    /// Stores a page if its hash is among the smallest.
    pub(super) fn learn(
        &mut self,
        most: u32,
        rules: &str,
        visit: Visit<'_>,
        page: impl FnOnce() -> KeptPage,
    ) {
        if self.rules.is_empty() {
            (self.rules, self.most) = (rules.into(), most);
        }
        self.pages += u64::from(visit.former.is_none());
        let place = LinksMemory::place(visit.page);
        self.leave(place);
        let last = self.kept.last_key_value().map(|(last, _)| *last);
        if self.kept.len() >= self.most as usize && last.is_some_and(|last| last < place) {
            return;
        }
        let page = page();
        if page.tree.len() > MOST_NODES {
            return;
        }
        let kept = Kept {
            page: OnceLock::from(Some(page)),
            ..Kept::default()
        };
        self.kept.insert(place, kept);
        self.changed.insert(place);
        self.keep_to_size();
    }

    /// The hash of a page.
    fn place(page: Fingerprint) -> Fingerprint {
        sample_place(page, "links")
    }

    fn keep_to_size(&mut self) {
        while self.kept.len() > self.most as usize {
            let (last, _) = self.kept.last_key_value().expect("is not empty");
            let last = *last;
            self.leave(last);
        }
    }

    fn leave(&mut self, place: Fingerprint) {
        if self.kept.remove(&place).is_some() {
            self.changed.insert(place);
        }
    }

    /// The stored pages, in the order of their hashes.
    pub(super) fn kept(&self) -> impl Iterator<Item = &KeptPage> {
        self.kept.values().filter_map(Kept::page)
    }

    /// Number of pages learned.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Number of pages that others are compared with.
    pub fn kept_pages(&self) -> usize {
        self.kept.len()
    }

    /// True if the page that contributed this hash is stored.
    pub fn keeps(&self, place: Fingerprint) -> bool {
        self.kept.contains_key(&place)
    }

    /// Number of stored pages whose bytes are damaged; they are not used.
    pub fn unreadable(&self) -> usize {
        let damaged = self.kept.values().filter(|kept| kept.page().is_none());
        damaged.count()
    }

    /// The rules the trees were built with, in command line syntax; empty before the first page.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Maximum number of stored pages.
    pub fn most_pages(&self) -> u32 {
        self.most
    }

    /// Bytes of the stored pages, encoded.
    pub fn table_bytes(&self) -> u64 {
        let bytes = self.kept.values().map(|kept| kept.bytes().len() as u64);
        bytes.sum()
    }
}

impl Memory for LinksMemory {
    fn load(&mut self, _: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let kept = Kept {
            stored: row.into(),
            ..Kept::default()
        };
        self.kept.insert(key, kept);
        Ok(())
    }

    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
        let mut fields = Fields(head);
        self.pages = fields.u64().ok_or(BadRow)?;
        self.most = fields.u32().ok_or(BadRow)?;
        self.rules = std::str::from_utf8(fields.0).map_err(|_| BadRow)?.into();
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        let mut head = self.pages.to_le_bytes().to_vec();
        head.extend(self.most.to_le_bytes());
        head.extend(self.rules.as_bytes());
        head
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        for (place, kept) in &self.kept {
            write(0, *place, Some(&kept.bytes()));
        }
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        for place in std::mem::take(&mut self.changed) {
            let row = self.kept.get(&place).map(Kept::bytes);
            write(0, place, row.as_deref());
        }
    }

    fn unlearn(&mut self, page: Fingerprint, _: &[u8]) {
        self.pages = self.pages.saturating_sub(1);
        self.leave(LinksMemory::place(page));
    }

    /// Keeps the pages of both with the smallest hashes, which are those that one memory of all
    /// pages would have.
    fn merge(&mut self, other: Self) {
        if self.rules.is_empty() {
            (self.rules, self.most) = (other.rules, other.most);
        }
        self.pages = self.pages.saturating_add(other.pages);
        for (place, kept) in other.kept {
            self.kept.insert(place, kept);
            self.changed.insert(place);
        }
        self.keep_to_size();
    }

    /// Approximate number of stored nodes.
    fn len(&self) -> usize {
        self.kept
            .values()
            .map(|kept| match kept.page.get() {
                Some(Some(page)) => page.tree.len(),
                _ => kept.stored.len() / 8,
            })
            .sum()
    }

    fn bytes(&self) -> usize {
        /// Of a node of a decoded tree, with its share of the texts of the tree.
        const NODE_BYTES: usize = 48;
        let kept = self.kept.values().map(|kept| match kept.page.get() {
            Some(Some(page)) => kept.stored.len() + NODE_BYTES * page.tree.len(),
            _ => kept.stored.len(),
        });
        kept.sum::<usize>() + 128 * self.kept.len()
    }

    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::count("nodes", self.len() as u64).column("nodes"),
            Figure::bytes("tree_bytes", self.table_bytes()).column("trees"),
            Figure::count("kept_pages", self.kept_pages() as u64).column("kept"),
            Figure::new("rules", Amount::Words(self.rules().into())),
        ]
    }

    /// Kept pages that the ledger does not have, and kept pages that cannot be read.
    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        let known = ledger.iter().map(|(page, _)| LinksMemory::place(*page));
        let known = known.filter(|place| self.keeps(*place)).count();
        (self.kept_pages() - known) as u64 + self.unreadable() as u64
    }
}
