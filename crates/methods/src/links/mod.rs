//! `links`: derives the template of one page from the pages that it links to (Alarte, *Site-level
//! web template extraction based on DOM analysis*, 2014).
//!
//! ```text
//! key page ─► links by relevance ─► pages that all link to each other ─► mappings ─► votes
//! ```
//!
//! The pages in a menu all link to each other and share the template, but little else.
//! [`template_of`] finds *n* of them and compares their trees with that of the key page. A node is
//! template if at least *t* of them have a counterpart for it. [`LinksMethod`] does the same for
//! every page of a site, using stored pages.
//!
//! Where the thesis leaves something open or contradicts itself, the items document our choice.

mod clique;
mod distance;
mod equality;
mod explorer;
mod kept_page;
mod kept_template;
mod main_content;
mod mapping;
mod memory;
mod menu;
mod method;
mod params;
mod sort;
mod source;
mod template;
mod tree;
mod votes;

pub use distance::{dom_distance, hyperlink_distance, relevance};
pub use equality::{Place, likeness_of_places};
pub use explorer::SkippedLink;
pub use kept_template::KeptTemplate;
pub use mapping::Mapping;
pub use memory::LinksMemory;
pub use method::{LinksMethod, LinksView};
pub use params::{ClassRule, IdRule, LinksParams, LinksPreset, MenuRule, TextRule, Weights};
pub use sort::sort_links;
pub use source::{LoadError, Loaded, PageSource};
pub use template::{TemplateError, TemplateResult, template_of};
pub use tree::{PageTree, RootedTree};
pub use votes::Votes;

#[cfg(test)]
mod tests;
