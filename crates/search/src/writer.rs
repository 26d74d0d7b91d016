//! Adds pages to an index, in bounded memory.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use tantivy::index::SegmentId;
use tantivy::indexer::NoMergePolicy;
use tantivy::{Searcher, TantivyError};

use crate::error::SearchError;
use crate::folder;
use crate::schema::{Document, Fields, NUMBER, tokenizers};

/// Memory for words before they are written to disk.
const HEAP_BYTES: usize = 48 << 20;

/// Wait for the engine after this many bytes of text. It would otherwise queue 10,000 documents,
/// whatever their size.
const QUEUE_BYTES: usize = 32 << 20;

/// Indexes pages one after another; a page replaces the page with the same URL. They become searchable
/// with [`finish`](IndexWriter::finish), and some of them before. A run that is killed leaves an index
/// with each page in its former or its new version.
pub struct IndexWriter {
    folder: PathBuf,
    fields: Fields,
    engine: tantivy::IndexWriter,
    /// The index as it was found.
    former: Searcher,
    /// Hashes of the pages that were added.
    added: HashSet<u64>,
    hasher: RandomState,
    pages: u64,
    next_number: u64,
    waiting_bytes: usize,
}

/// What a run did to an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// Pages that were added or replaced.
    pub written: u64,
    /// Pages in the index.
    pub total: u64,
}

impl IndexWriter {
    /// Checks early whether pages could be added to an index in a folder, without changing it.
    pub fn check(folder: &Path) -> Result<(), SearchError> {
        folder::check(folder)
    }

    /// Opens the index in a folder; creates one in a folder that is new or empty.
    pub fn open(folder: &Path) -> Result<Self, SearchError> {
        let directory = folder::take(folder)?;
        let failed = |error: TantivyError| SearchError::engine(folder, error);
        let (schema, fields) = Fields::build();
        let mut index = tantivy::Index::open_or_create(directory, schema).map_err(failed)?;
        index.set_tokenizers(tokenizers());
        // With one thread and no background merging, the same pages give the same index.
        let engine = index
            .writer_with_num_threads(1, HEAP_BYTES)
            .map_err(failed)?;
        engine.set_merge_policy(Box::new(NoMergePolicy));
        // What a killed run has left would be in the way: names of files are used again.
        engine.garbage_collect_files().wait().map_err(failed)?;
        let former = index.reader().map_err(failed)?.searcher();
        let next_number = next_number(&former).map_err(failed)?;
        Ok(IndexWriter {
            folder: folder.into(),
            fields,
            engine,
            former,
            added: HashSet::new(),
            hasher: RandomState::new(),
            pages: 0,
            next_number,
            waiting_bytes: 0,
        })
    }

    /// Adds a page, or replaces the one with its URL.
    pub fn add(&mut self, page: Document) -> Result<(), SearchError> {
        self.waiting_bytes += page.bytes();
        let term = self.fields.page_term(&page);
        // The engine looks for what is to be deleted in all of its pieces, so it is told only of pages
        // that may be there.
        let is_new = self.added.insert(self.hasher.hash_one(&term));
        let was_there = self.former.doc_freq(&term);
        if !is_new || was_there.map_err(|error| self.failed(error))? > 0 {
            self.engine.delete_term(term);
        }
        let document = self.fields.document(page, self.next_number);
        self.next_number += 1;
        self.pages += u64::from(is_new);
        let added = self.engine.add_document(document).map(drop);
        added.map_err(|error| self.failed(error))?;
        if self.waiting_bytes >= QUEUE_BYTES {
            self.commit()?;
        }
        Ok(())
    }

    /// Makes the added pages searchable: all pages in one segment, in the order in which they were
    /// added.
    pub fn finish(mut self) -> Result<Indexed, SearchError> {
        self.commit()?;
        let (pieces, has_deleted) = self.pieces().map_err(|error| self.failed(error))?;
        if pieces.len() > 1 || has_deleted {
            let merged = self.engine.merge(&pieces).wait();
            merged.map_err(|error| self.failed(error))?;
        }
        let total = self.searcher().map(|searcher| searcher.num_docs());
        let total = total.map_err(|error| self.failed(error))?;
        // Files that are open are kept.
        drop(self.former);
        let folder = self.folder;
        let failed = |error| SearchError::engine(&folder, error);
        let cleared = self.engine.garbage_collect_files().wait();
        cleared.map_err(failed)?;
        self.engine.wait_merging_threads().map_err(failed)?;
        Ok(Indexed {
            written: self.pages,
            total,
        })
    }

    fn commit(&mut self) -> Result<(), SearchError> {
        self.waiting_bytes = 0;
        let committed = self.engine.commit().map(drop);
        committed.map_err(|error| self.failed(error))
    }

    /// The segments, ordered by their first page, because the engine's own order is arbitrary; and
    /// whether one of them still holds pages that were replaced.
    fn pieces(&self) -> Result<(Vec<SegmentId>, bool), TantivyError> {
        let searcher = self.searcher()?;
        let mut pieces = Vec::new();
        for piece in searcher.segment_readers() {
            let numbers = piece.fast_fields().u64(NUMBER)?;
            pieces.push((numbers.min_value(), piece.segment_id()));
        }
        pieces.sort();
        let mut readers = searcher.segment_readers().iter();
        let has_deleted = readers.any(|piece| piece.num_deleted_docs() > 0);
        Ok((pieces.into_iter().map(|(_, id)| id).collect(), has_deleted))
    }

    fn searcher(&self) -> Result<Searcher, TantivyError> {
        Ok(self.engine.index().reader()?.searcher())
    }

    fn failed(&self, error: TantivyError) -> SearchError {
        SearchError::engine(&self.folder, error)
    }
}

/// The number after the highest one of an index.
fn next_number(searcher: &Searcher) -> Result<u64, TantivyError> {
    let mut next = 0;
    for piece in searcher.segment_readers() {
        let numbers = piece.fast_fields().u64(NUMBER)?;
        next = next.max(numbers.max_value().saturating_add(1));
    }
    Ok(next)
}
