//! Pages between reader and method: parsed in batches, on all threads, in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::prelude::*;
use unframe_dom::Limits;
use unframe_methods::Method;
use unframe_page::{Fingerprint, Page, content_fingerprint, page_identity};
use unframe_read::{Item, Pages, RawPage, SkipReason, Skipped};

use crate::options::Progress;

/// A batch is closed when it has this many pages …
const BATCH_PAGES: usize = 128;
/// … or this many bytes.
const BATCH_BYTES: usize = 4 << 20;

/// A page, parsed, with what the method needs of it.
pub(crate) struct Parsed<V> {
    /// The page's name, site and place; its bytes are in `page`.
    pub(crate) raw: RawPage,
    pub(crate) page: Page,
    pub(crate) view: V,
    pub(crate) identity: Fingerprint,
    pub(crate) content: Fingerprint,
}

/// Pages on their way together, in the order of the input.
pub(crate) type Batch<V> = Vec<Box<Parsed<V>>>;

pub(crate) enum Outcome<V> {
    Parsed(Box<Parsed<V>>),
    Skipped(Skipped),
}

/// Collects the next batch; `None` at the end.
pub(crate) fn next_batch(pages: &mut Pages, progress: &Progress) -> Option<Vec<Item>> {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while batch.len() < BATCH_PAGES && bytes < BATCH_BYTES && !progress.is_stopped() {
        let Some(item) = pages.next() else {
            break;
        };
        if let Item::Page(page) = &item {
            bytes += page.body.len();
        }
        batch.push(item);
    }
    progress.set_read(pages.bytes_read());
    (!batch.is_empty()).then_some(batch)
}

/// The threads of a run; none if it has one job, which then works on the caller's own.
pub(crate) struct Workers(Option<rayon::ThreadPool>);

impl Workers {
    pub(crate) fn start(jobs: usize) -> Result<Workers, rayon::ThreadPoolBuildError> {
        let pool = (jobs > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(jobs).build());
        pool.transpose().map(Workers)
    }

    pub(crate) fn is_single(&self) -> bool {
        self.0.is_none()
    }

    /// Maps a batch on all threads; the order stays.
    pub(crate) fn map<A: Send, B: Send>(
        &self,
        batch: Vec<A>,
        work: impl Fn(A) -> B + Send + Sync,
    ) -> Vec<B> {
        match &self.0 {
            None => batch.into_iter().map(work).collect(),
            Some(pool) => pool.install(|| batch.into_par_iter().map(work).collect()),
        }
    }
}

/// Parses and views one item.
pub(crate) fn parse_item<M: Method>(item: Item, method: &M, limits: &Limits) -> Outcome<M::View> {
    match item {
        Item::Page(raw) => parse_page(raw, method, limits),
        Item::Skipped(skipped) => Outcome::Skipped(skipped),
    }
}

fn parse_page<M: Method>(mut raw: RawPage, method: &M, limits: &Limits) -> Outcome<M::View> {
    let body = std::mem::take(&mut raw.body);
    let identity = identity(&raw);
    let content = content_fingerprint(&body);
    // A page that brings a parser down must not take the others with it.
    let parsed = catch_unwind(AssertUnwindSafe(|| {
        let page = Page::parse(body, raw.url.clone(), raw.charset.as_deref(), limits);
        let view = method.view(&page);
        (page, view)
    }));
    match parsed {
        Ok((page, view)) => Outcome::Parsed(Box::new(Parsed {
            raw,
            page,
            view,
            identity,
            content,
        })),
        Err(_) => Outcome::Skipped(Skipped {
            name: raw.name,
            reason: SkipReason::Broken("the parser failed on it; please report this page".into()),
        }),
    }
}

/// A page is known by its URL; without one, by where it stands in its input.
fn identity(raw: &RawPage) -> Fingerprint {
    match (&raw.url, &raw.path) {
        (Some(url), _) => page_identity(Some(url), &raw.name),
        (None, Some(path)) => match path.to_str() {
            Some(path) => page_identity(None, path),
            // Names that are not text must not all look alike.
            None => {
                let bytes = path.as_os_str().as_encoded_bytes();
                page_identity(None, &bytes.escape_ascii().to_string())
            }
        },
        // `./pages.jsonl:7` is `pages.jsonl:7`.
        (None, None) => page_identity(None, raw.name.trim_start_matches("./")),
    }
}

/// Runs the reader on a thread of its own, so that reading and decompressing go on while pages
/// are worked on.
pub(crate) fn read_ahead<'scope>(
    scope: &'scope std::thread::Scope<'scope, '_>,
    mut pages: Pages,
    progress: Progress,
) -> Receiver<Vec<Item>> {
    let (sender, receiver): (SyncSender<Vec<Item>>, _) = sync_channel(2);
    scope.spawn(move || {
        while let Some(batch) = next_batch(&mut pages, &progress) {
            // The receiver is gone when the run has ended early.
            if sender.send(batch).is_err() {
                break;
            }
        }
    });
    receiver
}
