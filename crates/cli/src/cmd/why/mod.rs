//! `unframe why`: why each part of a page is kept or removed.

mod select;
mod show;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use unframe::batch::{BoxError, CleanOptions, Sink, Wanted, clean};
use unframe::methods::{Clustering, Engine};
use unframe::page::CanonicalUrl;
use unframe::read::{Inputs, RawPage, Skipped};
use unframe::render::{Overlay, overlay};
use unframe::rules::RuleSet;
use unframe::store::{Sites, Store};
use unframe::template::is_asked_for;
use unframe::{CleanPage, Crawl, Flag};
use unframe_console::exit::{Exit, UsageError, ended_early};
use unframe_console::input_args::{ReadingArgs, refuse_output_inside, refuse_output_over};
use unframe_console::jobs_args::JobsArgs;
use unframe_console::method_args::MethodArgs;
use unframe_console::progress::{Watch, stop_on_ctrl_c};
use unframe_console::report_file::ReportFile;
use unframe_console::skipped::warn_skipped;
use url::Url;

use crate::override_args::OverrideArgs;
use crate::page_lookup::{choose_site, inside, not_found, only_page};
use crate::rules_args::RulesArgs;
use select::SelectArgs;

/// Memory for learned sites; above it, the least recently used are written to disk.
const MEMORY_BYTES: usize = 256 << 20;

/// Regions that are explained without being asked for it.
const FEW: usize = 5;

/// Explain why each part of a page is kept or removed
///
/// The page is cleaned as by `unframe clean`: together with the other pages of its site (--site), with
/// what was learned from them (--state, which is not changed), or on its own. Each region is then
/// printed on a line: its number, its label, the probability that it is frame, its element and its
/// text. A region is a run of texts in one element with the same label.
///
/// With --details, or if --text or --css select few regions, the reasons follow. If the method judges
/// texts one by one first, `removed` or `kept` says how many of them would have got the label by
/// themselves, and what decided on the others.
///
/// --html writes the page itself with its regions tinted, from green (content) to red (frame); click
/// one to see its reasons. The file runs no script of the page, its links lead nowhere, and it loads
/// nothing, unless --load-assets is given.
#[derive(clap::Args)]
#[command(after_help = "With --json, one line per region:
  {\"number\": 3, \"start\": 310, \"end\": 512, \"css\": \"#menu > li:nth-of-type(2)\", \"text\": …, \"node\": 17,
   \"label\": \"template\", \"probability\": 0.98, \"template\": 0.97, \"boilerplate\": 0.98, \"seen\": [11, 12],
   \"cluster\": null, \"design\": [12, 12],
   \"slot\": {\"pages\": 12, \"of\": 12, \"repeats\": 1.0, \"linked\": 1.0, \"words\": 1.4},
   \"evidence\": [[\"repetition\", 2.1], …], \"rule\": …, \"alone\": \"template\", \"with\": null,
   \"votes\": {\"texts\": 15, \"alone\": 14, \"with\": [[\"region\", 1]]}}
  Start and end are byte positions in the original page. Values that the method does not know
  are null. Of 15 texts, 14 would have got the label by themselves, and 1 got it with the region
  around it.

Examples:
  unframe why site/page.html --site site/          all regions of the page
  unframe why site/page.html --site site/ --only frame --details
  unframe why site/page.html --site site/ --sort uncertainty | head
  unframe why site/page.html --site site/ --text 'All rights reserved'
  unframe why site/page.html --site site/ --css 'nav, .related'
  unframe why site/page.html --site site/ --html why.html   to open in a browser
  unframe why page.html --rules site.rules         which selector keeps or removes each region
  unframe why https://a.example/news/7 --site crawl.warc.gz --json
  unframe why page.html --site-name a.example --state news.unframe
  curl -s URL | unframe why - --url URL --state news.unframe")]
pub struct Args {
    /// The page: a file, `-`, or, with --site, the path or URL of a page of that site
    #[arg(value_name = "PAGE")]
    page: OsString,

    /// The pages of its site: folders, archives, any input of `clean`. Takes all arguments up to the
    /// next flag, so put PAGE before it
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "state")]
    site: Vec<OsString>,

    /// Use the state of an earlier `clean --state`. The file is not changed
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// The site in --state or --site that PAGE belongs to [default: the site of its URL, or the only
    /// one]
    #[arg(long, value_name = "NAME")]
    site_name: Option<String>,

    #[command(flatten)]
    select: SelectArgs,

    /// Print the reasons of each region [default: if --text or --css select 5 regions or fewer]
    #[arg(long)]
    details: bool,

    /// Write the page with tinted regions to this file, to open in a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Let FILE load the page's images, style sheets and fonts when it is opened: from its servers,
    /// or from the folder of a local page [default: nothing is loaded]
    #[arg(long, requires = "html")]
    load_assets: bool,

    /// Print one JSON object per region
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    overrides: OverrideArgs,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    method: MethodArgs,
}

