//! The method `links`: compares every page of a site with a few others.
//!
//! The thesis has one key page and loads others. Here the pages of a site arrive one after another,
//! so the memory stores the trees of some, and each page is compared with *n* of them.

use unframe_dom::NodeId;
use unframe_labels::{Label, Labels, Reason, TextLabel};
use unframe_page::{
    CanonicalUrl, Fingerprint, Kind, Page, content_fingerprint, length, links, normalise,
    visible_texts,
};
use unframe_site::{Figure, SiteRecord, Visit, bytes, count};

use super::clique::largest_clique;
use super::kept_page::KeptPage;
use super::memory::LinksMemory;
use super::params::LinksParams;
use super::tree::RootedTree;
use super::votes::Votes;
use crate::learned::Learned;
use crate::method::Method;
use crate::out_of_range::OutOfRange;
use crate::registry::{Registered, RunKey};

/// Maximum number of stored links per page.
const MOST_LINKS: usize = 256;

/// The method.
#[derive(Clone, Debug)]
pub struct LinksMethod {
    params: LinksParams,
}

/// What `links` needs to know about a page.
#[derive(Clone, Debug)]
pub struct LinksView {
    page: KeptPage,
    /// Visible texts: node, length, index in the tree.
    texts: Vec<(NodeId, u32, u32)>,
}

impl LinksMethod {
    /// Checks the parameters.
    pub fn new(params: LinksParams) -> Result<Self, OutOfRange> {
        params.check_ranges()?;
        Ok(LinksMethod { params })
    }

    /// The parameters.
    pub fn params(&self) -> &LinksParams {
        &self.params
    }

    /// The pages that a page is compared with: first those that all link to each other and to the
    /// page, and are linked from it; then others with a similar structure. Copies of the page, and
    /// its own earlier version, are excluded. Also returns how many were chosen by links.
    pub(super) fn choose<'a>(
        &self,
        memory: &'a LinksMemory,
        page: &KeptPage,
    ) -> (Vec<&'a KeptPage>, usize) {
        let n = self.params.n as usize;
        let is_itself = |kept: &KeptPage| {
            kept.content == page.content || (page.url != 0 && kept.url == page.url)
        };
        let mut others: Vec<&KeptPage> = memory.kept().filter(|kept| !is_itself(kept)).collect();
        let mut chosen = all_linked(page, &others, n);
        let by_links = chosen.len();
        // The most similar pages also share content. So the more similar half forms a group, and
        // each page is compared with different members of it.
        let group = (others.len() / 2).max(n);
        if group < others.len() {
            let mut by_likeness: Vec<(f64, &KeptPage)> = others
                .iter()
                .map(|other| (page.similarity(other), *other))
                .collect();
            by_likeness.sort_by(|a, b| b.0.total_cmp(&a.0));
            by_likeness.truncate(group);
            others = by_likeness.into_iter().map(|(_, other)| other).collect();
        }
        others.sort_by_key(|other| mixed(page.content ^ other.content));
        for other in others {
            if chosen.len() >= n {
                break;
            }
            if chosen.iter().all(|taken| taken.content != other.content) {
                chosen.push(other);
            }
        }
        (chosen, by_links)
    }

    /// The stored data of a page, and the nodes of its tree.
    pub(super) fn reduce(&self, page: &Page) -> (KeptPage, Vec<NodeId>) {
        let RootedTree { tree, nodes } = RootedTree::of(page.dom(), &self.params, None);
        let content = content_fingerprint(page.bytes()).0 as u64;
        let url = page.url.as_deref().and_then(CanonicalUrl::parse);
        let kept = match (&page.url, url) {
            (Some(text), Some(url)) => {
                let mut out: Vec<u64> = links(page.dom(), text)
                    .iter()
                    .filter(|link| link.target.host() == url.host())
                    .take(MOST_LINKS)
                    .map(|link| number(&link.target))
                    .collect();
                out.sort_unstable();
                out.dedup();
                KeptPage::new(tree, content, number(&url), out.into()).at(text)
            }
            _ => KeptPage::new(tree, content, 0, Box::default()),
        };
        (kept, nodes)
    }
}

