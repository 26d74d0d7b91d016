//! The template of one page, compared with the stored pages of a memory.

use unframe_page::Page;

use super::memory::LinksMemory;
use super::method::LinksMethod;
use super::tree::RootedTree;
use super::votes::Votes;

/// The template of a page, and the stored pages it is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTemplate {
    /// The number of votes for each node of the page; comments and blank texts have those of their
    /// parents.
    pub votes: Vec<u32>,
    /// Whether each node of the page is template.
    pub is_template: Vec<bool>,
    /// Votes that make a node template: *t*, or fewer if fewer than *n* pages are stored.
    pub needed: u32,
    /// The URLs of the pages that voted, as stated; `None` for a page whose URL was not stored.
    pub rests_on: Vec<Option<String>>,
    /// How many of them all link to each other and to the page, and are linked from it. They come
    /// first.
    pub by_links: usize,
}

impl LinksMethod {
    /// The template of a page, from the same pages that would label it. The page itself need not be
    /// known to the memory, and is not learned. `None` if no other page is stored.
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

    /// True if the trees in a memory were built with the same rules as this method's. The number of
    /// stored pages does not matter for comparing.
    pub fn compares_with(&self, memory: &LinksMemory) -> bool {
        let mut params = self.params().clone();
        params.keep = memory.most_pages();
        memory.rules().is_empty() || memory.rules() == params.tree_rules()
    }
}
