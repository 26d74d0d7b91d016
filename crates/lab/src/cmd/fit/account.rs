//! The scores of a model by protocol, as notes for its file.

use std::fmt::Write;

use unframe::methods::auto::{Auto, Lean, Remove};
use unframe_eval::align::NodeGold;
use unframe_eval::{Calibration, Prediction, SetTotal};
use unframe_fit::protocol::{Folds, Judged, ask, decide};
use unframe_fit::sites::LabelledSite;

/// Notes for the model file.
#[derive(Default)]
pub struct Account {
    pub notes: Vec<(String, String)>,
}

impl Account {
    pub fn add(&mut self, name: &str, value: &str) {
        eprintln!("{name}: {value}");
        self.notes.push((name.into(), value.into()));
    }

    /// Judges the models of a protocol by whole sites, for the site's own, and by single pages;
    /// returns what they said of the first.
    pub fn judge<'a>(
        &mut self,
        name: &str,
        sites: &'a [LabelledSite],
        folds: &Folds,
    ) -> Vec<Judged<'a>> {
        let mut judge = |name: &str, kind: Remove, pages: Option<usize>| {
            let judged = ask(sites, |site| folds.model(site), kind, pages);
            let auto = Auto::with_model(folds.model(0), kind, Lean::Balance);
            self.add(name, &spelled(&decide(&judged, &auto)));
            judged
        };
        let whole = judge(name, Remove::Boilerplate, None);
        judge(&format!("{name}-template"), Remove::Template, None);
        let single = format!("{name}-single-pages");
        judge(&single, Remove::Boilerplate, Some(1));
        whole
    }
}

/// F1, or on records what survives and what is kept.
fn spelled(totals: &[SetTotal]) -> String {
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

/// The calibration of the probabilities of frame.
pub fn calibration(judged: &[Judged<'_>]) -> Option<Calibration> {
    let mut predictions = Vec::new();
    for Judged { site, pages } in judged {
        for (page, judgement) in pages {
            let page = &site.pages[*page];
            let Some(label) = page.label.as_ref().filter(|label| !label.is_record) else {
                continue;
            };
            let words = page.view.words();
            for (row, text) in label.texts.iter().enumerate() {
                if text.gold != NodeGold::Grey {
                    predictions.push(Prediction {
                        probability: judgement.chances[row].into(),
                        truth: f64::from(1.0 - text.content),
                        weight: f64::from(words[row]) / pages.len() as f64,
                    });
                }
            }
        }
    }
    Calibration::new(predictions)
}

/// The notes as a model file has them.
pub fn lines(notes: &[(String, String)]) -> String {
    let line = |(name, value): &(String, String)| format!("{name}: {value}\n");
    notes.iter().map(line).collect()
}
