//! Many pages of many sites, cleaned on all cores in two passes.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::thread::JoinHandle;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyString};
use unframe::batch::{Progress, Summary};
use unframe::read::{GivenPage, Inputs};

use crate::exchange::{Exchange, Given, Output, RunHandle, Step};
use crate::given::{self, ItemKeys};
use crate::keywords::Keywords;
use crate::page::Page;
use crate::process::Process;
use crate::run::{Owner, PageSink, Work};
use crate::run_args::RunArgs;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::work::{SIGNALS, crashed, detached, panic_message};
use crate::{error, html, values};

/// Pages that are taken from the user's iterator at a time.
const CHUNK_PAGES: usize = 32;
const CHUNK_BYTES: usize = 1 << 20;

/// Removes the frame from many pages of many sites, on all cores.
///
/// All pages are learned first, then each is cleaned with what is known of its whole site. Memory is bounded:
/// pages that do not fit are kept in a temporary file between the two passes (``TMPDIR``); files are read
/// twice instead. The result does not depend on the number of threads, and equals that of ``unframe clean``.
///
/// Args:
///     pages: ``(url, html)`` pairs, ``(url, html, dict)`` triples as :func:`unframe.read` gives them, or
///         dicts with ``url`` and ``html``; or a path, or a list of paths: folders, globs, HTML, JSON lines,
///         WARC, ARC and WACZ files, also compressed. Other keys of a dict are passed through as
///         ``page.input``; ``source``, ``site``, ``charset`` and ``date`` say more of the page.
///     site_from: what identifies a site: ``"host"`` (default), ``"domain"`` or ``"folder"``.
///     site: the name of the site of pages without a URL.
///     state: a file that keeps what is learned; it is created if missing, else continued.
///     learn: False cleans by what the state knows, in one pass, and changes nothing.
///     arrival: True cleans each page as it arrives, with what is known by then, in one pass. A page comes out
///         after the few that are worked on together or, with a state, after the next commit.
///     jobs: number of threads. Default: one per core.
///     memory: bytes of main memory for what is learned and for pages between the passes. Default: 400 MB.
///     render: the forms to render on the worker threads: ``"text"`` (default), ``"markdown"``, both, or
///         ``()``. All other forms are rendered when a page is asked for them.
///     reasons: complete evidence in ``page.regions``, as ``unframe clean --format jsonl`` has it. Slower.
///     url_field, html_field: other keys of dicts and JSON lines.
///     include, exclude: patterns of the pages to read, as in ``"*.html"``; only for paths.
///     follow_links: follow symbolic links in folders.
///     **settings: those of :func:`unframe.extract`: ``favor_precision``, ``favor_recall``,
///         ``include_comments``, ``protect``, ``remove_selector``, ``remove``, ``owner_marks``, ``method``.
///
/// Returns:
///     An iterator of :class:`unframe.Page`, in the order of the pages. It can be left at any time; what was
///     learned is committed then. At the end its ``summary`` says what was done. Input that is not a page is
///     logged to the logger ``unframe``.
///
/// >>> import unframe
/// >>> pages = [(f"https://a.example/{n}", f"<nav>Home, Shop, Contact</nav><p>Story number {n} of the week.")
/// ...          for n in range(10)]
/// >>> for page in unframe.clean_pages(pages):
/// ...     print(page.url, page.text.strip())
/// ...     break
/// https://a.example/0 Story number 0 of the week.
#[pyfunction]
#[pyo3(
    signature = (pages, **keywords),
    text_signature = "(pages, *, site_from='host', site=None, state=None, learn=True, arrival=False, jobs=None, memory=400000000, render=('text',), reasons=False, url_field='url', html_field='html', include=(), exclude=(), follow_links=False, **settings)"
)]
pub fn clean_pages<'py>(
    py: Python<'py>,
    pages: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<CleanedPages> {
    let mut keywords = Keywords::new("clean_pages", keywords)?;
    let state = keywords.path("state")?;
    let run = RunArgs::take(&mut keywords)?;
    let settings = Settings::take_for(&mut keywords, run.arrival)?;
    keywords.finish()?;
    let is_durable = state.is_some();
    let drift = is_durable || run.arrival;
    let crawl = Box::new(run.open(py, state, &settings)?);
    let crawl = Owner::Own { crawl, is_durable };
    CleanedPages::start(pages, run, settings, drift, crawl)
}

/// Paths, or the items of an iterable.
enum Source<'py> {
    Paths(Vec<OsString>),
    Items {
        first: Option<Bound<'py, PyAny>>,
        items: Bound<'py, PyIterator>,
    },
}

