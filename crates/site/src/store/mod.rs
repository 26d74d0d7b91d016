//! The state on disk: one file that grows at its end, see [`crate::frames`] for its bytes.
//!
//! A commit appends the pieces of all sites that have changed. It writes a page's ledger entry and what
//! the page has changed together or not at all, so after any crash the state holds exactly the pages in
//! its ledger, each of them once. What is replaced stays behind until the file is compacted, which
//! happens at the end of a run if it is worth it.

mod commit;
mod compact;
mod frame_io;
mod index;
mod opening;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use compact::Compacted;
use frame_io::read_frame;
use index::{Entry, Index, Span};
use unframe_page::Fingerprint;

use crate::error::StoreError;
pub use crate::frames::FORMAT;
use crate::frames::{FRAMES_AT, FrameKind, Superblock};
use crate::ledger::page_of;
use crate::memory::{BadRow, Memory, MemoryKind};
use crate::piece::{Content, Contributions, Piece, read_contributions, read_site};
use crate::record::{PageRecord, SiteRecord};
use crate::size::StateSize;

/// A state on disk.
pub struct Store {
    path: PathBuf,
    /// Locked for each access, because an access moves the file's position.
    file: Mutex<File>,
    writable: bool,
    /// It is being made, beside the file that has its name.
    is_unnamed: bool,
    superblock: Superblock,
    index: Index,
    /// Bytes of the newest index in the file; 0 if there is none.
    index_frame: u64,
    /// Something was committed since it was opened.
    touched: bool,
    /// What is learned is not kept after the process: then nothing has to be durable.
    temporary: Option<Temporary>,
}

/// Keeps a temporary file alive, where it needs a name for that.
struct Temporary(#[allow(dead_code)] Option<tempfile::TempDir>);

/// What the bytes of a state are spent on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// What the methods have learned.
    pub rows: u64,
    /// Which pages were learned, and how to undo them.
    pub ledger: u64,
    /// The designs that sites have had.
    pub designs: u64,
    /// Names of sites, where everything is, and checksums.
    pub index: u64,
    /// What was replaced and is not compacted yet.
    pub slack: u64,
}

impl Spent {
    /// All of it: the bytes of the file.
    pub fn total(&self) -> u64 {
        self.rows + self.ledger + self.designs + self.index + self.slack
    }
}

