//! The survey before learning: which pages are duplicates, and which share a layout.
//!
//! One pass over the inputs, or two if duplicates are wanted and the terms of the pages do not fit into
//! [`SurveyOptions::keep_bytes`]. Pages are not held in memory: each page takes about 150 bytes, each
//! distinct term of a site up to 39, and each distinct set of tag paths up to 2 kB. Clusters by
//! description length take 8 bytes for every distinct path of a page.

mod cluster;
mod dedup;
mod passes;
mod url_pattern;

pub use cluster::{
    ClusterError, ClusterOptions, Clustered, Heap, PageGroup, cluster, representatives,
};
pub use unframe_survey::{
    BadCutOffs, Duplicates, Frequencies, IMatchParams, Lexicon, MinMaxParams, PathSet, PathSets,
    Signature, Terms, kept_pages, mdl, min_max,
};

pub use dedup::{DedupError, Deduped, DuplicateGroup, KeepPage, NamedPage, dedup};

use std::borrow::Cow;
use std::time::{Duration, Instant};

use foldhash::HashMap;
use unframe_dom::Limits;
use unframe_page::Fingerprint;
use unframe_read::{InputError, Inputs};
use unframe_survey::mdl::{
    BadMdlParams, MdlParams, PagePaths, PathTable, cluster as cluster_paths,
};

use crate::batch::{NoThreads, Progress};
use passes::{Numbers, Passes};

/// The options of [`survey()`] and of [`dedup()`].
#[derive(Clone, Debug)]
pub struct SurveyOptions {
    /// Find duplicates with these parameters. Default: off.
    pub duplicates: Option<IMatchParams>,
    /// Also compare pages of different sites. Default: false, each site is a separate collection.
    pub across_sites: bool,
    /// Cluster the pages of each site this way. Default: off.
    pub clusters: Option<ClusterBy>,
    /// Worker threads. With 1, everything runs on the caller's thread. Default: one per core.
    pub jobs: usize,
    /// Limits for parsing one page.
    pub limits: Limits,
    /// Bytes of terms to keep from the first pass for the second. If all fit, nothing is read and
    /// parsed twice; if not, all are dropped. Default 64 MiB.
    pub keep_bytes: usize,
    /// Reports the progress of the run, and can stop it.
    pub progress: Progress,
}

/// How the pages of a site are clustered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClusterBy {
    /// By the distances between their tag paths.
    MinMax(MinMaxParams),
    /// By description length of all their paths, including texts.
    Mdl(MdlParams),
}

impl Default for SurveyOptions {
    fn default() -> Self {
        SurveyOptions {
            duplicates: None,
            across_sites: false,
            clusters: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            limits: Limits::default(),
            keep_bytes: 64 << 20,
            progress: Progress::default(),
        }
    }
}

/// Why the survey failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// The inputs could not be read again.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The parameters are invalid.
    #[error(transparent)]
    CutOffs(#[from] BadCutOffs),
    /// The parameters of the clustering are invalid.
    #[error(transparent)]
    Clusters(#[from] BadMdlParams),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] NoThreads),
}

/// The results for all pages.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    sites: Numbers,
    pages: HashMap<(u32, Fingerprint), Assignment>,
    clusters: Option<u64>,
    pub(crate) elapsed: Duration,
}

/// The result for one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// An earlier page has the same text.
    pub duplicate: bool,
    /// The page's cluster within its site; the site's first page is in cluster 0.
    pub cluster: u32,
}

impl Assignment {
    /// The key of the memory of the page's cluster: the site's name for the first cluster, else the
    /// name with a NUL and a number. No site has a NUL in its name, so keys cannot collide.
    pub(crate) fn memory_key<'a>(&self, site: &'a str) -> Cow<'a, str> {
        match self.cluster {
            0 => Cow::Borrowed(site),
            cluster => Cow::Owned(format!("{site}\0{cluster}")),
        }
    }
}

