//! How well the kept words of rules agree with those of a method.

use serde::{Deserialize, Serialize};

/// Precision, recall and F1 of the words that are kept, mean over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Of the words that the rules keep, those that the method keeps, too.
    pub p: f64,
    /// Of the words that the method keeps, those that the rules keep, too.
    pub r: f64,
    /// Their harmonic mean, page by page.
    pub f1: f64,
}

/// Scores of pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check {
    sum: Score,
    pages: u64,
}

impl Check {
    /// Adds a page: for each of its texts the number of its words, whether the method keeps it, and whether
    /// the rules do.
    pub fn add(&mut self, texts: impl IntoIterator<Item = (u32, bool, bool)>) {
        let (mut both, mut wanted, mut found) = (0u64, 0u64, 0u64);
        for (words, by_method, by_rules) in texts {
            let words = u64::from(words);
            wanted += words * u64::from(by_method);
            found += words * u64::from(by_rules);
            both += words * u64::from(by_method && by_rules);
        }
        // Nothing is right of nothing.
        let share = |of: u64| match of {
            0 => f64::from(u8::from(wanted == found)),
            of => both as f64 / of as f64,
        };
        let (p, r) = (share(found), share(wanted));
        let f1 = match p + r > 0.0 {
            true => 2.0 * p * r / (p + r),
            false => 0.0,
        };
        self.sum.p += p;
        self.sum.r += r;
        self.sum.f1 += f1;
        self.pages += 1;
    }

    /// Pages that were added.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The mean, rounded as it is shown; none without pages.
    pub fn score(&self) -> Option<Score> {
        let mean = |sum: f64| (1e4 * sum / self.pages as f64).round() / 1e4;
        (self.pages > 0).then(|| Score {
            p: mean(self.sum.p),
            r: mean(self.sum.r),
            f1: mean(self.sum.f1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_means_over_pages() {
        let mut check = Check::default();
        assert_eq!(check.score(), None);
        check.add([(3, true, true), (1, true, false), (3, false, true)]);
        let score = check.score().unwrap();
        assert_eq!((score.p, score.r, score.f1), (0.5, 0.75, 0.6));
        check.add([(5, false, false)]);
        assert_eq!(check.score().unwrap().p, 0.75);
        check.add([(5, true, false)]);
        assert_eq!(check.score().unwrap().r, 0.5833);
        assert_eq!(check.pages(), 3);
    }
}
