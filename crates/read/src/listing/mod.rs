//! Lists the files that the arguments stand for.
//!
//! Input: the arguments, one by one. Output: the list of files and streams to read, each with its
//! path inside its input and its site. Directories are walked now and not while reading, so that a
//! second pass sees the same files as the first, even if the run writes new ones among them.

mod globs;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use crate::sniff::Origin;
use crate::source::{FileSource, Source};
use crate::spool::{Spool, StreamSource};
use crate::{InputError, SiteFrom, SkipReason, Skipped, site};

/// The length of a source, if it is known before reading.
pub(crate) fn size(source: &Source) -> Option<u64> {
    match source {
        Source::File(file) => Some(file.size),
        Source::Stream { .. } => None,
        Source::Skipped(_) => Some(0),
    }
}

/// Collects the sources.
pub(crate) struct Listing {
    from: SiteFrom,
    sources: Vec<Source>,
    /// The named and the matched files, by index. They form one site, which is known only after the
    /// last of them.
    loose: Vec<Loose>,
    /// The given directories, with the range of sources found in each. The names of their sites
    /// depend on the names of the other directories.
    directories: Vec<(PathBuf, Range<usize>)>,
    stdin: bool,
}

struct Loose {
    index: usize,
    directory: PathBuf,
    /// True for a named file; its path is relative to the common directory of all named files.
    named: bool,
}

impl Listing {
    pub(crate) fn new(from: SiteFrom) -> Self {
        Listing {
            from,
            sources: Vec::new(),
            loose: Vec::new(),
            directories: Vec::new(),
            stdin: false,
        }
    }

    pub(crate) fn add(&mut self, arg: &Path) -> Result<(), InputError> {
        if arg == Path::new("-") {
            if std::mem::replace(&mut self.stdin, true) {
                return Err(InputError::StdinTwice);
            }
            self.add_stream("-".to_owned(), StreamSource::Stdin);
            return Ok(());
        }
        let path = || arg.to_path_buf();
        match arg.metadata() {
            Ok(found) if found.is_dir() => {
                let before = self.sources.len();
                self.walk(arg, arg);
                self.directories.push((path(), before..self.sources.len()));
            }
            Ok(found) if found.is_file() => self.add_loose(path(), PathBuf::new(), found.len()),
            Ok(found) => match unreadable_kind(&found) {
                Some(what) => return Err(InputError::UnknownKind { path: path(), what }),
                None => self.add_stream(arg.display().to_string(), StreamSource::Path(path())),
            },
            Err(error) if is_missing(&error) => match arg.to_str() {
                _ if arg.is_symlink() => {
                    let target = arg.read_link().unwrap_or_default();
                    return Err(InputError::DanglingLink {
                        path: path(),
                        target,
                    });
                }
                Some(pattern) if pattern.contains(['*', '?', '[']) => self.add_matches(pattern)?,
                _ => {
                    let nearest = arg.ancestors().skip(1).find(|above| above.is_dir());
                    let nearest = nearest.unwrap_or(Path::new(".")).to_path_buf();
                    return Err(InputError::NotFound {
                        path: path(),
                        nearest,
                    });
                }
            },
            Err(reason) => {
                return Err(InputError::Unreadable {
                    path: path(),
                    reason,
                });
            }
        }
        Ok(())
    }

