//! The calibration of probabilities, as a chart.

use unframe_eval::Calibration;
use unframe_report::plot::{Line, LineChart};

/// The bins as a curve beside the diagonal on which they should lie, as SVG.
pub fn calibration_plot(of: &Calibration, title: &str) -> String {
    let bins = of.bins.iter().filter(|bin| bin.weight > 0.0);
    let line = |name: &str, points| Line {
        name: name.into(),
        points,
        right: false,
    };
    let found = bins.map(|bin| (bin.said, bin.true_share)).collect();
    let chart = LineChart {
        title: title.into(),
        x: "predicted probability".into(),
        left: "observed share".into(),
        lines: vec![
            line(
                &format!(
                    "found (Brier {:.3}, expected error {:.3})",
                    of.brier, of.expected_error
                ),
                found,
            ),
            line("perfect", vec![(0.0, 0.0), (1.0, 1.0)]),
        ],
        ..LineChart::default()
    };
    chart.svg()
}

#[cfg(test)]
mod tests {
    use unframe_eval::Prediction;

    use super::*;

    #[test]
    fn the_plot_shows_both_curves() {
        let of = [(0.1, 0.0), (0.9, 1.0)].map(|(probability, truth)| Prediction {
            probability,
            truth,
            weight: 1.0,
        });
        let svg = calibration_plot(&Calibration::new(of).unwrap(), "auto & others");
        for part in [
            "auto &amp; others",
            "perfect",
            "Brier 0.010",
            "predicted probability",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }
}
