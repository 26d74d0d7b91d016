//! Assigns pages to clusters of their site as they arrive.

use foldhash::HashMap;
use unframe_page::{Fingerprint, Page};
use unframe_survey::mdl::{OnlineClusters, OnlineParams, Sketch};

use crate::survey::Assignment;

/// Assigns pages to clusters, one after another.
#[derive(Debug)]
pub struct Assigner {
    params: OnlineParams,
    sites: HashMap<Box<str>, Site>,
}

#[derive(Debug)]
struct Site {
    online: OnlineClusters,
    of_page: HashMap<Fingerprint, u32>,
    /// The clusters that have a memory.
    known: Vec<u32>,
}

/// The cluster that a page is assigned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The key of the cluster's memory.
    pub memory: String,
    /// Memories of merged clusters: the first is to be added to the second.
    pub joined: Vec<(String, String)>,
}

impl Assigner {
    /// Without any cluster yet.
    pub fn new(params: OnlineParams) -> Assigner {
        Assigner {
            params,
            sites: HashMap::default(),
        }
    }

    /// The sketch by which a page is assigned; may be computed on any thread.
    pub fn sketch(page: &Page) -> Sketch {
        Sketch::of(page.dom(), page.url.as_deref())
    }

    /// The cluster of an arriving page. A page seen before keeps its cluster, even if its content has
    /// changed.
    pub fn assign(&mut self, site: &str, page: Fingerprint, sketch: &Sketch) -> Assigned {
        let params = &self.params;
        let clusters = self.sites.entry(site.into()).or_insert_with(|| Site {
            online: OnlineClusters::new(params.clone()),
            of_page: HashMap::default(),
            known: Vec::new(),
        });
        let (cluster, joined) = clusters.add(page, sketch);
        let memory = |cluster: u32| {
            let duplicate = false;
            Assignment { duplicate, cluster }
                .memory_key(site)
                .into_owned()
        };
        let joined = joined.into_iter();
        Assigned {
            memory: memory(cluster),
            joined: joined
                .map(|(from, into)| (memory(from), memory(into)))
                .collect(),
        }
    }

    /// The number of clusters.
    pub fn clusters(&self) -> u64 {
        let sites = self.sites.values();
        sites.map(|site| site.online.len() as u64).sum()
    }
}

impl Site {
    /// The cluster of a page, and the merges of clusters.
    fn add(&mut self, page: Fingerprint, sketch: &Sketch) -> (u32, Vec<(u32, u32)>) {
        if let Some(number) = self.of_page.get(&page) {
            return (self.online.canonical(*number), Vec::new());
        }
        let number = self.online.assign(sketch);
        self.of_page.insert(page, number);
        let mut joined = Vec::new();
        self.known.retain(|from| {
            let into = self.online.canonical(*from);
            if into != *from {
                joined.push((*from, into));
            }
            into == *from
        });
        if !self.known.contains(&number) {
            self.known.push(number);
        }
        (number, joined)
    }
}
