//! `unframe-lab bench` on corpora in TECO's layout: which elements of key pages are template.

use std::fmt::Write as _;
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;
use unframe::MethodSpec;
use unframe::methods::links::{LinksParams, template_of};
use unframe_eval::{NodeScore, Teco, mean_node_score};

use crate::key_pages::KeySite;

/// One method on one set.
#[derive(Serialize)]
pub struct NodeRow {
    method: String,
    set: String,
    #[serde(flatten)]
    mean: NodeScore,
    /// Pages loaded for a key page, mean.
    loads: f64,
    milliseconds: f64,
    keys: Vec<KeyRow>,
}

/// One key page.
#[derive(Clone, Serialize)]
pub struct KeyRow {
    site: String,
    key: String,
    #[serde(flatten)]
    score: NodeScore,
    loads: usize,
    /// Pages that it was compared with.
    pages: usize,
    milliseconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Scores the methods that label elements; returns the names of the others.
pub fn score(teco: &Teco, methods: &[MethodSpec]) -> anyhow::Result<(Vec<NodeRow>, Vec<String>)> {
    let sites: Vec<KeySite> = teco
        .sites
        .par_iter()
        .map(KeySite::teco)
        .collect::<anyhow::Result<_>>()?;
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    let mut sites = sites;
    for spec in methods {
        let Some(params) = spec.params::<LinksParams>() else {
            others.push(spec.to_string());
            continue;
        };
        let keys: Vec<KeyRow> = sites
            .par_iter_mut()
            .flat_map_iter(|site| score_site(site, &params))
            .collect();
        let scores: Vec<NodeScore> = keys.iter().map(|key| key.score).collect();
        let count = keys.len().max(1) as f64;
        rows.push(NodeRow {
            method: spec.to_string(),
            set: teco.name.clone(),
            mean: mean_node_score(&scores).unwrap_or_default(),
            loads: keys.iter().map(|key| key.loads as f64).sum::<f64>() / count,
            milliseconds: keys.iter().map(|key| key.milliseconds).sum::<f64>() / count,
            keys,
        });
    }
    Ok((rows, others))
}

fn score_site(site: &mut KeySite, params: &LinksParams) -> Vec<KeyRow> {
    let mut rows = Vec::new();
    for key in &site.keys {
        let started = Instant::now();
        let found = template_of(&key.url, &key.page, &mut site.source, params);
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        let row = KeyRow {
            site: site.name.clone(),
            key: key.url.to_string(),
            score: key.gold.score(&[]),
            loads: 0,
            pages: 0,
            milliseconds,
            problem: None,
        };
        rows.push(match found {
            Ok(found) => KeyRow {
                score: key.gold.score(&found.is_template),
                loads: found.loads,
                pages: found.rests_on.len(),
                ..row
            },
            Err(error) => KeyRow {
                problem: Some(error.to_string()),
                ..row
            },
        });
    }
    rows
}

/// The table, with its heading.
pub fn table(rows: &[NodeRow], sites: bool) -> String {
    let mut out = format!(
        "{:<12} {:<40} {:>6} {:>6} {:>6} {:>8} {:>8} {:>6} {:>8}\n",
        "set", "method", "R", "P", "F1", "elements", "template", "loads", "ms"
    );
    let line = |out: &mut String, set: &str, name: &str, score: &NodeScore, loads, ms| {
        let _ = writeln!(
            out,
            "{set:<12.12} {name:<40} {:>6.3} {:>6.3} {:>6.3} {:>8} {:>8} {loads:>6} {ms:>8}",
            score.recall, score.precision, score.f1, score.elements, score.template
        );
    };
    for row in rows {
        let (loads, ms) = (
            format!("{:.1}", row.loads),
            format!("{:.2}", row.milliseconds),
        );
        line(&mut out, &row.set, &row.method, &row.mean, loads, ms);
        for key in row.keys.iter().filter(|_| sites) {
            let name = format!("  {} {}", key.site, key.key);
            let (loads, ms) = (key.loads.to_string(), format!("{:.2}", key.milliseconds));
            line(&mut out, "", &name, &key.score, loads, ms);
            if let Some(problem) = &key.problem {
                let _ = writeln!(out, "    {problem}");
            }
        }
    }
    out
}
