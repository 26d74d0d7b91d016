//! One site: learns from its pages, and cleans them.

use std::sync::Arc;

use unframe_dom::{Limits, PageBytes};
use unframe_methods::{Engine, MethodSpec};
use unframe_page::CanonicalUrl;
use unframe_site::{Design, Drift, Memory, StoreError};

use crate::clean_page::CleanPage;
use crate::crawl::Crawl;
use crate::overrides::Overrides;
use crate::viewed_page::{ViewedPage, Viewer};

/// What is learned of one web site, and what cleans its pages.
///
/// A page is known by its URL. It counts once however often it is learned, and a changed page
/// replaces its former self. No page is emptied: one of which almost nothing would remain is kept
/// whole and flagged.
///
/// ```
/// let page = |n: u32| format!("<nav>Home · Shop · Contact</nav><p>Story number {n} of the week.");
/// let url = |n: u32| format!("https://a.example/{n}");
///
/// let mut site = unframe::Site::new();
/// for n in 0..10 {
///     site.learn(&url(n), page(n))?;
/// }
/// let clean = site.clean(&url(3), page(3))?;
/// assert_eq!(clean.text(), "Story number 3 of the week.\n");
/// assert_eq!(site.pages(), 10);
/// # Ok::<(), unframe::StoreError>(())
/// ```
pub struct Site {
    crawl: Crawl,
    /// What the store calls it; empty until that is known.
    name: String,
}

/// What a site that lives in main memory is called: nobody sees it.
const IN_MEMORY: &str = "site";

impl Default for Site {
    fn default() -> Self {
        Site::new()
    }
}

impl Site {
    /// A site in main memory, with the method `auto`.
    pub fn new() -> Site {
        Site::with_method(&MethodSpec::default())
    }

    /// A site in main memory, with another method.
    ///
    /// ```
    /// let spec = "stream:df=3".parse()?;
    /// let site = unframe::Site::with_method(&spec);
    /// # Ok::<(), String>(())
    /// ```
    pub fn with_method(spec: &MethodSpec) -> Site {
        Site::with_engine(Arc::clone(spec.engine()))
    }

    /// A site in main memory, with a method that was built in another way.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use unframe::methods::{Stream, StreamParams};
    ///
    /// let stream = Stream::new(StreamParams::default())?;
    /// let site = unframe::Site::with_engine(Arc::new(stream));
    /// # Ok::<(), unframe::errors::OutOfRange>(())
    /// ```
    pub fn with_engine(engine: Arc<dyn Engine>) -> Site {
        Site::of(Crawl::with_engine(engine), IN_MEMORY.into())
    }

    pub(crate) fn of(crawl: Crawl, name: String) -> Site {
        Site { crawl, name }
    }

    /// What one page may cost.
    pub fn set_limits(&mut self, limits: Limits) {
        self.crawl.set_limits(limits);
    }

    /// What overrules the method: protected elements, wanted comments, marks of the site's owner.
    pub fn set_overrides(&mut self, overrides: Overrides) {
        self.crawl.set_overrides(overrides);
    }

    /// Whether the reasons of labels say all they can, as both probabilities of `auto`. That takes
    /// longer. Default: no.
    pub fn set_full_reasons(&mut self, full: bool) {
        self.crawl.set_full_reasons(full);
    }

    /// Whether pages are watched for not fitting what was learned before: see [`drift`](Site::drift).
    /// Default: no.
    pub fn watch_drift(&mut self, watch: bool) {
        self.crawl.watch_drift(watch);
    }

    /// Learns a page. Returns false if it was known as it is.
    pub fn learn(&mut self, url: &str, html: impl Into<PageBytes>) -> Result<bool, StoreError> {
        let viewed = self.view(url, html);
        self.learn_viewed(&viewed)
    }

    /// Learns a page unless it is known as it is, and cleans it by all that has been learned so far.
    pub fn clean(
        &mut self,
        url: &str,
        html: impl Into<PageBytes>,
    ) -> Result<CleanPage, StoreError> {
        let viewed = self.view(url, html);
        self.learn_viewed(&viewed)?;
        Ok(self.label_viewed(&viewed))
    }

    /// Cleans a page by what has been learned so far, without learning from it.
    pub fn label(&self, url: &str, html: impl Into<PageBytes>) -> CleanPage {
        self.label_viewed(&self.view(url, html))
    }

