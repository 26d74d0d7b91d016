//! `unframe cluster`: which pages share a template.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;
use unframe::methods::mdl::MdlParams;
use unframe::methods::params::spell;
use unframe::read::Inputs;
use unframe::read::printable::printable;
use unframe::survey::{
    ClusterError, ClusterOptions, Clustered, NamedPage, PageGroup, cluster, representatives,
};
use unframe_console::exit::{Exit, UsageError, say};
use unframe_console::input_args::{InputArgs, refuse_output_over};
use unframe_console::jobs_args::JobsArgs;
use unframe_console::param_flags::ParamArgs;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::report_file::ReportFile;
use unframe_console::skipped::warn_skipped;
use unframe_console::terminal;
use unframe_report::numbers::{bits, count};
use unframe_report::{ClusterReport, PORTRAYED, Portrait, cluster_page, template_paths};

use crate::report::ClusterSummary;

/// Group the pages that share a template
///
/// Each page of a site starts as its own cluster. Clusters are merged as long as that shortens the
/// description of all pages: one template per cluster, and the difference between each page and its
/// template (minimum description length; after Kim and Shim, TKDE 2011). A site with several templates
/// is split into several clusters; with --mixed, so is a mixture of sites.
#[derive(clap::Args)]
#[command(after_help = "With --format jsonl, one line per cluster:
  {\"type\": \"cluster\", \"cluster\": 0, \"site\": …, \"pages\": 12, \"pattern\": \"/news/{N}/*.html\",
   \"pattern_share\": 1.0, \"template_paths\": 57, \"gain\": 1234.5, \"representative\": PAGE}
and with --pages one line per page:
  {\"type\": \"page\", \"cluster\": 0, \"url\": …, \"source\": …, \"site\": …}
In patterns, {N} is a number, * any word and ** anything; `gain` is in bits.

Examples:
  unframe cluster site/                            a table of clusters
  unframe cluster crawl.warc.gz --report clusters.html    an HTML report
  unframe cluster heap/ --mixed                    all sites together
  unframe cluster site/ --format jsonl --pages > clusters.jsonl
  unframe cluster site/ --search estimate          faster, for very many pages
  unframe cluster site/ --preset kim-shim          exactly as in the paper: one cluster")]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,

    /// Cluster all pages together, ignoring their sites
    #[arg(long)]
    mixed: bool,

    /// Output format [default: table on a terminal, else jsonl]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    /// Also list the pages, one line each (jsonl)
    #[arg(long)]
    pages: bool,

    /// Also list the template of each cluster, path by path (jsonl); reads the input again
    #[arg(long)]
    paths: bool,

    /// Clusters in the table, largest first; 0 for all
    #[arg(long, default_value_t = 40, value_name = "N")]
    top: usize,

    /// Write an HTML report with a map of the clusters and sketches of their pages; reads the input
    /// again
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,

    /// Also print everything that was skipped
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    /// Print the summary as JSON, on standard error
    #[arg(long)]
    json: bool,

    /// Preset that the parameters start from
    #[arg(
        long,
        value_name = "NAME",
        default_value = "modern",
        help_heading = "Method"
    )]
    preset: String,

    #[command(flatten)]
    mdl: ParamArgs<MdlParams>,
}

