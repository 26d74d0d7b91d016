//! Scores the templates: words of the content kept, by mode rule and cost, and by the number of
//! clusters.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use rayon::prelude::*;
use unframe::labels::{Label, Labels, Reason, TextLabel};
use unframe::methods::mdl::Mdl;
use unframe::page::{normalise, visible_texts};
use unframe::render::text;
use unframe::survey::mdl::{
    Clustering, Cost, MdlParams, Merge, ModeRule, NodePaths, PathTable, cluster,
};
use unframe_eval::{Columns, SiteTotal, adjusted_rand_index};
use unframe_report::plot::{Line, LineChart};

use super::{Args, Prepared, Site, Timed, largest_mixture, number};
use crate::cmd::reproduce::mean;
use crate::cmd::reproduce::report::Report;

const RULES: [(&str, ModeRule); 3] = [
    ("literal", ModeRule::Literal),
    ("ignore-singletons", ModeRule::IgnoreSingletons),
    ("elements", ModeRule::Elements),
];
const COSTS: [(&str, Cost); 2] = [("delta", Cost::Delta), ("seed", Cost::Seed)];

/// Numbers of clusters that are tried.
const COUNTS: [usize; 16] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 150];

/// Pages of the mixture whose clusters are counted.
const PAGES: usize = 300;

/// F1 of every mode rule with every cost.
pub fn rules(report: &mut Report, sites: &[Site]) -> anyhow::Result<()> {
    report.text.push_str(
        "## Content kept, by mode rule and cost\n\n\
         Each site is clustered separately; texts whose path is in the template of their page's \
         cluster are removed. *F1*, *P*, *R*: words of the content kept against everything else; *surv*: labelled \
         values that survive. Means over sites. `literal` with `seed` is the paper to the letter: \
         all pages of a site are one cluster; `ignore-singletons` with `delta` is the default.\n\n\
         | set | mode rule | cost | templates a site | pages alone | F1 | P | R | leak | surv |\n\
         |---|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for sites in sites.chunk_by(|a, b| a.set == b.set) {
        for (rule_name, rule) in RULES {
            for (cost_name, cost) in COSTS {
                let mut params = MdlParams::default();
                (params.mode_rule, params.cost) = (rule, cost);
                let rows = sites.par_iter().map(|site| score(site, &params));
                let rows = rows.collect::<anyhow::Result<Vec<Row>>>()?;
                let column = |of: fn(&Columns) -> Option<f64>| {
                    number(mean(rows.iter().filter_map(|row| of(&row.columns))))
                };
                let templates = mean(rows.iter().map(|row| row.templates as f64));
                let pages: usize = rows.iter().map(|row| row.pages).sum();
                let alone: usize = rows.iter().map(|row| row.alone).sum();
                let _ = writeln!(
                    report.text,
                    "| {} | `{rule_name}` | `{cost_name}` | {:.1} | {:.1} % | {} | {} | {} | {} | {} |",
                    sites[0].set,
                    templates.unwrap_or(0.0),
                    100.0 * alone as f64 / pages.max(1) as f64,
                    column(|columns| columns.f1),
                    column(|columns| columns.p),
                    column(|columns| columns.r),
                    column(|columns| columns.leak_t),
                    column(|columns| columns.surv),
                );
            }
        }
    }
    report.text.push('\n');
    Ok(())
}

struct Row {
    templates: usize,
    pages: usize,
    /// Pages that are alone in their cluster.
    alone: usize,
    columns: Columns,
}

fn score(site: &Site, params: &MdlParams) -> anyhow::Result<Row> {
    let method = Mdl::new(params.clone()).expect("the usual hashes and bands");
    let mut learned = unframe::Site::with_engine(Arc::new(method));
    let mut table = PathTable::default();
    for page in &site.pages {
        learned.learn_viewed(&page.viewed)?;
        table.add(&page.paths);
    }
    let found = cluster(table, params);
    let scores = site.pages.iter().filter_map(|page| {
        let gold = page.gold.as_ref()?;
        Some(gold.score(&learned.label_viewed(&page.viewed).text()))
    });
    let scores: Vec<Columns> = scores.collect();
    let alone = found
        .clusters
        .iter()
        .filter(|cluster| cluster.pages.len() == 1);
    let alone = alone.count();
    Ok(Row {
        templates: found.clusters.len() - alone,
        pages: site.pages.len(),
        alone,
        columns: SiteTotal::new("", &scores).columns,
    })
}

