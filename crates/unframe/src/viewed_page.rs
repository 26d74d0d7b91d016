//! A page that is parsed and viewed: ready to be learned and labelled.

use std::sync::Arc;

use unframe_dom::{Limits, PageBytes};
use unframe_methods::{Engine, View};
use unframe_page::{Fingerprint, Page, content_fingerprint, page_identity};

/// A page with what one engine needs to know of it. Parsing and viewing are most of the work and
/// need no memory, so this is what to do on many threads.
pub struct ViewedPage {
    pub(crate) page: Arc<Page>,
    pub(crate) view: View,
    pub(crate) identity: Fingerprint,
    pub(crate) content: Fingerprint,
}

impl ViewedPage {
    /// Parses a page that is known by its URL, or by any other name.
    pub(crate) fn parse(
        engine: &dyn Engine,
        url: &str,
        html: PageBytes,
        limits: &Limits,
    ) -> ViewedPage {
        let content = content_fingerprint(&html);
        let page = Page::parse(html, Some(url.to_string()), None, limits);
        ViewedPage {
            view: engine.view(&page),
            page: Arc::new(page),
            identity: page_identity(Some(url), url),
            content,
        }
    }

    /// The page.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// What the page is known by: the same for every version of it.
    pub fn identity(&self) -> Fingerprint {
        self.identity
    }
}
