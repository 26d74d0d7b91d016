//! Many pages of many sites, cleaned on all cores in two passes.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyString};
use unframe::batch::{BoxError, CleanOptions, MemoryShares, Progress, Sink, Summary};
use unframe::errors::{CleanError, SurveyError};
use unframe::methods::{Clustering, MethodSpec};
use unframe::read::{Inputs, PageFilter, RawPage, ReadOptions, SiteFrom, Skipped};
use unframe::survey::mdl::MdlParams;
use unframe::survey::{ClusterBy, IMatchParams, MinMaxParams, Survey, SurveyOptions, survey};
use unframe::{CleanPage, Crawl};

use crate::crawl::Shared;
use crate::error;
use crate::exchange::{Ended, Exchange, Given, Output, Step};
use crate::given::{self, ItemKeys};
use crate::keywords::Keywords;
use crate::page::{Ahead, Page, PageOrigin};
use crate::process::Process;
use crate::settings::Settings;
use crate::work::{SIGNALS, crashed, detached, panic_message};
use crate::{html, values};

/// Pages that are taken from the user's iterator at a time.
const CHUNK_PAGES: usize = 32;
const CHUNK_BYTES: usize = 1 << 20;

/// Main memory of a run, as for the command line.
const MEMORY: u64 = 400_000_000;

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
///     arrival: True cleans each page as it arrives, with what is known by then, in one pass.
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
    let state = keywords.take("state")?;
    let state = state.map(|path| path.extract::<PathBuf>()).transpose()?;
    let run = RunArgs::take(&mut keywords)?;
    let settings = Settings::take_for(&mut keywords, run.arrival)?;
    keywords.finish()?;
    let drift = state.is_some() || run.arrival;
    let crawl = run.open(py, state, &settings)?;
    let crawl = Owner::Own(Box::new(crawl));
    CleanedPages::start(pages, run, settings, drift, crawl)
}

/// How a run reads and works.
pub struct RunArgs {
    pub read: ReadOptions,
    pub learn: bool,
    pub arrival: bool,
    pub jobs: Option<usize>,
    pub memory: MemoryShares,
    pub ahead: Ahead,
    /// Whether regions are to have complete reasons.
    pub reasons: bool,
}

impl RunArgs {
    pub fn take(keywords: &mut Keywords<'_>) -> PyResult<RunArgs> {
        let read = read_options(keywords)?;
        let memory = match keywords.take("memory")? {
            None => MEMORY,
            Some(value) => value.extract::<u64>().map_err(|_| {
                PyTypeError::new_err("memory must be a number of bytes, as in 400_000_000")
            })?,
        };
        let render = keywords.texts("render")?;
        let mut ahead = Ahead::default();
        for form in render.unwrap_or_else(|| vec!["text".into()]) {
            match &*form {
                "text" => ahead.text = true,
                "markdown" => ahead.markdown = true,
                other => {
                    return Err(error::argument(format!(
                        "render must be 'text', 'markdown', both or (), not '{other}'"
                    )));
                }
            }
        }
        let learn = keywords.flag("learn", true)?;
        let arrival = keywords.flag("arrival", false)?;
        if arrival && !learn {
            return Err(error::argument(
                "arrival=True learns each page as it arrives, but learn=False learns nothing; leave out one",
            ));
        }
        Ok(RunArgs {
            read,
            learn,
            arrival,
            jobs: keywords.count("jobs")?,
            memory: MemoryShares::of(memory),
            ahead,
            reasons: keywords.flag("reasons", false)?,
        })
    }

    /// The sites of the run: those of a state, or new ones.
    pub fn open(
        &self,
        py: Python<'_>,
        state: Option<PathBuf>,
        settings: &Settings,
    ) -> PyResult<Crawl> {
        let (spec, room) = (&settings.spec, self.memory.sites);
        let crawl = match (state, self.learn) {
            (None, false) => {
                return Err(error::argument(
                    "learn=False needs something that was learned before; name it with state=",
                ));
            }
            (None, true) => detached(py, || Crawl::temporary(spec, room))?,
            (Some(path), true) => detached(py, || Crawl::open(path, spec, room))?,
            (Some(path), false) => detached(py, || Crawl::open_read_only(path, spec, room))?,
        };
        crawl.map_err(error::state)
    }

    /// The options of the run. `drift` is watched as the command line does.
    pub fn options(&self, settings: &Settings, drift: bool, progress: &Progress) -> CleanOptions {
        let mut options = CleanOptions::default();
        options.jobs = self.jobs.unwrap_or(options.jobs);
        options.arrival = self.arrival;
        options.learn = self.learn;
        options.keep_bytes = self.memory.pages;
        options.overrides = settings.overrides.clone();
        options.drift = drift && self.learn;
        options.full_reasons = self.reasons;
        options.progress = progress.clone();
        options
    }
}