/// Longest address in the table, in characters.
const ADDRESS_CHARS: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Aligned columns, largest clusters first
    Table,
    /// JSON lines: all clusters, ordered by their first page
    #[value(alias = "json")]
    Jsonl,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let format = args
        .format
        .unwrap_or(match std::io::stdout().is_terminal() {
            true => Format::Table,
            false => Format::Jsonl,
        });
    if let (Format::Table, Some(flag)) = (format, args.flag_of_jsonl()) {
        let message =
            format!("{flag} works only with JSON lines; add `--format jsonl`, or leave it out");
        return Err(UsageError(message).into());
    }
    let mut options = ClusterOptions {
        params: args.mdl.params(Some(&args.preset))?,
        mixed: args.mixed,
        ..ClusterOptions::default()
    };
    options.jobs = args.jobs.or(options.jobs);
    options
        .params
        .check()
        .map_err(|error| explain(error.into()))?;
    args.inputs.refuse_output_inside(args.report.as_deref())?;
    let file = args.report.as_deref();
    let file = file.map(|path| ReportFile::new(path, "--report"));
    let file = file.transpose()?;
    let mut inputs = args.inputs.open()?;
    refuse_output_over(&inputs.files(), args.report.as_deref(), "--report")?;
    stop_on_ctrl_c(&options.progress);

    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let again = file.is_some() || args.paths;
    let found = cluster(&mut inputs, &options, again, |skipped| {
        warn_skipped(skipped, args.quiet, args.verbose)
    });
    let found = found.map_err(explain)?;
    let templates = match args.paths {
        true => {
            let all: Vec<usize> = (0..found.groups.len()).collect();
            let again = file.is_some();
            representatives(&mut inputs, &found, &all, &options, again, template_paths)
                .map_err(explain)?
        }
        false => Vec::new(),
    };
    let order = largest_first(&found);
    if let Some(file) = file.as_ref().filter(|_| !options.progress.is_stopped()) {
        let page = draw(&mut inputs, &found, &order, &options)?;
        file.write(&page)?;
    }
    drop(watch);
    let mut out = BufWriter::new(match format {
        Format::Table => terminal::people(),
        Format::Jsonl => terminal::data(),
    });
    let listed = match format {
        Format::Table => table(&mut out, &found, &order, args.top),
        Format::Jsonl => lines(&mut out, &found, &templates, args.pages),
    };
    let listed = listed.and_then(|()| out.flush());
    listed.context("cannot write to standard output")?;
    conclude(&args, &found, file.as_ref())
}

impl Args {
    fn flag_of_jsonl(&self) -> Option<&'static str> {
        match (self.pages, self.paths) {
            (true, _) => Some("--pages"),
            (_, true) => Some("--paths"),
            _ => None,
        }
    }
}

fn explain(error: ClusterError) -> anyhow::Error {
    match error {
        ClusterError::Input(error) => error.into(),
        ClusterError::Params(error) => {
            UsageError(format!("{error}; for example --hashes 128 --bands 32")).into()
        }
        error => error.into(),
    }
}

/// The groups, largest first; equal sizes in input order.
fn largest_first(found: &Clustered) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.groups.len()).collect();
    order.sort_by_key(|group| std::cmp::Reverse(found.groups[*group].pages.len()));
    order
}

fn draw(
    inputs: &mut Inputs,
    found: &Clustered,
    order: &[usize],
    options: &ClusterOptions,
) -> anyhow::Result<String> {
    let shown = &order[..order.len().min(PORTRAYED)];
    let portraits = representatives(inputs, found, shown, options, false, Portrait::of);
    Ok(cluster_page(&ClusterReport {
        found,
        order,
        portraits: &portraits.map_err(explain)?,
        settings: settings(&options.params),
    }))
}

