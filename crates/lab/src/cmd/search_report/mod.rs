//! `unframe-lab search-report`: what removing the frame does to search.

mod found;

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use unframe::{CleanOptions, CleanPage, Label, Labels, Method, Sites, Summary, Text, clean};
use unframe_console::exit::{Exit, UsageError, ended_early, say};
use unframe_console::input_args::{InputArgs, refuse_output_over};
use unframe_console::jobs_args::JobsArgs;
use unframe_console::method_args::MethodArgs;
use unframe_console::methods::MethodSpec;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::report_file::ReportFile;
use unframe_console::skipped::warn_skipped;
use unframe_console::survey_args::SurveyArgs;
use unframe_report::numbers::{bytes, count};
use unframe_report::{QuerySource, search_page};
use unframe_search::{
    Candidates, Document, FrequentItems, IfThere, Index, IndexWriter, Judgements, PlainQuery,
    compare,
};

use found::Found;

/// Memory for what is learnt.
const ROOM_BYTES: usize = 256 << 20;

/// Words, and phrases, of the frame that are counted at the same time.
const COUNTED: usize = 20_000;

/// Largest file of queries or judgements that is read.
const MOST_BYTES: u64 = 64 << 20;

/// Complaints about single lines that are made one by one.
const MOST_COMPLAINTS: u64 = 5;

/// Show what removing the frame does to search
///
/// Indexes the pages twice, whole and without their frame, asks both indexes (BM25 over the texts)
/// the same queries, and writes a page that shows what changed: hits, answers that had matched in
/// the frame alone, index sizes, the most frequent words, and with judgements the precision of the
/// first 1, 5 and 10 answers (Ma et al., CIKM 2003).
///
/// Without --queries and --judgements the queries come from the pages: the words and phrases that
/// are on most pages in the frame alone.
#[derive(clap::Args)]
#[command(
    after_help = "A query file has one query a line; empty lines and lines that begin with # \
are skipped. A line is\nplain words, of which any will do, and phrases in quotes; nothing in it is \
an operator.

A file of judgements has a line for each judged page, with tabs between: query, URL, 1 (relevant) \
or 0.\nIts queries are asked too.

Examples:
  unframe-lab search-report site/
  unframe-lab search-report crawl.warc.gz --remove template -o report.html
  unframe-lab search-report site/ --method chunks --preset ma-2003b
  unframe-lab search-report site/ --queries log.txt --judgements judged.tsv --force
  unframe-lab search-report site/ --json > report.json"
)]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,

    /// File of queries, one a line
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,

    /// File of judgements: query, URL, 1 or 0, with tabs between
    #[arg(long, value_name = "FILE")]
    judgements: Option<PathBuf>,

    /// How many queries to take from the frame, half of them phrases
    #[arg(long, default_value_t = 40, value_name = "N", conflicts_with_all = ["queries", "judgements"],
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    derive: u16,

    /// File for the report [default: search-report.html; none with --json]
    #[arg(short, long, value_name = "FILE.html")]
    out: Option<PathBuf>,

    /// Overwrite the report if it is already there
    #[arg(long)]
    force: bool,

    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    survey: SurveyArgs,

    #[command(flatten)]
    method: MethodArgs,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let spec = args.method.spec(false, args.survey.cluster())?;
    let (name, dedup) = (spec.to_string(), spec.wants_dedup());
    let dedup = args.survey.dedup().unwrap_or(dedup);
    match spec {
        MethodSpec::Text => report(&args, &Text, name, dedup),
        MethodSpec::Auto { method, .. } => report(&args, &method.only_deciding(), name, dedup),
        MethodSpec::Stream { method, .. } => report(&args, &method, name, dedup),
        MethodSpec::Chunks { method, .. } => report(&args, &method, name, dedup),
        MethodSpec::Mdl { method, .. } => report(&args, &method, name, dedup),
        MethodSpec::Links { method, .. } => report(&args, &method, name, dedup),
    }
}