/// A page with the reasons for its labels.
struct Explained {
    raw: RawPage,
    page: CleanPage,
}

impl Explained {
    /// What the reader of its overlay should know, beside the limits that cut it.
    fn notes(&self) -> Vec<String> {
        let cuts: Vec<Flag> = self
            .page
            .page()
            .dom()
            .cuts()
            .iter()
            .map(|cut| Flag::from(*cut))
            .collect();
        let flags = self.page.flags().iter().filter(|flag| !cuts.contains(flag));
        flags
            .map(|flag| format!("{flag}: {}", flag.meaning()))
            .collect()
    }

    /// The base of the page's relative links: its URL, or its path on disk. A page of an archive
    /// cannot claim to be on this disk.
    fn base(&self) -> Option<String> {
        let on_disk = || {
            let file = Path::new(&self.raw.name);
            let file = std::path::absolute(file).ok().filter(|file| file.is_file());
            Url::from_file_path(file?).ok().map(String::from)
        };
        let url = self.raw.url.clone();
        let is_on_server = |url: &String| {
            let url = Url::parse(url);
            url.is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
        };
        url.filter(is_on_server).or_else(on_disk)
    }
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let rules = args.rules.read()?;
    let spec = match &rules {
        None => args.method.spec(false, Clustering::None)?,
        Some(_) => {
            let state = args.state.is_some().then_some("--state");
            args.rules.spec(&args.method, state)?
        }
    };
    args.overrides.check(spec.name())?;
    let Some(key) = args.page.to_str() else {
        return Err(UsageError(format!("{}: the name is not UTF-8", args.page.display())).into());
    };
    refuse_output_inside(&args.site, args.html.as_deref())?;
    let out = args.html.as_deref();
    let out = out.map(|path| ReportFile::new(path, "--html"));
    let out = out.transpose()?;
    let Some(found) = find(&args, spec.engine(), rules, key)? else {
        return Ok(Exit::Interrupted);
    };
    let regions = found.page.explained_regions();
    if let Some(file) = &out {
        let options = Overlay {
            name: found.raw.name.clone(),
            base: found.base(),
            assets: args.load_assets,
            notes: found.notes(),
            bare: false,
        };
        let page = overlay(
            found.page.page(),
            &regions,
            found.page.explanations(),
            &options,
        );
        file.write(&page)?;
    }
    let shown = args.select.of(&found.page, &regions);
    let few = args.select.is_narrow() && shown.len() <= FEW;
    let style = match (args.json, args.details || few) {
        (true, _) => show::Style::Json,
        (false, true) => show::Style::Details,
        (false, false) => show::Style::Table,
    };
    // With --html alone, the regions are in the file and not printed as well.
    if out.is_none() || args.json || args.details || args.select.is_given() {
        show::regions(&shown, style).context("cannot write to standard output")?;
    }
    if !args.quiet {
        show::conclude(
            &found,
            &regions,
            shown.len(),
            out.as_ref().map(ReportFile::path),
            args.load_assets,
        );
    }
    Ok(match shown.is_empty() {
        true => Exit::Incomplete,
        false => Exit::Done,
    })
}

