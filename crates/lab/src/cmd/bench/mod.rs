//! `unframe-lab bench`: quality and speed of the methods on labelled sites.

mod against;
mod curve;
mod draw;
mod nodes;
mod protocol;
mod score;
mod site;
mod system;
mod table;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use rayon::ThreadPool;
use serde::Serialize;
use unframe::methods::{ALL, MethodSpec};
use unframe_console::atomic_file;
use unframe_console::exit::{Exit, UsageError, say};
use unframe_eval::{Corpus, EvalError, Set, Teco};

use curve::{Curve, PageCounts};
use protocol::{LeftOut, ProtocolName};
use score::{Row, Rules, score_set};
use system::{System, ToolTexts};

/// Score the methods on labelled sites
///
/// A labelled site is a folder with `pages/` and `gold/`. For each page, `gold/` has a JSON file with
/// `content`, `template`, `dynamic`, `meta` or `survive`. A set is a folder of sites. A method learns
/// the whole site and is scored on the text that it keeps, as a multiset of words. Pages are cleaned
/// as `unframe clean` does it.
///
/// A folder in the layout of TECO is scored by elements, for the method `links` only. It has one
/// folder per site, in which the key page marks its own elements with the class `notTemplate` or
/// `TECO_notTemplate`.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// A labelled site, a set of sites, or a folder of sets
    #[arg(required = true, value_name = "CORPUS_DIR")]
    corpora: Vec<PathBuf>,
    /// A method to score; may be given more than once [default: all, with their presets]
    #[arg(short, long, value_name = "METHOD")]
    method: Vec<MethodSpec>,
    /// Texts that another tool has kept, scored beside the methods: a folder of SITE/PAGE.txt (or
    /// SET/SITE/PAGE.txt), or a file of JSON lines with site, page and text. A page without a text
    /// is scored as empty. May be given more than once
    #[arg(long, value_name = "NAME=DIR")]
    predictions: Vec<ToolTexts>,
    /// Compare all methods with this one (or with predictions of this name): the difference in F1,
    /// for records in surv, with its confidence interval (paired bootstrap over sites)
    #[arg(long, value_name = "METHOD", conflicts_with = "curve")]
    against: Option<String>,
    /// Score `auto` with models that are fitted without the sites they are scored on. With all sets
    /// of a corpus this takes minutes
    #[arg(long, value_enum)]
    protocol: Option<ProtocolName>,
    /// Score each page with a small site of N pages: the page itself and N-1 others drawn from its
    /// site. A larger draw contains every smaller one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    #[arg(conflicts_with = "curve")]
    pages: Option<u16>,
    /// F1 (for records: surv) by the number of pages per site, as in 1,2,3,5,10,30; like --pages
    /// with each of them
    #[arg(long, value_name = "N,…", conflicts_with_all = ["sites", "texts"])]
    curve: Option<PageCounts>,
    /// Draw the curve as SVG
    #[arg(long, value_name = "FILE.svg", requires = "curve")]
    plot: Option<PathBuf>,
    /// Show each site, not only the totals
    #[arg(long)]
    sites: bool,
    /// Print one JSON document with all numbers
    #[arg(long)]
    json: bool,
    /// Write the kept texts to DIR/METHOD/SET/SITE/PAGE.txt, for other scorers
    #[arg(long, value_name = "DIR")]
    texts: Option<PathBuf>,
    /// Number of sites to score at the same time; speeds are per thread [default: number of cores]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// Settings that are scored beside the defaults and the presets of every method.
const VARIANTS: [&str; 4] = [
    "stream:arrival",
    "auto:arrival",
    "stream:separators=modern",
    "auto:remove=template",
];

const COLUMNS: &str = "Columns, means over pages, then over sites:
  F1     content against everything else       F1t    content against the template alone
  P, R   precision and recall of content       leakT, leakD  template, dynamic text left in
  surv   labelled values that survive          kept   share of the page's words kept
  ms/kB  time per 1000 bytes of page           state  bytes of state per site
What cleaning broke, whatever the labels say; shares over all pages of a set or a site, lower is
better. `unframe-lab whole --help` defines them:
  holes  kept lines that lost a piece          orphans  headings removed above kept text
  rows   kept table rows that lost a cell      pre    pre blocks removed between kept texts
  cuts   removed runs of text, mean per page";

