//! The summary of `dedup`, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use unframe::survey::Deduped;
use unframe_report::numbers::count;

use super::{no_page, problems, throughput};

/// What a run found.
#[derive(Debug, Serialize)]
pub struct DedupSummary<'a> {
    sites: u64,
    pages: u64,
    bytes: u64,
    seconds: f64,
    groups: u64,
    duplicates: u64,
    /// Share of the pages that are duplicates.
    duplicate_share: f64,
    skipped: &'a BTreeMap<&'static str, u64>,
    flags: &'a BTreeMap<&'static str, u64>,
    failed: u64,
    renamed: u64,
    interrupted: bool,
}

impl<'a> DedupSummary<'a> {
    pub fn new(found: &'a Deduped, lost: u64, renamed: u64) -> Self {
        let (summary, duplicates) = (&found.summary, found.duplicates());
        DedupSummary {
            sites: summary.sites,
            pages: summary.pages,
            bytes: summary.bytes,
            seconds: summary.elapsed.as_secs_f64(),
            groups: found.groups.len() as u64,
            duplicates,
            duplicate_share: duplicates as f64 / summary.pages.max(1) as f64,
            skipped: &summary.skipped,
            flags: &summary.flags,
            failed: summary.failures + lost,
            renamed,
            interrupted: summary.interrupted,
        }
    }
}

impl fmt::Display for DedupSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        throughput(f, self.sites, self.pages, self.bytes, self.seconds)?;
        if self.pages > 0 {
            writeln!(
                f,
                "duplicates: {} in {} ({:.1} % of the pages)",
                count(self.duplicates, "page"),
                count(self.groups, "group"),
                100.0 * self.duplicate_share,
            )?;
        }
        problems(f, self.skipped, self.flags, self.renamed, self.failed)?;
        if self.interrupted {
            writeln!(f, "interrupted: the list is not complete")?;
        } else if self.pages == 0 {
            no_page(f, "dedup", self.skipped)?;
        }
        Ok(())
    }
}
