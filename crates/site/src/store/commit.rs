//! A commit: frames are appended, made durable, and then named by a superblock.

use std::io::{Seek, SeekFrom, Write};

use super::frame_io::FRAME_BYTES;
use super::index::Span;
use super::{Store, lock};
use crate::coding::put_number;
use crate::error::StoreError;
use crate::frames::{FrameKind, Superblock, put_frame};
use crate::piece::About;
use crate::record::Fields;

/// Frames wait for each other up to this many bytes.
const BUFFER_BYTES: usize = 1 << 20;

/// An open commit. If it is dropped before its end, it has never been.
pub(crate) struct Commit<'a> {
    store: &'a mut Store,
    /// Where the next frame begins.
    end: u64,
    /// Frames that were not written yet.
    waiting: Vec<u8>,
    /// What is added to the index in the end: the beginnings of the pieces.
    added: Vec<(Vec<u8>, Span)>,
    finished: bool,
}

impl Store {
    pub(crate) fn begin(&mut self) -> Result<Commit<'_>, StoreError> {
        if !self.writable {
            return Err(StoreError::ReadOnly(self.path.clone()));
        }
        self.check_name()?;
        self.cut_tail()?;
        let end = self.superblock.length;
        Ok(Commit {
            store: self,
            end,
            waiting: Vec::new(),
            added: Vec::new(),
            finished: false,
        })
    }

    /// Refuses a file that nobody could find again.
    #[cfg(unix)]
    fn check_name(&self) -> Result<(), StoreError> {
        use std::os::unix::fs::MetadataExt;
        // A file that is being made anew gets its name when it is complete.
        if self.is_temporary() || self.is_unnamed {
            return Ok(());
        }
        let io = |error| StoreError::io(&self.path, error);
        let own = lock(&self.file).metadata().map_err(io)?;
        match std::fs::metadata(&self.path) {
            Ok(named) if (named.dev(), named.ino()) == (own.dev(), own.ino()) => Ok(()),
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io(error)),
            _ => Err(StoreError::Removed(self.path.clone())),
        }
    }

    #[cfg(not(unix))]
    fn check_name(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Removes what is behind the last commit: what a crash or a full disk has left.
    fn cut_tail(&mut self) -> Result<(), StoreError> {
        let length = self.superblock.length;
        let file = lock(&self.file);
        let cut = file
            .metadata()
            .and_then(|about| match about.len() > length {
                true => file.set_len(length),
                false => Ok(()),
            });
        cut.map_err(|error| StoreError::io(&self.path, error))
    }
}

impl Commit<'_> {
    /// The store as it was before.
    pub(crate) fn store(&self) -> &Store {
        self.store
    }

    /// Adds a piece of a site.
    pub(crate) fn add(&mut self, piece: &[u8]) -> Result<u64, StoreError> {
        let span = self.append(FrameKind::Piece, piece)?;
        let mut rest = Fields(piece);
        let about = About::read(&mut rest);
        about.map_err(|error| StoreError::damaged(&self.store.path, error))?;
        let length = piece.len() - rest.0.len();
        self.added.push((piece[..length].to_vec(), span));
        Ok(span.length)
    }

    fn append(&mut self, kind: FrameKind, payload: &[u8]) -> Result<Span, StoreError> {
        let too_large = || StoreError::TooLarge(self.store.path.clone());
        put_frame(&mut self.waiting, self.end, kind, payload).ok_or_else(too_large)?;
        let span = Span {
            offset: self.end,
            length: FRAME_BYTES + payload.len() as u64,
        };
        self.end += span.length;
        if self.waiting.len() >= BUFFER_BYTES {
            self.flush()?;
        }
        Ok(span)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let at = self.end - self.waiting.len() as u64;
        let mut file = lock(&self.store.file);
        let written = file
            .seek(SeekFrom::Start(at))
            .and_then(|_| file.write_all(&self.waiting));
        self.waiting.clear();
        written.map_err(|error| StoreError::io(&self.store.path, error))
    }

    /// Makes all of it durable.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        let sequence = self.store.superblock.sequence.saturating_add(1);
        let mut payload = Vec::new();
        put_number(&mut payload, sequence);
        self.append(FrameKind::Commit, &payload)?;
        self.flush()?;
        let superblock = Superblock {
            sequence,
            length: self.end,
            index: self.store.superblock.index,
        };
        let io = |error| StoreError::io(&self.store.path, error);
        {
            let mut file = lock(&self.store.file);
            if !self.store.is_temporary() {
                file.sync_data().map_err(io)?;
            }
            // From here on the commit is found even without its superblock.
            superblock.write(&mut file).map_err(io)?;
        }
        // What the superblock names must not be cut off, whatever comes next.
        self.store.superblock = superblock;
        self.store.touched = true;
        self.finished = true;
        for (about, span) in std::mem::take(&mut self.added) {
            let about = About::read(&mut Fields(&about));
            let added = about.and_then(|about| self.store.index.add(&about, span));
            added.map_err(|error| StoreError::damaged(&self.store.path, error))?;
        }
        Ok(())
    }

    /// Commits an index of everything that was committed before.
    pub(super) fn of_index(store: &mut Store) -> Result<(), StoreError> {
        let payload = store.index.encode();
        let mut commit = store.begin()?;
        let span = commit.append(FrameKind::Index, &payload)?;
        commit.finish()?;
        store.superblock.index = span.offset;
        store.index_frame = span.length;
        Ok(())
    }
}

impl Drop for Commit<'_> {
    fn drop(&mut self) {
        if !self.finished {
            // Frees the disk if it is full. What stays behind is ignored anyway.
            let _ = self.store.cut_tail();
        }
    }
}
