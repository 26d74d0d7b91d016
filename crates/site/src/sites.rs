//! The memories of the sites in use, backed by a store.
//!
//! Pages of many sites arrive mixed. A site's memory is loaded when its first page comes and is kept
//! while there is room. When there is none left, everything is committed and the least recently used
//! sites are dropped. If the user has no store, one is created in a temporary folder the first time
//! that room runs out, so that small runs never touch the disk.
//!
//! Room is counted as sites change, and sites are listed by their last use, so that the cost of a page
//! and of a commit does not depend on the number of sites.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashMap;
use unframe_page::Fingerprint;

use crate::drift::DesignHistory;
use crate::error::StoreError;
use crate::frames;
use crate::ledger::{Ledger, Version, page_id, page_of};
use crate::memory::{Memory, MemoryKind};
use crate::open::Open;
use crate::piece::{Content, Contributions};
use crate::record::SiteRecord;
use crate::size::StateSize;
use crate::snapshot;
use crate::store::Store;

/// The memories of many sites.
pub struct Sites {
    kind: MemoryKind,
    store: Option<Store>,
    open: HashMap<Arc<str>, Open>,
    /// The open sites by when they were last used.
    by_use: BTreeMap<u64, Arc<str>>,
    /// Sites that changed since the last commit.
    changed: Vec<Arc<str>>,
    /// Bytes of the open sites, each as it was last counted.
    held: usize,
    /// Memory that open sites may take before some are let go.
    room: usize,
    /// Of several versions of a page, which one counts.
    versions: Versions,
    /// Ledgers with more pages are thinned, as far as memories allow it.
    most_listed: usize,
    pages_since_commit: u64,
    clock: u64,
}

/// Of several versions of a page, which one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Versions {
    /// The one that was learned last; of two merged sites, that of the site that is added to. For pages
    /// that are visited again.
    #[default]
    Last,
    /// The same one in whatever order pages are learned and parts are merged.
    AnyOrder,
}

impl Versions {
    /// Whether a page that is known in one version is replaced by another.
    fn replace(self, known: Version, by: Version) -> bool {
        match self {
            Versions::Last => known.content() != by.content(),
            Versions::AnyOrder => known < by,
        }
    }
}

/// A page to be learned, and its relation to what was learned before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit<'a> {
    /// The identity of the page: the same at every visit, whatever its content. Sites shorten it to 64
    /// bits.
    pub page: Fingerprint,
    /// The contribution of an earlier version with different bytes, to be undone; `None` if the
    /// page is new.
    pub former: Option<&'a [u8]>,
}

impl Visit<'_> {
    /// The first visit of a page.
    pub fn first(page: Fingerprint) -> Self {
        Visit { page, former: None }
    }
}

impl Sites {
    /// Sites backed by a store, or by none as long as they fit into `room` bytes. Fails if the store
    /// holds what another version of the method has learned.
    pub fn new(kind: MemoryKind, store: Option<Store>, room: usize) -> Result<Self, StoreError> {
        if let Some(store) = &store {
            store.check_version(kind)?;
        }
        Ok(Sites::checked(kind, store, room))
    }

    /// Sites that live in main memory alone.
    pub fn in_memory(kind: MemoryKind) -> Self {
        Sites::checked(kind, None, usize::MAX)
    }

    fn checked(kind: MemoryKind, store: Option<Store>, room: usize) -> Self {
        Sites {
            kind,
            store,
            open: HashMap::default(),
            by_use: BTreeMap::new(),
            changed: Vec::new(),
            held: 0,
            room,
            versions: Versions::default(),
            most_listed: usize::MAX,
            pages_since_commit: 0,
            clock: 0,
        }
    }

    /// Sets which of several versions of a page counts, and returns what was set before. Default: the last
    /// one.
    pub fn set_versions(&mut self, versions: Versions) -> Versions {
        std::mem::replace(&mut self.versions, versions)
    }

    /// Which of several versions of a page counts.
    pub fn versions(&self) -> Versions {
        self.versions
    }

