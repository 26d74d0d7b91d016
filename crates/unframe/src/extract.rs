//! One page, without its site.

use unframe_dom::PageBytes;
use unframe_site::StoreError;

use crate::clean_page::CleanPage;
use crate::site::Site;

/// Cleans a single page by its own evidence. With more pages of its site, [`Site`] does better.
///
/// ```
/// let html = "<title>Tea</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1>
///     <p>Green tea is steeped for two minutes, in water that has cooled a little.</p></article>";
/// let page = unframe::extract(Some("https://a.example/tea"), html);
/// assert!(page.text().contains("steeped for two minutes"));
/// ```
pub fn extract(url: Option<&str>, html: impl Into<PageBytes>) -> CleanPage {
    let mut site = Site::new();
    let cleaned: Result<CleanPage, StoreError> = site.clean(url.unwrap_or("page"), html);
    cleaned.expect("a site in main memory cannot fail")
}
