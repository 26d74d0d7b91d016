//! Groups pages that share a template, by description length.

use std::sync::Arc;
use std::time::Instant;

use foldhash::HashMap;
use rayon::prelude::*;
use unframe_dom::{Limits, NodeId};
use unframe_labels::Flag;
use unframe_page::{Page, visible_texts};
use unframe_read::{InputError, Inputs, Item, RawPage, Skipped};
use unframe_survey::mdl::{self, BadMdlParams, MdlParams, NodePaths, PagePaths, PathTable};

use super::dedup::NamedPage;
use super::passes::Numbers;
use super::url_pattern::UrlPattern;
use crate::batch::parsed::{NoThreads, Outcome, Workers, each_batch, parse_item};
use crate::batch::summary::flags_of;
use crate::batch::{Pass, Progress, Summary};

/// The options of [`cluster()`].
#[derive(Clone, Debug)]
pub struct ClusterOptions {
    /// Parameters of the clustering.
    pub params: MdlParams,
    /// Cluster all pages together, ignoring their sites. Default: false, each site separately.
    pub mixed: bool,
    /// Worker threads. Default: one per core.
    pub jobs: usize,
    /// Limits for parsing one page.
    pub limits: Limits,
    /// Reports the progress of the run, and can stop it.
    pub progress: Progress,
}

impl Default for ClusterOptions {
    fn default() -> Self {
        ClusterOptions {
            params: MdlParams::default(),
            mixed: false,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            limits: Limits::default(),
            progress: Progress::default(),
        }
    }
}

/// The pages of the inputs in groups.
#[derive(Clone, Debug, Default)]
pub struct Clustered {
    /// All pages, in the order of the input.
    pub pages: Vec<NamedPage>,
    /// The groups, heap by heap; within a heap, ordered by their first page.
    pub groups: Vec<PageGroup>,
    /// The sets of pages that were clustered separately: the sites, ordered by their first page, or
    /// a single set.
    pub heaps: Vec<Heap>,
    /// Pages, sites, bytes, skipped input, and duration.
    pub summary: Summary,
}

/// Pages that share a template.
#[derive(Clone, Debug)]
pub struct PageGroup {
    /// Its heap, an index into [`Clustered::heaps`].
    pub heap: usize,
    /// Its pages in input order, as indices into [`Clustered::pages`].
    pub pages: Vec<u32>,
    /// The page most similar to the template.
    pub representative: u32,
    /// The common pattern of its pages' addresses.
    pub pattern: UrlPattern,
    /// The paths of the template, ascending. Empty for a single page.
    pub template: Vec<u64>,
    /// Bits saved compared with describing each page separately.
    pub gain: f64,
}

impl PageGroup {
    /// For each node of a page, whether its path is in the template.
    pub fn marks(&self, page: &Page) -> Vec<bool> {
        let paths = NodePaths::of(page.dom());
        let marks = (0..page.dom().nodes().len() as NodeId).map(|node| {
            let path = paths.get(node);
            path.is_some_and(|path| self.template.binary_search(&path).is_ok())
        });
        marks.collect()
    }
}

/// Pages that were clustered together.
#[derive(Clone, Debug)]
pub struct Heap {
    /// Their site; `None` if sites are mixed.
    pub site: Option<Arc<str>>,
    /// The number of pages.
    pub pages: usize,
    /// Description length in bits, each page separately.
    pub length_before: f64,
    /// Description length in bits after each merge.
    pub lengths: Vec<f64>,
    /// Description length in bits of the final clusters.
    pub length_after: f64,
}

/// Why the pages could not be clustered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The inputs could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The parameters are invalid.
    #[error(transparent)]
    Params(#[from] BadMdlParams),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] NoThreads),
}

/// Groups the pages of each site, or of all inputs, by the template that they share. `skipped` is
/// called for skipped input. A URL that occurs twice is two pages. With `again`, the inputs can be
/// read once more, for [`representatives`].
///
/// One pass over the inputs. Only names and paths of the pages are held in memory.
pub fn cluster(
    inputs: &mut Inputs,
    options: &ClusterOptions,
    again: bool,
    mut skipped: impl FnMut(&Skipped),
) -> Result<Clustered, ClusterError> {
    let started = Instant::now();
    options.params.check()?;
    let workers = Workers::start(options.jobs)?;
    let (mut found, mut sites) = (Clustered::default(), Numbers::default());
    let mut heaps: Vec<Gathered> = Vec::new();
    options.progress.begin(Pass::Counting);
    let look = |page: &Page| PagePaths::of(page.dom());
    let parse = |item| parse_item(item, &options.limits, look);
    let pages = inputs.read(again)?;
    each_batch(pages, &workers, &options.progress, parse, |outcomes, _| {
        let (mut count, mut bytes) = (0, 0);
        for outcome in outcomes {
            let parsed = match outcome {
                Outcome::Page(parsed) => *parsed,
                Outcome::Skipped(what) => {
                    found.summary.skip(&what);
                    skipped(&what);
                    continue;
                }
            };
            count += 1;
            bytes += parsed.page.bytes().len() as u64;
            let site = sites.add(&parsed.raw.site);
            let heap = if options.mixed { 0 } else { site as usize };
            if heaps.len() <= heap {
                heaps.resize_with(heap + 1, Gathered::default);
            }
            flag(&mut found.summary, &parsed.raw, &parsed.page);
            heaps[heap].add(found.pages.len() as u32, &parsed.view);
            let named = NamedPage::of(&parsed.raw, sites.name(site));
            found.pages.push(named);
        }
        found.summary.pages += count;
        found.summary.bytes += bytes;
        options.progress.add(count, bytes);
        Ok::<(), ClusterError>(())
    })?;
    found.summary.sites = sites.len() as u64;
    options.progress.begin(Pass::Clustering);
    let pages = &found.pages;
    let clustered: Vec<(Heap, Vec<PageGroup>)> = workers.run(|| {
        let heaps = heaps.into_par_iter().enumerate();
        let heaps = heaps.filter(|_| !options.progress.is_stopped());
        let heaps = heaps.map(|(number, heap)| {
            let site = (!options.mixed).then(|| Arc::clone(sites.name(number as u32)));
            let count = heap.pages.len() as u64;
            let clustered = heap.cluster(site, &options.params, pages);
            options.progress.add(count, 0);
            clustered
        });
        heaps.collect()
    });
    for (heap, groups) in clustered {
        let number = found.heaps.len();
        let numbered = |group| PageGroup {
            heap: number,
            ..group
        };
        found.groups.extend(groups.into_iter().map(numbered));
        found.heaps.push(heap);
    }
    found.summary.clusters = Some(found.groups.len() as u64);
    found.summary.interrupted = options.progress.is_stopped();
    found.summary.elapsed = started.elapsed();
    Ok(found)
}

