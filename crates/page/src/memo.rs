//! Answers about names and texts, kept from page to page.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// What was worked out of names or short texts: the pages of a site share most of them, and what
/// follows from one alone need not be found again for each page.
///
/// ```
/// use unframe_page::Memo;
///
/// let mut lengths = Memo::default();
/// assert_eq!(lengths.get_or_insert_with("nav", str::len), 3);
/// assert_eq!(lengths.get_or_insert_with("nav", |_| unreachable!("it is known")), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Memo<V> {
    /// Each name has one place, and the last one there stays.
    places: Vec<Option<(Box<str>, V)>>,
}

/// Places for names.
const PLACES: usize = 4096;
/// Longer names are not kept.
const LONGEST: usize = 256;

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Memo { places: Vec::new() }
    }
}

impl<V: Clone> Memo<V> {
    /// The answer for a name.
    pub fn get_or_insert_with(&mut self, name: &str, work_out: impl FnOnce(&str) -> V) -> V {
        if name.len() > LONGEST {
            return work_out(name);
        }
        if self.places.is_empty() {
            self.places.resize_with(PLACES, || None);
        }
        let hash = FixedState::default().hash_one(name);
        let place = &mut self.places[hash as usize % PLACES];
        match place {
            Some((known, answer)) if **known == *name => answer.clone(),
            _ => {
                let answer = work_out(name);
                *place = Some((name.into(), answer.clone()));
                answer
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut memo = Memo::default();
        for number in 0..3 * PLACES {
            let name = number.to_string();
            assert_eq!(memo.get_or_insert_with(&name, |_| number), number);
            assert_eq!(
                memo.get_or_insert_with(&name, |_| unreachable!("{name} is known")),
                number
            );
        }
        assert_eq!(memo.places.len(), PLACES);
        let long = "x".repeat(LONGEST + 1);
        for number in 0..3 {
            assert_eq!(memo.get_or_insert_with(&long, |_| number), number);
        }
    }
}
