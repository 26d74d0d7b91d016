//! Many sites: pages are learned and cleaned one by one, each with the other pages of its site.

use std::sync::Arc;

use unframe_dom::{Limits, PageBytes};
use unframe_methods::{Engine, MethodSpec};
use unframe_site::{
    Design, Drift, DriftWatch, Memory, SiteRecord, Sites, StateSize, StoreError, Versions,
};

use crate::clean_page::CleanPage;
use crate::overrides::Overrides;
use crate::verdict::{Circumstances, Detail, Draft};
use crate::viewed_page::{ViewedPage, Viewer};

/// What is learned of the sites of a crawl, and what cleans their pages. Sites have names, usually their
/// hosts. For the pages of a single site there is [`Site`](crate::Site), and for folders and archives
/// [`batch::clean`](crate::batch::clean).
///
/// ```
/// let mut crawl = unframe::Crawl::new();
/// for n in 0..10 {
///     for host in ["a.example", "b.example"] {
///         let page = format!("<nav>Home of {host}</nav><p>Story number {n} of the week.");
///         crawl.learn(host, &format!("https://{host}/{n}"), page)?;
///     }
/// }
/// let page = "<nav>Home of b.example</nav><p>Another story of the week.";
/// assert_eq!(crawl.clean("b.example", "https://b.example/x", page)?.text(), "Another story of the week.\n");
/// assert_eq!(crawl.pages("b.example")?, 11);
/// # Ok::<(), unframe::StoreError>(())
/// ```
pub struct Crawl {
    viewer: Viewer,
    pub(crate) sites: Sites,
    overrides: Overrides,
    full_reasons: bool,
    drift: Option<DriftWatch>,
}

/// How one page is judged, where not all pages of a crawl are judged in the same way.
#[derive(Clone)]
pub struct Judge {
    /// The method, with parameters that its memory does not depend on, as what is removed and what is
    /// favored by `auto`.
    pub engine: Arc<dyn Engine>,
    /// What overrules the method.
    pub overrides: Overrides,
    /// Whether reasons say all they can.
    pub reasons: bool,
    /// Whether each text is explained.
    pub explanations: bool,
}

impl Default for Crawl {
    fn default() -> Self {
        Crawl::new()
    }
}

impl Crawl {
    /// Sites in main memory, with the method `auto`.
    pub fn new() -> Crawl {
        Crawl::with_method(&MethodSpec::default())
    }

    /// Sites in main memory, with another method.
    pub fn with_method(spec: &MethodSpec) -> Crawl {
        Crawl::with_engine(Arc::clone(spec.engine()))
    }

    /// Sites in main memory, with a method that was built in another way.
    pub fn with_engine(engine: Arc<dyn Engine>) -> Crawl {
        let sites = Sites::in_memory(engine.memory());
        Crawl::of(engine, sites)
    }

    pub(crate) fn of(engine: Arc<dyn Engine>, sites: Sites) -> Crawl {
        Crawl {
            viewer: Viewer {
                engine,
                limits: Limits::default(),
            },
            sites,
            overrides: Overrides::default(),
            full_reasons: false,
            drift: None,
        }
    }

    /// What one page may cost.
    pub fn set_limits(&mut self, limits: Limits) {
        self.viewer.limits = limits;
    }

    /// What overrules the method: protected elements, wanted comments, marks of the site's owner.
    pub fn set_overrides(&mut self, overrides: Overrides) {
        self.overrides = overrides;
    }

    /// Whether the reasons of labels say all they can, as both probabilities of `auto`. That takes
    /// longer. Default: no.
    pub fn set_full_reasons(&mut self, full: bool) {
        self.full_reasons = full;
    }

    /// Whether pages are watched for not fitting what was learned before. Default: no.
    pub fn watch_drift(&mut self, watch: bool) {
        self.drift = watch.then(DriftWatch::default);
    }

    /// Sets which of several versions of a page counts. Default: the last one.
    pub fn set_versions(&mut self, versions: Versions) {
        self.sites.set_versions(versions);
    }

    /// Lists no more pages of a site than this, if the method remembers a sample of them. Above it, the
    /// number of pages is an estimate. Default: no limit.
    pub fn set_most_listed(&mut self, most: usize) {
        self.sites.set_most_listed(most);
    }

    /// Learns a page. Returns false if it was known as it is.
    pub fn learn(
        &mut self,
        site: &str,
        url: &str,
        html: impl Into<PageBytes>,
    ) -> Result<bool, StoreError> {
        let viewed = self.view(url, html);
        self.learn_viewed(site, &viewed)
    }

