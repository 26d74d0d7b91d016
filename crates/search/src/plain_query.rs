//! Queries as people type them into a search box: words, and phrases in quotes, without any
//! operators.

use tantivy::query::{BooleanQuery, PhraseQuery, Query, TermQuery};

use crate::index::Index;
use crate::schema::composed;
use crate::words::lower_words;

/// Words and phrases, at least one of which must match the text of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainQuery {
    text: String,
    /// One word, or the words of a phrase.
    parts: Vec<Vec<String>>,
}

impl PlainQuery {
    /// Maximum number of words; longer input is a text, not a query.
    pub const MOST_WORDS: usize = 100;

    /// Parses a line; `None` if it has no words, or more than [`MOST_WORDS`](Self::MOST_WORDS).
    ///
    /// ```
    /// use unframe_search::PlainQuery;
    ///
    /// assert!(PlainQuery::parse("NOT (lamps AND \"about us\"").is_some());
    /// assert!(PlainQuery::parse("+-&&").is_none());
    /// ```
    pub fn parse(line: &str) -> Option<PlainQuery> {
        let text = composed(line.trim().to_string());
        let mut parts: Vec<Vec<String>> = Vec::new();
        let mut rest = text.as_str();
        loop {
            let (before, phrase, after) = next_phrase(rest);
            // Words that the index splits (`e-mail`) must match as a phrase.
            let words = before.split_whitespace().chain(phrase);
            parts.extend(words.map(|part| lower_words(part).collect()));
            match after {
                Some(after) => rest = after,
                None => break,
            }
        }
        parts.retain(|part| !part.is_empty());
        let words: usize = parts.iter().map(Vec::len).sum();
        let fits = (1..=Self::MOST_WORDS).contains(&words);
        fits.then_some(PlainQuery { text, parts })
    }

    /// The query as typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn on(&self, index: &Index) -> Box<dyn Query> {
        let parts = self.parts.iter().map(|words| -> Box<dyn Query> {
            let terms: Vec<_> = words.iter().map(|word| index.body_term(word)).collect();
            match <[_; 1]>::try_from(terms) {
                Ok([term]) => Box::new(TermQuery::new(term, Index::RECORD)),
                Err(terms) => Box::new(PhraseQuery::new(terms)),
            }
        });
        Box::new(BooleanQuery::union(parts.collect()))
    }
}

/// The text before the next phrase, the phrase, and the text after it. An unmatched quote is an
/// ordinary character.
fn next_phrase(text: &str) -> (&str, Option<&str>, Option<&str>) {
    let is_quote = |c: char| matches!(c, '"' | '“' | '”' | '„');
    let quoted = text.split_once(is_quote).and_then(|(before, after)| {
        let (phrase, rest) = after.split_once(is_quote)?;
        Some((before, phrase, rest))
    });
    match quoted {
        Some((before, phrase, rest)) => (before, Some(phrase), Some(rest)),
        None => (text, None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_words_or_nothing() {
        let parts = |line: &str| {
            let query = PlainQuery::parse(line);
            query.map(|query| {
                query
                    .parts
                    .iter()
                    .map(|part| part.join(" "))
                    .collect::<Vec<_>>()
            })
        };
        for (line, expected) in [
            ("", None),
            ("  +-&& || !(){}[]^~*?:\\/ ", None),
            ("Harbour Lamps", Some(vec!["harbour", "lamps"])),
            ("\"About us\" lamps", Some(vec!["about us", "lamps"])),
            ("“About us”", Some(vec!["about us"])),
            ("a AND NOT b", Some(vec!["a", "and", "not", "b"])),
            ("title:lamps^3~2", Some(vec!["title lamps 3 2"])),
            ("\"not closed", Some(vec!["not", "closed"])),
            ("e-mail", Some(vec!["e mail"])),
            ("[a TO b}", Some(vec!["a", "to", "b"])),
            ("漢字", Some(vec!["漢 字"])),
            ("\"\" x \"", Some(vec!["x"])),
        ] {
            let expected = expected.map(|parts| parts.iter().map(|p| p.to_string()).collect());
            assert_eq!(parts(line), expected, "{line}");
        }
        assert_eq!(PlainQuery::parse(&"x ".repeat(101)), None);
    }
}
