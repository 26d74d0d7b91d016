//! `unframe clean`: pages in, their own content out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use unframe::batch::{BoxError, CleanOptions, MemoryShares, Sink, Summary, clean};
use unframe::methods::{Clustering, Learned};
use unframe::read::printable::printable;
use unframe::read::{RawPage, Skipped};
use unframe::store::{Sites, Store};
use unframe::{CleanPage, Crawl, Flag};
use unframe_console::exit::{Exit, UsageError, ended_early, say};
use unframe_console::input_args::InputArgs;
use unframe_console::jobs_args::JobsArgs;
use unframe_console::method_args::MethodArgs;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::skipped::{damage, warn_skipped};
use unframe_console::survey_args::{LEARNING, SurveyArgs};
use unframe_console::terminal;

use crate::format::{FormatArgs, Rendering};
use crate::frame_records::{FrameRecords, PageFrame};
use crate::index_output::{IndexArgs, IndexOutput, IndexedPage};
use crate::output::{Output, OutputArgs, PageRef, parse_size};
use crate::override_args::OverrideArgs;
use crate::report::{CleanSummary, DryRun, PageShare, flag_list};
use crate::rules_args::RulesArgs;
use unframe::record::field_list;

/// From this share of frame on, the pages may be copies of each other.
const NEARLY_ALL: f64 = 0.98;

/// How many of them `-h` shows.
const FIRST_EXAMPLES: usize = 5;

const EXAMPLES: &str = "Examples:
  unframe clean site/ -o texts/                    each page as a text file, in the same tree
  unframe clean site/ -o md/ --format markdown     with headings, lists, tables, code and links
  unframe clean site/ -o clean/ --format html      original bytes with the frame cut out
  unframe clean site/ -o see/ --format html --marked   whole pages, with the frame marked
  unframe clean crawl.warc.gz -o pages.jsonl.zst --shard-size 256MB   compressed files of this size
  unframe clean crawl.warc.gz -o pages.parquet     a table, with a column for each field
  unframe clean crawl.warc.gz -o pages.jsonl --resume   continue a run that was interrupted
  unframe clean crawl.warc.gz > pages.jsonl        text, removed regions and reasons, as JSON lines
  unframe clean crawl.warc.gz --format wet -o out/     texts as records of out/crawl.warc.wet.gz
  unframe clean crawl.warc.gz --format warc -o c.warc.gz   the same pages with smaller bodies
  unframe clean crawl.warc.gz -f jsonl --fields url,title,markdown > pages.jsonl
  unframe clean site/ -o md/ -f markdown --front-matter    title, URL, date, … above each text
  unframe clean 'dump/*.jsonl' --html-field body   JSON lines with other field names
  unframe clean sites/ --site-from folder -o out/  each first-level folder is a site
  unframe clean shop/ --remove template -o out/    only what the site repeats; keep record values
  unframe clean site/ --frame-records > pages.jsonl    the frame of each site as a record, too
  unframe clean site/ --body-only -o out/          articles without headline, byline and captions
  unframe clean site/ --comments only -o out/      the readers' comments alone
  unframe clean site/ --favor recall -o out/       keep some frame rather than lose content
  unframe clean crawl.warc.gz --dedup -o out/      do not learn from duplicate pages
  unframe clean mixed/ --method mdl -o out/        pages of several templates, mixed
  unframe clean site/ --method links --links n=8,t=4 -o out/   compare with 8 other pages
  unframe clean site/ --index idx/                 build a full-text index for `unframe search`
  unframe clean site/ --dry-run                    show what would be removed; write nothing
  unframe clean site/ --protect '.licence, #faq' -o out/       always keep these elements
  unframe clean site/ --remove-selector '.ad, #promo' -o out/  always remove these
  unframe clean site/ --rules site.rules -o out/   by the selectors of `unframe rules`, which you can edit
  unframe clean new/ --state s.unframe --fail-on-drift -o out/   exit with 3 after a redesign
  unframe clean tue.warc.gz --state s.unframe -o out/  continue from earlier runs
  curl -s URL | unframe clean - --url URL --state news.unframe";

