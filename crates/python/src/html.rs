//! A page as Python has it: bytes or text.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use unframe::PageBytes;

use crate::error;

/// The bytes of a page. Those of `bytes` and `str` objects are not copied.
#[derive(Clone)]
pub struct Html {
    pub bytes: PageBytes,
    /// The charset that is known: that of the transport, or UTF-8 for text.
    pub charset: Option<String>,
}

impl Html {
    /// From an argument called `name`.
    pub fn of(html: &Bound<'_, PyAny>, name: &str) -> PyResult<Html> {
        let page = Html::unchecked(html, name)?;
        refuse_url(&page.bytes, name)?;
        Ok(page)
    }

    /// Bytes that need not be a page.
    pub fn unchecked(html: &Bound<'_, PyAny>, name: &str) -> PyResult<Html> {
        let bytes = if let Ok(bytes) = html.cast::<PyBytes>() {
            PageBytes::of_owner(PyBackedBytes::from(bytes.clone()))
        } else if let Ok(text) = html.cast::<PyString>() {
            return Ok(Html {
                bytes: PageBytes::of_owner(backed(text, name)?),
                charset: Some("utf-8".into()),
            });
        } else if let Ok(bytes) = html.cast::<PyByteArray>() {
            // It may change, so it is copied.
            bytes.to_vec().into()
        } else if html.cast::<PyMemoryView>().is_ok() {
            let bytes = html.py().get_type::<PyBytes>().call1((html,))?;
            PageBytes::of_owner(bytes.extract::<PyBackedBytes>()?)
        } else {
            let kind = html.get_type().name()?;
            let is_file = html.hasattr("read")? || html.hasattr("__fspath__")?;
            let hint = match is_file {
                true => "; read the file first",
                false => "",
            };
            return Err(PyTypeError::new_err(format!(
                "{name} must be bytes or str, not {kind}{hint}"
            )));
        };
        Ok(Html {
            bytes,
            charset: None,
        })
    }

    /// The same with a charset that the transport stated, unless the page is text already.
    pub fn with_charset(mut self, charset: Option<String>) -> Html {
        self.charset = self.charset.or(charset);
        self
    }
}

/// Refuses a page that is nothing but a URL: most likely, arguments were mixed up.
pub fn refuse_url(page: &[u8], name: &str) -> PyResult<()> {
    let is_url = page.len() < 2000
        && (page.starts_with(b"https://") || page.starts_with(b"http://"))
        && !page
            .iter()
            .any(|byte| byte.is_ascii_whitespace() || *byte == b'<');
    match is_url {
        false => Ok(()),
        true => Err(error::argument(format!(
            "{name} is a URL, not a page; nothing is fetched. Pass the page itself, then its URL"
        ))),
    }
}

/// Refuses a URL that is a page.
pub fn refuse_page(url: &str, name: &str) -> PyResult<()> {
    match url.trim_start().starts_with('<') {
        false => Ok(()),
        true => Err(error::argument(format!(
            "{name} is a page, not a URL; the page comes first in calls, as in extract(html, url), and second in \
             pairs, as in (url, html)"
        ))),
    }
}

/// A text whose bytes stay where they are.
fn backed(text: &Bound<'_, PyString>, name: &str) -> PyResult<PyBackedStr> {
    PyBackedStr::try_from(text.clone()).map_err(|_| lone_surrogate(name))
}

/// A text argument, such as a URL.
pub fn text(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let Ok(text) = value.cast::<PyString>() else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{name} must be str, not {kind}"
        )));
    };
    let text = text.to_str().map_err(|_| lone_surrogate(name))?;
    Ok(text.to_string())
}

fn lone_surrogate(name: &str) -> PyErr {
    let text = match name {
        "html" => "",
        _ => ".decode()",
    };
    error::argument(format!(
        "{name} contains a lone surrogate, which no charset can encode; write \
         {name}.encode('utf-8', 'replace'){text}"
    ))
}
