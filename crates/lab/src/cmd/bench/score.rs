//! Scores a system on a set: its texts against the labels, and its speed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use rayon::prelude::*;
use serde::Serialize;
use unframe::MethodSpec;
use unframe::page::file_url;
use unframe_console::atomic_file;
use unframe_eval::{
    Columns, GoldBags, Predictions, Set, SetTotal, Site, SiteTotal, Wholeness, unit_time,
};

use super::against::Against;
use super::draw::{Draw, draws};
use super::site::{self, Judged};
use super::system::{Source, System};
use crate::kept::is_kept;

/// A system on one set.
#[derive(Serialize)]
pub struct Row {
    pub method: String,
    #[serde(flatten)]
    pub total: SetTotal,
    /// Pages per small site, if pages were not judged with their whole site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_pages: Option<usize>,
    /// Unknown for other tools.
    #[serde(flatten)]
    pub cost: Option<Cost>,
    /// Scored pages for which a tool has given no text; they are scored as empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<usize>,
    /// The difference to the system that all are compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
}

/// What a method needs.
#[derive(Serialize)]
pub struct Cost {
    pub pages_per_second: f64,
    pub megabytes_per_second: f64,
    /// The papers' unit execution time: milliseconds for 1000 bytes of page.
    pub ms_per_kb: f64,
    /// Mean over sites.
    pub state_bytes: f64,
}

/// How a set is scored.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Judge each page with this number of pages of its site, itself included.
    pub site_pages: Option<usize>,
    /// Where the kept texts are written.
    pub texts: Option<&'a Path>,
}

/// Scores a system on a set, its sites in parallel.
pub fn score_set(system: &System, set: &Set, rules: Rules<'_>) -> anyhow::Result<Row> {
    let name = &system.name;
    let mut row = Row {
        method: name.clone(),
        total: SetTotal::new(&set.name, Vec::new()),
        site_pages: None,
        cost: None,
        missing: None,
        against: None,
    };
    let sites = match &system.source {
        Source::Method(make) => {
            let scored = set.sites.par_iter().map(|site| {
                let method = make(&set.name, site)?;
                score_site(name, &method, &set.name, site, rules)
            });
            let scored = scored.collect::<anyhow::Result<Vec<ScoredSite>>>()?;
            row.cost = Some(Cost::of(&scored));
            row.site_pages = rules.site_pages;
            scored.into_iter().map(|site| site.total).collect()
        }
        Source::Texts(texts) => {
            let scored = set.sites.par_iter();
            let scored = scored.map(|site| score_texts(texts, &set.name, site));
            let scored = scored.collect::<anyhow::Result<Vec<(SiteTotal, usize)>>>()?;
            row.missing = Some(scored.iter().map(|(_, missing)| missing).sum());
            scored.into_iter().map(|(total, _)| total).collect()
        }
    };
    row.total = SetTotal::new(&set.name, sites);
    Ok(row)
}

struct ScoredSite {
    total: SiteTotal,
    pages: u64,
    bytes: u64,
    seconds: f64,
    state_bytes: u64,
}

impl Cost {
    fn of(sites: &[ScoredSite]) -> Self {
        let sum = |of: fn(&ScoredSite) -> f64| sites.iter().map(of).sum::<f64>();
        let seconds = sum(|site| site.seconds).max(1e-9);
        let bytes = sites.iter().map(|site| site.bytes).sum();
        Cost {
            pages_per_second: sum(|site| site.pages as f64) / seconds,
            megabytes_per_second: sum(|site| site.bytes as f64) / seconds / 1e6,
            ms_per_kb: unit_time(Duration::from_secs_f64(seconds), bytes).unwrap_or(0.0),
            state_bytes: sum(|site| site.state_bytes as f64) / sites.len().max(1) as f64,
        }
    }
}

fn score_site(
    name: &str,
    method: &MethodSpec,
    set: &str,
    site: &Site,
    rules: Rules<'_>,
) -> anyhow::Result<ScoredSite> {
    let mut sources = Vec::with_capacity(site.pages.len());
    for page in &site.pages {
        let read = std::fs::read(&page.path);
        let read = read.with_context(|| format!("cannot read {}", page.path.display()))?;
        sources.push((file_url(&site.name, Path::new(&page.id)), read));
    }
    let bytes = sources.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let draws: Option<Vec<Draw>> = rules.site_pages.map(|count| draws(site, count));
    let cleaned = site::clean(method, sources, draws.as_deref())?;
    let mut columns: Vec<Columns> = Vec::new();
    let mut whole = Wholeness::default();
    for (page, judged) in site.pages.iter().zip(&cleaned.pages) {
        let Some(Judged { text, page: clean }) = judged else {
            continue;
        };
        whole += Wholeness::of(clean.page().dom(), is_kept(clean));
        if let Some(folder) = rules.texts {
            let folder = folder.join(name.replace(':', "-"));
            write_text(folder.join(set).join(&site.name), &page.id, text)?;
        }
        if let Some(gold) = GoldBags::read(page)? {
            columns.push(gold.score(text));
        }
    }
    Ok(ScoredSite {
        total: SiteTotal::new(site.name.clone(), &columns).with_wholeness(whole),
        pages: site.pages.len() as u64,
        bytes,
        seconds: cleaned.elapsed.as_secs_f64(),
        state_bytes: cleaned.state_bytes,
    })
}

fn write_text(folder: PathBuf, page: &str, text: &str) -> anyhow::Result<()> {
    let file = folder.join(format!("{page}.txt"));
    let parent = file.parent().expect("has a folder");
    std::fs::create_dir_all(parent)
        .and_then(|()| atomic_file::write(&file, text))
        .with_context(|| format!("cannot write {}", file.display()))
}

/// The total of a site by the texts of a tool, and how many it lacks.
fn score_texts(texts: &Predictions, set: &str, site: &Site) -> anyhow::Result<(SiteTotal, usize)> {
    let (mut columns, mut missing) = (Vec::new(), 0);
    for page in site.scored() {
        let text = texts.text(set, &site.name, &page.id)?;
        missing += usize::from(text.is_none());
        if let Some(gold) = GoldBags::read(page)? {
            columns.push(gold.score(text.as_deref().unwrap_or("")));
        }
    }
    Ok((SiteTotal::new(site.name.clone(), &columns), missing))
}
