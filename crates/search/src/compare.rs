//! Compares two indexes of the same pages, before and after the frame was removed, with the same
//! queries.

use serde::Serialize;

use crate::error::SearchError;
use crate::index::{Index, IndexSize, Ranked};
use crate::judgements::{Judged, Judgements, PrecisionChange};
use crate::plain_query::PlainQuery;

/// The numbers of top results that are compared, as in the papers.
pub const CUTOFFS: [usize; 3] = [1, 5, 10];

/// Number of words shown for each index.
const TOP_TERMS: usize = 20;

/// The effect of removing the frame on search.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Pages in each index.
    pub pages: u64,
    /// Bytes of the index of whole pages.
    pub size_before: IndexSize,
    /// Bytes of the index of cleaned pages.
    pub size_after: IndexSize,
    /// The queries in the order they were given.
    pub queries: Vec<QueryChange>,
    /// Totals over all queries.
    pub totals: Totals,
    /// The words on most pages before removal.
    pub top_terms_before: Vec<TermPages>,
    /// The words on most pages after removal.
    pub top_terms_after: Vec<TermPages>,
    /// The evaluation by relevance judgements, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
}

/// The results of one query.
#[derive(Clone, Debug, Serialize)]
pub struct QueryChange {
    /// The query as typed.
    pub query: String,
    /// Number of matching pages before removal.
    pub hits_before: u64,
    /// Number of matching pages after removal.
    pub hits_after: u64,
    /// Of the top 1, 5 and 10 results before removal, those that matched only in the frame: they no
    /// longer match after removal.
    pub frame_only: [u64; 3],
    /// Whether the top ten results differ.
    pub differs: bool,
    /// URLs of the top ten results before removal.
    pub top_before: Vec<String>,
    /// URLs of the top ten results after removal.
    pub top_after: Vec<String>,
    /// Precision according to the judgements, if the query was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionChange>,
}

impl QueryChange {
    /// Number of matches that were in the frame alone.
    pub fn lost(&self) -> u64 {
        self.hits_before.saturating_sub(self.hits_after)
    }
}

/// Sums over all queries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Number of queries.
    pub queries: usize,
    /// Queries whose top ten results differ.
    pub different: usize,
    /// Queries with results before removal and none after.
    pub lost_all: usize,
    /// Matching pages before.
    pub hits_before: u64,
    /// Matching pages after.
    pub hits_after: u64,
    /// Results among the top 1, 5 and 10 before removal …
    pub shown: [u64; 3],
    /// … and those of them that matched only in the frame.
    pub frame_only: [u64; 3],
}

/// A word and the number of pages that contain it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TermPages {
    /// The word.
    pub term: String,
    /// Pages before removal.
    pub before: u64,
    /// Pages after removal.
    pub after: u64,
}

/// Runs the queries on both indexes. These must have been built from the same pages in the same
/// order.
pub fn compare(
    before: &Index,
    after: &Index,
    queries: &[PlainQuery],
    judgements: Option<&Judgements>,
) -> Result<Comparison, SearchError> {
    let changes: Result<Vec<QueryChange>, SearchError> = queries
        .iter()
        .map(|query| change(before, after, query, judgements))
        .collect();
    let changes = changes?;
    let judged = judgements.map(|judgements| {
        let queries = changes
            .iter()
            .filter_map(|change| Some((change.precision?, change.differs)));
        Judged::of(queries, judgements.unknown_pages())
    });
    let both = |(term, _): (String, u64)| {
        Ok(TermPages {
            before: before.pages_with(&term)?,
            after: after.pages_with(&term)?,
            term,
        })
    };
    Ok(Comparison {
        pages: before.pages(),
        size_before: before.size()?,
        size_after: after.size()?,
        totals: add_up(&changes),
        queries: changes,
        top_terms_before: before
            .top_words(TOP_TERMS)?
            .into_iter()
            .map(both)
            .collect::<Result<_, SearchError>>()?,
        top_terms_after: after
            .top_words(TOP_TERMS)?
            .into_iter()
            .map(both)
            .collect::<Result<_, SearchError>>()?,
        judged,
    })
}

fn change(
    before: &Index,
    after: &Index,
    query: &PlainQuery,
    judgements: Option<&Judgements>,
) -> Result<QueryChange, SearchError> {
    let most = CUTOFFS[2];
    let (asked_before, asked_after) = (query.on(before), query.on(after));
    let (hits_before, top_before) = before.best(&*asked_before, most)?;
    let (hits_after, top_after) = after.best(&*asked_after, most)?;
    let numbers = |top: &[Ranked]| top.iter().map(|page| page.number).collect::<Vec<u64>>();
    let urls = |top: Vec<Ranked>| top.into_iter().map(|page| page.url).collect::<Vec<_>>();
    let first = numbers(&top_before);
    let still = after.matching(&*asked_after, &first)?;
    let frame_only = CUTOFFS.map(|cutoff| {
        let gone = first
            .iter()
            .take(cutoff)
            .filter(|page| !still.contains(page));
        gone.count() as u64
    });
    let differs = first != numbers(&top_after);
    let (top_before, top_after) = (urls(top_before), urls(top_after));
    let precision = judgements.and_then(|judgements| {
        Some(PrecisionChange {
            before: judgements.precision(query.text(), &top_before)?,
            after: judgements.precision(query.text(), &top_after)?,
        })
    });
    Ok(QueryChange {
        query: query.text().to_string(),
        hits_before,
        hits_after,
        frame_only,
        differs,
        top_before,
        top_after,
        precision,
    })
}

fn add_up(changes: &[QueryChange]) -> Totals {
    let mut totals = Totals {
        queries: changes.len(),
        ..Totals::default()
    };
    for change in changes {
        totals.different += usize::from(change.differs);
        totals.lost_all += usize::from(change.hits_before > 0 && change.hits_after == 0);
        totals.hits_before += change.hits_before;
        totals.hits_after += change.hits_after;
        for (at, cutoff) in CUTOFFS.iter().enumerate() {
            totals.shown[at] += change.hits_before.min(*cutoff as u64);
            totals.frame_only[at] += change.frame_only[at];
        }
    }
    totals
}