impl<'py> Source<'py> {
    fn of(pages: &Bound<'py, PyAny>) -> PyResult<Source<'py>> {
        if let Some(path) = path(pages)? {
            return Ok(Source::Paths(vec![path]));
        }
        let mut items = iterate(pages, || {
            let kind = pages.get_type().name()?;
            Ok(format!(
                "pages must be an iterable of (url, html), or a path, not {kind}"
            ))
        })?;
        if pages.is_instance_of::<PyBytes>() || pages.is_instance_of::<PyByteArray>() {
            return Err(PyTypeError::new_err(
                "pages must be an iterable of pages, not one page; write clean_pages([(url, html)]), or \
                 extract(html)",
            ));
        }
        if pages.is_instance_of::<PyDict>() {
            return Err(PyTypeError::new_err(
                "pages must be an iterable of pages, not one dict; write [page], or pages.items() for a dict \
                 of url: html",
            ));
        }
        let first = items.next().transpose()?;
        let Some(first_path) = first.as_ref().map(path).transpose()?.flatten() else {
            return Ok(Source::Items { first, items });
        };
        let mut paths = vec![first_path];
        for item in items {
            let item = item?;
            let Some(path) = path(&item)? else {
                let message = "pages must be all paths or all (url, html), not both";
                return Err(PyTypeError::new_err(message));
            };
            paths.push(path);
        }
        Ok(Source::Paths(paths))
    }
}

/// The iterator of an argument. What is not iterable gets our own message; other exceptions are the user's.
pub fn iterate<'py>(
    pages: &Bound<'py, PyAny>,
    message: impl FnOnce() -> PyResult<String>,
) -> PyResult<Bound<'py, PyIterator>> {
    let is_iterable = pages.hasattr("__iter__")? || pages.hasattr("__getitem__")?;
    match is_iterable {
        true => pages.try_iter(),
        false => Err(PyTypeError::new_err(message()?)),
    }
}

/// A text or a `pathlib.Path` names a file. Bytes do not: they look like a page.
fn path(value: &Bound<'_, PyAny>) -> PyResult<Option<OsString>> {
    let is_path = value.is_instance_of::<PyString>() || value.hasattr("__fspath__")?;
    if !is_path {
        return Ok(None);
    }
    if let Ok(text) = value.cast::<PyString>()
        && text
            .to_str()
            .is_ok_and(|text| text.trim_start().starts_with('<'))
    {
        return Err(error::argument(
            "this is a page, not a path; write clean_pages([(url, html)]), or extract(html)",
        ));
    }
    value.extract::<PathBuf>().map(|path| Some(path.into()))
}

/// The pages of a run, as they are cleaned. An iterator of :class:`unframe.Page`.
///
/// ``close()``, the end of a ``with`` block, or dropping it stops the run; what was learned is kept. One thread at a
/// time can take pages from it; any can close it.
#[pyclass(frozen, module = "unframe")]
pub struct CleanedPages {
    exchange: Arc<Exchange>,
    progress: Progress,
    process: Process,
    /// Never waited for: whoever finds it locked gets an error.
    taker: Mutex<Taker>,
    summary: OnceLock<Summary>,
}

/// What the caller of `__next__` works with.
struct Taker {
    thread: Option<JoinHandle<()>>,
    /// Pages that were taken from the run.
    taken: VecDeque<Output>,
    items: Option<Items>,
    /// What the user's iterator has raised. The pages before it are learned first.
    failed: Option<PyErr>,
    arrival: bool,
    shared: Option<Arc<Shared>>,
}

/// The user's iterator.
struct Items {
    first: Option<Py<PyAny>>,
    items: Py<PyIterator>,
    keys: ItemKeys,
    /// How many pages are taken at a time.
    chunk: usize,
}

