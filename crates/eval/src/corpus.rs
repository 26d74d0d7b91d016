//! Lists the sets, sites and pages in a folder.
//!
//! A site is a folder with `pages/**` and, for the labels, `gold/**.json` under the same relative
//! paths. [`Corpus::open`] accepts one site, a set (a folder of sites) or a folder of sets, so that
//! the same command line argument can mean any of them. It reads only the structure and the kind of
//! each label; pages and labels are read when requested.
//!
//! Everything is sorted by name, so that two runs see the same order on any file system.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::{EvalError, gold};

/// The labelled sets found in one folder.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// The sets, by name.
    pub sets: Vec<Set>,
    /// Folders that are neither a set nor a site.
    pub skipped: Vec<PathBuf>,
}

/// Sites that are reported together.
#[derive(Debug, Clone)]
pub struct Set {
    /// The name of the folder.
    pub name: String,
    /// The sites, by name.
    pub sites: Vec<Site>,
}

/// One site with all of its pages.
#[derive(Debug, Clone)]
pub struct Site {
    /// The name of the folder.
    pub name: String,
    /// The folder that holds `pages/`.
    pub path: PathBuf,
    /// All pages by id, including those without a score: a method that learns from a whole site
    /// must see the whole site.
    pub pages: Vec<Page>,
}

/// One page and where its label is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The path below `pages/`, with `/` on every platform.
    pub id: String,
    /// The page as it was served.
    pub path: PathBuf,
    /// The label, if there is one.
    pub gold: Option<PathBuf>,
    /// Whether the page is scored: it has a label and is not a list.
    pub scored: bool,
}

impl Corpus {
    /// Finds the sites in `folder`: one site, a set of sites, or several sets.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, EvalError> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Err(EvalError::NotAFolder {
                path: folder.to_owned(),
            });
        }
        let mut corpus = Self {
            sets: Vec::new(),
            skipped: Vec::new(),
        };
        if is_site(folder) {
            let site = Site::open(folder)?;
            corpus.sets.push(Set {
                name: site.name.clone(),
                sites: vec![site],
            });
        } else if is_set(folder)? {
            let set = Set::open(folder, &mut corpus.skipped)?;
            corpus.sets.push(set);
        } else {
            for child in subfolders(folder)? {
                if is_set(&child)? {
                    let set = Set::open(&child, &mut corpus.skipped)?;
                    corpus.sets.push(set);
                } else {
                    corpus.skipped.push(child);
                }
            }
        }
        if corpus.sets.is_empty() {
            return Err(EvalError::NoSites {
                path: folder.to_owned(),
            });
        }
        Ok(corpus)
    }
}

impl Set {
    fn open(folder: &Path, skipped: &mut Vec<PathBuf>) -> Result<Self, EvalError> {
        let mut sites = Vec::new();
        for child in subfolders(folder)? {
            if is_site(&child) {
                sites.push(Site::open(&child)?);
            } else {
                skipped.push(child);
            }
        }
        Ok(Self {
            name: name_of(folder),
            sites,
        })
    }
}

impl Site {
    fn open(folder: &Path) -> Result<Self, EvalError> {
        let pages_folder = folder.join("pages");
        let mut gold_files = BTreeMap::new();
        let gold_folder = folder.join("gold");
        if gold_folder.is_dir() {
            for (name, path) in files_below(&gold_folder)? {
                if let Some(id) = name.strip_suffix(".json") {
                    gold_files.insert(id.to_owned(), path);
                }
            }
        }
        let mut pages = Vec::new();
        for (id, path) in files_below(&pages_folder)? {
            let gold = gold_files.remove(&id);
            let scored = match &gold {
                Some(gold) => gold::is_scored(gold)?,
                None => false,
            };
            pages.push(Page {
                id,
                path,
                gold,
                scored,
            });
        }
        if let Some((id, gold)) = gold_files.pop_first() {
            return Err(EvalError::PageMissing {
                gold,
                page: pages_folder.join(id),
            });
        }
        Ok(Self {
            name: name_of(folder),
            path: folder.to_owned(),
            pages,
        })
    }

    /// The pages that have a score.
    pub fn scored(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|page| page.scored)
    }
}

