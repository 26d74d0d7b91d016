//! `mdl`: templates of clusters with minimum description length (Kim and Shim: *TEXT: Automatic
//! Template Extraction from Heterogeneous Web Pages*, TKDE 2011).
//!
//! The pages of a site are clustered by [`unframe_survey::mdl`]. A text is template if its path,
//! including the text, is in the template of its page's cluster, that is, on more than half of the
//! cluster's pages. A page that is alone in its cluster has no template; the paper's rule, applied
//! literally, would take all of it.
//!
//! The memory holds the paths of every page, not the clusters. These are recomputed from all pages
//! learned, so labels from the final state are those of one run over everything, in whatever order
//! and in how many runs the pages arrived. With [`Mdl::at_arrival`], pages are assigned to clusters
//! as they arrive, and a page is labelled by the pages that came before it.
//!
//! ```
//! use unframe_dom::Limits;
//! use unframe_labels::Label;
//! use unframe_methods::{Mdl, MdlMemory, Method};
//! use unframe_page::{Page, page_identity};
//! use unframe_site::Visit;
//! use unframe_survey::mdl::MdlParams;
//!
//! let method = Mdl::new(MdlParams::default())?;
//! let mut memory = MdlMemory::default();
//! let page = |n: u32| {
//!     let html = format!("<div><a>Home</a><a>About</a></div><p>Story {n}");
//!     Page::parse(html.into(), None, None, &Limits::default())
//! };
//! for n in 0..4 {
//!     let identity = page_identity(None, &n.to_string());
//!     let page = page(n);
//!     method.learn(&mut memory, &page, &method.view(&page), Visit::first(identity));
//! }
//! let labels = method.label(&memory, &method.view(&page(2)));
//! let found: Vec<Label> = labels.texts.iter().map(|text| text.label).collect();
//! assert_eq!(found, [Label::Template, Label::Template, Label::Content]);
//! # Ok::<(), unframe_survey::mdl::BadMdlParams>(())
//! ```

mod clusters;
mod frame;
mod memory;
mod online;
mod params;

pub use frame::frame_nodes;
pub use memory::MdlMemory;
pub use unframe_survey::mdl::MdlParams;

use foldhash::HashMap;
use unframe_dom::NodeId;
use unframe_page::{Page, length, normalise, visible_texts};
use unframe_site::{Figure, SiteRecord, Visit, bytes, count};
use unframe_survey::mdl::{BadMdlParams, NodePaths, OnlineParams, PagePaths};

use self::clusters::Template;
use unframe_labels::{Label, Labels, Reason, TextLabel};

use crate::learned::Learned;
use crate::method::Method;
use crate::registry::{Registered, RunKey};

/// The method.
#[derive(Clone, Debug)]
pub struct Mdl {
    params: MdlParams,
    arrival: Option<OnlineParams>,
}

/// The paths of one page.
#[derive(Clone, Debug)]
pub struct MdlView {
    paths: PagePaths,
    texts: Vec<PlacedText>,
}

/// A visible text with its path.
#[derive(Clone, Debug)]
struct PlacedText {
    node: NodeId,
    length: u32,
    path: u64,
}

impl Mdl {
    /// Checks the parameters.
    pub fn new(params: MdlParams) -> Result<Self, BadMdlParams> {
        params.check()?;
        Ok(Mdl {
            params,
            arrival: None,
        })
    }

    /// Assigns pages to clusters as they arrive, by their structure, and labels them by the pages
    /// that came before them.
    pub fn at_arrival(params: OnlineParams) -> Self {
        Mdl {
            params: MdlParams::default(),
            arrival: Some(params),
        }
    }

    /// The parameters; they have no effect at arrival.
    pub fn params(&self) -> &MdlParams {
        &self.params
    }

    /// The number of templates of a memory: clusters of two or more pages.
    pub fn templates(&self, memory: &MdlMemory) -> usize {
        match self.arrival {
            Some(_) => memory.shared_online(),
            None => memory.shared_clusters(&self.params),
        }
    }
}

