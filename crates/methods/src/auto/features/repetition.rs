//! What the site says: repetition of the text, of its link, of its surroundings; what its slots
//! hold on other pages; where the site's pages have their main text.

use super::super::evidence::{Evidence, TextEvidence};
use super::super::memory::Slot;
use super::super::view::AutoView;
use super::{Columns, Group, largest_around, ratio, yes};

/// Votes for the main container.
pub(super) struct Votes {
    /// The best of each element and those around it, as a share of the site's best.
    best: Vec<f32>,
}

impl Votes {
    pub fn of(view: &AutoView, evidence: &Evidence) -> Votes {
        let votes = |at: usize| evidence.elements[at].place.votes as f32;
        let best = largest_around(view, |at| ratio(votes(at), evidence.top.votes as f32));
        Votes { best }
    }
}

pub(super) fn add(columns: &mut Columns<'_>) {
    let scene = columns.scene;
    let (view, evidence, layout) = (scene.view, scene.evidence, &scene.layout);
    let (outline, known) = (&view.outline, &evidence.texts);
    let share = |pages: u32| evidence.share(pages);
    let element = |row: usize| outline.texts[row].element as usize;

    let group = Group::Repetition;
    columns.add(group, "odds", |row| known[row].odds);
    columns.add(group, "odds-for", |row| known[row].odds.max(0.0));
    columns.add(group, "odds-anywhere-for", |row| {
        known[row].odds_anywhere.max(0.0)
    });
    columns.add(group, "odds-anywhere", |row| known[row].odds_anywhere);
    columns.add(group, "seen", |row| share(known[row].seen));
    columns.add(group, "seen-anywhere", |row| {
        share(known[row].seen_anywhere)
    });
    columns.add(group, "seen-masked", |row| share(known[row].seen_masked));
    columns.add(group, "seen-target", |row| share(known[row].seen_target));
    columns.add(group, "seen-pages", |row| known[row].seen_anywhere as f32);
    columns.add(group, "seen-of-slot", |row| {
        let pages = known[row].block.pages.saturating_sub(1);
        ratio(known[row].seen as f32, pages as f32).min(1.0)
    });
    columns.add(group, "seen-block", |row| {
        let block = outline.elements[element(row)].block as usize;
        match evidence.elements[block].seen {
            0 => share(known[row].seen),
            seen => share(seen),
        }
    });
    columns.add(group, "seen-module", |row| {
        let module = outline.elements[element(row)].module as usize;
        share(evidence.elements[module].seen)
    });
    columns.add(group, "repeated-around", |row| {
        evidence.elements[element(row)].repeated_around
    });
    for (name, steps) in [
        ("block-repeated", 0),
        ("up1-repeated", 1),
        ("up2-repeated", 2),
        ("up3-repeated", 3),
        ("up5-repeated", 5),
    ] {
        columns.add(group, name, |row| {
            let at = layout.up(element(row) as u32, steps);
            ratio(evidence.sum(at).repeated, view.figures.sum(at).words)
        });
    }
    columns.add(group, "module-repeated", |row| {
        let at = outline.elements[element(row)].module;
        ratio(evidence.sum(at).repeated, view.figures.sum(at).words)
    });
    columns.add_of_page(
        group,
        "page-repeated",
        ratio(evidence.total().repeated, view.figures.total().words),
    );
    columns.add_of_page(group, "site-repeated", evidence.repeated_share);
    columns.add_of_page(group, "pages", evidence.of as f32);

    let group = Group::Slot;
    let pages = evidence.pages.max(1) as f32;
    for (name, slot) in [
        ("slot", (|known| known.own) as fn(&TextEvidence) -> Slot),
        ("block-slot", |known| known.block),
        ("above-slot", |known| known.above),
    ] {
        let of = |row: usize| slot(&known[row]);
        columns.add(group, format_args!("{name}-repeated"), |row| {
            (of(row).repeated as f32 + 0.3) / (of(row).words as f32 + 0.6)
        });
        columns.add(group, format_args!("{name}-pages"), |row| {
            of(row).pages as f32 / pages
        });
        columns.add(group, format_args!("{name}-linked"), |row| {
            ratio(of(row).linked as f32, of(row).words as f32)
        });
        columns.add(group, format_args!("{name}-texts"), |row| {
            ratio(of(row).texts as f32, of(row).pages as f32)
        });
        columns.add(group, format_args!("{name}-length"), |row| {
            ratio(of(row).words as f32, of(row).texts as f32)
        });
        columns.add(group, format_args!("{name}-words"), |row| {
            ratio(of(row).words as f32, of(row).pages as f32)
        });
    }

    let group = Group::MainVote;
    let place = |row: usize, steps: u32| {
        evidence.elements[layout.up(element(row) as u32, steps) as usize].place
    };
    for steps in 0..4 {
        columns.add(group, format_args!("up{steps}-support"), |row| {
            place(row, steps).pages as f32 / pages
        });
        columns.add(group, format_args!("up{steps}-prose-mean"), |row| {
            evidence.mean(place(row, steps).prose)
        });
        columns.add(group, format_args!("up{steps}-prose-pages"), |row| {
            place(row, steps).prose_pages as f32 / pages
        });
        columns.add(group, format_args!("up{steps}-vote"), |row| {
            ratio(place(row, steps).votes as f32, evidence.top.votes as f32)
        });
    }
    columns.add(group, "best-vote", |row| scene.votes.best[element(row)]);
    columns.add_of_page(
        group,
        "vote-margin",
        ratio(evidence.top.next as f32, evidence.top.votes as f32),
    );
    let main = evidence.main.map(|main| &outline.elements[main as usize]);
    columns.add(group, "in-voted", |row| match main {
        Some(main) => yes((main.first..main.last).contains(&(row as u32))),
        None => -1.0,
    });
    columns.add(group, "to-voted", |row| match main {
        Some(main) => scene.signed_distance(row, main.first, main.last),
        None => 0.0,
    });
}
