//! Plain data as Python objects.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use serde::Serialize;
use unframe::render::FieldValue;

/// An object of dicts, lists, texts and numbers.
pub fn object<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &serde_json::to_string(value).expect("plain data"))
}

/// The value of a field.
pub fn field<'py>(py: Python<'py>, value: &FieldValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        FieldValue::Text(text) => PyString::new(py, text).into_any(),
        FieldValue::Integer(number) => number.into_pyobject(py)?.into_any(),
        FieldValue::Number(number) => number.into_pyobject(py)?.into_any(),
        FieldValue::Json(json) => loads(py, json.get())?,
    })
}

/// JSON text as an object.
pub fn loads<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    LOADS.import(py, "json", "loads")?.call1((json,))
}

/// An object as JSON text, as compact as our own.
pub fn dumps(value: &Bound<'_, PyAny>) -> PyResult<String> {
    static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let dumps = DUMPS.get_or_try_init(py, || {
        let kwargs = pyo3::types::PyDict::new(py);
        kwargs.set_item("separators", (",", ":"))?;
        kwargs.set_item("allow_nan", false)?;
        let dumps = py.import("json")?.getattr("dumps")?;
        let partial = py.import("functools")?.getattr("partial")?;
        Ok::<_, PyErr>(partial.call((dumps,), Some(&kwargs))?.unbind())
    })?;
    dumps.bind(py).call1((value,))?.extract()
}
