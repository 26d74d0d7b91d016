//! Many sites, learned and cleaned page by page.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use unframe::batch::{CleanOptions, Progress};
use unframe::read::{ReadOptions, SiteFrom};
use unframe::render::Field;
use unframe::store::Versions;
use unframe::{Crawl as RustCrawl, StoreError, ViewedPage, Viewer};

use crate::at_exit::{self, Durable};
use crate::clean_pages::{CleanedPages, optional_text, optional_url};
use crate::error;
use crate::explanation::Explanation;
use crate::html::{self, Html};
use crate::keywords::Keywords;
use crate::learn_many::{learn_many, unnamed};
use crate::page::{Page, PageOrigin};
use crate::run::Owner;
use crate::run_args::{RunArgs, memory, site_from};
use crate::settings::{Settings, selector};
use crate::shared::{Shared, forked, unless_raised};
use crate::table::{ColumnNames, GivenTable, Table, TableArgs};
use crate::work::detached;

/// The sites of a crawl: what is learned of them, and what cleans their pages as they arrive.
///
/// Pages are assigned to sites by the host of their URL. For one site there is :class:`unframe.Site`; for
/// pages that are all at hand, :func:`unframe.clean_pages`.
///
/// ``Crawl()`` lives in memory, :meth:`Crawl.open` in a file that ``unframe clean --state`` reads and writes,
/// too.
///
/// Args:
///     site_from: what identifies a site: ``"host"`` (default) or ``"domain"``.
///     reasons: complete evidence in ``page.regions``. Slower.
///     watch_drift: notice when pages stop fitting what was learned. Default: only for a file.
///     memory: bytes of main memory for sites in use; others are in the file, or in a temporary one.
///     any_order: of several versions of a page, let the same one count in whatever order pages are learned and
///         crawls are merged. Default: the one that was learned last, or that is known here.
///     most_listed: of larger sites, list only some pages. The number of their pages is then an estimate. Only
///         for methods that remember a sample, as ``"auto"`` does. Default: no limit.
///     **settings: those of :func:`unframe.extract`.
///
/// >>> import unframe
/// >>> crawl = unframe.Crawl()
/// >>> for n in range(5):
/// ...     for host in ["a.example", "b.example"]:
/// ...         _ = crawl.learn(f"<nav>Home of {host}</nav><p>Story {n} of the week.", f"https://{host}/{n}")
/// >>> crawl.sites
/// ['a.example', 'b.example']
/// >>> crawl.clean("<nav>Home of b.example</nav><p>Another story.", "https://b.example/x").text
/// 'Another story.\n'
#[pyclass(frozen, module = "unframe")]
pub struct Crawl {
    shared: Arc<Shared>,
    viewer: Viewer,
    settings: Settings,
    site_from: SiteFrom,
    reasons: bool,
    watches_drift: bool,
    any_order: bool,
    most_listed: Option<usize>,
}

