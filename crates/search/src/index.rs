//! Queries an index.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tantivy::collector::{Count, DocSetCollector, FilterCollector, TopDocs};
use tantivy::query::{EmptyQuery, Query, QueryParser, QueryParserError};
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::snippet::SnippetGenerator;
use tantivy::{DocAddress, ReloadPolicy, Searcher, TantivyDocument, TantivyError, Term};

use crate::error::SearchError;
use crate::folder;
use crate::schema::{Fields, NUMBER, tokenizers};

/// Maximum length of a query in bytes. The query parser recurses for each bracket.
const LONGEST_QUERY: usize = 1000;
const DEEPEST_QUERY: usize = 20;

/// Length of a snippet in characters.
const SNIPPET: usize = 200;

/// An index opened for queries.
pub struct Index {
    folder: PathBuf,
    fields: Fields,
    engine: tantivy::Index,
    searcher: Searcher,
}

/// The results of a query.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// The number of matching pages.
    pub total: u64,
    /// The best matches, best first; equal scores in the order of indexing.
    pub hits: Vec<Hit>,
}

/// A matching page.
#[derive(Clone, Debug, Serialize)]
pub struct Hit {
    /// Counted from 1.
    pub rank: usize,
    /// The BM25 score.
    pub score: f32,
    /// URL, or the page's name in the input.
    pub url: String,
    /// Its site.
    pub site: String,
    /// Its title.
    pub title: String,
    /// Its name in the input.
    pub source: String,
    /// The best matching passage of its text, or its beginning; white space is collapsed.
    pub snippet: String,
}

/// Size of an index on disk, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IndexSize {
    /// The inverted index: words, and their positions on pages.
    pub words: u64,
    /// The stored texts, compressed, for snippets.
    pub texts: u64,
    /// Everything.
    pub total: u64,
}

/// A top result, by its page number, which is the same in all indexes of a run.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub number: u64,
    pub url: String,
}

impl Index {
    /// Opens an index that [`IndexWriter`](crate::IndexWriter) created.
    pub fn open(folder: &Path) -> Result<Index, SearchError> {
        let directory = folder::find(folder)?;
        let failed = |error: TantivyError| SearchError::engine(folder, error);
        let mut engine = tantivy::Index::open(directory).map_err(failed)?;
        engine.set_tokenizers(tokenizers());
        let (schema, fields) = Fields::build();
        if engine.schema() != schema {
            return Err(SearchError::Damaged {
                folder: folder.into(),
                why: "its fields do not match its version".into(),
            });
        }
        let reader = engine.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader = reader.try_into().map_err(failed)?;
        Ok(Index {
            folder: folder.into(),
            fields,
            searcher: tantivy::IndexReader::searcher(&reader),
            engine,
        })
    }

