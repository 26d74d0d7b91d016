//! The `--json` output for one page: the pages it was compared with, and the votes for each node.

use std::path::{Path, PathBuf};

use serde::Serialize;
use unframe::Page;
use unframe::dom::{NodeId, Span, Tag};
use unframe::methods::LinksParams;
use unframe::methods::links::TemplateResult;
use unframe::page::{CanonicalUrl, normalise};
use unframe::read::RawPage;
use unframe::render::source_ends;

/// Bytes to show of a text.
const EXCERPT: usize = 80;

/// The template of a page.
#[derive(Serialize)]
pub struct TemplateRecord<'a> {
    #[serde(flatten)]
    pub key: Named,
    #[serde(flatten)]
    pub kept: Option<&'a KeptIn>,
    pub rests_on: &'a [Named],
    /// How many of them were found by following links.
    pub by_links: usize,
    pub n: u32,
    pub t: u32,
    pub votes_needed: u32,
    pub links: usize,
    pub loads: usize,
    pub skipped: &'a [Skipped],
    pub replaced: &'a [Named],
    pub elements: usize,
    pub template_elements: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a Path>,
    pub nodes: Vec<Voted<'a>>,
}

/// A page, with the keys of the records of `clean`.
#[derive(Clone, Serialize)]
pub struct Named {
    pub url: String,
    pub source: String,
}

impl Named {
    /// A page of which only the name is known.
    pub fn both(name: String) -> Named {
        Named {
            url: name.clone(),
            source: name,
        }
    }

    pub fn of(raw: &RawPage) -> Named {
        Named {
            url: raw.url.clone().unwrap_or_else(|| raw.name.clone()),
            source: raw.name.clone(),
        }
    }
}

/// A link that led to no page.
#[derive(Serialize)]
pub struct Skipped {
    pub url: String,
    pub reason: String,
}

/// An element or a text.
#[derive(Serialize)]
pub struct Voted<'a> {
    node: NodeId,
    parent: NodeId,
    tag: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Byte positions in the original page.
    start: usize,
    end: usize,
    votes: u32,
    /// Share of the pages that have it.
    probability: f64,
    template: bool,
}

/// The template of a page, whatever the source of the other pages.
pub struct Found {
    /// Number of pages that have each node.
    pub votes: Vec<u32>,
    pub is_template: Vec<bool>,
    pub needed: u32,
    pub rests_on: Vec<Named>,
    /// How many of them were found by following links.
    pub by_links: usize,
    pub links: usize,
    pub loads: usize,
    pub skipped: Vec<Skipped>,
    pub replaced: Vec<Named>,
    /// The state, if the other pages come from one.
    pub kept: Option<KeptIn>,
}

/// The state and site that hold the trees of the other pages.
#[derive(Clone, Serialize)]
pub struct KeptIn {
    pub state: PathBuf,
    pub site: String,
}

impl Found {
    /// From the pages that links led to; `name` names them.
    pub fn over_links(result: TemplateResult, name: impl Fn(&CanonicalUrl) -> Named) -> Found {
        let skipped = result.skipped.iter().map(|link| Skipped {
            url: name(&link.url).url,
            reason: first_line(&link.reason.to_string()),
        });
        Found {
            skipped: skipped.collect(),
            rests_on: result.rests_on.iter().map(&name).collect(),
            replaced: result.atypical.iter().map(&name).collect(),
            votes: result.votes,
            is_template: result.is_template,
            needed: result.needed,
            by_links: result.by_links,
            links: result.links,
            loads: result.loads,
            kept: None,
        }
    }
}

impl<'a> TemplateRecord<'a> {
    pub fn of(
        page: &'a Page,
        key: Named,
        found: &'a Found,
        params: &LinksParams,
        file: Option<&'a Path>,
    ) -> TemplateRecord<'a> {
        let (elements, template_elements) = elements(page, found);
        TemplateRecord {
            key,
            kept: found.kept.as_ref(),
            rests_on: &found.rests_on,
            by_links: found.by_links,
            n: params.n,
            t: params.t,
            votes_needed: found.needed,
            links: found.links,
            loads: found.loads,
            skipped: &found.skipped,
            replaced: &found.replaced,
            elements,
            template_elements,
            file,
            nodes: nodes(page, found),
        }
    }
}

/// How many elements a page has, and how many of them are template.
pub fn elements(page: &Page, found: &Found) -> (usize, usize) {
    let nodes = page.dom().nodes().iter().zip(&found.is_template);
    let elements = nodes.filter(|(node, _)| node.tag.is_element());
    elements.fold((0, 0), |(all, template), (_, is_template)| {
        (all + 1, template + usize::from(*is_template))
    })
}

/// The message without the hints below it.
pub fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_string()
}

fn nodes<'a>(page: &'a Page, result: &Found) -> Vec<Voted<'a>> {
    let dom = page.dom();
    let ends = source_ends(dom);
    let pages = result.rests_on.len().max(1) as f64;
    let mut found = Vec::new();
    let mut normal = String::new();
    for (at, node) in dom.nodes().iter().enumerate().skip(1) {
        let id = at as NodeId;
        let text = match node.tag {
            Tag::TEXT => {
                let text = normalise(dom.text(id), &mut normal);
                if text.is_empty() {
                    continue;
                }
                Some(text[..text.floor_char_boundary(EXCERPT)].to_string())
            }
            tag if tag.is_element() => None,
            _ => continue,
        };
        let bytes = page.source(Span {
            start: node.open.start,
            end: ends[at].max(node.open.start),
        });
        let votes = result.votes[at];
        found.push(Voted {
            node: id,
            parent: node.parent,
            tag: dom.tag_name(node.tag),
            id: dom.attribute(id, "id"),
            class: dom.attribute(id, "class"),
            text,
            start: bytes.start,
            end: bytes.end,
            votes,
            probability: f64::from(votes) / pages,
            template: result.is_template[at],
        });
    }
    found
}