fn table(
    out: &mut impl Write,
    found: &Clustered,
    order: &[usize],
    top: usize,
) -> std::io::Result<()> {
    let several = found.heaps.len() > 1;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    let mut header = vec!["cluster", "pages", "share", "paths", "saved"];
    header.extend(several.then_some("site"));
    header.extend(["address", "for example"]);
    let numbers = 5;
    table.set_header(header);
    let top = if top == 0 { order.len() } else { top };
    for number in order.iter().take(top) {
        let group = &found.groups[*number];
        let share = 100.0 * group.pages.len() as f64 / found.pages.len() as f64;
        let mut row = vec![
            number.to_string(),
            group.pages.len().to_string(),
            format!("{share:.1} %"),
            group.template.len().to_string(),
            bits(group.gain),
        ];
        let site = found.heaps[group.heap].site.as_deref();
        row.extend(several.then(|| site.unwrap_or_default().to_string()));
        let example = &found.pages[group.representative as usize];
        row.extend([
            tail(&pattern(found, group), ADDRESS_CHARS),
            tail(example.address(), ADDRESS_CHARS),
        ]);
        table.add_row(row);
    }
    for column in table.column_iter_mut().take(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if !found.groups.is_empty() {
        writeln!(out, "{}", table.trim_fmt())?;
    }
    if let Some(rest) = order.get(top..).filter(|rest| !rest.is_empty()) {
        let pages = rest.iter().map(|group| found.groups[*group].pages.len());
        let pages = count(pages.sum::<usize>() as u64, "page");
        let rest = count(rest.len() as u64, "more cluster");
        writeln!(out, "and {rest} with {pages}; --top 0 lists all")?;
    }
    Ok(())
}

/// The end of an address, at most `most` characters.
fn tail(address: &str, most: usize) -> String {
    let address = printable(address);
    let letters = address.chars().count();
    match letters <= most {
        true => address.to_string(),
        false => format!(
            "…{}",
            address.chars().skip(letters - most).collect::<String>()
        ),
    }
}

/// The URL pattern of a group, with the host if sites are mixed.
fn pattern(found: &Clustered, group: &PageGroup) -> String {
    match found.heaps[group.heap].site {
        Some(_) => group.pattern.to_string(),
        None => group.pattern.with_host(),
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Cluster {
        cluster: usize,
        /// None if sites are mixed.
        #[serde(skip_serializing_if = "Option::is_none")]
        site: Option<&'a str>,
        pages: usize,
        pattern: String,
        pattern_share: f64,
        template_paths: usize,
        gain: f64,
        representative: Page<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        template: Option<&'a [String]>,
    },
    Page {
        cluster: usize,
        #[serde(flatten)]
        page: Page<'a>,
    },
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

fn lines(
    out: &mut impl Write,
    found: &Clustered,
    templates: &[Option<Vec<String>>],
    pages: bool,
) -> std::io::Result<()> {
    for (cluster, group) in found.groups.iter().enumerate() {
        let line = Line::Cluster {
            cluster,
            site: found.heaps[group.heap].site.as_deref(),
            pages: group.pages.len(),
            pattern: pattern(found, group),
            pattern_share: group.pattern.share,
            template_paths: group.template.len(),
            gain: group.gain,
            representative: (&found.pages[group.representative as usize]).into(),
            template: templates.get(cluster).and_then(Option::as_deref),
        };
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)?;
    }
    let mut of_page: Vec<(u32, usize)> = Vec::new();
    if pages {
        for (cluster, group) in found.groups.iter().enumerate() {
            of_page.extend(group.pages.iter().map(|page| (*page, cluster)));
        }
        of_page.sort_unstable();
    }
    for (page, cluster) in of_page {
        let page = (&found.pages[page as usize]).into();
        serde_json::to_writer(&mut *out, &Line::Page { cluster, page })?;
        writeln!(out)?;
    }
    Ok(())
}

fn conclude(args: &Args, found: &Clustered, file: Option<&ReportFile>) -> anyhow::Result<Exit> {
    let report = ClusterSummary::new(found);
    if args.json {
        let json = serde_json::to_string(&report).context("the summary as JSON")?;
        say(format_args!("{json}\n"));
    } else if !args.quiet {
        say(format_args!("{report}"));
        if let Some(file) = file.filter(|_| !found.summary.interrupted) {
            say(format_args!("report: {}\n", file.path().display()));
        }
    }
    let summary = &found.summary;
    Ok(if summary.interrupted {
        Exit::Interrupted
    } else if summary.pages == 0 || summary.failures > 0 {
        Exit::Incomplete
    } else {
        Exit::Done
    })
}

/// The parameters in method syntax: `mdl:search=lsh`.
fn settings(params: &MdlParams) -> String {
    let settings = spell(params);
    match settings.is_empty() {
        true => "mdl".into(),
        false => format!("mdl:{}", settings.join(",")),
    }
}
