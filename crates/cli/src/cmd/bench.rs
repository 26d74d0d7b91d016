//! `unframe bench`: how good each method is on labelled sites, and how fast.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use rayon::prelude::*;
use serde::Serialize;
use unframe::mdl::{MdlParams, OnlineParams, PagePaths, PathTable, cluster};
use unframe::{
    Assigner, AutoMemory, ChunkMemory, IMatchParams, Labels, Limits, LinksMemory, MdlMemory, Method,
    MinMaxParams, Page, PathSet, Sites, StreamMemory, Terms, Text, content_fingerprint, file_url,
    kept_pages, min_max, page_identity, text,
};
use unframe_eval::{
    Columns, Corpus, EvalError, GoldBags, SetTotal, Site, SiteTotal, Teco, unit_time,
};

use super::bench_nodes;
use crate::exit::{Exit, UsageError, say};
use crate::methods::MethodSpec;
use crate::survey_args::Cluster;

/// Score every method on labelled sites
///
/// A labelled site is a folder with `pages/` and `gold/` (one JSON file a page with `content`,
/// `template`, `dynamic`, `meta` or `survive`); a set is a folder of sites. Methods see the whole
/// site and are scored on the text that they keep, as multisets of words.
///
/// A folder of TECO's shape (a folder a site, in which the key page marks its own elements with the
/// class `notTemplate` or `TECO_notTemplate`) is scored by elements, with the methods `links`.
#[derive(clap::Args)]
#[command(after_help = "Columns, means over pages, then over sites:
  F1     content against everything else       F1t    content against the template alone
  P, R   precision and recall of content       leakT, leakD  template, dynamic text left in
  surv   labelled values that survive          kept   share of the page's words kept
  ms/kB  time for 1000 bytes of page           state  bytes of state a site

Methods are written NAME or NAME:SETTING,… as in auto:remove=template,lean=precision,
stream:arrival,df=3,separators=table+div, chunks:preset=ma-2003b,threshold=30%,sample=9, mdl:mode-rule=literal or links:preset=alarte-best,t=5.
stream and chunks can learn clusters apart: stream:cluster=mdl, chunks:cluster=minmax.

Examples:
  unframe bench demo
  unframe bench corpora/dwt-dev --sites --method text --method stream:separators=modern
  unframe bench corpora --json > scores.json")]
