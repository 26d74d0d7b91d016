//! Parses pages in batches, on all threads, and delivers them in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::prelude::*;
use unframe_dom::Limits;
use unframe_page::{Fingerprint, Page, content_fingerprint, page_identity};
use unframe_read::{Item, Pages, RawPage, SkipReason, Skipped};

use super::options::Progress;
use crate::template::page_url;

/// A batch is closed when it has this many pages …
pub(crate) const BATCH_PAGES: usize = 128;
/// … or this many bytes.
const BATCH_BYTES: usize = 4 << 20;
/// … or this many bytes with a single job, which has no work to distribute and reuses less memory
/// sooner.
const SINGLE_BATCH_BYTES: usize = 1 << 20;

/// A parsed page with the method's view of it.
pub(crate) struct Parsed<V> {
    /// The page's name, site and source; its bytes are in `page`.
    pub(crate) raw: RawPage,
    pub(crate) page: Page,
    pub(crate) view: V,
    pub(crate) identity: Fingerprint,
    pub(crate) content: Fingerprint,
}

/// Pages that are processed together, in input order.
pub(crate) type Batch<V> = Vec<Box<Parsed<V>>>;

/// A page that is not parsed yet.
pub(crate) struct Unparsed {
    /// The page, with its bytes.
    pub(crate) raw: RawPage,
    pub(crate) identity: Fingerprint,
    pub(crate) content: Fingerprint,
}

/// What became of an item of the input: a page, or nothing.
pub(crate) enum Outcome<P> {
    Page(P),
    Skipped(Skipped),
}

/// Collects the next batch, with the number of input sources read so far; `None` at the end.
fn next_batch(
    pages: &mut Pages,
    most_pages: usize,
    most_bytes: usize,
    progress: &Progress,
) -> Option<(Vec<Item>, usize)> {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while batch.len() < most_pages && bytes < most_bytes && !progress.is_stopped() {
        let Some(item) = pages.next() else {
            break;
        };
        if let Item::Page(page) = &item {
            bytes += page.body.len() + page.input.bytes();
        }
        batch.push(item);
    }
    progress.set_read(pages.bytes_read());
    (!batch.is_empty()).then(|| (batch, pages.sources_read()))
}

/// The threads of a run; none with a single job, which runs on the caller's thread.
pub(crate) struct Workers {
    pool: Option<rayon::ThreadPool>,
    /// One thread for work that uses rayon, in a run with a single job.
    single: OnceLock<Option<rayon::ThreadPool>>,
    /// Pages of a batch.
    batch_pages: usize,
}

/// The threads of a run could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {jobs} threads: {message}; try a smaller number of jobs")]
pub struct NoThreads {
    /// How many threads were requested.
    pub jobs: usize,
    /// The error of the system.
    pub message: String,
}

impl Workers {
    pub(crate) fn start(jobs: usize) -> Result<Workers, NoThreads> {
        let start = |jobs| rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = (jobs > 1).then(|| start(jobs)).transpose();
        Ok(Workers {
            pool: pool.map_err(|error| NoThreads {
                jobs,
                message: error.to_string(),
            })?,
            single: OnceLock::new(),
            batch_pages: BATCH_PAGES,
        })
    }

    /// With batches of so many pages at most.
    pub(crate) fn with_batches(self, batch_pages: usize) -> Workers {
        let batch_pages = batch_pages.max(1);
        Workers {
            batch_pages,
            ..self
        }
    }

    pub(crate) fn is_single(&self) -> bool {
        self.pool.is_none()
    }

    /// Runs work that uses rayon on the threads of this run instead of the global pool.
    pub(crate) fn run<B: Send>(&self, work: impl FnOnce() -> B + Send) -> B {
        let single = || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
            pool.ok()
        };
        let pool = match &self.pool {
            Some(pool) => Some(pool),
            None => self.single.get_or_init(single).as_ref(),
        };
        match pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Maps a batch on all threads, preserving the order.
    pub(crate) fn map<A: Send, B: Send>(
        &self,
        batch: Vec<A>,
        work: impl Fn(A) -> B + Send + Sync,
    ) -> Vec<B> {
        match &self.pool {
            None => batch.into_iter().map(work).collect(),
            Some(pool) => pool.install(|| batch.into_par_iter().map(work).collect()),
        }
    }
}

