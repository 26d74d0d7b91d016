//! Selectors as they are looked for: chains of simple ones, and the places that they mean.

use std::collections::BTreeMap;
use std::fmt;

use foldhash::HashMap;

use crate::form::{Form, Step};
use crate::places::Places;

/// How much each further part of a chain counts against it.
const LINK_COST: f64 = 0.7;

/// Most parts of a chain. Nobody would recognise what a longer one means.
const LONGEST: usize = 8;

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

    /// Whether its elements have a name of their own, or are of a kind that says what they are for.
    pub(crate) fn is_named(&self) -> bool {
        let (last, _) = self.parts.last().expect("never empty");
        last.is_named()
    }

    /// Whether it names something that holds other elements, and not a kind of text.
    pub(crate) fn is_container(&self) -> bool {
        let (last, _) = self.parts.last().expect("never empty");
        last.is_container()
    }

    /// Whether it names something that stands for itself, and not an item, a line or a link.
    pub(crate) fn names_a_whole(&self) -> bool {
        let (last, _) = self.parts.last().expect("never empty");
        last.names_a_whole()
    }

    fn cost(&self) -> f64 {
        let (last, before) = self.parts.split_last().expect("never empty");
        let links = before.iter().map(|(form, _)| LINK_COST + form.cost() / 3.0);
        last.0.cost() + links.sum::<f64>()
    }
}

/// Which steps each simple selector fits: it is asked for every place and every chain.
struct Fits<'a> {
    places: &'a Places,
    known: HashMap<Form, Vec<bool>>,
}

impl Fits<'_> {
    fn learn(&mut self, form: &Form) {
        if !self.known.contains_key(form) {
            let steps = self.places.steps.iter().map(|step| form.may_fit(step));
            self.known.insert(form.clone(), steps.collect());
        }
    }

    fn has(&self, form: &Form, on_step: &[bool], at: u32) -> bool {
        let place = &self.places.all[at as usize];
        let is_there = match form {
            Form::Nth(_, nth) => place.positions >> nth & 1 == 1,
            _ => true,
        };
        is_there && on_step[place.step as usize]
    }

    /// The places that a selector means, among those that its last part fits.
    fn meant(&mut self, pattern: &Pattern, ends: &[u32]) -> Vec<u32> {
        pattern.parts.iter().for_each(|(form, _)| self.learn(form));
        let parts: Vec<(&Form, &[bool], bool)> = (pattern.parts.iter())
            .map(|(form, child)| (form, &*self.known[form], *child))
            .collect();
        let meant = ends.iter().copied();
        meant.filter(|at| self.reaches(&parts, *at)).collect()
    }

    /// Whether the last part, which fits a place, is reached from the others.
    fn reaches(&self, parts: &[(&Form, &[bool], bool)], at: u32) -> bool {
        let Some((&(_, _, child), before)) = parts.split_last() else {
            return true;
        };
        let Some((form, on_step, _)) = before.last() else {
            return true;
        };
        let mut above = at;
        while above > 0 {
            above = self.places.all[above as usize].parent;
            if self.has(form, on_step, above) && self.reaches(before, above) {
                return true;
            }
            if child {
                return false;
            }
        }
        false
    }

    /// The places that a simple selector fits.
    fn ends(&mut self, form: &Form, of_step: &[Vec<u32>]) -> Vec<u32> {
        self.learn(form);
        let on_step = &self.known[form];
        let steps = of_step.iter().zip(on_step).filter(|(_, fits)| **fits);
        let places = steps.flat_map(|(places, _)| places.iter().copied());
        let mut ends: Vec<u32> = places.filter(|at| self.has(form, on_step, *at)).collect();
        ends.sort_unstable();
        ends
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
    let mut fits = Fits {
        places,
        known: HashMap::default(),
    };
    let mut ends: HashMap<Form, Vec<u32>> = HashMap::default();
    let mut best: HashMap<Vec<u32>, (f64, Pattern)> = HashMap::default();
    for pattern in patterns.into_keys() {
        let (last, _) = pattern.parts.last().expect("never empty");
        if !ends.contains_key(last) {
            ends.insert(last.clone(), fits.ends(last, &of_step));
        }
        let meant = fits.meant(&pattern, &ends[last]);
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
    let mut path: Vec<&Step> = Vec::new();
    let mut above = at;
    while above == at || (above > 0 && Form::anchors(step_of(above)).is_empty()) {
        path.push(step_of(above));
        above = places.all[above as usize].parent;
    }
    let anchor = match above {
        0 => Form::Tag("body".into()),
        _ => Form::anchors(step_of(above)).remove(0),
    };
    if path.len() < LONGEST {
        for positions in positions(&path) {
            let inner = path.iter().zip(positions).map(|(step, has_position)| {
                let form = match has_position {
                    true => Form::Nth(step.tag.clone(), step.nth),
                    false => Form::Tag(step.tag.clone()),
                };
                (form, true)
            });
            let mut parts: Vec<(Form, bool)> = inner.collect();
            parts.push((anchor.clone(), false));
            parts.reverse();
            add(Pattern { parts });
        }
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

/// Which steps of a path, from the innermost, are told by their position: none, one, or all up to one.
fn positions(path: &[&Step]) -> Vec<Vec<bool>> {
    let has: Vec<bool> = path.iter().map(|step| step.nth > 0).collect();
    let mut found = vec![vec![false; path.len()]];
    for last in (0..path.len()).filter(|at| has[*at]) {
        found.push((0..path.len()).map(|at| at == last).collect());
        found.push((0..path.len()).map(|at| at <= last && has[at]).collect());
    }
    found
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
