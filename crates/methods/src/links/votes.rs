//! Decides which nodes of the key page are template: those for which enough other pages have a
//! counterpart.
//!
//! The printed Algorithm 3 intersects page by page and has no *t*; the text, Table 5.2 and the
//! "voting system" count. Each page is mapped separately, so their order does not matter. A
//! counterpart of a node implies one of its parent, so votes never increase down the tree, and the
//! template is a tree that contains the root.

use unframe_dom::Dom;
use unframe_page::is_blank;

use super::mapping::Mapping;
use super::params::LinksParams;
use super::tree::{PageTree, RootedTree};

/// The number of votes for each node of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Votes {
    /// For each node of the key page's tree.
    pub of: Vec<u32>,
    /// Number of pages that could vote.
    pub pages: u32,
    /// Votes that make a node template.
    pub needed: u32,
}

impl Votes {
    /// Counts the votes of these pages for the nodes of a key page.
    pub fn count<'a>(
        params: &LinksParams,
        key: &PageTree,
        pages: impl IntoIterator<Item = &'a PageTree>,
    ) -> Votes {
        let mut of = vec![0; key.len()];
        let mut count = 0;
        for page in pages {
            count += 1;
            let mapping = Mapping::of(params, key, page);
            for (node, votes) in of.iter_mut().enumerate() {
                *votes += u32::from(mapping.counterpart(node).is_some());
            }
        }
        Votes {
            of,
            pages: count,
            needed: params.votes_of(count as usize),
        }
    }

    /// True if a node of the tree is template. Without other pages, none is.
    pub fn is_template(&self, node: usize) -> bool {
        self.pages > 0 && self.of[node] >= self.needed
    }

    /// The votes for all nodes of the page itself. Nodes that are not in the tree (comments, blank
    /// texts) have those of their parent; nodes that were excluded from the tree have none.
    pub fn of_page(&self, dom: &Dom, tree: &RootedTree) -> Vec<u32> {
        let mut all = vec![0; dom.nodes().len()];
        let mut next = 0;
        if let Some(votes) = self.of.first() {
            all[0] = *votes;
        }
        for (id, node) in dom.nodes().iter().enumerate().skip(1) {
            if tree.nodes.get(next) == Some(&(id as u32)) {
                all[id] = self.of[next];
                next += 1;
            } else if !node.tag.is_element() && is_blank(dom.text(id as u32)) {
                all[id] = all[node.parent as usize];
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::LinksPreset;
    use super::*;
    use proptest::prelude::*;
    use unframe_dom::{Limits, parse};

    fn tree(html: &str, params: &LinksParams) -> RootedTree {
        RootedTree::of(&parse(html, &Limits::default()), params, None)
    }

    #[test]
    fn what_most_pages_have_is_template() {
        let params = LinksPreset::Modern.params();
        let page = |content: &str| format!("<div id=nav>Home</div><div id=main>{content}</div>");
        let html = page("<p>mine</p>");
        let dom = parse(html.clone(), &Limits::default());
        let key = tree(&html, &params);
        let others: Vec<RootedTree> = ["<p>a", "<ul><li>b", "<p>mine"]
            .iter()
            .map(|content| tree(&page(content), &params))
            .collect();
        let votes = Votes::count(&params, &key.tree, others.iter().map(|other| &other.tree));
        let found: Vec<(&str, u32)> = key
            .nodes
            .iter()
            .zip(&votes.of)
            .map(|(id, votes)| (dom.tag_name(dom.node(*id).tag), *votes))
            .collect();
        let expected = [
            ("html", 3),
            ("head", 3),
            ("body", 3),
            ("div", 3),
            ("#text", 3),
            ("div", 3),
            ("p", 2),
            ("#text", 1),
        ];
        assert_eq!(found, expected);
        assert!(votes.is_template(6) && !votes.is_template(7));
        let none = Votes::count(&params, &key.tree, []);
        assert!(!none.is_template(0));
    }

    const MARKUP: &str =
        "(<(div|p|ul|li)( class=(a|b))?>|</(div|p|ul)>|one|two|<!-- c -->| ){0,25}";

    proptest! {
        #[test]
        fn votes_shrink_downwards_in_any_order(
            key in MARKUP,
            pages in prop::collection::vec(MARKUP, 1..5),
            preset in 0..3usize,
        ) {
            let params = LinksPreset::ALL[preset].params();
            let dom = parse(key.clone(), &Limits::default());
            let key = tree(&key, &params);
            let pages: Vec<RootedTree> = pages.iter().map(|page| tree(page, &params)).collect();
            let forward = Votes::count(&params, &key.tree, pages.iter().map(|page| &page.tree));
            let back = Votes::count(&params, &key.tree, pages.iter().rev().map(|page| &page.tree));
            prop_assert_eq!(&forward, &back);
            for at in 1..key.tree.len() {
                let parent = key.tree.nodes[at].parent as usize;
                prop_assert!(forward.of[at] <= forward.of[parent]);
            }
            let all = forward.of_page(&dom, &key);
            for id in 1..dom.nodes().len() {
                prop_assert!(all[id] <= all[dom.node(id as u32).parent as usize]);
            }
        }
    }
}
