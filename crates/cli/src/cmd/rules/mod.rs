//! `unframe rules`: the frame of a site as selectors.

mod output;
mod sinks;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use unframe::Crawl;
use unframe::batch::{CleanOptions, Summary, clean};
use unframe::methods::{Auto, AutoMemory, Clustering, Engine, KeepAll, Method};
use unframe::read::Inputs;
use unframe::read::printable::printable;
use unframe::rules::{About, Format, HeldOut, RuleSet, SettledPlace, SiteRules, from_settled};
use unframe::store::{Sites, Store};
use unframe_console::exit::{Exit, UsageError, ended_early, say};
use unframe_console::input_args::{ReadingArgs, refuse_output_inside, refuse_output_over};
use unframe_console::jobs_args::JobsArgs;
use unframe_console::method_args::MethodArgs;
use unframe_console::progress::{Watch, stop_on_ctrl_c};

use crate::override_args::OverrideArgs;
use output::RulesOutput;
use sinks::{Checking, Observing, SiteCheck};

/// Memory for learned sites; above it, the least recently used are written to disk.
const MEMORY_BYTES: usize = 256 << 20;

/// Write the frame of a site as CSS selectors: what to remove, and what holds the content
///
/// The pages are cleaned as by `unframe clean`, and few selectors are found that agree with the result. They
/// use names that people chose, not hashed classes or numbered ids. Then the rules alone are applied to the
/// pages, and compared with the method: of the words that they keep, P are kept by the method, and of those
/// that it keeps, R are kept by the rules.
///
/// `clean --rules FILE` applies the formats css and json, also after you have edited them. The others are for
/// other tools: xpath, adblock (cosmetic filters) and ftr (site configs of full-text RSS readers).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  unframe rules site/                              the rules of a folder of pages
  unframe rules crawl.warc.gz -o rules/            a file for each site
  unframe rules site/ -o site.rules                to edit, and to keep in version control …
  unframe clean new/ --rules site.rules -o out/    … and to apply, without learning
  unframe rules site/ --remove template            only what the site repeats
  unframe rules site/ -f json | jq '.[].remove[].selector'
  unframe rules crawl.warc.gz -f adblock > filters.txt
  unframe rules new/ --state news.unframe          with what was learned before; the state is not changed
  unframe rules --state news.unframe               of what was learned before, without pages")]
pub struct Args {
    /// Folders, files, globs, `-`; HTML, JSON lines (.jsonl), WARC, ARC, WACZ; gzip or zstd
    #[arg(value_name = "INPUT", required_unless_present = "state")]
    inputs: Vec<OsString>,

    /// Use the state of an earlier `clean --state`. The file is not changed
    #[arg(short, long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Write to this file, or into this folder, one file for each site [default: standard output]
    ///
    /// A folder exists already, or its name ends with a slash.
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// The format: css, json, xpath, adblock or ftr [default: json for FILE.json, else css]
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<Format>,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,

    /// Also print everything that was skipped
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    /// Name of the site of pages without a URL [default: the name of their folder]
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with = "site_from",
        help_heading = "Input"
    )]
    site_name: Option<String>,

    #[command(flatten, next_help_heading = "Input")]
    reading: ReadingArgs,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    overrides: OverrideArgs,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let spec = args.method.spec(false, Clustering::None)?;
    args.overrides.check(spec.name())?;
    refuse_output_inside(&args.inputs, args.out.as_deref())?;
    let output = RulesOutput::new(args.out.as_deref(), args.format)?;
    let store = open_state(&args, &**spec.engine())?;
    let mut sites = Sites::new(spec.engine().memory(), store, MEMORY_BYTES)?;
    if args.inputs.is_empty() {
        if spec.to_string() != Auto::NAME {
            let message = "a state alone tells only what `auto` does without further options; name pages: \
                           unframe rules PAGES --state FILE";
            return Err(UsageError(message.into()).into());
        }
        let rules = rules_of_state(&mut sites, Auto::NAME)?;
        return conclude(&args, &rules, &output, Exit::Done);
    }
    let mut inputs = args.reading.open(&args.inputs, args.site_name.as_deref())?;
    refuse_output_over(&inputs.files(), args.out.as_deref(), "-o")?;
    let mut options = CleanOptions::default();
    options.jobs = args.jobs.or(options.jobs);
    options.overrides = args.overrides.overrides();
    stop_on_ctrl_c(&options.progress);

    let mut observing = Observing::new(args.quiet, args.verbose);
    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let observed = clean(
        &mut inputs,
        spec.engine(),
        &mut sites,
        &options,
        &mut observing,
    );
    let summary = observed.map_err(ended_early)?;
    if summary.interrupted {
        return Ok(Exit::Interrupted);
    }
    let (observed, kept) = observing.finish();
    let rules: BTreeMap<String, SiteCheck> = (observed.iter())
        .map(|(site, pages)| {
            (
                site.clone(),
                SiteCheck::new(pages.rules(), pages.rules_of_half()),
            )
        })
        .collect();
    let checked = check(&mut inputs, &options, Checking::new(rules, kept))?;
    drop(watch);
    let Some(checked) = checked else {
        return Ok(Exit::Interrupted);
    };
    let sections = checked.into_iter().map(|(site, found)| {
        let score = found.all.score();
        let held_out = found.held_out.score().map(|score| HeldOut {
            pages: found.held_out.pages(),
            score,
        });
        SiteRules {
            about: Some(About {
                method: spec.to_string(),
                pages: observed.get(&site).map_or(0, |pages| pages.pages()),
                score,
                held_out,
                example_url: found.example_url,
            }),
            site: Some(site),
            keep: found.keep,
            remove: found.remove,
        }
    });
    let rules = RuleSet {
        sections: sections.collect(),
    };
    conclude(&args, &rules, &output, exit_of(&summary))
}

