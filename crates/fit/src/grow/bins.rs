//! Bins the values of features: about equal weight between thresholds.

use rayon::prelude::*;

use super::boost::Rows;
use super::random::Random;

/// The most rows that thresholds are derived from; more would only cost time.
const SAMPLE: usize = 1 << 17;

/// Features whose bins are stored together, so that one access to a row serves all of them and their sums do
/// not depend on each other.
pub(super) const LANES: usize = 8;

/// Up to eight features of all rows, as bins. They are grouped at random, because trees draw whole octets.
pub(super) struct Octet {
    /// The features, at most [`LANES`].
    pub(super) lanes: Vec<Lane>,
    /// For each row the bins of the features; unused lanes are 0.
    pub(super) bins: Vec<[u8; LANES]>,
}

/// A feature.
pub(super) struct Lane {
    /// Its number.
    pub(super) feature: usize,
    /// Ascending; the bin of a value is the number of thresholds that it is above.
    pub(super) thresholds: Vec<f32>,
}

/// The `wanted` features that have at least two bins, in at most `n_bins` bins.
pub(super) fn octets(
    rows: &Rows,
    n_bins: usize,
    seed: u64,
    wanted: impl Fn(usize) -> bool + Sync,
) -> Vec<Octet> {
    let weighty = (0..rows.target.len()).filter(|row| rows.weight[*row] > 0.0);
    let mut random = Random(seed);
    let sample = random.draw(weighty.collect(), SAMPLE);
    let lane = |feature: usize| {
        let values = &rows.features[feature];
        let thresholds = thresholds(values, &rows.weight, &sample, n_bins);
        (!thresholds.is_empty()).then_some(Lane {
            feature,
            thresholds,
        })
    };
    let features = (0..rows.features.len()).into_par_iter();
    let mut lanes: Vec<Lane> = features
        .filter(|feature| wanted(*feature))
        .filter_map(lane)
        .collect();
    random.shuffle(&mut lanes);
    let mut octets = Vec::new();
    while !lanes.is_empty() {
        let rest = lanes.split_off(lanes.len().min(LANES));
        octets.push(std::mem::replace(&mut lanes, rest));
    }
    octets
        .into_par_iter()
        .map(|lanes| {
            let mut bins = vec![[0; LANES]; rows.target.len()];
            for (at, lane) in lanes.iter().enumerate() {
                for (bins, value) in bins.iter_mut().zip(&rows.features[lane.feature]) {
                    // NaN is above none, as in the forest.
                    let bin = lane.thresholds.partition_point(|above| value > above);
                    bins[at] = bin as u8;
                }
            }
            Octet { lanes, bins }
        })
        .collect()
}

/// Thresholds about half way between neighbouring values: between all if there are few, else so that the bins
/// have about equal weight.
fn thresholds(values: &[f32], weights: &[f32], sample: &[usize], n_bins: usize) -> Vec<f32> {
    let mut pairs: Vec<(f32, f32)> = sample
        .iter()
        .map(|row| (values[*row], weights[*row]))
        .filter(|(value, _)| value.is_finite())
        .collect();
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut distinct: Vec<(f32, f64)> = Vec::new();
    for (value, weight) in pairs {
        match distinct.last_mut() {
            Some(last) if last.0 == value => last.1 += f64::from(weight),
            _ => distinct.push((value, f64::from(weight))),
        }
    }
    let few = distinct.len() <= n_bins;
    let mut left: f64 = distinct.iter().map(|(_, weight)| weight).sum();
    let (mut thresholds, mut weight) = (Vec::new(), 0.0);
    for pair in distinct.windows(2) {
        weight += pair[0].1;
        // The weight of each remaining bin, if they share the rest equally.
        let share = left / (n_bins - thresholds.len()) as f64;
        // A heavy value gets its own bin.
        if few || weight >= share || pair[1].1 >= share {
            thresholds.push(between(pair[0].0, pair[1].0));
            left -= weight;
            weight = 0.0;
            if thresholds.len() + 1 == n_bins {
                break;
            }
        }
    }
    thresholds
}

/// A threshold between two neighbouring values: the shortest decimal near the middle, to keep the model file
/// small. The lower value is not above it, the higher one is.
fn between(low: f32, high: f32) -> f32 {
    let middle = ((f64::from(low) + f64::from(high)) / 2.0) as f32;
    let short = (0..9).find_map(|digits| {
        let spelled = format!("{middle:.digits$e}").parse::<f32>().ok()?;
        (low <= spelled && spelled < high).then_some(spelled)
    });
    // Adding zero turns −0 into 0.
    short.unwrap_or(low) + 0.0
}

#[cfg(test)]
mod tests {
    use super::{between, thresholds};

    #[test]
    fn few_values_have_thresholds_between_all() {
        let values = [3.0, 1.0, f32::INFINITY, 1.0, 2.0, f32::NAN];
        let all: Vec<usize> = (0..values.len()).collect();
        assert_eq!(thresholds(&values, &[1.0; 6], &all, 4), [1.5, 2.0]);
        assert!(thresholds(&[7.0; 6], &[1.0; 6], &all, 4).is_empty());
    }

    #[test]
    fn many_values_are_shared_out_by_weight() {
        let values: Vec<f32> = (0..100).map(|n| n as f32).collect();
        let all: Vec<usize> = (0..100).collect();
        let even = thresholds(&values, &[1.0; 100], &all, 4);
        assert_eq!(even, [24.0, 49.5, 74.0]);
        // The first ten weigh as much as all others.
        let mut weights = vec![1.0; 100];
        weights[..10].fill(9.0);
        let heavy = thresholds(&values, &weights, &all, 4);
        assert_eq!(heavy, [4.0, 9.5, 54.0]);
    }

    #[test]
    fn a_threshold_parts_even_the_closest_values() {
        let high = 1.0_f32.next_up();
        let above = between(1.0, high);
        assert!(high > above && 1.0 <= above);
        assert_eq!(between(f32::MAX, f32::MAX), f32::MAX);
        assert_eq!(between(0.123_456, 0.234_567), 0.2);
        assert_eq!(between(-3.0, -2.0), -2.5);
        assert_eq!(between(0.0, 1e-30), 5e-31);
    }
}
