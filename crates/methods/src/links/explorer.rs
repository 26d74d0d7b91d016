//! Follows the links of the key page to find pages that all link to each other (Algorithm 2).

use foldhash::{HashMap, HashSet};
use unframe_dom::Dom;
use unframe_page::{CanonicalUrl, Fingerprint, Link, Page, content_fingerprint, links};

use super::clique::largest_clique;
use super::menu::menu;
use super::params::{LinksParams, MenuRule};
use super::sort::sort_links;
use super::source::{LoadError, PageSource};

/// Maximum number of pages in the search for a clique: masks have 64 bits, one of which is the page
/// itself.
const MOST_CANDIDATES: usize = 63;

/// Loads the pages that a key page links to, most promising first, and records which of them link
/// to each other.
pub(super) struct Explorer<'a, S> {
    source: &'a mut S,
    params: &'a LinksParams,
    key: &'a CanonicalUrl,
    /// The content of the key page: a copy of it under another URL would vote for all of it.
    content: Fingerprint,
    /// The targets of the key page's links, in the order in which they are followed.
    targets: Vec<CanonicalUrl>,
    next: usize,
    /// The page at a URL, which may be the URL in links or the final URL.
    known: HashMap<CanonicalUrl, usize>,
    pub(super) pages: Vec<LinkedPage>,
    pub(super) skipped: Vec<SkippedLink>,
    loads: usize,
}

/// A loaded page.
pub(super) struct LinkedPage {
    pub(super) url: CanonicalUrl,
    pub(super) page: Page,
    /// The URLs of links to it, and its final URL.
    names: Vec<CanonicalUrl>,
    /// The targets of its links on its site.
    out: HashSet<CanonicalUrl>,
}

impl LinkedPage {
    fn leads_to(&self, other: &LinkedPage) -> bool {
        other.names.iter().any(|name| self.out.contains(name))
    }
}

/// A link that led to no page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedLink {
    /// Its target.
    pub url: CanonicalUrl,
    /// Why there is no page.
    pub reason: LoadError,
}

impl<'a, S: PageSource> Explorer<'a, S> {
    /// Collects the links of the key page.
    pub(super) fn new(
        source: &'a mut S,
        params: &'a LinksParams,
        key: &'a CanonicalUrl,
        page: &Page,
    ) -> Self {
        Explorer {
            targets: targets(params, key, page.dom()),
            content: content_fingerprint(page.bytes()),
            source,
            params,
            key,
            next: 0,
            known: HashMap::default(),
            pages: Vec::new(),
            skipped: Vec::new(),
            loads: 0,
        }
    }

    /// The number of distinct pages of the site that the key page links to.
    pub(super) fn links(&self) -> usize {
        self.targets.len()
    }

