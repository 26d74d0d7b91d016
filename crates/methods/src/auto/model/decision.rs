//! How the probabilities of a page's texts become decisions.

use super::{Model, Predictions};
use crate::auto::page::subtree_stats::PROSE_WORDS;
use crate::auto::page::view::AutoView;

/// The parameters of the decision.
///
/// A text is kept if its probability to be content is at least a share of the F1 that can be expected of
/// the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// That share on pages without prose, and on pages of prose; between them it is interpolated.
    /// Raising it removes more.
    pub f1_share: [f32; 2],
    /// The same for a page without others to compare it with.
    pub f1_share_alone: [f32; 2],
    /// The lowest probability to be content at which a text is kept …
    pub min_keep: f32,
    /// … and the highest that may be required.
    pub max_keep: f32,
    /// Probability from which a text is the site's template.
    pub template: f32,
    /// Bonus for a value of a record, in log-odds: models that have seen no records take short texts for
    /// frame.
    pub record_value: f32,
    /// Bonus for the posts of a thread, in log-odds, times the probability that the page is one: on other
    /// pages the same structure holds readers' comments.
    pub post: f32,
}

impl Default for Decision {
    fn default() -> Self {
        Decision {
            f1_share: [0.36, 0.6],
            f1_share_alone: [0.37, 0.54],
            min_keep: 0.15,
            max_keep: 0.58,
            template: 0.65,
            record_value: 2.5,
            post: 1.2,
        }
    }
}

impl Model {
    /// The boilerplate probability from which texts of a page are removed: the one at which the
    /// probabilities of the page promise the best F1. `shift` moves it, in log-odds; more means that
    /// less is removed.
    pub fn threshold(&self, view: &AutoView, predictions: &Predictions, shift: f32) -> f32 {
        let boilerplate = &predictions.probabilities;
        let weight = |row: usize| view.outline.texts[row].stats.words as f32;
        let mut order: Vec<usize> = (0..boilerplate.len()).collect();
        order.sort_by(|a, b| boilerplate[*a].total_cmp(&boilerplate[*b]));
        let content: f32 = order
            .iter()
            .map(|row| (1.0 - boilerplate[*row]) * weight(*row))
            .sum();
        let (mut hit, mut kept, mut best) = (0.0, 0.0, 0.0f32);
        for row in order {
            hit += (1.0 - boilerplate[row]) * weight(row);
            kept += weight(row);
            best = best.max(2.0 * hit / (kept + content).max(1.0));
        }
        let decision = &self.decision;
        let [without_prose, of_prose] = match predictions.is_only_page {
            true => decision.f1_share_alone,
            false => decision.f1_share,
        };
        let f1_share = without_prose + (of_prose - without_prose) * prose_share(view, boilerplate);
        let keep = (f1_share * best).clamp(decision.min_keep, decision.max_keep);
        shift_probability(1.0 - keep, shift)
    }
}

/// How far the likely content of a page is prose, 0 to 1. An article can do without its date; a record
/// consists of short texts.
pub(in crate::auto) fn prose_share(view: &AutoView, boilerplate: &[f32]) -> f32 {
    /// Shares of prose words that count as none …
    const NONE: f32 = 0.6;
    /// … and as all.
    const ALL: f32 = 0.85;
    let outline = &view.outline;
    let (mut prose, mut all) = (0.0, 0.0);
    for (text, probability) in outline.texts.iter().zip(boilerplate) {
        let words = text.stats.weight();
        let likely = words * (1.0 - probability);
        all += likely;
        if words >= PROSE_WORDS && !outline.is_linked(text) {
            prose += likely;
        }
    }
    let share = prose / f32::max(all, 1.0);
    ((share - NONE) / (ALL - NONE)).clamp(0.0, 1.0)
}

/// The probability of log-odds.
pub(in crate::auto) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-odds))
}

/// The log-odds of a probability.
pub(in crate::auto) fn log_odds(probability: f32) -> f32 {
    libm::logf(probability / (1.0 - probability))
}

/// A probability moved by `shift` in log-odds.
pub(in crate::auto) fn shift_probability(probability: f32, shift: f32) -> f32 {
    sigmoid(log_odds(probability) + shift)
}

#[cfg(test)]
mod tests {
    use unframe_dom::Limits;
    use unframe_page::Page;

    use super::*;

    #[test]
    fn only_likely_content_counts_for_the_prose_share() {
        let text = "<p>As they went along the river the old man told them of the flood";
        let values = "<p>Roc<p>1999<p>12";
        let page = format!("{text}{values}");
        for (probabilities, expected) in [
            ([0.1, 0.9, 0.9, 0.9], 1.0),
            ([1.0, 0.1, 0.1, 0.1], 0.0),
            ([1.0, 1.0, 1.0, 1.0], 0.0),
        ] {
            let page = Page::parse(page.clone().into(), None, None, &Limits::default());
            assert_eq!(prose_share(&AutoView::of(&page), &probabilities), expected);
        }
    }
}
