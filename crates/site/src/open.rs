//! A site whose memory is in main memory.

use foldhash::{HashMap, HashSet};

use crate::error::StoreError;
use crate::ledger::{Ledger, PageId};
use crate::memory::{Memory, MemoryKind};
use crate::piece::{Changes, Contributions, write_changes, write_whole};
use crate::record::SiteRecord;
use crate::size::{map_bytes, set_bytes};
use crate::store::Store;

/// The rows of a site are written as a whole when its changes take more than this and more than the last
/// whole. So all writing together takes a few times the room of what is written in the end.
const CHANGE_BYTES: u64 = 64 << 10;

/// What an open site takes besides what it points to: its entries in the tables of [`Sites`], its name
/// there, and the spare room of small allocations.
///
/// [`Sites`]: crate::Sites
const OPEN_BYTES: usize = 1024;

pub(crate) struct Open {
    pub(crate) memory: Box<dyn Memory>,
    pub(crate) record: SiteRecord,
    pub(crate) ledger: Ledger,
    /// What pages learned since the last commit contributed; and before, if there is no store.
    fresh: Contributions,
    /// What committed pages contributed; read when the first of them has to be undone.
    stored: Option<Contributions>,
    contribution_bytes: usize,
    /// Pages that were learned, and pages that were forgotten, since the last commit.
    learned: HashSet<PageId>,
    forgotten: HashSet<PageId>,
    /// Something has changed since the last commit.
    pub(crate) changed: bool,
    /// The next commit must write all of it, because changes were lost or there is nothing to change.
    rewrite: bool,
    pub(crate) used: u64,
    /// The bytes that it was last counted with.
    pub(crate) counted: usize,
}

impl Open {
    pub(crate) fn new(memory: Box<dyn Memory>, record: SiteRecord, ledger: Ledger) -> Open {
        Open {
            memory,
            record,
            ledger,
            fresh: Contributions::default(),
            stored: None,
            contribution_bytes: 0,
            learned: HashSet::default(),
            forgotten: HashSet::default(),
            changed: false,
            rewrite: false,
            used: 0,
            counted: 0,
        }
    }

    /// Forgets all, also what is stored: the next commit writes a site without pages.
    pub(crate) fn empty(&mut self, kind: MemoryKind) {
        let empty = Open::new(kind.create(), SiteRecord::default(), Ledger::default());
        *self = Open {
            stored: Some(Contributions::default()),
            rewrite: true,
            used: self.used,
            counted: self.counted,
            ..empty
        };
    }

    /// What a page that is in the ledger contributed.
    pub(crate) fn contribution(
        &mut self,
        kind: MemoryKind,
        site: &str,
        page: PageId,
        store: Option<&Store>,
    ) -> Result<&[u8], StoreError> {
        if !self.fresh.contains_key(&page)
            && let (None, Some(store)) = (&self.stored, store)
        {
            let stored = store.contributions(kind, site)?;
            self.contribution_bytes += held(&stored);
            self.stored = Some(stored);
        }
        let stored = || self.stored.as_ref().and_then(|stored| stored.get(&page));
        let found = self.fresh.get(&page).or_else(stored);
        Ok(found.map_or(&[], |bytes| &**bytes))
    }

    /// Remembers what a page contributed.
    pub(crate) fn contributed(&mut self, page: PageId, contribution: Vec<u8>) {
        self.forgotten.remove(&page);
        self.learned.insert(page);
        self.contribution_bytes += contribution.capacity();
        // Also if it is empty: an older one may be stored.
        let former = self.fresh.insert(page, contribution);
        self.contribution_bytes -= former.map_or(0, |former| former.capacity());
        self.changed = true;
    }

    /// Lists fewer pages if there are more than `most`, but all that the memory has a sample of.
    pub(crate) fn thin_ledger(&mut self, most: usize) {
        let mut listed = self.ledger.listed;
        let before = listed;
        while self.ledger.pages.len() > most && listed < self.memory.sampling() {
            listed.level += 1;
            for page in self.ledger.thin(listed) {
                self.drop_page(page);
            }
        }
        if listed != before {
            (self.record.pages, self.record.bytes) = self.ledger.count();
            self.fresh.shrink_to_fit();
            self.learned.shrink_to_fit();
        }
    }