/// The first examples, for `-h`.
fn after_help() -> String {
    let first = EXAMPLES.lines().take(FIRST_EXAMPLES + 1);
    let first = first.collect::<Vec<_>>().join("\n");
    format!(
        "{first}\n\n`unframe clean --help` has more, and describes the fields and flags of records"
    )
}

/// The text below the options: the fields of records, the flags that pages can have, and examples.
fn after_long_help() -> String {
    let mut text =
        "Fields of JSON records; those with + are written if --fields names them:\n".to_string();
    text.push_str(&field_list());
    text.push_str("\nFlags of pages, in the records and in the summary:\n");
    for flag in Flag::ALL {
        text.push_str(&format!("  {:<18} {}\n", flag.name(), flag.meaning()));
    }
    text.push('\n');
    let examples = EXAMPLES.lines();
    let known = examples.filter(|line| cfg!(feature = "search") || !line.contains("--index"));
    text + &known.collect::<Vec<_>>().join("\n")
}

/// Remove the frame of each site from its pages
///
/// Learns what the pages of a site have in common, then removes it from each page. Pages are grouped
/// into sites by the host of their URL; a folder without URLs is one site.
#[derive(clap::Args)]
#[command(after_help = after_help(), after_long_help = after_long_help())]
pub struct Args {
    /// Read, learn and label, but write nothing, not even the state; show what would be removed
    #[arg(long, conflicts_with_all = ["out", "format"])]
    dry_run: bool,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,