/// Applies rules to the pages they were made from; `None` after Ctrl-C.
fn check(
    inputs: &mut Inputs,
    options: &CleanOptions,
    mut checking: Checking,
) -> anyhow::Result<Option<BTreeMap<String, SiteCheck>>> {
    let engine: Arc<dyn Engine> = Arc::new(KeepAll);
    let mut sites = Sites::in_memory(engine.memory());
    let mut options = options.clone();
    options.arrival = true;
    options.overrides = Default::default();
    let checked = clean(inputs, &engine, &mut sites, &options, &mut checking);
    let summary = checked.map_err(ended_early)?;
    Ok((!summary.interrupted).then(|| checking.finish()))
}

/// Opens the state for reading: what is learned now goes to a copy.
fn open_state(args: &Args, engine: &dyn Engine) -> anyhow::Result<Option<Store>> {
    let Some(path) = args.state.as_deref() else {
        return Ok(None);
    };
    // `scratch` accepts a missing state.
    match Store::open_read_only(path) {
        Ok(_) => {}
        Err(error) => return Err(error.into()),
    }
    let store = Store::scratch(path)?;
    args.method.refuse_state_of_another(&store)?;
    Crawl::check_state(engine, &store)?;
    Ok(Some(store))
}

/// The rules of what a state has compiled, without pages. There is nothing to check them on.
fn rules_of_state(sites: &mut Sites, method: &str) -> anyhow::Result<RuleSet> {
    let mut rules = RuleSet::default();
    for site in sites.names() {
        sites.load(&site)?;
        let memory = sites.get(&site);
        let Some(memory) = memory.and_then(|memory| memory.downcast_ref::<AutoMemory>()) else {
            continue;
        };
        let settled = settled_places(memory);
        if settled.is_empty() {
            continue;
        }
        // They were counted on a sample of the pages.
        let found = from_settled(&settled, memory.pages());
        let pages = sites.record(&site).map_or(0, |record| record.pages);
        rules.sections.push(SiteRules {
            site: Some(site),
            about: Some(About {
                method: method.to_string(),
                pages,
                ..About::default()
            }),
            keep: found.keep,
            remove: found.remove,
        });
    }
    match rules.sections.is_empty() {
        false => Ok(rules),
        true => {
            let message = "this state tells too little of what is frame in which place; name pages: \
                           unframe rules PAGES --state FILE";
            Err(UsageError(message.into()).into())
        }
    }
}

/// The places of a site that are usually frame or usually content. Only `auto` knows them, and
/// it stores no texts that could be shown as examples.
fn settled_places(memory: &AutoMemory) -> Vec<SettledPlace> {
    let place = |place: unframe::methods::auto::SettledPlace| SettledPlace {
        path: place.path,
        is_frame: place.is_frame,
        agreeing: place.agreeing,
        pages: place.pages,
        words: place.words,
        example: String::new(),
    };
    memory.settled_places().into_iter().map(place).collect()
}

/// Writes the rules, and says how good they are.
fn conclude(
    args: &Args,
    rules: &RuleSet,
    output: &RulesOutput,
    exit: Exit,
) -> anyhow::Result<Exit> {
    output.write(rules)?;
    if args.quiet {
        return Ok(exit);
    }
    for section in &rules.sections {
        let site = printable(section.site.as_deref().unwrap_or_default()).into_owned();
        let about = section.about.clone().unwrap_or_default();
        let (keep, remove) = (section.keep.len(), section.remove.len());
        let pages = about.pages;
        if keep + remove == 0 {
            say(format_args!(
                "{site}: no frame was found on {pages} pages\n"
            ));
            continue;
        }
        let score = about.score.map_or(String::new(), |score| {
            format!("; alone against {}: {score}", about.method)
        });
        let held_out = about.held_out.map_or(String::new(), |found| {
            format!(
                " (held out: {}, by rules of half of the pages on the other {})",
                found.score, found.pages
            )
        });
        say(format_args!(
            "{site}: {keep} keep and {remove} remove rules from {pages} pages{score}{held_out}\n"
        ));
    }
    if let Some(path) = output.path().filter(|_| !rules.sections.is_empty()) {
        say(format_args!("written to {}\n", path.display()));
    }
    Ok(exit)
}

fn exit_of(summary: &Summary) -> Exit {
    match summary.pages == 0 || summary.failures > 0 {
        true => Exit::Incomplete,
        false => Exit::Done,
    }
}
