//! How a run is carried out. None of this but the survey and the overrides changes any label.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use unframe_dom::Limits;
use unframe_read::RawPage;
use unframe_survey::mdl::OnlineParams;

use crate::overrides::Overrides;
use crate::survey::Survey;
use crate::verdict::Detail;

/// The options of [`clean`](super::clean()).
#[derive(Clone, Debug)]
pub struct CleanOptions {
    /// Worker threads. With 1 everything runs on the caller's. Default: as many as there are cores.
    pub jobs: usize,
    /// Label each page when it arrives, with what is known by then, in one pass. Default: false,
    /// which learns from all pages first and labels them in a second pass.
    pub arrival: bool,
    /// What one page may cost.
    pub limits: Limits,
    /// A commit is due after this many pages … Default 1,000.
    pub commit_pages: u64,
    /// … or after this long. Default one second.
    pub commit_after: Duration,
    /// Pages of the first pass that are kept for the second, in bytes of page: as many of the first
    /// as fit, less those whose site had no more. They are not parsed twice, and if all fit nothing is
    /// read twice. Default 64 MiB.
    pub keep_bytes: usize,
    /// What was found out about the pages before: duplicates are labelled but not learnt from, and
    /// each cluster of a site has a memory of its own. Default: none.
    pub survey: Option<Arc<Survey>>,
    /// Assign each page to a cluster of its site when it arrives, and give each cluster a memory of
    /// its own; only with `arrival`. Default: not.
    pub assign: Option<OnlineParams>,
    /// Look out for sites whose pages stop fitting what was learnt of them before: in the state or,
    /// with `arrival`, in this run. Not for pages that are learnt in clusters. Default: not.
    pub drift: bool,
    /// What overrules the method. Default: marks of the site's owner.
    pub overrides: Overrides,
    /// Reasons say all they can, as both probabilities of `auto`; that takes longer. Default: no.
    pub full_reasons: bool,
    /// The pages whose labels are to be explained. Default: none.
    pub explain: Option<Wanted>,
    /// Shows how far the run is, and stops it.
    pub progress: Progress,
}

/// Tells which pages are wanted.
#[derive(Clone)]
pub struct Wanted(Arc<dyn Fn(&RawPage) -> bool + Send + Sync>);

impl Wanted {
    /// Those that this is true of.
    pub fn new(is_wanted: impl Fn(&RawPage) -> bool + Send + Sync + 'static) -> Wanted {
        Wanted(Arc::new(is_wanted))
    }

    /// Whether a page is one of them.
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
            limits: Limits::default(),
            commit_pages: 1_000,
            commit_after: Duration::from_secs(1),
            keep_bytes: 64 << 20,
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
    /// How much is wanted to be known of a page.
    pub(super) fn detail(&self, raw: &RawPage) -> Detail {
        let wanted = self.explain.as_ref();
        Detail {
            reasons: self.full_reasons,
            explanations: wanted.is_some_and(|wanted| wanted.has(raw)),
        }
    }
}

/// What a run does with the pages when it goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Pass {
    /// Learns from them; the only pass there is when pages are labelled at arrival.
    Learning,
    /// Labels them by what was learnt.
    Cleaning,
    /// Looks at them before learning: counts terms, and gathers paths.
    Counting,
    /// Tells which are duplicates.
    Comparing,
    /// Groups them, without reading them again.
    Clustering,
    /// Looks again at those that stand for a group.
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

/// A run seen from another thread.
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
    /// Asks the run to end after the pages at hand, with everything consistent.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }

    /// True once somebody asked.
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

    /// What is being done.
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
