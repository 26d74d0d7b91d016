//! Sites and crawls that are still open when the interpreter exits. It does not free every object then, so what they
//! have learned is committed before.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use pyo3::prelude::*;

/// Something that is kept in a file.
pub trait Durable: Send + Sync {
    /// Commits what was learned, unless another thread is at work with it.
    fn commit_at_exit(&self);
}

static OPEN: Mutex<Vec<Weak<dyn Durable>>> = Mutex::new(Vec::new());

/// Has it committed at exit, if it is still there.
pub fn remember(durable: &Arc<dyn Durable>) {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|one| one.strong_count() > 0);
    open.push(Arc::downgrade(durable));
}

/// Commits all that are open. Python calls it when it exits.
#[pyfunction]
pub fn commit_all(py: Python<'_>) {
    py.detach(|| {
        let open = std::mem::take(&mut *OPEN.lock().unwrap_or_else(PoisonError::into_inner));
        for durable in open.iter().filter_map(Weak::upgrade) {
            durable.commit_at_exit();
        }
    });
}
