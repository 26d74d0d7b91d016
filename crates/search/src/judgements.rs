//! Relevance judgements, and the precision of the top results according to them (Ma et al., CIKM
//! 2003, §4.3).

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;
use unframe_page::CanonicalUrl;

use crate::compare::CUTOFFS;
use crate::error::SearchError;
use crate::schema::composed;

/// Judged pages for each query.
#[derive(Clone, Debug, Default)]
pub struct Judgements {
    /// In the order of the file.
    queries: Vec<String>,
    relevant: HashMap<String, HashMap<String, bool>>,
    /// Judged pages by URL; true once the page has been seen in the collection.
    met: HashMap<String, bool>,
}

/// Precision of the top 1, 5 and 10 results of one query.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PrecisionChange {
    /// Before the frame was removed.
    pub before: [f64; 3],
    /// After.
    pub after: [f64; 3],
}

/// The papers' statistics over queries, at one cut-off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// The number of top results.
    pub at: usize,
    /// Mean precision before.
    pub before: f64,
    /// Mean precision after.
    pub after: f64,
    /// N: queries with higher precision after removal.
    pub better: usize,
    /// M: queries with lower precision after removal.
    pub worse: usize,
}

/// All judged queries together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// Queries with judgements.
    pub queries: usize,
    /// T: those of them whose top ten results differ before and after.
    pub different: usize,
    /// Judged pages that are not in the collection.
    pub unknown_pages: usize,
    /// At 1, 5 and 10 results.
    pub at: Vec<Verdict>,
}

impl Judgements {
    /// Parses lines of query, URL and 0 or 1, separated by tabs. Empty lines, lines that begin with
    /// `#` and a heading are skipped; `name` is for error messages.
    pub fn parse(name: &Path, text: &str) -> Result<Judgements, SearchError> {
        let mut judgements = Judgements::default();
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        for (at, line) in text.lines().enumerate() {
            let wrong = |why: &str| SearchError::Judgement {
                file: name.into(),
                line: at + 1,
                why: format!("{why}; a line is: query, tab, URL, tab, 1 (relevant) or 0"),
            };
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
            let [query, url, relevant] = cells[..] else {
                return Err(wrong(&format!("has {} columns", cells.len())));
            };
            let relevant = match relevant {
                "1" => true,
                "0" => false,
                _ if at == 0 && query == "query" => continue,
                other => return Err(wrong(&format!("`{other}` is neither 0 nor 1"))),
            };
            if query.is_empty() || url.is_empty() {
                return Err(wrong("the query or the URL is empty"));
            }
            let url = same_url(url);
            // Queries are normalised like the words of the index.
            let query = composed(query.to_string());
            if !judgements.relevant.contains_key(&query) {
                judgements.queries.push(query.clone());
            }
            let pages = judgements.relevant.entry(query).or_default();
            if pages.insert(url.clone(), relevant) == Some(!relevant) {
                return Err(wrong("an earlier line judges this page differently"));
            }
            judgements.met.insert(url, false);
        }
        Ok(judgements)
    }

    /// The judged queries, in the order of the file.
    pub fn queries(&self) -> &[String] {
        &self.queries
    }

    /// Records that a page is in the collection.
    pub fn meet(&mut self, url: &str) {
        if let Some(met) = self.met.get_mut(&same_url(url)) {
            *met = true;
        }
    }

    /// Judged pages that the collection does not have.
    pub fn unknown_pages(&self) -> usize {
        self.met.values().filter(|met| !**met).count()
    }

    /// The share of relevant pages among the top results; `None` if the query was not judged. Pages
    /// without a judgement, and missing results, count as not relevant.
    pub(crate) fn precision(&self, query: &str, urls: &[String]) -> Option<[f64; 3]> {
        let pages = self.relevant.get(query)?;
        Some(CUTOFFS.map(|cutoff| {
            let first = urls.iter().take(cutoff);
            let good = first.filter(|url| pages.get(&same_url(url)) == Some(&true));
            good.count() as f64 / cutoff as f64
        }))
    }
}

fn same_url(url: &str) -> String {
    let canonical = CanonicalUrl::parse(url).map(|url| url.to_string());
    canonical.unwrap_or_else(|| url.to_string())
}

impl Judged {
    /// Adds up queries: their precision, and whether their results differ.
    pub(crate) fn of(
        queries: impl Iterator<Item = (PrecisionChange, bool)> + Clone,
        unknown_pages: usize,
    ) -> Judged {
        let number = queries.clone().count();
        let at = CUTOFFS.iter().enumerate().map(|(place, at)| {
            let mut verdict = Verdict {
                at: *at,
                ..Verdict::default()
            };
            for (precision, _) in queries.clone() {
                let (before, after) = (precision.before[place], precision.after[place]);
                verdict.before += before / number as f64;
                verdict.after += after / number as f64;
                verdict.better += usize::from(after > before);
                verdict.worse += usize::from(after < before);
            }
            verdict
        });
        Judged {
            queries: number,
            different: queries.clone().filter(|(_, differs)| *differs).count(),
            unknown_pages,
            at: at.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Judgements, String> {
        let parsed = Judgements::parse(Path::new("j.tsv"), text);
        parsed.map_err(|error| error.to_string())
    }

    #[test]
    fn precision_counts_missing_answers_against() {
        let text = "query\turl\trelevant\n# note\n\nlamps\thttp://a/1\t1\nlamps\thttp://a/2\t0\n";
        let mut judgements = parse(text).unwrap();
        let urls = ["http://a/1", "http://a/2", "http://a/3"].map(String::from);
        assert_eq!(judgements.precision("lamps", &urls), Some([1.0, 0.2, 0.1]));
        assert_eq!(judgements.precision("ropes", &urls), None);
        assert_eq!(judgements.queries(), ["lamps"]);
        judgements.meet("http://a/1");
        assert_eq!(judgements.unknown_pages(), 1);
    }

    #[test]
    fn marks_and_compositions_make_no_difference() {
        let judgements = parse("\u{FEFF}cafe\u{301}\thttp://a/1\t1\n").unwrap();
        assert_eq!(judgements.queries(), ["caf\u{e9}"]);
        let urls = ["http://a/1".to_string()];
        let precision = judgements.precision("caf\u{e9}", &urls);
        assert_eq!(precision, Some([1.0, 0.2, 0.1]));
        assert!(parse("\u{FEFF}query\turl\trelevant\n").is_ok());
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, hint) in [
            ("lamps\thttp://a/1", "j.tsv:1: has 2 columns"),
            (
                "a\tu\t1\nlamps\thttp://a/1\tyes",
                "j.tsv:2: `yes` is neither",
            ),
            ("\thttp://a/1\t1", "empty"),
            (
                "a\tu\t1\na\tu\t0",
                "j.tsv:2: an earlier line judges this page differently",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }

    #[test]
    fn better_worse_and_different() {
        let change = |before, after| PrecisionChange {
            before: [before; 3],
            after: [after; 3],
        };
        let queries = [
            (change(0.0, 1.0), true),
            (change(0.5, 0.5), true),
            (change(1.0, 0.5), true),
            (change(1.0, 1.0), false),
        ];
        let judged = Judged::of(queries.into_iter(), 0);
        assert_eq!((judged.queries, judged.different), (4, 3));
        let verdict = judged.at[2];
        assert_eq!((verdict.at, verdict.better, verdict.worse), (10, 1, 1));
        assert_eq!((verdict.before, verdict.after), (0.625, 0.75));
    }
}
