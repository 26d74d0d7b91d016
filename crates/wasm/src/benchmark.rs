//! Scores on labelled sites, the same as those of `unframe-lab bench`.
//!
//! ```text
//! pages/**, gold/**.json ─► texts.rs         words of the content
//! TECO's folders         ─► elements.rs      elements of the template
//! ```
//!
//! A site can be larger than what should be in memory at once. So files are not handed over all at once: the site
//! asks for one after another, some of them twice, and the host can stop between any two.

mod elements;
mod texts;

use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::finder::GivenSearch;
use crate::json::{from_js, to_js};
use elements::ElementSite;
use texts::TextSite;

/// One labelled site that is scored.
#[wasm_bindgen]
pub struct Benchmark {
    site: Box<dyn LabelledSite>,
}

/// A site with one kind of labels. Errors are for the user, and name the file.
trait LabelledSite {
    /// The file that is needed next.
    fn next(&self) -> Option<Wanted>;

    /// Takes that file. Returns the scores of a page if that is what the file was for. `clock` counts milliseconds.
    fn give(
        &mut self,
        bytes: Vec<u8>,
        clock: &dyn Fn() -> f64,
    ) -> Result<Option<ScoredPage>, String>;

    /// Takes that there is no such file. Fails if the site cannot be scored without it.
    fn fail(&mut self, reason: &str) -> Result<(), String>;

    /// The means of the pages that were scored.
    fn mean(&self) -> Option<Mean>;
}

/// A file that is needed.
#[derive(Debug, PartialEq, Serialize)]
struct Wanted {
    path: String,
    /// A page is scored with it; before that, the site is read.
    scores: bool,
    /// Of the files that are read before anything is scored, from 1.
    number: usize,
    of: usize,
}

/// The scores of a page; none if its label does not have what it takes.
#[derive(Debug, PartialEq, Serialize)]
struct ScoredPage {
    path: String,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
    /// What the engine took for the page, in milliseconds.
    ms: f64,
    /// Why nothing was found, which counts as 0.
    problem: Option<String>,
}

/// The means of a site's pages.
#[derive(Debug, PartialEq, Serialize)]
struct Mean {
    pages: usize,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
    ms: f64,
}

#[wasm_bindgen]
unsafe extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now() -> f64;
}

#[wasm_bindgen]
impl Benchmark {
    /// The site in a folder of this name, which has files at these paths. With `pages/` and `gold/` it is scored
    /// by its texts, otherwise by elements, with the pages and votes of `options`.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, paths: Vec<String>, options: &JsValue) -> Result<Benchmark, JsError> {
        let given: GivenSearch = from_js(options, "options")?;
        let has = |folder: &str| paths.iter().any(|path| path.starts_with(folder));
        let site: Result<Box<dyn LabelledSite>, String> = match has("pages/") && has("gold/") {
            true => TextSite::new(name, &paths).map(|site| Box::new(site) as _),
            false => given
                .params()
                .map(|params| Box::new(ElementSite::new(name, paths, params)) as _),
        };
        let site = site.map_err(|error| JsError::new(&error))?;
        Ok(Benchmark { site })
    }

    /// The file that is needed next: `{path, scores, number, of}`; nothing when all is done.
    pub fn next(&self) -> Result<JsValue, JsError> {
        to_js(&self.site.next())
    }

    /// Hands over that file. Returns the scores of a page, if it was needed for them.
    pub fn give(&mut self, bytes: Vec<u8>) -> Result<JsValue, JsError> {
        let scored = self.site.give(bytes, &now);
        to_js(&scored.map_err(|error| JsError::new(&error))?)
    }

    /// Says why that file cannot be read.
    pub fn fail(&mut self, reason: &str) -> Result<(), JsError> {
        let skipped = self.site.fail(reason);
        skipped.map_err(|error| JsError::new(&error))
    }

    /// The means of the pages that were scored; nothing if there are none.
    pub fn mean(&self) -> Result<JsValue, JsError> {
        to_js(&self.site.mean())
    }
}

/// The mean of times; 0 if there are none.
fn mean_time(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

fn cannot_be_read(path: &str, reason: &str) -> String {
    format!("{path}: cannot be read: {reason}")
}

/// What is said if a file is handed over that nobody wants.
const NOT_ASKED: &str = "no file was asked for; call next() first";

/// Gives a site all the files that it asks for.
#[cfg(test)]
fn score_all(
    site: &mut dyn LabelledSite,
    read: impl Fn(&str) -> Vec<u8>,
) -> Result<Vec<ScoredPage>, String> {
    let mut scored = Vec::new();
    while let Some(wanted) = site.next() {
        scored.extend(site.give(read(&wanted.path), &|| 0.0)?);
    }
    Ok(scored)
}