    /// Number of pages.
    pub fn pages(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Parses a query in the engine's query language, over titles and texts.
    pub fn parse(&self, query: &str) -> Result<Box<dyn Query>, SearchError> {
        let wrong = |why: &str| SearchError::Query {
            query: query.chars().take(80).collect(),
            why: why.into(),
        };
        if query.trim().is_empty() {
            return Err(SearchError::EmptyQuery(query.into()));
        }
        if query.len() > LONGEST_QUERY {
            return Err(wrong(&format!("it is longer than {LONGEST_QUERY} bytes")));
        }
        if query.matches('(').count() > DEEPEST_QUERY {
            return Err(wrong(&format!("it has more than {DEEPEST_QUERY} brackets")));
        }
        let fields = vec![self.fields.title, self.fields.body];
        let parsed = QueryParser::for_index(&self.engine, fields).parse_query(query);
        let parsed = parsed.map_err(|error| match error {
            QueryParserError::SyntaxError(_) => wrong("a quote, bracket or operator is misplaced"),
            QueryParserError::FieldDoesNotExist(field) => {
                wrong(&format!("there is no field `{field}`"))
            }
            QueryParserError::AllButQueryForbidden => {
                wrong("it only excludes words; add a word to search for")
            }
            error => wrong(&error.to_string()),
        })?;
        if parsed.is::<EmptyQuery>() {
            return Err(SearchError::EmptyQuery(query.into()));
        }
        Ok(parsed)
    }

    /// The best `most` results of a query.
    pub fn search(&self, query: &dyn Query, most: usize) -> Result<Found, SearchError> {
        let failed = |error| self.failed(error);
        let best = TopDocs::with_limit(most.max(1)).order_by_score();
        let (best, total) = self
            .searcher
            .search(query, &(best, Count))
            .map_err(failed)?;
        let body = self.fields.body;
        let mut snippets = SnippetGenerator::create(&self.searcher, query, body).map_err(failed)?;
        snippets.set_max_num_chars(SNIPPET);
        let mut hits = Vec::with_capacity(best.len());
        for (at, (score, address)) in best.into_iter().take(most).enumerate() {
            let page: TantivyDocument = self.searcher.doc(address).map_err(failed)?;
            let text = |field| page.get_first(field).and_then(|value| value.as_str());
            let owned = |field| text(field).unwrap_or_default().to_string();
            let body = text(body).unwrap_or_default();
            let snippet = snippets.snippet(body);
            let shown = match snippet.is_empty() {
                true => &body[..body.floor_char_boundary(SNIPPET)],
                false => snippet.fragment(),
            };
            hits.push(Hit {
                rank: at + 1,
                score,
                url: owned(self.fields.url),
                site: owned(self.fields.site),
                title: owned(self.fields.title),
                source: owned(self.fields.source),
                snippet: shown.split_whitespace().collect::<Vec<_>>().join(" "),
            });
        }
        let total = total as u64;
        Ok(Found { total, hits })
    }

    /// The size on disk.
    pub fn size(&self) -> Result<IndexSize, SearchError> {
        let usage = self.searcher.space_usage();
        let usage = usage.map_err(|error| self.failed(error.into()))?;
        let texts = usage.segments().iter().map(|piece| piece.store().total());
        let texts = texts.map(|bytes| bytes.get_bytes()).sum();
        let total = usage.total().get_bytes();
        Ok(IndexSize {
            words: total - texts,
            texts,
            total,
        })
    }

    /// The number of matching pages, and the best of them.
    pub(crate) fn best(
        &self,
        query: &dyn Query,
        most: usize,
    ) -> Result<(u64, Vec<Ranked>), SearchError> {
        let failed = |error| self.failed(error);
        let best = TopDocs::with_limit(most).order_by_score();
        let (best, total) = self
            .searcher
            .search(query, &(best, Count))
            .map_err(failed)?;
        let ranked = |(_, address)| {
            let page: TantivyDocument = self.searcher.doc(address)?;
            let url = page.get_first(self.fields.url);
            Ok(Ranked {
                number: self.number(address)?,
                url: url.and_then(|url| url.as_str()).unwrap_or_default().into(),
            })
        };
        let ranked: Result<Vec<Ranked>, TantivyError> = best.into_iter().map(ranked).collect();
        Ok((total as u64, ranked.map_err(failed)?))
    }

    /// Those of the given pages that match.
    pub(crate) fn matching(
        &self,
        query: &dyn Query,
        numbers: &[u64],
    ) -> Result<Vec<u64>, SearchError> {
        let wanted = numbers.to_vec();
        let among: FilterCollector<_, _, u64> = FilterCollector::new(
            NUMBER.into(),
            move |number: u64| wanted.contains(&number),
            DocSetCollector,
        );
        let found = self.searcher.search(query, &among);
        let numbers: Result<Vec<u64>, TantivyError> = found
            .map_err(|error| self.failed(error))?
            .into_iter()
            .map(|address| self.number(address))
            .collect();
        numbers.map_err(|error| self.failed(error))
    }

    /// The words that occur in the texts of most pages, with the number of pages, highest first.
    pub(crate) fn top_words(&self, most: usize) -> Result<Vec<(String, u64)>, SearchError> {
        // There is a single segment, so its counts are those of the index.
        let mut best: BinaryHeap<Reverse<(u64, Reverse<Vec<u8>>)>> = BinaryHeap::new();
        for piece in self.searcher.segment_readers() {
            let words = piece
                .inverted_index(self.fields.body)
                .map_err(|error| self.failed(error))?;
            let stream = words.terms().stream();
            let mut stream = stream.map_err(|error| self.failed(error.into()))?;
            while stream.advance() {
                let pages = u64::from(stream.value().doc_freq);
                let is_worse = best
                    .peek()
                    .is_some_and(|Reverse((least, _))| pages <= *least);
                if best.len() == most && is_worse {
                    continue;
                }
                best.push(Reverse((pages, Reverse(stream.key().to_vec()))));
                if best.len() > most {
                    best.pop();
                }
            }
        }
        let sorted = best.into_sorted_vec().into_iter();
        let word = |Reverse((pages, Reverse(word))): Reverse<(u64, Reverse<Vec<u8>>)>| {
            (String::from_utf8_lossy(&word).into_owned(), pages)
        };
        Ok(sorted.map(word).collect())
    }

    /// The number of pages whose text contains a word.
    pub(crate) fn pages_with(&self, word: &str) -> Result<u64, SearchError> {
        let pages = self.searcher.doc_freq(&self.body_term(word));
        pages.map_err(|error| self.failed(error))
    }

    pub(crate) fn body_term(&self, word: &str) -> Term {
        Term::from_field_text(self.fields.body, word)
    }

    /// What queries need to know about each occurrence of a word.
    pub(crate) const RECORD: IndexRecordOption = IndexRecordOption::WithFreqs;

    fn number(&self, address: DocAddress) -> Result<u64, TantivyError> {
        let piece = self.searcher.segment_reader(address.segment_ord);
        let numbers = piece.fast_fields().u64(NUMBER)?;
        Ok(numbers.first(address.doc_id).unwrap_or(u64::MAX))
    }

    fn failed(&self, error: TantivyError) -> SearchError {
        SearchError::engine(&self.folder, error)
    }
}
