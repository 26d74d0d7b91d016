//! What learns and labels pages for all faces of the service.
//!
//! ```text
//! page ─► slots ─► view on the pool ─┬─ learn ─► learner: learn · label on the pool · commit ─► answer
//!         full?                      └─ else ──► label on the pool ───────────────────────────► answer
//! ```
//!
//! Pages are parsed and labelled on a pool of threads of its own. One thread learns: it takes all pages that
//! wait, learns them in turn, and commits once for all of them. A page is answered after that, so what is
//! acknowledged is durable. Pages that were learned are labelled before others are viewed, so that the pool
//! views the next pages during a commit.

mod jobs;
mod judges;
mod learner;
mod marks;
mod overruled;
mod recent;
mod slots;
mod timeline;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, mpsc};
use std::thread::JoinHandle;

use bytes::Bytes;
use tokio::sync::oneshot;
use unframe::methods::MethodSpec;
use unframe::read::SiteFrom;
use unframe::{CleanPage, Crawl, Judge, StoreError, ViewedPage, Viewer};

pub use judges::{Asked, FavorWhat, Judges, RemoveWhat};
pub use marks::{Marks, SiteMarks};
pub use overruled::Overruled;
pub use recent::RecentPage;
pub use slots::{Slot, Slots};
pub use timeline::Point;

use crate::problem::Problem;
use jobs::{Jobs, Turn};
use learner::{Learner, Ready};
use recent::Recent;
use timeline::Timeline;

/// Where sites are kept, and what may be held.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The state; none keeps sites in main memory, until the end of the process.
    pub state: Option<PathBuf>,
    /// Bytes of main memory for sites in use.
    pub memory: usize,
    /// Threads that parse and label.
    pub jobs: usize,
    /// Pages that may wait or be in work.
    pub queue: usize,
    /// Bytes of requests that may be held.
    pub queue_bytes: usize,
    /// Bytes of recent pages that are held, for templates and for the lens.
    pub recent_bytes: usize,
    /// What identifies a site.
    pub site_from: SiteFrom,
}

/// A page to be cleaned or learned.
pub struct Page {
    /// The site it belongs to.
    pub site: String,
    /// What it is known by.
    pub url: String,
    /// The page in its own charset.
    pub html: Bytes,
    /// The charset that the transport stated.
    pub charset: Option<String>,
}

/// Makes the answer of a cleaned page, on the pool. It is told whether the page was new.
pub type Render = Box<dyn FnOnce(&CleanPage, bool) -> Vec<u8> + Send>;

/// What is to be done with a page.
pub struct Work {
    /// The page.
    pub page: Page,
    /// How it is judged.
    pub judge: Judge,
    /// Whether it is learned.
    pub learn: bool,
    /// Whether nobody waits for this page alone. Then it may be learned some ms later, with others.
    pub patient: bool,
    /// Makes the answer; none if the page is only learned.
    pub render: Option<Render>,
    /// Its place in the queue, given up with the answer.
    pub slot: Slot,
}

/// What was done with a page.
#[derive(Debug)]
pub struct Done {
    /// What [`Work::render`] has made; empty without it.
    pub answer: Vec<u8>,
    /// Whether the page was learned now: it was not known as it is.
    pub learned: bool,
}

/// Numbers for `/metrics`.
#[derive(Default)]
pub struct Counts {
    /// Pages that were learned.
    pub learned: AtomicU64,
    /// Pages that were known as they are.
    pub known: AtomicU64,
    /// Pages that were labelled.
    pub labelled: AtomicU64,
    /// Commits.
    pub commits: AtomicU64,
    /// Commits that failed.
    pub failed_commits: AtomicU64,
}

/// What the threads share.
pub struct Shared {
    crawl: RwLock<Crawl>,
    jobs: Jobs,
    /// Pages to be learned that are not viewed yet.
    in_view: AtomicUsize,
    recent: Mutex<Recent>,
    timeline: Mutex<Timeline>,
    /// The last commit has failed.
    failing: AtomicBool,
    /// Numbers for `/metrics`.
    pub counts: Counts,
    is_durable: bool,
}

/// What learns and labels pages.
pub struct Engine {
    shared: Arc<Shared>,
    viewer: Viewer,
    queue: Mutex<Option<mpsc::Sender<Ready>>>,
    learner: Mutex<Option<JoinHandle<()>>>,
    /// Which pages may come in.
    pub slots: Slots,
    /// The ways to judge a page.
    pub judges: Judges,
    /// What people have marked as content or frame.
    pub marks: SiteMarks,
    /// What identifies a site.
    pub site_from: SiteFrom,
}