const EXAMPLES: &str = "Examples:
  unframe-lab bench demo
  unframe-lab bench corpora/dwt-dev --sites --method text --method stream:separators=modern
  unframe-lab bench corpora --json > scores.json
  unframe-lab bench corpora/news-dev --predictions trafilatura=texts/trafilatura --against links
  unframe-lab bench corpora --method auto --method links --protocol losf --against links
  unframe-lab bench corpora/dwt-dev --method links --curve 1,2,3,5,10,30 --plot pages.svg";

/// What follows the options in the help: columns, methods, examples.
fn after_help() -> String {
    let methods: String = ALL
        .iter()
        .map(|entry| format!("  {:<7} {}\n", entry.name, entry.summary))
        .collect();
    format!(
        "{COLUMNS}\n\nMethods, written NAME or NAME:SETTING,…; `unframe methods NAME` lists the \
         settings:\n{methods}as in auto:remove=template,favor=precision, \
         stream:arrival,df=3,separators=table+div,\n\
         chunks:preset=ma-2003b,threshold=30%,sample=9 or links:preset=alarte-best,t=5.\n\
         stream and chunks can learn clusters separately: stream:cluster=mdl, \
         chunks:cluster=minmax.\n\n{EXAMPLES}"
    )
}

/// All methods in the order of a table, the default last: each with its variants, its presets, and
/// its defaults.
fn all_methods() -> Vec<MethodSpec> {
    let mut found = Vec::new();
    for entry in ALL.iter().rev() {
        let variants = VARIANTS.map(|name| name.parse().expect("a known variant"));
        found.extend(
            variants
                .into_iter()
                .filter(|spec: &MethodSpec| spec.name() == entry.name),
        );
        let presets = entry.presets().into_iter().skip(1);
        let presets = presets.map(|(preset, _)| vec![("preset", preset)]);
        for settings in presets.chain([vec![]]) {
            found.push(MethodSpec::new(entry.name, &settings).expect("its own settings"));
        }
    }
    found
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let methods = match args.method.is_empty() {
        true => all_methods(),
        false => args.method.clone(),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .build()?;
    let (corpora, by_nodes) = open(&args.corpora)?;
    if !by_nodes.is_empty() {
        check_for_elements(&args)?;
    }
    let systems = systems(&args, &methods, &corpora)?;
    for teco in &by_nodes {
        score_nodes(&args, teco, &methods, &pool)?;
    }
    let sets: Vec<&Set> = corpora.iter().flat_map(|corpus| &corpus.sets).collect();
    if sets.is_empty() && !by_nodes.is_empty() {
        return Ok(Exit::Done);
    }
    if sets.is_empty() {
        let message = "no labelled site was found; a site is a folder with pages/ and gold/";
        return Err(UsageError(message.into()).into());
    }
    let scored = sets
        .iter()
        .flat_map(|set| &set.sites)
        .flat_map(|site| site.scored());
    if scored.count() == 0 && by_nodes.is_empty() {
        let message = "no page has a label; the label of pages/NAME is gold/NAME.json, a JSON object \
                       with `content` (the text without the frame) or `survive` (texts that must be kept)";
        return Err(UsageError(message.into()).into());
    }
    match &args.curve {
        Some(counts) => score_curves(&args, counts, &sets, &systems, &pool)?,
        None => score_sets(&args, &sets, &systems, &pool)?,
    }
    Ok(Exit::Done)
}

/// The corpora whose labels are texts, and those whose labels are elements.
fn open(paths: &[PathBuf]) -> anyhow::Result<(Vec<Corpus>, Vec<Teco>)> {
    let (mut corpora, mut by_nodes) = (Vec::new(), Vec::new());
    for path in paths {
        match Corpus::open(path) {
            Err(error @ EvalError::NoSites { .. }) => {
                by_nodes.push(Teco::open(path)?.ok_or(error)?);
            }
            corpus => corpora.push(corpus?),
        }
    }
    for folder in corpora.iter().flat_map(|corpus| &corpus.skipped) {
        say(format_args!(
            "unframe-lab: {}: skipped, has no labelled site\n",
            folder.display()
        ));
    }
    Ok((corpora, by_nodes))
}

/// Refuses flags that mean nothing for corpora with labelled elements.
fn check_for_elements(args: &Args) -> Result<(), UsageError> {
    let wrong = [
        ("--predictions", !args.predictions.is_empty()),
        ("--against", args.against.is_some()),
        ("--protocol", args.protocol.is_some()),
        ("--pages", args.pages.is_some()),
        ("--curve", args.curve.is_some()),
    ];
    match wrong.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(UsageError(format!(
            "{flag} needs sites with labelled texts; leave it out, or leave out the corpora in \
             TECO's layout"
        ))),
    }
}

