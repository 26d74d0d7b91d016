//! The thread that learns: one commit for all pages that wait.

use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use unframe::{CleanPage, ViewedPage};

use super::{Done, Page, Point, Shared, Slot, Turn, Work, caught};
use crate::problem::Problem;

/// Pages that are committed together, at most.
const MOST_PAGES: usize = 256;
/// A commit takes the time of some pages, whatever it holds. If nobody waits for one of the pages alone, and
/// more are in view, it waits for so many pages, or for so long.
const ENOUGH_PAGES: usize = 128;
const PATIENCE: Duration = Duration::from_millis(100);
/// How often it looks whether more are in view.
const LOOK: Duration = Duration::from_millis(2);
/// The state is made smaller when it has doubled, but not below this length.
const TIDY_BYTES: u64 = 32 << 20;
/// After this many pages, those that did not fit an older design are forgotten, so that the list of them is
/// bounded.
const WATCHED_PAGES: u64 = 50_000;

type Answer = oneshot::Sender<Result<Done, Problem>>;

/// A page that was viewed.
pub(super) struct Ready {
    work: Work,
    viewed: ViewedPage,
    answer: Answer,
}

impl Ready {
    pub(super) fn new(work: Work, viewed: ViewedPage, answer: Answer) -> Ready {
        Ready {
            work,
            viewed,
            answer,
        }
    }

    /// Labels a page that is not to be learned.
    pub(super) fn label_now(self, shared: &Shared) {
        let Ready {
            work,
            viewed,
            answer,
        } = self;
        let Work {
            page,
            judge,
            render,
            slot,
            ..
        } = work;
        let done = caught(|| {
            let cleaned = shared.label(&page.site, &viewed, &judge)?;
            Ok(Done {
                answer: render.map_or(Vec::new(), |render| render(&cleaned, false)),
                learned: false,
            })
        });
        drop(slot);
        let _ = answer.send(done.and_then(|done| done));
    }
}

/// A page that was learned, and waits for the commit.
struct Learned {
    answer: Answer,
    slot: Slot,
    done: Result<Done, Problem>,
    held: Page,
}

pub(super) struct Learner {
    shared: Arc<Shared>,
    waiting: mpsc::Receiver<Ready>,
    /// The length of the state after it was last made smaller.
    tidy_bytes: u64,
    watched: u64,
}

impl Learner {
    pub(super) fn new(shared: Arc<Shared>, waiting: mpsc::Receiver<Ready>) -> Learner {
        Learner {
            shared,
            waiting,
            tidy_bytes: 0,
            watched: 0,
        }
    }

    /// Until the engine stops, and all that it took is done.
    pub(super) fn run(mut self) {
        self.tidy_bytes = self.state_bytes();
        while let Ok(first) = self.waiting.recv() {
            let batch = self.gather(first);
            self.learn(batch);
            self.tidy();
        }
        let _ = self.shared.commit();
    }

    /// The pages of the next commit.
    fn gather(&self, first: Ready) -> Vec<Ready> {
        let until = Instant::now() + PATIENCE;
        let mut patient = first.work.patient;
        let mut batch = vec![first];
        loop {
            let room = MOST_PAGES - batch.len();
            for ready in self.waiting.try_iter().take(room) {
                patient &= ready.work.patient;
                batch.push(ready);
            }
            let more = self.shared.in_view.load(Ordering::Relaxed) > 0;
            if !patient || !more || batch.len() >= ENOUGH_PAGES || Instant::now() >= until {
                return batch;
            }
            if let Ok(ready) = self.waiting.recv_timeout(LOOK) {
                patient &= ready.work.patient;
                batch.push(ready);
            }
        }
    }

    fn learn(&mut self, batch: Vec<Ready>) {
        let shared = &self.shared;
        let is_new: Vec<Result<bool, Problem>> = {
            let mut crawl = shared.write();
            let learn = |ready: &Ready| {
                let site = &ready.work.page.site;
                caught(|| crawl.learn_viewed(site, &ready.viewed))?.map_err(Problem::from)
            };
            batch.iter().map(learn).collect()
        };
        let (labelled, all_labelled) = mpsc::channel();
        for (ready, is_new) in batch.into_iter().zip(is_new) {
            let (shared, labelled) = (Arc::clone(shared), labelled.clone());
            let label = move || drop(labelled.send(finish(&shared, ready, is_new)));
            self.shared.jobs.run(Turn::Next, label);
        }
        drop(labelled);
        let labelled: Vec<Learned> = all_labelled.iter().collect();
        let committed = shared.commit();
        for page in labelled {
            let done = match (&committed, page.done) {
                (Err(problem), _) => Err(problem.clone()),
                (Ok(()), done) => done,
            };
            if let Ok(done) = &done {
                self.watched += u64::from(done.learned);
                let counts = &shared.counts;
                let count = match done.learned {
                    true => &counts.learned,
                    false => &counts.known,
                };
                count.fetch_add(1, Ordering::Relaxed);
                shared.recent().put(page.held);
            }
            drop(page.slot);
            let _ = page.answer.send(done);
        }
    }

    /// Keeps what grows in bounds: the state on disk, and the list of pages that did not fit.
    fn tidy(&mut self) {
        if self.watched > WATCHED_PAGES {
            self.watched = 0;
            self.shared.write().watch_drift(true);
        }
        let bytes = self.state_bytes();
        if bytes < TIDY_BYTES || bytes / 2 < self.tidy_bytes {
            return;
        }
        let tidied = self.shared.write().tidy();
        self.tidy_bytes = self.state_bytes();
        match tidied {
            Ok(None) => tracing::info!(bytes = self.tidy_bytes, "the state was made smaller"),
            Ok(Some(error)) | Err(error) => {
                tracing::warn!(%error, "the state could not be made smaller");
            }
        }
    }

    fn state_bytes(&self) -> u64 {
        let size = self.shared.read().state_size();
        size.map_or(0, |size| size.bytes)
    }
}

/// Labels a page that was learned, and makes its answer.
fn finish(shared: &Shared, ready: Ready, is_new: Result<bool, Problem>) -> Learned {
    let Ready {
        work,
        viewed,
        answer,
    } = ready;
    let Work {
        page,
        judge,
        render,
        slot,
        ..
    } = work;
    let done = is_new.and_then(|learned| {
        let Some(render) = render else {
            return Ok(Done {
                answer: Vec::new(),
                learned,
            });
        };
        caught(|| {
            let cleaned = shared.label(&page.site, &viewed, &judge)?;
            note(shared, &page, &cleaned, learned);
            Ok(Done {
                answer: render(&cleaned, learned),
                learned,
            })
        })?
    });
    Learned {
        answer,
        slot,
        done,
        held: page,
    }
}

/// Remembers how much of a new page was frame, to show how that changes.
fn note(shared: &Shared, page: &Page, cleaned: &CleanPage, learned: bool) {
    if learned {
        shared
            .timeline()
            .add(&page.site, Point::of(&page.url, cleaned));
    }
}
