//! Output of cleaned pages: standard output, one file per page, or one archive.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use unframe::page::{CanonicalUrl, page_identity};
use unframe::read::{InputFiles, RawPage};
use unframe_console::exit::say;

use crate::archive_output::ArchiveOutput;
use crate::format::Format;

/// Receives rendered pages in order.
pub enum Output {
    /// One after another on standard output; with a heading for each in formats for reading.
    Stdout {
        out: BufWriter<Stdout>,
        headings: bool,
    },
    /// Each in a file below a folder.
    Folder(Folder),
    /// All in one archive.
    Archive(ArchiveOutput),
    /// No output, or an index only.
    Nowhere,
}

const STDOUT: &str = "cannot write to standard output";

/// A tree of files that mirrors the tree of the pages.
pub struct Folder {
    root: PathBuf,
    extension: &'static str,
    /// Input files, which are never overwritten.
    inputs: InputFiles,
    written: HashSet<PathBuf>,
    /// The folder created last; most pages go into the same folder as the page before.
    made: PathBuf,
    /// Pages whose file could not be written.
    pub failures: u64,
    /// Pages that were renamed because another page has their file name.
    pub renamed: u64,
}

impl Output {
    pub fn stdout(headings: bool) -> Self {
        Output::Stdout {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            headings,
        }
    }

    /// The folder may also hold inputs.
    pub fn folder(root: &Path, format: Format, inputs: InputFiles) -> anyhow::Result<Self> {
        fs::create_dir_all(root)
            .with_context(|| format!("cannot create folder {}", root.display()))?;
        Ok(Output::Folder(Folder {
            root: root.into(),
            extension: format.extension(),
            inputs,
            written: HashSet::new(),
            made: root.into(),
            failures: 0,
            renamed: 0,
        }))
    }

    /// Writes a page that was fetched at `date`.
    pub fn write(
        &mut self,
        name: &str,
        place: &Path,
        date: Option<&str>,
        bytes: &[u8],
    ) -> anyhow::Result<()> {
        match self {
            Output::Stdout { out, headings } => {
                let written = match headings {
                    true => writeln!(out, "==> {name} <==")
                        .and_then(|()| out.write_all(bytes))
                        .and_then(|()| writeln!(out)),
                    false => out.write_all(bytes),
                };
                written.context(STDOUT)
            }
            Output::Folder(folder) => folder.write(name, place, bytes),
            Output::Archive(archive) => archive.write(date, bytes),
            Output::Nowhere => Ok(()),
        }
    }

    pub fn finish(&mut self) -> anyhow::Result<()> {
        match self {
            Output::Stdout { out, .. } => out.flush().context(STDOUT),
            Output::Archive(archive) => archive.finish(),
            Output::Folder(_) | Output::Nowhere => Ok(()),
        }
    }
}

impl Folder {
    /// Writes a page's file. If a file cannot be written, that page fails and the run continues; a
    /// full disk ends the run, because all other pages would fail too.
    fn write(&mut self, name: &str, place: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        let file = self.free_name(place);
        let written = self
            .make_folder(&file)
            .and_then(|()| fs::write(&file, bytes));
        match written {
            Ok(()) => Ok(()),
            Err(error) if is_full(&error) => Err(error).with_context(|| {
                format!(
                    "cannot write {}; free some space and run again",
                    file.display()
                )
            }),
            Err(error) => {
                self.failures += 1;
                let file = file.display();
                say(format_args!(
                    "unframe: {name}: cannot write {file}: {error}\n"
                ));
                Ok(())
            }
        }
    }

