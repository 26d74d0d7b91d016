//! What threads share of a crawl, and how it is closed.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use unframe::batch::Progress;
use unframe::errors::CleanError;
use unframe::{Crawl as RustCrawl, StoreError};

use crate::at_exit::Durable;
use crate::clean_pages::log_skipped;
use crate::error;
use crate::exchange::RunHandle;
use crate::process::Process;
use crate::work::{detached, interruptible};

/// What is learned is committed after this long, and after this many pages.
const COMMIT_AFTER: Duration = Duration::from_secs(1);
const COMMIT_PAGES: u32 = 1000;

/// When what was learned is to be committed.
pub struct CommitClock {
    last: Instant,
    pages: u32,
}

impl Default for CommitClock {
    fn default() -> Self {
        CommitClock {
            last: Instant::now(),
            pages: 0,
        }
    }
}

impl CommitClock {
    /// Counts a page. True if a commit is due.
    pub fn tick(&mut self) -> bool {
        self.pages += 1;
        let due = self.pages >= COMMIT_PAGES || self.last.elapsed() >= COMMIT_AFTER;
        if due {
            *self = CommitClock::default();
        }
        due
    }
}

/// What threads share of a crawl.
pub struct Shared {
    crawl: Mutex<Option<RustCrawl>>,
    clock: Mutex<CommitClock>,
    /// The run that has it for itself.
    run: Mutex<Option<RunHandle>>,
    process: Process,
    pub is_durable: bool,
}

impl Shared {
    pub fn new(crawl: RustCrawl, is_durable: bool) -> Shared {
        Shared {
            crawl: Mutex::new(Some(crawl)),
            clock: Mutex::default(),
            run: Mutex::new(None),
            process: Process::this(),
            is_durable,
        }
    }

    /// Counts a page that was learned. True if a commit is due.
    pub fn tick(&self) -> bool {
        self.clock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .tick()
    }

    pub fn lock(&self) -> MutexGuard<'_, Option<RustCrawl>> {
        self.crawl.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the crawl to a run.
    pub fn begin_run(&self, py: Python<'_>, handle: RunHandle) -> PyResult<()> {
        // It must be open.
        self.with(py, |_| Ok(()))?;
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        match run.is_some() {
            true => Err(busy()),
            false => {
                *run = Some(handle);
                Ok(())
            }
        }
    }

    /// Takes it back.
    pub fn end_run(&self) {
        *self.run.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn running(&self) -> Option<RunHandle> {
        self.run
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub fn check(&self) -> PyResult<()> {
        if !self.process.is_this() && self.is_durable {
            return Err(forked("crawl"));
        }
        Ok(())
    }

    /// Works with the crawl, without the interpreter.
    pub fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut RustCrawl) -> Result<T, StoreError> + Send,
    ) -> PyResult<T> {
        self.check_free()?;
        let done = detached(py, || self.locked(work))?;
        done?.map_err(error::state)
    }

    /// The same for long work, which a signal stops.
    pub fn run<T: Send>(
        &self,
        py: Python<'_>,
        progress: &Progress,
        work: impl FnOnce(&mut RustCrawl) -> Result<T, CleanError> + Send,
    ) -> PyResult<T> {
        self.check_free()?;
        let done = interruptible(py, progress, || self.locked(work))?;
        done?.map_err(error::run)
    }

    fn check_free(&self) -> PyResult<()> {
        self.check()?;
        match self.running() {
            Some(_) => Err(busy()),
            None => Ok(()),
        }
    }

    /// Works with the crawl, unless it is closed or belongs to another process.
    fn locked<T>(&self, work: impl FnOnce(&mut RustCrawl) -> T) -> PyResult<T> {
        let is_copy = !self.process.is_this();
        // In a forked child, the thread that holds the lock may not exist.
        let mut guard = match is_copy {
            false => self.lock(),
            true => match self.crawl.try_lock() {
                Ok(guard) => guard,
                Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
                Err(TryLockError::WouldBlock) => return Err(forked("crawl")),
            },
        };
        // A crawl that has outgrown its memory has a temporary file, which belongs to the parent.
        if is_copy && guard.as_ref().is_some_and(RustCrawl::is_on_disk) {
            return Err(forked("crawl"));
        }
        guard.as_mut().map(work).ok_or_else(|| closed("crawl"))
    }
}

impl Shared {
    /// Ends a run, commits, and drops the crawl. If it cannot be committed, it stays open, and nothing is lost.
    /// None if that must be left to the parent process.
    pub fn close(&self) -> Option<Result<(), StoreError>> {
        if !self.process.is_this() {
            // The thread that holds a lock may not exist here, and a temporary file belongs to the parent, too.
            std::mem::forget(self.crawl.try_lock().ok()?.take());
            return Some(Ok(()));
        }
        if let Some(run) = self.running() {
            run.stop();
        }
        let mut crawl = self.lock();
        let committed = crawl.as_mut().map_or(Ok(()), RustCrawl::commit);
        if committed.is_ok() {
            crawl.take();
        }
        Some(committed)
    }
}

impl Durable for Shared {
    fn commit_at_exit(&self) {
        if let Ok(mut crawl) = self.crawl.try_lock()
            && let (true, Some(crawl)) = (self.process.is_this(), crawl.as_mut())
        {
            let _ = crawl.commit();
        }
    }
}

/// The error of closing something at the end of a `with` block. It must not hide an exception of the block.
pub fn unless_raised(
    py: Python<'_>,
    exception: &Bound<'_, PyTuple>,
    closed: PyResult<()>,
) -> PyResult<()> {
    let is_raised = exception.get_item(0).is_ok_and(|kind| !kind.is_none());
    match closed {
        Err(error) if is_raised => log_skipped(py, &error.value(py).to_string(), true),
        closed => closed,
    }
}

/// A copy in a forked child must not write to the file of its parent.
impl Drop for Shared {
    fn drop(&mut self) {
        if !self.process.is_this() {
            let crawl = self.crawl.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(crawl.take());
        }
    }
}

fn busy() -> PyErr {
    error::new(
        "Error",
        "the crawl is cleaning pages; take all of them, or close the iterator, first",
    )
}

/// The error for an object that belongs to another process.
pub fn forked(what: &str) -> PyErr {
    error::new(
        "ForkedError",
        format!(
            "this {what} was opened by the parent process, and only one process can use its file; use it \
             there, or pass it to this process as bytes (pickle, to_bytes)"
        ),
    )
}

/// The error for an object that was closed.
pub fn closed(what: &str) -> PyErr {
    error::new(
        "ClosedError",
        format!("the {what} is closed; open it again"),
    )
}