fn lock(file: &Mutex<File>) -> MutexGuard<'_, File> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the file, without what a crash may have left at its end.
    pub fn bytes(&self) -> u64 {
        self.superblock.length
    }

    /// What the file takes, compared with the pages.
    pub fn size(&self) -> StateSize {
        let sums = self.index.methods.values().map(|method| {
            let bytes = method.sites.values().map(|entry| entry.bytes);
            bytes.fold(0, u64::saturating_add)
        });
        StateSize {
            bytes: self.bytes(),
            page_bytes: sums.max().unwrap_or(0),
        }
    }

    /// The same, unless it is gone with the process.
    pub(crate) fn kept_size(&self) -> Option<StateSize> {
        (!self.is_temporary()).then(|| self.size())
    }

    /// Bytes of main memory that it takes.
    pub(crate) fn held(&self) -> usize {
        self.index.held
    }

    fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// The methods with data in this state.
    pub fn methods(&self) -> Vec<String> {
        self.index.methods.keys().cloned().collect()
    }

    /// Refuses what another version of a method has learned: its keys would not be found again, or
    /// would mean something else.
    pub fn check_version(&self, kind: MemoryKind) -> Result<(), StoreError> {
        match self.index.methods.get(kind.method) {
            Some(found) if found.version != kind.version => Err(StoreError::OtherVersion {
                path: self.path.clone(),
                method: kind.method,
                found: found.version,
                known: kind.version,
            }),
            _ => Ok(()),
        }
    }

    /// The sites that a method knows, by name; without their designs.
    pub fn sites(&self, method: &str) -> Vec<(String, SiteRecord)> {
        let Some(method) = self.index.methods.get(method) else {
            return Vec::new();
        };
        let sites = method.sorted().into_iter();
        sites
            .filter(|(_, entry)| !entry.is_removed())
            .map(|(name, entry)| (name.to_string(), entry.record()))
            .collect()
    }

    /// The names of the sites that a method knows, in no order.
    pub(crate) fn names(&self, method: &str) -> impl Iterator<Item = &str> {
        let method = self.index.methods.get(method).into_iter();
        let sites = method.flat_map(|method| &method.sites);
        let sites = sites.filter(|(_, entry)| !entry.is_removed());
        sites.map(|(name, _)| &**name)
    }

    /// Puts a site's memory together again, and its record with its designs; `None` if the site is not
    /// known.
    #[allow(clippy::type_complexity)]
    pub fn load(
        &self,
        kind: MemoryKind,
        site: &str,
    ) -> Result<Option<(Box<dyn Memory>, SiteRecord)>, StoreError> {
        let content = self.content(kind, site)?;
        Ok(content.map(|content| (content.memory, content.record)))
    }

    /// The ledger of a method for a site: its pages in order of identity.
    pub fn pages(
        &self,
        kind: MemoryKind,
        site: &str,
    ) -> Result<Vec<(Fingerprint, PageRecord)>, StoreError> {
        let Some(content) = self.content(kind, site)? else {
            return Ok(Vec::new());
        };
        let mut contributions = self.contributions(kind, site)?;
        let pages = content.ledger.sorted().into_iter();
        let pages = pages.map(|page| {
            let version = content.ledger.pages[&page];
            let record = PageRecord {
                content: version.content(),
                bytes: version.bytes(),
                contribution: contributions.remove(&page).unwrap_or_default(),
            };
            (page_of(page), record)
        });
        Ok(pages.collect())
    }

    /// How many pages the ledger of a site stands for.
    pub fn counted_pages(&self, kind: MemoryKind, site: &str) -> Result<u64, StoreError> {
        let content = self.content(kind, site)?;
        Ok(content.map_or(0, |content| content.ledger.count().0))
    }

    /// What is known of a site, except the contributions of its pages.
    pub(crate) fn content(
        &self,
        kind: MemoryKind,
        site: &str,
    ) -> Result<Option<Content>, StoreError> {
        let Some(entry) = self.index.entry(kind.method, site) else {
            return Ok(None);
        };
        let mut content = self.read_pieces(entry, |pieces| read_site(kind, pieces))?;
        content.record.stored = entry.record().stored;
        Ok(Some(content))
    }

    /// What the method needs to unlearn the pages of a site.
    pub(crate) fn contributions(
        &self,
        kind: MemoryKind,
        site: &str,
    ) -> Result<Contributions, StoreError> {
        match self.index.entry(kind.method, site) {
            Some(entry) => self.read_pieces(entry, |pieces| read_contributions(kind, pieces)),
            None => Ok(Contributions::default()),
        }
    }

    /// Bytes of the first piece of a site, and of those that have changed it.
    pub(crate) fn piece_bytes(&self, method: &str, site: &str) -> Option<(u64, u64)> {
        let entry = self.index.entry(method, site)?;
        Some((entry.whole.length, entry.change_bytes()))
    }

    fn read_pieces<T>(
        &self,
        entry: &Entry,
        read: impl FnOnce(&[Piece<'_>]) -> Result<T, BadRow>,
    ) -> Result<T, StoreError> {
        let frames = entry.spans().map(|span| self.piece(span));
        let frames = frames.collect::<Result<Vec<_>, _>>()?;
        let pieces = frames.iter().map(|bytes| Piece::read(bytes));
        let pieces = pieces.collect::<Result<Vec<_>, _>>();
        let read = pieces.and_then(|pieces| read(&pieces));
        read.map_err(|error| StoreError::damaged(&self.path, error))
    }

    /// The bytes of a piece.
    fn piece(&self, span: Span) -> Result<Vec<u8>, StoreError> {
        let frame = read_frame(&mut lock(&self.file), span.offset, self.superblock.length);
        match frame.map_err(|error| StoreError::io(&self.path, error))? {
            Some(frame)
                if frame.kind == FrameKind::Piece
                    && Some(frame.end) == span.offset.checked_add(span.length) =>
            {
                Ok(frame.payload)
            }
            _ => Err(self.damaged_at(span.offset)),
        }
    }

    fn damaged_at(&self, offset: u64) -> StoreError {
        let detail = format!("the checksum at byte {offset} does not match");
        StoreError::damaged(&self.path, detail)
    }

    /// What the bytes of the file are spent on. Reads every piece that is in use.
    pub fn spent(&self) -> Result<Spent, StoreError> {
        let mut spent = Spent::default();
        let mut live = 0;
        for entry in self
            .index
            .methods
            .values()
            .flat_map(|method| method.sites.values())
        {
            for span in entry.spans() {
                let bytes = self.piece(span)?;
                let piece = Piece::read(&bytes);
                let piece = piece.map_err(|error| StoreError::damaged(&self.path, error))?;
                let [rows, ledger, designs] = piece.spent();
                spent.rows += rows;
                spent.ledger += ledger;
                spent.designs += designs;
                live += span.length;
            }
        }
        spent.index = live - (spent.rows + spent.ledger + spent.designs);
        spent.index += FRAMES_AT + self.index_frame;
        spent.slack = self
            .bytes()
            .saturating_sub(FRAMES_AT + self.index_frame + live);
        Ok(spent)
    }

    /// Reads every frame, and compares its checksum.
    pub fn verify(&self) -> Result<(), StoreError> {
        let mut offset = FRAMES_AT;
        while offset < self.superblock.length {
            let frame = read_frame(&mut lock(&self.file), offset, self.superblock.length);
            let frame = frame.map_err(|error| StoreError::io(&self.path, error))?;
            let frame = frame.ok_or_else(|| self.damaged_at(offset))?;
            if frame.kind == FrameKind::Piece {
                let piece = Piece::read(&frame.payload);
                piece.map_err(|error| StoreError::damaged(&self.path, error))?;
            }
            offset = frame.end;
        }
        Ok(())
    }
}
