//! Names of the places that many pages have, so that what is settled about them can be told without pages.
//!
//! A slot has a name if enough pages of the sample have it. The name follows from the slot, which is a hash of
//! the names from the root down. So what is stored is a function of the set of pages: the last page with the
//! slot that was learned had it when there were enough. There is one exception. Where parts of a site are
//! merged that have too few pages each, the name is left out until the next page with the slot.

use foldhash::{HashMap, HashSet};
use unframe_page::Fingerprint;
use unframe_site::{BadRow, WriteRow, map_bytes, set_bytes};

use super::memory::MOST_ROWS;

/// The table of names; its keys are slots.
pub(super) const NAMES: u8 = 1;

/// The pages of a sample from which on a slot is named.
pub(super) const FEWEST_PAGES: u32 = super::compiled::FEWEST_PAGES;

/// The longest name, in bytes. Longer ones, which people do not choose, are left empty.
const LONGEST: usize = 255;

/// The last step of each named slot: a tag with its stable styling, as `StyleName::push_to` spells it.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    of_slots: HashMap<u32, Box<str>>,
    /// Bytes of the names themselves.
    text_bytes: usize,
    /// Slots that were named, or lost their names, since this was last asked.
    changed: HashSet<u32>,
}

impl Names {
    pub fn get(&self, slot: u32) -> Option<&str> {
        self.of_slots.get(&slot).map(|name| &**name)
    }

    pub fn has(&self, slot: u32) -> bool {
        self.of_slots.contains_key(&slot)
    }

    pub fn len(&self) -> usize {
        self.of_slots.len()
    }

    pub fn bytes(&self) -> usize {
        map_bytes(&self.of_slots) + self.text_bytes + set_bytes(&self.changed)
    }

    pub fn insert(&mut self, slot: u32, name: &str) {
        self.remove(slot);
        let name = if name.len() > LONGEST { "" } else { name };
        self.text_bytes += name.len();
        self.of_slots.insert(slot, name.into());
        self.changed.insert(slot);
    }

    pub fn remove(&mut self, slot: u32) {
        if let Some(name) = self.of_slots.remove(&slot) {
            self.text_bytes -= name.len();
            self.changed.insert(slot);
        }
    }

    /// Adds names of another memory, or former ones, for the slots that have enough pages.
    pub fn add(&mut self, others: Names, has_enough: impl Fn(u32) -> bool) {
        for (slot, name) in others.of_slots {
            if !self.has(slot) && has_enough(slot) {
                self.insert(slot, &name);
            }
        }
    }

    pub fn load(&mut self, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let slot = u32::try_from(key.0).map_err(|_| BadRow)?;
        let name = std::str::from_utf8(row).map_err(|_| BadRow)?;
        if self.has(slot) || name.len() > LONGEST || self.len() >= MOST_ROWS {
            return Err(BadRow);
        }
        self.text_bytes += name.len();
        self.of_slots.insert(slot, name.into());
        Ok(())
    }

    pub fn rows(&self, write: &mut WriteRow<'_>) {
        let mut all: Vec<_> = self.of_slots.iter().collect();
        all.sort_unstable_by_key(|(slot, _)| **slot);
        for (slot, name) in all {
            write(NAMES, Fingerprint((*slot).into()), Some(name.as_bytes()));
        }
    }

    pub fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        let mut slots: Vec<u32> = std::mem::take(&mut self.changed).into_iter().collect();
        slots.sort_unstable();
        for slot in slots {
            let name = self.get(slot).map(str::as_bytes);
            write(NAMES, Fingerprint(slot.into()), name);
        }
    }
}
