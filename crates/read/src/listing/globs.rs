//! Lists the files that a pattern such as `site/**/*.html` matches. This is for patterns that the
//! shell did not expand; if it does, the matches arrive as separate arguments.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::walk::{Found, Walk};
use super::{Listing, Loose};
use crate::source::Source;
use crate::{InputError, SkipReason, Skipped};

impl Listing {
    /// Adds everything that `pattern` matches.
    pub(super) fn add_matches(&mut self, pattern: &str) -> Result<(), InputError> {
        let pattern = Pattern::read(pattern.trim_start_matches("./"))?;
        let found = pattern.search(self);
        if found.is_empty() {
            let base = match pattern.base.as_os_str().is_empty() {
                true => PathBuf::from("./"),
                false => pattern.base,
            };
            let pattern = pattern.text;
            return Err(InputError::GlobWithoutMatch { pattern, base });
        }
        for found in found {
            match found {
                Found::File(path, size) => {
                    let relative = path.strip_prefix(&pattern.base).unwrap_or(&path);
                    let relative = relative.to_path_buf();
                    self.add_loose(path, relative, size);
                }
                Found::Directory(path) => self.walk_match(&path, &pattern.base),
                // A pipe that was matched is read like one that was named.
                Found::Other(path, SkipReason::NotHtml(_)) => self.add(&path)?,
                Found::Other(path, reason) => {
                    let skipped = Skipped::at(&path, reason);
                    self.sources.push(Source::Skipped(skipped));
                }
            }
        }
        Ok(())
    }

    /// Adds the contents of a matched directory; they belong to the site of the loose files.
    fn walk_match(&mut self, directory: &Path, base: &Path) {
        let before = self.sources.len();
        self.walk(directory, base);
        let above = directory.parent().filter(|above| *above != Path::new(""));
        let above = above.unwrap_or(Path::new("."));
        let above = above.canonicalize().unwrap_or_else(|_| above.to_path_buf());
        for index in before..self.sources.len() {
            self.loose.push(Loose {
                index,
                directory: above.clone(),
                named: false,
            });
        }
    }
}

/// A pattern, split where the walk for its matches begins.
struct Pattern {
    text: String,
    /// The directory before the first wildcard, as written; empty for the current directory.
    base: PathBuf,
    whole: GlobMatcher,
    /// What a directory must match for its contents to be looked at, by depth; deeper ones are
    /// looked at as far as a `**` reaches.
    above: Vec<GlobMatcher>,
    recursive: bool,
    directories_only: bool,
}

impl Pattern {
    fn read(text: &str) -> Result<Pattern, InputError> {
        let wild = text.find(['*', '?', '[']).unwrap_or(text.len());
        let base = text[..wild].rfind('/').map_or(0, |slash| slash + 1);
        let rest = &text[base..];
        let names: Vec<&str> = rest.split('/').filter(|name| !name.is_empty()).collect();
        let matcher = |names: &[&str]| {
            let glob = names.join("/");
            let glob = GlobBuilder::new(&glob).literal_separator(true).build();
            let bad = |error: globset::Error| InputError::BadGlob {
                pattern: text.to_owned(),
                reason: error.kind().to_string(),
            };
            glob.map(|glob| glob.compile_matcher()).map_err(bad)
        };
        let fixed = names.iter().position(|name| *name == "**");
        let above = 1..fixed.unwrap_or(names.len().saturating_sub(1)) + 1;
        Ok(Pattern {
            text: text.to_owned(),
            base: PathBuf::from(&text[..base]),
            whole: matcher(&names)?,
            above: above
                .map(|depth| matcher(&names[..depth]))
                .collect::<Result<_, _>>()?,
            recursive: fixed.is_some(),
            directories_only: rest.ends_with('/'),
        })
    }

    fn search(&self, listing: &mut Listing) -> Vec<Found> {
        let start = match self.base.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.base,
        };
        if !start.is_dir() {
            return Vec::new();
        }
        let inner = |path: &Path| path.strip_prefix(start).unwrap_or(path).to_path_buf();
        let mut matches = Vec::new();
        let mut walk = Walk::new(start, &mut listing.links);
        while let Some(found) = walk.next() {
            let (Found::Directory(path) | Found::File(path, _) | Found::Other(path, _)) = &found;
            let inner = inner(path);
            let is_match = self.whole.is_match(&inner);
            let is_wanted = match &found {
                Found::Directory(_) => is_match,
                Found::Other(path, SkipReason::Link(_)) => {
                    is_match || (path.is_dir() && self.leads_into(&inner))
                }
                // Matches may have been below it.
                Found::Other(_, SkipReason::Unreadable(_)) => is_match || self.leads_into(&inner),
                _ => is_match && !self.directories_only,
            };
            // All that is in a matched directory is read.
            let is_directory = matches!(found, Found::Directory(_));
            if is_directory && (is_match || !self.leads_into(&inner)) {
                walk.leave();
            }
            if is_wanted {
                matches.push(self.as_written(found, inner));
            }
        }
        matches
    }

    /// Whether there may be matches below this directory.
    fn leads_into(&self, inner: &Path) -> bool {
        let depth = inner.components().count();
        match depth.checked_sub(1).map(|at| self.above.get(at)) {
            None => true,
            Some(Some(above)) => above.is_match(inner),
            Some(None) => {
                self.recursive
                    && self.above.last().is_none_or(|above| {
                        let fixed = inner.components().take(self.above.len());
                        above.is_match(fixed.collect::<PathBuf>())
                    })
            }
        }
    }

    /// With the path below the base as it was written, without a `./` that the walk put before it.
    fn as_written(&self, found: Found, inner: PathBuf) -> Found {
        let path = self.base.join(inner);
        match found {
            Found::Directory(_) => Found::Directory(path),
            Found::File(_, size) => Found::File(path, size),
            Found::Other(_, reason) => Found::Other(path, reason),
        }
    }
}
