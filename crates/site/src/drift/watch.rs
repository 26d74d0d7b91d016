//! Notices when the pages of a site stop fitting what was learned of it: a redesign, another CMS, a
//! consent wall in front of each page.
//!
//! There must be something to drift from: a state of earlier runs, or pages that arrived before. Pages
//! that are learned in clusters are not watched: a new template is a new cluster there.

use std::collections::{HashMap, HashSet};

use unframe_page::{Fingerprint, Kind};

use super::history::{DesignHistory, DesignMatch, TextPlaces};

/// A site whose layout changed at some page.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// The site.
    pub site: String,
    /// The number of the new template.
    pub version: u32,
    /// The name of the first page that does not fit …
    pub first: String,
    /// … and its number among the pages of the site.
    pub since: u64,
    /// Pages of this run that have the new template.
    pub pages: u64,
    /// Mean share of their text at known places.
    pub fit: f64,
    /// The same of the pages before them.
    pub former: f64,
}

/// Watches the pages of a run as they are learned.
#[derive(Default)]
pub struct DriftWatch {
    /// By a hash of the name: a run may have many sites.
    sites: HashMap<u64, Watched>,
    found: Vec<Drift>,
    pages: HashSet<Fingerprint>,
}

/// A site in this run.
struct Watched {
    /// Nothing was known of it before the run, and only what was is drifted from.
    is_new: bool,
    /// Newest template before the run.
    known: u32,
    /// Pages that fit none so far, with how well they fit.
    odd: Vec<(Fingerprint, f64)>,
}

impl DriftWatch {
    /// Counts a page to the templates of its site. `arrival` if pages before it in the same run may
    /// be drifted from.
    pub fn meet(
        &mut self,
        site: &str,
        page: (Fingerprint, &str),
        designs: &mut DesignHistory,
        places: &TextPlaces,
        arrival: bool,
    ) {
        let (identity, name) = page;
        let key = Fingerprint::of(Kind::Text, site).0 as u64;
        let watched = self.sites.entry(key).or_insert_with(|| Watched {
            is_new: designs.is_empty() && !arrival,
            known: designs.newest().max(1),
            odd: Vec::new(),
        });
        let fit = f64::from(designs.fit(places, watched.known).unwrap_or(0.0));
        let found = designs.add_page(name, places);
        if watched.is_new {
            return;
        }
        match found {
            DesignMatch::Undecided => watched.odd.push((identity, fit)),
            DesignMatch::Fits(version) => {
                watched.odd.clear();
                let same = |drift: &&mut Drift| drift.site == site && drift.version == version;
                if let Some(drift) = self.found.iter_mut().find(same) {
                    drift.pages += 1;
                    drift.fit += (fit - drift.fit) / drift.pages as f64;
                    self.pages.insert(identity);
                }
            }
            DesignMatch::New {
                design: version,
                former,
            } => {
                watched.odd.push((identity, fit));
                let begun = designs.list().iter().find(|one| one.number == version);
                let odd = std::mem::take(&mut watched.odd);
                let fits: f64 = odd.iter().map(|(_, fit)| fit).sum();
                self.found.push(Drift {
                    site: site.to_string(),
                    version,
                    first: begun.map(|begun| begun.first.clone()).unwrap_or_default(),
                    since: begun.map_or(0, |begun| begun.since),
                    pages: odd.len() as u64,
                    fit: fits / odd.len() as f64,
                    former: former.into(),
                });
                self.pages.extend(odd.iter().map(|(identity, _)| *identity));
            }
        }
    }

    /// Whether a page is one of those that do not fit.
    pub fn has(&self, page: Fingerprint) -> bool {
        self.pages.contains(&page)
    }

    /// The sites that drifted so far, in the order in which that was noticed.
    pub fn found(&self) -> &[Drift] {
        &self.found
    }

    /// The same at the end.
    pub fn finish(self) -> Vec<Drift> {
        self.found
    }
}
