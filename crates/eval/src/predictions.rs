//! Texts kept by other tools, to be scored alongside the methods.
//!
//! Either a folder of `<site>/<page>.txt` (or `<set>/<site>/<page>.txt`, as `unframe-lab bench --texts`
//! writes them), or a file of JSON lines with `site`, `page` and `text` (and `set`, if sites of
//! several sets have the same name).

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::EvalError;
use crate::gold::Text;

/// The texts of one tool.
#[derive(Clone, Debug)]
pub struct Predictions {
    path: PathBuf,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Folder,
    /// By set (empty if not given), site and page.
    Lines(HashMap<[String; 3], String>),
}

/// One line of JSON.
#[derive(Deserialize)]
struct Kept {
    #[serde(default)]
    set: String,
    site: String,
    page: String,
    text: Option<Text>,
}

impl Predictions {
    /// Opens a folder, or reads a file of JSON lines.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, EvalError> {
        let path = path.as_ref().to_owned();
        if path.is_dir() {
            let source = Source::Folder;
            return Ok(Predictions { path, source });
        }
        let unreadable = |source| EvalError::Read {
            path: path.clone(),
            source,
        };
        let file = fs::File::open(&path).map_err(unreadable)?;
        let mut texts = HashMap::new();
        for (at, line) in (1..).zip(BufReader::new(file).split(b'\n')) {
            let line = line.map_err(unreadable)?;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let kept: Kept =
                serde_json::from_slice(&line).map_err(|source| EvalError::Prediction {
                    path: path.clone(),
                    line: at,
                    source,
                })?;
            let text = kept.text.map_or(String::new(), |text| text.as_str().into());
            texts.insert([kept.set, kept.site, kept.page], text);
        }
        let source = Source::Lines(texts);
        Ok(Predictions { path, source })
    }

    /// The path of the folder or file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that the tool kept of a page; `None` if it has none for this page.
    pub fn text(&self, set: &str, site: &str, page: &str) -> Result<Option<String>, EvalError> {
        match &self.source {
            Source::Folder => {
                for path in self.files(set, site, page) {
                    match fs::read(&path) {
                        Ok(bytes) => return Ok(Some(String::from_utf8_lossy(&bytes).into())),
                        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                        Err(source) => return Err(EvalError::Read { path, source }),
                    }
                }
                Ok(None)
            }
            Source::Lines(texts) => Ok(["", set]
                .into_iter()
                .rev()
                .find_map(|set| texts.get(&[set, site, page].map(String::from)))
                .cloned()),
        }
    }

    /// Whether there is a text for a page, without reading it.
    pub fn has(&self, set: &str, site: &str, page: &str) -> bool {
        match &self.source {
            Source::Folder => self
                .files(set, site, page)
                .iter()
                .any(|path| path.is_file()),
            Source::Lines(texts) => ["", set]
                .into_iter()
                .any(|set| texts.contains_key(&[set, site, page].map(String::from))),
        }
    }

    /// The possible paths of the text of a page.
    fn files(&self, set: &str, site: &str, page: &str) -> [PathBuf; 2] {
        let file = format!("{page}.txt");
        let of_set = self.path.join(set).join(site).join(&file);
        [of_set, self.path.join(site).join(file)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_and_without_sets() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("a/x/1.html.txt", "of the set"),
            ("x/1.html.txt", "of no set"),
            ("x/news/2.html.txt", "caf\u{e9}"),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = Predictions::open(folder.path()).unwrap();
        for (set, site, page, expected) in [
            ("a", "x", "1.html", Some("of the set")),
            ("b", "x", "1.html", Some("of no set")),
            ("b", "x", "news/2.html", Some("café")),
            ("a", "y", "1.html", None),
        ] {
            let text = found.text(set, site, page).unwrap();
            assert_eq!(text.as_deref(), expected, "{set} {site} {page}");
            assert_eq!(found.has(set, site, page), expected.is_some());
        }
    }

    #[test]
    fn lines_of_json() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.jsonl");
        let lines = concat!(
            r#"{"site": "x", "page": "1.html", "text": "one"}"#,
            "\n\n",
            r#"{"site": "x", "page": "2.html", "text": null}"#,
            "\r\n",
            r#"{"set": "a", "site": "x", "page": "1.html", "text": "of a", "more": 1}"#,
        );
        fs::write(&path, lines).unwrap();
        let found = Predictions::open(&path).unwrap();
        for (set, page, expected) in [
            ("b", "1.html", Some("one")),
            ("a", "1.html", Some("of a")),
            ("a", "2.html", Some("")),
            ("a", "3.html", None),
        ] {
            let text = found.text(set, "x", page).unwrap();
            assert_eq!(text.as_deref(), expected, "{set} {page}");
            assert_eq!(found.has(set, "x", page), expected.is_some());
        }
        for (lines, hint) in [
            ("{\"site\": \"x\"}", "line 1"),
            ("\n{}\n", "line 2"),
            ("text", "`page`"),
        ] {
            fs::write(&path, lines).unwrap();
            let error = Predictions::open(&path).unwrap_err().to_string();
            assert!(error.contains(hint), "{error}");
        }
        let missing = Predictions::open(folder.path().join("none")).unwrap_err();
        assert!(missing.to_string().contains("none"), "{missing}");
    }
}
