//! Clusters that pages are assigned to as they arrive, each with the support of its paths.
//!
//! A path is in the template of such a cluster if more than half of its pages have it. Which paths
//! are essential is known only after all pages have arrived, but paths that most pages of a cluster
//! have nearly always are.

use std::collections::BTreeMap;

use foldhash::HashMap;
use unframe_page::Fingerprint;
use unframe_survey::mdl::{OnlineClusters, OnlineParams, PagePaths, Sketch};

use super::clusters::{Template, key};

/// The clusters so far.
#[derive(Debug)]
pub(super) struct Online {
    assigner: OnlineClusters,
    /// By number; a cluster that was merged into another has no entry.
    clusters: BTreeMap<u32, Counted>,
    of_page: HashMap<Fingerprint, u32>,
    /// Also by the fingerprint of a page's paths: this is all that is known of a page to be
    /// labelled.
    of_paths: HashMap<Fingerprint, u32>,
}

#[derive(Debug, Default)]
struct Counted {
    pages: u32,
    support: HashMap<u64, u32>,
}

impl Online {
    pub(super) fn new(params: OnlineParams) -> Online {
        Online {
            assigner: OnlineClusters::new(params),
            clusters: BTreeMap::new(),
            of_page: HashMap::default(),
            of_paths: HashMap::default(),
        }
    }

    /// Assigns a page, or its new version.
    pub(super) fn add(&mut self, page: Fingerprint, paths: &PagePaths) {
        let number = match self.of_page.get(&page) {
            Some(known) => self.assigner.canonical(*known),
            None => self.assign(paths),
        };
        self.of_page.insert(page, number);
        self.of_paths.insert(key(paths.iter()), number);
        let cluster = self.clusters.entry(number).or_default();
        cluster.pages += 1;
        for path in paths.iter() {
            *cluster.support.entry(path).or_default() += 1;
        }
    }

    fn assign(&mut self, paths: &PagePaths) -> u32 {
        let number = self.assigner.assign(&Sketch::of_paths(paths));
        let numbers: Vec<u32> = self.clusters.keys().copied().collect();
        for from in numbers {
            let into = self.assigner.canonical(from);
            if let Some(gone) = (into != from)
                .then(|| self.clusters.remove(&from))
                .flatten()
            {
                let cluster = self.clusters.entry(into).or_default();
                cluster.pages += gone.pages;
                for (path, pages) in gone.support {
                    *cluster.support.entry(path).or_default() += pages;
                }
            }
        }
        number
    }

    /// Removes the counts of a page. Its cluster is remembered in case it comes again.
    pub(super) fn take_out(&mut self, page: Fingerprint, paths: &[u64]) {
        let number = self.of_page.get(&page);
        let number = number.map(|number| self.assigner.canonical(*number));
        let Some(cluster) = number.and_then(|number| self.clusters.get_mut(&number)) else {
            return;
        };
        cluster.pages = cluster.pages.saturating_sub(1);
        for path in paths {
            if let Some(pages) = cluster.support.get_mut(path) {
                *pages -= 1;
                if *pages == 0 {
                    cluster.support.remove(path);
                }
            }
        }
    }

    /// The number of clusters of two or more pages.
    pub(super) fn shared(&self) -> usize {
        self.clusters.values().filter(|c| c.pages > 1).count()
    }

    /// The template of the cluster that a page with these paths is in.
    pub(super) fn template(&self, paths: &PagePaths) -> Option<Template<'_>> {
        let number = match self.of_paths.get(&key(paths.iter())) {
            Some(number) => self.assigner.canonical(*number),
            None => self.nearest(paths)?,
        };
        let cluster = self.clusters.get(&number)?;
        (cluster.pages > 1).then_some(Template {
            number,
            pages: cluster.pages,
            paths: None,
            support: &cluster.support,
        })
    }

    /// For a page that was not learned: the cluster in which most of its paths are on most pages.
    fn nearest(&self, paths: &PagePaths) -> Option<u32> {
        let common = |cluster: &Counted| {
            let least = cluster.pages / 2 + 1;
            let support = |path| cluster.support.get(&path).copied().unwrap_or(0);
            paths.iter().filter(|path| support(*path) >= least).count()
        };
        let shared = self.clusters.iter().filter(|(_, c)| c.pages > 1);
        // Of equally good ones, the oldest.
        let nearest = shared.rev().max_by_key(|(_, cluster)| common(cluster));
        nearest.map(|(number, _)| *number)
    }
}