/// Reads and parses pages in batches. With more than one job, this runs ahead of `work`, which gets the
/// batches in order on the caller's thread, each with the number of input sources read so far.
pub(crate) fn each_batch<P: Send, E>(
    mut pages: Pages,
    workers: &Workers,
    progress: &Progress,
    parse: impl Fn(Item) -> Outcome<P> + Send + Sync,
    mut work: impl FnMut(Vec<Outcome<P>>, usize) -> Result<(), E>,
) -> Result<(), E> {
    let parse = |batch| workers.map(batch, &parse);
    let most = workers.batch_pages;
    if workers.is_single() {
        while let Some((batch, sources)) =
            next_batch(&mut pages, most, SINGLE_BATCH_BYTES, progress)
        {
            work(parse(batch), sources)?;
        }
        return Ok(());
    }
    std::thread::scope(|scope| {
        let raw = read_ahead(scope, pages, most, progress.clone());
        let (sender, parsed) = sync_channel(1);
        scope.spawn(move || {
            for (batch, sources) in raw {
                // The receiver is dropped if the run ends early.
                if sender.send((parse(batch), sources)).is_err() {
                    break;
                }
            }
        });
        for (outcomes, sources) in parsed {
            work(outcomes, sources)?;
        }
        Ok(())
    })
}

/// Parses one item and computes the method's view of it.
pub(crate) fn parse_item<V>(
    item: Item,
    limits: &Limits,
    view: impl FnOnce(&Page) -> V,
) -> Outcome<Box<Parsed<V>>> {
    match item {
        Item::Page(raw) => match Unparsed::of(raw).parse(limits, view) {
            Ok(parsed) => Outcome::Page(parsed),
            Err(skipped) => Outcome::Skipped(skipped),
        },
        Item::Skipped(skipped) => Outcome::Skipped(skipped),
    }
}

impl Unparsed {
    pub(crate) fn of(raw: RawPage) -> Unparsed {
        let (identity, content) = (identity(&raw), content_fingerprint(&raw.body));
        Unparsed {
            raw,
            identity,
            content,
        }
    }

    /// Parses the page and computes the method's view of it.
    pub(crate) fn parse<V>(
        self,
        limits: &Limits,
        view: impl FnOnce(&Page) -> V,
    ) -> Result<Box<Parsed<V>>, Skipped> {
        let Unparsed {
            mut raw,
            identity,
            content,
        } = self;
        let body = std::mem::take(&mut raw.body);
        // A panic of the parser on one page must not end the run.
        let parsed = catch_unwind(AssertUnwindSafe(|| {
            let page = Page::parse(body.into(), page_url(&raw), raw.charset.as_deref(), limits);
            let view = view(&page);
            (page, view)
        }));
        match parsed {
            Ok((page, view)) => Ok(Box::new(Parsed {
                raw,
                page,
                view,
                identity,
                content,
            })),
            Err(_) => Err(Skipped {
                name: raw.name,
                reason: SkipReason::Broken(
                    "the parser crashed on this page; please report it".into(),
                ),
            }),
        }
    }
}

/// The identity of a page: its URL, or its position in the input if it has none.
fn identity(raw: &RawPage) -> Fingerprint {
    match (&raw.url, &raw.path) {
        (Some(url), _) => page_identity(Some(url), &raw.name),
        (None, Some(path)) => match path.to_str() {
            Some(path) => page_identity(None, path),
            // Names that are not UTF-8 must remain distinct.
            None => {
                let bytes = path.as_os_str().as_encoded_bytes();
                page_identity(None, &bytes.escape_ascii().to_string())
            }
        },
        // `./pages.jsonl:7` is `pages.jsonl:7`.
        (None, None) => page_identity(None, raw.name.trim_start_matches("./")),
    }
}

/// Runs the reader on a separate thread, so that reading and decompression overlap with processing.
fn read_ahead<'scope>(
    scope: &'scope std::thread::Scope<'scope, '_>,
    mut pages: Pages,
    most_pages: usize,
    progress: Progress,
) -> Receiver<(Vec<Item>, usize)> {
    let (sender, receiver): (SyncSender<(Vec<Item>, usize)>, _) = sync_channel(2);
    scope.spawn(move || {
        while let Some(batch) = next_batch(&mut pages, most_pages, BATCH_BYTES, &progress) {
            // The receiver is dropped if the run ends early.
            if sender.send(batch).is_err() {
                break;
            }
        }
    });
    receiver
}
