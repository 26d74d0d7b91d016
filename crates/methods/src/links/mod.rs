//! `links`: the template of one page by the pages that it links to (Alarte, *Site-level web
//! template extraction based on DOM analysis*, 2014).
//!
//! ```text
//! key page ─► links by relevance ─► pages that all link to each other ─► mappings ─► votes
//! ```
//!
//! The pages that a menu leads to all link to each other and have the template in common, and
//! little else. [`template_of`] finds *n* of them and compares their trees with that of the key page;
//! a node is template if at least *t* of them have a counterpart of it. [`LinksMethod`] does the same to
//! every page of a site from what it has kept of others.
//!
//! Where the thesis is silent or contradicts itself, the items say what holds here.

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