    /// Cleans a page as [`label`](Site::label) does, and explains each of its texts.
    ///
    /// ```
    /// # let mut site = unframe::Site::new();
    /// # for n in 0..5 {
    /// #     site.learn(&format!("https://a.example/{n}"), format!("<nav>Home</nav><p>Story {n}"))?;
    /// # }
    /// let page = site.why("https://a.example/3", "<nav>Home</nav><p>Story 3");
    /// for region in page.explained_regions() {
    ///     println!("{} {:?}: {}", region.text, region.why.label, region.why.rule);
    /// }
    /// # Ok::<(), unframe::StoreError>(())
    /// ```
    pub fn why(&self, url: &str, html: impl Into<PageBytes>) -> CleanPage {
        self.why_viewed(&self.view(url, html))
    }

    /// The frame of a page as a standalone HTML document, with slots where content was: what this
    /// site's method removes. The command `unframe template` compares the pages themselves instead.
    pub fn template(&self, url: &str, html: impl Into<PageBytes>) -> String {
        self.label(url, html).template()
    }

    /// Parses a page and extracts what the method needs of it. Pages can be viewed on many threads
    /// and learned on one.
    pub fn view(&self, url: &str, html: impl Into<PageBytes>) -> ViewedPage {
        self.crawl.view(url, html)
    }

    /// What [`view`](Site::view) uses, for threads that have no access to the site, and for pages whose
    /// transport states a charset.
    pub fn viewer(&self) -> &Viewer {
        self.crawl.viewer()
    }

    /// Learns a page that was viewed. Returns false if it was known as it is.
    pub fn learn_viewed(&mut self, viewed: &ViewedPage) -> Result<bool, StoreError> {
        if self.name.is_empty() {
            let url = viewed.page().url.as_deref().and_then(CanonicalUrl::parse);
            self.name = url.map_or(IN_MEMORY.into(), |url| url.host().to_string());
        }
        self.crawl.learn_viewed(&self.name, viewed)
    }

    /// Cleans a page that was viewed, without learning from it.
    pub fn label_viewed(&self, viewed: &ViewedPage) -> CleanPage {
        self.crawl.label_loaded(&self.name, viewed)
    }

    /// Cleans a page that was viewed, and explains each of its texts.
    pub fn why_viewed(&self, viewed: &ViewedPage) -> CleanPage {
        self.crawl.explain_loaded(&self.name, viewed)
    }

    /// Adds what another site has learned from other pages of the same web site. A page that both
    /// know counts once, as it is known here. Returns how many pages were added.
    ///
    /// # Errors
    ///
    /// If another method, or another version of it, has learned the other site.
    pub fn merge(&mut self, mut other: Site) -> Result<u64, StoreError> {
        let bytes = other.to_bytes()?;
        self.merge_bytes(&bytes)
    }

    /// Adds what [`to_bytes`](Site::to_bytes) wrote. Returns how many pages were added.
    pub fn merge_bytes(&mut self, bytes: &[u8]) -> Result<u64, StoreError> {
        if self.name.is_empty() {
            self.name = IN_MEMORY.into();
        }
        self.crawl.import(&self.name, bytes)
    }

    /// All that has been learned, as bytes. Equal sites give equal bytes. Needs `&mut`, because a
    /// site on disk may have to be loaded.
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        self.crawl.export(&self.name)
    }

    /// A site from the bytes that [`to_bytes`](Site::to_bytes) wrote, with the method `auto`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Site, StoreError> {
        Site::from_bytes_with(&MethodSpec::default(), bytes)
    }

    /// The same with another method, which must be the one that learned it.
    pub fn from_bytes_with(spec: &MethodSpec, bytes: &[u8]) -> Result<Site, StoreError> {
        let mut site = Site::with_method(spec);
        site.merge_bytes(bytes)?;
        Ok(site)
    }

    /// Pages that have been learned.
    pub fn pages(&self) -> u64 {
        self.crawl.loaded_pages(&self.name)
    }

    /// The method.
    pub fn engine(&self) -> &Arc<dyn Engine> {
        self.crawl.engine()
    }

    /// What has been learned; none before the first page.
    pub fn memory(&self) -> Option<&dyn Memory> {
        self.crawl.sites.get(&self.name)
    }

    /// The name of the site: in a file its host, or empty before its first page; in memory `site`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes what has been learned durable, if the site was opened from a file. When this returns,
    /// every page learned before survives a crash.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.crawl.commit()
    }

    /// The redesigns that were noticed, in their order, if that is [watched](Site::watch_drift).
    pub fn drift(&self) -> &[Drift] {
        self.crawl.drift()
    }

    /// The designs that the site has had, as far as they were watched.
    pub fn designs(&self) -> &[Design] {
        let record = self.crawl.sites.record(&self.name);
        record.map_or(&[], |record| record.designs.list())
    }
}
