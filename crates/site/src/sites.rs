//! The memories of the sites in use, backed by a store.
//!
//! Pages of many sites arrive mixed. A site's memory is loaded when its first page comes and is kept
//! while there is room. When there is none left, everything is committed and the least recently used
//! sites are dropped. If the user has no store, one is created in a temporary folder the first time
//! that room runs out, so that small runs never touch the disk.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use unframe_page::Fingerprint;

use crate::drift::DesignHistory;
use crate::error::StoreError;
use crate::memory::{Memory, MemoryKind};
use crate::piece::Pieces;
use crate::record::{PageRecord, SiteRecord};
use crate::snapshot;
use crate::store::{SiteChange, Store};

/// Approximate cost of a page that waits for the next commit, besides its contribution.
const FRESH_BYTES: usize = 64;

/// The rows of a site are rewritten as a whole when the pieces exceed both this and twice the size
/// at the last rewrite.
const SLACK_BYTES: u64 = 256 << 10;

/// The memories of many sites.
pub struct Sites {
    kind: MemoryKind,
    store: Option<Store>,
    open: HashMap<Box<str>, Open>,
    /// Memory that open sites may take before some are let go.
    room: usize,
    pages_since_commit: u64,
    clock: u64,
}

struct Open {
    memory: Box<dyn Memory>,
    record: SiteRecord,
    /// Pages learned since the last commit.
    fresh: HashMap<Fingerprint, PageRecord>,
    fresh_bytes: usize,
    forgotten: HashSet<Fingerprint>,
    changed: bool,
    used: u64,
}

