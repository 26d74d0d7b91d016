//! How inputs are read: which site a page belongs to, which JSON fields are used, and how long a
//! page may be.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::filter::PageFilter;

/// The options of [`Inputs::open`](crate::Inputs::open).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// What decides which site a page belongs to. Default: [`SiteFrom::Host`].
    pub site_from: SiteFrom,
    /// The site of pages without a URL. Default: none, so the site is named after their folder.
    pub site: Option<String>,
    /// All pages belong to `site`, whatever their URL. Default: false.
    pub one_site: bool,
    /// The URL of the page, if the only input is `-` or one file that holds one page. Default:
    /// none. Archives and JSON lines state their own URLs and ignore this.
    pub url: Option<String>,
    /// The field of a JSON line that holds the URL. Default: `url`.
    pub url_field: String,
    /// The field of a JSON line that holds the page. Default: `html`.
    pub html_field: String,
    /// Follows the links found in directories and by globs. Default: false, because a link may lead
    /// out of the input. Links that are arguments themselves are always followed.
    pub follow_links: bool,
    /// Which pages are read. Default: all.
    pub filter: PageFilter,
    /// Longer page bodies are cut here and marked truncated. In bytes, after decompression.
    /// Default: 16 MiB. Raising it costs up to three times as much memory for the page that is
    /// being read.
    pub max_page_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            site_from: SiteFrom::Host,
            site: None,
            one_site: false,
            url: None,
            url_field: "url".to_owned(),
            html_field: "html".to_owned(),
            follow_links: false,
            filter: PageFilter::default(),
            max_page_bytes: 16 << 20,
        }
    }
}

/// What decides which site a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SiteFrom {
    /// The host of its URL (`www.` is kept, and a port other than the default is appended); without
    /// a URL, the directory it was found in.
    #[default]
    Host,
    /// The registrable domain of its URL (`a.example.co.uk` gives `example.co.uk`).
    Domain,
    /// For pages without a URL, the first folder below the input directory.
    Folder,
}

impl SiteFrom {
    const NAMES: [(&'static str, SiteFrom); 3] = [
        ("host", SiteFrom::Host),
        ("domain", SiteFrom::Domain),
        ("folder", SiteFrom::Folder),
    ];

    /// The site of the page at a URL; `None` if the URL has no host.
    pub fn site_of(self, url: &str) -> Option<String> {
        crate::site::of_url(url, self)
    }
}

impl fmt::Display for SiteFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, value)| value == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// The word is not a name of a [`SiteFrom`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a way to group pages into sites; use host, domain or folder")]
pub struct UnknownSiteFrom(pub String);

impl FromStr for SiteFrom {
    type Err = UnknownSiteFrom;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == word);
        found
            .map(|(_, value)| *value)
            .ok_or_else(|| UnknownSiteFrom(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_site_from_are_read_back() {
        for (name, value) in SiteFrom::NAMES {
            assert_eq!(value.to_string(), name);
            assert_eq!(name.parse(), Ok(value));
        }
        assert!("hosts".parse::<SiteFrom>().is_err());
    }
}
