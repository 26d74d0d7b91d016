//! Learns the frame of a web site (navigation, header, footer, banners, repeated panels) from the
//! site's own pages, and removes it: what remains is each page's own content.
//!
//! ```
//! let page = |n: u32| format!("<nav>Home · Shop · Contact</nav><p>Story number {n} of the week.");
//! let url = |n: u32| format!("https://a.example/{n}");
//!
//! let mut site = unframe::Site::new();
//! for n in 0..10 {
//!     site.learn(&url(n), page(n))?;
//! }
//! assert_eq!(site.clean(&url(3), page(3))?.text(), "Story number 3 of the week.\n");
//! # Ok::<(), unframe::StoreError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | clean the pages of one site | [`Site`] |
//! | clean pages of many sites as they arrive | [`Crawl`] |
//! | clean a single page | [`extract`](extract()) |
//! | clean folders and archives of many sites | [`batch::clean`] |
//! | find duplicates and groups of pages | [`survey`] |
//! | choose a method and its parameters | [`methods::MethodSpec`] |
//! | clean by selectors instead | [`rules::RuleSet`] in [`Overrides`] |
//!
//! # Modules
//!
//! ```text
//! read ─► dom ─► page ─► methods ─► labels ─► render
//!                           ▲
//!                         store
//! ```
//!
//! Each module re-exports one stage. [`Site`] and [`batch`] join them.
//!
//! # Features
//!
//! `files` (default): inputs from files, states on disk, batch runs, surveys. Without it the crate
//! needs no file system and builds for `wasm32-unknown-unknown`. `fetch`: pages from live sites.

#[cfg(feature = "files")]
pub mod batch;
mod clean_page;
mod crawl;
#[cfg(feature = "files")]
mod durable;
mod extract;
mod front_matter;
mod overrides;
pub mod record;
mod site;
#[cfg(feature = "files")]
pub mod survey;
pub mod template;
mod verdict;
mod viewed_page;

pub use clean_page::CleanPage;
pub use crawl::{Crawl, Judge};
pub use extract::extract;
pub use overrides::{Comments, Overrides};
pub use site::Site;
pub use verdict::Verdict;
pub use viewed_page::{ViewedPage, Viewer};

pub use unframe_dom::{Limits, PageBytes};
pub use unframe_labels::{Flag, Label, Labels};
pub use unframe_methods::MethodSpec;
pub use unframe_page::Page;
pub use unframe_site::StoreError;

pub use unframe_dom as dom;
#[cfg(feature = "fetch")]
pub use unframe_fetch as fetch;
pub use unframe_labels as labels;
pub use unframe_methods as methods;
pub use unframe_page as page;
#[cfg(feature = "files")]
pub use unframe_read as read;
pub use unframe_render as render;
pub use unframe_rules as rules;
pub use unframe_site as store;

/// Everything that can go wrong.
pub mod errors {
    #[cfg(feature = "files")]
    pub use crate::batch::{BoxError, CleanError, NoThreads};
    #[cfg(feature = "files")]
    pub use crate::survey::{ClusterError, DedupError, SurveyError};
    #[cfg(feature = "fetch")]
    pub use unframe_fetch::FetchError;
    pub use unframe_methods::OutOfRange;
    pub use unframe_page::BadSelector;
    #[cfg(feature = "files")]
    pub use unframe_read::InputError;
    pub use unframe_rules::BadRules;
    pub use unframe_site::StoreError;
}
