//! Writes an index in bounded memory.

use std::path::{Path, PathBuf};

use tantivy::index::SegmentId;
use tantivy::indexer::NoMergePolicy;
use tantivy::{IndexSettings, TantivyError};

use crate::error::SearchError;
use crate::folder::{self, IfThere};
use crate::schema::{Document, Fields, NUMBER, tokenizers};

/// Memory for words before they are written to disk.
const HEAP_BYTES: usize = 48 << 20;

/// Wait for the engine after this many bytes of text. It would otherwise queue 10,000 documents,
/// whatever their size.
const QUEUE_BYTES: usize = 32 << 20;

/// Indexes pages one after another. They become searchable with [`finish`](IndexWriter::finish).
pub struct IndexWriter {
    folder: PathBuf,
    fields: Fields,
    engine: tantivy::IndexWriter,
    pages: u64,
    waiting_bytes: usize,
}

impl IndexWriter {
    /// Checks early whether an index could be created in a folder, without changing it.
    pub fn check(folder: &Path, if_there: IfThere) -> Result<(), SearchError> {
        folder::check(folder, if_there)
    }

    /// Creates an index in a folder that is new or empty, or holds an index to be replaced.
    pub fn create(folder: &Path, if_there: IfThere) -> Result<Self, SearchError> {
        let directory = folder::take(folder, if_there)?;
        let failed = |error: TantivyError| SearchError::engine(folder, error);
        let (schema, fields) = Fields::build();
        let mut index =
            tantivy::Index::create(directory, schema, IndexSettings::default()).map_err(failed)?;
        index.set_tokenizers(tokenizers());
        // With one thread and no background merging, the same pages give the same index.
        let engine = index
            .writer_with_num_threads(1, HEAP_BYTES)
            .map_err(failed)?;
        engine.set_merge_policy(Box::new(NoMergePolicy));
        Ok(IndexWriter {
            folder: folder.into(),
            fields,
            engine,
            pages: 0,
            waiting_bytes: 0,
        })
    }

    /// Adds a page.
    pub fn add(&mut self, page: Document) -> Result<(), SearchError> {
        self.waiting_bytes += page.bytes();
        let document = self.fields.document(page, self.pages);
        self.pages += 1;
        let added = self.engine.add_document(document).map(drop);
        added.map_err(|error| self.failed(error))?;
        if self.waiting_bytes >= QUEUE_BYTES {
            self.commit()?;
        }
        Ok(())
    }

    /// Makes the added pages searchable, in one segment and in order. Returns the number of pages.
    pub fn finish(mut self) -> Result<u64, SearchError> {
        self.commit()?;
        let pieces = self.pieces().map_err(|error| self.failed(error))?;
        if pieces.len() > 1 {
            let merged = self.engine.merge(&pieces).wait();
            merged.map_err(|error| self.failed(error))?;
        }
        let cleared = self.engine.garbage_collect_files().wait();
        cleared.map_err(|error| self.failed(error))?;
        let folder = self.folder;
        let ended = self.engine.wait_merging_threads();
        ended.map_err(|error| SearchError::engine(&folder, error))?;
        Ok(self.pages)
    }

    fn commit(&mut self) -> Result<(), SearchError> {
        self.waiting_bytes = 0;
        let committed = self.engine.commit().map(drop);
        committed.map_err(|error| self.failed(error))
    }

    /// The segments, ordered by their first page; the engine's own order is arbitrary.
    fn pieces(&self) -> Result<Vec<SegmentId>, TantivyError> {
        let searcher = self.engine.index().reader()?.searcher();
        let mut pieces = Vec::new();
        for piece in searcher.segment_readers() {
            let numbers = piece.fast_fields().u64(NUMBER)?;
            pieces.push((numbers.min_value(), piece.segment_id()));
        }
        pieces.sort();
        Ok(pieces.into_iter().map(|(_, id)| id).collect())
    }

    fn failed(&self, error: TantivyError) -> SearchError {
        SearchError::engine(&self.folder, error)
    }
}
