//! One site: learns from its pages, and cleans them.

use unframe::page::content_fingerprint;
use unframe::{Crawl, ViewedPage};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::html::Html;
use crate::options::SiteOptions;
use crate::page::Page;

/// What is learned of one web site, and what cleans its pages.
#[wasm_bindgen]
pub struct Site {
    crawl: Crawl,
}

/// What the only site is called; nobody sees it.
const NAME: &str = "site";

#[wasm_bindgen]
impl Site {
    /// A site that knows no pages.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Site, JsError> {
        let options = SiteOptions::new(options)?;
        let mut crawl = Crawl::with_method(&options.spec);
        crawl.set_overrides(options.overrides);
        crawl.set_full_reasons(options.reasons);
        crawl.watch_drift(options.watch_drift);
        Ok(Site { crawl })
    }

    /// The site that [`to_bytes`](Site::to_bytes) wrote.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8], options: &JsValue) -> Result<Site, JsError> {
        let mut site = Site::new(options)?;
        site.merge(bytes)?;
        Ok(site)
    }

    /// Learns a page; false if it was known as it is.
    pub fn learn(
        &mut self,
        html: &JsValue,
        url: Option<String>,
        charset: Option<String>,
    ) -> Result<bool, JsError> {
        let (viewed, _) = self.view(html, url, charset)?;
        self.learn_viewed(&viewed)
    }

    /// Learns a page, and cleans it by all that has been learned so far.
    pub fn clean(
        &mut self,
        html: &JsValue,
        url: Option<String>,
        charset: Option<String>,
    ) -> Result<Page, JsError> {
        let (viewed, is_text) = self.view(html, url, charset)?;
        self.learn_viewed(&viewed)?;
        let page = self.crawl.label_viewed(NAME, &viewed)?;
        Ok(Page::new(page, is_text))
    }

    /// Cleans a page by what has been learned so far, without learning from it.
    pub fn label(
        &mut self,
        html: &JsValue,
        url: Option<String>,
        charset: Option<String>,
    ) -> Result<Page, JsError> {
        let (viewed, is_text) = self.view(html, url, charset)?;
        let page = self.crawl.label_viewed(NAME, &viewed)?;
        Ok(Page::new(page, is_text))
    }

    /// The same, and each text is explained.
    pub fn why(
        &mut self,
        html: &JsValue,
        url: Option<String>,
        charset: Option<String>,
    ) -> Result<Page, JsError> {
        let (viewed, is_text) = self.view(html, url, charset)?;
        let page = self.crawl.why_viewed(NAME, &viewed)?;
        Ok(Page::new(page, is_text))
    }

    /// Number of pages that have been learned.
    #[wasm_bindgen(getter)]
    pub fn pages(&mut self) -> Result<f64, JsError> {
        // Exact up to 2^53.
        Ok(self.crawl.pages(NAME)? as f64)
    }

    /// All that has been learned, for [`from_bytes`](Site::from_bytes) and [`merge`](Site::merge).
    // What is borrowed by JavaScript is borrowed at run time; a name for a copy is the right one there.
    #[allow(clippy::wrong_self_convention)]
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, JsError> {
        Ok(self.crawl.export(NAME)?)
    }

    /// Adds what another site has learned from other pages; returns how many pages were added.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<f64, JsError> {
        Ok(self.crawl.import(NAME, bytes)? as f64)
    }

    /// A state file of this site alone, as the command line reads it with `--state`. `name` is what the site
    /// is called there.
    #[wasm_bindgen(js_name = stateFile)]
    pub fn state_file(&mut self, name: &str) -> Result<Vec<u8>, JsError> {
        let bytes = self.crawl.export(NAME)?;
        let mut file = Crawl::with_engine(std::sync::Arc::clone(self.crawl.engine()));
        file.import(name, &bytes)?;
        Ok(file.state_bytes()?)
    }
}

impl Site {
    fn view(
        &self,
        html: &JsValue,
        url: Option<String>,
        charset: Option<String>,
    ) -> Result<(ViewedPage, bool), JsError> {
        let html = Html::new(html, charset)?;
        let is_text = html.is_text;
        let name = url.unwrap_or_else(|| unnamed(&html.bytes));
        let (bytes, charset) = html.into_parts();
        let viewed = self.crawl.viewer().view(&name, bytes, charset.as_deref());
        Ok((viewed, is_text))
    }

    fn learn_viewed(&mut self, viewed: &ViewedPage) -> Result<bool, JsError> {
        Ok(self.crawl.learn_viewed(NAME, viewed)?)
    }
}

/// What a page without a URL is known by, so that it does not replace another one.
fn unnamed(html: &[u8]) -> String {
    format!("page-{:032x}", content_fingerprint(html).0)
}

/// Cleans a single page by its own evidence.
#[wasm_bindgen]
pub fn extract(
    html: &JsValue,
    url: Option<String>,
    options: &JsValue,
    charset: Option<String>,
) -> Result<Page, JsError> {
    Site::new(options)?.clean(html, url, charset)
}
