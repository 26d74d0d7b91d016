//! Gets rid of what was replaced: the file is written anew beside the old one, and takes its name.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Mutex;

use super::commit::Commit;
use super::index::Index;
use super::opening::{COMPACTING, folder_of, partial_file};
use super::{Store, Superblock, lock};
use crate::error::StoreError;
use crate::frames::{FRAMES_AT, empty_file};
use crate::memory::MemoryKind;
use crate::piece::write_whole;

/// An index is written if opening the file would otherwise read this many bytes …
const UNINDEXED_BYTES: u64 = 256 << 10;
/// … and this many times the bytes of the index.
const UNINDEXED_SHARE: u64 = 4;

/// The lengths of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// What it was.
    pub before: u64,
    /// What it is now.
    pub after: u64,
}

impl Store {
    /// Ends a run: compacts the file if more than a tenth of it is slack, or changes that take more
    /// room than they need. An interrupted run that was continued ends like one that was not.
    pub fn tidy(&mut self, kinds: &[MemoryKind]) -> Result<(), StoreError> {
        if !self.writable || self.is_temporary() {
            return Ok(());
        }
        let frames = self.bytes() - FRAMES_AT;
        let slack = frames.saturating_sub(self.index.live + self.index_frame);
        if 10 * (slack + self.index.changes) > frames.max(1) && frames > 0 && self.is_foul(slack) {
            return self.compact(kinds).map(|_| ());
        }
        self.close()
    }

    /// Whether there is more slack than the ends of a few commits.
    fn is_foul(&self, slack: u64) -> bool {
        /// What one commit adds besides its pieces.
        const COMMIT_BYTES: u64 = 24;
        self.index.changes > 0 || slack > 4 * COMMIT_BYTES
    }

    /// Writes the index if it is worth it, and both superblocks. A run that has learned nothing new
    /// changes nothing.
    fn close(&mut self) -> Result<(), StoreError> {
        if !std::mem::take(&mut self.touched) {
            return Ok(());
        }
        let unread = match self.superblock.index {
            0 => self.bytes() - FRAMES_AT,
            index => self.bytes().saturating_sub(index + self.index_frame),
        };
        if unread > UNINDEXED_BYTES && unread > UNINDEXED_SHARE * self.index_frame {
            Commit::of_index(self)?;
        }
        let io = |error| StoreError::io(&self.path, error);
        self.superblock
            .write_twice(&mut lock(&self.file))
            .map_err(io)
    }

    /// Writes the file anew, without what was replaced; sites of these methods in one piece each. If
    /// that fails, the file stays as it is.
    pub fn compact(&mut self, kinds: &[MemoryKind]) -> Result<Compacted, StoreError> {
        // A temporary copy has the path of the state that it was copied from.
        if !self.writable || self.is_temporary() {
            return Err(StoreError::ReadOnly(self.path.clone()));
        }
        let before = self.bytes();
        // A link to a state stays one.
        let path = self.path.canonicalize();
        let path = path.map_err(|error| StoreError::io(&self.path, error))?;
        let io = |error| StoreError::io(&path, error);
        let mut partial = partial_file(&path, COMPACTING).map_err(io)?;
        partial.write_all(&empty_file()).map_err(io)?;
        let file = partial.as_file().try_clone().map_err(io)?;
        // Whoever opens it under its new name finds it in use.
        let _ = file.try_lock();
        let mut new = Store {
            path: self.path.clone(),
            file: Mutex::new(file),
            writable: true,
            is_unnamed: true,
            superblock: Superblock::new(),
            index: Index::default(),
            index_frame: 0,
            touched: false,
            temporary: None,
        };
        self.copy_into(&mut new, kinds)?;
        new.close()?;
        take_after(&lock(&self.file), partial.as_file()).map_err(io)?;
        partial.as_file().sync_all().map_err(io)?;
        partial.persist(&path).map_err(|error| io(error.error))?;
        // A crash may bring the old file back, which is as good.
        #[cfg(unix)]
        let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
        new.is_unnamed = false;
        let after = new.bytes();
        *self = new;
        Ok(Compacted { before, after })
    }

    fn copy_into(&self, new: &mut Store, kinds: &[MemoryKind]) -> Result<(), StoreError> {
        let mut commit = new.begin()?;
        for (method, sites) in &self.index.methods {
            let kind = kinds.iter().find(|kind| kind.method == method);
            let kind = kind.filter(|kind| kind.version == sites.version);
            let sites = sites.sorted().into_iter();
            for (name, entry) in sites.filter(|(_, entry)| !entry.is_removed()) {
                match kind {
                    Some(kind) if !entry.changes.is_empty() => {
                        let piece = self.in_one_piece(*kind, name)?;
                        commit.add(&piece)?;
                    }
                    // Reading it has compared its checksum.
                    _ => {
                        for span in entry.spans() {
                            commit.add(&self.piece(span)?)?;
                        }
                    }
                }
            }
        }
        commit.finish()
    }

    /// A site as one piece.
    fn in_one_piece(&self, kind: MemoryKind, site: &str) -> Result<Vec<u8>, StoreError> {
        let content = self.content(kind, site)?;
        let content =
            content.ok_or_else(|| StoreError::damaged(&self.path, "a site is missing"))?;
        let contributions = self.contributions(kind, site)?;
        Ok(write_whole(
            kind,
            site,
            &content.record,
            &*content.memory,
            &content.ledger,
            &contributions,
        ))
    }
}

/// Gives a new file the permissions of the old one, and its owner if that is allowed.
fn take_after(old: &File, new: &File) -> io::Result<()> {
    let about = old.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let mine = new.metadata()?;
        if (mine.uid(), mine.gid()) != (about.uid(), about.gid()) {
            let _ = fchown(new, Some(about.uid()), Some(about.gid()));
        }
    }
    new.set_permissions(about.permissions())
}
