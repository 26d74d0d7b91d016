//! The pages that a user hands over: items of an iterable, as pages of a run.

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString, PyTuple};
use unframe::read::{GivenPage, InputFields};

use crate::html::{self, Html};
use crate::learn_many::unnamed;
use crate::{error, values};

/// Which keys of a dict hold the URL and the page.
#[derive(Clone)]
pub struct ItemKeys {
    pub url: String,
    pub html: String,
}

/// Keys of a dict, or of the third part of a tuple, that are not passed through.
const KNOWN: [&str; 5] = ["source", "site", "charset", "date", "input"];

const FORMS: &str = "(url, html), or a dict such as {'url': …, 'html': …}";

/// The first page of an iterable. If it has a URL for a page, or a page for a URL, that is a mistake; later ones are
/// data.
pub fn first_page(item: &Bound<'_, PyAny>, keys: &ItemKeys) -> PyResult<GivenPage> {
    let page = page(item, keys)?;
    html::refuse_url(&page.body, &keys.html)?;
    if let Some(url) = &page.url {
        html::refuse_page(url, &keys.url)?;
    }
    Ok(page)
}

/// A page of an item: `(url, html)`, `(url, html, more)` or a dict.
pub fn page(item: &Bound<'_, PyAny>, keys: &ItemKeys) -> PyResult<GivenPage> {
    let mut page = read(item, keys)?;
    page.url = page.url.filter(|url| !url.trim().is_empty());
    // Its number would be that of another page in the next run.
    if page.url.is_none() && page.name.is_none() {
        page.name = Some(unnamed(&page.body));
    }
    Ok(page)
}

fn read(item: &Bound<'_, PyAny>, keys: &ItemKeys) -> PyResult<GivenPage> {
    if let Ok(parts) = item.cast::<PyTuple>() {
        let more = match parts.len() {
            2 => None,
            3 => Some(parts.get_item(2)?),
            length => {
                return Err(PyTypeError::new_err(format!(
                    "a page is {FORMS}; here is a tuple of {length}"
                )));
            }
        };
        let mut page = GivenPage::default();
        let url = parts.get_item(0)?;
        if !url.is_none() {
            page.url = Some(html::text(&url, "url")?);
        }
        put_html(&mut page, &parts.get_item(1)?, "html")?;
        if let Some(more) = more.filter(|more| !more.is_none()) {
            let Ok(more) = more.cast::<PyMapping>() else {
                let message = "the third part of a page must be a dict of what else is known";
                return Err(PyTypeError::new_err(message));
            };
            put_more(&mut page, more, &[])?;
        }
        return Ok(page);
    }
    if let Ok(dict) = item.cast::<PyMapping>() {
        let Some(body) = value_of(dict, &keys.html)? else {
            let names: Vec<String> = dict.keys()?.iter().map(|k| k.to_string()).collect();
            return Err(error::argument(format!(
                "a page has no key '{}', but {}; name the key with html_field=",
                keys.html,
                names.join(", ")
            )));
        };
        let mut page = GivenPage::default();
        if let Some(url) = value_of(dict, &keys.url)?
            && !url.is_none()
        {
            page.url = Some(html::text(&url, &keys.url)?);
        }
        put_html(&mut page, &body, &keys.html)?;
        put_more(&mut page, dict, &[&keys.url, &keys.html])?;
        return Ok(page);
    }
    let kind = item.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "a page is {FORMS}; here is a {kind}"
    )))
}

/// The value of a key; none if there is no such key.
fn value_of<'py>(dict: &Bound<'py, PyMapping>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    match dict.get_item(key) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyKeyError>(dict.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

fn put_html(page: &mut GivenPage, body: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let html = Html::unchecked(body, name)?;
    page.body = html.bytes.into();
    page.charset = html.charset;
    Ok(())
}

/// What else is known of a page; other keys are passed through to the output.
fn put_more(page: &mut GivenPage, more: &Bound<'_, PyMapping>, taken: &[&str]) -> PyResult<()> {
    let others = PyDict::new(more.py());
    for item in more.items()?.iter() {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let name = key.str()?;
        let name = name.to_str()?;
        if taken.contains(&name) {
            continue;
        }
        if name == "truncated" && value.is_truthy()? {
            page.truncated = true;
            continue;
        }
        if !KNOWN.contains(&name) || !(value.is_instance_of::<PyString>() || name == "input") {
            others.set_item(key, value)?;
            continue;
        }
        match name {
            "source" => page.name = Some(html::text(&value, name)?),
            "site" => page.site = Some(html::text(&value, name)?),
            "date" => page.date = Some(html::text(&value, name)?),
            // Text is UTF-8, whatever the transport has said.
            "charset" if page.charset.is_none() => page.charset = Some(html::text(&value, name)?),
            "input" => {
                if let Ok(input) = value.cast::<PyDict>() {
                    others.update(input.as_mapping())?;
                }
            }
            _ => {}
        }
    }
    if !others.is_empty() {
        let json = values::dumps(&others).map_err(|cause| {
            let message = format!("a page has a value that JSON cannot hold: {cause}");
            PyTypeError::new_err(message)
        })?;
        let input = InputFields::of_object(&json, page.body.len());
        page.input = input.map_err(|error| error::argument(error.to_string()))?;
    }
    Ok(())
}