impl Crawl {
    fn make(
        py: Python<'_>,
        function: &'static str,
        path: Option<PathBuf>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Crawl> {
        let mut keywords = Keywords::new(function, keywords)?;
        let site_from = site_from(&mut keywords)?;
        let reasons = keywords.flag("reasons", false)?;
        let watches_drift = keywords.flag("watch_drift", path.is_some())?;
        let room = memory(&mut keywords)?.sites;
        let any_order = keywords.flag("any_order", false)?;
        let most_listed = keywords.positive("most_listed")?;
        let settings = Settings::take(&mut keywords)?;
        keywords.finish()?;
        let (spec, overrides) = (&settings.spec, settings.overrides.clone());
        let crawl = detached(py, || match &path {
            Some(path) => RustCrawl::open(path, spec, room),
            None => RustCrawl::temporary(spec, room),
        })?;
        let mut crawl = crawl.map_err(error::state)?;
        crawl.set_overrides(overrides);
        crawl.set_full_reasons(reasons);
        crawl.watch_drift(watches_drift);
        crawl.set_most_listed(most_listed.unwrap_or(usize::MAX));
        if any_order {
            crawl.set_versions(Versions::AnyOrder);
        }
        let viewer = crawl.viewer().clone();
        let is_durable = path.is_some();
        let crawl = Crawl {
            shared: Arc::new(Shared::new(crawl, is_durable)),
            viewer,
            settings,
            site_from,
            reasons,
            watches_drift,
            any_order,
            most_listed,
        };
        if is_durable {
            let shared: Arc<dyn Durable> = crawl.shared.clone();
            at_exit::remember(&shared);
        }
        Ok(crawl)
    }

    /// The page of the arguments of a call, viewed, and where it comes from.
    fn view(
        &self,
        html: Html,
        url: Option<&Bound<'_, PyAny>>,
        site: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(PageOrigin, ViewedPage)> {
        let url = optional_url(url)?;
        let site = self.site_for(url.as_deref(), optional_text(site, "site")?)?;
        let source = url.clone().unwrap_or_else(|| unnamed(&html.bytes));
        let viewed = Python::attach(|py| {
            let viewer = &self.viewer;
            detached(py, || {
                viewer.view(&source, html.bytes, html.charset.as_deref())
            })
        })?;
        let origin = PageOrigin {
            url,
            source,
            site,
            ..PageOrigin::default()
        };
        Ok((origin, viewed))
    }

    /// The site that was named, or that of the URL.
    fn site_for(&self, url: Option<&str>, site: Option<String>) -> PyResult<String> {
        let of_url = || url.and_then(|url| self.site_from.site_of(url));
        site.or_else(of_url).ok_or_else(|| {
            let what = match url {
                Some(url) => format!("'{url}' has no host"),
                None => "a page without a URL".into(),
            };
            error::argument(format!("{what}; name its site with site="))
        })
    }

    /// Learns a page that was viewed, and commits if that is due.
    fn learn_in(
        &self,
        crawl: &mut RustCrawl,
        site: &str,
        viewed: &unframe::ViewedPage,
    ) -> Result<bool, StoreError> {
        let learned = crawl.learn_viewed(site, viewed)?;
        if learned && self.shared.tick() {
            crawl.commit()?;
        }
        Ok(learned)
    }
}

#[pymethods]
impl Crawl {
    #[new]
    #[pyo3(
        signature = (**keywords),
        text_signature = "(*, site_from='host', reasons=False, watch_drift=False, memory=400000000, any_order=False, most_listed=None, **settings)"
    )]
    fn new(py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Crawl> {
        Crawl::make(py, "Crawl", None, keywords)
    }

    /// Opens the sites of a file, or creates it.
    ///
    /// What is learned is committed with the next page after a second, every 1,000 pages, by :meth:`commit` and by :meth:`close`,
    /// which the end of a ``with`` block calls. A killed process loses only what came after the last commit.
    #[classmethod]
    #[pyo3(
        signature = (path, **keywords),
        text_signature = "(path, *, site_from='host', reasons=False, watch_drift=True, memory=400000000, any_order=False, most_listed=None, **settings)"
    )]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Crawl> {
        Crawl::make(py, "Crawl.open", Some(path), keywords)
    }

    /// Learns a page. Returns False if it was known as it is. A changed page replaces its former version.
    ///
    /// Args:
    ///     html: the page, as bytes or str.
    ///     url: its URL, which identifies it and its site.
    ///     site: the name of its site, if it is not the host of its URL.
    ///     charset: the charset that the transport stated, for bytes.
    #[pyo3(signature = (html, url=None, *, site=None, charset=None))]
    fn learn(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        site: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
    ) -> PyResult<bool> {
        let html = Html::of(html, "html")?.with_charset(charset);
        let (origin, viewed) = self.view(html, url, site)?;
        self.shared
            .with(py, |crawl| self.learn_in(crawl, &origin.site, &viewed))
    }

    /// Learns many pages, in parallel. Returns how many were new or changed.
    ///
    /// If the iterable raises an exception, the pages before it are learned.
    ///
    /// Args:
    ///     pages: ``(url, html)`` pairs, or dicts with ``url``, ``html`` and, for pages without a URL, ``site``.
    ///     jobs: number of threads. Default: one per core.
    #[pyo3(signature = (pages, *, jobs=None))]
    fn learn_many(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        jobs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        learn_many(py, pages, jobs, &self.viewer, |chunk| {
            let (mut sites, mut failed) = (Vec::new(), None);
            for page in &chunk {
                let (url, site) = (page.given.url.as_deref(), page.given.site.clone());
                match self.site_for(url, site) {
                    Ok(site) => sites.push(site),
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            }
            let learned = self.shared.with(py, |crawl| {
                let mut learned = 0;
                for (page, site) in chunk.iter().zip(&sites) {
                    learned += u64::from(self.learn_in(crawl, site, &page.viewed)?);
                }
                Ok(learned)
            })?;
            failed.map_or(Ok(learned), Err)
        })
    }

    /// Learns a page, and cleans it with all that is known of its site so far.
    ///
    /// Args:
    ///     html: the page, as bytes or str.
    ///     url: its URL, which identifies it and its site.
    ///     site: the name of its site, if it is not the host of its URL.
    ///     learn: False cleans it without learning from it.
    ///     charset: the charset that the transport stated, for bytes.
    #[pyo3(signature = (html, url=None, *, site=None, learn=true, charset=None))]
    fn clean(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        site: Option<&Bound<'_, PyAny>>,
        learn: bool,
        charset: Option<String>,
    ) -> PyResult<Page> {
        let html = Html::of(html, "html")?.with_charset(charset);
        let (origin, viewed) = self.view(html, url, site)?;
        let page = self.shared.with(py, |crawl| {
            if learn {
                self.learn_in(crawl, &origin.site, &viewed)?;
            }
            crawl.label_viewed(&origin.site, &viewed)
        })?;
        Ok(Page::new(page, origin))
    }

    /// Why each part of a page is kept or removed, by what is known of its site. Learns nothing.
    ///
    /// Args:
    ///     html: the page, as bytes or str.
    ///     url: its URL.
    ///     css: only regions in elements that match this CSS selector.
    ///     site: the name of its site, if it is not the host of its URL.
    ///     charset: the charset that the transport stated, for bytes.
    #[pyo3(signature = (html, url=None, *, css=None, site=None, charset=None))]
    fn why(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        css: Option<&str>,
        site: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
    ) -> PyResult<Explanation> {
        let css = css.map(|css| selector(css, "css")).transpose()?;
        let html = Html::of(html, "html")?.with_charset(charset);
        let (origin, viewed) = self.view(html, url, site)?;
        let page = self
            .shared
            .with(py, |crawl| crawl.why_viewed(&origin.site, &viewed))?;
        detached(py, || Explanation::new(page, origin.source, css.as_ref()))
    }

    /// Cleans many pages on all cores, as :func:`unframe.clean_pages` does, with the sites of this crawl.
    ///
    /// While the iterator is not exhausted or closed, the crawl cannot be used otherwise. With
    /// ``learn=False``, pages that were cleaned as they arrived are cleaned again with all that is known by
    /// now, in one pass.
    ///
    /// Args:
    ///     pages: as for :func:`unframe.clean_pages`.
    ///     learn, arrival, jobs, render, site, url_field, html_field, include, exclude, follow_links: as for
    ///         :func:`unframe.clean_pages`.
    #[pyo3(
        signature = (pages, **keywords),
        text_signature = "($self, pages, *, learn=True, arrival=False, jobs=None, render=('text',), site=None, url_field='url', html_field='html', include=(), exclude=(), follow_links=False)"
    )]
    fn clean_pages(
        &self,
        pages: &Bound<'_, PyAny>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<CleanedPages> {
        let mut keywords = Keywords::new("clean_pages", keywords)?;
        let mut run = RunArgs::take(&mut keywords)?;
        keywords.finish()?;
        run.read.site_from = self.site_from;
        run.reasons = self.reasons;
        let owner = Owner::Shared(Arc::clone(&self.shared));
        CleanedPages::start(pages, run, self.settings.clone(), self.watches_drift, owner)
    }

    /// Learns the pages of a table. Returns how many were new or changed.
    ///
    /// Pages that would change nothing are not parsed, so this is faster than :meth:`learn_many` for large
    /// sites, of which only a sample is remembered.
    ///
    /// Args:
    ///     table: as for :func:`unframe.clean_table`.
    ///     url, html, site_column, charset_column, damage_column: its columns, as for :func:`unframe.clean_table`.
    ///     jobs: number of threads. Default: one per core.
    #[pyo3(
        signature = (table, **keywords),
        text_signature = "($self, table, *, url='url', html='html', site_column=None, charset_column=None, damage_column=None, jobs=None)"
    )]
    fn learn_table(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u64> {
        let mut names = Keywords::new("learn_table", keywords)?;
        let columns = ColumnNames::take(&mut names, keywords)?;
        let jobs = names.count("jobs")?;
        names.finish()?;
        let progress = Progress::default();
        let given = GivenTable::read(py, table, &columns, &progress)?;
        let mut options = CleanOptions::default();
        options.jobs = jobs.unwrap_or(options.jobs);
        options.progress = progress.clone();
        let read = ReadOptions {
            site_from: self.site_from,
            ..ReadOptions::default()
        };
        self.shared
            .run(py, &progress, |crawl| given.learn(crawl, read, &options))
    }

    /// Removes the frame from a table of pages, as :func:`unframe.clean_table` does, with the sites of this
    /// crawl.
    ///
    /// Args:
    ///     table: as for :func:`unframe.clean_table`.
    ///     url, html, site_column, charset_column, damage_column, fields, body_only, include_links,
    ///         include_images, learn, arrival, jobs: as for :func:`unframe.clean_table`.
    #[pyo3(
        signature = (table, **keywords),
        text_signature = "($self, table, *, url='url', html='html', site_column=None, charset_column=None, damage_column=None, fields=None, body_only=False, include_links=True, include_images=False, learn=True, arrival=False, jobs=None)"
    )]
    fn clean_table(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let mut names = Keywords::new("clean_table", keywords)?;
        let args = TableArgs::take(py, &mut names, keywords)?;
        let mut run = RunArgs::take_for_crawl(&mut names, self.site_from)?;
        names.finish()?;
        run.reasons = self.reasons || args.fields.has(Field::Removed);
        let progress = Progress::default();
        let given = GivenTable::read(py, table, args.columns(), &progress)?;
        let is_durable = self.shared.is_durable;
        let options = run.options(&self.settings, is_durable, self.watches_drift, &progress);
        self.shared.run(py, &progress, |crawl| {
            given.clean(crawl, run.read, &options, args)
        })
    }

    /// The names of all sites, sorted.
    #[getter]
    fn sites(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.shared.with(py, |crawl| Ok(crawl.names()))
    }

    /// How many pages of a site have been learned.
    #[pyo3(signature = (site, /))]
    fn pages(&self, py: Python<'_>, site: &str) -> PyResult<u64> {
        self.shared.with(py, |crawl| crawl.pages(site))
    }

    /// The site that a page with this URL belongs to, or None if the URL has no host.
    #[pyo3(signature = (url, /))]
    fn site_of(&self, url: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let url = html::text(url, "url")?;
        Ok(self.site_from.site_of(&url))
    }

    /// The redesigns that were noticed, in their order: dicts with ``site``, ``version``, ``first`` (the first
    /// page of the new design), ``since``, ``pages``, ``fit`` and ``former``.
    #[getter]
    fn drift<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let found = self.shared.with(py, |crawl| Ok(crawl.drift().to_vec()))?;
        found
            .iter()
            .map(|drift| crate::site::drift(py, drift))
            .collect()
    }

    /// All that was learned of a site, as bytes for :meth:`merge` or ``Site.from_bytes``.
    #[pyo3(signature = (site, /))]
    fn to_bytes<'py>(&self, py: Python<'py>, site: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.shared.with(py, |crawl| crawl.export(site))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Adds what another crawl, or ``Site.to_bytes``, has learned. A page that both know counts once, as it is
    /// known here (see ``any_order``). Returns how many pages were added.
    ///
    /// Args:
    ///     other: another crawl, or bytes of a site.
    ///     site: the name of the site that the bytes belong to.
    #[pyo3(signature = (other, *, site=None))]
    fn merge(&self, py: Python<'_>, other: &Bound<'_, PyAny>, site: Option<&str>) -> PyResult<u64> {
        if let Ok(bytes) = other.cast::<PyBytes>() {
            let Some(site) = site else {
                return Err(error::argument(
                    "merging bytes needs the name of their site: site=",
                ));
            };
            let bytes = Html::unchecked(bytes, "other")?.bytes;
            return self.shared.with(py, |crawl| crawl.import(site, &bytes));
        }
        let Ok(other) = other.cast::<Crawl>() else {
            let message = "merge takes another Crawl, or bytes with site=";
            return Err(PyTypeError::new_err(message));
        };
        let other = other.get();
        if Arc::ptr_eq(&self.shared, &other.shared) {
            return Ok(0);
        }
        let mut added = 0;
        for name in other.sites(py)? {
            let bytes = other.shared.with(py, |crawl| crawl.export(&name))?;
            added += self.shared.with(py, |crawl| crawl.import(&name, &bytes))?;
        }
        Ok(added)
    }

    /// Makes what was learned durable, if the crawl was opened from a file.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.with(py, RustCrawl::commit)
    }

    /// Commits, and closes the file. Nothing else can be done afterwards. A run of :meth:`clean_pages` ends.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.check()?;
        let committed = detached(py, || self.shared.close())?;
        match committed {
            Some(committed) => committed.map_err(error::state),
            None => Err(forked("crawl")),
        }
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&self, py: Python<'_>, exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        unless_raised(py, exception, self.close(py))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, crawl) = (slf.py(), slf.get());
        let settings = crawl.settings.to_dict(py)?;
        settings.set_item("site_from", crawl.site_from.to_string())?;
        settings.set_item("reasons", crawl.reasons)?;
        settings.set_item("watch_drift", crawl.watches_drift)?;
        settings.set_item("any_order", crawl.any_order)?;
        settings.set_item("most_listed", crawl.most_listed)?;
        let sites = PyDict::new(py);
        for name in crawl.sites(py)? {
            sites.set_item(&name, crawl.to_bytes(py, &name)?)?;
        }
        let restore = slf.get_type().getattr("_restore")?;
        (restore, (settings, sites)).into_pyobject(py)
    }

    /// Reads a pickled crawl, into memory.
    #[classmethod]
    #[pyo3(signature = (settings, sites, /))]
    fn _restore(
        class: &Bound<'_, PyType>,
        settings: &Bound<'_, PyDict>,
        sites: &Bound<'_, PyDict>,
    ) -> PyResult<Crawl> {
        let py = class.py();
        let crawl = Crawl::make(py, "Crawl", None, Some(settings))?;
        for (name, bytes) in sites.iter() {
            let name = html::text(&name, "site")?;
            crawl.merge(py, &bytes, Some(&name))?;
        }
        Ok(crawl)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.sites(py) {
            Ok(sites) => format!("<unframe.Crawl of {} sites>", sites.len()),
            Err(_) => "<unframe.Crawl in use or closed>".into(),
        }
    }
}
