//! The data of the search report, as plain numbers.

use serde::Serialize;

/// The same queries on two indexes of the same pages: whole, and without their frame.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The method that found the frame.
    pub method: String,
    /// Number of sites.
    pub sites: u64,
    /// Pages in each index.
    pub pages: u64,
    /// Share of the visible text that was removed.
    pub template_share: f64,
    /// Where the queries come from.
    pub queries_from: QuerySource,
    /// The cutoffs k for the first k answers.
    pub cutoffs: [usize; 3],
    /// Size of the index of whole pages.
    pub size_before: IndexBytes,
    /// Size of the index of cleaned pages.
    pub size_after: IndexBytes,
    /// Query by query.
    pub queries: Vec<QueryEffect>,
    /// All queries together.
    pub totals: QueryTotals,
    /// The words on most pages before.
    pub top_terms_before: Vec<WordPages>,
    /// The words on most pages after.
    pub top_terms_after: Vec<WordPages>,
    /// Results for relevance judgements, if there are any.
    pub judged: Option<JudgedQueries>,
}

/// Where the queries come from.
#[derive(Clone, Copy, Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum QuerySource {
    /// From the detected frame.
    Frame,
    /// From files.
    Given,
}

/// The size of an index in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexBytes {
    /// Terms, postings and positions.
    pub words: u64,
    /// The stored texts, compressed.
    pub texts: u64,
    /// The total.
    pub total: u64,
}

/// The results of one query.
#[derive(Clone, Debug)]
pub struct QueryEffect {
    /// The query text.
    pub query: String,
    /// Pages that matched before.
    pub hits_before: u64,
    /// Pages that match after.
    pub hits_after: u64,
    /// For each cutoff, the number of first answers before that matched only in the frame.
    pub frame_only: [u64; 3],
    /// Precision of the first ten answers before and after, if the query was judged.
    pub precision: Option<[f64; 2]>,
}

impl QueryEffect {
    /// Number of matches only in the frame.
    pub fn lost(&self) -> u64 {
        self.hits_before.saturating_sub(self.hits_after)
    }
}

/// Sums over all queries.
#[derive(Clone, Debug, Default)]
pub struct QueryTotals {
    /// Number of queries.
    pub queries: usize,
    /// Queries whose first ten answers differ.
    pub different: usize,
    /// Queries that found something before, and nothing after.
    pub lost_all: usize,
    /// Matching pages before.
    pub hits_before: u64,
    /// Matching pages after.
    pub hits_after: u64,
    /// Answers before, for each cutoff …
    pub shown: [u64; 3],
    /// … and how many of them matched only in the frame.
    pub frame_only: [u64; 3],
}

/// A word and the number of pages that contain it.
#[derive(Clone, Debug)]
pub struct WordPages {
    /// The word.
    pub word: String,
    /// Pages before.
    pub before: u64,
    /// Pages after.
    pub after: u64,
}

/// Results for relevance judgements.
#[derive(Clone, Debug)]
pub struct JudgedQueries {
    /// Queries that were judged.
    pub queries: usize,
    /// Judged queries whose first ten answers differ.
    pub different: usize,
    /// Judged pages that are not in the index.
    pub unknown_pages: usize,
    /// The precision at each cutoff.
    pub at: Vec<PrecisionAt>,
}

/// Mean precision of the first answers.
#[derive(Clone, Copy, Debug)]
pub struct PrecisionAt {
    /// The cutoff k.
    pub at: usize,
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
    /// Queries that are more precise after.
    pub better: usize,
    /// Queries that are less precise after.
    pub worse: usize,
}
