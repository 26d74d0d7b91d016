//! The threads that parse and label, and what waits for them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::{caught, lock};

type Job = Box<dyn FnOnce() + Send>;

/// Which jobs go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Before all that waits: a commit waits for it.
    Next,
    /// After what waits.
    Later,
}

#[derive(Default)]
struct Waiting {
    next: VecDeque<Job>,
    later: VecDeque<Job>,
}

/// The threads.
pub(super) struct Jobs {
    pool: ThreadPool,
    waiting: Arc<Mutex<Waiting>>,
}

impl Jobs {
    pub(super) fn new(threads: usize) -> Result<Jobs, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("page-{number}"))
            .build()?;
        Ok(Jobs {
            pool,
            waiting: Arc::default(),
        })
    }

    /// Runs a job as soon as it has its turn and a thread is free.
    pub(super) fn run(&self, turn: Turn, job: impl FnOnce() + Send + 'static) {
        {
            let mut waiting = lock(&self.waiting);
            let queue = match turn {
                Turn::Next => &mut waiting.next,
                Turn::Later => &mut waiting.later,
            };
            queue.push_back(Box::new(job));
        }
        let waiting = Arc::clone(&self.waiting);
        // As many times as there are jobs, but not necessarily this one.
        self.pool.spawn(move || {
            let job = {
                let mut waiting = lock(&waiting);
                let next = waiting.next.pop_front();
                next.or_else(|| waiting.later.pop_front())
            };
            // A panic here would end the process.
            let _ = job.map(caught);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn what_is_next_goes_before_what_waits() {
        let jobs = Jobs::new(1).unwrap();
        let (go, held) = mpsc::channel::<()>();
        let (done, order) = mpsc::channel();
        jobs.run(Turn::Later, move || held.recv().unwrap());
        for (turn, number) in [
            (Turn::Later, 2),
            (Turn::Next, 0),
            (Turn::Later, 3),
            (Turn::Next, 1),
        ] {
            let done = done.clone();
            jobs.run(turn, move || done.send(number).unwrap());
        }
        jobs.run(Turn::Later, || panic!("a fault in one job"));
        jobs.run(Turn::Later, move || done.send(4).unwrap());
        go.send(()).unwrap();
        assert_eq!(order.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
