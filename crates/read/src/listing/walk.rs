//! Walks a directory in the order of names, and decides which links to follow.
//!
//! A link that the walk finds was not named by the user, and may lead out of the input. It is
//! therefore reported and not followed, unless the options say so. Then every directory and file is
//! read once: under its own path if the inputs contain it, else where the first link leads to it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::special_file;
use crate::SkipReason;
use crate::input_files::{Identity, identity};

/// Something that a walk finds.
pub(super) enum Found {
    Directory(PathBuf),
    /// A regular file with its length.
    File(PathBuf, u64),
    /// Anything else, with the reason why it is not read.
    Other(PathBuf, SkipReason),
}

/// Whether links are followed, and what is read, whatever its path.
pub(super) struct Links {
    follow: bool,
    /// Empty unless links are followed.
    read: HashSet<Identity>,
}

impl Links {
    pub(super) fn new(follow: bool) -> Links {
        let read = HashSet::new();
        Links { follow, read }
    }

    /// Notes what an argument contains, before any link is followed to it.
    pub(super) fn note(&mut self, arg: &Path) {
        if !self.follow {
            return;
        }
        for entry in WalkDir::new(arg).into_iter().flatten() {
            if !entry.file_type().is_symlink() {
                self.read.extend(identity(entry.path()));
            }
        }
    }
}

/// A walk over a directory, which is itself not among what it finds.
pub(super) struct Walk<'a> {
    entries: walkdir::IntoIter,
    links: &'a mut Links,
    /// The link to a directory that was followed last.
    followed: Option<PathBuf>,
}

impl Walk<'_> {
    pub(super) fn new<'a>(directory: &Path, links: &'a mut Links) -> Walk<'a> {
        let entries = WalkDir::new(directory)
            .follow_links(links.follow)
            .sort_by_file_name();
        Walk {
            entries: entries.into_iter(),
            links,
            followed: None,
        }
    }

    /// Continues after the directory that was found last.
    pub(super) fn leave(&mut self) {
        self.entries.skip_current_dir();
    }

    /// Whether what an entry leads to is read elsewhere. What no link leads to is read in its place.
    fn is_read_elsewhere(&mut self, entry: &DirEntry) -> bool {
        let path = entry.path();
        let inside = |link: &PathBuf| path.starts_with(link);
        if !self.followed.as_ref().is_some_and(inside) {
            if !entry.path_is_symlink() {
                return false;
            }
            self.followed = Some(path.to_path_buf());
        }
        identity(path).is_some_and(|identity| !self.links.read.insert(identity))
    }
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) if entry.depth() == 0 => continue,
                Ok(entry) => entry,
                Err(error) => return Some(failed(&error)),
            };
            let kind = entry.file_type();
            if kind.is_symlink() {
                let path = entry.into_path();
                let target = path.read_link().unwrap_or_default();
                return Some(Found::Other(path, SkipReason::Link(target)));
            }
            if self.is_read_elsewhere(&entry) {
                if kind.is_dir() {
                    self.leave();
                }
                let path = entry.into_path();
                return Some(Found::Other(path, SkipReason::LinkedTwice));
            }
            if kind.is_dir() {
                return Some(Found::Directory(entry.into_path()));
            }
            return Some(match entry.metadata() {
                Ok(data) if data.is_file() => Found::File(entry.into_path(), data.len()),
                Ok(data) => {
                    let what = special_file(&data).unwrap_or("a pipe or device");
                    let reason = SkipReason::NotHtml(what.to_owned());
                    Found::Other(entry.into_path(), reason)
                }
                Err(error) => failed(&error),
            });
        }
    }
}

fn failed(error: &walkdir::Error) -> Found {
    let path = error.path().unwrap_or(Path::new(""));
    let reason = match (error.loop_ancestor(), error.io_error()) {
        (Some(above), _) => SkipReason::LinkLoop(above.to_path_buf()),
        // Only links that are followed arrive here: one to nothing, or one to itself.
        _ if path.is_symlink() => SkipReason::DanglingLink(path.read_link().unwrap_or_default()),
        (_, Some(error)) => SkipReason::Unreadable(error.to_string()),
        _ => SkipReason::Unreadable(error.to_string()),
    };
    Found::Other(path.to_path_buf(), reason)
}
