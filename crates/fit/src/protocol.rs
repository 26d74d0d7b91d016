//! Scores of a model on sites that it was not fitted to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use unframe_eval::{Columns, SetTotal, SiteTotal};
use unframe_methods::auto::{Auto, Model, Predictions, Remove};

use crate::fitting::Settings;
use crate::samples::Sample;
use crate::sites::{LabelledPage, LabelledSite};

/// Which sites are left out when the model that is scored on them is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The sites of one fold; each site is in one.
    Site,
    /// All sites of one set.
    Set,
}

/// Number of folds of [`Protocol::Site`].
const FOLDS: usize = 5;

/// Models, each fitted without the sites that it is scored on.
pub struct Folds {
    of_site: Vec<usize>,
    models: Vec<Arc<Model>>,
}

impl Folds {
    /// Fits them; `samples` are those of each site.
    pub fn fit(
        sites: &[LabelledSite],
        samples: &[Vec<Sample>],
        protocol: Protocol,
        settings: &Settings,
    ) -> Folds {
        let of_site = folds(sites, protocol);
        let count = of_site.iter().max().map_or(0, |last| last + 1);
        let fit = |fold: usize| {
            let chosen = samples.iter().zip(&of_site);
            let chosen = chosen.filter(move |(_, of)| **of != fold);
            Arc::new(settings.fit(chosen.flat_map(|(samples, _)| samples)))
        };
        // In parallel: one thread works while another waits for a level of its tree.
        let models = (0..count).into_par_iter().map(fit).collect();
        Folds { of_site, models }
    }

    /// The model that was fitted without a site, by its number.
    pub fn model(&self, site: usize) -> Arc<Model> {
        self.models[self.of_site[site]].clone()
    }
}

/// The fold of each site.
fn folds(sites: &[LabelledSite], protocol: Protocol) -> Vec<usize> {
    let sets: BTreeSet<&str> = sites.iter().map(|site| site.set.as_str()).collect();
    let number: BTreeMap<&str, usize> = sets.into_iter().zip(0..).collect();
    let mut next: BTreeMap<&str, usize> = BTreeMap::new();
    let mut of_site = Vec::with_capacity(sites.len());
    for site in sites {
        of_site.push(match protocol {
            Protocol::Set => number[site.set.as_str()],
            Protocol::Site => {
                let next = next.entry(&site.set).or_default();
                *next += 1;
                *next % FOLDS
            }
        });
    }
    of_site
}

/// Predictions for the labelled pages of a site.
pub struct SitePredictions<'a> {
    /// The site.
    pub site: &'a LabelledSite,
    /// Its labelled pages.
    pub pages: Vec<(usize, Predictions)>,
}

/// Predictions of one kind by the model of each site's fold; `pages` limits how many pages of the site it
/// sees.
pub fn predict(
    sites: &[LabelledSite],
    model: impl Fn(usize) -> Arc<Model> + Sync,
    kind: Remove,
    pages: Option<usize>,
) -> Vec<SitePredictions<'_>> {
    let sites = sites.par_iter().enumerate();
    sites
        .map(|(number, site)| {
            let model = model(number);
            let labelled = (0..site.pages.len()).filter(|page| site.pages[*page].label.is_some());
            let predict_page = |page: usize| {
                let few = pages.map(|pages| site.memory_of(page, pages.max(1) - 1));
                let memory = few.as_ref().unwrap_or(&site.memory);
                (page, model.predict(&site.pages[page].view, memory, kind))
            };
            let pages = labelled.map(predict_page).collect();
            SitePredictions { site, pages }
        })
        .collect()
}

/// Decides by predictions and scores the decisions.
pub fn decide(predictions: &[SitePredictions<'_>], auto: &Auto) -> Vec<SetTotal> {
    totals(predictions, |page, predictions| {
        let removed = auto.decide(&page.view, predictions);
        // A page of which nothing would remain is kept whole.
        let whole = removed.iter().all(|removed| *removed);
        removed
            .into_iter()
            .map(|removed| !removed || whole)
            .collect()
    })
}

fn totals(
    predictions: &[SitePredictions<'_>],
    keeps: impl Fn(&LabelledPage, &Predictions) -> Vec<bool> + Sync,
) -> Vec<SetTotal> {
    let totals: Vec<(&str, SiteTotal)> = predictions
        .par_iter()
        .map(|SitePredictions { site, pages }| {
            let score = |(page, predictions): &(usize, Predictions)| {
                let page = &site.pages[*page];
                let keeps = keeps(page, predictions);
                page.label
                    .as_ref()
                    .map(|label| label.score(|row| keeps[row]))
            };
            let columns: Vec<Columns> = pages.iter().filter_map(score).collect();
            (
                site.set.as_str(),
                SiteTotal::new(site.name.clone(), &columns),
            )
        })
        .collect();
    let mut by_set: BTreeMap<&str, Vec<SiteTotal>> = BTreeMap::new();
    for (set, total) in totals {
        by_set.entry(set).or_default().push(total);
    }
    let sets = by_set.into_iter();
    sets.map(|(set, sites)| SetTotal::new(set, sites)).collect()
}
