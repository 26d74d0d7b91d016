//! Replaces `index_output.rs` in builds without search: no flags, and no page is indexed.

use std::path::Path;

use unframe::CleanPage;
use unframe::read::RawPage;

/// No flags
#[derive(clap::Args)]
pub struct IndexArgs {}

impl IndexArgs {
    /// No index was asked for.
    pub fn folder(&self) -> Option<&Path> {
        None
    }

    /// An output that ignores all pages.
    pub fn open(&self) -> anyhow::Result<IndexOutput> {
        Ok(IndexOutput)
    }
}

/// Nowhere.
pub struct IndexOutput;

impl IndexOutput {
    /// Never asked, because there is no folder.
    pub fn add(&mut self, _: IndexedPage) -> anyhow::Result<()> {
        Ok(())
    }

    /// No page is in it.
    pub fn finish(self) -> anyhow::Result<Option<String>> {
        Ok(None)
    }
}

/// Nothing of a page.
pub struct IndexedPage;

impl IndexedPage {
    /// Never asked, because there is no folder.
    pub fn of(_: &RawPage, _: &CleanPage) -> IndexedPage {
        IndexedPage
    }
}
