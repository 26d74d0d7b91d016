//! Selectors as they are looked for: chains of simple ones, and the places that they mean.

use std::collections::BTreeMap;
use std::fmt;

use foldhash::HashMap;

use crate::form::{Form, Step};
use crate::places::Places;

/// How much each further part of a chain counts against it.
const LINK_COST: f64 = 0.7;

/// A selector.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pattern {
    /// From the outermost; true for a child of the one before, false for any descendant.
    parts: Vec<(Form, bool)>,
}

/// A selector with the places that it means.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) pattern: Pattern,
    pub(crate) cost: f64,
    /// All of its places, in order.
    pub(crate) places: Vec<u32>,
    /// Those that are not inside another of them.
    pub(crate) top: Vec<u32>,
}

impl Pattern {
    fn one(form: Form) -> Pattern {
        Pattern {
            parts: vec![(form, false)],
        }
    }

    fn two(outer: Form, child: bool, inner: Form) -> Pattern {
        Pattern {
            parts: vec![(outer, false), (inner, child)],
        }
    }

    /// Whether it names something that holds other elements, and not a kind of text.
    pub(crate) fn is_container(&self) -> bool {
        let (last, _) = self.parts.last().expect("never empty");
        last.is_container()
    }

    fn cost(&self) -> f64 {
        let (last, before) = self.parts.split_last().expect("never empty");
        let links = before.iter().map(|(form, _)| LINK_COST + form.cost() / 3.0);
        last.0.cost() + links.sum::<f64>()
    }

    /// Whether the parts up to one of them mean a place.
    fn reaches(&self, places: &Places, place: u32, part: usize) -> bool {
        let (form, child) = &self.parts[part];
        let step = &places.steps[places.all[place as usize].step as usize];
        if !form.fits(step) {
            return false;
        }
        if part == 0 {
            return true;
        }
        let mut above = place;
        while above > 0 {
            above = places.all[above as usize].parent;
            if self.reaches(places, above, part - 1) {
                return true;
            }
            if *child {
                return false;
            }
        }
        false
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (form, child)) in self.parts.iter().enumerate() {
            if at > 0 {
                f.write_str(if *child { " > " } else { " " })?;
            }
            write!(f, "{form}")?;
        }
        Ok(())
    }
}

/// The selectors that could be of use, one for each set of places: the plainest. `is_worth_it` says of
/// which places longer selectors are looked for.
pub(crate) fn candidates(places: &Places, is_worth_it: impl Fn(u32) -> bool) -> Vec<Candidate> {
    let mut patterns: BTreeMap<Pattern, ()> = BTreeMap::new();
    for at in 1..places.all.len() as u32 {
        let step = &places.steps[places.all[at as usize].step as usize];
        let telling = Form::telling(step);
        for form in &telling {
            patterns.insert(Pattern::one(form.clone()), ());
        }
        // Nothing is plainer than an id, or more certain.
        if step.id.is_none() && is_worth_it(at) {
            chains(places, at, &telling, |pattern| {
                patterns.insert(pattern, ());
            });
        }
    }
    let mut of_step: Vec<Vec<u32>> = vec![Vec::new(); places.steps.len()];
    for (at, place) in places.all.iter().enumerate().skip(1) {
        of_step[place.step as usize].push(at as u32);
    }
    let mut ends: HashMap<Form, Vec<u32>> = HashMap::default();
    let mut best: HashMap<Vec<u32>, (f64, Pattern)> = HashMap::default();
    for pattern in patterns.into_keys() {
        let (last, _) = pattern.parts.last().expect("never empty");
        let ends = ends.entry(last.clone()).or_insert_with_key(|form| {
            let fits = |(step, _): &(&Step, _)| form.fits(step);
            let found = places.steps.iter().zip(&of_step).filter(fits);
            let mut found: Vec<u32> = found.flat_map(|(_, places)| places.clone()).collect();
            found.sort_unstable();
            found
        });
        let part = pattern.parts.len() - 1;
        let meant = ends.iter().copied();
        let meant: Vec<u32> = meant
            .filter(|place| pattern.reaches(places, *place, part))
            .collect();
        let cost = pattern.cost();
        match best.get_mut(&meant) {
            None => _ = best.insert(meant, (cost, pattern)),
            Some(known) if (cost, &pattern) < (known.0, &known.1) => *known = (cost, pattern),
            Some(_) => {}
        }
    }
    let mut found: Vec<Candidate> = best
        .into_iter()
        .map(|(meant, (cost, pattern))| Candidate {
            top: topmost(places, &meant),
            places: meant,
            pattern,
            cost,
        })
        .collect();
    // The order of a hash table must not decide between equals.
    found.sort_by(|a, b| {
        a.cost
            .total_cmp(&b.cost)
            .then_with(|| a.pattern.cmp(&b.pattern))
    });
    found
}

/// Selectors of several parts for a place.
fn chains(places: &Places, at: u32, telling: &[Form], mut add: impl FnMut(Pattern)) {
    let step_of = |place: u32| &places.steps[places.all[place as usize].step as usize];
    let step = step_of(at);
    let parent = places.all[at as usize].parent;
    let mut own: Vec<Form> = vec![Form::Tag(step.tag.clone())];
    own.extend((step.nth > 0).then(|| Form::Nth(step.tag.clone(), step.nth)));
    let parents = match parent {
        0 => vec![Form::Tag("body".into())],
        parent => Form::anchors(step_of(parent)),
    };
    for outer in &parents {
        for inner in own.iter().chain(telling) {
            add(Pattern::two(outer.clone(), true, inner.clone()));
        }
    }
    // Without a name of its own, it is found by the whole path from the nearest element that has one.
    let mut paths: [Vec<(Form, bool)>; 2] = Default::default();
    let mut above = at;
    loop {
        let here = step_of(above);
        if above == 0 || (above != at && !Form::anchors(here).is_empty()) {
            let anchor = match above {
                0 => Form::Tag("body".into()),
                _ => Form::anchors(here).remove(0),
            };
            for mut path in paths {
                path.push((anchor.clone(), false));
                path.reverse();
                add(Pattern { parts: path });
            }
            break;
        }
        let tag = || Form::Tag(here.tag.clone());
        paths[0].push((tag(), true));
        let exact = match here.nth {
            0 => tag(),
            nth => Form::Nth(here.tag.clone(), nth),
        };
        paths[1].push((exact, true));
        above = places.all[above as usize].parent;
    }
    let mut above = parent;
    while above > 0 {
        for outer in Form::anchors(step_of(above)) {
            for inner in telling {
                add(Pattern::two(outer.clone(), false, inner.clone()));
            }
        }
        above = places.all[above as usize].parent;
    }
}

fn topmost(places: &Places, meant: &[u32]) -> Vec<u32> {
    let mut end = 0;
    let mut top = Vec::new();
    for place in meant {
        if *place >= end {
            end = places.all[*place as usize].end;
            top.push(*place);
        }
    }
    top
}
