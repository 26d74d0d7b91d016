//! A full-text index of cleaned pages, and a comparison of search before and after cleaning.
//!
//! Input: texts of pages ([`Document`]), one after another. Output: ranked results ([`Index`]), and
//! for two indexes of the same pages, before and after the frame was removed, a [`Comparison`] for
//! each query. The engine is tantivy with BM25.
//!
//! ```
//! use unframe_search::{Document, Index, IndexWriter};
//!
//! let folder = tempfile::tempdir()?;
//! let mut writer = IndexWriter::open(folder.path())?;
//! writer.add(Document {
//!     url: "https://tea.example/green".into(),
//!     title: "Green tea".into(),
//!     body: "Tea is picked by hand.".into(),
//!     ..Document::default()
//! })?;
//! writer.finish()?;
//!
//! let index = Index::open(folder.path())?;
//! let found = index.search(&index.parse("picked AND tea")?, 10)?;
//! assert_eq!(found.hits[0].url, "https://tea.example/green");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod candidates;
mod compare;
mod error;
mod folder;
mod frequent;
mod index;
mod judgements;
mod plain_query;
mod schema;
mod words;
mod writer;

pub use candidates::Candidates;
pub use compare::{CUTOFFS, Comparison, QueryChange, TermPages, Totals, compare};
pub use error::SearchError;
pub use frequent::FrequentItems;
pub use index::{Found, Hit, Index, IndexSize};
pub use judgements::{Judged, Judgements, PrecisionChange, Verdict};
pub use plain_query::PlainQuery;
pub use schema::Document;
pub use writer::{IndexWriter, Indexed};
