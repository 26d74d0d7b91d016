//! The summary of `clean`, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use unframe::{Sites, StreamMemory, Summary};

use super::{bytes, count, list};

/// Pages in a batch of the methods that the paper compares with (§3: 24 on average).
const PAPER_BATCH: f64 = 24.0;

/// What a run did.
#[derive(Debug, Serialize)]
pub struct Account {
    sites: u64,
    pages: u64,
    bytes: u64,
    seconds: f64,
    new: u64,
    changed: u64,
    unchanged: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<u64>,
    /// Share of the visible text that was removed.
    template_share: f64,
    skipped: BTreeMap<&'static str, u64>,
    flags: BTreeMap<String, u64>,
    failed: u64,
    renamed: u64,
    interrupted: bool,
    #[serde(skip)]
    has_state: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableSize>,
}

/// What the segment table took, against keeping pages as batch methods do.
#[derive(Debug, Serialize)]
pub struct TableSize {
    /// Mean over sites of the paper's AverageSize.
    average_size: f64,
    /// Bytes of the pages that a batch method would hold: 24 average pages, or all there are.
    cached_pages: f64,
    /// Share of storage saved.
    saving: f64,
    /// Rows whose time was over; what they said is no longer known.
    dropped: u64,
}

impl TableSize {
    /// Of the sites at hand.
    pub fn of(sites: &Sites<StreamMemory>) -> Option<TableSize> {
        let (mut size, mut dropped, mut cached_pages, mut number) = (0.0, 0, 0.0, 0.0);
        for (memory, record) in sites.iter().filter(|(_, record)| record.pages > 0) {
            size += memory.average_size();
            dropped += memory.dropped();
            let page = record.bytes as f64 / record.pages as f64;
            cached_pages += page * PAPER_BATCH.min(record.pages as f64);
            number += 1.0;
        }
        (cached_pages > 0.0).then(|| TableSize {
            average_size: size / number,
            cached_pages: cached_pages / number,
            saving: 1.0 - size / cached_pages,
            dropped,
        })
    }
}

impl Account {
    pub fn new(
        summary: &Summary,
        table: Option<TableSize>,
        has_state: bool,
        lost: u64,
        renamed: u64,
    ) -> Self {
        Account {
            sites: summary.sites,
            pages: summary.pages,
            bytes: summary.bytes,
            seconds: summary.elapsed.as_secs_f64(),
            new: summary.new,
            changed: summary.changed,
            unchanged: summary.unchanged,
            clusters: summary.clusters,
            template_share: summary.template_share(),
            skipped: summary.skipped.clone(),
            flags: summary.flags.clone(),
            failed: summary.failures + lost,
            renamed,
            interrupted: summary.interrupted,
            has_state,
            table,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds.max(1e-6);
        writeln!(
            f,
            "{}, {}, {} in {:.2} s ({:.0} pages/s, {:.1} MB/s)",
            count(self.sites, "site"),
            count(self.pages, "page"),
            bytes(self.bytes as f64),
            self.seconds,
            self.pages as f64 / seconds,
            self.bytes as f64 / seconds / 1e6,
        )?;
        if self.pages > 0 {
            writeln!(
                f,
                "frame: {:.1} % of the text removed",
                100.0 * self.template_share
            )?;
        }
        if let Some(clusters) = self.clusters {
            let sites = count(self.sites, "site");
            writeln!(f, "clusters: {clusters} in {sites}, each learnt apart")?;
        }
        if self.changed + self.unchanged > 0 {
            let Account {
                new,
                changed,
                unchanged,
                ..
            } = self;
            writeln!(
                f,
                "learnt: {new} new, {changed} changed, {unchanged} seen before"
            )?;
        }
        if let Some(table) = self.table.as_ref().filter(|_| self.pages > 0) {
            writeln!(
                f,
                "memory: {} a site on average; caching up to {PAPER_BATCH} pages would take {} ({:.1} % saved){}",
                bytes(table.average_size),
                bytes(table.cached_pages),
                100.0 * table.saving,
                match table.dropped {
                    0 => String::new(),
                    dropped => format!("; {dropped} texts not seen for long were dropped"),
                }
            )?;
        }
        list(
            f,
            "skipped",
            self.skipped.iter().map(|(kind, n)| (*kind, *n)),
        )?;
        list(
            f,
            "flagged",
            self.flags.iter().map(|(flag, n)| (flag.as_str(), *n)),
        )?;
        if self.renamed > 0 {
            let pages = count(self.renamed, "page");
            writeln!(
                f,
                "renamed: {pages} with a name that another page had (`~2`, `~3`, …)"
            )?;
        }
        if self.failed > 0 {
            writeln!(f, "failed: {}", self.failed)?;
        }
        if self.pages == 0 && !self.interrupted {
            writeln!(
                f,
                "no page was found; `unframe clean --help` says what can be read"
            )?;
        }
        if self.flags.contains_key("few-pages") {
            let hint = "a text is frame only if it is on several pages (--df); give more pages of \
                        the site, or a --state that knows it";
            writeln!(f, "hint: few-pages: {hint}")?;
        }
        if self.interrupted {
            let rest = match self.has_state {
                true => "what was learnt is kept; run again to go on",
                false => "the output is not complete",
            };
            writeln!(f, "interrupted: {rest}")?;
        }
        Ok(())
    }
}