    /// Learns a page unless it is known as it is, and cleans it by all that has been learned so far.
    pub fn clean(
        &mut self,
        site: &str,
        url: &str,
        html: impl Into<PageBytes>,
    ) -> Result<CleanPage, StoreError> {
        let viewed = self.view(url, html);
        self.learn_viewed(site, &viewed)?;
        self.label_viewed(site, &viewed)
    }

    /// Cleans a page by what has been learned so far, without learning from it. Needs `&mut`, because a
    /// site on disk may have to be loaded.
    pub fn label(
        &mut self,
        site: &str,
        url: &str,
        html: impl Into<PageBytes>,
    ) -> Result<CleanPage, StoreError> {
        let viewed = self.view(url, html);
        self.label_viewed(site, &viewed)
    }

    /// Cleans a page as [`label`](Crawl::label) does, and explains each of its texts.
    pub fn why(
        &mut self,
        site: &str,
        url: &str,
        html: impl Into<PageBytes>,
    ) -> Result<CleanPage, StoreError> {
        let viewed = self.view(url, html);
        self.why_viewed(site, &viewed)
    }

    /// Parses a page and extracts what the method needs of it. Pages can be viewed on many threads
    /// and learned on one.
    pub fn view(&self, url: &str, html: impl Into<PageBytes>) -> ViewedPage {
        self.viewer.view(url, html, None)
    }

    /// What [`view`](Crawl::view) uses, for threads that have no access to the crawl, and for pages whose
    /// transport states a charset.
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// Learns a page that was viewed. Returns false if it was known as it is.
    pub fn learn_viewed(&mut self, site: &str, viewed: &ViewedPage) -> Result<bool, StoreError> {
        let (engine, page) = (&*self.viewer.engine, viewed.page());
        let bytes = page.bytes().len() as u64;
        let (identity, content) = (viewed.identity, viewed.content);
        let is_new = self
            .sites
            .visit(site, identity, content, bytes, |memory, visit| {
                engine.learn(memory, page, &viewed.view, visit)
            })?;
        if let (true, Some(watch)) = (is_new, &mut self.drift) {
            let places = engine.places(page, &viewed.view);
            let name = page.url.as_deref().unwrap_or_default();
            let designs = self.sites.designs_mut(site).expect("just learned");
            watch.meet(site, (identity, name), designs, &places, true);
        }
        Ok(is_new)
    }

    /// Cleans a page that was viewed, without learning from it.
    pub fn label_viewed(
        &mut self,
        site: &str,
        viewed: &ViewedPage,
    ) -> Result<CleanPage, StoreError> {
        self.sites.load(site)?;
        Ok(self.label_loaded(site, viewed))
    }

    /// Cleans a page that was viewed, and explains each of its texts.
    pub fn why_viewed(&mut self, site: &str, viewed: &ViewedPage) -> Result<CleanPage, StoreError> {
        self.sites.load(site)?;
        Ok(self.explain_loaded(site, viewed))
    }

    /// The same for a site that is in main memory.
    pub(crate) fn label_loaded(&self, site: &str, viewed: &ViewedPage) -> CleanPage {
        let detail = Detail {
            reasons: self.full_reasons,
            explanations: false,
            comments: self.overrides.comments.are_wanted(),
        };
        self.judge_as_set(site, viewed, detail)
    }

    /// The same with an explanation of each text.
    pub(crate) fn explain_loaded(&self, site: &str, viewed: &ViewedPage) -> CleanPage {
        let detail = Detail {
            reasons: true,
            explanations: true,
            comments: self.overrides.comments.are_wanted(),
        };
        self.judge_as_set(site, viewed, detail)
    }

    /// Makes sure that a site is in main memory, until the next commit at least. Then its pages can be
    /// judged on many threads: see [`judge`](Crawl::judge).
    pub fn load(&mut self, site: &str) -> Result<(), StoreError> {
        self.sites.load(site)
    }

    /// Cleans a page with settings of its own, without learning from it. None if its site is not in main
    /// memory; [`load`](Crawl::load) it then.
    ///
    /// # Panics
    ///
    /// If the engine is that of another method, whose views and memories are of other types.
    pub fn judge(&self, site: &str, viewed: &ViewedPage, by: &Judge) -> Option<CleanPage> {
        self.sites.record(site)?;
        let detail = Detail {
            reasons: by.reasons || by.explanations,
            explanations: by.explanations,
            comments: by.overrides.comments.are_wanted(),
        };
        Some(self.judged(site, viewed, detail, &*by.engine, &by.overrides))
    }

