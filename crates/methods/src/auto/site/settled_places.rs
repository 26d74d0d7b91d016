//! What is settled about a site, told with the names of its places.

use foldhash::HashMap;

use super::compiled::{Place, Places, Texts};
use super::memory::AutoMemory;

/// More elements are not around a place.
const DEEPEST: usize = 1_000;

/// The share of a site's words that must be in settled places with names.
const LEAST_NAMED: f32 = 0.5;

/// A place of a site that is usually frame, or usually content.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SettledPlace {
    /// From the body in: tag names with stable styling, as `StyleName::push_to` writes it.
    pub path: Vec<String>,
    /// Whether it is frame.
    pub is_frame: bool,
    /// Sampled pages on which that is probably so …
    pub agreeing: u32,
    /// … of those that have it.
    pub pages: u32,
    /// Words in it on these pages, without those in settled places inside of it. All pages count as if they
    /// were equally long.
    pub words: u64,
}

impl AutoMemory {
    /// The places that are settled and named, by their paths. Those of which it is only likely count by their
    /// probability.
    pub fn settled_places(&self) -> Vec<SettledPlace> {
        let compiled = self.compiled();
        if compiled.is_empty() {
            return Vec::new();
        }
        let places = Places::of(self);
        // What has no name counts with what is around it.
        let settled = |place: Place| match place {
            Place::Slot(_) => compiled.of_place(Texts::All, place),
            Place::Idless(_) => None,
        };
        let mean_words = self.mean_words();
        let words = |place: Place| (places.share(Texts::All, place) * mean_words).round() as u64;
        let mut inside: HashMap<Place, u64> = HashMap::default();
        let is_settled = |place: &Place| settled(*place).is_some();
        for place in places.all(Texts::All).filter(is_settled) {
            if let Some(around) = places
                .outwards(place)
                .take(DEEPEST)
                .skip(1)
                .find(is_settled)
            {
                *inside.entry(around).or_default() += words(place);
            }
        }
        let mut found = Vec::new();
        for place in places.all(Texts::All) {
            let (Some(settled), Some(path)) = (settled(place), self.path(&places, place)) else {
                continue;
            };
            let is_frame = settled.is_frame();
            let certainty = match is_frame {
                true => settled.probability,
                false => 1.0 - settled.probability,
            };
            let inside = inside.get(&place).copied().unwrap_or(0);
            found.push(SettledPlace {
                path,
                is_frame,
                agreeing: (certainty * settled.pages as f32).round() as u32,
                pages: settled.pages,
                words: words(place).saturating_sub(inside),
            });
        }
        // Places with an id of their own on each page have no names. If most of the text is there, the others
        // say too little: a selector that fits them may fit the content, too.
        let inner = found.iter().filter(|place| place.path.len() > 1);
        let named: u64 = inner.map(|place| place.words).sum();
        if (named as f32) < LEAST_NAMED * mean_words * self.pages() as f32 {
            return Vec::new();
        }
        found.sort_unstable();
        found
    }

    /// The names from the body in; `None` if one is missing.
    fn path(&self, places: &Places, place: Place) -> Option<Vec<String>> {
        let mut path = Vec::new();
        for place in places.outwards(place).take(DEEPEST) {
            let Place::Slot(slot) = place else {
                return None;
            };
            let name = self.name(slot).filter(|name| !name.is_empty())?;
            path.push(name.to_string());
        }
        path.reverse();
        Some(path)
    }
}
