//! Labelled sites, read once and kept as views.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use rayon::prelude::*;
use unframe_dom::{Dom, Limits, Tag};
use unframe_eval::align::{Aligned, align};
use unframe_eval::{Columns, Corpus, Gold, GoldBags};
use unframe_labels::PageKind;
use unframe_methods::Method;
use unframe_methods::auto::{Auto, AutoMemory, AutoView, Favor, Remove};
use unframe_page::{Page, content_fingerprint, page_identity, visible_texts};

/// A labelled site.
pub struct LabelledSite {
    /// Its set.
    pub set: String,
    /// Its name.
    pub name: String,
    /// All of its pages, in an order that is independent of their names.
    pub pages: Vec<LabelledPage>,
    /// The memory of all of them.
    pub memory: AutoMemory,
    /// Digest of the bytes of all pages.
    digest: u64,
}

/// A digest of the pages of some sites.
pub fn digest<'a>(sites: impl Iterator<Item = &'a LabelledSite>) -> String {
    let all = sites.fold(0, |sum: u64, site| sum.wrapping_add(site.digest));
    format!("{all:016x}")
}

/// A page of a labelled site.
pub struct LabelledPage {
    /// The view of the page.
    pub view: AutoView,
    /// The label, if it has one and is scored.
    pub label: Option<PageLabel>,
}

/// The label of a page.
pub struct PageLabel {
    /// The label of each text.
    pub texts: Vec<Aligned>,
    /// What kind of page it is, if the label tells.
    pub kind: Option<PageKind>,
    /// True for a page of which only certain values are labelled.
    pub is_record: bool,
    bags: GoldBags,
    /// The texts themselves, with the white space around them.
    sources: Vec<Box<str>>,
    blocks: Vec<u32>,
}

impl PageLabel {
    /// Scores the page if the texts for which `keeps` is true are kept.
    pub fn score(&self, keeps: impl Fn(usize) -> bool) -> Columns {
        let mut kept = String::new();
        let mut last = u32::MAX;
        for (row, source) in self.sources.iter().enumerate() {
            if !keeps(row) {
                continue;
            }
            if self.blocks[row] != last {
                kept.push('\n');
                last = self.blocks[row];
            }
            kept.push_str(source);
        }
        self.bags.score(&kept)
    }
}

/// Reads the sites of labelled corpora.
pub fn read(corpora: &[PathBuf]) -> anyhow::Result<Vec<LabelledSite>> {
    let mut jobs = Vec::new();
    for path in corpora {
        for set in Corpus::open(path)?.sets {
            jobs.extend(set.sites.into_iter().map(|site| (set.name.clone(), site)));
        }
    }
    let sites = jobs.into_par_iter().map(|(set, site)| {
        let mut pages = Vec::new();
        for page in &site.pages {
            let bytes = fs::read(&page.path)
                .with_context(|| format!("cannot read {}", page.path.display()))?;
            let content = content_fingerprint(&bytes);
            let order = page_identity(None, &page.id);
            let parsed = Page::parse(bytes.into(), None, None, &Limits::default());
            pages.push((order, content, label_page(&set, &site.name, page, &parsed)?));
        }
        pages.sort_by_key(|(order, ..)| *order);
        // Identical pages count once.
        let mut seen = std::collections::HashSet::new();
        let mut memory = AutoMemory::default();
        let mut digest = 0u64;
        for (_, content, page) in &pages {
            digest = digest.wrapping_add(content.0 as u64);
            if seen.insert(*content) {
                memory.learn(&page.view);
            }
        }
        Ok(LabelledSite {
            set,
            name: site.name,
            pages: pages.into_iter().map(|(.., page)| page).collect(),
            memory,
            digest,
        })
    });
    sites.collect()
}

fn label_page(
    set: &str,
    site: &str,
    page: &unframe_eval::Page,
    parsed: &Page,
) -> anyhow::Result<LabelledPage> {
    // Views do not depend on the model, which is yet to be fitted.
    let auto = Auto::with_model(Arc::default(), Remove::default(), Favor::default());
    let view = auto.view(parsed);
    let Some(bags) = GoldBags::read(page)? else {
        return Ok(LabelledPage { view, label: None });
    };
    let gold = Gold::read(page.gold.as_ref().expect("a scored page has a label"))?;
    let dom = parsed.dom();
    let sources: Vec<&str> = visible_texts(dom).map(|node| dom.text(node)).collect();
    let texts = align(&sources, &gold);
    let sources = spaced(dom);
    let label = PageLabel {
        texts,
        kind: kind(set, site, &gold),
        is_record: gold.survive.is_some(),
        bags,
        blocks: view.blocks(),
        sources,
    };
    let label = Some(label);
    Ok(LabelledPage { view, label })
}

/// The kind that a label states. In some sets all pages are called articles, whatever they are.
fn kind(set: &str, site: &str, gold: &Gold) -> Option<PageKind> {
    let stated = gold.kind.as_ref()?.as_str();
    Some(match stated {
        "article" if matches!(set, "dwt-dev" | "built-dev" | "fresh-dev") => return None,
        "article" => PageKind::Article,
        "thread" | "forum" => PageKind::Thread,
        "listing" | "collection" => PageKind::List,
        // Lists of topics have labels like those of records.
        "record" if site.ends_with("-list") => PageKind::List,
        "record" | "product" => PageKind::Record,
        "documentation" | "service" => PageKind::Other,
        _ => return None,
    })
}

/// The visible texts, each with a space before it if the page separates it from the one before.
fn spaced(dom: &Dom) -> Vec<Box<str>> {
    let mut last = 0;
    let texts = visible_texts(dom).map(|node| {
        let between = &dom.nodes()[last as usize..node as usize];
        let apart = between
            .iter()
            .skip(1)
            .any(|node| node.tag == Tag::TEXT || node.tag.is_void());
        last = node;
        let space = if apart { " " } else { "" };
        format!("{space}{}", dom.text(node)).into()
    });
    texts.collect()
}

impl LabelledSite {
    /// The memory of a page and the `others` that follow it in the order of the site.
    pub fn memory_of(&self, page: usize, others: usize) -> AutoMemory {
        let mut memory = AutoMemory::default();
        for at in 0..=others.min(self.pages.len() - 1) {
            memory.learn(&self.pages[(page + at) % self.pages.len()].view);
        }
        memory
    }
}
