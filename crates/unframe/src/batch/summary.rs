//! What a run did.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use unframe_read::Skipped;
use unframe_site::Drift;

/// The account of one run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Pages that were labelled and handed out.
    pub pages: u64,
    /// Bytes of the pages read.
    pub bytes: u64,
    /// Sites that had a page.
    pub sites: u64,
    /// Pages that the state did not know.
    pub new: u64,
    /// Pages that the state knew with other bytes.
    pub changed: u64,
    /// Pages that the state knew as they are.
    pub unchanged: u64,
    /// Clusters that the pages of all sites were learnt in, if a survey looked for them.
    pub clusters: Option<u64>,
    /// Length of the visible text.
    pub length: u64,
    /// Length of the text that was removed.
    pub template_length: u64,
    /// What gave no page, by the reason's short name.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Of those, how many may have been pages that were lost.
    pub failures: u64,
    /// Pages by flag.
    pub flags: BTreeMap<&'static str, u64>,
    /// Sites whose pages stopped fitting what was learnt.
    pub drift: Vec<Drift>,
    /// The run was stopped before its end.
    pub interrupted: bool,
    /// How long it took, with the survey before it.
    pub elapsed: Duration,
    pub(crate) site_names: BTreeSet<String>,
}

impl Summary {
    /// Share of the visible text that was removed.
    pub fn template_share(&self) -> f64 {
        self.template_length as f64 / self.length.max(1) as f64
    }

    pub(crate) fn skip(&mut self, skipped: &Skipped) {
        *self.skipped.entry(skipped.reason.kind()).or_default() += 1;
        self.failures += u64::from(skipped.reason.is_failure());
    }

    pub(crate) fn meet(&mut self, site: &str) {
        if !self.site_names.contains(site) {
            self.site_names.insert(site.to_string());
            self.sites += 1;
        }
    }
}