    /// Returns the list, now that the sites are known.
    pub(crate) fn finish(mut self) -> Vec<Source> {
        let common = site::common_directory(self.loose.iter().map(|l| l.directory.as_path()));
        let given = self.directories.iter().map(|(path, _)| path.as_path());
        // Without loose files, no directory name can collide with theirs.
        let of_loose = (!self.loose.is_empty()).then_some(common.as_path());
        let directories: Vec<&Path> = given.chain(of_loose).collect();
        let mut roots = site::of_directories(&directories);
        let root = of_loose.and_then(|_| roots.pop()).unwrap_or_default();
        for ((_, found), root) in self.directories.iter().zip(roots) {
            let mut last: Arc<str> = root.as_str().into();
            for source in &mut self.sources[found.clone()] {
                if let Source::File(file) = source {
                    let site = site::of_file(&file.relative, &root, self.from);
                    if *site != *last {
                        last = site.into();
                    }
                    file.site = Arc::clone(&last);
                }
            }
        }
        for loose in &self.loose {
            if let Source::File(file) = &mut self.sources[loose.index] {
                if loose.named {
                    let name = file.path.file_name().unwrap_or_default();
                    let inner = loose
                        .directory
                        .strip_prefix(&common)
                        .unwrap_or(Path::new(""));
                    file.relative = inner.join(name);
                }
                file.site = site::of_file(&file.relative, &root, self.from).into();
            }
        }
        self.sources
    }

    fn add_stream(&mut self, name: String, source: StreamSource) {
        let spool = Arc::new(Spool::new(source));
        self.sources.push(Source::Stream { name, spool });
    }

    /// Adds a file that was named (empty `relative`) or matched by a glob.
    fn add_loose(&mut self, path: PathBuf, relative: PathBuf, size: u64) {
        let above = match path.parent() {
            Some(above) if above != Path::new("") => above,
            _ => Path::new("."),
        };
        let directory = above.canonicalize().unwrap_or_else(|_| above.to_path_buf());
        let named = relative.as_os_str().is_empty();
        self.loose.push(Loose {
            index: self.sources.len(),
            directory,
            named,
        });
        let origin = Origin::Named;
        let site = "".into();
        self.sources.push(Source::File(FileSource {
            path,
            relative,
            site,
            size,
            origin,
        }));
    }

    /// Adds the contents of a directory, sorted by the bytes of the names, with paths relative to
    /// `base`.
    fn walk(&mut self, directory: &Path, base: &Path) {
        let walk = WalkDir::new(directory)
            .follow_links(true)
            .sort_by_file_name();
        for entry in walk {
            let found = entry.and_then(|entry| entry.metadata().map(|data| (entry, data)));
            let (entry, data) = match found {
                Ok(found) => found,
                Err(error) => {
                    self.sources.push(Source::Skipped(skipped_entry(&error)));
                    continue;
                }
            };
            if data.is_dir() {
                continue;
            }
            let path = entry.into_path();
            if !data.is_file() {
                let what = unreadable_kind(&data).unwrap_or("a pipe or device");
                let reason = SkipReason::NotHtml(what.to_owned());
                let name = path.display().to_string();
                self.sources.push(Source::Skipped(Skipped { name, reason }));
                continue;
            }
            let relative = path.strip_prefix(base).unwrap_or(&path).to_path_buf();
            let (site, size, origin) = ("".into(), data.len(), Origin::Found);
            self.sources.push(Source::File(FileSource {
                path,
                relative,
                site,
                size,
                origin,
            }));
        }
    }
}

fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(
        error.kind(),
        NotFound | NotADirectory | InvalidFilename | InvalidInput
    )
}

/// The kind of a special file, if it cannot be read like a stream.
#[cfg(unix)]
fn unreadable_kind(found: &std::fs::Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_socket().then_some("a socket")
}

/// The kind of a special file, if it cannot be read like a stream.
#[cfg(not(unix))]
fn unreadable_kind(_: &std::fs::Metadata) -> Option<&'static str> {
    None
}

fn skipped_entry(error: &walkdir::Error) -> Skipped {
    let path = error.path().unwrap_or(Path::new(""));
    let reason = match (error.loop_ancestor(), error.io_error()) {
        (Some(above), _) => SkipReason::LinkLoop(above.to_path_buf()),
        (_, Some(error)) => SkipReason::Unreadable(error.to_string()),
        _ => SkipReason::Unreadable(error.to_string()),
    };
    Skipped {
        name: path.display().to_string(),
        reason,
    }
}
