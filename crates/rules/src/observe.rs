//! The pages of a site that its rules are made from: a sample, however many there are.

use std::collections::BTreeMap;

use unframe_page::Fingerprint;

use crate::infer::{Inferred, of_places};
use crate::outline::Outline;
use crate::places::Places;

/// Pages of a site that are looked at. More would tell nothing new, and take memory.
const MOST_PAGES: usize = 400;

/// From this many pages on, half of them are enough to check what rules of the other half do.
const ENOUGH_TO_HALVE: usize = 20;

/// Labelled pages of a site. Those with the smallest fingerprints are kept, so their order does not matter.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    pages: BTreeMap<Fingerprint, Outline>,
    seen: u64,
}

impl Observed {
    /// Adds a page.
    pub fn add(&mut self, page: Fingerprint, outline: Outline) {
        self.seen += 1;
        self.pages.insert(page, outline);
        if self.pages.len() > MOST_PAGES {
            self.pages.pop_last();
        }
    }

    /// Pages that were added.
    pub fn pages(&self) -> u64 {
        self.seen
    }

    /// The rules of the site.
    pub fn rules(&self) -> Inferred {
        of_places(&Places::new(self.pages.values()))
    }

    /// Rules made from half of the pages, to be checked on the others; none if there are few.
    pub fn rules_of_half(&self) -> Option<Inferred> {
        if self.pages.len() < ENOUGH_TO_HALVE {
            return None;
        }
        let half = self.pages.iter().filter(|(page, _)| !is_held_out(**page));
        let half: Vec<&Outline> = half.map(|(_, outline)| outline).collect();
        Some(of_places(&Places::new(half.into_iter())))
    }
}

/// Whether a page belongs to the half that rules are checked on.
pub fn is_held_out(page: Fingerprint) -> bool {
    page.0 & 1 == 1
}