    /// Lists no more pages of a site than this, if what is remembered of it is a sample. Above it, the number
    /// of its pages is an estimate. Default: no limit.
    pub fn set_most_listed(&mut self, most: usize) {
        self.most_listed = most;
    }

    /// True if no site has pages, open or stored.
    pub fn is_empty(&self) -> bool {
        let method = self.kind.method;
        let is_stored = |store: &Store| store.names(method).next().is_some();
        // Sites that were only looked up are open, too.
        self.open.values().all(|open| open.record.pages == 0)
            && !self.store.as_ref().is_some_and(is_stored)
    }

    /// True if a page of a loaded site would change what is known: it is not known as it is, and it is
    /// listed.
    pub fn wants(&self, site: &str, page: Fingerprint, content: Fingerprint, bytes: u64) -> bool {
        let Some(open) = self.open.get(site) else {
            return true;
        };
        let known = open.ledger.pages.get(&page_id(page));
        let version = Version::new(content, bytes);
        known.map_or(open.ledger.listed.has(page), |known| {
            self.versions.replace(*known, version)
        })
    }

    /// Learns a page, unless it was learned with the same bytes before. `learn` changes the memory
    /// and returns what unlearning the page will need. Returns true if the page was learned now.
    pub fn visit(
        &mut self,
        site: &str,
        page: Fingerprint,
        content: Fingerprint,
        bytes: u64,
        learn: impl FnOnce(&mut dyn Memory, Visit<'_>) -> Vec<u8>,
    ) -> Result<bool, StoreError> {
        self.load(site)?;
        let id = page_id(page);
        let version = Version::new(content, bytes);
        if !self.wants(site, page, content, bytes) {
            return Ok(false);
        }
        let open = self.open.get_mut(site).expect("just loaded");
        let former = open.ledger.pages.get(&id).copied();
        let undo = match former {
            Some(_) => Some(
                open.contribution(self.kind, site, id, self.store.as_ref())?
                    .to_vec(),
            ),
            None => None,
        };
        let visit = Visit {
            page: page_of(id),
            former: undo.as_deref(),
        };
        let contribution = learn(&mut *open.memory, visit);
        match former {
            // Saturating, because the number comes from a file that may be damaged.
            Some(former) => {
                let bytes = open.ledger.scaled(former.bytes());
                open.record.bytes = open.record.bytes.saturating_sub(bytes);
            }
            None => open.record.pages = open.record.pages.saturating_add(open.ledger.scaled(1)),
        }
        let bytes = open.ledger.scaled(version.bytes());
        open.record.bytes = open.record.bytes.saturating_add(bytes);
        open.ledger.pages.insert(id, version);
        let most = self.most_listed;
        self.change(site, |open| {
            open.contributed(id, contribution);
            open.thin_ledger(most);
        });
        self.pages_since_commit += 1;
        Ok(true)
    }

    /// Changes a site that is open, and counts it again.
    fn change<T>(&mut self, site: &str, work: impl FnOnce(&mut Open) -> T) -> T {
        let (name, open) = self.open.get_key_value(site).expect("it is open");
        if !open.changed {
            self.changed.push(Arc::clone(name));
        }
        let open = self.open.get_mut(site).expect("it is open");
        let done = work(open);
        open.changed = true;
        recount(&mut self.held, open);
        done
    }

    /// Loads the memory of a site, or creates an empty one.
    pub fn load(&mut self, site: &str) -> Result<(), StoreError> {
        self.clock += 1;
        if let Some(open) = self.open.get_mut(site) {
            if let Some(name) = self.by_use.remove(&open.used) {
                self.by_use.insert(self.clock, name);
            }
            open.used = self.clock;
            return Ok(());
        }
        let content = match &self.store {
            Some(store) => store.content(self.kind, site)?,
            None => None,
        };
        let mut open = match content {
            Some(content) => Open::new(content.memory, content.record, content.ledger),
            None => Open::new(self.kind.create(), SiteRecord::default(), Ledger::default()),
        };
        let name: Arc<str> = site.into();
        open.used = self.clock;
        recount(&mut self.held, &mut open);
        self.by_use.insert(self.clock, Arc::clone(&name));
        self.open.insert(name, open);
        Ok(())
    }

    /// The memory of a site that was loaded.
    pub fn get(&self, site: &str) -> Option<&dyn Memory> {
        self.open.get(site).map(|open| &*open.memory)
    }

    /// Changes the memory of a site that was loaded.
    pub fn get_mut(&mut self, site: &str) -> Option<&mut dyn Memory> {
        self.open
            .contains_key(site)
            .then(|| self.change(site, |_| ()))?;
        self.open.get_mut(site).map(|open| &mut *open.memory)
    }

    /// The record of a loaded site.
    pub fn record(&self, site: &str) -> Option<&SiteRecord> {
        self.open.get(site).map(|open| &open.record)
    }

    /// Mutable access to the designs of a loaded site.
    pub fn designs_mut(&mut self, site: &str) -> Option<&mut DesignHistory> {
        self.open
            .contains_key(site)
            .then(|| self.change(site, |_| ()))?;
        self.open.get_mut(site).map(|open| &mut open.record.designs)
    }

    /// The sites that are loaded, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&dyn Memory, &SiteRecord)> {
        self.open.values().map(|open| (&*open.memory, &open.record))
    }

