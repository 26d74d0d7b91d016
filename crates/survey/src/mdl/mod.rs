//! Clusters pages that share a template, by minimum description length.
//!
//! ```text
//! Dom ─► PagePaths ─► PathTable ─► essential paths ─► exact │ lsh │ estimate ─► Clustering
//! ```
//!
//! A page is the set of its paths: every element and every text, each with the tag names above it.
//! Paths that occur on many pages are *essential*: they may belong to a template. Every page begins
//! as a cluster of its own. Clusters are merged as long as that shortens the description of all
//! pages, which consists of one template for each cluster (the paths that most of its pages have)
//! and the differences of each page from it. Pages of several templates, even of several sites
//! mixed together, are separated.
//!
//! If pages arrive one by one, [`OnlineClusters`] assigns each at once by a small [`Sketch`].
//!
//! The method is Kim and Shim's (*TEXT: Automatic Template Extraction from Heterogeneous Web
//! Pages*, TKDE 2011). [`MdlParams::kim_shim`] is the published version; the default works better
//! on pages with much text.
//!
//! ```
//! use unframe_dom::{Limits, parse};
//! use unframe_survey::mdl::{MdlParams, PagePaths, PathTable, cluster};
//!
//! let mut table = PathTable::default();
//! for word in ["rain", "wind", "snow"] {
//!     let news = format!("<div><h1>News</h1><p>{word}</p></div>");
//!     let shop = format!("<table><tr><td>Buy<td>{word}</table>");
//!     for html in [news, shop] {
//!         table.add(&PagePaths::of(&parse(html.as_str(), &Limits::default())));
//!     }
//! }
//! let found = cluster(table, &MdlParams::default());
//! assert_eq!(found.of_page, [0, 1, 0, 1, 0, 1]);
//! ```

mod clustering;
mod essential;
mod estimate;
mod exact;
mod group;
mod hashed;
mod length;
mod minhash;
mod online;
mod params;
mod paths;
#[cfg(test)]
mod search_tests;
mod sketch;
mod spread;
mod table;

pub use clustering::{Cluster, Clustering, Merge, cluster};
pub use online::{OnlineClusters, OnlineParams};
pub use params::{BadMdlParams, Cost, MdlParams, ModeRule, Search};
pub use paths::{NodePaths, PagePaths, is_text_path};
pub use sketch::Sketch;
pub use table::PathTable;
