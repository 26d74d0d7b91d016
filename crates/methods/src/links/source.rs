//! Where pages come from: one interface for pages in memory, in archives and on the network.

use unframe_page::{CanonicalUrl, Page};

/// Loads pages by URL.
pub trait PageSource {
    /// The page at a URL.
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError>;

    /// Other pages of the same site, for comparison if links lead to too few, in an order that
    /// mixes the parts of the site. A source that does not know its pages returns none.
    fn others(&mut self, _key: &CanonicalUrl) -> Vec<CanonicalUrl> {
        Vec::new()
    }

    /// Whether a page was asked for that the source does not have yet. Then no template is counted: the
    /// caller gets the page, and starts again. For hosts that cannot wait for a page.
    fn is_waiting(&self) -> bool {
        false
    }
}

/// A loaded page.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The page.
    pub page: Page,
    /// Its final URL, after redirects.
    pub url: CanonicalUrl,
}

/// Why there is no page at a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The source has no such page.
    #[error("there is no such page")]
    Missing,
    /// It is not HTML.
    #[error("not HTML but {0}")]
    NotHtml(String),
    /// It leads to another site.
    #[error("leads to another site, {0}")]
    OtherSite(CanonicalUrl),
    /// It leads to a page that is already known.
    #[error("leads to {0}, which is already known")]
    Known(CanonicalUrl),
    /// It could not be read; the text says why.
    #[error("{0}")]
    Failed(String),
}
