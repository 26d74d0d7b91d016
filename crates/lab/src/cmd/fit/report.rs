//! The scores of a model by protocol, as notes for the model file.

use std::fmt::Write;

use unframe::methods::auto::{Auto, Favor, Remove};
use unframe_eval::align::NodeGold;
use unframe_eval::{Calibration, Prediction, SetTotal};
use unframe_fit::protocol::{Folds, SitePredictions, decide, predict};
use unframe_fit::sites::LabelledSite;

/// Notes for the model file.
#[derive(Default)]
pub struct Report {
    pub notes: Vec<(String, String)>,
}

impl Report {
    pub fn add(&mut self, name: &str, value: &str) {
        eprintln!("{name}: {value}");
        self.notes.push((name.into(), value.into()));
    }

    /// Scores the models of a protocol on whole sites, for boilerplate and for template, and on
    /// single pages. Returns the boilerplate predictions for whole sites.
    pub fn evaluate<'a>(
        &mut self,
        name: &str,
        sites: &'a [LabelledSite],
        folds: &Folds,
    ) -> Vec<SitePredictions<'a>> {
        let mut evaluate = |name: &str, kind: Remove, pages: Option<usize>| {
            let predictions = predict(sites, |site| folds.model(site), kind, pages);
            let auto = Auto::with_model(folds.model(0), kind, Favor::Balance);
            self.add(name, &format_scores(&decide(&predictions, &auto)));
            predictions
        };
        let whole_sites = evaluate(name, Remove::Boilerplate, None);
        evaluate(&format!("{name}-template"), Remove::Template, None);
        let single = format!("{name}-single-pages");
        evaluate(&single, Remove::Boilerplate, Some(1));
        whole_sites
    }
}

/// F1 for each set; for records the share of values that survive, and the share of text that is kept.
fn format_scores(totals: &[SetTotal]) -> String {
    let mut out = String::new();
    for total in totals {
        let columns = &total.columns;
        let separator = if out.is_empty() { "" } else { ", " };
        let _ = match (columns.f1, columns.surv) {
            (Some(f1), _) => write!(out, "{separator}{} {f1:.3}", total.set),
            (None, Some(surv)) => {
                let kept = columns.kept.unwrap_or(0.0);
                write!(out, "{separator}{} {surv:.3}/{kept:.3}", total.set)
            }
            (None, None) => Ok(()),
        };
        if let (Some(f1), Some(f1t)) = (columns.f1, columns.f1t)
            && f1 != f1t
        {
            let _ = write!(out, " (F1t {f1t:.3})");
        }
    }
    out
}

/// The calibration of the boilerplate probabilities.
pub fn calibration(sites: &[SitePredictions<'_>]) -> Option<Calibration> {
    let mut predictions = Vec::new();
    for SitePredictions { site, pages } in sites {
        for (page, predictions_of_page) in pages {
            let page = &site.pages[*page];
            let Some(label) = page.label.as_ref().filter(|label| !label.is_record) else {
                continue;
            };
            let words = page.view.words();
            for (row, text) in label.texts.iter().enumerate() {
                if text.gold != NodeGold::Grey {
                    predictions.push(Prediction {
                        probability: predictions_of_page.probabilities[row].into(),
                        truth: f64::from(1.0 - text.content),
                        weight: f64::from(words[row]) / pages.len() as f64,
                    });
                }
            }
        }
    }
    Calibration::new(predictions)
}

/// The notes, one per line.
pub fn lines(notes: &[(String, String)]) -> String {
    let line = |(name, value): &(String, String)| format!("{name}: {value}\n");
    notes.iter().map(line).collect()
}