fn flag(summary: &mut Summary, raw: &RawPage, page: &Page) {
    let mut flag = |flag: Flag| *summary.flags.entry(flag.name()).or_default() += 1;
    for found in flags_of(raw) {
        flag(found);
    }
    if visible_texts(page.dom()).next().is_none() {
        flag(Flag::NoText);
    }
}

/// A heap before it is clustered.
#[derive(Default)]
struct Gathered {
    table: PathTable,
    /// For each number in the table, the index among all pages.
    pages: Vec<u32>,
}

impl Gathered {
    fn add(&mut self, page: u32, paths: &PagePaths) {
        self.table.add(paths);
        self.pages.push(page);
    }

    fn cluster(
        self,
        site: Option<Arc<str>>,
        params: &MdlParams,
        all: &[NamedPage],
    ) -> (Heap, Vec<PageGroup>) {
        let Gathered { table, pages } = self;
        let found = mdl::cluster(table, params);
        let group = |cluster: mdl::Cluster| {
            let members = cluster.pages.iter().map(|page| pages[*page as usize]);
            let members: Vec<u32> = members.collect();
            let addresses = members.iter().map(|page| all[*page as usize].address());
            PageGroup {
                // Assigned once all heaps are clustered.
                heap: 0,
                representative: pages[cluster.representative as usize],
                pattern: UrlPattern::of(addresses).expect("a cluster has pages"),
                template: cluster.template,
                gain: cluster.gain,
                pages: members,
            }
        };
        let heap = Heap {
            site,
            pages: pages.len(),
            length_before: found.length_before,
            lengths: found.merges.iter().map(|merge| merge.length).collect(),
            length_after: found.length_after,
        };
        (heap, found.clusters.into_iter().map(group).collect())
    }
}

/// Pages that are processed together.
const BATCH: usize = 32;

/// Reads the inputs once more, as far as needed, and calls `look` on the representatives of these
/// groups, on all threads. With `again`, the inputs can be read yet again. A page that no longer
/// exists is `None`.
pub fn representatives<T: Send>(
    inputs: &mut Inputs,
    clustered: &Clustered,
    groups: &[usize],
    options: &ClusterOptions,
    again: bool,
    look: impl Fn(&Page, &PageGroup) -> T + Send + Sync,
) -> Result<Vec<Option<T>>, ClusterError> {
    let workers = Workers::start(options.jobs)?;
    let mut seen: Vec<Option<T>> = groups.iter().map(|_| None).collect();
    let name = |group: usize| {
        let page = clustered.groups[group].representative;
        &*clustered.pages[page as usize].name
    };
    let wanted = groups.iter().enumerate();
    let mut wanted: HashMap<&str, usize> = wanted.map(|(at, group)| (name(*group), at)).collect();
    let mut look_at = |batch: &mut Vec<(usize, RawPage)>| {
        let seen_pages = workers.map(std::mem::take(batch), |(at, raw)| {
            let item = Item::Page(raw);
            let of = &clustered.groups[groups[at]];
            match parse_item(item, &options.limits, |page| look(page, of)) {
                Outcome::Page(parsed) => (at, Some(parsed.view)),
                Outcome::Skipped(_) => (at, None),
            }
        });
        options.progress.add(seen_pages.len() as u64, 0);
        for (at, view) in seen_pages {
            seen[at] = view;
        }
    };
    options.progress.begin(Pass::Looking);
    let mut pages = inputs.read(again)?;
    let mut batch = Vec::new();
    while !wanted.is_empty()
        && !options.progress.is_stopped()
        && let Some(item) = pages.next()
    {
        if let Item::Page(raw) = item
            && let Some(at) = wanted.remove(raw.name.as_str())
        {
            batch.push((at, raw));
        }
        if batch.len() == BATCH {
            options.progress.set_read(pages.bytes_read());
            look_at(&mut batch);
        }
    }
    look_at(&mut batch);
    Ok(seen)
}
