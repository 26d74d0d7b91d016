//! What is removed: the settings that every face of unframe takes.

use serde::Deserialize;
use unframe::methods::{Auto, Method, MethodEntry, MethodSpec};
use unframe::page::Selector;
use unframe::{Comments, Overrides};
use wasm_bindgen::{JsError, JsValue};

use crate::json::from_js;

/// The object that a caller passes.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Given {
    method: Option<String>,
    remove: Option<String>,
    favor: Option<String>,
    comments: Option<String>,
    protect: Vec<String>,
    remove_selector: Vec<String>,
    owner_marks: Option<bool>,
    reasons: bool,
    arrival: bool,
    watch_drift: bool,
}

/// The method with its parameters, and what overrules it.
pub struct SiteOptions {
    pub spec: MethodSpec,
    pub overrides: Overrides,
    /// Reasons say all they can.
    pub reasons: bool,
    pub watch_drift: bool,
}

impl SiteOptions {
    /// Reads an object.
    pub fn new(value: &JsValue) -> Result<SiteOptions, JsError> {
        let given: Given = from_js(value, "options")?;
        SiteOptions::of(given).map_err(|error| JsError::new(&error))
    }

    fn of(given: Given) -> Result<SiteOptions, String> {
        let (name, settings) = match &given.method {
            None => (Auto::NAME, ""),
            Some(method) => method.split_once(':').unwrap_or((method, "")),
        };
        let mut all = unframe::methods::params::split(settings);
        for (key, value) in [("remove", &given.remove), ("favor", &given.favor)] {
            let Some(value) = value else {
                continue;
            };
            if name != Auto::NAME && MethodEntry::named(name).is_some() {
                return Err(format!(
                    "{key}: only for the method `auto`, not for `{name}`; leave out one of them"
                ));
            }
            all.push((key, value));
        }
        if given.arrival && MethodEntry::named(name).is_some_and(MethodEntry::has_arrival) {
            all.push(("arrival", ""));
        }
        let spec = MethodSpec::new(name, &all)?;
        let comments = match given.comments.as_deref() {
            None | Some("drop") => Comments::Drop,
            Some("keep") => Comments::Keep,
            Some("only") => Comments::Only,
            Some(other) => {
                return Err(format!("comments: `{other}`; choose from drop, keep, only"));
            }
        };
        if comments != Comments::Drop && spec.name() != Auto::NAME {
            return Err(format!(
                "comments: only the method `auto` finds them, not `{}`; leave out one of them",
                spec.name()
            ));
        }
        Ok(SiteOptions {
            spec,
            overrides: Overrides {
                protect: selectors(&given.protect, "protect")?,
                remove: selectors(&given.remove_selector, "removeSelector")?,
                rules: None,
                owner_marks: given.owner_marks,
                comments,
            },
            reasons: given.reasons,
            watch_drift: given.watch_drift,
        })
    }
}

fn selectors(texts: &[String], name: &str) -> Result<Vec<Selector>, String> {
    let parse = |text: &String| text.parse().map_err(|error| format!("{name}: {error}"));
    texts.iter().map(parse).collect()
}