    fn make_folder(&mut self, file: &Path) -> io::Result<()> {
        match file.parent() {
            Some(folder) if folder != self.made => {
                fs::create_dir_all(folder)?;
                self.made = folder.into();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The page's path with the extension, or with `~2`, `~3`, … if another page of this run has
    /// that path, or an input is read from it.
    fn free_name(&mut self, place: &Path) -> PathBuf {
        let named = |suffix: String| {
            let mut name = place.as_os_str().to_os_string();
            name.push(suffix);
            PathBuf::from(name)
        };
        let mut relative = named(format!(".{}", self.extension));
        let mut number = 1;
        let is_input = |relative: &Path| self.inputs.contains(&self.root.join(relative));
        while self.written.contains(&relative) || is_input(&relative) {
            number += 1;
            relative = named(format!("~{number}.{}", self.extension));
        }
        self.renamed += u64::from(number > 1);
        let file = self.root.join(&relative);
        self.written.insert(relative);
        file
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Longest file name that is not shortened; with extension and number it must be below 255 bytes.
const LONGEST_NAME: usize = 200;

/// The path of a page's file in the output folder: its path in the input, or host and path of its
/// URL. No input can name a path outside the folder.
pub fn place(raw: &RawPage) -> PathBuf {
    if let Some(path) = &raw.path {
        let inner: PathBuf = path
            .components()
            .filter(|c| matches!(c, Component::Normal(_)))
            .collect();
        if !inner.as_os_str().is_empty() {
            return inner;
        }
    }
    let Some(url) = raw.url.as_deref().and_then(CanonicalUrl::parse) else {
        return PathBuf::from(file_name(raw.url.as_deref().unwrap_or(&raw.name)));
    };
    let mut place = PathBuf::from(file_name(url.host()));
    let words: Vec<&str> = url
        .path()
        .split('/')
        .filter(|word| !word.is_empty())
        .collect();
    let (last, folders) = match words.split_last() {
        Some((last, folders)) if !url.path().ends_with('/') => (*last, folders),
        _ => ("index", &words[..]),
    };
    place.extend(folders.iter().map(|word| file_name(word)));
    let last = match url.query() {
        Some(query) => format!("{last}?{query}"),
        None => last.to_string(),
    };
    place.push(file_name(&last));
    place
}

/// A text as one file name.
fn file_name(text: &str) -> String {
    let mut name: String = text
        .chars()
        .map(|c| {
            if c == '/' || c == '\\' || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect();
    if name.is_empty() || name == "." || name == ".." {
        name = format!("_{name}");
    }
    if name.len() > LONGEST_NAME {
        let print = page_identity(None, &name).to_string();
        name.truncate(name.floor_char_boundary(LONGEST_NAME - 17));
        name = format!("{name}~{}", &print[..16]);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(path: Option<&str>, url: Option<&str>) -> RawPage {
        RawPage {
            name: "pages.jsonl:17".into(),
            url: url.map(str::to_string),
            path: path.map(PathBuf::from),
            site: "s".into(),
            charset: None,
            body: Vec::new(),
            date: None,
            record_id: None,
            truncated: false,
            input: Default::default(),
        }
    }

    #[test]
    fn places() {
        for (path, url, expected) in [
            (Some("a/b.html"), None, "a/b.html"),
            (Some("a/b.html"), Some("http://h/x"), "a/b.html"),
            (Some("../../etc/passwd"), None, "etc/passwd"),
            (Some("/etc/passwd"), None, "etc/passwd"),
            (None, Some("http://h"), "h/index"),
            (None, Some("http://h/a/"), "h/a/index"),
            (
                None,
                Some("http://h/a/b.html?x=/../y"),
                "h/a/b.html?x=_.._y",
            ),
            (None, Some("http://h/%2e%2e/%2e%2e/x"), "h/x"),
            (
                None,
                Some("http://h:8080/..%2f..%2fx"),
                "h:8080/..%2F..%2Fx",
            ),
            (None, Some("not a url"), "not a url"),
            (None, Some(".."), "_.."),
            (None, None, "pages.jsonl:17"),
        ] {
            assert_eq!(
                place(&raw(path, url)),
                PathBuf::from(expected),
                "{path:?} {url:?}"
            );
        }
        let long = format!("http://h/{}", "x".repeat(4000));
        let place = place(&raw(None, Some(&long)));
        assert!(place.file_name().unwrap().len() <= LONGEST_NAME);
    }
}
