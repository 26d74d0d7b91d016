//! The report on clusters of pages: one self-contained HTML page.

mod boxes;
mod curve;
mod dendrogram;
mod map;
mod portrait;
mod style;
mod thumbnail;
mod treemap;

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use unframe::survey::{Clustered, NamedPage};

use crate::numbers::{bits, count, grouped};
use curve::curve;
use dendrogram::dendrogram;
use map::map;
pub use portrait::{Portrait, template_paths};

/// Maximum number of clusters with a sketch.
pub const PORTRAYED: usize = 60;
/// Maximum number of further clusters, in a table.
const LISTED: usize = 400;
/// Maximum number of pages to list per cluster.
const NAMED: usize = 40;
/// Characters of template texts to show before they are expanded.
const GLANCE_LETTERS: usize = 150;
/// Maximum characters of a name.
const MOST_LETTERS: usize = 300;

/// The data of the report.
pub struct ClusterReport<'a> {
    /// The clusters.
    pub found: &'a Clustered,
    /// The indices of the groups, largest first.
    pub order: &'a [usize],
    /// The portraits of the first groups of `order`.
    pub portraits: &'a [Option<Portrait>],
    /// The parameters of the clustering.
    pub settings: String,
}

/// The page as HTML.
pub fn cluster_page(report: &ClusterReport<'_>) -> String {
    let found = report.found;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(crate::POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Clusters of pages · unframe" }
                style { (PreEscaped(style::STYLE)) }
            }
            body {
                header {
                    h1 { "Which pages share a template" }
                    p {
                        (grouped(found.pages.len() as u64)) " pages of "
                        (count(found.summary.sites, "site"))
                        @if found.heaps.len() < 2 && found.summary.sites > 1 { ", clustered together," }
                        " grouped by minimum description length: one template per cluster, and the \
                        difference between each page and its template (" code { (report.settings) } ")."
                    }
                }
                main {
                    (numbers(report))
                    (picture(report))
                    (clusters(report))
                    (more(report))
                    (notes())
                }
            }
        }
    };
    page.into_string()
}

fn numbers(report: &ClusterReport<'_>) -> Markup {
    let found = report.found;
    let sizes = || found.groups.iter().map(|group| group.pages.len());
    let alone = sizes().filter(|size| *size == 1).count();
    let largest = sizes().max().unwrap_or(0);
    let before: f64 = found.heaps.iter().map(|heap| heap.length_before).sum();
    let after: f64 = found.heaps.iter().map(|heap| heap.length_after).sum();
    let cards = [
        (
            "pages",
            grouped(found.pages.len() as u64),
            count(found.summary.sites, "site"),
        ),
        (
            "clusters",
            grouped(found.groups.len() as u64),
            format!("{} of a single page", grouped(alone as u64)),
        ),
        (
            "largest cluster",
            grouped(largest as u64),
            format!("{} of the pages", percent(largest, found.pages.len())),
        ),
        (
            "description",
            bits(after),
            match before > 0.0 {
                true => format!(
                    "{:.1} % less than {} for separate pages",
                    100.0 * (1.0 - after / before),
                    bits(before)
                ),
                false => "nothing to describe".into(),
            },
        ),
    ];
    html! {
        div.cards {
            @for (name, number, note) in cards {
                div.card { div.name { (name) } div.number { (number) } div.note { (note) } }
            }
        }
    }
}

fn picture(report: &ClusterReport<'_>) -> Markup {
    let found = report.found;
    let merged = found.heaps.iter().filter(|heap| !heap.lengths.is_empty());
    // The first of the largest heaps.
    let largest = merged.rev().max_by_key(|heap| heap.pages);
    html! {
        section {
            h2 { "The map" }
            p { "Each cell is a cluster; its area is the number of pages. Click one to see it." }
            div.wide { (map(report, 1060, 420)) }
            div.narrow { (map(report, 360, 480)) }
            div.figures {
                @if let Some(tree) = dendrogram(report) {
                    figure {
                        figcaption { "Share of paths that templates have in common" }
                        (tree)
                    }
                }
                @if let Some(heap) = largest {
                    figure {
                        figcaption {
                            "Description length"
                            @if found.heaps.len() > 1 && let Some(site) = &heap.site { " of " b { (site) } }
                            " after each merge"
                        }
                        (curve(heap))
                    }
                }
            }
        }
    }
}