/// The keywords of readers.
pub fn read_options(keywords: &mut Keywords<'_>) -> PyResult<ReadOptions> {
    let mut options = ReadOptions::default();
    if let Some(from) = keywords.text("site_from")? {
        let parsed = from.parse::<SiteFrom>();
        options.site_from = parsed.map_err(|error| error::argument(error.to_string()))?;
    }
    options.site = keywords.text("site")?;
    if let Some(field) = keywords.text("url_field")? {
        options.url_field = field;
    }
    if let Some(field) = keywords.text("html_field")? {
        options.html_field = field;
    }
    options.follow_links = keywords.flag("follow_links", false)?;
    let include = keywords.texts("include")?.unwrap_or_default();
    let exclude = keywords.texts("exclude")?.unwrap_or_default();
    let filter = PageFilter::new(&include, &exclude);
    options.filter = filter.map_err(|error| error::argument(error.to_string()))?;
    Ok(options)
}

/// Whose sites a run learns.
pub enum Owner {
    Own(Box<Crawl>),
    Shared(Arc<Shared>),
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
        let Ok(mut items) = pages.try_iter() else {
            let kind = pages.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "pages must be an iterable of (url, html), or a path, not {kind}"
            )));
        };
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
/// time can take pages from it.
#[pyclass(module = "unframe")]
pub struct CleanedPages {
    exchange: Arc<Exchange>,
    progress: Progress,
    thread: Option<JoinHandle<()>>,
    process: Process,
    /// Pages that were taken from the run.
    taken: VecDeque<Output>,
    items: Option<Items>,
    summary: Option<Summary>,
    shared: Option<Arc<Shared>>,
}

/// The user's iterator.
struct Items {
    first: Option<Py<PyAny>>,
    items: Py<PyIterator>,
    keys: ItemKeys,
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
        let exchange = Arc::new(Exchange::default());
        let progress = Progress::default();
        let options = run.options(&settings, drift, &progress);
        let keys = ItemKeys {
            url: run.read.url_field.clone(),
            html: run.read.html_field.clone(),
        };
        let (inputs, items) = match Source::of(pages)? {
            Source::Paths(paths) => {
                exchange.give_no_more();
                let inputs = Inputs::open(&paths, run.read).map_err(error::input)?;
                (inputs, None)
            }
            Source::Items { first, items } => {
                let given = Given::new(Arc::clone(&exchange));
                let items = Items {
                    first: first.map(Bound::unbind),
                    items: items.unbind(),
                    keys,
                };
                (Inputs::of_pages(given, run.read), Some(items))
            }
        };
        let shared = match &owner {
            Owner::Own(_) => None,
            Owner::Shared(shared) => {
                shared.begin_run()?;
                Some(Arc::clone(shared))
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
            thread: Some(thread),
            process: Process::this(),
            taken: VecDeque::new(),
            items,
            summary: None,
            shared,
        })
    }

    /// Gives pages of the user's iterator to the run.
    fn give(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(items) = &mut self.items else {
            self.exchange.give_no_more();
            return Ok(());
        };
        let (mut chunk, mut bytes) = (Vec::new(), 0);
        let mut ended = false;
        while chunk.len() < CHUNK_PAGES && bytes < CHUNK_BYTES {
            let item = match items.first.take() {
                Some(first) => Some(first.into_bound(py)),
                None => items.items.bind(py).clone().next().transpose()?,
            };
            let Some(item) = item else {
                ended = true;
                break;
            };
            let page = given::page(&item, &items.keys)?;
            bytes += page.body.len();
            chunk.push(page);
        }
        self.exchange.give(chunk);
        if ended {
            self.items = None;
            self.exchange.give_no_more();
        }
        Ok(())
    }

    /// Ends the run and waits until what it has learned is kept.
    fn finish(&mut self) {
        self.progress.stop();
        self.exchange.stop();
        self.items = None;
        self.taken.clear();
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // It does not exist in a forked child.
            if self.process.is_this() {
                let _ = thread.join();
                if let Some(shared) = &self.shared {
                    shared.end_run();
                }
            } else {
                std::mem::forget(thread);
            }
        }
    }

    fn check_process(&self) -> PyResult<()> {
        match self.process.is_this() {
            true => Ok(()),
            false => Err(error::new(
                "ForkedError",
                "these pages are being cleaned by the parent process; call clean_pages here",
            )),
        }
    }
}

/// Everything that the thread of a run needs.
struct Work {
    inputs: Inputs,
    options: CleanOptions,
    spec: MethodSpec,
    sink: PageSink,
}

