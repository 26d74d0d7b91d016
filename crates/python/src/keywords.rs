//! Keyword arguments that several functions share. Each is taken once; what remains is a mistake.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::{error, html};

/// The keyword arguments of one call.
pub struct Keywords<'py> {
    function: &'static str,
    given: Option<Bound<'py, PyDict>>,
    /// All that were asked for, for the error.
    known: Vec<&'static str>,
}

impl<'py> Keywords<'py> {
    pub fn new(function: &'static str, given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        Ok(Keywords {
            function,
            given: given.map(|given| given.copy()).transpose()?,
            known: Vec::new(),
        })
    }

    /// The value of an argument; none if it is missing or `None`.
    pub fn take(&mut self, name: &'static str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.known.push(name);
        let Some(given) = &self.given else {
            return Ok(None);
        };
        let Some(value) = given.get_item(name)? else {
            return Ok(None);
        };
        given.del_item(name)?;
        Ok((!value.is_none()).then_some(value))
    }

    /// A text.
    pub fn text(&mut self, name: &'static str) -> PyResult<Option<String>> {
        let value = self.take(name)?;
        value.map(|value| html::text(&value, name)).transpose()
    }

    /// True or false. Other values are a mistake, as in `include_tables="no"`.
    pub fn flag(&mut self, name: &'static str, default: bool) -> PyResult<bool> {
        Ok(self.optional_flag(name)?.unwrap_or(default))
    }

    /// The same without a default.
    pub fn optional_flag(&mut self, name: &'static str) -> PyResult<Option<bool>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        match value.cast::<PyBool>() {
            Ok(value) => Ok(Some(value.is_true())),
            Err(_) => {
                let kind = value.get_type().name()?;
                let message = format!("{name} must be True or False, not {kind}");
                Err(PyTypeError::new_err(message))
            }
        }
    }

    /// A whole number from 1 on.
    pub fn count(&mut self, name: &'static str) -> PyResult<Option<usize>> {
        let value = self.take(name)?;
        value.map(|value| count(&value, name)).transpose()
    }

    /// A whole number from 1 on, however large.
    pub fn positive(&mut self, name: &'static str) -> PyResult<Option<usize>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        match value.extract::<usize>() {
            Ok(number) if number > 0 => Ok(Some(number)),
            _ => Err(error::argument(format!(
                "{name} must be a whole number from 1 on, not {}",
                value.repr()?
            ))),
        }
    }

    /// A path.
    pub fn path(&mut self, name: &'static str) -> PyResult<Option<PathBuf>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        match value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
            true => value.extract().map(Some),
            false => {
                let kind = value.get_type().name()?;
                let message = format!("{name} must be a path, not {kind}");
                Err(PyTypeError::new_err(message))
            }
        }
    }

    /// Texts: a list, or a single one.
    pub fn texts(&mut self, name: &'static str) -> PyResult<Option<Vec<String>>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        if value.is_instance_of::<PyString>() {
            return Ok(Some(vec![html::text(&value, name)?]));
        }
        let Ok(items) = value.try_iter() else {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{name} must be a list of str, not {kind}"
            )));
        };
        let texts = items.map(|item| html::text(&item?, name));
        texts.collect::<PyResult<_>>().map(Some)
    }

    /// Refuses arguments that nobody has asked for.
    pub fn finish(self) -> PyResult<()> {
        let Some(given) = self.given else {
            return Ok(());
        };
        let Some(unknown) = given.keys().iter().next() else {
            return Ok(());
        };
        let mut known = self.known;
        known.sort_unstable();
        Err(PyTypeError::new_err(format!(
            "{}() got an unexpected keyword argument {}; there are {}",
            self.function,
            unknown.repr()?,
            known.join(", ")
        )))
    }
}

/// A whole number from 1 on, such as a number of threads.
pub fn count(value: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    match value.extract::<i64>() {
        Ok(count @ 1..=1_000) => Ok(count as usize),
        Ok(_) => Err(error::argument(format!("{name} must be from 1 to 1,000"))),
        Err(_) => Err(PyTypeError::new_err(format!(
            "{name} must be a whole number from 1 to 1,000, not {}",
            value.repr()?
        ))),
    }
}
