//! Calibration of probabilities: of the texts said to be frame with probability 0.8, four of five
//! should be frame.

use serde::Serialize;

/// Bins of equal width that probabilities are sorted into.
pub const BINS: usize = 10;

/// A predicted probability and the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The probability, from 0 to 1.
    pub probability: f64,
    /// The truth: 0, 1, or a share.
    pub truth: f64,
    /// The weight.
    pub weight: f64,
}

/// The predictions in a bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// Their total weight.
    pub weight: f64,
    /// Mean probability.
    pub said: f64,
    /// Mean truth.
    pub true_share: f64,
}

/// How well probabilities are calibrated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// From the lowest probabilities to the highest; empty bins have no weight.
    pub bins: [Bin; BINS],
    /// Mean squared error (Brier, 1950): 0 is perfect; always predicting 0.5 gives 0.25.
    pub brier: f64,
    /// Expected calibration error: the weighted mean over the bins of the distance between mean
    /// probability and mean truth.
    pub expected_error: f64,
}

impl Calibration {
    /// From predictions. Those with NaN or without weight are left out; `None` if none remain.
    pub fn new(predictions: impl IntoIterator<Item = Prediction>) -> Option<Self> {
        let mut bins = [Bin::default(); BINS];
        let (mut squares, mut weight) = (0.0, 0.0);
        for one in predictions {
            let (said, truth) = (one.probability.clamp(0.0, 1.0), one.truth.clamp(0.0, 1.0));
            let is_number = said.is_finite() && truth.is_finite() && one.weight.is_finite();
            if !is_number || one.weight <= 0.0 {
                continue;
            }
            let bin = &mut bins[((said * BINS as f64) as usize).min(BINS - 1)];
            bin.weight += one.weight;
            bin.said += one.weight * said;
            bin.true_share += one.weight * truth;
            squares += one.weight * (said - truth) * (said - truth);
            weight += one.weight;
        }
        if weight == 0.0 {
            return None;
        }
        let mut error = 0.0;
        for bin in bins.iter_mut().filter(|bin| bin.weight > 0.0) {
            error += (bin.said - bin.true_share).abs();
            bin.said /= bin.weight;
            bin.true_share /= bin.weight;
        }
        Some(Calibration {
            bins,
            brier: squares / weight,
            expected_error: error / weight,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predictions(of: &[(f64, f64, f64)]) -> Vec<Prediction> {
        let made = of.iter().map(|(probability, truth, weight)| Prediction {
            probability: *probability,
            truth: *truth,
            weight: *weight,
        });
        made.collect()
    }

    #[test]
    fn errors_are_those_of_the_definitions() {
        for (of, brier, expected_error) in [
            (&[(1.0, 1.0, 1.0), (0.0, 0.0, 3.0)][..], 0.0, 0.0),
            (&[(0.5, 1.0, 1.0), (0.5, 0.0, 1.0)], 0.25, 0.0),
            (&[(0.25, 1.0, 1.0), (0.75, 0.0, 1.0)], 0.5625, 0.75),
            // Weights count, and so do fractional truths.
            (&[(0.25, 1.0, 3.0), (0.25, 0.0, 1.0)], 0.4375, 0.5),
            (&[(0.5, 0.5, 1.0)], 0.0, 0.0),
            // Values out of range are clamped; NaN is ignored.
            (
                &[(1.5, 1.0, 1.0), (f64::NAN, 1.0, 1.0), (0.5, 1.0, 0.0)],
                0.0,
                0.0,
            ),
        ] {
            let found = Calibration::new(predictions(of)).unwrap();
            assert!((found.brier - brier).abs() < 1e-12, "{of:?} {found:?}");
            let error = found.expected_error;
            assert!((error - expected_error).abs() < 1e-12, "{of:?} {found:?}");
        }
        assert_eq!(Calibration::new([]), None);
    }

    #[test]
    fn bins_hold_their_means() {
        let of = [(0.12, 0.0, 1.0), (0.18, 1.0, 1.0), (1.0, 1.0, 2.0)];
        let found = Calibration::new(predictions(&of)).unwrap();
        let filled: Vec<usize> = (0..BINS)
            .filter(|at| found.bins[*at].weight > 0.0)
            .collect();
        assert_eq!(filled, [1, 9]);
        assert!((found.bins[1].said - 0.15).abs() < 1e-12);
        assert_eq!(found.bins[1].true_share, 0.5);
        assert_eq!(found.bins[9].weight, 2.0);
    }
}
