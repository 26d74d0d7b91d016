//! The template of one page: chooses pages to compare it with, and counts their votes.

use unframe_page::{CanonicalUrl, Page};

use super::explorer::{Explorer, SkippedLink};
use super::main_content::main_content;
use super::mapping::Mapping;
use super::params::LinksParams;
use super::source::PageSource;
use super::tree::{PageTree, RootedTree};
use super::votes::Votes;
use crate::out_of_range::OutOfRange;

/// The template of a key page, and the pages it is based on.
#[derive(Clone, Debug)]
pub struct TemplateResult {
    /// The number of votes for each node of the key page; comments and blank texts have those of
    /// their parents.
    pub votes: Vec<u32>,
    /// Whether each node of the key page is template.
    pub is_template: Vec<bool>,
    /// Votes that make a node template: *t*, or fewer if fewer than *n* pages were found.
    pub needed: u32,
    /// The pages that voted.
    pub rests_on: Vec<CanonicalUrl>,
    /// How many of them were found through links, as pages that all link to each other; the source
    /// provided the others.
    pub by_links: usize,
    /// Number of distinct pages of its own site that the key page links to.
    pub links: usize,
    /// Number of pages requested.
    pub loads: usize,
    /// Links that led to no page.
    pub skipped: Vec<SkippedLink>,
    /// Pages that were replaced because they do not follow the template.
    pub atypical: Vec<CanonicalUrl>,
}

/// Why there is no template.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A parameter is out of range.
    #[error(transparent)]
    Params(#[from] OutOfRange),
    /// The source [waits](PageSource::is_waiting) for a page.
    #[error("{key}: a page to compare it with is not there yet")]
    Waiting {
        /// The page.
        key: CanonicalUrl,
    },
    /// There are no pages to compare with.
    #[error("{key}: no other page of the site to compare it with: {why}")]
    NotEnoughPages {
        /// The page.
        key: CanonicalUrl,
        /// What was tried.
        why: String,
        /// Links that led to no page.
        skipped: Vec<SkippedLink>,
    },
}

/// Finds the template of the page at `key`.
///
/// The pages are those of a complete subdigraph: the key page links to all of them and each of them
/// links to each other, as pages do that share a menu. If there are fewer than *n*, the source is
/// asked for other pages of the site; if it knows none, *t* shrinks with *n*.
pub fn template_of<S: PageSource>(
    key: &CanonicalUrl,
    page: &Page,
    source: &mut S,
    params: &LinksParams,
) -> Result<TemplateResult, TemplateError> {
    params.check_ranges()?;
    let mut explorer = Explorer::new(source, params, key, page);
    let mut chosen = explorer.complete_subdigraph();
    let by_links = chosen.len();
    fill_up(&mut explorer, &mut chosen, key, params.n as usize);
    let waiting = || Err(TemplateError::Waiting { key: key.clone() });
    if explorer.is_waiting() {
        return waiting();
    }
    if chosen.is_empty() {
        return Err(TemplateError::NotEnoughPages {
            key: key.clone(),
            why: why_none(&explorer),
            skipped: explorer.skipped,
        });
    }
    let tree = |page: &Page| {
        let but = params.drop_main_content.then(|| main_content(page.dom()));
        RootedTree::of(page.dom(), params, but.flatten())
    };
    let own = tree(page);
    let mut atypical = Vec::new();
    let trees: Vec<PageTree> = match params.replace_atypical {
        false => {
            let pages = chosen.iter().map(|at| &explorer.pages[*at].page);
            pages.map(|page| tree(page).tree).collect()
        }
        true => replace_atypical(
            &mut explorer,
            &mut chosen,
            &mut atypical,
            &own.tree,
            |page| tree(page).tree,
        ),
    };
    if explorer.is_waiting() {
        return waiting();
    }
    let votes = Votes::count(params, &own.tree, &trees);
    let all = votes.of_page(page.dom(), &own);
    let is_template = all.iter().map(|count| *count >= votes.needed).collect();
    Ok(TemplateResult {
        votes: all,
        is_template,
        needed: votes.needed,
        rests_on: chosen
            .iter()
            .map(|at| explorer.pages[*at].url.clone())
            .collect(),
        by_links,
        links: explorer.links(),
        loads: explorer.loads(),
        atypical,
        skipped: explorer.skipped,
    })
}

/// Adds other pages of the site until there are `n`: first those that were loaded along the way.
fn fill_up<S: PageSource>(
    explorer: &mut Explorer<'_, S>,
    chosen: &mut Vec<usize>,
    key: &CanonicalUrl,
    n: usize,
) {
    if chosen.len() >= n {
        return;
    }
    for url in explorer.others(key) {
        if chosen.len() >= n {
            break;
        }
        let page = match explorer.place_of(&url) {
            Some(page) => page,
            None => match explorer.load(&url) {
                Ok(page) => page,
                Err(_) => continue,
            },
        };
        if !chosen.contains(&page) {
            chosen.push(page);
        }
    }
}

/// A page is atypical if it has counterparts for less than this share of the nodes for which the
/// best page has one.
const TYPICAL: f64 = 0.5;

/// Replaces pages that do not follow the template by others that do, if there are any: pages loaded
/// along the way, then further links. Returns the trees of the pages chosen.
fn replace_atypical<S: PageSource>(
    explorer: &mut Explorer<'_, S>,
    chosen: &mut [usize],
    atypical: &mut Vec<CanonicalUrl>,
    own: &PageTree,
    tree: impl Fn(&Page) -> PageTree,
) -> Vec<PageTree> {
    let params = explorer.params();
    let shared = |page: &Page| {
        let tree = tree(page);
        (Mapping::of(params, own, &tree).mapped(), tree)
    };
    let mut found: Vec<(usize, PageTree)> = chosen
        .iter()
        .map(|at| shared(&explorer.pages[*at].page))
        .collect();
    let most = found.iter().map(|(mapped, _)| *mapped).max().unwrap_or(0);
    let is_atypical = |mapped: usize| (mapped as f64) < TYPICAL * most as f64;
    let mut spare = 0;
    for at in 0..chosen.len() {
        if !is_atypical(found[at].0) {
            continue;
        }
        let other = loop {
            while spare < explorer.pages.len() && chosen.contains(&spare) {
                spare += 1;
            }
            if spare == explorer.pages.len() && explorer.load_next().is_none() {
                break None;
            }
            let (mapped, tree) = shared(&explorer.pages[spare].page);
            spare += 1;
            if !is_atypical(mapped) {
                break Some((spare - 1, mapped, tree));
            }
        };
        let Some((page, mapped, tree)) = other else {
            break;
        };
        atypical.push(explorer.pages[chosen[at]].url.clone());
        chosen[at] = page;
        found[at] = (mapped, tree);
    }
    found.into_iter().map(|(_, tree)| tree).collect()
}

fn why_none<S: PageSource>(explorer: &Explorer<'_, S>) -> String {
    match (explorer.links(), explorer.skipped.first()) {
        (0, _) => {
            "it has no link to its own site (if it is a frameset, the links are in its frames)"
                .to_string()
        }
        (_, Some(first)) => format!(
            "none of {} links tried leads to one; the first, {}: {}",
            explorer.skipped.len(),
            first.url,
            first.reason
        ),
        (links, None) => format!("none of its {links} links leads to one"),
    }
}
