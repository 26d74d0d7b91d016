//! The results, as printed in JSON and as shown on the page.

use serde::Serialize;
use unframe_report::{
    IndexBytes, JudgedQueries, PrecisionAt, QueryEffect, QuerySource, QueryTotals, SearchReport,
    WordPages,
};
use unframe_search::{
    CUTOFFS, Comparison, IndexSize, Judged, QueryChange, TermPages, Totals, Verdict,
};

/// What `--json` prints.
#[derive(Serialize)]
pub struct Found {
    pub method: String,
    pub sites: u64,
    /// Share of the visible text that was removed.
    pub template_share: f64,
    pub queries_from: QuerySource,
    #[serde(flatten)]
    pub comparison: Comparison,
}

impl Found {
    /// The part of it that the page shows.
    pub fn shown(&self) -> SearchReport {
        let found = &self.comparison;
        SearchReport {
            method: self.method.clone(),
            sites: self.sites,
            pages: found.pages,
            template_share: self.template_share,
            queries_from: self.queries_from,
            cutoffs: CUTOFFS,
            size_before: size(&found.size_before),
            size_after: size(&found.size_after),
            queries: found.queries.iter().map(query).collect(),
            totals: totals(&found.totals),
            top_terms_before: found.top_terms_before.iter().map(word).collect(),
            top_terms_after: found.top_terms_after.iter().map(word).collect(),
            judged: found.judged.as_ref().map(judged),
        }
    }
}

fn size(of: &IndexSize) -> IndexBytes {
    IndexBytes {
        words: of.words,
        texts: of.texts,
        total: of.total,
    }
}

fn query(of: &QueryChange) -> QueryEffect {
    QueryEffect {
        query: of.query.clone(),
        hits_before: of.hits_before,
        hits_after: of.hits_after,
        frame_only: of.frame_only,
        precision: of.precision.as_ref().map(|of| [of.before[2], of.after[2]]),
    }
}

fn totals(of: &Totals) -> QueryTotals {
    QueryTotals {
        queries: of.queries,
        different: of.different,
        lost_all: of.lost_all,
        hits_before: of.hits_before,
        hits_after: of.hits_after,
        shown: of.shown,
        frame_only: of.frame_only,
    }
}

fn word(of: &TermPages) -> WordPages {
    WordPages {
        word: of.term.clone(),
        before: of.before,
        after: of.after,
    }
}

fn judged(of: &Judged) -> JudgedQueries {
    JudgedQueries {
        queries: of.queries,
        different: of.different,
        unknown_pages: of.unknown_pages,
        at: of.at.iter().map(precision).collect(),
    }
}

fn precision(of: &Verdict) -> PrecisionAt {
    PrecisionAt {
        at: of.at,
        before: of.before,
        after: of.after,
        better: of.better,
        worse: of.worse,
    }
}
