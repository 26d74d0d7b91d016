//! How strongly the repetition of a text speaks for frame: a Bayes factor instead of a threshold.

/// Beta distribution of the share of pages that have a text of the frame …
const FRAME: (f64, f64) = (1.6, 0.5);
/// … and mean of that share for a text of the content, by its words: short texts repeat by chance.
const CONTENT_MEANS: [(u32, f64); 4] = [(2, 0.12), (6, 0.05), (15, 0.02), (u32::MAX, 0.008)];
/// Bounds of the factor: a text on no other page is new, but not necessarily content.
const LEAST: f64 = -1.5;
const MOST: f64 = 7.0;

/// Log-odds of frame against content for a text of `words` words that is on `seen` of `of` other pages, by
/// beta-binomial likelihoods: one page more or less should not decide.
pub(crate) fn log_odds(seen: u32, of: u32, words: u32) -> f32 {
    raw_log_odds(seen, of, words).clamp(LEAST, MOST) as f32
}

fn raw_log_odds(seen: u32, of: u32, words: u32) -> f64 {
    if of == 0 {
        return 0.0;
    }
    let mean = CONTENT_MEANS
        .iter()
        .find(|(most, _)| words <= *most)
        .map_or(0.008, |(_, mean)| *mean);
    let (seen, of) = (f64::from(seen.min(of)), f64::from(of));
    let likelihood = |(a, b): (f64, f64)| {
        ln_gamma(seen + a) + ln_gamma(of - seen + b) - ln_gamma(of + a + b) + ln_gamma(a + b)
            - ln_gamma(a)
            - ln_gamma(b)
    };
    likelihood(FRAME) - likelihood((2.0 * mean, 2.0 * (1.0 - mean)))
}

/// The logarithm of the gamma function for positive arguments: Stirling's series after shifting the
/// argument up.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 8.0 {
        shift -= libm::log(x);
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let series = (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r / 1680.0))) / x;
    shift + (x - 0.5) * libm::log(x) - x + 0.5 * libm::log(2.0 * std::f64::consts::PI) + series
}

/// Caches the log-odds of one page, on which the same few numbers recur.
pub(crate) struct OddsCache {
    of: u32,
    known: foldhash::HashMap<(u32, u8), f32>,
}

impl OddsCache {
    pub fn new(of: u32) -> OddsCache {
        OddsCache {
            of,
            known: foldhash::HashMap::default(),
        }
    }

    pub fn log_odds(&mut self, seen: u32, words: u32) -> f32 {
        let class = CONTENT_MEANS.iter().position(|(most, _)| words <= *most);
        let (of, key) = (self.of, (seen, class.unwrap_or(0) as u8));
        *self
            .known
            .entry(key)
            .or_insert_with(|| log_odds(seen, of, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the specification.
    #[test]
    fn worked_examples() {
        for (seen, of, words, expected) in [
            (0, 1, 30, -1.427),
            (1, 1, 30, 4.556),
            (2, 2, 30, 5.463),
            (4, 9, 30, 3.186),
            (9, 9, 30, 7.581),
            (1, 29, 30, -1.254),
            (7, 29, 30, 1.876),
            (29, 29, 30, 9.293),
            (50, 999, 30, -0.954),
            (1, 1, 1, 1.848),
            (29, 29, 1, 5.746),
            (7, 29, 1, -0.712),
            (0, 0, 5, 0.0),
        ] {
            let found = raw_log_odds(seen, of, words);
            assert!((found - expected).abs() < 6e-4, "{seen} of {of}: {found}");
        }
        assert_eq!(log_odds(29, 29, 30), 7.0);
    }
}
