//! Values for JavaScript: what can be written as JSON becomes objects and arrays.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsError, JsValue};

/// A value as JavaScript has it.
pub fn to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    let json = serde_json::to_string(value)?;
    js_sys::JSON::parse(&json).map_err(|_| JsError::new("a value cannot be read by JavaScript"))
}

/// What a caller passed as an object. `undefined` and `null` are the default; `what` names it in errors.
pub fn from_js<T: DeserializeOwned + Default>(value: &JsValue, what: &str) -> Result<T, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    let json = js_sys::JSON::stringify(value)
        .ok()
        .and_then(|json| json.as_string());
    let json = json.ok_or_else(|| JsError::new(&format!("{what}: must be an object")))?;
    serde_json::from_str(&json)
        .map_err(|error| JsError::new(&format!("{what}: {}", without_place(&error))))
}

/// The message without line and column, which nobody wrote.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].into(),
        None => text,
    }
}
