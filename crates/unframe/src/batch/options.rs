//! The options of a run. Only the survey and the overrides affect labels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use unframe_dom::Limits;
use unframe_read::RawPage;
use unframe_survey::mdl::OnlineParams;

use super::parsed::BATCH_PAGES;
use crate::overrides::Overrides;
use crate::survey::Survey;
use crate::verdict::Detail;

/// The options of [`clean`](super::clean()).
#[derive(Clone, Debug)]
pub struct CleanOptions {
    /// Worker threads. With 1, everything runs on the caller's thread. Default: one per core.
    pub jobs: usize,
    /// Label each page when it arrives, with what is known by then, in one pass. Default: false,
    /// which learns from all pages first and labels them in a second pass.
    pub arrival: bool,
    /// Learn from the pages. Default: true. Without it, pages are labelled in one pass by what was learned
    /// before, and nothing changes.
    pub learn: bool,
    /// Limits for parsing one page.
    pub limits: Limits,
    /// Pages that are worked on together, at most. Default 128. With `arrival`, fewer come out sooner.
    pub batch_pages: usize,
    /// A commit is due after this many pages … Default 1,000.
    pub commit_pages: u64,
    /// … or after this long. Default one second.
    pub commit_after: Duration,
    /// Bytes of main memory for pages that are kept from the first pass for the second, with their
    /// trees: two to five times the bytes of the pages. The first pages are kept as long as they fit;
    /// those of a completed site are labelled at once and free their room. Kept pages are not parsed
    /// twice; if all fit, the input is read once. Default 160 MB.
    ///
    /// What is learned has room of its own, see [`Sites::new`](unframe_site::Sites::new).
    pub keep_bytes: usize,
    /// Results of an earlier survey of the pages: duplicates are labelled but not learned from, and
    /// each cluster of a site has its own memory. Default: none.
    pub survey: Option<Arc<Survey>>,
    /// Assign each page to a cluster of its site when it arrives, and give each cluster its own
    /// memory; only with `arrival`. Default: off.
    pub assign: Option<OnlineParams>,
    /// Detect sites whose pages no longer fit what was learned about them before: in the state or,
    /// with `arrival`, earlier in this run. Not for pages learned in clusters. Default: off.
    pub drift: bool,
    /// Overrides of the method's labels. Default: marks of the site's owner.
    pub overrides: Overrides,
    /// Compute complete reasons, such as both probabilities of `auto`; slower. Default: off.
    pub full_reasons: bool,
    /// The pages whose labels to explain. Default: none.
    pub explain: Option<Wanted>,
    /// Reports the progress of the run, and can stop it.
    pub progress: Progress,
}

/// How the main memory of a run is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShares {
    /// Bytes for pages between the passes: [`CleanOptions::keep_bytes`].
    pub pages: usize,
    /// Bytes for what was learned: the room of [`Sites::new`](unframe_site::Sites::new).
    pub sites: usize,
}

impl MemoryShares {
    /// The shares of so many bytes. A part is left for what is kept of every site that was ever met, and
    /// lost between allocations.
    pub fn of(memory: u64) -> MemoryShares {
        let part = usize::try_from(memory / 8).unwrap_or(usize::MAX);
        MemoryShares {
            pages: part.saturating_mul(3),
            sites: part.saturating_mul(4),
        }
    }
}

/// A predicate that selects pages.
#[derive(Clone)]
pub struct Wanted(Arc<dyn Fn(&RawPage) -> bool + Send + Sync>);

impl Wanted {
    /// The pages for which the closure returns true.
    pub fn new(is_wanted: impl Fn(&RawPage) -> bool + Send + Sync + 'static) -> Wanted {
        Wanted(Arc::new(is_wanted))
    }

    /// Whether a page is selected.
    pub fn has(&self, raw: &RawPage) -> bool {
        (self.0)(raw)
    }
}

impl std::fmt::Debug for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wanted")
    }
}

impl Default for CleanOptions {
    fn default() -> Self {
        CleanOptions {
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            arrival: false,
            learn: true,
            limits: Limits::default(),
            batch_pages: BATCH_PAGES,
            commit_pages: 1_000,
            commit_after: Duration::from_secs(1),
            keep_bytes: 160_000_000,
            survey: None,
            assign: None,
            drift: false,
            overrides: Overrides::default(),
            full_reasons: false,
            explain: None,
            progress: Progress::default(),
        }
    }
}

impl CleanOptions {
    /// How much detail is needed about a page.
    pub(super) fn detail(&self, raw: &RawPage) -> Detail {
        let wanted = self.explain.as_ref();
        Detail {
            reasons: self.full_reasons,
            explanations: wanted.is_some_and(|wanted| wanted.has(raw)),
            comments: self.overrides.comments.are_wanted(),
        }
    }
}

/// The pass that a run is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Pass {
    /// Learns from the pages; the only pass when pages are labelled at arrival.
    Learning,
    /// Labels the pages with what was learned.
    Cleaning,
    /// Surveys the pages before learning: counts terms and collects paths.
    Counting,
    /// Finds duplicates.
    Comparing,
    /// Clusters the pages, without reading them again.
    Clustering,
    /// Reads the representatives of the clusters again.
    Looking,
}

impl Pass {
    const ALL: [Pass; 6] = [
        Pass::Learning,
        Pass::Cleaning,
        Pass::Counting,
        Pass::Comparing,
        Pass::Clustering,
        Pass::Looking,
    ];
}

/// A handle to a run, for other threads.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stop: AtomicBool,
    pages: AtomicU64,
    bytes: AtomicU64,
    read: AtomicU64,
    pass: AtomicU8,
}

impl Progress {
    /// Asks the run to stop after the current pages, in a consistent state.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }

    /// True once [`Progress::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// Pages done in this pass.
    pub fn pages(&self) -> u64 {
        self.0.pages.load(Ordering::Relaxed)
    }

    /// Bytes of those pages.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Bytes of the inputs, as the files hold them, read in this pass.
    pub fn read(&self) -> u64 {
        self.0.read.load(Ordering::Relaxed)
    }

    /// The current pass.
    pub fn pass(&self) -> Pass {
        Pass::ALL[usize::from(self.0.pass.load(Ordering::Relaxed))]
    }

    pub(crate) fn add(&self, pages: u64, bytes: u64) {
        self.0.pages.fetch_add(pages, Ordering::Relaxed);
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn set_read(&self, bytes: u64) {
        self.0.read.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn begin(&self, pass: Pass) {
        self.0.pages.store(0, Ordering::Relaxed);
        self.0.bytes.store(0, Ordering::Relaxed);
        self.0.read.store(0, Ordering::Relaxed);
        self.0.pass.store(pass as u8, Ordering::Relaxed);
    }
}
