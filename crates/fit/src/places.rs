//! Fits the forest that tells from what a site's places hold whether they are frame.
//!
//! Folders of pages enter, one per site; no labels are needed, because what is predicted are the labels that
//! the method itself gives when it judges every text.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rayon::prelude::*;
use unframe_dom::Limits;
use unframe_methods::Method;
use unframe_methods::auto::{Auto, AutoMemory, AutoView, Forest, PlaceRow};
use unframe_page::{Fingerprint, Page, page_identity};
use unframe_site::Memory;
use unframe_site::Visit;

use crate::grow::{GrowParams, Rows, grow};

/// The places of one site.
pub struct PlacedSite {
    /// Its folder.
    pub folder: PathBuf,
    rows: Vec<PlaceRow>,
}

/// How well the forest does on sites that it was not fitted to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Share of the text in places that it settles …
    pub settled: f64,
    /// … and share of that which the method would have labelled otherwise.
    pub wrong: f64,
}

/// Reads sites of a few pages or more.
pub fn read(folders: &[PathBuf]) -> anyhow::Result<Vec<PlacedSite>> {
    let sites = folders.par_iter().map(|folder| {
        let rows = rows_of(folder)?;
        let folder = folder.clone();
        Ok(PlacedSite { folder, rows })
    });
    let sites: anyhow::Result<Vec<PlacedSite>> = sites.collect();
    Ok(sites?
        .into_iter()
        .filter(|site| !site.rows.is_empty())
        .collect())
}

fn rows_of(folder: &Path) -> anyhow::Result<Vec<PlaceRow>> {
    let auto = Auto::default().judging_all();
    let mut memory = AutoMemory::default();
    let mut views: Vec<(Fingerprint, AutoView)> = Vec::new();
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    for file in files {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let page = Page::parse(bytes.into(), None, None, &Limits::default());
        // Five zero bits more: every page is judged by itself, as those of a large site are.
        let identity = page_identity(None, &file.to_string_lossy()).0 as u64 >> 5;
        let identity = Fingerprint(identity.into());
        let view = auto.view(&page);
        auto.learn(&mut memory, &page, &view, Visit::first(identity));
        if memory.sampling().has(identity) {
            views.push((identity, view));
        }
    }
    views.retain(|(identity, _)| memory.sampling().has(*identity));
    let views: Vec<AutoView> = views.into_iter().map(|(_, view)| view).collect();
    Ok(auto.place_rows(&memory, &views))
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// Grows the forest.
pub fn fit<'a>(sites: impl Iterator<Item = &'a PlacedSite>) -> Forest {
    let mut rows = Rows::default();
    for row in sites.flat_map(|site| &site.rows) {
        rows.features.resize(row.features.len(), Vec::new());
        for (column, value) in rows.features.iter_mut().zip(&row.features) {
            column.push(*value);
        }
        rows.target.push(row.removed);
        rows.weight.push(row.length.ln_1p());
    }
    let params = GrowParams {
        trees: 96,
        depth: 4,
        rate: 0.12,
        feature_share: 0.6,
        row_share: 0.8,
        l2: 2.0,
        ..GrowParams::default()
    };
    grow(&rows, &params).0
}

/// Settles the places of sites by forests that were fitted to other sites.
pub fn cross_validate(sites: &[PlacedSite], sure: f32) -> Agreement {
    /// Parts that the sites are split into.
    const FOLDS: usize = 5;
    let fold = |number: usize| {
        let is_in = |at: usize| at % FOLDS == number;
        let others = sites.iter().enumerate().filter(|(at, _)| !is_in(*at));
        let forest = fit(others.map(|(_, site)| site));
        let own = sites.iter().enumerate().filter(|(at, _)| is_in(*at));
        let (mut all, mut settled, mut wrong) = (0.0, 0.0, 0.0);
        for row in own.flat_map(|(_, site)| &site.rows) {
            let rows = Rows {
                features: row.features.iter().map(|value| vec![*value]).collect(),
                target: vec![row.removed],
                weight: vec![1.0],
            };
            let odds = forest.scores(&rows.table())[0];
            let probability = 1.0 / (1.0 + (-odds).exp());
            let length = f64::from(row.length);
            all += length;
            if probability.min(1.0 - probability) <= sure {
                settled += length;
                let removed = f64::from(row.removed);
                wrong += length
                    * if probability > 0.5 {
                        1.0 - removed
                    } else {
                        removed
                    };
            }
        }
        (all, settled, wrong)
    };
    let sums: Vec<(f64, f64, f64)> = (0..FOLDS).into_par_iter().map(fold).collect();
    let sum = |part: fn(&(f64, f64, f64)) -> f64| sums.iter().map(part).sum::<f64>();
    let settled = sum(|sums| sums.1);
    Agreement {
        settled: settled / sum(|sums| sums.0).max(1.0),
        wrong: sum(|sums| sums.2) / settled.max(1.0),
    }
}
