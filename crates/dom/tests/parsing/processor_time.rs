//! How much a piece of work costs, whatever else the machine has to do. Tests of other crates include this file, too.

use std::fs;
use std::time::{Duration, Instant};

/// What a closure returns, and the processor time that it needs on this thread. Systems other than Linux are not
/// asked: there it is the time that passes.
pub fn processor_time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (before, started) = (used(), Instant::now());
    let out = work();
    let taken = match (before, used()) {
        (Some(before), Some(after)) => after - before,
        _ => started.elapsed(),
    };
    (out, taken)
}

/// The processor time of this thread since it began.
fn used() -> Option<Duration> {
    let numbers = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = numbers.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
