//! One site, cleaned in memory by one method as `clean` does it.

use unframe::mdl::{MdlParams, OnlineParams, PagePaths, PathTable, cluster};
use unframe::{
    Assigner, AutoMemory, ChunkMemory, IMatchParams, LinksMemory, MdlMemory, Method, MinMaxParams,
    Page, PathSet, Sites, StreamMemory, Terms, Text, content_fingerprint, kept_pages, min_max,
    page_identity, text,
};
use unframe_console::methods::MethodSpec;
use unframe_console::survey_args::Cluster;

use super::draw::Draw;

/// What a method has kept of a site.
pub struct Cleaned {
    /// Of each page; `None` if it was not asked for.
    pub texts: Vec<Option<String>>,
    /// Bytes of state, the mean where pages were judged with states of their own.
    pub state_bytes: u64,
}

/// Cleans a site: all pages by all, or those of `draws` each with the pages drawn for it.
pub fn clean(
    method: &MethodSpec,
    pages: &[Page],
    draws: Option<&[Draw]>,
) -> anyhow::Result<Cleaned> {
    let plan = Plan::of(method);
    match method {
        MethodSpec::Text => clean_by(&Text, plan, pages, draws, |_| 0),
        MethodSpec::Auto { method, .. } => {
            let method = method.clone().only_deciding();
            clean_by(&method, plan, pages, draws, AutoMemory::table_bytes)
        }
        MethodSpec::Stream { method, .. } => {
            clean_by(method, plan, pages, draws, StreamMemory::table_bytes)
        }
        MethodSpec::Chunks { method, .. } => {
            clean_by(method, plan, pages, draws, ChunkMemory::table_bytes)
        }
        MethodSpec::Mdl { method, .. } => {
            clean_by(method, plan, pages, draws, MdlMemory::table_bytes)
        }
        MethodSpec::Links { method, .. } => {
            clean_by(method, plan, pages, draws, LinksMemory::table_bytes)
        }
    }
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

fn clean_by<M: Method>(
    method: &M,
    plan: Plan,
    pages: &[Page],
    draws: Option<&[Draw]>,
    state_bytes: impl Fn(&M::Memory) -> u64,
) -> anyhow::Result<Cleaned> {
    let views: Vec<M::View> = pages.iter().map(|page| method.view(page)).collect();
    let site = ViewedSite {
        method,
        plan,
        pages,
        views: &views,
    };
    let mut texts = vec![None; pages.len()];
    let Some(draws) = draws else {
        let all: Vec<usize> = (0..pages.len()).collect();
        let sites = site.clean(&all, &all, &mut texts)?;
        let state_bytes = sites.iter().map(|(memory, _)| state_bytes(memory)).sum();
        return Ok(Cleaned { texts, state_bytes });
    };
    let mut sum = 0;
    for draw in draws {
        let sites = site.clean(&draw.pages, &[draw.judged], &mut texts)?;
        sum += sites
            .iter()
            .map(|(memory, _)| state_bytes(memory))
            .sum::<u64>();
    }
    let state_bytes = sum / draws.len().max(1) as u64;
    Ok(Cleaned { texts, state_bytes })
}

/// The pages of a site with what a method sees in them.
struct ViewedSite<'a, M: Method> {
    method: &'a M,
    plan: Plan,
    pages: &'a [Page],
    views: &'a [M::View],
}

impl<M: Method> ViewedSite<'_, M> {
    /// Learns from some pages, one after another, and writes the texts of those that are judged.
    fn clean(
        &self,
        learnt: &[usize],
        judged: &[usize],
        texts: &mut [Option<String>],
    ) -> anyhow::Result<Sites<M::Memory>> {
        let (method, plan) = (self.method, self.plan);
        let mut sites = Sites::<M::Memory>::new(None, usize::MAX);
        let pages: Vec<&Page> = learnt.iter().map(|at| &self.pages[*at]).collect();
        let kept: Vec<u32> = match plan.dedup {
            true => {
                let terms: Vec<Terms> = pages.iter().map(|page| Terms::of(page.dom())).collect();
                kept_pages(&terms, &IMatchParams::default())
            }
            false => (0..).take(pages.len()).collect(),
        };
        let clusters = clusters(&pages, plan);
        let mut assigner = Assigner::new(OnlineParams::default());
        let mut is_judged = vec![false; self.pages.len()];
        for at in judged {
            is_judged[*at] = true;
        }
        // The memory that each page was learnt into.
        let mut site_of = vec![String::new(); self.pages.len()];
        for (((number, at), page), kept) in (0..).zip(learnt).zip(&pages).zip(kept) {
            let view = &self.views[*at];
            let identity = page_identity(None, &at.to_string());
            let site = match (plan.cluster, plan.arrival) {
                (Cluster::Mdl, true) => {
                    let assigned = assigner.assign("", identity, &Assigner::sketch(page));
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
                    method.learn(memory, page, view, visit)
                })?;
            }
            if plan.arrival && is_judged[*at] {
                texts[*at] = Some(self.text(*at, sites.get(&site).expect("loaded above")));
            }
            site_of[*at] = site;
        }
        if !plan.arrival {
            for at in judged {
                let memory = sites.get(&site_of[*at]).expect("loaded above");
                texts[*at] = Some(self.text(*at, memory));
            }
        }
        Ok(sites)
    }

    fn text(&self, at: usize, memory: &M::Memory) -> String {
        let mut labels = self.method.label(memory, &self.views[at]);
        labels.never_empty();
        text(self.pages[at].dom(), &labels)
    }
}

/// The cluster of each page, if they are found by all pages.
fn clusters(pages: &[&Page], plan: Plan) -> Vec<u32> {
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