fn clusters(report: &ClusterReport<'_>) -> Markup {
    html! {
        section {
            h2 { "The clusters" }
            p.legend {
                span { i.key.ft {} "template text" }
                span { i.key.fr {} "template block" }
                span { i.key.ct {} "content text" }
                span { i.key.sl {} "content slot" }
                span { i.key.im {} "image" }
            }
            div.clusters {
                @for (place, group) in report.order.iter().take(PORTRAYED).enumerate() {
                    @let portrait = report.portraits.get(place).and_then(Option::as_ref);
                    (cluster(report.found, *group, portrait))
                }
            }
        }
    }
}

fn cluster(found: &Clustered, number: usize, portrait: Option<&Portrait>) -> Markup {
    let group = &found.groups[number];
    let heap = &found.heaps[group.heap];
    html! {
        article #{ "c" (number) } style=(Tone::of(found, number).style()) {
            div.picture {
                @match portrait {
                    Some(portrait) => (portrait.thumbnail.svg(&thumbnail_name(number), "Layout of a page")),
                    None => p.note { "The page no longer exists." }
                }
            }
            div.facts {
                h3 { i.dot {} code { (pattern(found, number)) } }
                p.size {
                    b { (count(group.pages.len() as u64, "page")) }
                    " · " (percent(group.pages.len(), found.pages.len()))
                    @if group.pattern.share < 1.0 {
                        " · " (format!("{:.0} %", 100.0 * group.pattern.share)) " of them match this address"
                    }
                }
                @if found.heaps.len() > 1 && let Some(site) = &heap.site { p.note { (short(site)) } }
                @if heap.site.is_none() && found.summary.sites > 1 { (site_shares(found, number)) }
                @if group.pages.len() > 1 {
                    p.note {
                        (grouped(group.template.len() as u64)) " paths in the template, "
                        (bits(group.gain)) " saved"
                    }
                } @else {
                    p.note { "A single page: its template is unknown." }
                }
                @if let Some(portrait) = portrait.filter(|portrait| !portrait.texts.is_empty()) {
                    (texts(portrait))
                }
                (pages(found, number, portrait))
            }
        }
    }
}

/// Texts of the template: some visible, the others collapsed.
fn texts(portrait: &Portrait) -> Markup {
    let mut room = GLANCE_LETTERS;
    let fits = |text: &&String| {
        room = room.saturating_sub(text.chars().count() + 3);
        room > 0
    };
    let glance = portrait.texts.iter().take_while(fits).count().max(1);
    let (first, others) = portrait.texts.split_at(glance);
    html! {
        p.texts { @for text in first { span { (text) } " " } }
        @if !others.is_empty() {
            details {
                summary { "More template texts" }
                p.texts {
                    @for text in others { span { (text) } " " }
                    @if portrait.more_texts > 0 {
                        "and " (grouped(portrait.more_texts as u64)) " more"
                    }
                }
            }
        }
    }
}

/// The id of a cluster's sketch.
fn thumbnail_name(number: usize) -> String {
    format!("t{number}")
}

/// The sites of a cluster's pages, if sites are mixed.
fn site_shares(found: &Clustered, number: usize) -> Markup {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for page in &found.groups[number].pages {
        *counts.entry(&found.pages[*page as usize].site).or_default() += 1;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, pages)| std::cmp::Reverse(*pages));
    html! {
        p.note {
            @for (at, (site, pages)) in counts.iter().take(5).enumerate() {
                @if at > 0 { ", " } (short(site))
                @if counts.len() > 1 { " (" (grouped(*pages)) ")" }
            }
            @if counts.len() > 5 { " and " (count(counts.len() as u64 - 5, "more site")) }
        }
    }
}

