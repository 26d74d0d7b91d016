//! Rules that people can read: CSS selectors that say what to remove of a site's pages and what holds
//! their content.
//!
//! ```text
//! labelled pages ─► Outline ─► Observed ─► infer ─► SiteRules ─► css, json ─► RuleSet::parse
//!                                                      │      └► xpath, adblock, ftr
//! settled places ─────────────────┘                    └► applied to a page: Decisions
//! ```
//!
//! Pages and labels enter, rules and their file formats leave. The crate reads and writes no files.

mod apply;
mod check;
mod export;
mod form;
mod infer;
mod json;
mod observe;
mod outline;
mod pattern;
mod places;
mod read;
mod rule;
mod settled;
mod write;

pub use apply::{Decision, Decisions};
pub use check::{Check, Score};
pub use export::Format;
pub use infer::Inferred;
pub use observe::{Observed, is_held_out};
pub use outline::Outline;
pub use read::BadRules;
pub use rule::{About, Evidence, HeldOut, Rule, RuleSet, SiteRules};
pub use settled::{SettledPlace, from_settled};
