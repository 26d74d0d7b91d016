//! `unframe-lab search-report`: compares search over whole pages with search over cleaned ones.

mod found;
mod index_sink;

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use unframe::batch::{CleanOptions, Summary, clean};
use unframe::store::Sites;
use unframe_console::exit::{Exit, UsageError, ended_early, say};
use unframe_console::input_args::{InputArgs, refuse_output_over};
use unframe_console::jobs_args::JobsArgs;
use unframe_console::method_args::MethodArgs;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::report_file::ReportFile;
use unframe_console::survey_args::SurveyArgs;
use unframe_report::numbers::{bytes, count};
use unframe_report::{QuerySource, search_page};
use unframe_search::{Index, IndexWriter, Judgements, PlainQuery, compare};

use found::Found;
use index_sink::{FrameWords, IndexSink};

/// Main memory for what is learned.
const ROOM_BYTES: usize = 256 << 20;

/// Largest file of queries or judgements that is read.
const MOST_BYTES: u64 = 64 << 20;

/// Bad lines that are reported one by one.
const MOST_COMPLAINTS: u64 = 5;

/// Show how removing the frame changes search
///
/// Indexes the pages twice, whole and without their frame, and asks both indexes (BM25 over the
/// texts) the same queries. The report shows what changed: hits, answers that matched in the frame
/// alone, index sizes, and the most frequent words; with judgements also the precision of the first
/// 1, 5 and 10 answers (Ma et al., CIKM 2003).
///
/// Without --queries and --judgements, the queries come from the pages: the most frequent words and
/// phrases that occur in the frame alone.
#[derive(clap::Args)]
#[command(
    after_help = "A query file has one query per line; empty lines and lines that begin with # \
are skipped. A query is\nplain words, of which any may match, and phrases in quotes; there are no \
operators.

A file of judgements has one line per judged page, separated by tabs: query, URL, 1 (relevant) \
or 0.\nIts queries are asked too.

Examples:
  unframe-lab search-report site/
  unframe-lab search-report crawl.warc.gz --remove template -o report.html
  unframe-lab search-report site/ --method chunks --preset ma-2003b
  unframe-lab search-report site/ --queries log.txt --judgements judged.tsv
  unframe-lab search-report site/ --json > report.json"
)]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,

    /// File of queries, one per line
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,

    /// File of judgements: query, URL, 1 or 0, separated by tabs
    #[arg(long, value_name = "FILE")]
    judgements: Option<PathBuf>,

    /// Number of queries to derive from the frame, half of them phrases
    #[arg(long, default_value_t = 40, value_name = "N", conflicts_with_all = ["queries", "judgements"],
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    derive: u16,

    /// File for the report [default: search-report.html; none with --json]
    #[arg(short, long, value_name = "FILE.html")]
    out: Option<PathBuf>,

    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    survey: SurveyArgs,

    #[command(flatten)]
    method: MethodArgs,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let spec = args.method.spec(false, args.survey.cluster())?;
    let params = args.method.cluster_params()?;
    let out = match (&args.out, args.json) {
        (Some(out), _) => Some(out.clone()),
        (None, false) => Some(PathBuf::from("search-report.html")),
        (None, true) => None,
    };
    args.inputs.refuse_output_inside(out.as_deref())?;
    let out = out.map(|out| ReportFile::new(&out, "-o"));
    let out = out.transpose()?;
    let mut asked = Asked::read(&args)?;
    let mut inputs = args.inputs.open()?;
    let file = out.as_ref().map(ReportFile::path);
    refuse_output_over(&inputs.files(), file, "-o")?;
    let scratch = tempfile::Builder::new().prefix("unframe-").tempdir();
    let scratch = scratch.context("cannot make a temporary folder; set TMPDIR to one with room")?;
    let (whole, cleaned) = (scratch.path().join("before"), scratch.path().join("after"));
    let mut sink = IndexSink {
        before: IndexWriter::open(&whole)?,
        after: IndexWriter::open(&cleaned)?,
        judgements: asked.judgements.take(),
        words: asked.queries.is_none().then(FrameWords::default),
        quiet: args.quiet,
    };

    let engine = spec.engine();
    let mut sites = Sites::new(engine.memory(), None, ROOM_BYTES)?;
    let mut options = CleanOptions::default();
    options.jobs = args.jobs.or(options.jobs);
    stop_on_ctrl_c(&options.progress);
    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let dedup = args.survey.dedup().unwrap_or(spec.dedup);
    options.survey = args.survey.run(&mut inputs, &options, dedup, params)?;
    let summary = clean(&mut inputs, engine, &mut sites, &options, &mut sink);
    drop(watch);
    let summary = summary.map_err(ended_early)?;
    if summary.interrupted {
        say(format_args!(
            "unframe-lab: interrupted; no report was written\n"
        ));
        return Ok(Exit::Interrupted);
    }
    if summary.pages == 0 {
        let help = "`unframe clean --help` lists the inputs it can read";
        say(format_args!("unframe-lab: no page was found; {help}\n"));
        return Ok(Exit::Incomplete);
    }
    let IndexSink {
        before,
        after,
        judgements,
        words,
        ..
    } = sink;
    before.finish()?;
    after.finish()?;
    let derived = words.map(|words| words.most_frequent(usize::from(args.derive)));
    let queries = asked.queries.or(derived).unwrap_or_default();
    let (before, after) = (Index::open(&whole)?, Index::open(&cleaned)?);
    let found = Found {
        method: spec.to_string(),
        sites: summary.sites,
        template_share: summary.template_share(),
        queries_from: asked.source,
        comparison: compare(&before, &after, &queries, judgements.as_ref())?,
    };
    conclude(&args, &summary, &found, out.as_ref())
}