    /// Also print each page's share of frame and everything that was skipped
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    #[cfg_attr(
        feature = "search",
        doc = "Print the summary as JSON: to standard output with -o or --index, else to standard error"
    )]
    #[cfg_attr(
        not(feature = "search"),
        doc = "Print the summary as JSON: to standard output with -o, else to standard error"
    )]
    #[arg(long)]
    json: bool,

    #[command(flatten, next_help_heading = "Input")]
    inputs: InputArgs,

    #[command(flatten, next_help_heading = "Output")]
    output: OutputArgs,

    #[command(flatten, next_help_heading = "Output")]
    format: FormatArgs,

    #[command(flatten, next_help_heading = "Output")]
    index: IndexArgs,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    overrides: OverrideArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Keep what is learned in this file; it is created if missing, else continued
    ///
    /// A page is identified by its URL, or by its path in the input if it has none; a changed page
    /// replaces its earlier version.
    #[arg(short, long, value_name = "FILE", help_heading = LEARNING)]
    state: Option<PathBuf>,

    /// Label each page when it arrives, with what is known by then: one pass, as for a live crawl
    #[arg(long, help_heading = LEARNING)]
    arrival: bool,

    #[command(flatten)]
    survey: SurveyArgs,

    /// Exit with code 3 if pages of a site do not fit what was learned about it before
    ///
    /// Before means in --state or, with --arrival, earlier in this run.
    #[arg(long, help_heading = LEARNING)]
    fail_on_drift: bool,

    /// Save what is learned after every N pages, and every second
    #[arg(long, default_value_t = 1000, value_name = "N", help_heading = LEARNING, value_parser = clap::value_parser!(u64).range(1..))]
    commit_every: u64,

    /// Main memory for what is learned and for pages between the two passes, as in 256MB or 1GiB
    ///
    /// Above it, the least recently used sites are written to disk, to the state or to a temporary file,
    /// and more pages are read twice. The pages that are being worked on, about 50 MB, come on top. One
    /// site is never divided: if it alone takes more, so does the run.
    #[arg(long, default_value = "400MB", value_name = "SIZE", help_heading = LEARNING, value_parser = parse_size)]
    memory: u64,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let rules = args.rules.read()?;
    let spec = match &rules {
        None => args.method.spec(args.arrival, args.survey.cluster())?,
        Some(_) => {
            let state = args.state.is_some().then_some("--state");
            let survey = (args.survey.cluster() != Clustering::None).then_some("--cluster-by");
            args.rules.spec(&args.method, state.or(survey))?
        }
    };
    args.overrides.check(spec.name())?;
    args.survey.refuse_with_state(args.state.is_some())?;
    let out = args.output.path();
    let name = args.inputs.archive_name();
    let (destination, kind) = args.output.resolve(args.format.stated(), &name)?;
    args.inputs.refuse_output_inside(out)?;
    if out.is_some() && out == args.state.as_deref() {
        let message = "-o and --state name the same file; use a different file for each";
        return Err(UsageError(message.into()).into());
    }
    let index = args.index.folder();
    args.inputs.refuse_output_inside(index)?;
    if index.is_some() && index == out {
        let message = "--index and -o name the same folder; use a different folder for each";
        return Err(UsageError(message.into()).into());
    }
    if let (Some(flag), true, None) = (args.format.stated_flag(), index.is_some(), out) {
        let message = format!("{flag} needs -o: with --index alone, only the index is written");
        return Err(UsageError(message).into());
    }
    let rendering = args.format.rendering(kind.format)?;
    if rendering.format.is_one_file() && index.is_some() {
        let format = rendering.format.name();
        let message = format!("--index cannot be combined with --format {format}; run twice");
        return Err(UsageError(message).into());
    }
    if rendering.frame_records && destination.is_folder() {
        let message = "--frame-records needs one output for all pages; write -o FILE.jsonl, or leave \
                       -o out";
        return Err(UsageError(message.into()).into());
    }
    let can_drift = args.state.is_some() || args.arrival;
    if args.fail_on_drift && !can_drift {
        let message = "--fail-on-drift has nothing to compare the pages with; add --state with an \
                       earlier state, or --arrival";
        return Err(UsageError(message.into()).into());
    }
    let mut inputs = args.inputs.open()?;
    let open = |path: &Path| match args.dry_run {
        true => Store::scratch(path),
        false => Store::open_for(path, spec.engine().memory()),
    };
    let store = args.state.as_deref().map(open).transpose()?;
    if let Some(store) = &store {
        args.method.refuse_state_of_another(store)?;
        Crawl::check_state(&**spec.engine(), store)?;
    }
    let memory = MemoryShares::of(args.memory);
    let mut sites = Sites::new(spec.engine().memory(), store, memory.sites)?;
    let index_output = args.index.open()?;
    let output = match args.dry_run || (out.is_none() && index.is_some()) {
        true => Output::nowhere(),
        false => args
            .output
            .open(&destination, kind, rendering.fields(), inputs.files())?,
    };

    let mut options = CleanOptions::default();
    options.jobs = args.jobs.or(options.jobs);
    // Rules need nothing but the page itself.
    options.arrival = args.arrival || rules.is_some();
    options.drift = can_drift;
    options.overrides = args.overrides.overrides();
    options.overrides.rules = rules;
    options.full_reasons = rendering.shows_reasons();
    options.commit_pages = args.commit_every;
    options.commit_after = Duration::from_secs(1);
    options.keep_bytes = memory.pages;
    stop_on_ctrl_c(&options.progress);

    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let params = args.method.cluster_params()?;
    let dedup = args.survey.dedup().unwrap_or(spec.dedup);
    options.assign = args.survey.assign(args.arrival);
    options.survey = args.survey.run(&mut inputs, &options, dedup, params)?;
    let mut pages = PageSink {
        args: &args,
        frames: rendering.frame_records.then(FrameRecords::default),
        rendering,
        output,
        index: index_output,
        dry_run: DryRun::default(),
    };
    let cleaned = clean(&mut inputs, spec.engine(), &mut sites, &options, &mut pages);
    drop(watch);
    let summary = cleaned.map_err(ended_early)?;
    let PageSink {
        mut output,
        index: index_output,
        dry_run,
        frames,
        ..
    } = pages;
    if let (Some(frames), false) = (frames, summary.interrupted) {
        frames.write(&mut output)?;
    }
    output.finish(summary.interrupted)?;
    let indexed = index_output.finish()?;
    let known: Vec<_> = sites.iter().collect();
    let learned = spec.engine().learned(&known);
    let exit = conclude(&args, &summary, &output, learned)?;
    if args.dry_run {
        match args.json {
            true => writeln!(terminal::data(), "{}", dry_run.to_json()?)?,
            false => write!(terminal::people(), "{dry_run}")?,
        }
    }
    if let (Some(indexed), false) = (indexed, args.quiet || args.json) {
        say(format_args!("index: {indexed}\n"));
    }
    Ok(exit)
}

