//! A feature's values become steps, about equally heavy, between thresholds.

use rayon::prelude::*;

use super::boost::Rows;
use super::random::Random;

/// Thresholds are sought on so many rows at most; more would only cost time.
const SAMPLE: usize = 1 << 17;

/// One feature of all rows, as steps.
pub(super) struct Column {
    /// Ascending; a value's step is the number of thresholds that it is above.
    pub(super) thresholds: Vec<f32>,
    /// The step of each row.
    pub(super) steps: Vec<u8>,
}

/// All features as columns of at most `bins` steps; one that is not `wanted` has no threshold and no
/// steps.
pub(super) fn columns(
    rows: &Rows,
    bins: usize,
    seed: u64,
    wanted: impl Fn(usize) -> bool + Sync,
) -> Vec<Column> {
    let weighty = (0..rows.target.len()).filter(|row| rows.weight[*row] > 0.0);
    let sample = Random(seed).draw(weighty.collect(), SAMPLE);
    let column = |(feature, values): (usize, &Vec<f32>)| {
        let mut thresholds = Vec::new();
        if wanted(feature) {
            thresholds = self::thresholds(values, &rows.weight, &sample, bins);
        }
        let mut steps = Vec::new();
        if !thresholds.is_empty() {
            // What is not a number is above none, as in the forest.
            let step = |value: &f32| thresholds.partition_point(|above| value > above) as u8;
            steps = values.iter().map(step).collect();
        }
        Column { thresholds, steps }
    };
    rows.features.par_iter().enumerate().map(column).collect()
}

/// Thresholds half way between neighbouring values: between all if these are few, else so that the
/// rows between two of them weigh about the same.
fn thresholds(values: &[f32], weights: &[f32], sample: &[usize], bins: usize) -> Vec<f32> {
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
    let few = distinct.len() <= bins;
    let mut left: f64 = distinct.iter().map(|(_, weight)| weight).sum();
    let (mut thresholds, mut weight) = (Vec::new(), 0.0);
    for pair in distinct.windows(2) {
        weight += pair[0].1;
        // What each step should weigh, so that the rest is shared by the steps left.
        let share = left / (bins - thresholds.len()) as f64;
        // A heavy value gets a step of its own.
        if few || weight >= share || pair[1].1 >= share {
            thresholds.push(between(pair[0].0, pair[1].0));
            left -= weight;
            weight = 0.0;
            if thresholds.len() + 1 == bins {
                break;
            }
        }
    }
    thresholds
}

/// Half way, yet not above the larger of two neighbours.
fn between(low: f32, high: f32) -> f32 {
    let middle = ((f64::from(low) + f64::from(high)) / 2.0) as f32;
    if middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use super::{between, thresholds};

    #[test]
    fn few_values_have_thresholds_between_all() {
        let values = [3.0, 1.0, f32::INFINITY, 1.0, 2.0, f32::NAN];
        let all: Vec<usize> = (0..values.len()).collect();
        assert_eq!(thresholds(&values, &[1.0; 6], &all, 4), [1.5, 2.5]);
        assert!(thresholds(&[7.0; 6], &[1.0; 6], &all, 4).is_empty());
    }

    #[test]
    fn many_values_are_shared_out_by_weight() {
        let values: Vec<f32> = (0..100).map(|n| n as f32).collect();
        let all: Vec<usize> = (0..100).collect();
        let even = thresholds(&values, &[1.0; 100], &all, 4);
        assert_eq!(even, [24.5, 49.5, 74.5]);
        // The first ten weigh as much as all others.
        let mut weights = vec![1.0; 100];
        weights[..10].fill(9.0);
        let heavy = thresholds(&values, &weights, &all, 4);
        assert_eq!(heavy, [4.5, 9.5, 54.5]);
    }

    #[test]
    fn a_threshold_parts_even_the_closest_values() {
        let high = 1.0_f32.next_up();
        let above = between(1.0, high);
        assert!(high > above && 1.0 <= above);
        assert_eq!(between(f32::MAX, f32::MAX), f32::MAX);
    }
}
