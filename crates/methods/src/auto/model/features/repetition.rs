//! The evidence of the site: repetition of the text, its link and its surroundings; what its slots hold on
//! other pages; where the site's pages have their main text.

use super::{FeatureSink, Group, Row, indicator, max_over_ancestors, ratio};
use crate::auto::page::view::AutoView;
use crate::auto::site::contribution::FIXED_POINT_ONE;
use crate::auto::site::evidence::Evidence;

/// Votes for the main container.
pub(super) struct Votes {
    /// The best of each element and its ancestors, as a share of the site's best.
    best: Vec<f32>,
    /// The same for the mean over the pages that have the element.
    best_mean: Vec<f32>,
}

impl Votes {
    pub fn of(view: &AutoView, evidence: &Evidence) -> Votes {
        let votes = |at: usize| evidence.elements[at].place.score as f32;
        let best = max_over_ancestors(view, |at| ratio(votes(at), evidence.top.score as f32));
        let mean = |at: usize| {
            let place = &evidence.elements[at].place;
            ratio(votes(at), place.pages as f32 * FIXED_POINT_ONE)
        };
        let best_mean = max_over_ancestors(view, mean);
        Votes { best, best_mean }
    }
}

#[inline(always)]
pub(super) fn add(row: &Row<'_>, to: &mut impl FeatureSink) {
    let sources = row.sources;
    let (view, evidence, known) = (sources.view, sources.evidence, row.known);
    let element = row.element;
    let share = |pages: u32| evidence.share(pages);

    let group = Group::Repetition;
    to.add(group, "odds", known.odds);
    to.add(group, "odds-for", known.odds.max(0.0));
    to.add(group, "odds-anywhere-for", known.odds_anywhere.max(0.0));
    to.add(group, "odds-anywhere", known.odds_anywhere);
    to.add(group, "seen", share(known.seen));
    to.add(group, "seen-anywhere", share(known.seen_anywhere));
    to.add(group, "seen-masked", share(known.seen_masked));
    to.add(group, "seen-target", share(known.seen_target));
    to.add(group, "seen-pages", known.seen_anywhere as f32);
    let seen = known.seen as f32;
    let slot_pages = known.block.pages.saturating_sub(1) as f32;
    to.add(group, "seen-of-slot", ratio(seen, slot_pages).min(1.0));
    let (similar_pages, other_pages) = (evidence.similar_pages as f32, evidence.other_pages as f32);
    to.add(group, "seen-of-sort", ratio(seen, similar_pages).min(1.0));
    to.add(group, "seen-of-site", ratio(seen, other_pages));
    to.add(
        group,
        "design",
        ratio(evidence.compared_pages as f32, other_pages),
    );
    to.add(group, "sort", share(evidence.similar_pages));
    let seen_block = match evidence.elements[element.block as usize].seen {
        0 => known.seen,
        seen => seen,
    };
    to.add(group, "seen-block", share(seen_block));
    let seen_module = evidence.elements[element.module as usize].seen;
    to.add(group, "seen-module", share(seen_module));
    to.add(
        group,
        "repeated-around",
        evidence.elements[row.at].repeated_around,
    );
    let repeated = |at: u32| {
        ratio(
            evidence.sum(at).repeated,
            view.subtree_stats().sum(at).words,
        )
    };
    for (name, steps) in [
        ("block-repeated", 0),
        ("up1-repeated", 1),
        ("up2-repeated", 2),
        ("up3-repeated", 3),
        ("up5-repeated", 5),
    ] {
        to.add(group, name, repeated(row.up[steps]));
    }
    to.add(group, "module-repeated", repeated(element.module));
    to.add(
        group,
        "page-repeated",
        ratio(
            evidence.total().repeated,
            view.subtree_stats().total().words,
        ),
    );
    to.add(group, "site-repeated", evidence.repeated_share);
    to.add(group, "pages", evidence.compared_pages as f32);
    to.add(group, "site-pages", other_pages);

    let group = Group::Slot;
    let pages = evidence.pages.max(1) as f32;
    for (name, of) in [
        ("slot", &known.own),
        ("block-slot", &known.block),
        ("above-slot", &known.above),
    ] {
        to.add(
            group,
            format_args!("{name}-repeated"),
            (of.repeated as f32 + 0.3) / (of.words as f32 + 0.6),
        );
        to.add(group, format_args!("{name}-pages"), of.pages as f32 / pages);
        to.add(
            group,
            format_args!("{name}-linked"),
            ratio(of.linked as f32, of.words as f32),
        );
        to.add(
            group,
            format_args!("{name}-texts"),
            ratio(of.texts as f32, of.pages as f32),
        );
        to.add(
            group,
            format_args!("{name}-length"),
            ratio(of.words as f32, of.texts as f32),
        );
        to.add(
            group,
            format_args!("{name}-words"),
            ratio(of.words as f32, of.pages as f32),
        );
    }

    let group = Group::MainVote;
    for (steps, up) in row.up.iter().take(4).enumerate() {
        let place = evidence.elements[*up as usize].place;
        to.add(
            group,
            format_args!("up{steps}-support"),
            place.pages as f32 / pages,
        );
        to.add(
            group,
            format_args!("up{steps}-prose-mean"),
            evidence.mean(place.prose),
        );
        to.add(
            group,
            format_args!("up{steps}-prose-pages"),
            place.prose_pages as f32 / pages,
        );
        to.add(
            group,
            format_args!("up{steps}-vote"),
            ratio(place.score as f32, evidence.top.score as f32),
        );
    }
    to.add(group, "best-vote", sources.votes.best[row.at]);
    to.add(group, "best-vote-mean", sources.votes.best_mean[row.at]);
    to.add(
        group,
        "vote-margin",
        ratio(evidence.top.runner_up as f32, evidence.top.score as f32),
    );
    let main = evidence
        .main
        .map(|main| &view.outline.elements[main as usize]);
    to.add(
        group,
        "in-voted",
        match main {
            Some(main) => indicator((main.first..main.last).contains(&(row.number as u32))),
            None => -1.0,
        },
    );
    to.add(
        group,
        "to-voted",
        match main {
            Some(main) => row.signed_distance(main.first, main.last),
            None => 0.0,
        },
    );
}