/// Writes the pages of a run: to files, standard output, an index, or the report of a dry run.
struct PageSink<'a> {
    args: &'a Args,
    rendering: Rendering,
    output: Output,
    index: IndexOutput,
    dry_run: DryRun,
    /// What was removed, if that is written, too.
    frames: Option<FrameRecords>,
}

/// A page, ready to be written.
struct Rendered {
    page: PageRef,
    content: Content,
    indexed: Option<IndexedPage>,
    frame: Option<PageFrame>,
    share: Option<PageShare>,
    note: Option<String>,
    warning: Option<String>,
}

/// What is written of a page.
enum Content {
    Ready(Vec<u8>),
    /// Rendered only if it turns out that the page was not written before.
    Later(Box<(RawPage, CleanPage)>),
}

impl Sink for PageSink<'_> {
    type Output = Rendered;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> Rendered {
        let args = self.args;
        let format = self.rendering.format;
        let to = PageRef::of(raw, format, args.output.strips_extension());
        Rendered {
            content: if self.output.is_nowhere() {
                Content::Ready(Vec::new())
            } else if self.output.may_have(&to) {
                Content::Later(Box::new((raw.clone(), page.clone())))
            } else {
                Content::Ready(self.rendering.render(raw, page))
            },
            page: to,
            indexed: (args.index.folder().is_some()).then(|| IndexedPage::of(raw, page)),
            frame: (self.frames.is_some()).then(|| PageFrame::of(raw, page)),
            share: args.dry_run.then(|| PageShare::of(raw, page)),
            note: args.verbose.then(|| note(raw, page)),
            warning: damage(raw).filter(|_| !args.quiet),
        }
    }

    fn write(&mut self, page: Rendered) -> Result<(), BoxError> {
        if let Some(warning) = page.warning {
            say(format_args!("unframe: {warning}\n"));
        }
        if let Some(note) = page.note {
            say(format_args!("{note}\n"));
        }
        if let Some(share) = page.share {
            self.dry_run.add(share);
        }
        if let Some(page) = page.indexed {
            self.index.add(page)?;
        }
        if let (Some(frames), Some(frame)) = (&mut self.frames, page.frame) {
            frames.add(frame);
        }
        let rendering = &self.rendering;
        let content = || match page.content {
            Content::Ready(bytes) => bytes,
            Content::Later(later) => rendering.render(&later.0, &later.1),
        };
        let written = self.output.write(&page.page, content);
        written.map_err(anyhow::Error::reallocate_into_boxed_dyn_error_without_backtrace)
    }

    fn skipped(&mut self, skipped: &Skipped) {
        warn_skipped(skipped, self.args.quiet, self.args.verbose);
    }
}

fn note(raw: &RawPage, page: &CleanPage) -> String {
    let (all, gone) = (page.labels().length(), page.labels().template_length());
    let flags = flag_list(page.flags());
    format!(
        "{}: {:.1} % frame, {} of {all} characters kept{flags}",
        printable(&raw.name),
        100.0 * page.removed_share(),
        all - gone,
    )
}

fn conclude(
    args: &Args,
    summary: &Summary,
    output: &Output,
    learned: Learned,
) -> anyhow::Result<Exit> {
    let lost = output.counts().failures;
    let report = CleanSummary::new(summary, learned, args.state.is_some(), output);
    if args.json {
        let json = serde_json::to_string(&report).context("the summary as JSON")?;
        match args.output.path().or(args.index.folder()) {
            Some(_) => writeln!(terminal::data(), "{json}")?,
            None => say(format_args!("{json}\n")),
        }
    } else if !args.quiet {
        say(format_args!("{report}"));
        if let Some(reason) = &summary.not_compacted {
            say(format_args!(
                "unframe: what was learned is safe, but the state could not be made smaller: {reason}; \
                 `unframe state compact FILE` tries again\n"
            ));
        }
        if summary.template_share() > NEARLY_ALL {
            say(format_args!(
                "hint: nearly all text is on several pages; if the pages are copies, add --dedup to \
                 learn from one of each\n"
            ));
        }
    }
    Ok(if summary.interrupted {
        Exit::Interrupted
    } else if summary.pages == 0 || summary.failures + lost > 0 {
        Exit::Incomplete
    } else if args.fail_on_drift && !summary.drift.is_empty() {
        Exit::Drift
    } else {
        Exit::Done
    })
}