/// The queries that were given, if any.
struct Asked {
    queries: Option<Vec<PlainQuery>>,
    judgements: Option<Judgements>,
    source: QuerySource,
}

impl Asked {
    fn read(args: &Args) -> anyhow::Result<Asked> {
        let mut lines: Vec<(String, String)> = Vec::new();
        if let Some(file) = &args.queries {
            let text = read_text(file)?;
            for (at, line) in text.lines().enumerate() {
                let line = line.trim_start_matches('\u{feff}').trim();
                if !line.is_empty() && !line.starts_with('#') {
                    lines.push((format!("{}:{}", file.display(), at + 1), line.into()));
                }
            }
        }
        let judgements = match &args.judgements {
            Some(file) => Some(Judgements::parse(file, &read_text(file)?)?),
            None => None,
        };
        if let (Some(judgements), Some(file)) = (&judgements, &args.judgements) {
            let judged = judgements.queries().iter();
            lines.extend(judged.map(|query| (file.display().to_string(), query.clone())));
        }
        let source = match (&args.queries, &args.judgements) {
            (None, None) => {
                return Ok(Asked {
                    queries: None,
                    judgements,
                    source: QuerySource::Frame,
                });
            }
            _ => QuerySource::Given,
        };
        let queries = parse_lines(lines, args.quiet);
        if queries.is_empty() {
            let files = [&args.queries, &args.judgements].into_iter().flatten();
            let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
            let message = format!(
                "{}: has no query; write one per line, for example: harbour lamps",
                files.join(", ")
            );
            return Err(UsageError(message).into());
        }
        Ok(Asked {
            queries: Some(queries),
            judgements,
            source,
        })
    }
}

/// The queries of lines, each once; lines without a word are reported and skipped.
fn parse_lines(lines: Vec<(String, String)>, quiet: bool) -> Vec<PlainQuery> {
    let (mut queries, mut known, mut skipped) = (Vec::new(), HashSet::new(), 0);
    for (place, line) in lines {
        match PlainQuery::parse(&line) {
            Some(query) => {
                if known.insert(query.text().to_string()) {
                    queries.push(query);
                }
            }
            None => {
                skipped += 1;
                if skipped <= MOST_COMPLAINTS && !quiet {
                    let line: String = line.chars().take(60).collect();
                    let most = PlainQuery::MOST_WORDS;
                    say(format_args!(
                        "unframe-lab: {place}: skipped, has no word or more than {most}: {line}\n"
                    ));
                }
            }
        }
    }
    if skipped > MOST_COMPLAINTS && !quiet {
        say(format_args!(
            "unframe-lab: {} skipped\n",
            count(skipped - MOST_COMPLAINTS, "more line")
        ));
    }
    queries
}

fn conclude(
    args: &Args,
    summary: &Summary,
    report: &Found,
    out: Option<&ReportFile>,
) -> anyhow::Result<Exit> {
    if let Some(out) = out {
        out.write(&search_page(&report.shown()))?;
    }
    if args.json {
        writeln!(std::io::stdout(), "{}", serde_json::to_string(report)?)?;
    }
    if !args.quiet {
        let found = &report.comparison;
        let totals = &found.totals;
        if totals.queries == 0 {
            say(format_args!(
                "unframe-lab: no words occur in the frame alone, so there are no queries; give some with \
                 --queries FILE\n"
            ));
        }
        if let Some(judged) = found.judged.as_ref().filter(|j| j.unknown_pages > 0) {
            say(format_args!(
                "unframe-lab: not among the pages: {}; judgements name pages by URL, or by their path in the \
                 input\n",
                count(judged.unknown_pages as u64, "judged page")
            ));
        }
        say(format_args!(
            "{}, {} queries: {} hits before, {} after; {} of {} answers in the top ten matched in the \
             frame alone\n\
             index: {} before, {} after\n",
            count(found.pages, "page"),
            totals.queries,
            totals.hits_before,
            totals.hits_after,
            totals.frame_only[2],
            totals.shown[2],
            bytes(found.size_before.total as f64),
            bytes(found.size_after.total as f64),
        ));
        if let Some(out) = out {
            say(format_args!("report: {}\n", out.path().display()));
        }
    }
    Ok(match summary.failures {
        0 => Exit::Done,
        _ => Exit::Incomplete,
    })
}

fn read_text(file: &Path) -> anyhow::Result<String> {
    let shown = file.display();
    let size = fs::metadata(file).map_err(|error| UsageError(format!("{shown}: {error}")))?;
    if size.len() > MOST_BYTES {
        let most = bytes(MOST_BYTES as f64);
        return Err(UsageError(format!("{shown}: is larger than {most}")).into());
    }
    let text = fs::read(file).map_err(|error| UsageError(format!("{shown}: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
