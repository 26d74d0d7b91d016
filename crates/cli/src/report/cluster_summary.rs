//! The summary of `cluster`, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use unframe::survey::Clustered;
use unframe_report::numbers::{bits, count};

use super::{no_page, problems, throughput};

/// What a run found.
#[derive(Debug, Serialize)]
pub struct ClusterSummary<'a> {
    sites: u64,
    pages: u64,
    bytes: u64,
    seconds: f64,
    clusters: u64,
    /// Clusters of a single page.
    alone: u64,
    /// Description length in bits: of each page separately, and of the clusters.
    length_before: f64,
    length_after: f64,
    skipped: &'a BTreeMap<&'static str, u64>,
    flags: &'a BTreeMap<&'static str, u64>,
    failed: u64,
    interrupted: bool,
}

impl<'a> ClusterSummary<'a> {
    pub fn new(found: &'a Clustered) -> Self {
        let summary = &found.summary;
        let alone = found.groups.iter().filter(|group| group.pages.len() == 1);
        ClusterSummary {
            sites: summary.sites,
            pages: summary.pages,
            bytes: summary.bytes,
            seconds: summary.elapsed.as_secs_f64(),
            clusters: found.groups.len() as u64,
            alone: alone.count() as u64,
            length_before: found.heaps.iter().map(|heap| heap.length_before).sum(),
            length_after: found.heaps.iter().map(|heap| heap.length_after).sum(),
            skipped: &summary.skipped,
            flags: &summary.flags,
            failed: summary.failures,
            interrupted: summary.interrupted,
        }
    }
}

impl fmt::Display for ClusterSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        throughput(f, self.sites, self.pages, self.bytes, self.seconds)?;
        if self.pages > 0 {
            writeln!(
                f,
                "{}, {} of a single page; description: {} → {}",
                count(self.clusters, "cluster"),
                self.alone,
                bits(self.length_before),
                bits(self.length_after),
            )?;
        }
        problems(f, self.skipped, self.flags, 0, self.failed)?;
        if self.interrupted {
            writeln!(f, "interrupted: the clusters do not cover all pages")?;
        } else if self.pages == 0 {
            no_page(f, "cluster", self.skipped)?;
        }
        Ok(())
    }
}
