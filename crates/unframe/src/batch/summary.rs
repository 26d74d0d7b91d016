//! The summary of a run.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use unframe_labels::Flag;
use unframe_page::{Fingerprint, Kind};
use unframe_read::{RawPage, Skipped};
use unframe_site::{Drift, StateSize};

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Pages that were labelled and emitted.
    pub pages: u64,
    /// Bytes of the pages read.
    pub bytes: u64,
    /// Sites that had a page.
    pub sites: u64,
    /// Pages that were not in the state.
    pub new: u64,
    /// Pages that were in the state with other bytes.
    pub changed: u64,
    /// Pages that were in the state with the same bytes.
    pub unchanged: u64,
    /// Clusters of all sites, if a survey clustered the pages.
    pub clusters: Option<u64>,
    /// Length of the visible text.
    pub length: u64,
    /// Length of the text that was removed.
    pub template_length: u64,
    /// Skipped input, by the short name of the reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// How many of them may be lost pages.
    pub failures: u64,
    /// Pages by flag.
    pub flags: BTreeMap<&'static str, u64>,
    /// Sites whose pages no longer fit what was learned.
    pub drift: Vec<Drift>,
    /// What the state takes on disk, if there is one.
    pub state: Option<StateSize>,
    /// Why the state is larger than it could be: it is complete, but could not be compacted.
    pub not_compacted: Option<String>,
    /// The run was stopped early.
    pub interrupted: bool,
    /// Duration, including the survey before the run.
    pub elapsed: Duration,
    /// Their hashes: there may be many, and their names are not needed again.
    seen: HashSet<u64>,
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
        let site = Fingerprint::of(Kind::Text, site).0 as u64;
        self.sites += u64::from(self.seen.insert(site));
    }
}

/// What is known of a page before it is parsed.
pub(crate) fn flags_of(raw: &RawPage) -> impl Iterator<Item = Flag> {
    let flags = [
        (Flag::Truncated, raw.truncated),
        (Flag::Undecodable, raw.undecodable),
        (Flag::DigestMismatch, raw.wrong_digest.is_some()),
    ];
    flags
        .into_iter()
        .filter(|(_, is_so)| *is_so)
        .map(|(flag, _)| flag)
}