/// At most `n` pages that all link to each other and to the page itself, and are linked from it.
fn all_linked<'a>(page: &KeptPage, others: &[&'a KeptPage], n: usize) -> Vec<&'a KeptPage> {
    let mutual = |a: &KeptPage, b: &KeptPage| a.leads_to(b) && b.leads_to(a);
    let linked: Vec<&KeptPage> = others
        .iter()
        .filter(|other| mutual(page, other))
        .copied()
        .take(MOST_LINKED)
        .collect();
    let graph: Vec<u64> = linked
        .iter()
        .map(|a| {
            let with = linked.iter().enumerate().filter(|(_, b)| mutual(a, b));
            with.fold(0, |mask, (at, _)| mask | 1 << at)
        })
        .collect();
    let clique = largest_clique(&graph, n);
    clique.into_iter().map(|at| linked[at]).collect()
}

/// Cliques are searched in sets of 64 pages.
const MOST_LINKED: usize = 64;

/// A hash of a number.
fn mixed(number: u64) -> u64 {
    let once = (number ^ (number >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    once ^ (once >> 29)
}

impl Registered for LinksMethod {
    type Params = LinksParams;
    const SOURCE: &'static str = "Alarte, 2014";
    const SUMMARY: &'static str = "compares the trees of pages, and removes what several share";
    const RUN_KEYS: &'static [RunKey] = &[RunKey::Arrival];

    fn build(params: LinksParams, _: bool) -> Result<Self, String> {
        LinksMethod::new(params).map_err(|error| error.to_string())
    }
}

impl Method for LinksMethod {
    const NAME: &'static str = "links";
    const VERSION: u32 = 2;

    type Memory = LinksMemory;
    type View = LinksView;

    fn needs_pages(&self) -> u64 {
        2
    }

    /// Trees that were built with other rules cannot be compared.
    fn accepts(&self, memory: &LinksMemory) -> Result<(), String> {
        let (theirs, ours) = (memory.rules(), self.params.tree_rules());
        match theirs.is_empty() || theirs == ours {
            true => Ok(()),
            false => Err(format!(
                "it was learned with `{theirs}`, not with `{ours}`; use the same options, or another file"
            )),
        }
    }

    fn view(&self, page: &Page) -> LinksView {
        let (kept, nodes) = self.reduce(page);
        let mut normal = String::new();
        let mut texts = Vec::new();
        let mut at = 0;
        for node in visible_texts(page.dom()) {
            while nodes[at] < node {
                at += 1;
            }
            let text = normalise(page.dom().text(node), &mut normal);
            texts.push((node, length(text), at as u32));
        }
        LinksView { page: kept, texts }
    }

    fn learn(
        &self,
        memory: &mut LinksMemory,
        _: &Page,
        view: &LinksView,
        visit: Visit<'_>,
    ) -> Vec<u8> {
        let rules = self.params.tree_rules();
        memory.learn(self.params.keep, &rules, visit, || view.page.clone());
        Vec::new()
    }

    fn label(&self, memory: &LinksMemory, view: &LinksView) -> Labels {
        let (others, _) = self.choose(memory, &view.page);
        let trees = others.iter().map(|other| &other.tree);
        let votes = Votes::count(&self.params, &view.page.tree, trees);
        let mut labels = Labels::default();
        // One reason for each number of votes.
        let mut reasons = vec![u32::MAX; votes.pages as usize + 1];
        for (node, length, at) in &view.texts {
            let at = *at as usize;
            let count = votes.of[at];
            let reason = &mut reasons[count as usize];
            if *reason == u32::MAX {
                *reason = labels.reasons.len() as u32;
                labels.reasons.push(Reason::Votes {
                    votes: count,
                    needed: votes.needed,
                    pages: votes.pages,
                });
            }
            labels.texts.push(TextLabel {
                node: *node,
                length: *length,
                label: match votes.is_template(at) {
                    true => Label::Template,
                    false => Label::Content,
                },
                reason: *reason,
            });
        }
        labels
    }

    fn learned(&self, sites: &[(&LinksMemory, &SiteRecord)]) -> Learned {
        let (mut kept_pages, mut pages, mut size) = (0, 0, 0);
        for (memory, _) in sites {
            kept_pages += memory.kept_pages() as u64;
            pages += memory.pages();
            size += memory.table_bytes();
        }
        Learned {
            name: "trees",
            figures: vec![
                Figure::count("kept_pages", kept_pages),
                Figure::count("pages", pages),
                Figure::bytes("bytes", size),
            ],
            line: format!(
                "learned: kept the trees of {kept_pages} of {} to compare with ({} in memory)",
                count(pages, "page"),
                bytes(size as f64),
            ),
            hint: None,
            criterion: "on several pages (--links t=2)",
        }
    }
}

/// A hash of a URL; never 0, which means none.
fn number(url: &CanonicalUrl) -> u64 {
    (Fingerprint::of(Kind::Page, url.to_string()).0 as u64).max(1)
}
