//! The source of the pages that the key page is compared with, and their names in messages.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::ProgressBar;
use unframe::methods::links::{LoadError, Loaded, PageSource};
use unframe::page::CanonicalUrl;
use unframe::template::LocalPages;

use super::live::LivePages;
use super::record::Named;

/// The pages of a site.
pub enum Source<'a> {
    /// Read from files.
    Local(LocalPages),
    /// Fetched; as that takes a while, progress is shown.
    Live(LivePages<'a>, ProgressBar),
}

impl<'a> Source<'a> {
    /// Live pages; on a terminal, shows which page is being fetched.
    pub fn live(pages: LivePages<'a>, quiet: bool) -> Source<'a> {
        let bar = match quiet || !std::io::stderr().is_terminal() {
            true => ProgressBar::hidden(),
            false => ProgressBar::new_spinner(),
        };
        bar.enable_steady_tick(Duration::from_millis(100));
        Source::Live(pages, bar)
    }

    /// The name of a page in messages.
    pub fn name(&self, url: &CanonicalUrl) -> Named {
        match self {
            Source::Live(pages, _) => Named::both(pages.address(url)),
            Source::Local(pages) => match pages.raw(url) {
                Some(raw) => Named::of(raw),
                // A missing file; its host was invented.
                None if url.host().ends_with(".invalid") => {
                    Named::both(url.path().trim_start_matches('/').to_string())
                }
                None => Named::both(url.to_string()),
            },
        }
    }
}

impl PageSource for Source<'_> {
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
        match self {
            Source::Local(pages) => pages.load(url),
            Source::Live(pages, bar) => {
                bar.inc(1);
                bar.set_message(format!("page {}: {}", bar.position(), pages.address(url)));
                pages.load(url)
            }
        }
    }

    fn others(&mut self, key: &CanonicalUrl) -> Vec<CanonicalUrl> {
        match self {
            Source::Local(pages) => pages.others(key),
            Source::Live(pages, _) => pages.others(key),
        }
    }
}
