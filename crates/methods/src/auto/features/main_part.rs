//! How a text stands to what looks like the page's own main container.

use super::super::figures::{Relation, relations};
use super::{Columns, Group, log, ratio, yes};

pub(super) fn add(columns: &mut Columns<'_>) {
    let (view, evidence) = (columns.view, columns.evidence);
    let (outline, figures) = (&view.outline, &view.figures);
    let group = Group::MainPart;
    let element = |row: usize| outline.texts[row].element as usize;
    let relation = |columns: &mut Columns<'_>, name: &str, all: &[Relation]| {
        columns.add(group, &format!("in-{name}"), |row| {
            yes(all[element(row)].inside)
        });
        columns.add(group, &format!("up-to-{name}"), |row| {
            f32::from(all[element(row)].up.min(20))
        });
        columns.add(group, &format!("down-to-{name}"), |row| {
            f32::from(all[element(row)].down.min(20))
        });
    };
    relation(columns, "top", &figures.in_top);
    relation(columns, "most40", &figures.in_most[0]);
    relation(columns, "most60", &figures.in_most[1]);
    relation(columns, "most90", &figures.in_most[2]);
    relation(columns, "densest", &figures.in_densest);
    // The same by prose that is not repeated on other pages.
    let prose = evidence.total().prose;
    let share = |at: usize| ratio(evidence.sum(at as u32).prose, prose);
    let mut deepest = 0;
    for at in 1..outline.elements.len() {
        if at < outline.elements[deepest].end as usize && share(at) >= 0.6 {
            deepest = at;
        }
    }
    relation(columns, "own-prose", &relations(outline, deepest as u32));
    let deepest = &outline.elements[deepest];
    columns.add(group, "to-own-prose", |row| {
        view.signed_distance(row, deepest.first, deepest.last)
    });
    let top = &outline.elements[figures.top as usize];
    columns.add(group, "to-top", |row| {
        view.signed_distance(row, top.first, top.last)
    });

    let best = figures.score[figures.top as usize];
    columns.add(group, "score-above", |row| {
        ratio(
            figures.score[view.up(element(row) as u32, 1) as usize],
            best,
        )
    });
    let largest = view.largest_above(|at| figures.score[at]);
    columns.add(group, "best-score", |row| {
        ratio(largest[element(row)], best)
    });
    for steps in 0..4 {
        columns.add(group, &format!("up{steps}-prose"), |row| {
            share(view.up(element(row) as u32, steps) as usize)
        });
    }
    columns.add(group, "prose-surplus", |row| {
        let at = view.up(element(row) as u32, 1) as usize;
        share(at) - evidence.mean(evidence.elements[at].place.prose)
    });
    for (name, least) in [
        ("up-to-prose15", 0.15),
        ("up-to-prose40", 0.4),
        ("up-to-prose70", 0.7),
    ] {
        let mut steps = vec![0u8; outline.elements.len()];
        for at in 1..outline.elements.len() {
            let up = &outline.elements[at];
            steps[at] = match share(at) >= least {
                true => 0,
                false => steps[up.parent as usize].saturating_add(u8::from(up.block == at as u32)),
            };
        }
        columns.add(group, name, |row| f32::from(steps[element(row)].min(15)));
    }
    // Words to the nearest own prose on either side.
    let before = to_prose(columns, 0..outline.texts.len());
    let after = to_prose(columns, (0..outline.texts.len()).rev());
    columns.add(group, "since-prose", |row| before[row]);
    columns.add(group, "until-prose", |row| after[row]);
    columns.add(group, "prose-before", |row| {
        ratio(evidence.range(0, row as u32).prose, prose)
    });
}

/// Words, on a logarithmic scale, from each text back to the last prose of the page's own, with texts
/// read in the order of `rows`.
fn to_prose(columns: &Columns<'_>, rows: impl Iterator<Item = usize>) -> Vec<f32> {
    /// More than on any page.
    const NOWHERE: f32 = 9.0;
    /// Words of prose that is not by chance.
    const PROSE: f32 = 15.0;
    let texts = &columns.view.outline.texts;
    let mut found = vec![NOWHERE; texts.len()];
    let mut distance = None;
    for row in rows {
        found[row] = distance.map_or(NOWHERE, log);
        let number = row as u32;
        let is_prose = columns.evidence.range(number, number + 1).prose >= PROSE;
        distance = match is_prose {
            true => Some(0.0),
            false => distance.map(|words| words + texts[row].look.weight()),
        };
    }
    found
}