    fn judge_as_set(&self, site: &str, viewed: &ViewedPage, detail: Detail) -> CleanPage {
        let engine = &*self.viewer.engine;
        self.judged(site, viewed, detail, engine, &self.overrides)
    }

    fn judged(
        &self,
        site: &str,
        viewed: &ViewedPage,
        detail: Detail,
        engine: &dyn Engine,
        overrides: &Overrides,
    ) -> CleanPage {
        let drift = self.drift.as_ref();
        let about = Circumstances {
            site: Some(site),
            drift: drift.is_some_and(|drift| drift.has(viewed.identity)),
            ..Circumstances::default()
        };
        let empty: Box<dyn Memory>;
        let memory = match self.sites.get(site) {
            Some(memory) => memory,
            None => {
                empty = engine.memory().create();
                &*empty
            }
        };
        let draft = Draft::of(
            engine,
            memory,
            &viewed.view,
            self.loaded_pages(site),
            detail,
        );
        let verdict = draft.finish(engine, viewed.page(), overrides, about);
        CleanPage::new(Arc::clone(&viewed.page), verdict)
    }

    /// Adds what [`export`](Crawl::export) wrote to a site. A page that both know counts once, by default as
    /// it is known here. Returns how many pages were added.
    ///
    /// # Errors
    ///
    /// If another method, or another version of it, has learned the other site.
    pub fn import(&mut self, site: &str, bytes: &[u8]) -> Result<u64, StoreError> {
        self.sites.import(site, bytes)
    }

    /// All that has been learned of a site, as bytes. Equal sites give equal bytes.
    pub fn export(&mut self, site: &str) -> Result<Vec<u8>, StoreError> {
        self.sites.export(site)
    }

    /// All that has been learned of all sites, as the bytes of a state file: what the command line reads
    /// with `--state`. For hosts without a file system.
    pub fn state_bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        self.sites.state_bytes()
    }

    /// The names of all sites, sorted.
    pub fn names(&self) -> Vec<String> {
        self.sites.names()
    }

    /// Forgets a site, as if none of its pages had been learned; durably with the next commit. Returns false
    /// if nothing was known of it.
    pub fn remove(&mut self, site: &str) -> Result<bool, StoreError> {
        self.sites.remove(site)
    }

    /// What is known of all sites, by name: pages, bytes of pages, and bytes in the file. Those that are not
    /// in main memory come without their designs.
    pub fn records(&self) -> Vec<(String, SiteRecord)> {
        self.sites.records()
    }

    /// What is remembered of a site, if it is in main memory.
    pub fn memory(&self, site: &str) -> Option<&dyn Memory> {
        self.sites.get(site)
    }

    /// The length of the file and of all pages learned; none without a file.
    pub fn state_size(&self) -> Option<StateSize> {
        self.sites.state_size()
    }

    /// Bytes of main memory that the sites in use take.
    pub fn bytes(&self) -> usize {
        self.sites.bytes()
    }

    /// Pages of a site that have been learned.
    pub fn pages(&mut self, site: &str) -> Result<u64, StoreError> {
        self.sites.load(site)?;
        Ok(self.loaded_pages(site))
    }

    pub(crate) fn loaded_pages(&self, site: &str) -> u64 {
        self.sites.record(site).map_or(0, |record| record.pages)
    }

    /// The redesigns that were noticed, in their order, if that is watched.
    pub fn drift(&self) -> &[Drift] {
        self.drift.as_ref().map_or(&[], DriftWatch::found)
    }

    /// The designs that a site has had, as far as they were watched.
    pub fn designs(&mut self, site: &str) -> Result<&[Design], StoreError> {
        self.sites.load(site)?;
        let record = self.sites.record(site);
        Ok(record.map_or(&[], |record| record.designs.list()))
    }

    /// Whether some of it is on disk: in a file that was opened, or in a temporary one.
    pub fn is_on_disk(&self) -> bool {
        self.sites.store().is_some()
    }

    /// The method.
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.viewer.engine
    }

    /// Commits, and makes the file smaller if that is worth it, as at the end of a run. For services, which
    /// do not end. If only the second fails, the reason is in `Ok`.
    pub fn tidy(&mut self) -> Result<Option<StoreError>, StoreError> {
        self.sites.finish()
    }

    /// Makes what has been learned durable, if the crawl was opened from a file. When this returns,
    /// every page learned before survives a crash.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.sites.commit()
    }
}

/// What has been learned and not committed yet is committed, and its file is compacted, if that is
/// possible.
impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = self.sites.finish();
    }
}