impl CleanedPages {
    /// Starts a run on a thread of its own.
    pub fn start(
        pages: &Bound<'_, PyAny>,
        run: RunArgs,
        settings: Settings,
        drift: bool,
        owner: Owner,
    ) -> PyResult<CleanedPages> {
        let progress = Progress::default();
        let options = run.options(&settings, owner.is_durable(), drift, &progress);
        // A page at arrival must not wait for many others.
        let most_pages = match run.arrival {
            true => options.batch_pages,
            false => usize::MAX,
        };
        let exchange = Arc::new(Exchange::new(most_pages));
        let keys = ItemKeys {
            url: run.read.url_field.clone(),
            html: run.read.html_field.clone(),
        };
        let shared = match &owner {
            Owner::Own { .. } => None,
            Owner::Shared(shared) => {
                let handle = RunHandle::new(&progress, &exchange);
                shared.begin_run(pages.py(), handle)?;
                Some(Arc::clone(shared))
            }
        };
        let source = Source::of(pages).inspect_err(|_| {
            if let Some(shared) = &shared {
                shared.end_run();
            }
        });
        let (inputs, items) = match source? {
            Source::Paths(paths) => {
                exchange.give_no_more();
                let opened = detached(pages.py(), || Inputs::open(&paths, run.read))?;
                let inputs = opened.map_err(error::input)?;
                (inputs, None)
            }
            Source::Items { first, items } => {
                let given = Given::new(Arc::clone(&exchange), progress.clone());
                let items = Items {
                    first: first.map(Bound::unbind),
                    items: items.unbind(),
                    keys,
                    chunk: CHUNK_PAGES.min(most_pages),
                };
                (Inputs::of_pages(given, run.read), Some(items))
            }
        };
        let work = Work {
            inputs,
            options,
            spec: settings.spec,
            sink: PageSink {
                exchange: Arc::clone(&exchange),
                ahead: run.ahead,
            },
        };
        let to = Arc::clone(&exchange);
        let body = move || {
            let done = catch_unwind(AssertUnwindSafe(|| work.run(owner)));
            to.end(done.map_err(|panic| panic_message(&*panic)));
        };
        let thread = std::thread::Builder::new()
            .name("unframe".into())
            .spawn(body);
        let thread = thread.map_err(|cause| {
            if let Some(shared) = &shared {
                shared.end_run();
            }
            error::new("Error", format!("cannot start a thread: {cause}"))
        })?;
        Ok(CleanedPages {
            exchange,
            progress,
            process: Process::this(),
            taker: Mutex::new(Taker {
                thread: Some(thread),
                taken: VecDeque::new(),
                items,
                failed: None,
                arrival: run.arrival,
                shared,
            }),
            summary: OnceLock::new(),
        })
    }

    /// The next page; none at the end.
    fn next(&self, py: Python<'_>, taker: &mut Taker) -> PyResult<Option<Page>> {
        loop {
            match taker.taken.pop_front() {
                Some(Output::Page(page)) => return Ok(Some(*page)),
                Some(Output::Skipped { message, lost }) => {
                    log_skipped(py, &message, lost)?;
                    continue;
                }
                None => {}
            }
            if taker.thread.is_none() {
                return Ok(None);
            }
            let exchange = &self.exchange;
            match py.detach(|| exchange.step(SIGNALS)) {
                Step::Take(pages) => taker.taken = pages,
                Step::Give => taker.give(py, exchange),
                Step::Wait => {}
                Step::End(ended) => {
                    taker.end(py);
                    if let Some(error) = taker.failed.take() {
                        return Err(error);
                    }
                    return match *ended {
                        // Whoever has stopped it knows why.
                        Ok(Ok(summary)) if summary.interrupted => Ok(None),
                        Ok(Ok(summary)) => {
                            let _ = self.summary.set(summary);
                            Ok(None)
                        }
                        Ok(Err(error)) => Err(error::run(error)),
                        Err(panic) => Err(crashed(&panic)),
                    };
                }
            }
            // What was learned is kept, whatever a signal handler raises.
            if let Err(signal) = py.check_signals() {
                self.stop();
                taker.end(py);
                return Err(signal);
            }
        }
    }

    /// Asks the run to end. What it has learned is kept.
    fn stop(&self) {
        self.progress.stop();
        self.exchange.stop();
    }
}

impl Taker {
    /// Gives pages of the user's iterator to the run.
    fn give(&mut self, py: Python<'_>, exchange: &Exchange) {
        let mut chunk = Vec::new();
        let taken = match &mut self.items {
            Some(items) => items.take(py, &mut chunk),
            None => Ok(false),
        };
        exchange.give(chunk);
        match taken {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => self.failed = Some(error),
        }
        self.items = None;
        match self.failed {
            // Pages that are cleaned at arrival come out before the exception.
            Some(_) if !self.arrival => exchange.give_no_more_and_only_learn(),
            _ => exchange.give_no_more(),
        }
    }

    /// Lets go of the user's iterator, and waits for the thread of the run.
    fn end(&mut self, py: Python<'_>) {
        self.items = None;
        py.detach(|| self.join());
    }

    /// Waits for the thread of the run.
    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
            if let Some(shared) = &self.shared {
                shared.end_run();
            }
        }
        self.taken.clear();
    }
}

