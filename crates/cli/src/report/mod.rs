//! Summaries printed at the end of a run.

mod clean_summary;
mod cluster_summary;
mod dedup_summary;
mod dry_run;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};
use unframe::Flag;
use unframe::store::{Amount, Figure};

use unframe_report::numbers::{bytes, count};

pub use clean_summary::CleanSummary;
pub use cluster_summary::ClusterSummary;
pub use dedup_summary::DedupSummary;
pub use dry_run::{DryRun, PageShare};

/// A line `title: 3 name, …`; nothing if there are no items.
fn list<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    items: impl Iterator<Item = (&'a str, u64)>,
) -> fmt::Result {
    let items: Vec<String> = items
        .map(|(name, number)| format!("{number} {name}"))
        .collect();
    match items.is_empty() {
        true => Ok(()),
        false => writeln!(f, "{title}: {}", items.join(", ")),
    }
}

/// The line with the amount of input and the speed.
pub fn throughput(
    f: &mut fmt::Formatter<'_>,
    sites: u64,
    pages: u64,
    size: u64,
    seconds: f64,
) -> fmt::Result {
    writeln!(
        f,
        "{}, {}, {} in {seconds:.2} s ({:.0} pages/s)",
        count(sites, "site"),
        count(pages, "page"),
        bytes(size as f64),
        pages as f64 / seconds.max(1e-6),
    )
}

/// The lines about skipped, flagged, renamed and failed pages.
pub fn problems(
    f: &mut fmt::Formatter<'_>,
    skipped: &BTreeMap<&'static str, u64>,
    flags: &BTreeMap<&'static str, u64>,
    renamed: u64,
    failed: u64,
) -> fmt::Result {
    list(f, "skipped", skipped.iter().map(|(kind, n)| (*kind, *n)))?;
    list(f, "flagged", flags.iter().map(|(flag, n)| (*flag, *n)))?;
    if renamed > 0 {
        let pages = count(renamed, "page");
        writeln!(
            f,
            "renamed: {pages} because of equal file names (`~2`, `~3`, …)"
        )?;
    }
    match failed {
        0 => Ok(()),
        failed => writeln!(f, "failed: {failed}"),
    }
}

/// The line that says what to do if no page was found.
pub fn no_page(
    f: &mut fmt::Formatter<'_>,
    command: &str,
    skipped: &BTreeMap<&'static str, u64>,
) -> fmt::Result {
    match skipped.contains_key("excluded") {
        true => writeln!(
            f,
            "no page was found that --include and --exclude let through"
        ),
        false => writeln!(
            f,
            "no page was found; `unframe {command} --help` lists the inputs that can be read"
        ),
    }
}

/// Figures of a method as a JSON object.
pub fn figures_json(figures: &[Figure]) -> Value {
    let figures = figures.iter().map(|figure| {
        let value = match &figure.value {
            Amount::Count(number) | Amount::Bytes(number) => json!(number),
            Amount::Mean(number) => json!(number),
            Amount::Words(words) => json!(words),
        };
        (figure.name.to_string(), value)
    });
    Value::Object(figures.collect())
}

/// ` [few-pages, drift]`, or nothing.
pub fn flag_list(flags: &[Flag]) -> String {
    let names: Vec<&str> = flags.iter().map(|flag| flag.name()).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" [{}]", names.join(", ")),
    }
}
