//! Scores the text that a tool kept, using pages whose content is labelled.
//!
//! Input: a folder of labelled sites ([`Corpus`]) and, for every scored page, the text that some
//! tool kept. Output: eight columns ([`Columns`]) per page, their means per site ([`SiteTotal`])
//! and the means of those per set ([`SetTotal`]).
//!
//! Texts are compared as multisets of words, so neither order nor white space nor markup counts,
//! and tools that print Markdown and tools that print plain text are measured alike. Totals are
//! means over sites, not over pages: one large site must not outvote twenty small ones.
//!
//! ```
//! use unframe_eval::{Gold, GoldBags};
//!
//! let gold: Gold = serde_json::from_str(
//!     r#"{"kind": "article", "content": "Tea is picked by hand", "template": "Home About"}"#,
//! )?;
//! let labels = GoldBags::new(&gold, b"");
//! let columns = labels.score("Home Tea is picked by hand");
//! assert_eq!(columns.r, Some(1.0));
//! assert_eq!(columns.leak_t, Some(0.5));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! The usual loop over a corpus is in `examples/score_folder.rs`.
//!
//! [`Wholeness`] needs no labels: it counts the lines, headings, rows and code blocks of a cleaned page
//! that lost a piece.

pub mod align;
pub mod bootstrap;
pub mod calibration;
pub mod columns;
pub mod corpus;
pub mod error;
pub mod gold;
mod markup;
pub mod measures;
pub mod nodes;
pub mod phrases;
pub mod predictions;
pub mod rand_index;
pub mod score;
pub mod teco;
pub mod tokens;
pub mod total;
pub mod wholeness;

pub use bootstrap::Difference;
pub use calibration::{Calibration, Prediction};
pub use columns::Columns;
pub use corpus::{Corpus, Page, Set, Site};
pub use error::EvalError;
pub use gold::Gold;
pub use measures::{
    TokenCount, average_template_fraction, discovery_ratio, sample_error, sample_size, unit_time,
};
pub use nodes::{NodeGold, NodeScore, mean_node_score};
pub use phrases::{ContentPhrases, MarkedText};
pub use predictions::Predictions;
pub use rand_index::adjusted_rand_index;
pub use score::GoldBags;
pub use teco::{Teco, TecoPage, TecoSite};
pub use total::{SetTotal, SiteTotal};
pub use wholeness::Wholeness;