/// Cleans the page with all that is known about its site; `None` after Ctrl-C.
fn find(
    args: &Args,
    engine: &Arc<dyn Engine>,
    rules: Option<Arc<RuleSet>>,
    key: &str,
) -> anyhow::Result<Option<Explained>> {
    let mut options = CleanOptions::default();
    options.jobs = args.jobs.or(options.jobs);
    options.overrides = args.overrides.overrides();
    options.overrides.rules = rules;
    stop_on_ctrl_c(&options.progress);
    let store = args.state.as_deref().map(|path| {
        // `scratch` accepts a missing state, and would explain the page on its own evidence.
        Store::open_read_only(path).map(drop)?;
        Store::scratch(path)
    });
    let store = store.transpose()?;
    if let Some(store) = &store {
        Crawl::check_state(&**engine, store)?;
    }
    let mut sites = Sites::new(engine.memory(), store, MEMORY_BYTES)?;
    // A folder is an input as well; the message for several pages says how to name one.
    let is_file = key == "-" || Path::new(key).exists();
    let inner = inside(&args.site, key);
    if !args.site.is_empty() {
        let mut inputs = open_site(args, is_file)?;
        let name = inner.clone().unwrap_or_else(|| key.to_string());
        let asked = CanonicalUrl::parse(&name);
        let is_wanted = {
            let name = name.clone();
            move |raw: &RawPage| is_asked_for(raw, &name, asked.as_ref())
        };
        options.explain = Some(Wanted::new(is_wanted));
        let found = clean_one(args, &mut inputs, engine, &mut sites, &options)?;
        if options.progress.is_stopped() {
            return Ok(None);
        }
        if found.is_some() {
            return Ok(found);
        }
        if !is_file || inner.is_some() {
            return Err(not_found(&mut inputs, &args.site, key)?.into());
        }
    } else if !is_file {
        let message = match key.contains("://") {
            true => format!(
                "{key}: not a local file\n  hint: add --site and the folder or archive that \
                 contains it, or run `curl -s {key} | unframe why - --url {key}`"
            ),
            false => format!(
                "{key}: not found\n  hint: PAGE is a file, `-`, or, with --site, the path or URL of a page of that site"
            ),
        };
        return Err(UsageError(message).into());
    }
    // A page from outside the site is cleaned last, as a new page of it.
    let mut inputs = args.reading.open(std::slice::from_ref(&args.page), None)?;
    let raw = only_page(&mut inputs, key, args.quiet, |page| {
        format!("unframe why {page} --site {key}")
    })?;
    let names = sites.names();
    if let (true, Some(state)) = (names.is_empty(), &args.state) {
        let (state, method) = (state.display(), engine.memory().method);
        let message = format!(
            "{state}: holds nothing learned by the method {method}; learn with `unframe clean PAGES \
             --method {method} --state {state}`, or name another method with --method"
        );
        return Err(UsageError(message).into());
    }
    if !names.is_empty() {
        let place = match &args.state {
            Some(state) => state.display().to_string(),
            None => "--site".into(),
        };
        let asked = args.site_name.as_deref();
        let site = choose_site(names, &raw.site, asked, &place, "--site-name NAME", "")?;
        inputs.make_one_site(&site);
    }
    options.explain = Some(Wanted::new(|_| true));
    let found = clean_one(args, &mut inputs, engine, &mut sites, &options)?;
    if options.progress.is_stopped() {
        return Ok(None);
    }
    let lost = || UsageError(format!("{key}: contains no page"));
    Ok(Some(found.ok_or_else(lost)?))
}

/// The pages of the site. `--url` applies to PAGE if that is a separate file.
fn open_site(args: &Args, is_file: bool) -> anyhow::Result<Inputs> {
    match is_file {
        true => args.reading.without_url().open(&args.site, None),
        false => args.reading.open(&args.site, None),
    }
}

/// Cleans all pages of the inputs and explains the first that is wanted.
fn clean_one(
    args: &Args,
    inputs: &mut Inputs,
    engine: &Arc<dyn Engine>,
    sites: &mut Sites,
    options: &CleanOptions,
) -> anyhow::Result<Option<Explained>> {
    refuse_output_over(&inputs.files(), args.html.as_deref(), "--html")?;
    let watch = Watch::start(&options.progress, inputs.total_bytes(), args.quiet);
    let mut first = FirstWanted {
        wanted: options.explain.clone(),
        quiet: args.quiet,
        found: None,
    };
    let cleaned = clean(inputs, engine, sites, options, &mut first);
    drop(watch);
    cleaned.map_err(ended_early)?;
    Ok(first.found)
}

/// Keeps the first page that is wanted.
struct FirstWanted {
    wanted: Option<Wanted>,
    quiet: bool,
    found: Option<Explained>,
}

impl Sink for FirstWanted {
    type Output = Option<Explained>;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> Option<Explained> {
        let wanted = self.wanted.as_ref().is_some_and(|wanted| wanted.has(raw));
        wanted.then(|| Explained {
            raw: raw.clone(),
            page: page.clone(),
        })
    }

    fn write(&mut self, page: Option<Explained>) -> Result<(), BoxError> {
        self.found = self.found.take().or(page);
        Ok(())
    }

    fn skipped(&mut self, skipped: &Skipped) {
        warn_skipped(skipped, self.quiet, false);
    }
}