    /// The memory that they have.
    pub fn kind(&self) -> MemoryKind {
        self.kind
    }

    /// The state on disk that they are kept in, if there is one.
    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// What the state takes on disk; `None` without one that outlives the process.
    pub fn state_size(&self) -> Option<StateSize> {
        self.store.as_ref().and_then(Store::kept_size)
    }

    /// Number of pages learned since the last commit.
    pub fn pages_since_commit(&self) -> u64 {
        self.pages_since_commit
    }

    /// Removes a page, as if it had never been learned.
    pub fn forget(&mut self, site: &str, page: Fingerprint) -> Result<bool, StoreError> {
        self.load(site)?;
        let id = page_id(page);
        let open = self.open.get_mut(site).expect("just loaded");
        let Some(former) = open.ledger.pages.get(&id).copied() else {
            return Ok(false);
        };
        let undo = open
            .contribution(self.kind, site, id, self.store.as_ref())?
            .to_vec();
        open.memory.unlearn(page_of(id), &undo);
        let (pages, bytes) = (open.ledger.scaled(1), open.ledger.scaled(former.bytes()));
        open.record.pages = open.record.pages.saturating_sub(pages);
        open.record.bytes = open.record.bytes.saturating_sub(bytes);
        self.change(site, |open| open.forget(id));
        Ok(true)
    }

    /// Removes a site, as if it had never been learned; durably with the next commit. Returns false if
    /// nothing was known of it.
    pub fn remove(&mut self, site: &str) -> Result<bool, StoreError> {
        self.load(site)?;
        if self.open[site].record.pages == 0 {
            return Ok(false);
        }
        let kind = self.kind;
        self.change(site, |open| open.empty(kind));
        Ok(true)
    }

    /// The sites that have pages, sorted by name: the pages, their bytes, and what they take in the file.
    pub fn records(&self) -> Vec<(String, SiteRecord)> {
        let stored = self.store.as_ref();
        let stored = stored.map_or(Vec::new(), |store| store.sites(self.kind.method));
        let mut all: BTreeMap<String, SiteRecord> = stored.into_iter().collect();
        for (name, open) in &self.open {
            let record = SiteRecord {
                stored: self.stored_bytes(name),
                ..open.record.clone()
            };
            all.insert(name.to_string(), record);
        }
        all.retain(|_, record| record.pages > 0);
        all.into_iter().collect()
    }

