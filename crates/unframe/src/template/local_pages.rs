//! The pages of one site, read from a folder, an archive or JSON lines, served by URL.

use foldhash::HashMap;
use unframe_dom::Limits;
use unframe_methods::links::{LoadError, Loaded, PageSource};
use unframe_page::{CanonicalUrl, Page, file_url};
use unframe_read::{InputError, Inputs, Item, RawPage, Skipped};

use super::linked::{linked_page, sort_fairly};

/// Limit for the total bytes of pages in memory; further pages are left out and counted.
const MOST_BYTES: usize = 1 << 30;

/// The URL of a page: its own, or one derived from its path in the folder.
pub fn page_url(raw: &RawPage) -> Option<String> {
    let of_file = || {
        let path = raw.path.as_deref()?;
        // With one folder per site, the first folder is the site.
        let inside = path.strip_prefix(&raw.site).unwrap_or(path);
        Some(file_url(&raw.site, inside))
    };
    raw.url.clone().or_else(of_file)
}

/// The pages of one site.
#[derive(Default)]
pub struct LocalPages {
    pages: HashMap<CanonicalUrl, RawPage>,
    limits: Limits,
    bytes: usize,
    left_out: usize,
}

impl LocalPages {
    /// Reads the pages of one site from inputs; `skipped` is called for skipped input. The site is
    /// that of `key`, which is a URL, a file, or the name of a page of an archive. Also returns the
    /// URL of the key page, if it was found.
    pub fn read(
        inputs: &mut Inputs,
        key: &str,
        limits: Limits,
        mut skipped: impl FnMut(&Skipped),
    ) -> Result<(LocalPages, Option<CanonicalUrl>), InputError> {
        let asked = CanonicalUrl::parse(key);
        let mut found = None;
        for item in inputs.read(true)? {
            if let Item::Page(raw) = item
                && is_asked_for(&raw, key, asked.as_ref())
            {
                found = url_of(&raw);
                break;
            }
        }
        let mut site = LocalPages {
            limits,
            ..LocalPages::default()
        };
        let host = found.as_ref().or(asked.as_ref()).map(CanonicalUrl::host);
        let Some(host) = host.map(str::to_string) else {
            return Ok((site, None));
        };
        for item in inputs.read(true)? {
            match item {
                Item::Page(raw) => {
                    let url = url_of(&raw).filter(|url| url.host() == host);
                    if let Some(url) = url {
                        site.insert(url, raw);
                    }
                }
                Item::Skipped(what) => skipped(&what),
            }
        }
        Ok((site, found))
    }

    /// Adds a page, unless there is already one with this URL.
    pub fn insert(&mut self, url: CanonicalUrl, raw: RawPage) {
        if self.bytes + raw.body.len() > MOST_BYTES {
            self.left_out += 1;
            return;
        }
        let size = raw.body.len();
        if let std::collections::hash_map::Entry::Vacant(place) = self.pages.entry(url) {
            place.insert(raw);
            self.bytes += size;
        }
    }

    /// The number of pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// True if there is no page.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Number of pages left out because of the memory limit.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The original page at a URL.
    pub fn raw(&self, url: &CanonicalUrl) -> Option<&RawPage> {
        self.pages.get(url)
    }

    /// The name of the page at a URL, for messages.
    pub fn name(&self, url: &CanonicalUrl) -> Option<&str> {
        self.raw(url).map(|raw| raw.name.as_str())
    }

    /// The URL of the page that a link to `url` leads to.
    pub fn find(&self, url: &CanonicalUrl) -> Option<&CanonicalUrl> {
        linked_page(url, |url| self.pages.get_key_value(url).map(|(url, _)| url))
    }
}

fn url_of(raw: &RawPage) -> Option<CanonicalUrl> {
    page_url(raw).as_deref().and_then(CanonicalUrl::parse)
}

/// Whether `key` is the URL, the path or the name of a page. `asked` is `key` as a URL, if it is one.
pub fn is_asked_for(raw: &RawPage, key: &str, asked: Option<&CanonicalUrl>) -> bool {
    let plain = |name: &str| name.trim_start_matches("./").to_string();
    let path = raw.path.as_deref().and_then(|path| path.to_str());
    plain(&raw.name) == plain(key)
        || path == Some(plain(key).as_str())
        || (asked.is_some() && url_of(raw).as_ref() == asked)
}

impl PageSource for LocalPages {
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
        let found = self.find(url).ok_or(LoadError::Missing)?.clone();
        let raw = &self.pages[&found];
        let page = Page::parse(
            raw.body.clone().into(),
            raw.url.clone(),
            raw.charset.as_deref(),
            &self.limits,
        );
        Ok(Loaded { page, url: found })
    }

    fn others(&mut self, key: &CanonicalUrl) -> Vec<CanonicalUrl> {
        let mut others: Vec<_> = self
            .pages
            .keys()
            .filter(|url| *url != key && url.host() == key.host())
            .cloned()
            .collect();
        sort_fairly(&mut others);
        others
    }
}