/// Everything that is scored, each under its own name.
fn systems(args: &Args, methods: &[MethodSpec], corpora: &[Corpus]) -> anyhow::Result<Vec<System>> {
    let models = args.protocol.map(|name| LeftOut::fit(&args.corpora, name));
    let models = models.transpose()?;
    let of_method = |spec: &MethodSpec| match &models {
        Some(models) => models.system(spec),
        None => System::method(spec.clone()),
    };
    let mut all: Vec<System> = methods.iter().map(of_method).collect();
    for texts in &args.predictions {
        all.push(System::tool(texts, corpora)?);
    }
    let mut names = HashSet::new();
    for tool in &all[methods.len()..] {
        let is_method = all[..methods.len()].iter().any(|one| one.name == tool.name);
        if is_method || !names.insert(&tool.name) {
            let message = format!(
                "--predictions {0}=…: the name `{0}` is taken; choose another name",
                tool.name
            );
            return Err(UsageError(message).into());
        }
    }
    if let Some(name) = &args.against {
        against::find(name, &all)?;
    }
    Ok(all)
}

fn score_sets(
    args: &Args,
    sets: &[&Set],
    systems: &[System],
    pool: &ThreadPool,
) -> anyhow::Result<()> {
    let rules = Rules {
        site_pages: args.pages.map(usize::from),
        texts: args.texts.as_deref(),
    };
    let mut all: Vec<Row> = Vec::new();
    for set in sets {
        let first_of_set = all.len();
        for system in systems {
            let row = pool.install(|| score_set(system, set, rules))?;
            say_missing(&row);
            if !args.json {
                print(&table::lines(&row, all.is_empty(), args.sites))?;
            }
            all.push(row);
        }
        if let Some(name) = &args.against {
            let rows = &mut all[first_of_set..];
            against::compare(rows, against::find(name, systems)?);
            if !args.json {
                print(&against::lines(rows))?;
            }
        }
    }
    match args.json {
        true => print_json(&all),
        false => Ok(()),
    }
}

fn score_curves(
    args: &Args,
    counts: &PageCounts,
    sets: &[&Set],
    systems: &[System],
    pool: &ThreadPool,
) -> anyhow::Result<()> {
    let mut all: Vec<Curve> = Vec::new();
    for set in sets {
        for system in systems {
            let Some(curve) = pool.install(|| curve::score(system, set, counts))? else {
                continue;
            };
            if !args.json {
                print(&curve::line(&curve, counts, all.is_empty()))?;
            }
            all.push(curve);
        }
    }
    if let Some(path) = &args.plot {
        let written = atomic_file::write_durably(path, curve::plot(&all));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    match args.json {
        true => print_json(&all),
        false => Ok(()),
    }
}

fn say_missing(row: &Row) {
    if let Some(missing) = row.missing.filter(|missing| *missing > 0) {
        say(format_args!(
            "unframe-lab: {}: no text for {missing} of {} pages of {}; they are scored as empty\n",
            row.method, row.total.pages, row.total.set
        ));
    }
}

fn print(text: &str) -> anyhow::Result<()> {
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn print_json(rows: &impl Serialize) -> anyhow::Result<()> {
    print(&(serde_json::to_string_pretty(rows)? + "\n"))
}

/// Sites in TECO's layout, whose labels are those of elements.
fn score_nodes(
    args: &Args,
    teco: &Teco,
    methods: &[MethodSpec],
    pool: &rayon::ThreadPool,
) -> anyhow::Result<()> {
    let (rows, others) = pool.install(|| nodes::score(teco, methods))?;
    if !others.is_empty() {
        say(format_args!(
            "unframe-lab: {}: has labels of elements; skipped, because these methods label texts: {}\n",
            teco.name,
            others.join(", ")
        ));
    }
    let out = match args.json {
        true => serde_json::to_string_pretty(&rows)? + "\n",
        false => nodes::table(&rows, args.sites),
    };
    Ok(std::io::stdout().write_all(out.as_bytes())?)
}