/// A page to be learned, and its relation to what was learned before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit<'a> {
    /// The identity of the page: the same at every visit, whatever its content.
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
            room,
            pages_since_commit: 0,
            clock: 0,
        }
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
        let open = self.open.get_mut(site).expect("just loaded");
        let former = match (open.fresh.get(&page), &mut self.store) {
            (Some(record), _) => Some(record.clone()),
            (None, Some(store)) if open.may_be_stored(page) => {
                store.page(self.kind.method, open.record.id, page)?
            }
            _ => None,
        };
        if former
            .as_ref()
            .is_some_and(|former| former.content == content)
        {
            return Ok(false);
        }
        let visit = Visit {
            page,
            former: former.as_ref().map(|former| &*former.contribution),
        };
        let contribution = learn(&mut *open.memory, visit);
        match &former {
            // Saturating, because the number comes from a file that may be damaged.
            Some(former) => {
                open.record.bytes = open.record.bytes.saturating_sub(former.bytes);
            }
            None => open.record.pages += 1,
        }
        open.record.bytes += bytes;
        open.fresh_bytes += contribution.len() + FRESH_BYTES;
        let record = PageRecord {
            content,
            bytes,
            contribution,
        };
        open.fresh.insert(page, record);
        open.changed = true;
        self.pages_since_commit += 1;
        Ok(true)
    }

    /// Loads a site's memory if it is not loaded.
    pub fn load(&mut self, site: &str) -> Result<(), StoreError> {
        self.clock += 1;
        if let Some(open) = self.open.get_mut(site) {
            open.used = self.clock;
            return Ok(());
        }
        let record = match &self.store {
            Some(store) => store.site(self.kind.method, site)?,
            None => None,
        };
        let memory = match (&record, &self.store) {
            (Some(record), Some(store)) => store.load(self.kind, record)?,
            _ => self.kind.create(),
        };
        self.open.insert(
            site.into(),
            Open {
                memory,
                record: record.unwrap_or_default(),
                fresh: HashMap::default(),
                fresh_bytes: 0,
                forgotten: HashSet::default(),
                changed: false,
                used: self.clock,
            },
        );
        Ok(())
    }

    /// The memory of a site that was loaded.
    pub fn get(&self, site: &str) -> Option<&dyn Memory> {
        self.open.get(site).map(|open| &*open.memory)
    }

    /// Changes the memory of a site that was loaded.
    pub fn get_mut(&mut self, site: &str) -> Option<&mut dyn Memory> {
        let open = self.open.get_mut(site)?;
        open.changed = true;
        Some(&mut *open.memory)
    }

    /// The record of a loaded site.
    pub fn record(&self, site: &str) -> Option<&SiteRecord> {
        self.open.get(site).map(|open| &open.record)
    }

    /// Mutable access to the designs of a loaded site.
    pub fn designs_mut(&mut self, site: &str) -> Option<&mut DesignHistory> {
        self.open.get_mut(site).map(|open| {
            open.changed = true;
            &mut open.record.designs
        })
    }

    /// The sites that are loaded, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&dyn Memory, &SiteRecord)> {
        self.open.values().map(|open| (&*open.memory, &open.record))
    }

    /// The memory that they have.
    pub fn kind(&self) -> MemoryKind {
        self.kind
    }

    /// Number of pages learned since the last commit.
    pub fn pages_since_commit(&self) -> u64 {
        self.pages_since_commit
    }

    /// Removes a page, as if it had never been learned.
    pub fn forget(&mut self, site: &str, page: Fingerprint) -> Result<bool, StoreError> {
        self.load(site)?;
        let open = self.open.get_mut(site).expect("just loaded");
        let former = match (open.fresh.remove(&page), &mut self.store) {
            (Some(record), _) => Some(record),
            (None, Some(store)) if open.may_be_stored(page) => {
                store.page(self.kind.method, open.record.id, page)?
            }
            _ => None,
        };
        let Some(former) = former else {
            return Ok(false);
        };
        open.memory.unlearn(page, &former.contribution);
        open.record.pages = open.record.pages.saturating_sub(1);
        open.record.bytes = open.record.bytes.saturating_sub(former.bytes);
        open.forgotten.insert(page);
        open.changed = true;
        Ok(true)
    }

    /// Merges two sites: what has been learned about `from` is added to `into`, and its pages
    /// become pages of `into`. `from` must not be used again; a store keeps its old data.
    pub fn join(&mut self, from: &str, into: &str) -> Result<(), StoreError> {
        self.load(from)?;
        let Some(open) = self.open.remove(from) else {
            return Ok(());
        };
        let pages = self.ledger(&open)?;
        self.absorb(into, open.memory, open.record.designs, pages)?;
        Ok(())
    }

    /// Every page of an open site, committed or not, in order of identity.
    fn ledger(&self, open: &Open) -> Result<Vec<(Fingerprint, PageRecord)>, StoreError> {
        let mut pages: BTreeMap<Fingerprint, PageRecord> = BTreeMap::new();
        if let (Some(store), true) = (&self.store, open.record.id != 0) {
            let stored = store.pages(self.kind.method, open.record.id)?;
            let stored = stored.into_iter();
            pages.extend(stored.filter(|(page, _)| open.may_be_stored(*page)));
        }
        let fresh = open.fresh.iter();
        pages.extend(fresh.map(|(page, record)| (*page, record.clone())));
        Ok(pages.into_iter().collect())
    }

    /// All that has been learned of a site, as bytes that [`import`](Sites::import) reads.
    pub fn export(&mut self, site: &str) -> Result<Vec<u8>, StoreError> {
        self.load(site)?;
        let open = &self.open[site];
        let pages = self.ledger(open)?;
        Ok(snapshot::write(
            self.kind,
            &open.record,
            &*open.memory,
            &pages,
        ))
    }

    /// Adds what [`export`](Sites::export) wrote to a site; a page that both know counts once, as it
    /// is known here. Returns how many pages were added.
    pub fn import(&mut self, site: &str, bytes: &[u8]) -> Result<u64, StoreError> {
        let read = snapshot::read(self.kind, bytes)?;
        self.absorb(site, read.memory, read.designs, read.pages)
    }

    /// Adds what another store has learnt of a site from pages that are not known here.
    pub(crate) fn absorb(
        &mut self,
        site: &str,
        mut memory: Box<dyn Memory>,
        designs: DesignHistory,
        pages: Vec<(Fingerprint, PageRecord)>,
    ) -> Result<u64, StoreError> {
        self.load(site)?;
        let open = self.open.get_mut(site).expect("just loaded");
        let mut added = 0;
        for (page, row) in pages {
            let known = open.fresh.contains_key(&page)
                || match &mut self.store {
                    Some(store) if open.may_be_stored(page) => store
                        .page(self.kind.method, open.record.id, page)?
                        .is_some(),
                    _ => false,
                };
            if known {
                memory.unlearn(page, &row.contribution);
                continue;
            }
            open.record.pages += 1;
            open.record.bytes += row.bytes;
            open.fresh_bytes += row.contribution.len() + FRESH_BYTES;
            open.fresh.insert(page, row);
            added += 1;
        }
        self.kind.merge(&mut *open.memory, memory);
        open.record.designs.merge(designs);
        open.changed = true;
        self.pages_since_commit += added;
        Ok(added)
    }

    /// Makes everything learned durable, if there is a store, and evicts sites if there are too
    /// many. After this returns, everything learned before it survives a crash.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.pages_since_commit = 0;
        let over = self.bytes() > self.room;
        if self.store.is_none() {
            if !over {
                return Ok(());
            }
            self.store = Some(Store::temporary()?);
        }
        let store = self.store.as_mut().expect("made above");
        let mut changes = Vec::new();
        let mut names: Vec<_> = self
            .open
            .iter_mut()
            .filter(|(_, open)| open.changed)
            .collect();
        names.sort_by(|a, b| a.0.cmp(b.0));
        for (name, open) in names {
            let grown = open.record.piece_bytes > 2 * open.record.whole_bytes + SLACK_BYTES;
            let mut pieces = Pieces::default();
            let mut push = |table: u8, key, row: Option<&[u8]>| pieces.push(table, key, row);
            if grown {
                open.memory.rows(&mut push);
                open.memory.take_changes(&mut |_, _, _| ());
            } else {
                open.memory.take_changes(&mut push);
            }
            open.record.head = open.memory.head();
            let mut pages: Vec<_> = open.fresh.drain().collect();
            pages.sort_by_key(|(page, _)| *page);
            open.fresh_bytes = 0;
            open.changed = false;
            changes.push(SiteChange {
                name,
                record: &mut open.record,
                pages,
                forgotten: open.forgotten.drain().collect(),
                pieces: pieces.finish(),
                whole: grown,
            });
        }
        if !changes.is_empty() {
            store.commit(self.kind, changes)?;
        }
        if over {
            self.let_go();
        }
        Ok(())
    }

    /// Evicts the least recently used sites until half of the room is free.
    fn let_go(&mut self) {
        let mut by_use: Vec<(u64, usize, Box<str>)> = self
            .open
            .iter()
            .map(|(name, open)| (open.used, open.bytes(), name.clone()))
            .collect();
        by_use.sort_unstable();
        let mut bytes = self.bytes();
        for (_, size, name) in by_use {
            if bytes <= self.room / 2 || self.open.len() <= 1 {
                break;
            }
            self.open.remove(&name);
            bytes -= size;
        }
        self.open.shrink_to_fit();
    }

    /// Approximate memory use of the open sites in bytes.
    pub fn bytes(&self) -> usize {
        self.open.values().map(Open::bytes).sum()
    }

    /// True if a commit is needed to free memory.
    pub fn is_crowded(&self) -> bool {
        self.bytes() > self.room
    }

    /// The names of all sites, open or stored, sorted.
    pub fn names(&self) -> Result<Vec<String>, StoreError> {
        let mut names: Vec<String> = self.open.keys().map(|name| name.to_string()).collect();
        if let Some(store) = &self.store {
            names.extend(
                store
                    .sites(self.kind.method)?
                    .into_iter()
                    .map(|(name, _)| name),
            );
        }
        names.sort();
        names.dedup();
        Ok(names)
    }
}

impl Open {
    /// False if the store cannot have the page, or has it only until the next commit.
    fn may_be_stored(&self, page: Fingerprint) -> bool {
        self.record.id != 0 && !self.forgotten.contains(&page)
    }

    fn bytes(&self) -> usize {
        self.memory.bytes() + self.fresh_bytes + 512
    }
}
