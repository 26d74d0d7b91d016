//! The pages of a live site.

use unframe_dom::Limits;
use unframe_fetch::{FetchError, Fetched, Fetcher, Reason};
use unframe_methods::links::{LoadError, Loaded, PageSource};
use unframe_page::{CanonicalUrl, Page};
use url::Url;

/// Pages that are fetched on demand.
#[derive(Debug)]
pub struct LivePages<'a> {
    fetcher: &'a Fetcher,
    limits: Limits,
    /// `http` or `https`, as in the URL of the key page; a canonical URL has no scheme.
    scheme: String,
    /// Consecutive requests without an answer.
    unanswered: u32,
}

/// After this many consecutive requests without an answer, no more are sent: each can take until the
/// timeout.
const MOST_UNANSWERED: u32 = 3;

impl<'a> LivePages<'a> {
    /// Fetches the key page and follows redirects; the final URL determines the site.
    pub fn open(
        fetcher: &'a Fetcher,
        key: &Url,
        limits: Limits,
    ) -> Result<(LivePages<'a>, Loaded), FetchError> {
        let fetched = fetcher.get_from_any_host(key)?;
        let pages = LivePages {
            fetcher,
            limits,
            scheme: fetched.url.scheme().to_owned(),
            unanswered: 0,
        };
        let not_a_url = |url: &Url| FetchError {
            asked: Box::new(key.clone()),
            url: Box::new(url.clone()),
            reason: Reason::BadUrl("not the URL of a page".to_owned()),
        };
        let url = fetched.url.clone();
        let loaded = pages.parse(fetched).ok_or_else(|| not_a_url(&url))?;
        Ok((pages, loaded))
    }

    /// The address of a page of the site.
    pub fn address(&self, url: &CanonicalUrl) -> String {
        format!("{}://{url}", self.scheme)
    }

    fn parse(&self, fetched: Fetched) -> Option<Loaded> {
        let url = CanonicalUrl::parse(fetched.url.as_str())?;
        let stated = Some(fetched.url.to_string());
        let charset = fetched.charset.as_deref();
        let page = Page::parse(fetched.bytes.into(), stated, charset, &self.limits);
        Some(Loaded { page, url })
    }
}

impl PageSource for LivePages<'_> {
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
        if self.unanswered >= MOST_UNANSWERED {
            let why = format!("not fetched: the {MOST_UNANSWERED} requests before got no answer");
            return Err(LoadError::Failed(why));
        }
        let address = self.address(url);
        let address = Url::parse(&address).map_err(|why| LoadError::Failed(why.to_string()))?;
        let fetched = self.fetcher.get(&address);
        self.unanswered = match &fetched {
            Err(error) if is_unanswered(&error.reason) => self.unanswered + 1,
            _ => 0,
        };
        self.parse(fetched.map_err(why)?).ok_or(LoadError::Missing)
    }
}

fn is_unanswered(reason: &Reason) -> bool {
    matches!(reason, Reason::TimedOut(_) | Reason::NoConnection(_))
}

fn why(error: FetchError) -> LoadError {
    match &error.reason {
        Reason::Status {
            status: 404 | 410, ..
        } => LoadError::Missing,
        Reason::NotHtml(what) => LoadError::NotHtml(what.clone()),
        Reason::OtherHost { to } => match CanonicalUrl::parse(to.as_str()) {
            Some(to) => LoadError::OtherSite(to),
            None => LoadError::Failed(error.to_string()),
        },
        // The caller knows which page was requested.
        reason if error.asked == error.url => LoadError::Failed(reason.to_string()),
        reason => LoadError::Failed(format!("redirects to {}: {reason}", error.url)),
    }
}
