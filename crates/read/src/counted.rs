//! Counts the input bytes as they are read, for a progress bar in another thread.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of bytes read so far, before decompression.
pub(crate) type Counter = Arc<AtomicU64>;

/// A reader that counts.
pub(crate) struct Counted<R> {
    inner: R,
    counter: Counter,
}

impl<R> Counted<R> {
    pub(crate) fn new(inner: R, counter: &Counter) -> Self {
        Counted {
            inner,
            counter: Arc::clone(counter),
        }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