fn is_site(folder: &Path) -> bool {
    folder.join("pages").is_dir()
}

fn is_set(folder: &Path) -> Result<bool, EvalError> {
    Ok(subfolders(folder)?.iter().any(|child| is_site(child)))
}

/// The folder's own name, even if it is given as `.` or with a trailing slash.
pub(crate) fn name_of(folder: &Path) -> String {
    let named = folder.file_name().map(|name| name.to_owned());
    let named = named.or_else(|| Some(folder.canonicalize().ok()?.file_name()?.to_owned()));
    named.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

pub(crate) fn subfolders(folder: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    let mut children = read().map_err(|source| EvalError::Read {
        path: folder.to_owned(),
        source,
    })?;
    children.retain(|child| child.is_dir());
    children.sort();
    Ok(children)
}

/// Every file below `folder` with its relative path, sorted by the path.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<(String, PathBuf)>, EvalError> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder) {
        let entry = entry.map_err(|error| EvalError::Read {
            path: error.path().unwrap_or(folder).to_owned(),
            source: error.into(),
        })?;
        // A link to a file is also a page; the entry's own type would not tell.
        if !entry.path().is_file() {
            continue;
        }
        let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let parts: Vec<_> = relative
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        files.push((parts.join("/"), entry.into_path()));
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates empty pages and article labels at `files`, opens `opened`, and lists the result as
    /// `set/site: pages`.
    fn layout(files: &[&str], opened: &str) -> Result<Vec<String>, String> {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, r#"{"kind": "article"}"#).unwrap();
        }
        let corpus = Corpus::open(root.path().join(opened)).map_err(|error| {
            let root = format!("{}/", root.path().display());
            error.to_string().replace(&root, "")
        })?;
        let mut lines = Vec::new();
        for set in &corpus.sets {
            for site in &set.sites {
                let ids: Vec<&str> = site.pages.iter().map(|page| page.id.as_str()).collect();
                lines.push(format!("{}/{}: {}", set.name, site.name, ids.join(" ")));
            }
        }
        let skipped = corpus.skipped.iter().map(|path| name_of(path));
        lines.extend(skipped.map(|name| format!("skipped {name}")));
        Ok(lines)
    }

    const FILES: [&str; 7] = [
        "all/b/two/pages/x.html",
        "all/b/one/pages/z/y.html",
        "all/b/one/pages/a.html",
        "all/b/one/gold/a.html.json",
        "all/b/notes/todo.txt",
        "all/a/three/pages/index.html",
        "all/warc/some.warc",
    ];

    #[test]
    fn a_site_a_set_and_a_folder_of_sets_open() {
        for (opened, expected) in [
            ("all/b/one", vec!["one/one: a.html z/y.html"]),
            ("all/b/one/", vec!["one/one: a.html z/y.html"]),
            (
                "all/b",
                vec!["b/one: a.html z/y.html", "b/two: x.html", "skipped notes"],
            ),
            (
                "all",
                vec![
                    "a/three: index.html",
                    "b/one: a.html z/y.html",
                    "b/two: x.html",
                    "skipped notes",
                    "skipped warc",
                ],
            ),
        ] {
            assert_eq!(layout(&FILES, opened).unwrap(), expected, "{opened}");
        }
    }

    #[test]
    fn errors_name_the_path_and_the_shape() {
        for (files, opened, expected) in [
            (&FILES[..], "nowhere", "nowhere: not a folder; a corpus is"),
            (
                &FILES,
                "all/warc",
                "all/warc: no labelled site found; expected pages/",
            ),
            (
                &["s/one/pages/a.html", "s/one/gold/b.html.json"],
                "s",
                "s/one/gold/b.html.json: labels a page that is missing; expected it at s/one/pages/b.html",
            ),
        ] {
            let error = layout(files, opened).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_label_that_is_no_json_is_named() {
        let root = tempfile::tempdir().unwrap();
        for (folder, file) in [("pages", "a.html"), ("gold", "a.html.json")] {
            fs::create_dir(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join(file), "{").unwrap();
        }
        let error = Corpus::open(root.path()).unwrap_err();
        assert!(matches!(error, EvalError::Label { path, .. } if path.ends_with("a.html.json")));
    }
}
