//! Which pages are read: patterns to include and to exclude.
//!
//! One rule for all inputs. A pattern with `://` is matched against the URL of a page. Any other is
//! matched against the path of its file below the input, or else against the path of its URL. As in
//! `.gitignore`, a pattern without a slash inside matches at any depth, and what matches a directory
//! matches everything in it. `*` stops at a slash and `**` does not. Excluding wins.

use std::fmt;
use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use thiserror::Error;

use crate::RawPage;
use crate::sniff::is_named_as_page;
use crate::source::FileSource;

/// Which pages are read; see [`PageFilter::new`].
#[derive(Clone, Default)]
pub struct PageFilter {
    include: Option<Patterns>,
    exclude: Option<Patterns>,
}

/// A pattern that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{pattern}` is not a pattern ({reason}); write for example '*.html', 'docs/**' or 'https://a.example/news/**', and a wildcard that is meant literally as `[*]`"
)]
pub struct BadPattern {
    /// As it was written.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl PageFilter {
    /// Reads the pages that match one of the patterns of `include` (all, if there are none) and none
    /// of those of `exclude`. A pattern with `://` is matched against the URL of a page, any other
    /// against its path below the input or the path of its URL; without a slash inside, at any
    /// depth. `*` stops at a slash, `**` does not, and a folder stands for all that is in it.
    ///
    /// # Errors
    ///
    /// When a pattern is malformed.
    pub fn new(include: &[String], exclude: &[String]) -> Result<PageFilter, BadPattern> {
        Ok(PageFilter {
            include: Patterns::read(include)?,
            exclude: Patterns::read(exclude)?,
        })
    }

    /// Whether a page is read.
    pub(crate) fn reads(&self, page: &RawPage) -> bool {
        let matches = |patterns: &Patterns| {
            let url = page.url.as_deref();
            match (&page.path, url) {
                (Some(path), url) => {
                    patterns.match_path(path) || url.is_some_and(|url| patterns.match_url(url))
                }
                (None, Some(url)) => {
                    patterns.match_url(url) || patterns.match_path(Path::new(path_of(url)))
                }
                (None, None) => false,
            }
        };
        self.include.as_ref().is_none_or(matches) && !self.exclude.as_ref().is_some_and(matches)
    }

    /// Whether nothing at this path below an input is read.
    pub(crate) fn excludes_path(&self, path: &Path) -> bool {
        let exclude = self.exclude.as_ref();
        exclude.is_some_and(|patterns| patterns.match_path(path))
    }

    /// Whether a file need not be opened. One that may hold many pages is opened even if no pattern
    /// includes it, because the pages are matched by their URLs.
    pub(crate) fn skips_file(&self, file: &FileSource) -> bool {
        let include = self.include.as_ref().filter(|patterns| !patterns.has_urls);
        let left_out = include.is_some_and(|patterns| !patterns.match_path(&file.relative));
        self.excludes_path(&file.relative) || (left_out && is_named_as_page(&file.path))
    }
}

/// The path of a URL, without its leading slash.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split_once('/').map_or("", |(_, path)| path);
    path.split(['?', '#']).next().unwrap_or_default()
}

/// The patterns of one option.
#[derive(Clone)]
struct Patterns {
    paths: GlobSet,
    urls: GlobSet,
    has_urls: bool,
    texts: Vec<String>,
}

impl Patterns {
    fn read(texts: &[String]) -> Result<Option<Patterns>, BadPattern> {
        let (mut paths, mut urls) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let mut has_urls = false;
        for text in texts {
            let bad = |error: globset::Error| BadPattern {
                pattern: text.clone(),
                reason: error.kind().to_string(),
            };
            if text.trim_matches('/').is_empty() {
                let reason = "it is empty".to_owned();
                let pattern = text.clone();
                return Err(BadPattern { pattern, reason });
            }
            let is_url = text.contains("://");
            has_urls |= is_url;
            let set = if is_url { &mut urls } else { &mut paths };
            let inner = text.trim_end_matches('/');
            // Only a slash at the beginning or inside ties a pattern to the top.
            let pattern = match is_url || inner.contains('/') {
                true => inner.trim_start_matches('/').to_owned(),
                false => format!("**/{inner}"),
            };
            for pattern in [format!("{pattern}/**"), pattern] {
                let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
                set.add(glob.map_err(bad)?);
            }
        }
        let built = |set: GlobSetBuilder| {
            set.build().map_err(|error| BadPattern {
                pattern: texts.join(", "),
                reason: error.kind().to_string(),
            })
        };
        Ok(match texts.is_empty() {
            true => None,
            false => Some(Patterns {
                paths: built(paths)?,
                urls: built(urls)?,
                has_urls,
                texts: texts.to_vec(),
            }),
        })
    }

    fn match_path(&self, path: &Path) -> bool {
        self.paths.is_match(path)
    }

    fn match_url(&self, url: &str) -> bool {
        let url = url.split('#').next().unwrap_or_default();
        self.urls.is_match(url)
    }
}

impl PageFilter {
    fn texts(&self) -> [&[String]; 2] {
        [&self.include, &self.exclude].map(|patterns| {
            patterns
                .as_ref()
                .map_or(&[][..], |patterns| &patterns.texts)
        })
    }
}

impl PartialEq for PageFilter {
    fn eq(&self, other: &Self) -> bool {
        self.texts() == other.texts()
    }
}

impl Eq for PageFilter {}

impl fmt::Debug for PageFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [include, exclude] = self.texts();
        f.debug_struct("PageFilter")
            .field("include", &include)
            .field("exclude", &exclude)
            .finish()
    }
}
