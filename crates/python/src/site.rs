//! One site, learned and cleaned page by page.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use unframe::store::Drift;
use unframe::{Site as RustSite, StoreError, Viewer};

use crate::at_exit::{self, Durable};
use crate::clean_pages::optional_url;
use crate::error;
use crate::explanation::Explanation;
use crate::html::Html;
use crate::keywords::Keywords;
use crate::learn_many::{learn_many, name_of, unnamed};
use crate::page::{Page, PageOrigin};
use crate::process::Process;
use crate::settings::{Settings, selector};
use crate::shared::{CommitClock, closed, forked, unless_raised};
use crate::work::detached;

/// One web site: what is learned of it, and what cleans its pages.
///
/// A page is known by its URL. It counts once however often it is learned, and a changed page replaces its
/// former version. Nothing is ever emptied: a page of which almost nothing would remain is kept and flagged.
///
/// ``Site()`` lives in memory, :meth:`Site.open` in a file that ``unframe clean --state`` reads and writes,
/// too. All methods can be called from several threads; pages are parsed in parallel. A site can be pickled,
/// with what it has learned.
///
/// Args:
///     reasons: complete evidence in ``page.regions``. Slower.
///     watch_drift: notice when pages stop fitting what was learned. Default: only for a file.
///     **settings: those of :func:`unframe.extract`: ``favor_precision``, ``favor_recall``,
///         ``include_comments``, ``protect``, ``remove_selector``, ``remove``, ``owner_marks``, ``method``.
///
/// >>> import unframe
/// >>> site = unframe.Site()
/// >>> for n in range(10):
/// ...     _ = site.learn(f"<nav>Home, Shop, Contact</nav><p>Story number {n} of the week.",
/// ...                    f"https://a.example/{n}")
/// >>> page = site.clean("<nav>Home, Shop, Contact</nav><p>A new story.", "https://a.example/new")
/// >>> page.text
/// 'A new story.\n'
/// >>> site.pages
/// 11
#[pyclass(frozen, module = "unframe")]
pub struct Site {
    site: Arc<Held>,
    clock: Mutex<CommitClock>,
    viewer: Viewer,
    settings: Settings,
    reasons: bool,
    watches_drift: bool,
    /// The page that was learned or cleaned last, for `template()`.
    last: Mutex<Option<(String, Html)>>,
}

/// What threads share of a site.
struct Held {
    site: RwLock<Option<RustSite>>,
    process: Process,
    is_durable: bool,
}

impl Held {
    /// Whether it is a copy in a forked child that must not write to the file of its parent.
    fn is_foreign(&self) -> bool {
        self.is_durable && !self.process.is_this()
    }

    fn read(&self) -> Result<RwLockReadGuard<'_, Option<RustSite>>, Unusable> {
        match self.process.is_this() {
            true => Ok(self.site.read().unwrap_or_else(PoisonError::into_inner)),
            // In a forked child, the thread that holds the lock may not exist.
            false => self.site.try_read().map_err(|_| Unusable::Forked),
        }
    }

    fn write(&self) -> Result<RwLockWriteGuard<'_, Option<RustSite>>, Unusable> {
        match self.process.is_this() {
            _ if self.is_foreign() => Err(Unusable::Forked),
            true => Ok(self.site.write().unwrap_or_else(PoisonError::into_inner)),
            false => self.site.try_write().map_err(|_| Unusable::Forked),
        }
    }
}

