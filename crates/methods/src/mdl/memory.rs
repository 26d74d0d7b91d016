//! The paths of every page of one site.
//!
//! They are stored unmodified, 8 bytes each: nearly every text of a site is on one page only, so a
//! table that maps them to small numbers would be larger than what it saves.
//!
//! ```text
//! row:  key = page · order u64 · path u64 *
//! ```

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashSet;
use unframe_page::Fingerprint;
use unframe_site::{BadRow, Fields, Figure, Memory, PageRecord, WriteRow};
use unframe_survey::mdl::{MdlParams, OnlineParams, PagePaths};

use super::clusters::{Clusters, Template};
use super::online::Online;

/// Memory per page besides its paths: identity, order, and its entry in the map.
const PAGE_BYTES: usize = 64;

/// What `mdl` remembers about a site.
#[derive(Debug, Default)]
pub struct MdlMemory {
    /// By the page's identity. Pages are clustered in this order, so that their order of arrival
    /// does not matter, even if two merges are equally good.
    pages: BTreeMap<Fingerprint, Learnt>,
    /// The arrival number of the next page.
    next: u64,
    /// Total number of paths.
    paths: usize,
    /// Pages that were added, changed or removed since they were last written.
    changed: HashSet<Fingerprint>,
    /// The clusters of all pages; computed on demand.
    clusters: Mutex<Option<Arc<Clusters>>>,
    /// Present if pages are assigned to clusters on arrival.
    online: Option<Online>,
}

#[derive(Clone, Debug, Default)]
struct Learnt {
    /// Its arrival number.
    order: u64,
    /// Ascending.
    paths: Vec<u64>,
}

impl MdlMemory {
    /// Learns a page, or its new version.
    pub(super) fn learn(&mut self, page: Fingerprint, paths: &PagePaths) {
        let former = self.take_out(page);
        let order = former.map_or(self.next, |former| former.order);
        self.put_in(page, order, paths.iter().collect());
        self.next = self.next.max(order.saturating_add(1));
    }

    fn put_in(&mut self, page: Fingerprint, order: u64, paths: Vec<u64>) {
        self.paths += paths.len();
        self.changed.insert(page);
        self.pages.insert(page, Learnt { order, paths });
        self.forget_clusters();
    }

    fn take_out(&mut self, page: Fingerprint) -> Option<Learnt> {
        let former = self.pages.remove(&page)?;
        self.paths -= former.paths.len();
        self.changed.insert(page);
        if let Some(online) = &mut self.online {
            online.take_out(page, &former.paths);
        }
        self.forget_clusters();
        Some(former)
    }

    fn forget_clusters(&mut self) {
        *self
            .clusters
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The clusters of all pages.
    pub(super) fn clusters(&self, params: &MdlParams) -> Arc<Clusters> {
        let mut known = self.clusters.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(clusters) if clusters.params() == params => Arc::clone(clusters),
            _ => {
                let pages = self.pages.values();
                let pages: Vec<(u64, &[u64])> = pages.map(|p| (p.order, &*p.paths)).collect();
                Arc::clone(known.insert(Arc::new(Clusters::of(&pages, params))))
            }
        }
    }

    /// The number of clusters of two or more pages, for these parameters.
    pub fn shared_clusters(&self, params: &MdlParams) -> usize {
        self.clusters(params).shared()
    }

    /// Assigns a page that was just learned to a cluster; also all earlier pages if they have not
    /// been assigned yet.
    pub(super) fn assign(&mut self, page: Fingerprint, paths: &PagePaths, params: &OnlineParams) {
        if let Some(online) = &mut self.online {
            return online.add(page, paths);
        }
        let mut pages: Vec<(&Fingerprint, &Learnt)> = self.pages.iter().collect();
        pages.sort_unstable_by_key(|(_, learnt)| learnt.order);
        let mut online = Online::new(params.clone());
        for (page, learnt) in pages {
            online.add(*page, &learnt.paths.iter().copied().collect());
        }
        self.online = Some(online);
    }

    /// The template of the cluster that a page with these paths was assigned to.
    pub(super) fn online_template(&self, paths: &PagePaths) -> Option<Template<'_>> {
        let online = self.online.as_ref();
        online.and_then(|online| online.template(paths))
    }

    /// The number of clusters of two or more pages that pages were assigned to.
    pub(super) fn shared_online(&self) -> usize {
        self.online.as_ref().map_or(0, Online::shared)
    }

    /// Number of pages learned.
    pub fn pages(&self) -> u64 {
        self.pages.len() as u64
    }

    /// Total number of paths of all pages.
    pub fn paths(&self) -> u64 {
        self.paths as u64
    }

    /// Whether a page has been learned.
    pub fn knows(&self, page: Fingerprint) -> bool {
        self.pages.contains_key(&page)
    }

    /// Bytes of the paths.
    pub fn table_bytes(&self) -> u64 {
        let (paths, pages) = (self.paths as u64, self.pages.len() as u64);
        8 * paths + PAGE_BYTES as u64 * pages
    }
}

fn row_of(learnt: &Learnt) -> Vec<u8> {
    let numbers = std::iter::once(&learnt.order).chain(&learnt.paths);
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

impl Memory for MdlMemory {
    fn load(&mut self, table: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let (order, paths) = row.split_first_chunk().ok_or(BadRow)?;
        let (paths, rest) = paths.as_chunks();
        let paths: Vec<u64> = paths.iter().map(|path| u64::from_le_bytes(*path)).collect();
        if table != 0 || !rest.is_empty() || !paths.is_sorted() {
            return Err(BadRow);
        }
        self.paths += paths.len();
        let order = u64::from_le_bytes(*order);
        self.pages.insert(key, Learnt { order, paths });
        Ok(())
    }

    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
        self.next = Fields(head).u64().ok_or(BadRow)?;
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        self.next.to_le_bytes().to_vec()
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        for (page, learnt) in &self.pages {
            write(0, *page, Some(&row_of(learnt)));
        }
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        let mut changed: Vec<Fingerprint> = self.changed.drain().collect();
        changed.sort_unstable();
        for page in changed {
            let row = self.pages.get(&page).map(row_of);
            write(0, page, row.as_deref());
        }
    }

    fn unlearn(&mut self, page: Fingerprint, _: &[u8]) {
        self.take_out(page);
    }

    /// The other's pages are added after these.
    fn merge(&mut self, other: Self) {
        let first = self.next;
        for (page, learnt) in other.pages {
            if !self.pages.contains_key(&page) {
                self.put_in(page, first.saturating_add(learnt.order), learnt.paths);
            }
        }
        self.next = first.saturating_add(other.next);
        self.online = None;
    }

    fn len(&self) -> usize {
        self.pages.len()
    }

    fn bytes(&self) -> usize {
        /// Of a page, its paths not counted: its place in the tree, and in the list of changes.
        const ENTRY_BYTES: usize = 160;
        size_of::<u64>() * self.paths + ENTRY_BYTES * self.pages.len()
    }

    fn figures(&self) -> Vec<Figure> {
        let clusters = self.shared_clusters(&MdlParams::default());
        vec![
            Figure::count("paths", self.paths()).column("paths"),
            Figure::bytes("table_bytes", self.table_bytes()).column("table"),
            Figure::count("clusters", clusters as u64).column("clusters"),
        ]
    }

    /// Pages that only one of ledger and memory has.
    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        let both = ledger.iter().filter(|(page, _)| self.knows(*page)).count() as u64;
        ledger.len() as u64 + self.pages() - 2 * both
    }
}