fn report<M: Method>(args: &Args, method: &M, name: String, dedup: bool) -> anyhow::Result<Exit> {
    let out = match (&args.out, args.json) {
        (Some(out), _) => Some(out.clone()),
        (None, false) => Some(PathBuf::from("search-report.html")),
        (None, true) => None,
    };
    args.inputs.refuse_output_inside(out.as_deref())?;
    let out = out.map(|out| ReportFile::new(&out, args.force, "-o"));
    let out = out.transpose()?;
    let mut asked = Asked::read(args)?;
    let mut inputs = args.inputs.open()?;
    let file = out.as_ref().map(ReportFile::path);
    refuse_output_over(&inputs.files(), file, "-o")?;
    let scratch = tempfile::Builder::new().prefix("unframe-").tempdir();
    let scratch = scratch.context("cannot make a temporary folder; set TMPDIR to one with room")?;
    let (whole, cleaned) = (scratch.path().join("before"), scratch.path().join("after"));
    let mut before = IndexWriter::create(&whole, IfThere::Refuse)?;
    let mut after = IndexWriter::create(&cleaned, IfThere::Refuse)?;

    let mut sites = Sites::<M::Memory>::new(None, ROOM_BYTES);
    let mut options = CleanOptions::default();
    options.jobs = args.jobs.or(options.jobs);
    stop_on_ctrl_c(&options.progress);
    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let params = args.method.cluster_params();
    options.survey = args.survey.look(&mut inputs, &options, dedup, params)?;
    let derives = asked.queries.is_none();
    let (mut terms, mut phrases) = (FrequentItems::new(COUNTED), FrequentItems::new(COUNTED));
    let summary = clean(
        &mut inputs,
        method,
        &mut sites,
        &options,
        |page| BothTexts::of(&page, derives),
        |page| -> anyhow::Result<()> {
            if let Some(judgements) = &mut asked.judgements {
                judgements.meet(&page.before.url);
            }
            // The papers remove duplicates before anything else.
            if page.duplicate {
                return Ok(());
            }
            for term in &page.candidates.terms {
                terms.add(term);
            }
            for phrase in &page.candidates.phrases {
                phrases.add(phrase);
            }
            before.add(page.before)?;
            after.add(page.after)?;
            Ok(())
        },
        |skipped| warn_skipped(skipped, args.quiet, false),
    );
    drop(watch);
    let summary = summary.map_err(ended_early)?;
    if summary.interrupted {
        say(format_args!(
            "unframe-lab: interrupted; there is no report\n"
        ));
        return Ok(Exit::Interrupted);
    }
    if summary.pages == 0 {
        let help = "`unframe clean --help` says what can be read";
        say(format_args!("unframe-lab: no page was found; {help}\n"));
        return Ok(Exit::Incomplete);
    }
    before.finish()?;
    after.finish()?;
    let queries = match asked.queries.take() {
        Some(queries) => queries,
        None => most_frequent(&terms, &phrases, usize::from(args.derive)),
    };
    let (before, after) = (Index::open(&whole)?, Index::open(&cleaned)?);
    let found = Found {
        method: name,
        sites: summary.sites,
        template_share: summary.template_share(),
        queries_from: asked.source,
        comparison: compare(&before, &after, &queries, asked.judgements.as_ref())?,
    };
    conclude(args, &summary, &found, out.as_ref())
}

/// What is kept of a page until it is in both indexes.
struct BothTexts {
    before: Document,
    after: Document,
    candidates: Candidates,
    duplicate: bool,
}

impl BothTexts {
    fn of(page: &CleanPage<'_>, derives: bool) -> BothTexts {
        let (raw, dom) = (page.raw, page.page.dom());
        let document = |body: String| Document {
            url: raw.url.clone().unwrap_or_else(|| raw.name.clone()),
            site: raw.site.clone(),
            title: page.page.title(),
            body,
            source: raw.name.clone(),
        };
        let after = document(unframe::text(dom, page.labels));
        let mut all: Labels = page.labels.clone();
        for text in &mut all.texts {
            text.label = Label::Content;
        }
        let before = document(unframe::text(dom, &all));
        let frame = page.labels.texts.iter().filter(|text| {
            // Without need for queries nothing is worth looking at.
            derives && text.label == Label::Template
        });
        let frame = frame.map(|text| dom.text(text.node));
        BothTexts {
            candidates: Candidates::of(frame, &after.body),
            before,
            after,
            duplicate: page.flags.iter().any(|flag| flag == "duplicate"),
        }
    }
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
                "{}: no query is in there; write one a line, for example: harbour lamps",
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

/// The queries of lines, each once; lines without any word are told of and passed over.
fn parse_lines(lines: Vec<(String, String)>, quiet: bool) -> Vec<PlainQuery> {
    let (mut queries, mut known, mut passed_over) = (Vec::new(), HashSet::new(), 0);
    for (place, line) in lines {
        match PlainQuery::parse(&line) {
            Some(query) => {
                if known.insert(query.text().to_string()) {
                    queries.push(query);
                }
            }
            None => {
                passed_over += 1;
                if passed_over <= MOST_COMPLAINTS && !quiet {
                    let line: String = line.chars().take(60).collect();
                    let most = PlainQuery::MOST_WORDS;
                    say(format_args!(
                        "unframe-lab: {place}: passed over, has no word or over {most}: {line}\n"
                    ));
                }
            }
        }
    }
    if passed_over > MOST_COMPLAINTS && !quiet {
        say(format_args!(
            "unframe-lab: {} passed over\n",
            count(passed_over - MOST_COMPLAINTS, "more line")
        ));
    }
    queries
}

/// The words and phrases of the frame on most pages: half and half, or what there is.
fn most_frequent(terms: &FrequentItems, phrases: &FrequentItems, most: usize) -> Vec<PlainQuery> {
    let (terms, phrases) = (terms.top(most), phrases.top(most));
    let phrase_number = phrases
        .len()
        .min((most / 2).max(most.saturating_sub(terms.len())));
    let mut items = terms;
    items.truncate(most - phrase_number);
    items.extend(&phrases[..phrase_number]);
    items.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let queries = items
        .into_iter()
        .filter_map(|(item, _)| PlainQuery::parse(item));
    queries.collect()
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
                "unframe-lab: no words are in the frame alone, so there is nothing to ask; --queries FILE asks what you want\n"
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
            "{}, {} queries: {} hits before, {} after; {} of {} answers in the top ten were frame\n\
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
