//! The report on clusters of pages: one HTML page that needs nothing else.

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

/// Clusters with a picture of their own.
pub const PORTRAYED: usize = 60;
/// Clusters that follow them in a table.
const LISTED: usize = 400;
/// Pages of a cluster that are named.
const NAMED: usize = 40;
/// Letters of the texts that are shown without asking.
const GLANCE_LETTERS: usize = 150;
/// Letters of a name.
const MOST_LETTERS: usize = 300;

/// All that the page shows.
pub struct ClusterReport<'a> {
    /// The clusters.
    pub found: &'a Clustered,
    /// The groups, largest first.
    pub order: &'a [usize],
    /// Of the first groups of `order`.
    pub portraits: &'a [Option<Portrait>],
    /// How they were found.
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
                        @if found.heaps.len() < 2 && found.summary.sites > 1 { ", in one heap," }
                        " grouped by the shortest description of them all: a template for each \
                         cluster, and what each page has beside it (" code { (report.settings) } ")."
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
                    "{:.1} % less than {}, each page alone",
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
    // The first of the largest.
    let largest = merged.rev().max_by_key(|heap| heap.pages);
    html! {
        section {
            h2 { "The map" }
            p { "Every cell is a cluster, as large as its pages are many. Choose one to see it." }
            div.wide { (map(report, 1060, 420)) }
            div.narrow { (map(report, 360, 480)) }
            div.figures {
                @if let Some(tree) = dendrogram(report) {
                    figure {
                        figcaption { "What share of their paths the templates have in common" }
                        (tree)
                    }
                }
                @if let Some(heap) = largest {
                    figure {
                        figcaption {
                            "How the description"
                            @if found.heaps.len() > 1 && let Some(site) = &heap.site { " of " b { (site) } }
                            " got shorter, merge by merge"
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
                span { i.key.ft {} "text of the template" }
                span { i.key.fr {} "block that is all template" }
                span { i.key.ct {} "text of the page's own" }
                span { i.key.sl {} "slot for it" }
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
                    Some(portrait) => (portrait.thumbnail.svg(&thumbnail_name(number), "How a page is built")),
                    None => p.note { "The page is not there any more." }
                }
            }
            div.facts {
                h3 { i.dot {} code { (pattern(found, number)) } }
                p.size {
                    b { (count(group.pages.len() as u64, "page")) }
                    " · " (percent(group.pages.len(), found.pages.len()))
                    @if group.pattern.share < 1.0 {
                        " · " (format!("{:.0} %", 100.0 * group.pattern.share)) " of them are at this address"
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
                    p.note { "A page alone: nothing can be told of its template." }
                }
                @if let Some(portrait) = portrait.filter(|portrait| !portrait.texts.is_empty()) {
                    (texts(portrait))
                }
                (pages(found, number, portrait))
            }
        }
    }
}

/// Texts of the template: some at a glance, the others if asked for.
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
                summary { "More of its texts" }
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

/// What the picture of a cluster's page is called.
fn thumbnail_name(number: usize) -> String {
    format!("t{number}")
}

/// Of a cluster of a mixed heap: the sites that it has pages of.
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
                    @if group.pages.len() > 1 { span.note { " (in the picture)" } }
                }
                @for page in others().take(NAMED) { li { (address(&found.pages[*page as usize])) } }
                @if group.pages.len() - 1 > shown {
                    li.note { "and " (grouped((group.pages.len() - 1 - shown) as u64)) " more; "
                        code { "--format jsonl --pages" } " has all" }
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

/// The clusters that have no picture, in a table.
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
                        code { "--format jsonl" } " has all." }
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
                "A page is taken as the set of its paths: every element and every text, each with the \
                 tags above it. The template of a cluster is the paths that more than half of its pages \
                 have. Two clusters are merged as long as that makes the description of all pages \
                 shorter. " b { "Saved" } " is how many bits more the cluster's pages would take if \
                 each were described alone."
            }
            p {
                "The pictures are sketches of one page of each cluster, the one that differs least from \
                 the template: blocks in the order of the page, as high as their texts are long. Style \
                 sheets are not looked at. In addresses " code { "{N}" } " is a number, " code { "*" }
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

/// The colour of a cluster: sites differ in hue, their clusters in tone; in one heap clusters do.
struct Tone {
    hue: f64,
    lighter: f64,
}

impl Tone {
    fn of(found: &Clustered, number: usize) -> Tone {
        // Steps of the golden angle are far apart however many there are.
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

/// A number to one decimal place, no longer than it must be.
fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