/// F1 and agreement with the sites, by the number of clusters in a mixture.
pub fn counts(report: &mut Report, sites: &[Site], args: &Args) -> anyhow::Result<()> {
    let mut pages = largest_mixture(sites, usize::from(args.sites));
    pages.truncate(PAGES.min(args.exact_limit));
    let timed = Timed::new()?;
    let (chosen, _) = timed.cluster(&pages, &MdlParams::default());
    // With the cost of the paper, merging continues to one cluster, so it has every number of them.
    let mut literal = MdlParams::default();
    literal.cost = Cost::Seed;
    let (all, _) = timed.cluster(&pages, &literal);
    let mut further = chosen.merges.clone();
    further.extend(merges_beyond(&pages, &chosen));
    let seed = try_counts(&pages, &all.merges);
    let delta = try_counts(&pages, &further);
    let (ends, own) = (chosen.clusters.len(), Tried::of(&pages, &chosen.of_page));
    let _ = write!(
        report.text,
        "## The number of clusters\n\n\
         {} pages of a mixture, merged until the given number of clusters is left; templates are the \
         paths that more than half of a cluster's pages have. With `delta` merging ends by itself at \
         {ends} clusters: ARI {:.3}, F1 {}; to see what fewer would do, those with the most similar \
         templates are merged from there on. With `seed`, merging continues to one cluster.\n\n\
         | clusters | ARI, `seed` | F1 | surv | ARI, `delta` | F1 | surv |\n|{}\n",
        pages.len(),
        own.ari,
        number(own.kept.f1),
        "---:|".repeat(7)
    );
    for ((count, seed), (_, delta)) in seed.iter().zip(&delta) {
        let _ = write!(report.text, "| {count} |");
        for tried in [seed, delta] {
            let (f1, surv) = (number(tried.kept.f1), number(tried.kept.surv));
            let _ = write!(report.text, " {:.3} | {f1} | {surv} |", tried.ari);
        }
        report.text.push('\n');
    }
    report.text.push('\n');
    let line = |name: &str, tried: &[(usize, Tried)], of: fn(&Tried) -> Option<f64>| Line {
        name: name.into(),
        points: tried
            .iter()
            .map(|(count, one)| (*count as f64, of(one).unwrap_or(f64::NAN)))
            .collect(),
        right: false,
    };
    report.chart(
        "clusters",
        LineChart {
            title: format!("F1 and ARI by number of clusters (delta ends at {ends})"),
            x: "clusters".into(),
            left: "F1 of the content, ARI with the sites".into(),
            log_x: true,
            lines: vec![
                line("F1, delta", &delta, |one| one.kept.f1),
                line("F1, seed", &seed, |one| one.kept.f1),
                line("ARI, delta", &delta, |one| Some(one.ari)),
                line("ARI, seed", &seed, |one| Some(one.ari)),
            ],
            ..LineChart::default()
        },
    );
    Ok(())
}

/// The scores of a clustering.
struct Tried {
    /// Against the sites.
    ari: f64,
    kept: Columns,
}

impl Tried {
    fn of(pages: &[&Prepared], of_page: &[u32]) -> Tried {
        let truth: Vec<u32> = pages.iter().map(|page| page.site).collect();
        Tried {
            ari: adjusted_rand_index(of_page, &truth),
            kept: kept(pages, of_page),
        }
    }
}

fn try_counts(pages: &[&Prepared], merges: &[Merge]) -> Vec<(usize, Tried)> {
    let counts = COUNTS.into_iter().filter(|count| *count < pages.len());
    let tried = counts.map(|count| {
        let clusters = partition(pages.len(), merges, count);
        (count, Tried::of(pages, &clusters))
    });
    tried.collect()
}

