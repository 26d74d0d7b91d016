//! In place of `live.rs` where the program is built without fetching: no page is ever fetched.

use std::convert::Infallible;
use std::marker::PhantomData;

use unframe::methods::links::{LoadError, Loaded, PageSource};
use unframe::page::CanonicalUrl;
use unframe_console::exit::UsageError;

/// No flags
#[derive(clap::Args, Clone, Debug, Default)]
pub struct FetchArgs {}

impl FetchArgs {
    /// There is none to give.
    pub fn given(&self) -> Option<&'static str> {
        None
    }
}

/// There is no fetcher.
pub struct Fetcher(Infallible);

/// There are no live pages.
pub struct LivePages<'a>(Infallible, PhantomData<&'a Fetcher>);

/// Refuses to fetch.
pub fn fetcher(_: &FetchArgs, _: usize) -> Result<Fetcher, UsageError> {
    Err(UsageError(
        "this build of unframe cannot fetch live pages; build it with the feature `fetch`, or name a \
         local copy of the site with --site"
            .into(),
    ))
}

/// Never called, because there is no fetcher.
pub fn open<'a>(fetcher: &'a Fetcher, _: &str) -> anyhow::Result<(LivePages<'a>, Loaded)> {
    match fetcher.0 {}
}

impl LivePages<'_> {
    /// Never called.
    pub fn address(&self, _: &CanonicalUrl) -> String {
        match self.0 {}
    }
}

impl PageSource for LivePages<'_> {
    fn load(&mut self, _: &CanonicalUrl) -> Result<Loaded, LoadError> {
        match self.0 {}
    }

    fn others(&mut self, _: &CanonicalUrl) -> Vec<CanonicalUrl> {
        match self.0 {}
    }
}