    /// Removes a page from all lists.
    pub(crate) fn forget(&mut self, page: PageId) {
        self.ledger.pages.remove(&page);
        self.drop_page(page);
        self.forgotten.insert(page);
        self.changed = true;
    }

    /// Drops what a page contributed.
    pub(crate) fn drop_page(&mut self, page: PageId) {
        self.learned.remove(&page);
        let former = self.fresh.remove(&page);
        self.contribution_bytes -= former.map_or(0, |former| former.capacity());
    }

    /// The contributions of all pages.
    pub(crate) fn all_contributions(
        &self,
        kind: MemoryKind,
        site: &str,
        store: Option<&Store>,
    ) -> Result<Contributions, StoreError> {
        let mut all = match (&self.stored, store) {
            (Some(stored), _) => stored.clone(),
            (None, Some(store)) => store.contributions(kind, site)?,
            (None, None) => Contributions::default(),
        };
        for (page, contribution) in &self.fresh {
            all.insert(*page, contribution.clone());
        }
        all.retain(|page, _| self.ledger.pages.contains_key(page));
        Ok(all)
    }

    /// All that was learned of the site, as one piece.
    pub(crate) fn whole(
        &mut self,
        kind: MemoryKind,
        site: &str,
        store: Option<&Store>,
    ) -> Result<Vec<u8>, StoreError> {
        self.record.head = self.memory.head();
        let contributions = self.all_contributions(kind, site, store)?;
        Ok(write_whole(
            kind,
            site,
            &self.record,
            &*self.memory,
            &self.ledger,
            &contributions,
        ))
    }

    /// What a commit writes of the site.
    pub(crate) fn piece(
        &mut self,
        kind: MemoryKind,
        site: &str,
        store: &Store,
    ) -> Result<Vec<u8>, StoreError> {
        self.record.head = self.memory.head();
        let grown = match store.piece_bytes(kind.method, site) {
            Some((whole, changes)) => changes > whole.max(CHANGE_BYTES),
            None => true,
        };
        if grown || self.rewrite {
            let piece = self.whole(kind, site, Some(store))?;
            self.memory.take_changes(&mut |_, _, _| ());
            self.rewrite = true;
            return Ok(piece);
        }
        // If the commit fails, these changes are lost, and all is written next time.
        self.rewrite = true;
        let changes = Changes::take(
            &mut *self.memory,
            sorted(&self.learned),
            sorted(&self.forgotten),
        );
        Ok(write_changes(
            kind,
            site,
            &self.record,
            &changes,
            &self.ledger,
            &self.fresh,
        ))
    }

    /// The piece was committed.
    pub(crate) fn committed(&mut self, stored: u64) {
        self.record.stored = stored;
        self.rewrite = false;
        self.changed = false;
        self.learned = HashSet::default();
        self.forgotten = HashSet::default();
        self.fresh = Contributions::default();
        self.stored = None;
        self.contribution_bytes = 0;
    }

    /// Bytes of main memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let lists = map_bytes(&self.fresh) + set_bytes(&self.learned) + set_bytes(&self.forgotten);
        self.memory.bytes()
            + self.record.designs.bytes()
            + self.ledger.bytes()
            + self.contribution_bytes
            + lists
            + OPEN_BYTES
    }
}

fn held(contributions: &HashMap<PageId, Vec<u8>>) -> usize {
    let bytes = contributions.values().map(|bytes| bytes.capacity() + 16);
    map_bytes(contributions) + bytes.sum::<usize>()
}

fn sorted(pages: &HashSet<PageId>) -> Vec<PageId> {
    let mut pages: Vec<PageId> = pages.iter().copied().collect();
    pages.sort_unstable();
    pages
}