    /// Merges two sites: what has been learned about `from` is added to `into`, and its pages
    /// become pages of `into`. `from` must not be used again; a store keeps its old data.
    pub fn join(&mut self, from: &str, into: &str) -> Result<(), StoreError> {
        self.load(from)?;
        let store = self.store.as_ref();
        let contributions = self.open[from].all_contributions(self.kind, from, store)?;
        let Some(open) = self.close(from) else {
            return Ok(());
        };
        let content = Content {
            memory: open.memory,
            record: open.record,
            ledger: open.ledger,
        };
        self.absorb(into, content, contributions)?;
        Ok(())
    }

    /// Lets go of a site.
    fn close(&mut self, site: &str) -> Option<Open> {
        let open = self.open.remove(site)?;
        self.by_use.remove(&open.used);
        self.held -= open.counted;
        if open.changed {
            self.changed.retain(|name| **name != *site);
        }
        Some(open)
    }

    /// All that has been learned of a site, as bytes that [`import`](Sites::import) reads.
    pub fn export(&mut self, site: &str) -> Result<Vec<u8>, StoreError> {
        self.load(site)?;
        let store = self.store.as_ref();
        let open = self.open.get_mut(site).expect("just loaded");
        open.record.head = open.memory.head();
        let contributions = open.all_contributions(self.kind, site, store)?;
        Ok(snapshot::write(
            self.kind,
            &open.record,
            &*open.memory,
            &open.ledger,
            &contributions,
        ))
    }

