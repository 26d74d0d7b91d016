//! `unframe dedup`: lists duplicate pages, and writes the others.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use serde::Serialize;
use unframe::read::RawPage;
use unframe::read::printable::printable;
use unframe::survey::{
    DedupError, Deduped, DuplicateGroup, IMatchParams, KeepPage, NamedPage, SurveyOptions, dedup,
};
use unframe_console::exit::{Exit, say};
use unframe_console::input_args::InputArgs;
use unframe_console::jobs_args::JobsArgs;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::skipped::warn_skipped;
use unframe_console::survey_args::explain;
use unframe_console::terminal;

use crate::format::Format;
use crate::output::{Counts, Folder, PageRef};
use crate::report::DedupSummary;

/// List duplicate pages, and write the others
///
/// Two pages are duplicates if they have the same terms, not counting terms that nearly all pages have
/// (I-Match). All visible text counts. The first page of each group is kept. Pages without visible
/// text are never duplicates.
#[derive(clap::Args)]
#[command(
    after_help = "Each group is listed as the kept page, then its duplicates, indented; with --json as
  {\"kept\": PAGE, \"duplicates\": [PAGE, …]}, where PAGE is {\"url\": …, \"source\": …, \"site\": …}

Examples:
  unframe dedup site/                              groups of duplicates
  unframe dedup crawl.warc.gz -o pages/            also write every kept page, unchanged
  unframe dedup crawl.warc.gz --json > groups.jsonl
  unframe dedup sites/ --site-from folder --across-sites  also compare pages of different sites
  unframe dedup site/ --hi 0.9                     also ignore terms of a single page"
)]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,

    /// Write the kept pages into this folder, one file each, with their original bytes
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Ignore terms that are more frequent: 0 ignores none, 1 all but the rarest
    #[arg(long, default_value_t = IMatchParams::default().lo, value_name = "NIDF", allow_negative_numbers = true)]
    lo: f64,

    /// Ignore terms that are rarer: 1 ignores none
    #[arg(long, default_value_t = IMatchParams::default().hi, value_name = "NIDF", allow_negative_numbers = true)]
    hi: f64,

    /// Compare a page by all its terms if fewer than this are left
    #[arg(long, default_value_t = IMatchParams::default().min_terms, value_name = "N", allow_negative_numbers = true)]
    min_terms: usize,

    /// Also compare pages of different sites
    #[arg(long)]
    across_sites: bool,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,

    /// Also print everything that was skipped
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    /// Print groups as JSON lines, and the summary as JSON on standard error
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let mut params = IMatchParams::default();
    (params.lo, params.hi, params.min_terms) = (args.lo, args.hi, args.min_terms);
    params.check().map_err(|error| explain(error.into()))?;
    args.inputs.refuse_output_inside(args.out.as_deref())?;
    let mut inputs = args.inputs.open()?;
    let mut output = match &args.out {
        Some(folder) => {
            let extension = Format::Html.extension();
            Some(Folder::create(folder, extension, inputs.files())?)
        }
        None => None,
    };
    let mut options = SurveyOptions::default();
    options.duplicates = Some(params);
    options.across_sites = args.across_sites;
    options.jobs = args.jobs.or(options.jobs);
    stop_on_ctrl_c(&options.progress);

    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let mut keep = output.as_mut().map(|output| {
        |page: &RawPage, bytes: &[u8]| {
            if page.truncated && !args.quiet {
                let name = printable(&page.name);
                say(format_args!(
                    "unframe: {name}: the page was truncated, and so is its copy\n"
                ));
            }
            let page = PageRef::of(page, Format::Html, false);
            output.write(&page, || bytes.to_vec())
        }
    });
    let keep = keep.as_mut().map(|keep| keep as &mut KeepPage<'_, _>);
    let found = dedup(&mut inputs, &options, keep, |skipped| {
        warn_skipped(skipped, args.quiet, args.verbose)
    });
    drop(watch);
    let found = found.map_err(|error| match error {
        DedupError::Output(error) => error,
        DedupError::Survey(error) => explain(error),
        error => anyhow::anyhow!("{error}"),
    })?;
    list(&found.groups, args.json).context("cannot write to standard output")?;
    conclude(&args, &found, output.as_ref())
}

#[derive(Serialize)]
struct Group<'a> {
    kept: Page<'a>,
    duplicates: Vec<Page<'a>>,
}

/// A page, with the keys of the records of `clean`.
#[derive(Serialize)]
struct Page<'a> {
    url: &'a str,
    source: &'a str,
    site: &'a str,
}

impl<'a> From<&'a NamedPage> for Page<'a> {
    fn from(page: &'a NamedPage) -> Self {
        Page {
            url: page.url.as_deref().unwrap_or(&page.name),
            source: &page.name,
            site: &page.site,
        }
    }
}

fn list(groups: &[DuplicateGroup], json: bool) -> std::io::Result<()> {
    let mut out = BufWriter::new(match json {
        true => terminal::data(),
        false => terminal::people(),
    });
    for group in groups {
        if json {
            let group = Group {
                kept: (&group.kept).into(),
                duplicates: group.duplicates.iter().map(Page::from).collect(),
            };
            serde_json::to_writer(&mut out, &group)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}", shown(&group.kept))?;
            for duplicate in &group.duplicates {
                writeln!(out, "    {}", shown(duplicate))?;
            }
        }
    }
    out.flush()
}

/// The name in the input, with the URL if it differs.
fn shown(page: &NamedPage) -> String {
    let name = printable(&page.name);
    match &page.url {
        Some(url) => format!("{}  ({name})", printable(url)),
        None => name.into_owned(),
    }
}

fn conclude(args: &Args, found: &Deduped, output: Option<&Folder>) -> anyhow::Result<Exit> {
    let counts = output.map_or_else(Counts::default, |folder| folder.counts);
    let lost = counts.failures;
    let report = DedupSummary::new(found, lost, counts.renamed);
    if args.json {
        let json = serde_json::to_string(&report).context("the summary as JSON")?;
        say(format_args!("{json}\n"));
    } else if !args.quiet {
        say(format_args!("{report}"));
    }
    let summary = &found.summary;
    Ok(if summary.interrupted {
        Exit::Interrupted
    } else if summary.pages == 0 || summary.failures + lost > 0 {
        Exit::Incomplete
    } else {
        Exit::Done
    })
}
