//! The headline: the line that the page states as its title.

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::tag_class::heading_level;

use super::lines::Lines;
use super::names::HEADLINE;
use super::words::{likeness, words};
use crate::metadata::Claims;

/// A headline that is no `h1` is among this many first lines.
const NEAR_TOP: usize = 12;
/// An `h1` may stand further down, below pictures and summaries.
const MOST_LINES: usize = 60;
/// Words of a headline.
const MOST_WORDS: f32 = 40.0;
/// Likeness to a stated title from which a line is the headline: as an `h1` or a line that the page
/// calls headline; as another heading; as any other line.
const LIKE_ENOUGH: [f32; 3] = [0.3, 0.6, 0.7];

/// The number of the line that is the headline. `is_taken` tells lines that are something else.
pub(super) fn headline(
    lines: &Lines<'_>,
    claims: &Claims,
    is_taken: impl Fn(usize) -> bool,
) -> Option<usize> {
    let titles = Titles::of(claims);
    let mut best: Option<(f32, usize)> = None;
    let mut h1s = Vec::new();
    let candidates = lines.all.iter().enumerate().take(MOST_LINES);
    for (at, line) in candidates {
        let rank = rank(lines, line.block);
        let is_near = at < NEAR_TOP;
        if line.size > MOST_WORDS || !(is_near || rank == 0) {
            continue;
        }
        let words = lines.words(at);
        if words.is_empty() || leads_home(lines.dom, lines.node(line.texts[0])) {
            continue;
        }
        let mut like = titles.whole(&words);
        if like < LIKE_ENOUGH[rank] && rank < 2 && titles.has_part(&words) {
            like = LIKE_ENOUGH[rank];
        }
        // The headline may be written on a picture.
        if is_taken(at) && (rank > 0 || like < LIKE_ENOUGH[2]) {
            continue;
        }
        if rank == 0 {
            h1s.push(at);
        }
        // Of equal lines take the more prominent, then the first.
        let score = like - 0.15 * rank as f32 - 0.01 * at as f32;
        if like >= LIKE_ENOUGH[rank] && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, at));
        }
    }
    // Titles for search engines may share no word with the headline.
    let only_h1 = || match h1s[..] {
        [at] if at < NEAR_TOP => Some(at),
        _ => None,
    };
    best.map(|(_, at)| at).or_else(only_h1)
}

/// How a line is set: 0 as a headline, 1 as another heading, 2 as text.
fn rank(lines: &Lines<'_>, block: NodeId) -> usize {
    let around = lines.around(block, MOST_WORDS);
    let around = std::iter::once(block).chain(around);
    let ranks = around.map(|id| match heading_level(lines.dom.node(id).tag) {
        1 => 0,
        _ if HEADLINE.are_of(lines.dom, id) => 0,
        0 => 2,
        _ => 1,
    });
    ranks.min().unwrap_or(2)
}

/// Whether a text links to the front page of its site, as the site's own name does.
fn leads_home(dom: &Dom, text: NodeId) -> bool {
    let mut around = dom.ancestors(text).take(4);
    let link = around.find(|id| dom.node(*id).tag == Tag::A);
    let href = link.and_then(|id| dom.attribute(id, "href")).map(str::trim);
    href.is_some_and(|href| {
        let path = href
            .split_once("://")
            .map(|(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
        path.unwrap_or(href) == "/"
    })
}

/// The words of what a page states as its title.
struct Titles {
    /// The titles, and their long parts: the name of the site is mostly the shorter part.
    whole: Vec<Vec<String>>,
    /// Their short parts.
    parts: Vec<Vec<String>>,
}

impl Titles {
    fn of(claims: &Claims) -> Titles {
        let sites: Vec<_> = claims.site_names.iter().map(|name| words(name)).collect();
        let mut found = Titles {
            whole: Vec::new(),
            parts: Vec::new(),
        };
        for title in &claims.titles {
            let parts = title.split(['|', '_', '»', '«', '·', '•', '–', '—']);
            let parts = parts.flat_map(|part| part.split(" - "));
            let parts = parts.flat_map(|part| part.split(": ")).map(words);
            let parts: Vec<_> = parts.filter(|part| !sites.contains(part)).collect();
            let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
            let (long, short): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| 2 * part.len() > longest);
            found.whole.extend(long);
            found.whole.push(words(title));
            found.parts.extend(short);
        }
        found
    }

    /// How like a line is to a title.
    fn whole(&self, words: &[String]) -> f32 {
        let like = self.whole.iter().map(|title| likeness(words, title));
        like.fold(0.0, f32::max)
    }

    /// Whether a line of several words is a short part of a title.
    fn has_part(&self, words: &[String]) -> bool {
        words.len() > 1 && self.parts.iter().any(|part| part == words)
    }
}
