//! The key page and the pages it links to, fetched from a live site.

use unframe::Limits;
use unframe::fetch::{FetchError, Reason};
use unframe::methods::links::Loaded;
use unframe_console::exit::UsageError;
use url::Url;

pub use super::fetch_args::FetchArgs;
pub use unframe::fetch::Fetcher;
pub use unframe::template::LivePages;

/// A fetcher that loads at most this many pages.
pub fn fetcher(args: &FetchArgs, pages: usize) -> Result<Fetcher, UsageError> {
    Fetcher::new(args.options(pages)).map_err(|error| UsageError(error.to_string()))
}

/// Fetches the key page; other pages are fetched when they are asked for.
pub fn open<'a>(fetcher: &'a Fetcher, key: &str) -> anyhow::Result<(LivePages<'a>, Loaded)> {
    let url = Url::parse(key)
        .map_err(|error| UsageError(format!("{key}: not the URL of a page ({error})")))?;
    LivePages::open(fetcher, &url, Limits::default()).map_err(explain)
}

fn explain(error: FetchError) -> anyhow::Error {
    match error.reason {
        Reason::Scheme(_) | Reason::Login | Reason::BadUrl(_) => {
            UsageError(error.to_string()).into()
        }
        _ => error.into(),
    }
}
