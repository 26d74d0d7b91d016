//! Lists the files that the arguments stand for.
//!
//! Input: the arguments, one by one. Output: the list of files and streams to read, each with its
//! path inside its input and its site. Directories are walked now and not while reading, so that a
//! second pass sees the same files as the first, even if the run writes new ones among them.

mod globs;
mod walk;

use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::walk::{Found, Links, Walk};
use crate::filter::PageFilter;
use crate::sniff::Origin;
use crate::source::{FileSource, Source};
use crate::spool::{Spool, StreamSource};
use crate::{InputError, ReadOptions, SiteFrom, SkipReason, Skipped, site};

/// The length of a source, if it is known before reading.
pub(crate) fn size(source: &Source) -> Option<u64> {
    match source {
        Source::File(file) => Some(file.size),
        Source::Stream { .. } | Source::Given(_) => None,
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
    links: Links,
    filter: PageFilter,
    stdin: bool,
}

struct Loose {
    index: usize,
    directory: PathBuf,
    /// True for a named file; its path is relative to the common directory of all named files.
    named: bool,
}

impl Listing {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Listing {
            from: options.site_from,
            sources: Vec::new(),
            loose: Vec::new(),
            directories: Vec::new(),
            links: Links::new(options.follow_links),
            filter: options.filter.clone(),
            stdin: false,
        }
    }

    /// Adds what the arguments stand for.
    pub(crate) fn add_all(&mut self, args: &[OsString]) -> Result<(), InputError> {
        for arg in args {
            self.links.note(Path::new(arg));
        }
        args.iter().try_for_each(|arg| self.add(Path::new(arg)))
    }

    fn add(&mut self, arg: &Path) -> Result<(), InputError> {
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
            Ok(found) => match special_file(&found) {
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
                Some(url) if is_url(url) => return Err(InputError::Url(url.to_owned())),
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
        self.filter();
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
        let mut walk = Walk::new(directory, &mut self.links);
        while let Some(found) = walk.next() {
            let source = match found {
                Found::Directory(path) => {
                    let inner = path.strip_prefix(base).unwrap_or(&path);
                    if !self.filter.excludes_path(inner) {
                        continue;
                    }
                    walk.leave();
                    Source::Skipped(Skipped::at(&path, SkipReason::Excluded))
                }
                Found::Other(path, reason) => Source::Skipped(Skipped::at(&path, reason)),
                Found::File(path, size) => Source::File(FileSource {
                    relative: path.strip_prefix(base).unwrap_or(&path).to_path_buf(),
                    path,
                    site: "".into(),
                    size,
                    origin: Origin::Found,
                }),
            };
            self.sources.push(source);
        }
    }

    /// Replaces the files that are not to be read, so that they are not opened.
    fn filter(&mut self) {
        for source in &mut self.sources {
            if let Source::File(file) = source
                && self.filter.skips_file(file)
            {
                *source = Source::Skipped(Skipped::at(&file.path, SkipReason::Excluded));
            }
        }
    }
}

fn is_url(arg: &str) -> bool {
    let scheme = arg.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|s| s.eq_ignore_ascii_case("http") || s.eq_ignore_ascii_case("https"))
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
fn special_file(found: &std::fs::Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_socket().then_some("a socket")
}

/// The kind of a special file, if it cannot be read like a stream.
#[cfg(not(unix))]
fn special_file(_: &std::fs::Metadata) -> Option<&'static str> {
    None
}
