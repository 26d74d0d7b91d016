//! A hash table with open addressing for a fixed list of names.
//!
//! Every tag and attribute of a page is looked up here, and nearly all are in the list. The table
//! is therefore tuned for short names and hashes only a few bytes before it compares.

/// Slots of the table; several times the number of names, so that collisions are rare.
const SLOTS: usize = 1024;

/// Names and their indices in the list.
pub(crate) struct KnownNames {
    names: &'static [&'static str],
    /// One more than the index of a name; zero if the slot is free.
    slots: [u16; SLOTS],
}

impl KnownNames {
    /// Builds the table. There must be at most half as many names as slots.
    pub(crate) fn new(names: &'static [&'static str]) -> Self {
        assert!(
            names.len() <= SLOTS / 2,
            "the table is too small for its names"
        );
        let mut slots = [0; SLOTS];
        for (at, name) in names.iter().enumerate() {
            let mut slot = slot(name.as_bytes());
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = at as u16 + 1;
        }
        KnownNames { names, slots }
    }

    /// The index of a name in the list.
    pub(crate) fn find(&self, name: &[u8]) -> Option<u16> {
        if name.is_empty() {
            return None;
        }
        let mut slot = slot(name);
        loop {
            let at = self.slots[slot].checked_sub(1)?;
            if self.names[usize::from(at)].as_bytes() == name {
                return Some(at);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

fn slot(name: &[u8]) -> usize {
    let byte = |at: usize| name[at] as usize;
    let length = name.len();
    let mixed = length + 7 * byte(0) + 61 * byte(length / 2) + 331 * byte(length - 1);
    mixed % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_the_list_is_found() {
        static NAMES: [&str; 5] = ["a", "b", "body", "bdoy", "h1"];
        let table = KnownNames::new(&NAMES);
        for (at, name) in NAMES.iter().enumerate() {
            assert_eq!(table.find(name.as_bytes()), Some(at as u16));
        }
        for other in ["", "c", "bod", "bodyy", "H1", "é"] {
            assert_eq!(table.find(other.as_bytes()), None, "{other}");
        }
    }
}
