//! The label of a page, written by people or by the generator of a site.
//!
//! A gold file is one JSON object. Fields that scoring does not need (byte ranges, snippets, …) are
//! ignored, so a corpus may contain more than is measured here.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};

use crate::EvalError;

/// The label of one page. An absent field and `null` mean the same.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Gold {
    /// The kind of page; `list` pages are not labelled completely and have no score.
    pub kind: Option<Text>,
    /// The title, which counts as content if given.
    pub title: Option<Text>,
    /// The page's own text.
    pub content: Option<Text>,
    /// Date, author, tags: text that is neither required nor penalised.
    pub meta: Option<Text>,
    /// The frame that repeats from page to page.
    pub template: Option<Text>,
    /// Frame whose text varies: breadcrumbs, previous and next, related pages, ads.
    pub dynamic: Option<Text>,
    /// For pages that are records: values by name, each with its spellings, the first of which must
    /// still be in the output. If given, only survival is scored.
    pub survive: Option<BTreeMap<String, Vec<Text>>>,
    /// Byte ranges of the page's own content; the rest is template.
    pub editable: Option<Vec<ByteRange>>,
}

/// A range of a page's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub struct ByteRange {
    /// The first byte.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

impl Gold {
    /// Reads one gold file.
    pub fn read(path: &Path) -> Result<Self, EvalError> {
        parse(path)
    }

    /// The same for the content of a gold file; errors name it `path`.
    pub fn from_json(json: &[u8], path: &Path) -> Result<Self, EvalError> {
        from_json(json, path)
    }

    /// Whether the page has a score: it is not a list.
    pub fn is_scored(&self) -> bool {
        has_score(self.kind.as_ref())
    }
}

/// Whether the page labelled by the gold file at `path` has a score.
///
/// Reads only the kind, because opening a corpus needs it for thousands of labels.
pub(crate) fn is_scored(path: &Path) -> Result<bool, EvalError> {
    #[derive(serde::Deserialize)]
    struct Kind {
        kind: Option<Text>,
    }
    let Kind { kind } = parse(path)?;
    Ok(has_score(kind.as_ref()))
}

fn has_score(kind: Option<&Text>) -> bool {
    kind.is_none_or(|kind| kind.as_str() != "list")
}

fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, EvalError> {
    let json = fs::read(path).map_err(|source| EvalError::Read {
        path: path.to_owned(),
        source,
    })?;
    from_json(&json, path)
}

fn from_json<T: DeserializeOwned>(json: &[u8], path: &Path) -> Result<T, EvalError> {
    serde_json::from_slice(json).map_err(|source| EvalError::Label {
        path: path.to_owned(),
        source,
    })
}

/// A JSON string in which an unpaired surrogate is not an error.
///
/// Labels drafted by scripts contain them (`"\ud83d"`), and a `String` would reject the whole label
/// for one broken emoji. The unpaired surrogate becomes U+FFFD, which is not a word anyway.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Text(String);

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // When asked for bytes, `serde_json` returns the string without checking surrogates.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text::from(text))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(Text(String::from_utf8_lossy(bytes).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_oddities() {
        for (json, content) in [
            (r#"{}"#, None),
            (r#"{"content": null, "kind": null}"#, None),
            (r#"{"content": ""}"#, Some("")),
            (
                r#"{"content": "a\u00e9 中", "editable": [{"start": 1, "end": 2}]}"#,
                Some("aé 中"),
            ),
            (r#"{"content": "\ud83d\ude00"}"#, Some("😀")),
            (
                r#"{"content": "a\ud83db"}"#,
                Some("a\u{fffd}\u{fffd}\u{fffd}b"),
            ),
        ] {
            let gold: Gold = serde_json::from_str(json).unwrap();
            assert_eq!(gold.content.as_ref().map(Text::as_str), content, "{json}");
        }
    }

    #[test]
    fn labels_of_the_wrong_type_are_refused() {
        for json in [
            r#"{"content": 7}"#,
            r#"{"survive": {"a": "b"}}"#,
            r#"{"content": ["a"]}"#,
            "[1]",
        ] {
            assert!(serde_json::from_str::<Gold>(json).is_err(), "{json}");
        }
    }
}
