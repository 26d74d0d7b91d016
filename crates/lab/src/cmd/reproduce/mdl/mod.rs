//! `unframe-lab reproduce mdl`: clustering by description length, all pairs against hashing.

mod searches;
mod templates;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use unframe::methods::mdl::Mdl;
use unframe::page::{Fingerprint, file_url, page_identity};
use unframe::survey::mdl::{Clustering, MdlParams, PagePaths, PathTable, Search, cluster};
use unframe::{Limits, Page, ViewedPage};
use unframe_console::exit::{Exit, UsageError, say};
use unframe_eval::{Corpus, GoldBags};

use super::report::{Destination, Report};

#[derive(clap::Args)]
pub struct Args {
    /// Labelled sites, sets of sites, or folders of sets; two sites or more
    #[arg(required = true, value_name = "CORPUS_DIR")]
    corpora: Vec<PathBuf>,
    /// Largest number of sites in a mixture
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
    sites: u16,
    /// Largest mixture, in pages, for which all pairs are compared
    #[arg(long, default_value_t = 600, value_name = "PAGES")]
    exact_limit: usize,
    #[command(flatten)]
    to: Destination,
}

/// A page as all experiments need it.
struct Prepared {
    /// Its site, by number.
    site: u32,
    identity: Fingerprint,
    /// As the method sees it, whatever its parameters.
    viewed: ViewedPage,
    /// How long the parser took for it.
    parsing: Duration,
    paths: PagePaths,
    gold: Option<GoldBags>,
}

/// A site with the set that it is from.
struct Site {
    set: String,
    name: String,
    pages: Vec<Prepared>,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    args.to.check()?;
    let mut sites: Vec<Site> = Vec::new();
    for path in &args.corpora {
        for set in Corpus::open(path)?.sets {
            for site in set.sites {
                let number = sites.len() as u32;
                sites.push(Site::prepare(&set.name, &site, number)?);
            }
        }
    }
    if sites.iter().all(|site| site.pages.is_empty()) {
        say(format_args!(
            "unframe-lab: no page was found in the corpora\n"
        ));
        return Ok(Exit::Incomplete);
    }
    if sites.len() < 2 {
        let message = "a mixture needs two sites or more; give a set of sites, or several sites";
        return Err(UsageError(message.into()).into());
    }
    let mut report = Report::new(
        "# Clusters by description length\n\n\
         After Kim and Shim (*TEXT: Automatic Template Extraction from Heterogeneous Web Pages*, TKDE \
         2011). *exact* compares all pairs of clusters; *lsh* only those of which two pages share a \
         band of their MinHash signatures (locality-sensitive hashing); *estimate* also estimates \
         the description length from the signatures. Times are those of clustering, without parsing, \
         on one thread.\n\n"
            .to_string(),
    );
    searches::growth(&mut report, &sites, args)?;
    searches::mixtures(&mut report, &sites, args)?;
    templates::rules(&mut report, &sites)?;
    templates::counts(&mut report, &sites, args)?;
    report.write(&args.to)?;
    Ok(Exit::Done)
}

impl Site {
    fn prepare(set: &str, site: &unframe_eval::Site, number: u32) -> anyhow::Result<Site> {
        let method = Mdl::new(MdlParams::default()).expect("defaults are valid");
        let viewer = unframe::Site::with_engine(Arc::new(method));
        let mut pages = Vec::with_capacity(site.pages.len());
        for page in &site.pages {
            let bytes = std::fs::read(&page.path);
            let bytes = bytes.with_context(|| format!("cannot read {}", page.path.display()))?;
            let url = file_url(&site.name, page.id.as_ref());
            let viewed = viewer.view(&url, bytes.clone());
            let started = Instant::now();
            let parsed = Page::parse(bytes.into(), None, None, &Limits::default());
            let parsing = started.elapsed();
            pages.push(Prepared {
                site: number,
                identity: page_identity(None, &format!("{}/{}", site.name, page.id)),
                paths: PagePaths::of(parsed.dom()),
                viewed,
                parsing,
                gold: GoldBags::read(page)?,
            });
        }
        Ok(Site {
            set: set.to_string(),
            name: site.name.clone(),
            pages,
        })
    }
}

/// The pages of the sites that have most, as many sites as a mixture has, in an order that has
/// nothing to do with the sites.
fn largest_mixture(sites: &[Site], most: usize) -> Vec<&Prepared> {
    let mut by_size: Vec<&Site> = sites.iter().collect();
    by_size.sort_by_key(|site| std::cmp::Reverse(site.pages.len()));
    by_size.truncate(most);
    shuffled(by_size.iter().flat_map(|site| &site.pages), 0)
}

/// Pages in a random order that depends on `draw` alone.
fn shuffled<'a>(pages: impl Iterator<Item = &'a Prepared>, draw: u64) -> Vec<&'a Prepared> {
    let mut pages: Vec<&Prepared> = pages.collect();
    let key = |page: &&Prepared| page_identity(None, &format!("{draw} {}", page.identity));
    pages.sort_by_cached_key(key);
    pages
}

/// Threads for what is timed: one, so that times do not depend on the machine's cores.
struct Timed(rayon::ThreadPool);

impl Timed {
    fn new() -> anyhow::Result<Timed> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        Ok(Timed(pool.context("cannot start a thread")?))
    }

    fn cluster(&self, pages: &[&Prepared], params: &MdlParams) -> (Clustering, Duration) {
        let mut table = PathTable::default();
        for page in pages {
            table.add(&page.paths);
        }
        let started = Instant::now();
        let found = self.0.install(|| cluster(table, params));
        (found, started.elapsed())
    }
}

fn with_search(search: Search) -> MdlParams {
    let mut params = MdlParams::default();
    params.search = search;
    params
}

const SEARCHES: [(&str, Search); 3] = [
    ("exact", Search::Exact),
    ("lsh", Search::Lsh),
    ("estimate", Search::Estimate),
];

fn number(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.3}"))
}
