//! What the page shows, as plain numbers.

use serde::Serialize;

/// The same pages in two indexes, whole and without their frame, asked the same queries.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// What found the frame.
    pub method: String,
    /// How many sites the pages are of.
    pub sites: u64,
    /// Pages in each index.
    pub pages: u64,
    /// Share of the visible text that was removed.
    pub template_share: f64,
    /// Where the queries come from.
    pub queries_from: QuerySource,
    /// How many of the first answers are looked at.
    pub cutoffs: [usize; 3],
    /// Bytes of the index of whole pages.
    pub size_before: IndexBytes,
    /// Bytes of the index of cleaned pages.
    pub size_after: IndexBytes,
    /// Query by query.
    pub queries: Vec<QueryEffect>,
    /// All queries together.
    pub totals: QueryTotals,
    /// The words on most pages before.
    pub top_terms_before: Vec<WordPages>,
    /// The words on most pages after.
    pub top_terms_after: Vec<WordPages>,
    /// What judgements say, if there are any.
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

/// How large an index is.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexBytes {
    /// Words, and on which pages and where they are.
    pub words: u64,
    /// The texts themselves, compressed.
    pub texts: u64,
    /// All of it.
    pub total: u64,
}

/// What happened to one query.
#[derive(Clone, Debug)]
pub struct QueryEffect {
    /// As it was typed.
    pub query: String,
    /// Pages that matched before.
    pub hits_before: u64,
    /// Pages that match after.
    pub hits_after: u64,
    /// Of the first answers before, those that matched in the frame alone; for each cutoff.
    pub frame_only: [u64; 3],
    /// Precision of the first ten answers before and after, if the query was judged.
    pub precision: Option<[f64; 2]>,
}

impl QueryEffect {
    /// Matches that were in the frame alone.
    pub fn lost(&self) -> u64 {
        self.hits_before.saturating_sub(self.hits_after)
    }
}

/// Sums over all queries.
#[derive(Clone, Debug, Default)]
pub struct QueryTotals {
    /// How many queries.
    pub queries: usize,
    /// Queries whose first ten answers are not the same.
    pub different: usize,
    /// Queries that found something before, and nothing after.
    pub lost_all: usize,
    /// Matching pages before.
    pub hits_before: u64,
    /// Matching pages after.
    pub hits_after: u64,
    /// Answers before, for each cutoff …
    pub shown: [u64; 3],
    /// … and those of them that matched in the frame alone.
    pub frame_only: [u64; 3],
}

/// A word and the number of pages that it is on.
#[derive(Clone, Debug)]
pub struct WordPages {
    /// The word.
    pub word: String,
    /// Pages before.
    pub before: u64,
    /// Pages after.
    pub after: u64,
}

/// What judgements of pages say.
#[derive(Clone, Debug)]
pub struct JudgedQueries {
    /// Queries that were judged.
    pub queries: usize,
    /// Those whose first ten answers are not the same.
    pub different: usize,
    /// Judged pages that are not there.
    pub unknown_pages: usize,
    /// The precision at each cutoff.
    pub at: Vec<PrecisionAt>,
}

/// Mean precision of the first answers.
#[derive(Clone, Copy, Debug)]
pub struct PrecisionAt {
    /// How many answers.
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