impl Registered for Mdl {
    type Params = MdlParams;
    const SOURCE: &'static str = "Kim and Shim, TKDE 2011";
    const SUMMARY: &'static str = "removes paths that most pages of a cluster share";
    const RUN_KEYS: &'static [RunKey] = &[RunKey::Arrival];

    /// Pages that are assigned at arrival have parameters of their own.
    fn build(params: MdlParams, arrival: bool) -> Result<Self, String> {
        if !arrival {
            return Mdl::new(params).map_err(|error| error.to_string());
        }
        match crate::params::spell(&params).first() {
            None => Ok(Mdl::at_arrival(OnlineParams::default())),
            Some(setting) => {
                let key = setting.split('=').next().unwrap_or(setting);
                Err(format!(
                    "`mdl:arrival` assigns pages as they come, and `{key}` is for clusters of all \
                     pages; leave out arrival or `{key}`"
                ))
            }
        }
    }
}

impl Method for Mdl {
    const NAME: &'static str = "mdl";
    const VERSION: u32 = 2;

    type Memory = MdlMemory;
    type View = MdlView;

    fn needs_pages(&self) -> u64 {
        2
    }

    fn view(&self, page: &Page) -> MdlView {
        let dom = page.dom();
        let paths = NodePaths::of(dom);
        let mut normal = String::new();
        let texts = visible_texts(dom).filter_map(|node| {
            Some(PlacedText {
                node,
                length: length(normalise(dom.text(node), &mut normal)),
                path: paths.get(node)?,
            })
        });
        MdlView {
            texts: texts.collect(),
            paths: (0..dom.nodes().len() as NodeId)
                .filter_map(|node| paths.get(node))
                .collect(),
        }
    }

    fn learn(&self, memory: &mut MdlMemory, _: &Page, view: &MdlView, visit: Visit<'_>) -> Vec<u8> {
        memory.learn(visit.page, &view.paths);
        if let Some(params) = &self.arrival {
            memory.assign(visit.page, &view.paths, params);
        }
        Vec::new()
    }

    fn prepare(&self, memory: &MdlMemory) {
        if self.arrival.is_none() {
            memory.clusters(&self.params);
        }
    }

    fn label(&self, memory: &MdlMemory, view: &MdlView) -> Labels {
        match self.arrival {
            Some(_) => label(view, memory.online_template(&view.paths)),
            None => {
                let clusters = memory.clusters(&self.params);
                label(view, clusters.template(&view.paths))
            }
        }
    }

    fn learned(&self, sites: &[(&MdlMemory, &SiteRecord)]) -> Learned {
        let (mut paths, mut templates, mut size) = (0, 0, 0);
        for (memory, _) in sites {
            paths += memory.paths();
            templates += self.templates(memory) as u64;
            size += memory.table_bytes();
        }
        Learned {
            name: "paths",
            figures: vec![
                Figure::count("paths", paths),
                Figure::count("templates", templates),
                Figure::bytes("bytes", size),
            ],
            line: format!(
                "learned: {}; {} of two pages or more ({} in memory)",
                count(paths, "path"),
                count(templates, "cluster"),
                bytes(size as f64),
            ),
            hint: None,
            criterion: "on most of two or more pages",
        }
    }
}

/// Labels by the template of the page's cluster; without one, everything is content.
fn label(view: &MdlView, template: Option<Template<'_>>) -> Labels {
    let mut labels = Labels::default();
    // Reasons depend only on label and support.
    let mut known: HashMap<(bool, u32), u32> = HashMap::default();
    for text in &view.texts {
        let is_template = template.as_ref().is_some_and(|t| t.contains(text.path));
        let support = template.as_ref().map_or(1, |t| t.support(text.path));
        let reason = *known.entry((is_template, support)).or_insert_with(|| {
            let (cluster, pages) = template.as_ref().map_or((None, 1), Template::cluster);
            labels.reasons.push(Reason::PathSupport {
                cluster,
                pages,
                support,
                least: pages / 2 + 1,
            });
            labels.reasons.len() as u32 - 1
        });
        labels.texts.push(TextLabel {
            node: text.node,
            length: text.length,
            label: match is_template {
                true => Label::Template,
                false => Label::Content,
            },
            reason,
        });
    }
    labels
}

#[cfg(test)]
mod tests;
