//! One labelled site, cleaned by one method.
//!
//! Everything that decides about a text is done by [`unframe::Site`], so that scores are those of the
//! product: overrides, the guard against empty pages and the method itself. This module only chooses
//! which pages are learned, into which [`Site`], and when a page is labelled.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use unframe::batch::Assigner;
use unframe::methods::{Clustering, MethodSpec};
use unframe::survey::mdl::{MdlParams, OnlineParams, PagePaths, PathTable, cluster};
use unframe::survey::{IMatchParams, MinMaxParams, PathSet, Terms, kept_pages, min_max};
use unframe::{CleanPage, Page, Site, StoreError, ViewedPage};

use super::draw::Draw;

/// What a method has kept of a site.
pub struct Cleaned {
    /// The pages; `None` if a page was not judged.
    pub pages: Vec<Option<Judged>>,
    /// Bytes of state; the mean if pages were judged with states of their own.
    pub state_bytes: u64,
    /// How long parsing, learning, labelling and rendering took.
    pub elapsed: Duration,
}

/// A page that was judged.
#[derive(Clone)]
pub struct Judged {
    /// What was kept.
    pub text: String,
    /// The page with its labels.
    pub page: CleanPage,
}

impl Judged {
    /// Labels and renders a page.
    fn by(site: &Site, viewed: &ViewedPage) -> Judged {
        let page = site.label_viewed(viewed);
        Judged {
            text: page.text(),
            page,
        }
    }
}

/// Cleans the pages of a site, given as URLs with their HTML. Without `draws`, all pages are learned
/// and judged; with them, each judged page has a site of its own that learns the drawn pages.
pub fn clean(
    spec: &MethodSpec,
    sources: Vec<(String, Vec<u8>)>,
    draws: Option<&[Draw]>,
) -> Result<Cleaned, StoreError> {
    let started = Instant::now();
    let viewer = Site::with_method(spec);
    let view = |(url, html): (String, Vec<u8>)| viewer.view(&url, html);
    let pages: Vec<ViewedPage> = sources.into_iter().map(view).collect();
    let all: Vec<usize> = (0..pages.len()).collect();
    let runs: Vec<(&[usize], &[usize])> = match draws {
        None => vec![(&all, &all)],
        Some(draws) => draws
            .iter()
            .map(|draw| (&*draw.pages, std::slice::from_ref(&draw.judged)))
            .collect(),
    };
    let mut cleaned = Cleaned {
        pages: vec![None; pages.len()],
        state_bytes: 0,
        elapsed: started.elapsed(),
    };
    for (learned, judged) in &runs {
        let started = Instant::now();
        let mut sites = ClusterSites::new(spec);
        sites.clean(&pages, learned, judged, &mut cleaned.pages)?;
        cleaned.elapsed += started.elapsed();
        cleaned.state_bytes += sites.state_bytes()?;
    }
    cleaned.state_bytes /= runs.len().max(1) as u64;
    Ok(cleaned)
}

/// One [`Site`] per cluster of pages; without clustering there is one cluster.
struct ClusterSites<'a> {
    spec: &'a MethodSpec,
    by_cluster: BTreeMap<String, Site>,
}

impl<'a> ClusterSites<'a> {
    fn new(spec: &'a MethodSpec) -> Self {
        ClusterSites {
            spec,
            by_cluster: BTreeMap::new(),
        }
    }

    /// Learns pages one after another, and cleans those that are judged.
    fn clean(
        &mut self,
        pages: &[ViewedPage],
        learned: &[usize],
        judged: &[usize],
        cleaned: &mut [Option<Judged>],
    ) -> Result<(), StoreError> {
        let arrival = self.spec.arrival;
        let is_judged: HashSet<&usize> = judged.iter().collect();
        let drawn: Vec<&Page> = learned.iter().map(|at| pages[*at].page()).collect();
        let is_duplicate = duplicates(&drawn, self.spec.dedup);
        let mut clusters = Clusters::of(&drawn, self.spec);
        let mut cluster_of: HashMap<usize, String> = HashMap::new();
        for (number, at) in learned.iter().enumerate() {
            let page = &pages[*at];
            let cluster = clusters.assign(number, page, self)?;
            let site = self.site(&cluster);
            if !is_duplicate[number] {
                site.learn_viewed(page)?;
            }
            if arrival && is_judged.contains(at) {
                cleaned[*at] = Some(Judged::by(site, page));
            }
            cluster_of.insert(*at, cluster);
        }
        if !arrival {
            for at in judged {
                let site = self.site(&cluster_of[at]);
                cleaned[*at] = Some(Judged::by(site, &pages[*at]));
            }
        }
        Ok(())
    }

    fn site(&mut self, cluster: &str) -> &mut Site {
        let spec = self.spec;
        let known = self.by_cluster.entry(cluster.to_string());
        known.or_insert_with(|| Site::with_method(spec))
    }

    /// Two clusters have become one.
    fn join(&mut self, from: &str, into: &str) -> Result<(), StoreError> {
        if let Some(from) = self.by_cluster.remove(from) {
            self.site(into).merge(from)?;
        }
        Ok(())
    }

    /// Bytes of all that was learned, as a state has them.
    fn state_bytes(&mut self) -> Result<u64, StoreError> {
        let mut bytes = 0;
        for site in self.by_cluster.values_mut() {
            bytes += site.to_bytes()?.len() as u64;
        }
        Ok(bytes)
    }
}

/// Which pages have the text of an earlier page.
fn duplicates(pages: &[&Page], dedup: bool) -> Vec<bool> {
    if !dedup {
        return vec![false; pages.len()];
    }
    let terms: Vec<Terms> = pages.iter().map(|page| Terms::of(page.dom())).collect();
    let kept = kept_pages(&terms, &IMatchParams::default());
    (0..).zip(kept).map(|(page, kept)| page != kept).collect()
}

/// The clusters of pages, by number or by the assigner's names.
enum Clusters {
    /// Found from all pages before any is learned.
    Known(Vec<u32>),
    /// Found as pages arrive.
    Arriving(Assigner),
}

impl Clusters {
    fn of(pages: &[&Page], spec: &MethodSpec) -> Clusters {
        Clusters::Known(match spec.cluster {
            Clustering::None => vec![0; pages.len()],
            Clustering::Minmax => {
                let sets: Vec<PathSet> = pages.iter().map(|page| PathSet::of(page.dom())).collect();
                min_max(&sets, &MinMaxParams::default())
            }
            Clustering::Mdl if spec.arrival => {
                return Clusters::Arriving(Assigner::new(OnlineParams::default()));
            }
            Clustering::Mdl => {
                let mut table = PathTable::default();
                for page in pages {
                    table.add(&PagePaths::of(page.dom()));
                }
                cluster(table, &MdlParams::default()).of_page
            }
        })
    }

    /// The cluster of a page; clusters that it joins are joined in `sites`.
    fn assign(
        &mut self,
        number: usize,
        page: &ViewedPage,
        sites: &mut ClusterSites<'_>,
    ) -> Result<String, StoreError> {
        match self {
            Clusters::Known(clusters) => Ok(clusters[number].to_string()),
            Clusters::Arriving(assigner) => {
                let sketch = Assigner::sketch(page.page());
                let assigned = assigner.assign("", page.identity(), &sketch);
                for (from, into) in &assigned.joined {
                    sites.join(from, into)?;
                }
                Ok(assigned.memory)
            }
        }
    }
}