    /// All that has been learned of all sites, as the bytes of a state: a file with them can be opened as a
    /// [`Store`]. For hosts without a file system. Equal sites give equal bytes.
    pub fn state_bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        let mut pieces = Vec::new();
        for name in self.names() {
            self.load(&name)?;
            let store = self.store.as_ref();
            let open = self.open.get_mut(&*name).expect("just loaded");
            pieces.push(open.whole(self.kind, &name, store)?);
        }
        let too_large = || StoreError::Snapshot("it is too large for a state".into());
        frames::file_of(pieces).ok_or_else(too_large)
    }

    /// Adds what [`export`](Sites::export) wrote to a site; a page that both know counts once. Returns how
    /// many pages were added.
    pub fn import(&mut self, site: &str, bytes: &[u8]) -> Result<u64, StoreError> {
        let (content, contributions) = snapshot::read(self.kind, bytes)?;
        self.absorb(site, content, contributions)
    }

    /// Adds what another store has learnt of a site from pages that are not known here.
    pub(crate) fn absorb(
        &mut self,
        site: &str,
        content: Content,
        mut contributions: Contributions,
    ) -> Result<u64, StoreError> {
        self.load(site)?;
        let (kind, versions, most) = (self.kind, self.versions, self.most_listed);
        let mut memory = content.memory;
        // What pages that give way to another version have contributed.
        let mut undone = Vec::new();
        if versions == Versions::AnyOrder {
            let open = self.open.get_mut(site).expect("just loaded");
            for (page, version) in &content.ledger.pages {
                let known = open.ledger.pages.get(page).copied();
                if known.is_some_and(|known| versions.replace(known, *version)) {
                    let store = self.store.as_ref();
                    let contribution = open.contribution(kind, site, *page, store)?.to_vec();
                    undone.push((*page, contribution));
                }
            }
        }
        let replaced = undone.len() as u64;
        let added = self.change(site, |open| {
            for (page, contribution) in undone {
                open.memory.unlearn(page_of(page), &contribution);
                open.forget(page);
            }
            for page in open.ledger.thin(content.ledger.listed) {
                open.drop_page(page);
            }
            let mut added = 0;
            for page in content.ledger.sorted() {
                let contribution = contributions.remove(&page).unwrap_or_default();
                if open.ledger.pages.contains_key(&page) {
                    memory.unlearn(page_of(page), &contribution);
                    continue;
                }
                if open.ledger.listed.has(page_of(page)) {
                    open.ledger.pages.insert(page, content.ledger.pages[&page]);
                    open.contributed(page, contribution);
                    added += 1;
                }
            }
            kind.merge(&mut *open.memory, memory);
            open.record.designs.merge(content.record.designs);
            (open.record.pages, open.record.bytes) = open.ledger.count();
            open.thin_ledger(most);
            added - replaced
        });
        self.pages_since_commit += added;
        Ok(added)
    }

    /// Makes everything learned durable, if there is a store, and evicts sites if there are too
    /// many. After this returns, everything learned before it survives a crash.
    ///
    /// If it fails, nothing is lost in main memory, and the next commit writes it.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.pages_since_commit = 0;
        for name in &self.changed {
            if let Some(open) = self.open.get_mut(name) {
                recount(&mut self.held, open);
            }
        }
        let over = self.is_crowded();
        if self.store.is_none() {
            if !over {
                return Ok(());
            }
            self.store = Some(Store::temporary()?);
        }
        if !self.changed.is_empty() {
            self.changed.sort_unstable();
            self.write_changes()?;
            for name in std::mem::take(&mut self.changed) {
                let stored = self.stored_bytes(&name);
                if let Some(open) = self.open.get_mut(&name) {
                    open.committed(stored);
                    recount(&mut self.held, open);
                }
            }
        }
        if over {
            self.let_go();
        }
        Ok(())
    }

    fn write_changes(&mut self) -> Result<(), StoreError> {
        let store = self.store.as_mut().expect("the caller has made one");
        let mut commit = store.begin()?;
        for name in &self.changed {
            if let Some(open) = self.open.get_mut(name) {
                let piece = open.piece(self.kind, name, commit.store())?;
                commit.add(&piece)?;
            }
        }
        commit.finish()
    }

    fn stored_bytes(&self, site: &str) -> u64 {
        let store = self.store.as_ref();
        let pieces = store.and_then(|store| store.piece_bytes(self.kind.method, site));
        pieces.map_or(0, |(whole, changes)| whole + changes)
    }

    /// Commits, and compacts the state if that is worth it; for the end of a run.
    ///
    /// The state is complete after the commit. If it cannot be compacted, for example because the disk
    /// is full, the reason is returned in `Ok`, and the state is only larger than it could be.
    pub fn finish(&mut self) -> Result<Option<StoreError>, StoreError> {
        self.commit()?;
        let kinds = [self.kind];
        let tidied = self.store.as_mut().map(|store| store.tidy(&kinds));
        Ok(tidied.and_then(Result::err))
    }

    /// Evicts the least recently used sites until half of the room is free.
    fn let_go(&mut self) {
        let enough = self.room_for_open() / 2;
        while self.held > enough && self.open.len() > 1 {
            let Some((_, name)) = self.by_use.first_key_value() else {
                break;
            };
            let name = Arc::clone(name);
            self.close(&name);
        }
        self.open.shrink_to_fit();
    }

    /// What the index of the store leaves for open sites; something, however large it is.
    fn room_for_open(&self) -> usize {
        let index = self.store.as_ref().map_or(0, Store::held);
        self.room.saturating_sub(index).max(self.room / 8)
    }

    /// Memory that the open sites and the index of the store take, in bytes.
    pub fn bytes(&self) -> usize {
        self.held + self.store.as_ref().map_or(0, Store::held)
    }

    /// True if a commit is needed to free memory.
    pub fn is_crowded(&self) -> bool {
        self.held > self.room_for_open()
    }

    /// The names of all sites that have pages, open or stored, sorted.
    pub fn names(&self) -> Vec<String> {
        let open = self.open.iter().filter(|(_, open)| open.record.pages > 0);
        let mut names: Vec<String> = open.map(|(name, _)| name.to_string()).collect();
        if let Some(store) = &self.store {
            let stored = store.names(self.kind.method);
            let stored = stored.filter(|name| !self.open.contains_key(*name));
            names.extend(stored.map(String::from));
        }
        names.sort();
        names.dedup();
        names
    }
}

/// Counts a site again after it has changed.
fn recount(held: &mut usize, open: &mut Open) {
    let bytes = open.bytes();
    *held = *held - open.counted + bytes;
    open.counted = bytes;
}
