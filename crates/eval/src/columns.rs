//! The reported measures, with the same names for a page, a site and a set.

use serde::Serialize;

/// The measures of a page, of a site or of a set, each from 0 to 1.
///
/// A column is `None` if the label does not allow it: no leak without labelled frame, no F1 on a
/// page of which only some values are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Columns {
    /// Harmonic mean of `p` and `r`: content compared with everything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub f1: Option<f64>,
    /// The same compared with the template only: dynamic frame that was kept is not penalised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub f1t: Option<f64>,
    /// Share of the kept words that are content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Share of the content that was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r: Option<f64>,
    /// Share of the template's words that remain in the text; lower is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leak_t: Option<f64>,
    /// Share of the dynamic frame's words that remain in the text; lower is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leak_d: Option<f64>,
    /// Share of a record's labelled values that are still in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surv: Option<f64>,
    /// Share of a record page's words that were kept; distinguishes survival from keeping
    /// everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<f64>,
}

impl Columns {
    /// The columns in the order in which they are reported, with their printed names.
    pub fn named(&self) -> [(&'static str, Option<f64>); 8] {
        [
            ("F1", self.f1),
            ("F1t", self.f1t),
            ("P", self.p),
            ("R", self.r),
            ("leakT", self.leak_t),
            ("leakD", self.leak_d),
            ("surv", self.surv),
            ("kept", self.kept),
        ]
    }
}
