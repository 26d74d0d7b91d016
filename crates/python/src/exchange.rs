//! What a run and its caller hand to each other.
//!
//! A run works on threads of its own, which never attach to the interpreter. The caller, in `__next__`, gives
//! it pages of the user's iterator and takes cleaned ones, on the user's own thread: a generator may hold
//! something that belongs to its thread, such as a database connection, and its exceptions must come up
//! there. Both sides are bounded.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use unframe::batch::{Progress, Summary};
use unframe::errors::CleanError;
use unframe::read::GivenPage;

use crate::page::Page;

/// The caller gives no more pages while the run has not taken so many bytes.
const WAITING_BYTES: usize = 8 << 20;
const WAITING_PAGES: usize = 512;
/// The run waits while so many cleaned pages, or pages of so many bytes, have not been taken.
const READY_PAGES: usize = 128;
const READY_BYTES: usize = 16 << 20;

/// Something for the caller.
pub enum Output {
    Page(Box<Page>),
    /// A message about an input, and whether a page may have been lost.
    Skipped {
        message: String,
        lost: bool,
    },
}

/// How a run ended: its summary, or why it ended early; a panic has its own message.
pub type Ended = Result<Result<Summary, CleanError>, String>;

/// What the caller has to do next.
pub enum Step {
    /// Take these.
    Take(VecDeque<Output>),
    /// Give more pages.
    Give,
    /// Nothing more will come.
    End(Box<Ended>),
    /// Look for signals, and wait again.
    Wait,
}

/// Pages on their way to a run and from it.
pub struct Exchange {
    state: Mutex<State>,
    changed: Condvar,
    /// How many pages may wait for the run.
    most_given: usize,
}

/// A run, for those who may have to end it.
#[derive(Clone)]
pub struct RunHandle {
    progress: Progress,
    exchange: Arc<Exchange>,
}

impl RunHandle {
    pub fn new(progress: &Progress, exchange: &Arc<Exchange>) -> RunHandle {
        RunHandle {
            progress: progress.clone(),
            exchange: Arc::clone(exchange),
        }
    }

    /// Asks the run to end. What it has learned is kept.
    pub fn stop(&self) {
        self.progress.stop();
        self.exchange.stop();
    }
}

#[derive(Default)]
struct State {
    given: VecDeque<GivenPage>,
    given_bytes: usize,
    no_more: bool,
    ready: VecDeque<Output>,
    ready_bytes: usize,
    ended: Option<Ended>,
    /// Cleaned pages are not wanted any more, but those that were given are to be learned.
    only_learns: bool,
    stopped: bool,
}

impl Exchange {
    /// At most so many pages wait for the run.
    pub fn new(most_given: usize) -> Exchange {
        Exchange {
            state: Mutex::default(),
            changed: Condvar::new(),
            most_given: most_given.min(WAITING_PAGES),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For the caller: waits for something to do.
    pub fn step(&self, patience: Duration) -> Step {
        let mut state = self.lock();
        loop {
            if !state.ready.is_empty() {
                self.changed.notify_all();
                state.ready_bytes = 0;
                return Step::Take(std::mem::take(&mut state.ready));
            }
            if let Some(ended) = state.ended.take() {
                return Step::End(Box::new(ended));
            }
            let has_room = state.given_bytes < WAITING_BYTES && state.given.len() < self.most_given;
            if !state.no_more && has_room {
                return Step::Give;
            }
            let waited = self.changed.wait_timeout(state, patience);
            let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = guard;
            if timeout.timed_out() {
                return Step::Wait;
            }
        }
    }

    /// For the caller: gives pages to the run.
    pub fn give(&self, pages: Vec<GivenPage>) {
        let mut state = self.lock();
        state.given_bytes += pages.iter().map(|page| page.body.len()).sum::<usize>();
        state.given.extend(pages);
        self.changed.notify_all();
    }

    /// For the caller: there are no more pages.
    pub fn give_no_more(&self) {
        self.lock().no_more = true;
        self.changed.notify_all();
    }

    /// For the caller: there are no more pages, and those that were given need only be learned.
    pub fn give_no_more_and_only_learn(&self) {
        let mut state = self.lock();
        (state.no_more, state.only_learns) = (true, true);
        state.ready.clear();
        self.changed.notify_all();
    }

    /// For the caller: nothing more is wanted.
    pub fn stop(&self) {
        let mut state = self.lock();
        (state.no_more, state.stopped) = (true, true);
        state.given.clear();
        state.ready.clear();
        self.changed.notify_all();
    }

    /// For the run: the next pages; none at the end.
    fn take(&self) -> VecDeque<GivenPage> {
        let mut state = self.lock();
        while state.given.is_empty() && !state.no_more {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.given_bytes = 0;
        self.changed.notify_all();
        std::mem::take(&mut state.given)
    }

    /// For the run: hands a page over, or waits until there is room.
    pub fn put(&self, output: Output) {
        let mut state = self.lock();
        let is_full = |state: &State| {
            let is_full = state.ready.len() >= READY_PAGES || state.ready_bytes >= READY_BYTES;
            is_full && !state.is_deaf()
        };
        while is_full(&state) {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if !state.is_deaf() {
            if let Output::Page(page) = &output {
                state.ready_bytes += page.bytes();
            }
            state.ready.push_back(output);
            self.changed.notify_all();
        }
    }

    /// For the run: it has ended.
    pub fn end(&self, how: Ended) {
        self.lock().ended = Some(how);
        self.changed.notify_all();
    }
}

impl State {
    /// Whether nobody wants cleaned pages.
    fn is_deaf(&self) -> bool {
        self.stopped || self.only_learns
    }
}

/// The pages that the caller gives, for the run.
pub struct Given {
    exchange: Arc<Exchange>,
    progress: Progress,
    taken: VecDeque<GivenPage>,
}

impl Given {
    pub fn new(exchange: Arc<Exchange>, progress: Progress) -> Given {
        Given {
            exchange,
            progress,
            taken: VecDeque::new(),
        }
    }
}

impl Iterator for Given {
    type Item = GivenPage;

    fn next(&mut self) -> Option<GivenPage> {
        if self.taken.is_empty() {
            self.taken = self.exchange.take();
            // What was given is learned before the run looks whether it is to stop.
            if self.taken.is_empty() && self.exchange.lock().only_learns {
                self.progress.stop();
            }
        }
        self.taken.pop_front()
    }
}
