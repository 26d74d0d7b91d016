//! Charts and self-contained HTML reports.
//!
//! In: clusters as `unframe` finds them, and plain numbers for everything else, so that any measurement
//! can be drawn. Out: SVG ([`plot`]), whole pages ([`cluster_page`], [`search_page`]), and numbers as
//! text ([`numbers`]). Nothing here reads or writes files.

mod cluster_page;
pub mod numbers;
pub mod plot;
mod search_page;

pub use cluster_page::{ClusterReport, PORTRAYED, Portrait, cluster_page, template_paths};
pub use search_page::{
    IndexBytes, JudgedQueries, PrecisionAt, QueryEffect, QuerySource, QueryTotals, SearchReport,
    WordPages, search_page,
};

/// The content security policy of our pages: they are complete, so a browser loads and runs nothing.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";
