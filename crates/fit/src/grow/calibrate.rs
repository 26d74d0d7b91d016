//! Scores become probabilities that mean what they say: of rows given 0.8, eight in ten are
//! positive.

/// A straight line from scores to log-odds (Platt 1999), fitted on rows that the forest was not
/// grown on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platt {
    /// Log-odds for each unit of the score. Below 1 if the forest is too sure of itself.
    pub slope: f32,
    /// Log-odds of a row whose score is 0.
    pub intercept: f32,
}

impl Default for Platt {
    /// Takes scores as log-odds.
    fn default() -> Self {
        Self {
            slope: 1.0,
            intercept: 0.0,
        }
    }
}

impl Platt {
    /// The line with the smallest weighted cross-entropy, by Newton's method.
    ///
    /// A weak pull towards the line that changes nothing, worth [`Platt::PRIOR`] rows of mean
    /// weight, keeps it finite where the scores part the rows perfectly, and settles what the rows
    /// leave open (all scores alike, or no rows at all).
    ///
    /// # Panics
    ///
    /// If the three differ in length.
    pub fn fit(scores: &[f32], targets: &[f32], weights: &[f32]) -> Self {
        assert_eq!(scores.len(), targets.len(), "a target for each score");
        assert_eq!(scores.len(), weights.len(), "a weight for each score");
        let total: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        if total <= 0.0 {
            return Self::default();
        }
        // Weights of mean 1, so that the prior means the same whatever their unit.
        let scale = weights.iter().filter(|weight| **weight > 0.0).count() as f64 / total;
        let rows = || {
            let rows = scores.iter().zip(targets).zip(weights);
            rows.map(|((score, target), weight)| Row {
                score: f64::from(*score),
                target: f64::from(*target),
                weight: f64::from(*weight) * scale,
            })
        };
        let mut line = [1.0, 0.0];
        let mut loss = self::loss(rows(), line);
        for _ in 0..MOST_STEPS {
            let step = newton_step(rows(), line);
            // Halved until it helps: far from the end a whole step may overshoot.
            let tried = (0..MOST_HALVINGS).find_map(|halvings| {
                let part = 0.5_f64.powi(halvings);
                let next = [line[0] - part * step[0], line[1] - part * step[1]];
                let next_loss = self::loss(rows(), next);
                (next_loss < loss).then_some((next, next_loss))
            });
            let Some((next, next_loss)) = tried else {
                break;
            };
            let done = loss - next_loss < 1e-12 * loss;
            (line, loss) = (next, next_loss);
            if done {
                break;
            }
        }
        Self {
            slope: line[0] as f32,
            intercept: line[1] as f32,
        }
    }

    /// How many rows of mean weight the pull towards the unchanged line is worth.
    pub const PRIOR: f64 = 0.01;

    /// The probability of a score.
    pub fn probability(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-(self.slope * score + self.intercept)).exp())
    }
}

const MOST_STEPS: usize = 50;
const MOST_HALVINGS: i32 = 30;

struct Row {
    score: f64,
    target: f64,
    weight: f64,
}

fn loss(rows: impl Iterator<Item = Row>, [slope, intercept]: [f64; 2]) -> f64 {
    let prior = Platt::PRIOR / 2.0 * ((slope - 1.0).powi(2) + intercept.powi(2));
    let loss = rows.map(|row| {
        let odds = slope * row.score + intercept;
        // ln(1 + e^odds) without overflow.
        let log = odds.max(0.0) + (-odds.abs()).exp().ln_1p();
        row.weight * (log - row.target * odds)
    });
    prior + loss.sum::<f64>()
}

/// The inverse of the second derivatives times the first.
fn newton_step(rows: impl Iterator<Item = Row>, [slope, intercept]: [f64; 2]) -> [f64; 2] {
    let prior = Platt::PRIOR;
    let mut first = [prior * (slope - 1.0), prior * intercept];
    let (mut slopes, mut both, mut intercepts) = (prior, 0.0, prior);
    for Row {
        score,
        target,
        weight,
    } in rows
    {
        let chance = 1.0 / (1.0 + (-(slope * score + intercept)).exp());
        let (gradient, curve) = (weight * (chance - target), weight * chance * (1.0 - chance));
        first[0] += gradient * score;
        first[1] += gradient;
        slopes += curve * score * score;
        both += curve * score;
        intercepts += curve;
    }
    // Above 0, because the prior is.
    let determinant = slopes * intercepts - both * both;
    [
        (intercepts * first[0] - both * first[1]) / determinant,
        (slopes * first[1] - both * first[0]) / determinant,
    ]
}

#[cfg(test)]
mod tests {
    use super::Platt;

    fn close(found: Platt, slope: f32, intercept: f32) {
        assert!((found.slope - slope).abs() < 0.01, "{found:?}");
        assert!((found.intercept - intercept).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn finds_the_line_that_made_the_targets() {
        let scores: Vec<f32> = (0..4000).map(|n| n as f32 / 400.0 - 5.0).collect();
        for (slope, intercept) in [(1.0, 0.0), (0.5, -1.0), (3.0, 2.0), (-0.7, 0.3)] {
            let truth = Platt { slope, intercept };
            let targets: Vec<f32> = scores.iter().map(|s| truth.probability(*s)).collect();
            // Whatever the unit of the weights.
            for weight in [1.0, 1e-4, 1e4] {
                let weights = vec![weight; scores.len()];
                close(Platt::fit(&scores, &targets, &weights), slope, intercept);
            }
        }
    }

    #[test]
    fn weights_count() {
        // One score; three quarters of the weight are positive.
        let platt = Platt::fit(&[0.0, 0.0], &[1.0, 0.0], &[3e4, 1e4]);
        let many = Platt::fit(
            &[0.0; 4000],
            &[[1.0; 3000].as_slice(), &[0.0; 1000]].concat(),
            &[1.0; 4000],
        );
        assert_eq!(platt.slope, 1.0);
        assert!(platt.intercept > 0.0);
        assert!((many.probability(0.0) - 0.75).abs() < 1e-3);
    }

    #[test]
    fn stays_finite_where_rows_say_too_little_or_too_much() {
        assert_eq!(Platt::fit(&[], &[], &[]), Platt::default());
        assert_eq!(Platt::fit(&[2.0], &[1.0], &[0.0]), Platt::default());
        let parted = Platt::fit(&[-50.0, -1.0, 1.0, 50.0], &[0.0, 0.0, 1.0, 1.0], &[1.0; 4]);
        assert!(parted.slope > 1.0 && parted.slope < 10.0, "{parted:?}");
        // All the wrong way round, far from where the search starts.
        let wrong = Platt::fit(&[-900.0, 900.0], &[1.0, 0.0], &[1.0; 2]);
        assert!(wrong.slope < 0.0 && wrong.slope.is_finite(), "{wrong:?}");
    }
}