pub struct Args {
    /// A labelled site, a set of sites, or a folder of sets
    #[arg(required = true, value_name = "CORPUS_DIR")]
    corpora: Vec<PathBuf>,
    /// A method to score; may be given more than once [default: all]
    #[arg(short, long, value_name = "METHOD")]
    method: Vec<MethodSpec>,
    /// Show each site, not only the totals
    #[arg(long)]
    sites: bool,
    /// One JSON document with all numbers
    #[arg(long)]
    json: bool,
    /// Write the kept texts to DIR/METHOD/SET/SITE/PAGE.txt, for other scorers
    #[arg(long, value_name = "DIR")]
    texts: Option<PathBuf>,
    /// Sites worked on at the same time; speeds are per thread [default: one a core]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// The methods as they are commonly meant, in the order of a table.
const ALL: [&str; 13] = [
    "text",
    "chunks:preset=ma-2003a",
    "chunks:preset=ma-2003b",
    "chunks:preset=modern",
    "stream:arrival",
    "stream",
    "stream:separators=modern",
    "mdl:preset=kim-shim",
    "mdl",
    "links:preset=alarte-2014",
    "links",
    "auto:remove=template",
    "auto",
];

/// One method on one set.
#[derive(Serialize)]
struct Row {
    method: String,
    #[serde(flatten)]
    total: SetTotal,
    pages_per_second: f64,
    megabytes_per_second: f64,
    /// The papers' unit execution time: milliseconds for 1000 bytes of page.
    ms_per_kb: f64,
    /// Mean over sites.
    state_bytes: f64,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let methods = match args.method.is_empty() {
        true => ALL
            .map(|name| name.parse().expect("a known method"))
            .to_vec(),
        false => args.method.clone(),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .build()?;
    let mut rows = Vec::new();
    let mut by_nodes = false;
    for path in &args.corpora {
        let corpus = match Corpus::open(path) {
            Err(error @ EvalError::NoSites { .. }) => {
                let teco = Teco::open(path)?.ok_or(error)?;
                score_nodes(&args, &teco, &methods, &pool)?;
                by_nodes = true;
                continue;
            }
            corpus => corpus?,
        };
        for folder in &corpus.skipped {
            say(format_args!(
                "unframe: {}: holds no labelled site, passed over\n",
                folder.display()
            ));
        }
        for set in &corpus.sets {
            for method in &methods {
                let scored = pool.install(|| {
                    set.sites
                        .par_iter()
                        .map(|site| score_site(&args, method, &set.name, site))
                        .collect::<anyhow::Result<Vec<_>>>()
                })?;
                let row = add_up(method, &set.name, scored);
                if !args.json {
                    let table = lines(&row, rows.is_empty(), args.sites);
                    std::io::stdout().write_all(table.as_bytes())?;
                }
                rows.push(row);
            }
        }
    }
    if rows.is_empty() && by_nodes {
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        let message = "no labelled site was found; a site is a folder with pages/ and gold/";
        return Err(UsageError(message.into()).into());
    }
    if args.json {
        writeln!(
            std::io::stdout(),
            "{}",
            serde_json::to_string_pretty(&rows)?
        )?;
    }
    Ok(Exit::Done)
}

/// Sites of TECO's shape, whose labels are those of elements.
fn score_nodes(
    args: &Args,
    teco: &Teco,
    methods: &[MethodSpec],
    pool: &rayon::ThreadPool,
) -> anyhow::Result<()> {
    let (rows, others) = pool.install(|| bench_nodes::score(teco, methods))?;
    if !others.is_empty() {
        say(format_args!(
            "unframe: {}: labels elements, and these methods label texts: {}\n",
            teco.name,
            others.join(", ")
        ));
    }
    let out = match args.json {
        true => serde_json::to_string_pretty(&rows)? + "\n",
        false => bench_nodes::table(&rows, args.sites),
    };
    Ok(std::io::stdout().write_all(out.as_bytes())?)
}

struct ScoredSite {
    total: SiteTotal,
    pages: u64,
    bytes: u64,
    seconds: f64,
    state_bytes: u64,
}

fn score_site(
    args: &Args,
    method: &MethodSpec,
    set: &str,
    site: &Site,
) -> anyhow::Result<ScoredSite> {
    let mut bytes = Vec::with_capacity(site.pages.len());
    for page in &site.pages {
        let read = std::fs::read(&page.path);
        let read = read.with_context(|| format!("cannot read {}", page.path.display()))?;
        bytes.push((file_url(&site.name, Path::new(&page.id)), read));
    }
    let size = bytes.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let started = Instant::now();
    let plan = Plan::of(method);
    let (texts, state_bytes) = match method {
        MethodSpec::Text => clean_site(&Text, plan, bytes, |_| 0)?,
        MethodSpec::Auto { method, .. } => {
            clean_site(method, plan, bytes, AutoMemory::table_bytes)?
        }
        MethodSpec::Stream { method, .. } => {
            clean_site(method, plan, bytes, StreamMemory::table_bytes)?
        }
        MethodSpec::Chunks { method, .. } => {
            clean_site(method, plan, bytes, ChunkMemory::table_bytes)?
        }
        MethodSpec::Mdl { method, .. } => clean_site(method, plan, bytes, MdlMemory::table_bytes)?,
        MethodSpec::Links { method, .. } => {
            clean_site(method, plan, bytes, LinksMemory::table_bytes)?
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let mut columns: Vec<Columns> = Vec::new();
    for (page, text) in site.pages.iter().zip(&texts) {
        if let Some(folder) = &args.texts {
            let name = method.to_string().replace(':', "-");
            let file = folder
                .join(name)
                .join(set)
                .join(&site.name)
                .join(format!("{}.txt", page.id));
            let parent = file.parent().expect("has a folder");
            std::fs::create_dir_all(parent)
                .and_then(|()| std::fs::write(&file, text))
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        if let Some(gold) = GoldBags::read(page)? {
            columns.push(gold.score(text));
        }
    }
    Ok(ScoredSite {
        total: SiteTotal::new(site.name.clone(), &columns),
        pages: site.pages.len() as u64,
        bytes: size,
        seconds,
        state_bytes,
    })
}

/// What is done beside the method.
#[derive(Clone, Copy, Default)]
struct Plan {
    /// Label pages when they arrive.
    arrival: bool,
    /// Do not learn from duplicates.
    dedup: bool,
    /// Learn clusters apart.
    cluster: Cluster,
}

impl Plan {
    fn of(method: &MethodSpec) -> Plan {
        let plan = Plan::default();
        match *method {
            MethodSpec::Text => Plan {
                arrival: true,
                ..plan
            },
            MethodSpec::Stream {
                arrival, cluster, ..
            } => Plan {
                arrival,
                cluster,
                ..plan
            },
            MethodSpec::Chunks { dedup, cluster, .. } => Plan {
                dedup,
                cluster,
                ..plan
            },
            MethodSpec::Auto { arrival, .. }
            | MethodSpec::Mdl { arrival, .. }
            | MethodSpec::Links { arrival, .. } => Plan { arrival, ..plan },
        }
    }
}

/// Cleans one site in memory, page by page, as `clean` does.
fn clean_site<M: Method>(
    method: &M,
    plan: Plan,
    pages: Vec<(String, Vec<u8>)>,
    state_bytes: impl Fn(&M::Memory) -> u64,
) -> anyhow::Result<(Vec<String>, u64)> {
    let mut sites = Sites::<M::Memory>::new(None, usize::MAX);
    let finish = |page: &Page, mut labels: Labels| {
        labels.never_empty();
        text(page.dom(), &labels)
    };
    let pages = pages
        .into_iter()
        .map(|(url, bytes)| Page::parse(bytes, Some(url), None, &Limits::default()));
    let pages: Vec<Page> = pages.collect();
    let kept: Vec<u32> = match plan.dedup {
        true => {
            let terms: Vec<Terms> = pages.iter().map(|page| Terms::of(page.dom())).collect();
            kept_pages(&terms, &IMatchParams::default())
        }
        false => (0..).take(pages.len()).collect(),
    };
    let clusters = clusters(&pages, plan);
    let mut assigner = Assigner::new(OnlineParams::default());
    let mut viewed = Vec::new();
    let mut texts = Vec::new();
    for ((number, page), kept) in (0..).zip(pages).zip(kept) {
        let view = method.view(&page);
        let identity = page_identity(None, &number.to_string());
        let site = match (plan.cluster, plan.arrival) {
            (Cluster::Mdl, true) => {
                let assigned = assigner.assign("", identity, &Assigner::sketch(&page));
                for (from, into) in &assigned.joined {
                    sites.join(from, into)?;
                }
                assigned.memory
            }
            _ => clusters[number as usize].to_string(),
        };
        sites.load(&site)?;
        if kept == number {
            let content = content_fingerprint(page.bytes());
            let length = page.bytes().len() as u64;
            sites.visit(&site, identity, content, length, |memory, visit| {
                method.learn(memory, &page, &view, visit)
            })?;
        }
        if plan.arrival {
            let memory = sites.get(&site).expect("loaded above");
            texts.push(finish(&page, method.label(memory, &view)));
        } else {
            viewed.push((page, view, site));
        }
    }
    texts.extend(viewed.iter().map(|(page, view, site)| {
        let memory = sites.get(site).expect("loaded above");
        finish(page, method.label(memory, view))
    }));
    let state = sites.iter().map(|(memory, _)| state_bytes(memory)).sum();
    Ok((texts, state))
}

/// The cluster of each page, if they are found by all pages.
fn clusters(pages: &[Page], plan: Plan) -> Vec<u32> {
    match plan.cluster {
        Cluster::None => vec![0; pages.len()],
        Cluster::Mdl if plan.arrival => Vec::new(),
        Cluster::Minmax => {
            let sets: Vec<PathSet> = pages.iter().map(|page| PathSet::of(page.dom())).collect();
            min_max(&sets, &MinMaxParams::default())
        }
        Cluster::Mdl => {
            let mut table = PathTable::default();
            for page in pages {
                table.add(&PagePaths::of(page.dom()));
            }
            cluster(table, &MdlParams::default()).of_page
        }
    }
}

fn add_up(method: &MethodSpec, set: &str, sites: Vec<ScoredSite>) -> Row {
    let sum = |of: fn(&ScoredSite) -> f64| sites.iter().map(of).sum::<f64>();
    let seconds = sum(|site| site.seconds).max(1e-9);
    let pages_per_second = sum(|site| site.pages as f64) / seconds;
    let megabytes_per_second = sum(|site| site.bytes as f64) / seconds / 1e6;
    let elapsed = Duration::from_secs_f64(seconds);
    let bytes = sites.iter().map(|site| site.bytes).sum();
    let ms_per_kb = unit_time(elapsed, bytes).unwrap_or(0.0);
    let state_bytes = sum(|site| site.state_bytes as f64) / sites.len().max(1) as f64;
    Row {
        method: method.to_string(),
        total: SetTotal::new(set, sites.into_iter().map(|site| site.total).collect()),
        pages_per_second,
        megabytes_per_second,
        ms_per_kb,
        state_bytes,
    }
}

/// A row of the table, with the heading if it is the first and with its sites if asked for.
fn lines(row: &Row, first: bool, sites: bool) -> String {
    let mut out = String::new();
    if first {
        let names = Columns::default().named().map(|(name, _)| name.to_string());
        let speeds = ["pages/s", "MB/s", "ms/kB", "state"].map(String::from);
        out += &line("set", "method", &names, speeds);
    }
    let speeds = [
        format!("{:.0}", row.pages_per_second),
        format!("{:.1}", row.megabytes_per_second),
        format!("{:.3}", row.ms_per_kb),
        format!("{:.0}", row.state_bytes),
    ];
    let total = &row.total;
    out += &line(&total.set, &row.method, &numbers(&total.columns), speeds);
    for site in total.sites.iter().filter(|_| sites) {
        let name = format!("  {}", site.site);
        out += &line("", &name, &numbers(&site.columns), Default::default());
    }
    out
}

fn numbers(columns: &Columns) -> Vec<String> {
    columns
        .named()
        .into_iter()
        .map(|(_, value)| value.map_or("–".into(), |value| format!("{value:.3}")))
        .collect()
}

fn line(set: &str, method: &str, columns: &[String], speeds: [String; 4]) -> String {
    let mut out = format!("{set:<12.12} {method:<26}");
    for column in columns {
        out.push_str(&format!(" {column:>5}"));
    }
    let [pages, megabytes, unit, state] = speeds;
    out + &format!(" {pages:>8} {megabytes:>6} {unit:>6} {state:>9}\n")
}
