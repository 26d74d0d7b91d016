//! The full-text index that `clean` writes, alone or beside other output: cleaned pages in, a folder
//! that `unframe search` looks into.

use std::path::{Path, PathBuf};

use unframe::CleanPage;
use unframe::read::RawPage;
use unframe_search::{Document, IfThere, IndexWriter};

/// The flags of the index
#[derive(clap::Args)]
pub struct IndexArgs {
    /// Folder for a full-text index of the pages of this run; without -o nothing else is written.
    /// `unframe search DIR WORDS` looks into it
    #[arg(long, value_name = "DIR", conflicts_with = "dry_run")]
    index: Option<PathBuf>,

    /// Replace an index that is already there
    #[arg(long, requires = "index", conflicts_with = "dry_run")]
    force: bool,
}

impl IndexArgs {
    /// Where the index goes, if one is asked for.
    pub fn folder(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    /// The index, after a look at what is there; an index that is there is replaced only once there
    /// is a page to be put into it.
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
    /// Adds a page; nothing if no index is asked for.
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

    /// Makes all of it durable; how many pages are in it, if any.
    pub fn finish(self) -> anyhow::Result<Option<u64>> {
        Ok(self.writer.map(IndexWriter::finish).transpose()?)
    }
}

/// What the index holds of a page.
pub struct IndexedPage(Document);

impl IndexedPage {
    /// Of a cleaned page; any thread.
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
