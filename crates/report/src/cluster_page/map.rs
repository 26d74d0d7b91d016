//! The map of all clusters: a treemap with one cell per cluster, grouped by site if there are several.

use maud::{Markup, html};
use unframe::survey::Clustered;

use super::treemap::{Rect, treemap};
use super::{ClusterReport, Tone, tenth, thumbnail_name};
use crate::numbers::{count, grouped};

/// Maximum number of cells; the rest is one cell per site.
const MOST_CELLS: usize = 160;
/// Maximum number of sites; the others are shown as one.
const MOST_SITES: usize = 48;
/// Height of the strip with the name of a site.
const STRIP: f64 = 17.0;
/// Approximate width of a character of the labels.
const LETTER: f64 = 7.1;
const LINE: f64 = 15.0;
/// Maximum width of a sketch in a cell.
const SHEET_WIDTH: f64 = 190.0;

/// A cell: one cluster, or several that are too small to show.
struct Cell {
    group: Option<usize>,
    /// Its rank by size.
    rank: usize,
    clusters: usize,
    pages: usize,
}

struct Site<'a> {
    name: Option<&'a str>,
    pages: usize,
    cells: Vec<Cell>,
}

/// Draws the map.
pub fn map(report: &ClusterReport<'_>, width: u32, height: u32) -> Markup {
    let sites = sites(report.found, report.order);
    let whole = Rect {
        x: 0.0,
        y: 0.0,
        width: f64::from(width),
        height: f64::from(height),
    };
    let sizes: Vec<f64> = sites.iter().map(|site| site.pages as f64).collect();
    let several = sites.len() > 1;
    html! {
        svg.map viewBox=(format!("0 0 {width} {height}")) role="group" aria-label="Clusters by number of pages" {
            @for (site, place) in sites.iter().zip(treemap(&sizes, whole)) {
                @let place = if several { place.inset(1.5) } else { place };
                @let named = several && place.height > 2.5 * STRIP && place.width > 40.0;
                @if named {
                    text.site x=(tenth(place.x + 2.0)) y=(tenth(place.y + 12.5)) {
                        (fitting(site.name.unwrap_or("other sites"), place.width - 4.0))
                    }
                }
                @let inner = if named { place.below(STRIP) } else { place };
                @let sizes: Vec<f64> = site.cells.iter().map(|cell| cell.pages as f64).collect();
                @for (cell, place) in site.cells.iter().zip(treemap(&sizes, inner)) {
                    (draw(report, cell, place.inset(1.0)))
                }
            }
        }
    }
}

fn sites<'a>(found: &'a Clustered, order: &[usize]) -> Vec<Site<'a>> {
    let mut by_size: Vec<usize> = (0..found.heaps.len()).collect();
    by_size.sort_by_key(|heap| std::cmp::Reverse(found.heaps[*heap].pages));
    let mut place = vec![MOST_SITES; found.heaps.len()];
    let mut sites: Vec<Site<'_>> = Vec::new();
    for heap in by_size {
        if sites.len() <= MOST_SITES {
            place[heap] = sites.len();
            sites.push(Site {
                name: found.heaps[heap]
                    .site
                    .as_deref()
                    .filter(|_| sites.len() < MOST_SITES),
                pages: 0,
                cells: Vec::new(),
            });
        }
    }
    let mut rest: Vec<Cell> = Vec::new();
    rest.resize_with(sites.len(), || Cell {
        group: None,
        rank: usize::MAX,
        clusters: 0,
        pages: 0,
    });
    for (rank, group) in order.iter().enumerate() {
        let pages = found.groups[*group].pages.len();
        let at = place[found.groups[*group].heap];
        sites[at].pages += pages;
        if rank < MOST_CELLS {
            sites[at].cells.push(Cell {
                group: Some(*group),
                rank,
                clusters: 1,
                pages,
            });
        } else {
            rest[at].clusters += 1;
            rest[at].pages += pages;
        }
    }
    for (site, rest) in sites.iter_mut().zip(rest) {
        if rest.clusters > 0 {
            site.cells.push(rest);
            site.cells.sort_by_key(|cell| std::cmp::Reverse(cell.pages));
        }
    }
    sites.retain(|site| site.pages > 0);
    sites
}

fn draw(report: &ClusterReport<'_>, cell: &Cell, place: Rect) -> Markup {
    let found = report.found;
    let pages = count(cell.pages as u64, "page");
    let (name, target, tone) = match cell.group {
        Some(group) => (
            super::pattern(found, group),
            format!("#c{group}"),
            Tone::of(found, group).style(),
        ),
        None => (
            count(cell.clusters as u64, "small cluster"),
            "#more".to_string(),
            String::new(),
        ),
    };
    let lines = [
        fitting(&name, place.width - 12.0),
        grouped(cell.pages as u64),
    ];
    let room = place.height > LINE + 8.0 && place.width > 30.0;
    html! {
        a href=(target) {
            title { (name) " · " (pages) }
            rect.cell.rest[cell.group.is_none()] style=(tone) x=(tenth(place.x)) y=(tenth(place.y))
                width=(tenth(place.width)) height=(tenth(place.height)) rx="3" {}
            @if room {
                @let (x, y) = (tenth(place.x + 6.0), place.y + 5.0 + 0.7 * LINE);
                @if place.height > 2.0 * LINE + 8.0 && lines[0].chars().count() > 3 {
                    text x=(x) y=(tenth(y)) { (lines[0]) }
                    text.pages x=(x) y=(tenth(y + LINE)) { (lines[1]) }
                } @else {
                    text.pages x=(x) y=(tenth(y)) { (lines[1]) }
                }
            }
            @if let Some(group) = cell.group
                && let Some(portrait) = report.portraits.get(cell.rank).and_then(Option::as_ref)
                && let Some(sheet) = sheet(place)
            {
                (portrait.thumbnail.again(&thumbnail_name(group), sheet))
            }
        }
    }
}

/// The position of the sketch in a cell, if it fits.
fn sheet(cell: Rect) -> Option<Rect> {
    let room = cell.below(2.0 * LINE + 10.0);
    let height = room.height - 10.0;
    let width = (room.width - 24.0).min(SHEET_WIDTH).min(1.8 * height);
    (width >= SHEET_WIDTH / 3.0).then_some(Rect {
        x: room.x + (room.width - width) / 2.0,
        y: room.y,
        width,
        height,
    })
}

/// A text, shortened to a width.
fn fitting(text: &str, width: f64) -> String {
    let most = (width / LETTER).max(1.0) as usize;
    match text.char_indices().nth(most) {
        None => text.to_string(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
