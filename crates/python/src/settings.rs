//! What is removed: the settings that every function takes, under the names that people know.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use unframe::methods::{Auto, Method, MethodEntry, MethodSpec};
use unframe::page::Selector;
use unframe::{Comments, Overrides};

use crate::error;
use crate::keywords::Keywords;

/// The method with its parameters, and what overrules it.
#[derive(Clone)]
pub struct Settings {
    pub spec: MethodSpec,
    pub overrides: Overrides,
}

impl Settings {
    /// Takes them from the keywords of a call.
    pub fn take(keywords: &mut Keywords<'_>) -> PyResult<Settings> {
        Settings::take_for(keywords, false)
    }

    /// The same for a run that labels pages at `arrival`, which some methods do in another way.
    pub fn take_for(keywords: &mut Keywords<'_>, arrival: bool) -> PyResult<Settings> {
        let method = keywords.text("method")?;
        let remove = keywords.text("remove")?;
        let precision = keywords.flag("favor_precision", false)?;
        let recall = keywords.flag("favor_recall", false)?;
        let comments = comments(keywords)?;
        let protect = selectors(keywords, "protect")?;
        let removed = selectors(keywords, "remove_selector")?;
        let owner_marks = keywords.optional_flag("owner_marks")?;
        let favor = match (precision, recall) {
            (true, true) => {
                return Err(error::argument(
                    "favor_precision and favor_recall exclude each other; leave one out",
                ));
            }
            (true, false) => Some("precision"),
            (false, true) => Some("recall"),
            (false, false) => None,
        };
        let spec = spec(method.as_deref(), remove.as_deref(), favor, arrival)?;
        if comments != Comments::Drop && spec.name() != Auto::NAME {
            return Err(error::argument(format!(
                "include_comments needs the method 'auto', because '{}' does not find comments; leave out \
                 method, or include_comments",
                spec.name()
            )));
        }
        Ok(Settings {
            spec,
            overrides: Overrides {
                protect,
                remove: removed,
                rules: None,
                owner_marks,
                comments,
            },
        })
    }

    /// The same as keyword arguments, for pickle.
    pub fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("method", self.spec.to_string())?;
        let texts = |by: &[Selector]| by.iter().map(Selector::to_string).collect::<Vec<_>>();
        dict.set_item("protect", texts(&self.overrides.protect))?;
        dict.set_item("remove_selector", texts(&self.overrides.remove))?;
        dict.set_item("owner_marks", self.overrides.owner_marks)?;
        match self.overrides.comments {
            Comments::Drop => {}
            Comments::Keep => dict.set_item("include_comments", true)?,
            Comments::Only => dict.set_item("include_comments", "only")?,
        }
        Ok(dict)
    }
}

fn spec(
    method: Option<&str>,
    remove: Option<&str>,
    favor: Option<&str>,
    arrival: bool,
) -> PyResult<MethodSpec> {
    let (name, settings) = match method {
        None => (Auto::NAME, ""),
        Some(method) => method.split_once(':').unwrap_or((method, "")),
    };
    let mut all = unframe::methods::params::split(settings);
    let named = [
        ("remove", "remove", remove),
        ("favor", "favor_precision and favor_recall", favor),
    ];
    for (key, keyword, value) in named {
        let Some(value) = value else {
            continue;
        };
        if name != Auto::NAME && MethodEntry::named(name).is_some() {
            return Err(error::argument(format!(
                "{keyword}: only for the method 'auto', not for '{name}'; leave out one of them"
            )));
        }
        all.push((key, value));
    }
    if arrival && MethodEntry::named(name).is_some_and(MethodEntry::has_arrival) {
        all.push(("arrival", ""));
    }
    MethodSpec::new(name, &all).map_err(error::argument)
}

fn comments(keywords: &mut Keywords<'_>) -> PyResult<Comments> {
    let Some(value) = keywords.take("include_comments")? else {
        return Ok(Comments::Drop);
    };
    if let Ok(keep) = value.cast::<PyBool>() {
        return Ok(match keep.is_true() {
            true => Comments::Keep,
            false => Comments::Drop,
        });
    }
    match value.extract::<String>().as_deref() {
        Ok("only") => Ok(Comments::Only),
        _ => Err(error::argument(format!(
            "include_comments must be True, False or 'only', not {}",
            value.repr()?
        ))),
    }
}

/// CSS selectors.
fn selectors(keywords: &mut Keywords<'_>, name: &'static str) -> PyResult<Vec<Selector>> {
    let texts = keywords.texts(name)?.unwrap_or_default();
    texts.iter().map(|text| selector(text, name)).collect()
}

/// A CSS selector of an argument.
pub fn selector(text: &str, name: &str) -> PyResult<Selector> {
    text.parse()
        .map_err(|error| crate::error::new("SelectorError", format!("{name}: {error}")))
}
