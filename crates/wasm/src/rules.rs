//! The frame of a site as selectors, from pages that were cleaned.

use unframe::page::page_identity;
use unframe::rules::{About, Format, Observed, Outline, RuleSet, SiteRules};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::page::Page;

/// Collects pages, and finds selectors that agree with what was removed from them.
#[wasm_bindgen]
#[derive(Default)]
pub struct RuleFinder {
    observed: Observed,
    example: Option<String>,
}

#[wasm_bindgen]
impl RuleFinder {
    /// Without pages.
    #[wasm_bindgen(constructor)]
    pub fn new() -> RuleFinder {
        RuleFinder::default()
    }

    /// Adds a page that was cleaned.
    pub fn add(&mut self, page: &Page, url: &str) {
        let clean = page.clean();
        let outline = Outline::new(clean.page().dom(), clean.labels());
        self.observed.add(page_identity(Some(url), url), outline);
        self.example.get_or_insert_with(|| url.into());
    }

    /// The rules of a site in a format: css, json, xpath, adblock or ftr.
    pub fn write(&self, format: &str, site: &str) -> Result<String, JsError> {
        let format: Format = format.parse().map_err(|_| {
            JsError::new(&format!(
                "format: `{format}`; choose from css, json, xpath, adblock, ftr"
            ))
        })?;
        let found = self.observed.rules();
        Ok(format.write(&RuleSet {
            sections: vec![SiteRules {
                site: Some(site.into()),
                about: Some(About {
                    method: "auto".into(),
                    pages: self.observed.pages(),
                    example_url: self.example.clone(),
                    ..About::default()
                }),
                keep: found.keep,
                remove: found.remove,
            }],
        }))
    }
}
