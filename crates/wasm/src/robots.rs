//! What a site's `robots.txt` allows (RFC 9309).

use wasm_bindgen::prelude::wasm_bindgen;

/// Our name in the groups of a `robots.txt`.
const AGENT: &str = "unframe";

/// The rules of a site.
#[wasm_bindgen]
pub struct Robots(robotxt::Robots);

#[wasm_bindgen]
impl Robots {
    /// Reads a `robots.txt`.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &[u8]) -> Robots {
        Robots(robotxt::Robots::parse(text, AGENT))
    }

    /// Whether a page may be loaded.
    pub fn allows(&self, url: &str) -> bool {
        let Ok(url) = url::Url::parse(url) else {
            return false;
        };
        self.0.is_url_allowed(&url)
    }

    /// The pause between two requests that the site asks for, in seconds.
    #[wasm_bindgen(getter)]
    pub fn delay(&self) -> Option<f64> {
        self.0.crawl_delay().map(|delay| delay.as_secs_f64())
    }
}
