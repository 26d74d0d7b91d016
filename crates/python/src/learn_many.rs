//! Learning many pages: viewed in parallel, learned in their order.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use unframe::read::GivenPage;
use unframe::{ViewedPage, Viewer};

use crate::clean_pages::iterate;
use crate::error;
use crate::given::{self, ItemKeys};
use crate::keywords::count;
use crate::work::detached;

/// Pages that are viewed at a time, on all threads.
const CHUNK_PAGES: usize = 128;
const CHUNK_BYTES: usize = 4 << 20;

/// A page that was viewed, and what was given.
pub struct GivenView {
    pub given: GivenPage,
    pub viewed: ViewedPage,
}

/// Views the pages of an iterable and passes them to `learn`, chunk by chunk, which returns how many were new
/// or changed. If the iterable raises an exception, the pages before it are learned.
pub fn learn_many(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    jobs: Option<&Bound<'_, PyAny>>,
    viewer: &Viewer,
    mut learn: impl FnMut(Vec<GivenView>) -> PyResult<u64>,
) -> PyResult<u64> {
    let keys = ItemKeys {
        url: "url".into(),
        html: "html".into(),
    };
    let jobs = jobs.filter(|jobs| !jobs.is_none());
    let jobs = jobs.map(|jobs| count(jobs, "jobs")).transpose()?;
    // One pool for each call: after a fork, the threads of a global one would be missing.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .build();
    let pool = pool.map_err(|cause| error::argument(format!("cannot start threads: {cause}")))?;
    let is_path = pages.is_instance_of::<pyo3::types::PyString>() || pages.hasattr("__fspath__")?;
    let message = "pages must be an iterable of (url, html) pairs or dicts; unframe.read(path) gives those of files";
    if is_path {
        return Err(PyTypeError::new_err(message));
    }
    let mut items = iterate(pages, || Ok(message.into()))?;
    let mut learned = 0;
    loop {
        let (mut chunk, mut bytes) = (Vec::new(), 0);
        let mut failed = None;
        while chunk.len() < CHUNK_PAGES && bytes < CHUNK_BYTES {
            match items.next().map(|item| given::page(&item?, &keys)) {
                None => break,
                Some(Ok(page)) => {
                    bytes += page.body.len();
                    chunk.push(page);
                }
                Some(Err(error)) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        let is_last = chunk.is_empty();
        if !is_last {
            let view = |given: GivenPage| GivenView {
                viewed: viewer.view(
                    &name_of(&given),
                    given.body.clone(),
                    given.charset.as_deref(),
                ),
                given,
            };
            let viewed = detached(py, || {
                pool.install(|| chunk.into_par_iter().map(view).collect::<Vec<_>>())
            })?;
            learned += learn(viewed)?;
        }
        match failed {
            Some(error) => return Err(error),
            None if is_last => return Ok(learned),
            None => py.check_signals()?,
        }
    }
}

/// What a page is known by: its URL or, without one, its bytes.
pub fn name_of(page: &GivenPage) -> String {
    page.url.clone().unwrap_or_else(|| unnamed(&page.body))
}

/// What a page without a URL is known by.
pub fn unnamed(html: &[u8]) -> String {
    let content = unframe::page::content_fingerprint(html);
    format!("page-{:032x}", content.0)
}
