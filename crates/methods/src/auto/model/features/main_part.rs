//! The relation of a text to the likely main container of its page.

use super::{FeatureSink, Group, Row, indicator, max_over_ancestors, ratio};
use crate::auto::page::page_context::{Relation, relations};
use crate::auto::page::view::AutoView;
use crate::auto::site::evidence::Evidence;

#[inline(always)]
pub(super) fn add(row: &Row<'_>, to: &mut impl FeatureSink) {
    let sources = row.sources;
    let (view, evidence, context) = (sources.view, sources.evidence, &sources.context);
    let (outline, subtrees, own) = (&view.outline, view.subtree_stats(), &sources.own_prose);
    let group = Group::MainPart;
    let mut relation = |name: &str, all: &[Relation]| {
        let relation = all[row.at];
        to.add(group, format_args!("in-{name}"), indicator(relation.inside));
        to.add(
            group,
            format_args!("up-to-{name}"),
            f32::from(relation.up.min(20)),
        );
        to.add(
            group,
            format_args!("down-to-{name}"),
            f32::from(relation.down.min(20)),
        );
    };
    relation("top", &context.in_top);
    relation("most40", &context.in_most[0]);
    relation("most60", &context.in_most[1]);
    relation("most90", &context.in_most[2]);
    relation("densest", &context.in_densest);
    // The same for prose that is not repeated on other pages.
    let prose = evidence.total().prose;
    let share = |at: usize| ratio(evidence.sum(at as u32).prose, prose);
    relation("own-prose", &own.relations);
    let deepest = &outline.elements[own.container as usize];
    to.add(
        group,
        "to-own-prose",
        row.signed_distance(deepest.first, deepest.last),
    );
    let top = &outline.elements[subtrees.top as usize];
    to.add(group, "to-top", row.signed_distance(top.first, top.last));

    let best = subtrees.score[subtrees.top as usize];
    to.add(
        group,
        "score-above",
        ratio(subtrees.score[row.up[1] as usize], best),
    );
    to.add(group, "best-score", ratio(own.best_score[row.at], best));
    for (steps, up) in row.up.iter().take(4).enumerate() {
        to.add(group, format_args!("up{steps}-prose"), share(*up as usize));
    }
    let above = row.up[1] as usize;
    let usual = evidence.mean(evidence.elements[above].place.prose);
    to.add(group, "prose-surplus", share(above) - usual);
    for (share, steps) in SHARES.iter().zip(&own.up_to_share) {
        let name = format_args!("up-to-prose{:.0}", 100.0 * share);
        to.add(group, name, f32::from(steps[row.at].min(15)));
    }
    to.add(group, "since-prose", own.since[row.number]);
    to.add(group, "until-prose", own.until[row.number]);
    to.add(
        group,
        "prose-before",
        ratio(evidence.range(0, row.number as u32).prose, prose),
    );
}

/// Attribution of the page's own prose that [`OwnProse::up_to_share`] is about.
const SHARES: [f32; 3] = [0.15, 0.4, 0.7];

/// Where the page has prose that is not repeated on other pages.
pub(super) struct OwnProse {
    /// The deepest element with most of it …
    container: u32,
    /// … and the relation of each element to it.
    relations: Vec<Relation>,
    /// Block elements from each element up to one with each of [`SHARES`].
    up_to_share: [Vec<u8>; 3],
    /// Words from each text back to the nearest such prose …
    since: Vec<f32>,
    /// … and on to the next.
    until: Vec<f32>,
    /// The best score as the main container of each element and its ancestors.
    best_score: Vec<f32>,
}

impl OwnProse {
    pub fn of(view: &AutoView, evidence: &Evidence) -> OwnProse {
        let elements = &view.outline.elements;
        let prose = evidence.total().prose;
        let share = |at: usize| ratio(evidence.sum(at as u32).prose, prose);
        let mut container = 0;
        for at in 1..elements.len() {
            if at < elements[container].end as usize && share(at) >= 0.6 {
                container = at;
            }
        }
        let up_to_share = SHARES.map(|least| {
            let mut steps = vec![0u8; elements.len()];
            for at in 1..elements.len() {
                let up = steps[elements[at].parent as usize];
                steps[at] = match share(at) >= least {
                    true => 0,
                    false => up.saturating_add(u8::from(elements[at].block == at as u32)),
                };
            }
            steps
        });
        let texts = 0..view.outline.texts.len();
        OwnProse {
            container: container as u32,
            relations: relations(&view.outline, container as u32),
            up_to_share,
            since: to_prose(view, evidence, texts.clone()),
            until: to_prose(view, evidence, texts.rev()),
            best_score: max_over_ancestors(view, |at| view.subtree_stats().score[at]),
        }
    }
}

/// Words from each text back to the last prose that is not repeated, in the order of `rows`.
fn to_prose(view: &AutoView, evidence: &Evidence, rows: impl Iterator<Item = usize>) -> Vec<f32> {
    /// More than on any page.
    const NOWHERE: f32 = 1e6;
    /// The fewest words that count as prose here.
    const PROSE: f32 = 15.0;
    let texts = &view.outline.texts;
    let mut found = vec![NOWHERE; texts.len()];
    let mut distance = None;
    for row in rows {
        found[row] = distance.unwrap_or(NOWHERE);
        let number = row as u32;
        let is_prose = evidence.range(number, number + 1).prose >= PROSE;
        distance = match is_prose {
            true => Some(0.0),
            false => distance.map(|words| words + texts[row].stats.weight()),
        };
    }
    found
}