impl Survey {
    /// The result for a page; the default if the page was not surveyed.
    pub fn assignment(&self, site: &str, identity: Fingerprint) -> Assignment {
        let site = self.sites.get(site);
        let assigned = site.and_then(|site| self.pages.get(&(site, identity)));
        assigned.copied().unwrap_or_default()
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The number of duplicates.
    pub fn duplicates(&self) -> usize {
        self.pages
            .values()
            .filter(|assigned| assigned.duplicate)
            .count()
    }

    /// The number of clusters of all sites, if pages were clustered.
    pub fn clusters(&self) -> Option<u64> {
        self.clusters
    }
}

/// What the passes collect about a page.
struct Gathered {
    /// The position of its first version.
    order: u32,
    /// Its set of tag paths, by number within the site.
    tag_paths: u32,
    /// All its paths, if needed.
    paths: PagePaths,
    signature: Option<Signature>,
}

/// Surveys all pages of the inputs, which can be read again afterwards. If a page occurs more than
/// once, the last version counts, as in learning.
pub fn survey(inputs: &mut Inputs, options: &SurveyOptions) -> Result<Survey, SurveyError> {
    let started = Instant::now();
    let mut passes = Passes::start(options, options.keep_bytes)?;
    let mut pages: HashMap<(u32, Fingerprint), Gathered> = HashMap::default();
    let mut path_sets: Vec<PathSets> = Vec::new();
    passes.first(
        inputs.read(true)?,
        |page| {
            if path_sets.len() <= page.site as usize {
                path_sets.push(PathSets::default());
            }
            let sets = &mut path_sets[page.site as usize];
            let order = pages.len() as u32;
            let known = pages.entry((page.site, page.identity));
            let gathered = known.or_insert_with(|| Gathered {
                order,
                tag_paths: 0,
                paths: PagePaths::default(),
                signature: None,
            });
            gathered.tag_paths = page.tag_paths.map_or(0, |paths| sets.add(paths));
            gathered.paths = page.paths.unwrap_or_default();
        },
        |_| (),
    )?;
    if options.duplicates.is_some() {
        passes.second(inputs, true, |page| {
            if let Some(gathered) = pages.get_mut(&(page.site, page.identity)) {
                gathered.signature = page.signature;
            }
            Ok::<(), SurveyError>(())
        })?;
    }

    let mut in_order: Vec<((u32, Fingerprint), Gathered)> = pages.into_iter().collect();
    in_order.sort_unstable_by_key(|(_, gathered)| gathered.order);
    let clusters: Option<Vec<u32>> = options.clusters.as_ref().map(|by| match by {
        ClusterBy::MinMax(params) => by_tag_paths(&in_order, path_sets, params),
        ClusterBy::Mdl(params) => passes
            .workers()
            .run(|| by_description(&mut in_order, path_sets.len(), params)),
    });
    let number = clusters.as_ref().map(|clusters| {
        let mut last: HashMap<u32, u32> = HashMap::default();
        for (((site, _), _), cluster) in in_order.iter().zip(clusters) {
            let last = last.entry(*site).or_default();
            *last = (*last).max(*cluster);
        }
        last.values().map(|last| u64::from(*last) + 1).sum()
    });
    let mut duplicates = Duplicates::default();
    let pages = in_order
        .into_iter()
        .enumerate()
        .map(|(at, (page, gathered))| {
            let Gathered {
                order, signature, ..
            } = gathered;
            let kept = duplicates.meet(passes.scope(page.0), signature, order);
            let assigned = Assignment {
                duplicate: kept != order,
                cluster: clusters.as_ref().map_or(0, |clusters| clusters[at]),
            };
            (page, assigned)
        });
    Ok(Survey {
        pages: pages.collect(),
        clusters: number,
        sites: passes.into_sites(),
        elapsed: started.elapsed(),
    })
}

/// The cluster of each page within its site.
fn by_tag_paths(
    pages: &[((u32, Fingerprint), Gathered)],
    path_sets: Vec<PathSets>,
    params: &MinMaxParams,
) -> Vec<u32> {
    let sites: Vec<Vec<u32>> = path_sets
        .into_iter()
        .map(|sets| min_max(&sets.into_vec(), params))
        .collect();
    let cluster =
        |((site, _), page): &((u32, _), Gathered)| sites[*site as usize][page.tag_paths as usize];
    pages.iter().map(cluster).collect()
}

/// The same by description length; consumes the paths of the pages.
fn by_description(
    pages: &mut [((u32, Fingerprint), Gathered)],
    sites: usize,
    params: &MdlParams,
) -> Vec<u32> {
    let mut tables = vec![PathTable::default(); sites];
    let mut numbers = Vec::with_capacity(pages.len());
    for ((site, _), page) in pages {
        let paths = std::mem::take(&mut page.paths);
        numbers.push((*site as usize, tables[*site as usize].add(&paths)));
    }
    let of_page: Vec<Vec<u32>> = tables
        .into_iter()
        .map(|table| cluster_paths(table, params).of_page)
        .collect();
    let numbers = numbers.into_iter();
    numbers
        .map(|(site, page)| of_page[site][page as usize])
        .collect()
}
