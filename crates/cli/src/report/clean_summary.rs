//! The summary of `clean`, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use unframe::batch::{Drift, Summary};
use unframe::methods::Learned;
use unframe_report::numbers::{bytes, count};

use super::{figures_json, no_page, problems};
use crate::output::Output;

/// What a run did.
#[derive(Debug, Serialize)]
pub struct CleanSummary {
    sites: u64,
    pages: u64,
    bytes: u64,
    seconds: f64,
    /// The papers' unit execution time: milliseconds for 1000 bytes of page.
    ms_per_kb: f64,
    new: u64,
    changed: u64,
    unchanged: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<u64>,
    /// Share of the visible text that was removed.
    template_share: f64,
    skipped: BTreeMap<&'static str, u64>,
    flags: BTreeMap<&'static str, u64>,
    failed: u64,
    renamed: u64,
    /// Pages that a run before had written, with --resume.
    already_written: u64,
    interrupted: bool,
    drift: Vec<SiteDrift>,
    #[serde(skip)]
    has_state: bool,
    #[serde(skip)]
    can_resume: bool,
    /// What the state takes on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    state_bytes: Option<u64>,
    /// The same as a share of the bytes of the pages in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    state_share: Option<f64>,
    /// What the method has learned, under its own name.
    #[serde(flatten)]
    figures: BTreeMap<&'static str, serde_json::Value>,
    #[serde(skip)]
    learned: Learned,
}

/// A site whose pages no longer fit what was learned.
#[derive(Debug, Serialize)]
struct SiteDrift {
    site: String,
    version: u32,
    first_page: String,
    page_number: u64,
    pages: u64,
    /// Share of their text at known places.
    fit: f64,
    former_fit: f64,
}

impl SiteDrift {
    fn of(drift: &Drift) -> SiteDrift {
        SiteDrift {
            site: drift.site.clone(),
            version: drift.version,
            first_page: drift.first.clone(),
            page_number: drift.since,
            pages: drift.pages,
            fit: drift.fit,
            former_fit: drift.former,
        }
    }
}

impl fmt::Display for SiteDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SiteDrift {
            site,
            first_page,
            page_number,
            ..
        } = self;
        let pages = match self.pages {
            1 => "1 page does not fit".to_string(),
            pages => format!("{pages} pages do not fit"),
        };
        writeln!(
            f,
            "drift: {site}: {pages} what was learned, starting with page {page_number} ({first_page}): \
             {:.0} % of their text is at known places, {:.0} % before",
            100.0 * self.fit,
            100.0 * self.former_fit,
        )
    }
}

impl CleanSummary {
    pub fn new(summary: &Summary, learned: Learned, has_state: bool, output: &Output) -> Self {
        let counts = output.counts();
        CleanSummary {
            sites: summary.sites,
            pages: summary.pages,
            bytes: summary.bytes,
            seconds: summary.elapsed.as_secs_f64(),
            ms_per_kb: match summary.bytes {
                0 => 0.0,
                bytes => summary.elapsed.as_secs_f64() * 1e6 / bytes as f64,
            },
            new: summary.new,
            changed: summary.changed,
            unchanged: summary.unchanged,
            clusters: summary.clusters,
            template_share: summary.template_share(),
            skipped: summary.skipped.clone(),
            flags: summary.flags.clone(),
            failed: summary.failures + counts.failures,
            renamed: counts.renamed,
            already_written: counts.already_written,
            can_resume: output.is_resumable(),
            interrupted: summary.interrupted,
            drift: summary.drift.iter().map(SiteDrift::of).collect(),
            has_state,
            state_bytes: summary.state.map(|state| state.bytes),
            state_share: summary.state.map(|state| state.share()),
            figures: match learned.name {
                "" => BTreeMap::new(),
                name => BTreeMap::from([(name, figures_json(&learned.figures))]),
            },
            learned,
        }
    }
}

impl fmt::Display for CleanSummary {
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
            writeln!(
                f,
                "clusters: {clusters} in {sites}, each learned separately"
            )?;
        }
        if self.changed + self.unchanged > 0 {
            let CleanSummary {
                new,
                changed,
                unchanged,
                ..
            } = self;
            writeln!(
                f,
                "pages: {new} new, {changed} changed, {unchanged} unchanged"
            )?;
        }
        if self.already_written > 0 {
            let pages = count(self.already_written, "page");
            writeln!(f, "resumed: {pages} had been written before")?;
        }
        if self.pages > 0 && !self.learned.line.is_empty() {
            writeln!(f, "{}", self.learned.line)?;
        }
        if let (Some(size), Some(share)) = (self.state_bytes, self.state_share) {
            let size = bytes(size as f64);
            writeln!(
                f,
                "state: {size} on disk, {:.1} % of its pages",
                100.0 * share
            )?;
        }
        for drift in &self.drift {
            write!(f, "{drift}")?;
        }
        problems(f, &self.skipped, &self.flags, self.renamed, self.failed)?;
        if self.pages == 0 && !self.interrupted {
            no_page(f, "clean", &self.skipped)?;
        }
        if self.flags.contains_key("few-pages") {
            let hint = format!(
                "a text is frame only if it is {}; give more pages of the site, or a --state that \
                 has learned it",
                self.learned.criterion
            );
            writeln!(f, "hint: few-pages: {hint}")?;
        }
        if let Some(hint) = &self.learned.hint {
            writeln!(f, "hint: {hint}")?;
        }
        if self.interrupted {
            let learned = self.new + self.changed + self.unchanged;
            let done = match self.pages {
                0 => format!("{} learned, none written yet", count(learned, "page")),
                pages => format!("{} written, more are missing", count(pages, "page")),
            };
            let kept = match self.has_state {
                true => "what was learned is in the state",
                false => "what was learned is lost",
            };
            let next = match (self.can_resume, self.has_state) {
                (true, _) => "add --resume to continue",
                (false, true) => "run the same command again to continue",
                (false, false) => "with --state FILE a second run would continue",
            };
            writeln!(f, "interrupted: {done}; {kept}; {next}")?;
        }
        Ok(())
    }
}
