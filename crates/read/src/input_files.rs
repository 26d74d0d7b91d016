//! Which files the inputs are, under any of their names.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::source::Source;

/// The files that a pass reads. Callers check this set before they overwrite a file.
pub struct InputFiles {
    sources: Arc<Vec<Source>>,
    known: OnceLock<HashSet<Identity>>,
}

impl InputFiles {
    pub(crate) fn new(sources: &Arc<Vec<Source>>) -> Self {
        InputFiles {
            sources: Arc::clone(sources),
            known: OnceLock::new(),
        }
    }

    /// True for a file that is read, whether it was named, matched by a glob, found in a folder, or
    /// reached through links of any kind.
    pub fn contains(&self, path: &Path) -> bool {
        let Some(asked) = identity(path) else {
            return false;
        };
        let known = self.known.get_or_init(|| {
            let files = self.sources.iter().filter_map(|source| match source {
                Source::File(file) => identity(&file.path),
                Source::Stream { .. } | Source::Given(_) | Source::Skipped(_) => None,
            });
            files.collect()
        });
        known.contains(&asked)
    }
}

/// Device and inode number of a file, which hard links share.
#[cfg(unix)]
pub(crate) type Identity = (u64, u64);
/// The canonical path.
#[cfg(not(unix))]
pub(crate) type Identity = std::path::PathBuf;

#[cfg(unix)]
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let found = path.metadata().ok()?;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}
