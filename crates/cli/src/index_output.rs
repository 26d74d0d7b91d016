//! The full-text index that `clean` writes, alone or beside other output: cleaned pages in, an index
//! folder for `unframe search` out.

use std::path::{Path, PathBuf};

use unframe::CleanPage;
use unframe::read::RawPage;
use unframe_report::numbers::count;
use unframe_search::{Document, IndexWriter, Indexed};

/// The flags of the index
#[derive(clap::Args)]
pub struct IndexArgs {
    /// Add the cleaned pages to the full-text index in this folder, for `unframe search DIR WORDS`
    ///
    /// It is created if missing; a page replaces the one with the same URL. Remove the folder to start
    /// anew. Without -o, nothing else is written.
    #[arg(long, value_name = "DIR", conflicts_with = "dry_run")]
    index: Option<PathBuf>,
}

impl IndexArgs {
    /// The folder of the index, if one was asked for.
    pub fn folder(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    /// Checks the folder. The index is opened once there is a page to index.
    pub fn open(&self) -> anyhow::Result<IndexOutput> {
        if let Some(folder) = &self.index {
            IndexWriter::check(folder)?;
        }
        Ok(IndexOutput {
            folder: self.index.clone(),
            writer: None,
        })
    }
}

/// An index that is being written.
pub struct IndexOutput {
    folder: Option<PathBuf>,
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
            none => none.insert(IndexWriter::open(folder)?),
        };
        Ok(writer.add(page.0)?)
    }

    /// Commits the index. Returns what was done, for people: `6 pages, 14 in idx`.
    pub fn finish(self) -> anyhow::Result<Option<String>> {
        let (Some(folder), Some(writer)) = (self.folder, self.writer) else {
            return Ok(None);
        };
        let Indexed { written, total } = writer.finish()?;
        let folder = folder.display();
        let pages = count(written, "page");
        Ok(Some(match written == total {
            true => format!("{pages} in {folder}"),
            false => format!(
                "{pages} added or replaced; {} in {folder}",
                count(total, "page")
            ),
        }))
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
