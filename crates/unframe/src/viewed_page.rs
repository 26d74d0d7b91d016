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

/// Parses pages and extracts what a method needs of them, without a site. It can be used on any thread.
#[derive(Clone)]
pub struct Viewer {
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) limits: Limits,
}

impl Viewer {
    /// Parses a page that is known by its URL, or by any other name. `charset` is the one that the
    /// transport stated, if any.
    pub fn view(&self, url: &str, html: impl Into<PageBytes>, charset: Option<&str>) -> ViewedPage {
        let html = html.into();
        let content = content_fingerprint(&html);
        let page = Page::parse(html, Some(url.to_string()), charset, &self.limits);
        ViewedPage {
            view: self.engine.view(&page),
            page: Arc::new(page),
            identity: page_identity(Some(url), url),
            content,
        }
    }
}

impl ViewedPage {
    /// The page.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// What the page is known by: the same for every version of it.
    pub fn identity(&self) -> Fingerprint {
        self.identity
    }
}