/// Why the engine cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The state cannot be used.
    #[error(transparent)]
    State(#[from] StoreError),
    /// The marks of people cannot be read.
    #[error("{0}")]
    Marks(String),
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

/// The site of a page that is judged by itself.
const ALONE: &str = "page";

impl Engine {
    /// Opens the state and starts the threads.
    pub fn start(options: &EngineOptions) -> Result<Engine, StartError> {
        let spec = MethodSpec::default();
        let mut crawl = match &options.state {
            Some(path) => Crawl::open(path, &spec, options.memory)?,
            None => Crawl::temporary(&spec, options.memory)?,
        };
        crawl.watch_drift(true);
        let jobs =
            Jobs::new(options.jobs).map_err(|error| StartError::Threads(error.to_string()))?;
        let viewer = crawl.viewer().clone();
        let shared = Arc::new(Shared {
            crawl: RwLock::new(crawl),
            jobs,
            in_view: AtomicUsize::new(0),
            recent: Mutex::new(Recent::new(options.recent_bytes)),
            timeline: Mutex::default(),
            failing: AtomicBool::new(false),
            counts: Counts::default(),
            is_durable: options.state.is_some(),
        });
        // The slots bound it.
        let (queue, waiting) = mpsc::channel();
        let learner = Learner::new(Arc::clone(&shared), waiting);
        let thread = std::thread::Builder::new().name("learner".into());
        let thread = thread.spawn(move || learner.run());
        let thread = thread.map_err(|error| StartError::Threads(error.to_string()))?;
        Ok(Engine {
            shared,
            viewer,
            queue: Mutex::new(Some(queue)),
            learner: Mutex::new(Some(thread)),
            slots: Slots::new(options.queue, options.queue_bytes),
            judges: Judges::new(),
            marks: SiteMarks::open(options.state.as_deref()).map_err(StartError::Marks)?,
            site_from: options.site_from,
        })
    }

    /// Does the work. If the caller does not wait for it, it is done all the same.
    pub async fn work(&self, work: Work) -> Result<Done, Problem> {
        let (answer, answered) = oneshot::channel();
        let queue = match work.learn {
            true => Some(self.queue().ok_or_else(stopping)?),
            false => None,
        };
        let (shared, viewer) = (Arc::clone(&self.shared), self.viewer.clone());
        if queue.is_some() {
            shared.in_view.fetch_add(1, Ordering::Relaxed);
        }
        self.shared.jobs.run(Turn::Later, move || {
            let viewed = caught(|| {
                let page = &work.page;
                viewer.view(&page.url, page.html.clone(), page.charset.as_deref())
            });
            // Before it is sent: the learner may wait for what is in view.
            if queue.is_some() {
                shared.in_view.fetch_sub(1, Ordering::Relaxed);
            }
            let ready = match viewed {
                Ok(viewed) => Ready::new(work, viewed, answer),
                Err(problem) => return drop(answer.send(Err(problem))),
            };
            match queue {
                Some(queue) => {
                    // If the learner has ended, the answer says so.
                    let _ = queue.send(ready);
                }
                None => ready.label_now(&shared),
            }
        });
        answered.await.unwrap_or_else(|_| Err(stopping()))
    }

    /// Judges a page by itself, on the pool. Nothing is learned or looked up.
    pub async fn judge_alone(self: &Arc<Self>, work: Work) -> Result<Done, Problem> {
        let engine = Arc::clone(self);
        self.on_pool(move || {
            let Work {
                page,
                judge,
                render,
                slot,
                ..
            } = work;
            let viewed = engine
                .viewer
                .view(&page.url, page.html, page.charset.as_deref());
            // As the library does it: the page is the only one of its site.
            let mut alone = Crawl::with_engine(Arc::clone(&judge.engine));
            alone.learn_viewed(ALONE, &viewed)?;
            let cleaned = alone.judge(ALONE, &viewed, &judge);
            let cleaned = cleaned.expect("its site is in main memory");
            let answer = render.map_or(Vec::new(), |render| render(&cleaned, false));
            engine
                .shared
                .counts
                .labelled
                .fetch_add(1, Ordering::Relaxed);
            drop(slot);
            Ok(Done {
                answer,
                learned: false,
            })
        })
        .await?
    }

    /// Runs something that takes long on the pool.
    pub async fn on_pool<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = oneshot::channel();
        self.shared
            .jobs
            .run(Turn::Later, move || drop(answer.send(caught(work))));
        answered.await.unwrap_or_else(|_| Err(stopping()))
    }

    /// Works with all that was learned, on the pool. Learning waits meanwhile.
    pub async fn with_crawl<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Crawl) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let shared = Arc::clone(&self.shared);
        self.on_pool(move || work(&mut shared.write())).await?
    }

    /// Forgets a site. When this returns, it is gone for good.
    pub async fn remove(&self, site: &str) -> Result<bool, Problem> {
        let (name, shared) = (site.to_string(), Arc::clone(&self.shared));
        let removed = self
            .with_crawl(move |crawl| {
                let removed = crawl.remove(&name)?;
                crawl.commit()?;
                shared.recent().remove(&name);
                shared.timeline().remove(&name);
                Ok(removed)
            })
            .await?;
        Ok(removed)
    }

    /// The site of a page, by its URL.
    pub fn site_of(&self, url: &str) -> Option<String> {
        self.site_from.site_of(url)
    }

    /// The pages of a site that are held, the newest first.
    pub fn recent_pages(&self, site: &str) -> Vec<RecentPage> {
        self.shared.recent().pages(site)
    }

    /// The shares of frame of the last pages of a site.
    pub fn timeline(&self, site: &str) -> Vec<Point> {
        self.shared.timeline().points(site)
    }

    /// Numbers for `/metrics`.
    pub fn counts(&self) -> &Counts {
        &self.shared.counts
    }

    /// Whether pages can be kept: the last commit has succeeded.
    pub fn is_ready(&self) -> bool {
        !self.shared.failing.load(Ordering::Relaxed) && self.queue().is_some()
    }

    /// Tries to commit if that has failed before.
    pub async fn try_again(&self) {
        if self.shared.failing.load(Ordering::Relaxed) {
            let shared = Arc::clone(&self.shared);
            let _ = self.on_pool(move || shared.commit()).await;
        }
    }

    /// Whether what is learned outlives the process.
    pub fn is_durable(&self) -> bool {
        self.shared.is_durable
    }

    /// Finishes what was taken, and commits. Later work is refused.
    pub fn stop(&self) {
        lock(&self.queue).take();
        let learner = lock(&self.learner).take();
        if let Some(learner) = learner {
            let _ = learner.join();
        }
    }

    fn queue(&self) -> Option<mpsc::Sender<Ready>> {
        lock(&self.queue).clone()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn read(&self) -> RwLockReadGuard<'_, Crawl> {
        self.crawl.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Crawl> {
        self.crawl.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn recent(&self) -> std::sync::MutexGuard<'_, Recent> {
        lock(&self.recent)
    }

    fn timeline(&self) -> std::sync::MutexGuard<'_, Timeline> {
        lock(&self.timeline)
    }

    fn commit(&self) -> Result<(), Problem> {
        let committed = self.write().commit();
        self.counts.commits.fetch_add(1, Ordering::Relaxed);
        let failed = committed.is_err();
        if self.failing.swap(failed, Ordering::Relaxed) != failed {
            match &committed {
                Err(error) => tracing::error!(%error, "pages cannot be kept"),
                Ok(()) => tracing::info!("pages can be kept again"),
            }
        }
        if failed {
            self.counts.failed_commits.fetch_add(1, Ordering::Relaxed);
        }
        committed.map_err(Problem::from)
    }

    /// Labels a page by what has been learned so far.
    fn label(&self, site: &str, viewed: &ViewedPage, judge: &Judge) -> Result<CleanPage, Problem> {
        /// A commit may drop a site that was just loaded; then it is loaded again.
        const MOST_TRIES: usize = 8;
        for _ in 0..MOST_TRIES {
            if let Some(page) = self.read().judge(site, viewed, judge) {
                self.counts.labelled.fetch_add(1, Ordering::Relaxed);
                return Ok(page);
            }
            self.write().load(site)?;
        }
        Err(Problem::new(
            "busy",
            "more sites are in use than main memory can hold; start the service with a larger `--memory`",
        ))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stopping() -> Problem {
    Problem::new(
        "stopping",
        "the request came after the service was asked to stop",
    )
}

/// A fault in one page must not take the service down.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        tracing::error!("a page made the service fail");
        Problem::new("internal", "this page made the service fail")
    })
}
