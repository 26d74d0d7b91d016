//! One request at a time per host, with a delay between requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// When each host was last contacted. All ports of a host count as one host.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    hosts: Mutex<HashMap<String, Arc<Mutex<Turn>>>>,
}

#[derive(Debug, Default)]
struct Turn {
    /// When the last request ended.
    ended: Option<Instant>,
    /// The earliest time that the host itself asked for.
    not_before: Option<Instant>,
}

impl Pace {
    /// Runs the request when it is the host's turn, `delay` after the last one. The request may
    /// report that the host wants a longer delay before the next.
    pub(crate) fn ask<T>(
        &self,
        host: &str,
        delay: Duration,
        request: impl FnOnce() -> (T, Option<Duration>),
    ) -> T {
        let turn = {
            let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(hosts.entry(host.to_owned()).or_default())
        };
        let mut turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let after_last = turn.ended.map(|ended| ended + delay);
        if let Some(start) = after_last.max(turn.not_before) {
            thread::sleep(start.saturating_duration_since(Instant::now()));
        }
        let (out, pause) = request();
        let now = Instant::now();
        turn.ended = Some(now);
        turn.not_before = pause.map(|pause| now + pause);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn requests_to_one_host_wait_for_each_other() {
        let pace = Pace::default();
        let delay = Duration::from_millis(30);
        let running = AtomicUsize::new(0);
        let start = Instant::now();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    pace.ask("a.example", delay, || {
                        assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                        thread::sleep(Duration::from_millis(5));
                        running.fetch_sub(1, Ordering::SeqCst);
                        ((), None)
                    });
                });
            }
        });
        assert!(start.elapsed() >= 2 * delay + Duration::from_millis(15));
    }

    #[test]
    fn hosts_do_not_wait_for_others_but_may_ask_for_more() {
        let pace = Pace::default();
        let (hour, pause) = (Duration::from_secs(3600), Duration::from_millis(50));
        let start = Instant::now();
        pace.ask("a.example", hour, || ((), None));
        pace.ask("b.example", hour, || ((), Some(pause)));
        pace.ask("b.example", Duration::ZERO, || ((), None));
        assert!(start.elapsed() >= pause);
        assert!(start.elapsed() < hour);
    }
}
