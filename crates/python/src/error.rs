//! Rust errors as Python exceptions. The classes are in `unframe/errors.py`, because some have two bases.

use std::error::Error as StdError;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use unframe::StoreError;
use unframe::errors::{CleanError, InputError};

/// An exception of a class of `unframe.errors`.
pub fn new(class: &str, message: impl Into<String>) -> PyErr {
    let message = message.into();
    Python::attach(|py| {
        let class = py.import("unframe.errors").and_then(|m| m.getattr(class));
        match class.and_then(|class| class.call1((message.clone(),))) {
            Ok(exception) => PyErr::from_value(exception),
            Err(_) => PyRuntimeError::new_err(message),
        }
    })
}

/// A wrong argument. The message says what to write instead.
pub fn argument(message: impl Into<String>) -> PyErr {
    new("ArgumentError", message)
}

/// An error of a state or an exported site.
pub fn state(error: StoreError) -> PyErr {
    let class = match &error {
        StoreError::Missing(_) | StoreError::NoFolder { .. } => "StateNotFoundError",
        StoreError::InUse(_) => "StateInUseError",
        StoreError::Newer { .. }
        | StoreError::Earlier(_)
        | StoreError::OtherVersion { .. }
        | StoreError::OtherSnapshot(_)
        | StoreError::OtherParameters { .. } => "StateVersionError",
        StoreError::Damaged { .. }
        | StoreError::Foreign(_)
        | StoreError::Empty(_)
        | StoreError::Snapshot(_) => "StateDamagedError",
        StoreError::SeveralSites(_) => "ArgumentError",
        _ => "StateError",
    };
    let message = match &error {
        StoreError::SeveralSites(path) => format!(
            "state {}: it has several sites; name one with site=, or open them all with unframe.Crawl.open",
            path.display()
        ),
        error => error.to_string(),
    };
    new(class, message)
}

/// An input that cannot be read at all.
pub fn input(error: InputError) -> PyErr {
    let message = match &error {
        InputError::Url(url) => format!(
            "{url}: a URL; nothing is fetched. Pass the page itself, as in clean_pages([(url, html)])"
        ),
        error => error.to_string(),
    };
    let class = match error {
        InputError::NotFound { .. }
        | InputError::DanglingLink { .. }
        | InputError::GlobWithoutMatch { .. } => "InputNotFoundError",
        _ => "InputError",
    };
    new(class, message)
}

/// Why a run ended early.
pub fn run(error: CleanError) -> PyErr {
    match error {
        CleanError::Input(error) => input(error),
        CleanError::State(error) => state(error),
        error => new("Error", chain(&error)),
    }
}

/// An error with its causes.
fn chain(error: &dyn StdError) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    message
}
