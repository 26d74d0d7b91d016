//! The readers: pages of files, one after another.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use unframe::read::{Inputs, Item, Pages, RawPage};

use crate::clean_pages::log_skipped;
use crate::keywords::Keywords;
use crate::process::Process;
use crate::run_args::read_options;
use crate::table::{RawPages, Table};
use crate::work::detached;
use crate::{error, values};

/// Arrow counts the bytes of a column with 31 bits; the last page of a table may have 50 MB.
const MOST_TABLE_BYTES: usize = 1 << 30;

/// Reads the pages of files: an iterator of ``(url, html, about)``.
///
/// ``html`` is the page as bytes in its own charset, decompressed; ``url`` may be None. ``about`` is a dict with
/// ``source`` (the page's name: a path, or a position in an archive), ``site``, and, as far as they are known,
/// ``charset``, ``date``, ``record_id``, ``truncated``, and ``input``: the header of the archive record, or the
/// other fields of the JSON line. :func:`unframe.clean_pages` takes such triples.
///
/// Nothing that is not a page is an error: it is counted in ``reader.skipped`` and logged to the logger
/// ``unframe``, and reading goes on after damaged parts.
///
/// Args:
///     paths: a path, or a list of paths: folders, globs, HTML, JSON lines, WARC, ARC and WACZ files; gzip or
///         zstd.
///     site_from: what identifies a site: ``"host"`` (default), ``"domain"`` or ``"folder"``.
///     site: the name of the site of pages without a URL.
///     url_field, html_field: names of the fields of JSON lines.
///     include, exclude: patterns of the pages to read, as in ``"*.html"``.
///     follow_links: follow symbolic links in folders.
///
/// >>> import pathlib, tempfile, unframe
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> _ = (folder / "tea.html").write_bytes(b"<p>Steep it for two minutes.")
/// >>> for url, html, about in unframe.read(folder):
/// ...     print(url, html)
/// None b'<p>Steep it for two minutes.'
#[pyfunction]
#[pyo3(
    signature = (paths, **keywords),
    text_signature = "(paths, *, site_from='host', site=None, url_field='url', html_field='html', include=(), exclude=(), follow_links=False)"
)]
pub fn read(
    py: Python<'_>,
    paths: &Bound<'_, PyAny>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Reader> {
    let mut keywords = Keywords::new("read", keywords)?;
    let options = read_options(&mut keywords)?;
    keywords.finish()?;
    let is_one = paths.is_instance_of::<PyString>() || paths.hasattr("__fspath__")?;
    let paths: Vec<PathBuf> = match is_one {
        true => vec![paths.extract()?],
        false => paths.extract()?,
    };
    let paths: Vec<OsString> = paths.into_iter().map(PathBuf::into_os_string).collect();
    let opened = detached(py, || Inputs::open(&paths, options))?;
    let mut inputs = opened.map_err(error::input)?;
    let pages = inputs.read(false).map_err(error::input)?;
    Ok(Reader {
        pages: Mutex::new(Some(pages)),
        skipped: Default::default(),
        process: Process::this(),
    })
}

/// The pages of files. An iterator of ``(url, html, about)``.
#[pyclass(frozen, module = "unframe")]
pub struct Reader {
    /// Never waited for: whoever finds it locked gets an error.
    pages: Mutex<Option<Pages>>,
    skipped: Mutex<BTreeMap<&'static str, u64>>,
    process: Process,
}

#[pymethods]
impl Reader {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let mut open = self.lock()?;
        let page = self.next_page(py, &mut open)?;
        page.map(|page| triple(py, page)).transpose()
    }

    /// The next pages as a table, or None if there are no more. For Spark and other engines that pass tables on.
    ///
    /// Its columns are ``url``, ``html``, ``date``, ``record_id``, ``charset``, ``source``, ``site`` and ``damage``
    /// (a list of ``truncated``, ``undecodable`` and ``digest-mismatch``), which :func:`unframe.clean_table` takes.
    ///
    /// Args:
    ///     bytes: a table is complete when its pages have this many bytes.
    #[pyo3(signature = (*, bytes=33554432))]
    fn next_table(&self, py: Python<'_>, bytes: usize) -> PyResult<Option<Table>> {
        let mut open = self.lock()?;
        let mut rows = RawPages::default();
        while rows.bytes() < bytes.clamp(1, MOST_TABLE_BYTES)
            && let Some(page) = self.next_page(py, &mut open)?
        {
            rows.push(&page);
        }
        Ok((!rows.is_empty()).then(|| rows.finish()))
    }

    /// What was skipped so far, by reason: ``{'not-html': 3}``.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = self.counts().clone();
        values::object(py, &counts)
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// Closes the files.
    fn close(&self) {
        if let Ok(mut open) = self.pages.try_lock() {
            *open = None;
        }
    }
}

impl Reader {
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Pages>>> {
        if !self.process.is_this() {
            return Err(error::new(
                "ForkedError",
                "the parent process is reading these files; call read here",
            ));
        }
        self.pages
            .try_lock()
            .map_err(|_| error::new("Error", "another thread is taking pages from this reader"))
    }

    /// The next page; none at the end, which closes the files.
    fn next_page(&self, py: Python<'_>, open: &mut Option<Pages>) -> PyResult<Option<RawPage>> {
        loop {
            let Some(pages) = open else {
                return Ok(None);
            };
            match detached(py, || pages.next())? {
                None => {
                    *open = None;
                    return Ok(None);
                }
                Some(Item::Page(page)) => return Ok(Some(page)),
                Some(Item::Skipped(skipped)) => {
                    *self.counts().entry(skipped.reason.kind()).or_default() += 1;
                    log_skipped(py, &skipped.to_string(), skipped.reason.is_failure())?;
                    py.check_signals()?;
                }
            }
        }
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        self.skipped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn triple<'py>(py: Python<'py>, page: RawPage) -> PyResult<Bound<'py, PyTuple>> {
    let about = PyDict::new(py);
    about.set_item("source", &page.name)?;
    about.set_item("site", &page.site)?;
    let texts = [
        ("charset", &page.charset),
        ("date", &page.date),
        ("record_id", &page.record_id),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            about.set_item(name, text)?;
        }
    }
    if page.truncated {
        about.set_item("truncated", true)?;
    }
    if let Some(json) = page.input.json() {
        about.set_item("input", values::loads(py, json)?)?;
    }
    (page.url, PyBytes::new(py, &page.body), about).into_pyobject(py)
}
