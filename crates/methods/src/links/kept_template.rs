//! The template of one page by what a memory keeps of others.

use unframe_page::Page;

use super::memory::LinksMemory;
use super::method::LinksMethod;
use super::tree::RootedTree;
use super::votes::Votes;

/// The template of a page, and which kept pages it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTemplate {
    /// Pages that vote for each node of the page, by node; comments and blank texts go with their
    /// parents.
    pub votes: Vec<u32>,
    /// Whether each node of the page is template.
    pub is_template: Vec<bool>,
    /// Votes that make a node template: *t*, or less if fewer than *n* pages are kept.
    pub needed: u32,
    /// The URLs of the pages that voted, as they were stated; `None` for a page whose URL was not
    /// kept.
    pub rests_on: Vec<Option<String>>,
    /// How many of them all link to each other and to the page, and it to them. They come first.
    pub by_links: usize,
}

impl LinksMethod {
    /// The template of a page by the pages that it would be labelled by. The page itself need not be
    /// known to the memory, and is not learnt. `None` if no other page is kept.
    pub fn template(&self, memory: &LinksMemory, page: &Page) -> Option<KeptTemplate> {
        let (own, nodes) = self.reduce(page);
        let (others, by_links) = self.choose(memory, &own);
        if others.is_empty() {
            return None;
        }
        let trees = others.iter().map(|other| &other.tree);
        let votes = Votes::count(self.params(), &own.tree, trees);
        let tree = RootedTree {
            tree: own.tree,
            nodes,
        };
        let all = votes.of_page(page.dom(), &tree);
        let address = |text: &str| (!text.is_empty()).then(|| text.to_string());
        Some(KeptTemplate {
            is_template: all.iter().map(|count| *count >= votes.needed).collect(),
            votes: all,
            needed: votes.needed,
            rests_on: others.iter().map(|other| address(&other.address)).collect(),
            by_links,
        })
    }

    /// True if the trees that a memory keeps were made as this method makes them. How many it keeps
    /// does not matter for comparing.
    pub fn compares_with(&self, memory: &LinksMemory) -> bool {
        let mut params = self.params().clone();
        params.keep = memory.most_pages();
        memory.rules().is_empty() || memory.rules() == params.tree_rules()
    }
}