impl Work {
    fn run(mut self, owner: Owner) -> Result<Summary, CleanError> {
        if let Some(found) = self.survey()? {
            self.options.survey = Some(Arc::new(found));
        }
        let Work {
            mut inputs,
            options,
            mut sink,
            ..
        } = self;
        match owner {
            Owner::Own(mut crawl) => crawl.clean_all(&mut inputs, &options, &mut sink),
            Owner::Shared(shared) => {
                let mut crawl = shared.lock();
                match crawl.as_mut() {
                    Some(crawl) => crawl.clean_all(&mut inputs, &options, &mut sink),
                    None => Ok(Summary::default()),
                }
            }
        }
    }

    /// The survey that the method asks for, if it does.
    fn survey(&mut self) -> Result<Option<Survey>, CleanError> {
        let options = SurveyOptions {
            duplicates: self.spec.dedup.then(IMatchParams::default),
            clusters: match self.spec.cluster {
                Clustering::None => None,
                Clustering::Minmax => Some(ClusterBy::MinMax(MinMaxParams::default())),
                Clustering::Mdl => Some(ClusterBy::Mdl(MdlParams::default())),
            },
            jobs: self.options.jobs,
            keep_bytes: self.options.keep_bytes,
            progress: self.options.progress.clone(),
            ..SurveyOptions::default()
        };
        if options.duplicates.is_none() && options.clusters.is_none() {
            return Ok(None);
        }
        match survey(&mut self.inputs, &options) {
            Ok(found) => Ok(Some(found)),
            Err(SurveyError::Input(error)) => Err(error.into()),
            Err(error) => Err(CleanError::Output(error.into())),
        }
    }
}

/// Hands the pages of a run to the caller.
struct PageSink {
    exchange: Arc<Exchange>,
    ahead: Ahead,
}

impl Sink for PageSink {
    type Output = Box<Page>;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> Box<Page> {
        let page = Page::new(page.clone(), PageOrigin::of(raw));
        page.render(self.ahead);
        Box::new(page)
    }

    fn write(&mut self, page: Box<Page>) -> Result<(), BoxError> {
        self.exchange.put(Output::Page(page));
        Ok(())
    }

    fn skipped(&mut self, skipped: &Skipped) {
        self.exchange.put(Output::Skipped {
            message: skipped.to_string(),
            lost: skipped.reason.is_failure(),
        });
    }
}

impl PageOrigin {
    pub fn of(raw: &RawPage) -> PageOrigin {
        PageOrigin {
            url: raw.url.clone(),
            source: raw.name.clone(),
            site: raw.site.clone(),
            input: raw.input.clone(),
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

#[pymethods]
impl CleanedPages {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Page>> {
        self.check_process()?;
        loop {
            match self.taken.pop_front() {
                Some(Output::Page(page)) => return Ok(Some(*page)),
                Some(Output::Skipped { message, lost }) => {
                    log_skipped(py, &message, lost)?;
                    continue;
                }
                None => {}
            }
            if self.thread.is_none() {
                return Ok(None);
            }
            let exchange = Arc::clone(&self.exchange);
            let done = match py.detach(move || exchange.step(SIGNALS)) {
                Step::Take(pages) => {
                    self.taken = pages;
                    Ok(())
                }
                Step::Give => self.give(py),
                Step::Wait => Ok(()),
                Step::End(ended) => {
                    py.detach(|| self.join());
                    return self.end(*ended).map(|()| None);
                }
            };
            // What was learned is kept, whatever the user's iterator or a signal handler raises.
            if let Err(error) = done.and_then(|()| py.check_signals()) {
                py.detach(|| self.finish());
                return Err(error);
            }
        }
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    /// Stops the run. What was learned is kept.
    fn close(&mut self, py: Python<'_>) {
        py.detach(|| self.finish());
    }

    /// What was done, as a dict, once the last page was taken; else None.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.summary.as_ref().map(|s| summary(py, s)).transpose()
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        if let Some(items) = &self.items {
            visit.call(&items.items)?;
        }
        Ok(())
    }

    fn __clear__(&mut self) {
        self.items = None;
    }

    fn __repr__(&self) -> String {
        let pages = self.progress.pages();
        format!("<unframe.CleanedPages {pages} pages so far>")
    }
}

impl CleanedPages {
    fn end(&mut self, ended: Ended) -> PyResult<()> {
        match ended {
            Ok(Ok(summary)) => {
                self.summary = Some(summary);
                Ok(())
            }
            Ok(Err(error)) => Err(error::run(error)),
            Err(panic) => Err(crashed(&panic)),
        }
    }
}

impl Drop for CleanedPages {
    fn drop(&mut self) {
        // The threads of the run never attach to the interpreter, so waiting for them is safe.
        self.finish();
    }
}

/// The summary of a run as a dict.
fn summary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
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
    value.map(|value| html::url(value, "url")).transpose()
}

/// Another text, if one was given.
pub fn optional_text(value: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<String>> {
    let value = value.filter(|value| !value.is_none());
    value.map(|value| html::text(value, name)).transpose()
}