fn pages(found: &Clustered, number: usize, portrait: Option<&Portrait>) -> Markup {
    let group = &found.groups[number];
    let others = || {
        group
            .pages
            .iter()
            .filter(|page| **page != group.representative)
    };
    let shown = NAMED.min(group.pages.len() - 1);
    let title = portrait.map_or("", |portrait| &portrait.title);
    html! {
        details {
            summary { "Pages" }
            ul {
                li.first {
                    (address(&found.pages[group.representative as usize]))
                    @if !title.is_empty() { " – " (title) }
                    @if group.pages.len() > 1 { span.note { " (shown)" } }
                }
                @for page in others().take(NAMED) { li { (address(&found.pages[*page as usize])) } }
                @if group.pages.len() - 1 > shown {
                    li.note { "and " (grouped((group.pages.len() - 1 - shown) as u64)) " more; "
                        code { "--format jsonl --pages" } " lists all" }
                }
            }
        }
    }
}

fn address(page: &NamedPage) -> Markup {
    let address = page.address();
    let is_link = page.url.is_some()
        && ["http://", "https://"]
            .iter()
            .any(|scheme| address.starts_with(scheme));
    html! {
        @if is_link { a href=(address) rel="noreferrer noopener" { (short(address)) } }
        @else { (short(address)) }
    }
}

/// The clusters without a sketch, in a table.
fn more(report: &ClusterReport<'_>) -> Markup {
    let (found, order) = (report.found, report.order);
    let rest = order.get(PORTRAYED..).unwrap_or_default();
    html! {
        @if !rest.is_empty() {
            section #more {
                h2 { "Smaller clusters" }
                div.scroll { table {
                    thead { tr { th { "address" } th { "pages" } th { "template paths" } th { "saved" } } }
                    tbody { @for number in rest.iter().take(LISTED) {
                        @let group = &found.groups[*number];
                        tr #{ "c" (number) } {
                            th { code { (pattern(found, *number)) } }
                            td { (grouped(group.pages.len() as u64)) }
                            td { (grouped(group.template.len() as u64)) }
                            td { (bits(group.gain)) }
                        }
                    } }
                } }
                @if rest.len() > LISTED {
                    p.note { "and " (grouped((rest.len() - LISTED) as u64)) " more; "
                        code { "--format jsonl" } " lists all." }
                }
            }
        }
    }
}

fn notes() -> Markup {
    html! {
        section {
            h2 { "How to read this" }
            p {
                "A page is the set of its paths: every element and every text, each with the tags \
                above it. The template of a cluster is the set of paths that more than half of its \
                pages have. Clusters are merged as long as that shortens the description of all \
                pages. " b { "Saved" } " is the number of bits by which the cluster shortens the \
                description of its pages."
            }
            p {
                "Each sketch shows the page of the cluster that differs least from the template: \
                blocks in document order, with a height that grows with their text. Style sheets \
                are ignored. In addresses, " code { "{N}" } " is a number, " code { "*" }
                " any word and " code { "**" } " anything."
            }
        }
    }
}

/// The pattern of a group's addresses, with the host if sites are mixed.
fn pattern(found: &Clustered, number: usize) -> String {
    let group = &found.groups[number];
    short(&match found.heaps[group.heap].site {
        Some(_) => group.pattern.to_string(),
        None => group.pattern.with_host(),
    })
}

/// The colour of a cluster: sites differ in hue and their clusters in tone; in a single heap, clusters
/// differ in hue.
struct Tone {
    hue: f64,
    lighter: f64,
}

impl Tone {
    fn of(found: &Clustered, number: usize) -> Tone {
        // Steps of the golden angle are well separated for any number of colours.
        let hue = |step: usize| (205.0 + 137.508 * step as f64) % 360.0;
        let heap = found.groups[number].heap;
        match found.heaps.len() {
            0 | 1 => Tone {
                hue: hue(number),
                lighter: 0.0,
            },
            _ => {
                let first = found.groups.partition_point(|group| group.heap < heap);
                Tone {
                    hue: hue(heap),
                    lighter: [0.0, 9.0, -8.0, 5.0, -4.0][(number - first) % 5],
                }
            }
        }
    }

    fn style(&self) -> String {
        format!("--h:{:.0};--l:{}%", self.hue, self.lighter)
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        None => text.to_string(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A number with at most one decimal place.
fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
