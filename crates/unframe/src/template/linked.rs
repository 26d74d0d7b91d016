//! Which page of a site a link leads to, when the site is not asked.

use unframe_page::{CanonicalUrl, Fingerprint, Kind};

/// File names of a folder's index page.
const INDEX_NAMES: [&str; 4] = ["index.html", "index.htm", "default.html", "default.htm"];

/// The URL of the page that a link to `url` leads to; `known` finds a page by its exact URL.
pub fn linked_page<'a>(
    url: &CanonicalUrl,
    known: impl Fn(&CanonicalUrl) -> Option<&'a CanonicalUrl>,
) -> Option<&'a CanonicalUrl> {
    if let Some(url) = known(url) {
        return Some(url);
    }
    // Files have no query, and servers add index names and extensions that links omit.
    let root = format!("http://{}", url.host());
    let path = url.path();
    let under = |tail: &str| {
        let url = CanonicalUrl::parse(&format!("{root}{path}{tail}"))?;
        known(&url)
    };
    let slash = if path.ends_with('/') { "" } else { "/" };
    let is_file = url.host().ends_with(".invalid");
    let as_file = || under("").or_else(|| under(".html"));
    let as_folder = || {
        let mut names = INDEX_NAMES.iter();
        names.find_map(|name| under(&format!("{slash}{name}")))
    };
    match (is_file, url.query()) {
        (true, _) => as_file().or_else(as_folder),
        (false, None) => as_folder(),
        (false, Some(_)) => None,
    }
}

/// Sorts pages by a hash, so that any prefix is a fair and reproducible sample.
pub fn sort_fairly(pages: &mut [CanonicalUrl]) {
    pages.sort_by_cached_key(|url| Fingerprint::of(Kind::Page, url.to_string()));
}
