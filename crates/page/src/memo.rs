//! Answers about names, kept from page to page.

use foldhash::HashMap;

/// What was worked out of names: the pages of a site share nearly all of their class names, and what
/// follows from a name alone need not be found again for each page.
///
/// ```
/// use unframe_page::Memo;
///
/// let mut lengths = Memo::default();
/// assert_eq!(lengths.answer("nav", str::len), 3);
/// assert_eq!(lengths.answer("nav", |_| unreachable!("it is known")), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Memo<V> {
    answers: HashMap<Box<str>, V>,
}

/// Names that are kept at most; then all are forgotten.
const MOST: usize = 4096;
/// Longer names are not kept.
const LONGEST: usize = 256;

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Memo {
            answers: HashMap::default(),
        }
    }
}

impl<V: Clone> Memo<V> {
    /// The answer for a name.
    pub fn answer(&mut self, name: &str, work_out: impl FnOnce(&str) -> V) -> V {
        if name.len() > LONGEST {
            return work_out(name);
        }
        if let Some(known) = self.answers.get(name) {
            return known.clone();
        }
        if self.answers.len() >= MOST {
            self.answers.clear();
        }
        let found = work_out(name);
        self.answers.insert(name.into(), found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut memo = Memo::default();
        for number in 0..3 * MOST {
            assert_eq!(memo.answer(&number.to_string(), |_| number), number);
        }
        assert!(memo.answers.len() <= MOST);
        let long = "x".repeat(LONGEST + 1);
        memo.answer(&long, |_| 0);
        assert!(!memo.answers.contains_key(long.as_str()));
    }
}