impl Durable for Held {
    fn commit_at_exit(&self) {
        if let Ok(mut site) = self.site.try_write()
            && let (false, Some(site)) = (self.is_foreign(), site.as_mut())
        {
            let _ = site.commit();
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.is_foreign() {
            let site = self.site.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(site.take());
        }
    }
}

/// Why a site cannot be used.
enum Unusable {
    Closed,
    Forked,
}

impl From<Unusable> for PyErr {
    fn from(why: Unusable) -> PyErr {
        match why {
            Unusable::Closed => closed("site"),
            Unusable::Forked => forked("site"),
        }
    }
}

impl Site {
    fn make(
        py: Python<'_>,
        function: &'static str,
        path: Option<PathBuf>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Site> {
        let mut keywords = Keywords::new(function, keywords)?;
        let reasons = keywords.flag("reasons", false)?;
        let watches_drift = keywords.flag("watch_drift", path.is_some())?;
        let name = match path.is_some() {
            true => keywords.text("site")?,
            false => None,
        };
        let settings = Settings::take(&mut keywords)?;
        keywords.finish()?;
        let spec = &settings.spec;
        let site = detached(py, || match (&path, name) {
            (None, _) => Ok(RustSite::with_method(spec)),
            (Some(path), Some(name)) => RustSite::open_with(path, spec, &name),
            (Some(path), None) => RustSite::open_only(path, spec),
        })?;
        let mut site = site.map_err(error::state)?;
        site.set_overrides(settings.overrides.clone());
        site.set_full_reasons(reasons);
        site.watch_drift(watches_drift);
        let viewer = site.viewer().clone();
        let held = Arc::new(Held {
            site: RwLock::new(Some(site)),
            process: Process::this(),
            is_durable: path.is_some(),
        });
        if held.is_durable {
            let durable: Arc<dyn Durable> = held.clone();
            at_exit::remember(&durable);
        }
        Ok(Site {
            viewer,
            site: held,
            clock: Mutex::default(),
            settings,
            reasons,
            watches_drift,
            last: Mutex::new(None),
        })
    }

    /// Reads the site, without the interpreter; several threads can at once.
    fn reading<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&RustSite) -> T + Send,
    ) -> PyResult<T> {
        let done = detached(py, || {
            let guard = self.site.read()?;
            guard.as_ref().map(work).ok_or(Unusable::Closed)
        })?;
        Ok(done?)
    }

    /// Changes the site, without the interpreter.
    fn writing<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut RustSite) -> Result<T, StoreError> + Send,
    ) -> PyResult<T> {
        let done = detached(py, || {
            let mut guard = self.site.write()?;
            guard.as_mut().map(work).ok_or(Unusable::Closed)
        })?;
        done?.map_err(error::state)
    }

    /// Learns pages that were viewed, and commits if that is due. Returns how many were new or changed.
    fn learn_all(
        &self,
        site: &mut RustSite,
        viewed: &[unframe::ViewedPage],
    ) -> Result<u64, StoreError> {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut learned, mut due) = (0, false);
        for page in viewed {
            if site.learn_viewed(page)? {
                learned += 1;
                due |= clock.tick();
            }
        }
        if due {
            site.commit()?;
        }
        Ok(learned)
    }

    fn remember(&self, name: &str, html: &Html) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((name.to_string(), html.clone()));
    }

    fn view(&self, py: Python<'_>, name: &str, html: &Html) -> PyResult<unframe::ViewedPage> {
        detached(py, || {
            self.viewer
                .view(name, html.bytes.clone(), html.charset.as_deref())
        })
    }
}

/// The page of the arguments, and the name by which it is known.
fn page_of(
    html: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyAny>>,
    charset: Option<String>,
) -> PyResult<(Html, Option<String>, String)> {
    let html = Html::of(html, "html")?.with_charset(charset);
    let url = optional_url(url)?;
    let name = url.clone().unwrap_or_else(|| unnamed(&html.bytes));
    Ok((html, url, name))
}