impl Items {
    /// Takes pages of the user's iterator. Returns false at its end.
    fn take(&mut self, py: Python<'_>, chunk: &mut Vec<GivenPage>) -> PyResult<bool> {
        let mut bytes = 0;
        while chunk.len() < self.chunk && bytes < CHUNK_BYTES {
            let page = match self.first.take() {
                Some(first) => given::first_page(first.bind(py), &self.keys)?,
                None => match self.items.bind(py).clone().next() {
                    Some(item) => given::page(&item?, &self.keys)?,
                    None => return Ok(false),
                },
            };
            bytes += page.body.len();
            chunk.push(page);
        }
        Ok(true)
    }
}

#[pymethods]
impl CleanedPages {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Page>> {
        if !self.process.is_this() {
            return Err(error::new(
                "ForkedError",
                "these pages are being cleaned by the parent process; call clean_pages here",
            ));
        }
        match self.taker.try_lock() {
            Ok(mut taker) => self.next(py, &mut taker),
            Err(TryLockError::Poisoned(taker)) => self.next(py, &mut taker.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::new(
                "Error",
                "this iterator of cleaned pages is in use: by another thread, or by the pages that it was given; \
                 give each its own",
            )),
        }
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    /// Stops the run. What was learned is kept.
    fn close(&self, py: Python<'_>) {
        // In a forked child there is no run, and a lock may be held for ever.
        if !self.process.is_this() {
            return;
        }
        self.stop();
        // Another thread that takes pages now will find the end.
        if let Ok(mut taker) = self.taker.try_lock() {
            taker.end(py);
        }
    }

    /// What was done, as a dict, once the last page was taken; else None.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let summary = self.summary.get();
        summary.map(|found| summary_dict(py, found)).transpose()
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        if let Ok(taker) = self.taker.try_lock()
            && let Some(items) = &taker.items
        {
            visit.call(&items.first)?;
            visit.call(&items.items)?;
        }
        Ok(())
    }

    fn __clear__(&self) {
        let items = self.taker.try_lock().ok().and_then(|mut t| t.items.take());
        drop(items);
    }

    fn __repr__(&self) -> String {
        let pages = self.progress.pages();
        format!("<unframe.CleanedPages {pages} pages so far>")
    }
}

impl Drop for CleanedPages {
    fn drop(&mut self) {
        let taker = self.taker.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.process.is_this() {
            self.progress.stop();
            self.exchange.stop();
            taker.items = None;
            // The run may read from a pipe that another thread of this process writes to.
            if Python::try_attach(|py| py.detach(|| taker.join())).is_none() {
                taker.join();
            }
        } else if let Some(thread) = taker.thread.take() {
            // It does not exist in a forked child.
            std::mem::forget(thread);
        }
    }
}

/// Logs a message about an input.
pub fn log_skipped(py: Python<'_>, message: &str, lost: bool) -> PyResult<()> {
    let logger = py
        .import("logging")?
        .call_method1("getLogger", ("unframe",))?;
    let level = if lost { "warning" } else { "info" };
    logger.call_method1(level, ("%s", message))?;
    Ok(())
}

/// The summary of a run as a dict.
fn summary_dict<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("pages", summary.pages)?;
    dict.set_item("sites", summary.sites)?;
    dict.set_item("bytes", summary.bytes)?;
    dict.set_item("new", summary.new)?;
    dict.set_item("changed", summary.changed)?;
    dict.set_item("unchanged", summary.unchanged)?;
    dict.set_item("template_share", summary.template_share())?;
    dict.set_item("skipped", values::object(py, &summary.skipped)?)?;
    dict.set_item("failures", summary.failures)?;
    dict.set_item("flags", values::object(py, &summary.flags)?)?;
    let drift: Vec<_> = summary
        .drift
        .iter()
        .map(|d| crate::site::drift(py, d))
        .collect::<PyResult<_>>()?;
    dict.set_item("drift", drift)?;
    dict.set_item("seconds", summary.elapsed.as_secs_f64())?;
    Ok(dict)
}

/// The URL, if one was given.
pub fn optional_url(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let value = value.filter(|value| !value.is_none());
    let url = value.map(|value| html::text(value, "url")).transpose()?;
    if let Some(url) = &url {
        html::refuse_page(url, "url")?;
    }
    Ok(url.filter(|url| !url.trim().is_empty()))
}

/// Another text, if one was given.
pub fn optional_text(value: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<String>> {
    let value = value.filter(|value| !value.is_none());
    value.map(|value| html::text(value, name)).transpose()
}