/// Merges of the clusters whose templates have most in common, until one is left.
fn merges_beyond(pages: &[&Prepared], found: &Clustering) -> Vec<Merge> {
    let template = |members: &[u32]| -> HashSet<u64> {
        let support = support(members.iter().map(|page| pages[*page as usize]));
        let least = members.len() as u32 / 2 + 1;
        let shared = support.into_iter().filter(|(_, pages)| *pages >= least);
        shared.map(|(path, _)| path).collect()
    };
    let clusters = found.clusters.iter().map(|cluster| cluster.pages.clone());
    let mut clusters: Vec<(Vec<u32>, HashSet<u64>)> = clusters
        .map(|pages| (pages.clone(), template(&pages)))
        .collect();
    let mut merges = Vec::new();
    while clusters.len() > 1 {
        let mut best = (-1.0, 0, 1);
        for (at, (_, a)) in clusters.iter().enumerate() {
            for (bt, (_, b)) in clusters.iter().enumerate().skip(at + 1) {
                let both = a.intersection(b).count() as f64;
                let similar = both / (a.len() as f64 + b.len() as f64 - both).max(1.0);
                if similar > best.0 {
                    best = (similar, at, bt);
                }
            }
        }
        let (_, at, bt) = best;
        let (second, _) = clusters.remove(bt);
        merges.push(Merge {
            first: clusters[at].0[0],
            second: second[0],
            length: f64::NAN,
        });
        // Clusters are in the order of their first pages.
        let (first, of_both) = &mut clusters[at];
        first.extend(second);
        *of_both = template(first);
    }
    merges
}

/// The clusters after merging until `count` are left: for each page, the first page of its cluster.
fn partition(pages: usize, merges: &[Merge], count: usize) -> Vec<u32> {
    let mut first: Vec<u32> = (0..pages as u32).collect();
    for merge in merges.iter().take(pages.saturating_sub(count)) {
        first[merge.second as usize] = merge.first;
    }
    // The first page of a cluster comes before the others.
    for page in 0..pages {
        first[page] = first[first[page] as usize];
    }
    first
}

/// Scores of the pages without the paths that more than half of their cluster have.
fn kept(pages: &[&Prepared], of_page: &[u32]) -> Columns {
    let mut members: HashMap<u32, Vec<&Prepared>> = HashMap::new();
    for (page, cluster) in pages.iter().zip(of_page) {
        members.entry(*cluster).or_default().push(page);
    }
    let members: Vec<Vec<&Prepared>> = members.into_values().collect();
    let mut scores: Vec<(u32, Columns)> = members
        .par_iter()
        .flat_map_iter(|pages| {
            let support = support(pages.iter().copied());
            pages.iter().filter_map(move |page| {
                let gold = page.gold.as_ref()?;
                let labels = label(page, pages.len() as u32, &support);
                let kept = text(page.viewed.page().dom(), &labels);
                Some((page.site, gold.score(&kept)))
            })
        })
        .collect();
    // Means over sites, as everywhere.
    scores.sort_by_key(|(site, _)| *site);
    let sites: Vec<Columns> = scores
        .chunk_by(|a, b| a.0 == b.0)
        .map(|site| {
            let columns: Vec<Columns> = site.iter().map(|(_, columns)| *columns).collect();
            SiteTotal::new("", &columns).columns
        })
        .collect();
    SiteTotal::new("", &sites).columns
}

/// On how many of the pages each path is.
fn support<'a>(pages: impl Iterator<Item = &'a Prepared>) -> HashMap<u64, u32> {
    let mut support = HashMap::new();
    for path in pages.flat_map(|page| page.paths.iter()) {
        *support.entry(path).or_default() += 1;
    }
    support
}

fn label(page: &Prepared, pages: u32, support: &HashMap<u64, u32>) -> Labels {
    let dom = page.viewed.page().dom();
    let paths = NodePaths::of(dom);
    let mut labels = Labels::default();
    let mut normal = String::new();
    for node in visible_texts(dom) {
        let path = paths.get(node).unwrap_or_default();
        let support = support.get(&path).copied().unwrap_or(0);
        let least = pages / 2 + 1;
        labels.reasons.push(Reason::PathSupport {
            cluster: None,
            pages,
            support,
            least,
        });
        labels.texts.push(TextLabel {
            node,
            length: normalise(dom.text(node), &mut normal).chars().count() as u32,
            label: match support >= least && pages > 1 {
                true => Label::Template,
                false => Label::Content,
            },
            reason: labels.reasons.len() as u32 - 1,
        });
    }
    labels.never_empty();
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_are_undone_to_any_number() {
        let merge = |first, second| Merge {
            first,
            second,
            length: 0.0,
        };
        let merges = [merge(1, 3), merge(0, 2), merge(0, 1)];
        assert_eq!(partition(4, &merges, 4), [0, 1, 2, 3]);
        assert_eq!(partition(4, &merges, 3), [0, 1, 2, 1]);
        assert_eq!(partition(4, &merges, 2), [0, 1, 0, 1]);
        assert_eq!(partition(4, &merges, 1), [0, 0, 0, 0]);
    }
}
