//! A bounded cache for what is computed from names and short texts.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// A bounded cache, kept from page to page: the pages of a site share most of their names and texts.
///
/// ```
/// use unframe_page::Memo;
///
/// let mut lengths = Memo::default();
/// assert_eq!(lengths.get_or_insert_with("nav", str::len), 3);
/// assert_eq!(lengths.get_or_insert_with("nav", |_| unreachable!("it is cached")), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Memo<V> {
    /// Each name has one slot; the last name there wins.
    slots: Vec<Option<(Box<str>, V)>>,
}

/// Number of slots.
const SLOTS: usize = 4096;
/// Longer names are not cached.
const LONGEST: usize = 256;

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Memo { slots: Vec::new() }
    }
}

impl<V: Clone> Memo<V> {
    /// The cached value of a name, computed if there is none.
    pub fn get_or_insert_with(&mut self, name: &str, compute: impl FnOnce(&str) -> V) -> V {
        if name.len() > LONGEST {
            return compute(name);
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        // Two empty names are not compared: `memcmp` with AVX-512 takes hundreds of cycles for addresses that
        // are not valid, as those of empty boxes.
        let is_same = |known: &str| known.len() == name.len() && (name.is_empty() || known == name);
        let hash = FixedState::default().hash_one(name);
        let slot = &mut self.slots[hash as usize % SLOTS];
        match slot {
            Some((known, value)) if is_same(known) => value.clone(),
            _ => {
                let value = compute(name);
                *slot = Some((name.into(), value.clone()));
                value
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_bounded() {
        let mut memo = Memo::default();
        for number in 0..3 * SLOTS {
            let name = number.to_string();
            assert_eq!(memo.get_or_insert_with(&name, |_| number), number);
            assert_eq!(
                memo.get_or_insert_with(&name, |_| unreachable!("{name} is cached")),
                number
            );
        }
        assert_eq!(memo.slots.len(), SLOTS);
        let long = "x".repeat(LONGEST + 1);
        for number in 0..3 {
            assert_eq!(memo.get_or_insert_with(&long, |_| number), number);
        }
    }
}
