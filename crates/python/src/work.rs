//! Runs work with the interpreter detached: panics become exceptions, and Ctrl-C is noticed.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use pyo3::prelude::*;
use unframe::batch::Progress;

use crate::error;

/// How often Python is asked whether a signal has arrived.
pub const SIGNALS: Duration = Duration::from_millis(50);

/// Runs short work: no more than a page.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|panic| crashed(&panic_message(&*panic)))
}

/// Runs long work on a thread of its own. A signal stops it; its handler's exception is raised after the
/// work has come to a consistent end.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    progress: &Progress,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            let _ = sender.send(done);
        });
        // A receiver cannot be shared, but a detached closure can borrow it mutably.
        let mut receiver = receiver;
        let mut interrupt = None;
        loop {
            let receiver = &mut receiver;
            match py.detach(move || receiver.recv_timeout(SIGNALS)) {
                Ok(done) => {
                    let done = done.map_err(|panic| crashed(&panic_message(&*panic)));
                    return interrupt.map_or(done, Err);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(crashed("a thread ended without a result"));
                }
            }
            if let (None, Err(signal)) = (&interrupt, py.check_signals()) {
                progress.stop();
                interrupt = Some(signal);
            }
        }
    })
}

/// The message of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or(panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "no message".into())
}

/// The exception for a panic, which is a mistake in unframe.
pub fn crashed(message: &str) -> PyErr {
    let message = format!("unframe crashed ({message}); please report it with the page");
    error::new("Error", message)
}
