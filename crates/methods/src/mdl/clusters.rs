//! The clusters of all learned pages, each with its template.

use foldhash::{HashMap, HashSet};
use unframe_page::{Fingerprint, Kind};
use unframe_survey::mdl::{Cluster, MdlParams, PagePaths, PathTable, cluster};

/// The result of clustering all pages at once.
#[derive(Debug)]
pub(super) struct Clusters {
    params: MdlParams,
    clusters: Vec<Known>,
    /// The cluster of each page, by its paths: pages with the same paths are labelled alike.
    of_paths: HashMap<Fingerprint, u32>,
    /// The paths of all templates.
    in_templates: HashSet<u64>,
}

#[derive(Debug)]
struct Known {
    number: u32,
    pages: u32,
    /// Ascending.
    template: Vec<u64>,
    /// The number of pages for each path that is on two or more.
    support: HashMap<u64, u32>,
}

impl Clusters {
    /// Clusters `pages` in the given order. Clusters are numbered by the arrival of their first
    /// page.
    pub(super) fn of(pages: &[(u64, &[u64])], params: &MdlParams) -> Clusters {
        let mut table = PathTable::default();
        for (_, paths) in pages {
            table.add(&paths.iter().copied().collect());
        }
        let found = cluster(table, params);
        let mut of_paths = HashMap::default();
        for ((_, paths), number) in pages.iter().zip(&found.of_page) {
            of_paths
                .entry(key(paths.iter().copied()))
                .or_insert(*number);
        }
        let mut clusters: Vec<Known> = found
            .clusters
            .into_iter()
            .map(|cluster| Known::new(cluster, pages))
            .collect();
        let mut came = vec![u64::MAX; clusters.len()];
        for ((order, _), cluster) in pages.iter().zip(&found.of_page) {
            let first = &mut came[*cluster as usize];
            *first = (*order).min(*first);
        }
        let mut by_coming: Vec<usize> = (0..clusters.len()).collect();
        by_coming.sort_by_key(|cluster| came[*cluster]);
        for (number, cluster) in by_coming.into_iter().enumerate() {
            clusters[cluster].number = number as u32;
        }
        Clusters {
            params: params.clone(),
            in_templates: clusters.iter().flat_map(|c| c.template.clone()).collect(),
            clusters,
            of_paths,
        }
    }

    pub(super) fn params(&self) -> &MdlParams {
        &self.params
    }

    /// The number of clusters with two or more pages.
    pub(super) fn shared(&self) -> usize {
        self.clusters.iter().filter(|c| c.pages > 1).count()
    }

    /// The template of a page with these paths; `None` if it is alone in its cluster. A page that
    /// was not learned belongs to the cluster whose template it differs from least, if that
    /// describes it better than no template.
    pub(super) fn template(&self, paths: &PagePaths) -> Option<Template<'_>> {
        let known = match self.of_paths.get(&key(paths.iter())) {
            Some(number) => &self.clusters[*number as usize],
            None => self.nearest(paths)?,
        };
        (known.pages > 1).then_some(Template {
            number: known.number,
            pages: known.pages,
            paths: Some(&known.template),
            support: &known.support,
        })
    }

    fn nearest(&self, paths: &PagePaths) -> Option<&Known> {
        let own: HashSet<u64> = paths
            .iter()
            .filter(|path| self.in_templates.contains(path))
            .collect();
        let differences = |known: &&Known| {
            let both = known.template.iter().filter(|path| own.contains(path));
            known.template.len() + own.len() - 2 * both.count()
        };
        let nearest = self
            .clusters
            .iter()
            .min_by_key(|c| (differences(c), c.number));
        nearest.filter(|nearest| differences(nearest) < own.len())
    }
}

impl Known {
    fn new(cluster: Cluster, pages: &[(u64, &[u64])]) -> Known {
        let mut support: HashMap<u64, u32> = HashMap::default();
        for page in &cluster.pages {
            for path in pages[*page as usize].1 {
                *support.entry(*path).or_default() += 1;
            }
        }
        support.retain(|_, pages| *pages > 1);
        support.shrink_to_fit();
        Known {
            number: 0,
            pages: cluster.pages.len() as u32,
            template: cluster.template,
            support,
        }
    }
}

/// A fingerprint that is equal for pages with the same paths.
pub(super) fn key(paths: impl Iterator<Item = u64>) -> Fingerprint {
    let bytes: Vec<u8> = paths.flat_map(u64::to_be_bytes).collect();
    Fingerprint::of(Kind::Content, bytes)
}

/// The template of a page's cluster.
pub(super) struct Template<'a> {
    pub(super) number: u32,
    pub(super) pages: u32,
    /// Ascending; if `None`, the template is the paths that most pages have.
    pub(super) paths: Option<&'a [u64]>,
    pub(super) support: &'a HashMap<u64, u32>,
}

impl Template<'_> {
    pub(super) fn contains(&self, path: u64) -> bool {
        match self.paths {
            Some(paths) => paths.binary_search(&path).is_ok(),
            None => self.support(path) > self.pages / 2,
        }
    }

    /// The number of pages of the cluster that have a path of this page.
    pub(super) fn support(&self, path: u64) -> u32 {
        self.support.get(&path).copied().unwrap_or(1)
    }

    /// The number of the cluster, and how many pages it has.
    pub(super) fn cluster(&self) -> (Option<u32>, u32) {
        (Some(self.number), self.pages)
    }
}