    /// The parameters.
    pub(super) fn params(&self) -> &'a LinksParams {
        self.params
    }

    /// The index of a loaded page.
    pub(super) fn place_of(&self, url: &CanonicalUrl) -> Option<usize> {
        self.known.get(url).copied()
    }

    /// Whether the source waits for a page.
    pub(super) fn is_waiting(&self) -> bool {
        self.source.is_waiting()
    }

    /// Other pages of the site that the source knows.
    pub(super) fn others(&mut self, key: &CanonicalUrl) -> Vec<CanonicalUrl> {
        self.source.others(key)
    }

    /// The number of pages requested.
    pub(super) fn loads(&self) -> usize {
        self.loads
    }

    /// *n* pages that all link to each other, or as many as were found: their indices in `pages`.
    pub(super) fn complete_subdigraph(&mut self) -> Vec<usize> {
        let n = self.params.n as usize;
        let mut best = Vec::new();
        while best.len() < n
            && let Some(page) = self.load_next()
        {
            // One more page enlarges the largest clique by at most one, so it is found as soon as
            // it has n pages.
            let clique = self.clique_with(page);
            if clique.len() > best.len() {
                best = clique;
            }
        }
        best
    }

    /// Follows the next link that leads to a page; `None` if there is none, or the limit of loads
    /// is reached.
    pub(super) fn load_next(&mut self) -> Option<usize> {
        while self.loads < self.params.loads() {
            let target = self.targets.get(self.next)?.clone();
            self.next += 1;
            if self.known.contains_key(&target) {
                continue;
            }
            match self.load(&target) {
                Ok(page) => return Some(page),
                // The key page under another URL is not a failure.
                Err(LoadError::Known(url)) if url == *self.key => {}
                Err(reason) => self.skipped.push(SkippedLink {
                    url: target,
                    reason,
                }),
            }
        }
        None
    }

    /// Loads a page of the site, linked or not.
    pub(super) fn load(&mut self, target: &CanonicalUrl) -> Result<usize, LoadError> {
        self.loads += 1;
        let loaded = self.source.load(target)?;
        if loaded.url.host() != self.key.host() {
            return Err(LoadError::OtherSite(loaded.url));
        }
        if loaded.url == *self.key || content_fingerprint(loaded.page.bytes()) == self.content {
            return Err(LoadError::Known(self.key.clone()));
        }
        if let Some(page) = self.place_of(&loaded.url) {
            self.known.insert(target.clone(), page);
            self.pages[page].names.push(target.clone());
            return Err(LoadError::Known(loaded.url));
        }
        let out = links(loaded.page.dom(), &format!("http://{}", loaded.url));
        let out = out.into_iter().map(|link| link.target);
        let out = out.filter(|to| to.host() == self.key.host()).collect();
        let number = self.pages.len();
        self.known.insert(target.clone(), number);
        self.known.insert(loaded.url.clone(), number);
        self.pages.push(LinkedPage {
            names: vec![target.clone(), loaded.url.clone()],
            url: loaded.url,
            page: loaded.page,
            out,
        });
        Ok(number)
    }

    /// The largest set of loaded pages with `page` that all link to each other.
    fn clique_with(&self, page: usize) -> Vec<usize> {
        let mutual = |a: usize, b: usize| {
            let (a, b) = (&self.pages[a], &self.pages[b]);
            a.leads_to(b) && b.leads_to(a)
        };
        let candidates: Vec<usize> = (0..self.pages.len())
            .filter(|other| *other != page && mutual(page, *other))
            .take(MOST_CANDIDATES)
            .collect();
        let graph: Vec<u64> = candidates
            .iter()
            .map(|a| {
                let with = candidates.iter().enumerate();
                with.filter(|(_, b)| *b != a && mutual(*a, **b))
                    .fold(0, |mask, (at, _)| mask | 1 << at)
            })
            .collect();
        let found = largest_clique(&graph, self.params.n as usize - 1);
        let mut clique: Vec<usize> = found.into_iter().map(|at| candidates[at]).collect();
        clique.push(page);
        clique
    }
}

/// The targets of the key page's links on its own site, each once, in the order in which they are
/// followed.
fn targets(params: &LinksParams, key: &CanonicalUrl, dom: &Dom) -> Vec<CanonicalUrl> {
    let mut seen: HashSet<CanonicalUrl> = HashSet::default();
    let mut found: Vec<Link> = links(dom, &format!("http://{key}"));
    found.retain(|link| {
        link.target.host() == key.host() && link.target != *key && seen.insert(link.target.clone())
    });
    if found.len() > params.max_links {
        let rank = |link: &Link| {
            let distance = super::distance::hyperlink_distance(key, &link.target);
            super::distance::relevance(distance)
        };
        found.sort_by_key(rank);
        found.truncate(params.max_links);
        found.sort_by_key(|link| link.node);
    }
    let mut order = sort_links(dom, key, &found);
    if params.menu == MenuRule::Density
        && let Some(menu) = menu(dom, &found, params.n as usize)
    {
        let inside = dom.subtree(menu);
        order.sort_by_key(|at| !inside.contains(&found[*at].node));
    }
    order
        .into_iter()
        .map(|at| found[at].target.clone())
        .collect()
}
