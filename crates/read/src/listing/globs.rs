//! Lists the files that a pattern such as `site/**/*.html` matches. This is for patterns that the
//! shell did not expand; if it does, the matches arrive as separate arguments.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, glob_with};

use super::{Listing, Loose};
use crate::source::Source;
use crate::{InputError, SkipReason, Skipped};

impl Listing {
    /// Adds everything that `pattern` matches.
    pub(super) fn add_matches(&mut self, pattern: &str) -> Result<(), InputError> {
        // The glob crate drops a leading `./` from what it finds.
        let pattern = pattern.trim_start_matches("./");
        let base = literal_base(pattern);
        let bad = |reason: &str| InputError::BadGlob {
            pattern: pattern.to_owned(),
            reason: reason.to_owned(),
        };
        let found = glob_with(pattern, MatchOptions::new()).map_err(|error| bad(error.msg))?;
        let mut matches = Vec::new();
        for entry in found {
            match entry {
                Ok(path) => matches.push(path),
                Err(error) => {
                    let name = error.path().display().to_string();
                    let reason = SkipReason::Unreadable(error.error().to_string());
                    self.sources.push(Source::Skipped(Skipped { name, reason }));
                }
            }
        }
        if matches.is_empty() {
            let pattern = pattern.to_owned();
            let base = match base.as_os_str().is_empty() {
                true => PathBuf::from("./"),
                false => base,
            };
            return Err(InputError::GlobWithoutMatch { pattern, base });
        }
        matches.sort();
        let mut walked: Option<PathBuf> = None;
        for path in matches {
            // `**/*` matches a directory and also everything in it, which has been added already.
            if walked
                .as_ref()
                .is_some_and(|walked| path.starts_with(walked))
            {
                continue;
            }
            let relative = path.strip_prefix(&base).unwrap_or(&path).to_path_buf();
            match path.metadata() {
                Ok(data) if data.is_file() => self.add_loose(path, relative, data.len()),
                Ok(data) if data.is_dir() => {
                    self.walk_match(&path, &base);
                    walked = Some(path);
                }
                Ok(_) => self.add(&path)?,
                Err(error) => {
                    let name = path.display().to_string();
                    let reason = SkipReason::Unreadable(error.to_string());
                    self.sources.push(Source::Skipped(Skipped { name, reason }));
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

/// The directory before the first wildcard, as written; empty for the current directory.
fn literal_base(pattern: &str) -> PathBuf {
    let wild = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    let end = pattern[..wild].rfind('/').map_or(0, |slash| slash + 1);
    PathBuf::from(&pattern[..end])
}
