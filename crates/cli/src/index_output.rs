//! The full-text index that `clean` writes, alone or beside other output: cleaned pages in, an index
//! folder for `unframe search` out.

use std::path::{Path, PathBuf};

use unframe::CleanPage;
use unframe::read::RawPage;
use unframe_search::{Document, IfThere, IndexWriter};

/// The flags of the index
#[derive(clap::Args)]
pub struct IndexArgs {
    /// Write a full-text index of the cleaned pages into this folder; without -o, nothing else is
    /// written. Query it with `unframe search DIR WORDS`
    #[arg(long, value_name = "DIR", conflicts_with = "dry_run")]
    index: Option<PathBuf>,

    /// Replace an existing index
    #[arg(long, requires = "index", conflicts_with = "dry_run")]
    force: bool,
}

impl IndexArgs {
    /// The folder of the index, if one was asked for.
    pub fn folder(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    /// Opens the index after checking the folder. An existing index is replaced only once there is a
    /// page to index.
    pub fn open(&self) -> anyhow::Result<IndexOutput> {
        let if_there = match self.force {
            true => IfThere::Replace,
            false => IfThere::Refuse,
        };
        if let Some(folder) = &self.index {
            IndexWriter::check(folder, if_there)?;
        }
        Ok(IndexOutput {
            folder: self.index.clone(),
            if_there,
            writer: None,
        })
    }
}

/// An index that is being written.
pub struct IndexOutput {
    folder: Option<PathBuf>,
    if_there: IfThere,
    writer: Option<IndexWriter>,
}

impl IndexOutput {
    /// Adds a page; does nothing if no index was asked for.
    pub fn add(&mut self, page: IndexedPage) -> anyhow::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(IndexWriter::create(folder, self.if_there)?),
        };
        Ok(writer.add(page.0)?)
    }

    /// Commits the index; returns the number of its pages, if any.
    pub fn finish(self) -> anyhow::Result<Option<u64>> {
        Ok(self.writer.map(IndexWriter::finish).transpose()?)
    }
}

/// The fields of a page in the index.
pub struct IndexedPage(Document);

impl IndexedPage {
    /// From a cleaned page; may be called on any thread.
    pub fn of(raw: &RawPage, clean: &CleanPage) -> IndexedPage {
        IndexedPage(Document {
            url: raw.url.clone().unwrap_or_else(|| raw.name.clone()),
            site: raw.site.clone(),
            title: clean.title(),
            body: clean.text(),
            source: raw.name.clone(),
        })
    }
}