#[pymethods]
impl Site {
    #[new]
    #[pyo3(
        signature = (**keywords),
        text_signature = "(*, reasons=False, watch_drift=False, **settings)"
    )]
    fn new(py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Site> {
        Site::make(py, "Site", None, keywords)
    }

    /// Opens a site in a file, or creates it.
    ///
    /// What is learned is committed with the next page after a second, every 1,000 pages, by :meth:`commit` and by :meth:`close`,
    /// which the end of a ``with`` block calls. A killed process loses only what came after the last commit.
    ///
    /// Args:
    ///     path: the file.
    ///     site: which site is meant, if the file has several.
    ///     **settings: as for :class:`unframe.Site`.
    #[classmethod]
    #[pyo3(
        signature = (path, **keywords),
        text_signature = "(path, *, site=None, reasons=False, watch_drift=True, **settings)"
    )]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Site> {
        Site::make(py, "Site.open", Some(path), keywords)
    }

    /// A site from the bytes of :meth:`to_bytes`, in memory.
    ///
    /// Args:
    ///     data: the bytes.
    ///     **settings: as for :class:`unframe.Site`; the method must be the one that learned it.
    #[classmethod]
    #[pyo3(
        signature = (data, **keywords),
        text_signature = "(data, *, reasons=False, watch_drift=False, **settings)"
    )]
    fn from_bytes(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        data: &Bound<'_, PyBytes>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Site> {
        let site = Site::make(py, "Site.from_bytes", None, keywords)?;
        let bytes = Html::unchecked(data, "data")?.bytes;
        site.writing(py, |site| site.merge_bytes(&bytes))?;
        Ok(site)
    }

    /// Learns a page. Returns False if it was known as it is.
    ///
    /// Args:
    ///     html: the page, as bytes or str.
    ///     url: its URL, or any other name. Without one it is known by its bytes.
    ///     charset: the charset that the transport stated, for bytes.
    #[pyo3(signature = (html, url=None, *, charset=None))]
    fn learn(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
    ) -> PyResult<bool> {
        let (html, _, name) = page_of(html, url, charset)?;
        let viewed = self.view(py, &name, &html)?;
        let viewed = std::slice::from_ref(&viewed);
        let learned = self.writing(py, |site| self.learn_all(site, viewed))?;
        self.remember(&name, &html);
        Ok(learned > 0)
    }

    /// Learns many pages, in parallel. Returns how many were new or changed.
    ///
    /// The result is the same as that of :meth:`learn` for one page after another. If the iterable raises an
    /// exception, the pages before it are learned.
    ///
    /// Args:
    ///     pages: ``(url, html)`` pairs, or dicts with ``url`` and ``html``.
    ///     jobs: number of threads. Default: one per core.
    #[pyo3(signature = (pages, *, jobs=None))]
    fn learn_many(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        jobs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        learn_many(py, pages, jobs, &self.viewer, |chunk| {
            if let Some(last) = chunk.last() {
                let html = Html {
                    bytes: last.given.body.clone().into(),
                    charset: last.given.charset.clone(),
                };
                self.remember(&name_of(&last.given), &html);
            }
            let viewed: Vec<_> = chunk.into_iter().map(|page| page.viewed).collect();
            self.writing(py, |site| self.learn_all(site, &viewed))
        })
    }

    /// Learns a page, and cleans it by all that is known so far.
    ///
    /// Args:
    ///     html: the page, as bytes or str.
    ///     url: its URL, or any other name. Without one it is known by its bytes.
    ///     learn: False cleans it without learning from it.
    ///     charset: the charset that the transport stated, for bytes.
    #[pyo3(signature = (html, url=None, *, learn=true, charset=None))]
    fn clean(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        learn: bool,
        charset: Option<String>,
    ) -> PyResult<Page> {
        let (html, url, name) = page_of(html, url, charset)?;
        let viewed = self.view(py, &name, &html)?;
        if learn {
            let pages = std::slice::from_ref(&viewed);
            self.writing(py, |site| self.learn_all(site, pages))?;
        }
        let (page, site) = self.reading(py, |site| {
            (site.label_viewed(&viewed), site.name().to_string())
        })?;
        self.remember(&name, &html);
        Ok(Page::new(
            page,
            PageOrigin {
                url,
                source: name,
                site,
                ..PageOrigin::default()
            },
        ))
    }

    /// Why each part of a page is kept or removed, by all that is known so far. Learns nothing.
    ///
    /// Args:
    ///     html: the page, as bytes or str.
    ///     url: its URL, or any other name.
    ///     css: only regions in elements that match this CSS selector.
    ///
    /// >>> import unframe
    /// >>> site = unframe.Site()
    /// >>> for n in range(9):
    /// ...     _ = site.learn(f"<nav>Home, Shop</nav><p>Story {n} of the week.", f"https://a.example/{n}")
    /// >>> why = site.why("<nav>Home, Shop</nav><p>Another story.", css="nav")
    /// >>> why[0]["text"], why[0]["kept"]
    /// ('Home, Shop', False)
    #[pyo3(signature = (html, url=None, *, css=None, charset=None))]
    fn why(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        css: Option<&str>,
        charset: Option<String>,
    ) -> PyResult<Explanation> {
        let css = css.map(|css| selector(css, "css")).transpose()?;
        let (html, _, name) = page_of(html, url, charset)?;
        let viewed = self.view(py, &name, &html)?;
        self.reading(py, |site| {
            Explanation::new(site.why_viewed(&viewed), name, css.as_ref())
        })
    }

    /// The frame of the site as a standalone HTML document, with slots for the content.
    ///
    /// Args:
    ///     html: the page whose frame is meant. Default: the one that was learned or cleaned last.
    ///     url: its URL.
    #[pyo3(signature = (html=None, url=None, *, charset=None))]
    fn template(
        &self,
        py: Python<'_>,
        html: Option<&Bound<'_, PyAny>>,
        url: Option<&Bound<'_, PyAny>>,
        charset: Option<String>,
    ) -> PyResult<String> {
        let (name, html) = match html.filter(|html| !html.is_none()) {
            Some(html) => {
                let (html, _, name) = page_of(html, url, charset)?;
                (name, html)
            }
            None => {
                let last = self
                    .last
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone();
                last.ok_or_else(|| {
                    error::argument("a site keeps no pages; pass one: site.template(html, url)")
                })?
            }
        };
        let viewed = self.view(py, &name, &html)?;
        self.reading(py, |site| site.label_viewed(&viewed).template())
    }

    /// How many pages have been learned.
    #[getter]
    fn pages(&self, py: Python<'_>) -> PyResult<u64> {
        self.reading(py, RustSite::pages)
    }

    /// Its name: in a file its host, or empty before its first page; in memory ``site``.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.reading(py, |site| site.name().to_string())
    }

    /// The redesigns that were noticed since it was opened, in their order: dicts with ``version``, ``first``
    /// (the first page of the new design), ``since`` (its number among the pages), ``pages``, ``fit`` (the mean
    /// share of their text at known places) and ``former`` (the same of the pages before). Only if drift is
    /// watched.
    #[getter]
    fn drift<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let found = self.reading(py, |site| site.drift().to_vec())?;
        found.iter().map(|found| drift(py, found)).collect()
    }

    /// The designs that the site has had, as far as they were watched: dicts with ``number``, ``since``,
    /// ``first`` and ``pages``.
    #[getter]
    fn designs<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let designs = self.reading(py, |site| site.designs().to_vec())?;
        let dict = |design: &unframe::store::Design| {
            let dict = PyDict::new(py);
            dict.set_item("number", design.number)?;
            dict.set_item("since", design.since)?;
            dict.set_item("first", &design.first)?;
            dict.set_item("pages", design.pages)?;
            Ok(dict)
        };
        designs.iter().map(dict).collect()
    }

    /// Adds what another site, or its bytes, has learned from other pages of the same web site. A page that
    /// both know counts once, as it is known here. Returns how many pages were added.
    #[pyo3(signature = (other, /))]
    fn merge(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<u64> {
        let (py, site) = (slf.py(), slf.get());
        let bytes = if let Ok(bytes) = other.cast::<PyBytes>() {
            Html::unchecked(bytes, "other")?.bytes
        } else if let Ok(other) = other.cast::<Site>() {
            if other.is(slf) {
                return Ok(0);
            }
            other.get().writing(py, RustSite::to_bytes)?.into()
        } else {
            let kind = other.get_type().name()?;
            let message = format!("merge takes another Site, or its bytes, not {kind}");
            return Err(PyTypeError::new_err(message));
        };
        site.writing(py, |site| site.merge_bytes(&bytes))
    }

    /// All that has been learned, as bytes. Equal sites give equal bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.writing(py, RustSite::to_bytes)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Makes what was learned durable, if the site was opened from a file.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        self.writing(py, RustSite::commit)
    }

    /// Commits, and closes the file. Nothing else can be done afterwards.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let committed = detached(py, || {
            let mut site = self.site.write()?;
            let committed = site.as_mut().map_or(Ok(()), RustSite::commit);
            // If it could not be committed, it stays open, and nothing is lost.
            if committed.is_ok() {
                site.take();
            }
            Ok::<_, Unusable>(committed)
        })?;
        committed?.map_err(error::state)
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&self, py: Python<'_>, exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        unless_raised(py, exception, self.close(py))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, site) = (slf.py(), slf.get());
        let settings = site.settings.to_dict(py)?;
        settings.set_item("reasons", site.reasons)?;
        settings.set_item("watch_drift", site.watches_drift)?;
        let restore = slf.get_type().getattr("_restore")?;
        (restore, (settings, site.to_bytes(py)?)).into_pyobject(py)
    }

    /// Reads a pickled site, into memory.
    #[classmethod]
    #[pyo3(signature = (settings, data, /))]
    fn _restore(
        class: &Bound<'_, PyType>,
        settings: &Bound<'_, PyDict>,
        data: &Bound<'_, PyBytes>,
    ) -> PyResult<Site> {
        Site::from_bytes(class, class.py(), data, Some(settings))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.pages(py) {
            Ok(pages) => format!("<unframe.Site of {pages} pages>"),
            Err(_) => "<unframe.Site closed>".into(),
        }
    }
}

/// A redesign as a dict.
pub fn drift<'py>(py: Python<'py>, drift: &Drift) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("site", &drift.site)?;
    dict.set_item("version", drift.version)?;
    dict.set_item("first", &drift.first)?;
    dict.set_item("since", drift.since)?;
    dict.set_item("pages", drift.pages)?;
    dict.set_item("fit", drift.fit)?;
    dict.set_item("former", drift.former)?;
    Ok(dict)
}
