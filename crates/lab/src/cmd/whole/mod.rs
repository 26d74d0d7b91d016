//! `unframe-lab whole`: what cleaning breaks on pages without labels.

mod loss_text;
mod sink;
mod table;

use std::io::Write;

use unframe::batch::{CleanOptions, clean};
use unframe::store::Sites;
use unframe_console::exit::{Exit, ended_early, say};
use unframe_console::input_args::InputArgs;
use unframe_console::jobs_args::JobsArgs;
use unframe_console::method_args::MethodArgs;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::survey_args::SurveyArgs;

use sink::WholeSink;

/// Main memory for what is learned.
const ROOM_BYTES: usize = 256 << 20;

/// Count what cleaning breaks: lines with holes, lost headings, incomplete rows
///
/// Cleans pages as `unframe clean` does it, and counts what no longer reads whole. This needs no
/// labels: a sentence without its middle is wrong on any page. One row per site.
#[derive(clap::Args)]
#[command(after_help = "Columns, shares over all pages of a site:
  holes    kept lines that lost a piece. A line is a run of text without a block boundary (a
           sentence, heading, caption or term), or a whole pre
  orphans  headings (h1 to h6) of which no word was kept, although the first text of their section
           was
  h1-h3    headings h1 to h3 that are not headings in the Markdown of the page, for any reason
  rows     kept rows of data tables that lost all words of a cell. Data tables have short cells,
           without lists and headings
  pre      pre blocks between kept texts of which no word was kept
  cuts     removed runs of text, mean per page
Hidden texts and form fields do not count.

Examples:
  unframe-lab whole site/
  unframe-lab whole docs/git-doc docs/python3-doc --method stream
  unframe-lab whole site/ --list 20                show what was lost: removed pieces as [-…-]
  unframe-lab whole crawl.warc.gz --json > whole.json")]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,

    /// Show the first N losses of each kind and site
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    list: usize,

    /// Print one JSON document with all counts
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print nothing but the numbers and errors
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
    let mut inputs = args.inputs.open()?;
    let mut sink = WholeSink::new(args.list, args.quiet);

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
        say(format_args!("unframe-lab: interrupted\n"));
        return Ok(Exit::Interrupted);
    }
    if summary.pages == 0 {
        let help = "`unframe clean --help` lists the inputs it can read";
        say(format_args!("unframe-lab: no page was found; {help}\n"));
        return Ok(Exit::Incomplete);
    }
    let out = match args.json {
        true => serde_json::to_string_pretty(sink.rows())? + "\n",
        false => table::lines(sink.rows()),
    };
    std::io::stdout().write_all(out.as_bytes())?;
    Ok(match summary.failures {
        0 => Exit::Done,
        _ => Exit::Incomplete,
    })
}
