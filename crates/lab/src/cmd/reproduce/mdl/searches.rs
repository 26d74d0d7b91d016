//! Compares the search over all pairs with hashing: time and agreement.

use std::fmt::Write as _;

use unframe::page::page_identity;
use unframe::survey::mdl::Clustering;
use unframe_eval::adjusted_rand_index;
use unframe_report::plot::{Line, LineChart};

use super::{
    Args, Prepared, SEARCHES, Site, Timed, largest_mixture, number, shuffled, with_search,
};
use crate::cmd::reproduce::mean;
use crate::cmd::reproduce::report::Report;

/// Pages of the growing mixture.
const SIZES: [usize; 14] = [
    25, 50, 100, 200, 300, 400, 600, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000,
];

/// How often a mixture is drawn.
const DRAWS: u64 = 3;

/// Pages of each site in a mixture.
const PAGES_A_SITE: usize = 25;

/// One search on one mixture.
struct Tried {
    milliseconds: f64,
    found: Clustering,
    sites: f64,
}

fn try_all(timed: &Timed, pages: &[&Prepared], exact_limit: usize) -> Vec<Option<Tried>> {
    let truth: Vec<u32> = pages.iter().map(|page| page.site).collect();
    let tries = SEARCHES.map(|(name, search)| {
        if name == "exact" && pages.len() > exact_limit {
            return None;
        }
        let (found, elapsed) = timed.cluster(pages, &with_search(search));
        Some(Tried {
            milliseconds: 1e3 * elapsed.as_secs_f64(),
            sites: adjusted_rand_index(&found.of_page, &truth),
            found,
        })
    });
    tries.into()
}

/// Agreement with the search that compares all pairs.
fn agreement(tried: &[Option<Tried>], at: usize) -> Option<f64> {
    let (exact, other) = (tried[0].as_ref()?, tried[at].as_ref()?);
    Some(adjusted_rand_index(
        &exact.found.of_page,
        &other.found.of_page,
    ))
}

/// A mixture: its number of pages, the milliseconds of parsing them, and each search.
type Grown = (usize, f64, Vec<Option<Tried>>);

/// Time and agreement as the number of pages grows.
pub fn growth(report: &mut Report, sites: &[Site], args: &Args) -> anyhow::Result<()> {
    let pages = largest_mixture(sites, usize::from(args.sites));
    let mut sizes: Vec<usize> = SIZES.into_iter().filter(|n| *n < pages.len()).collect();
    sizes.push(pages.len());
    let timed = Timed::new()?;
    let mut rows: Vec<Grown> = Vec::new();
    for size in sizes {
        let some = &pages[..size];
        let parsing: f64 = some
            .iter()
            .map(|page| 1e3 * page.parsing.as_secs_f64())
            .sum();
        rows.push((size, parsing, try_all(&timed, some, args.exact_limit)));
    }
    let _ = write!(
        report.text,
        "## Time and agreement as pages grow\n\n\
         Pages of the {} sites that have most, shuffled; *exact* up to {} pages. *ARI* is the \
         adjusted Rand index: against the sites that the pages are from (a site of two templates is \
         rightly two clusters, so 1 is not always best), and against *exact*.\n\n\
         | pages | parsing, ms |",
        args.sites.min(sites.len() as u16),
        args.exact_limit
    );
    for head in ["ms", "clusters", "ARI, sites"] {
        for (name, _) in SEARCHES {
            let _ = write!(report.text, " {name}, {head} |");
        }
    }
    report
        .text
        .push_str(" lsh, ARI, exact | estimate, ARI, exact |\n");
    let _ = writeln!(report.text, "|{}", "---:|".repeat(13));
    for (size, parsing, tried) in &rows {
        let _ = write!(report.text, "| {size} | {parsing:.0} |");
        let mut cells = |of: &dyn Fn(&Tried) -> String| {
            for one in tried {
                let cell = one.as_ref().map_or("–".into(), of);
                let _ = write!(report.text, " {cell} |");
            }
        };
        cells(&|one| format!("{:.1}", one.milliseconds));
        cells(&|one| one.found.clusters.len().to_string());
        cells(&|one| number(Some(one.sites)));
        let (lsh, estimate) = (agreement(tried, 1), agreement(tried, 2));
        let _ = writeln!(report.text, " {} | {} |", number(lsh), number(estimate));
    }
    report.text.push('\n');
    let line = |name: &str, value: &dyn Fn(&Grown) -> Option<f64>| Line {
        name: name.into(),
        points: rows
            .iter()
            .map(|row| (row.0 as f64, value(row).unwrap_or(f64::NAN)))
            .collect(),
        right: false,
    };
    let each = |value: fn(&Tried, f64) -> f64| -> Vec<Line> {
        let lines = SEARCHES.iter().enumerate().map(|(at, (name, _))| {
            line(name, &|row| row.2[at].as_ref().map(|one| value(one, row.1)))
        });
        lines.collect()
    };
    let chart = |title: &str, left: &str, lines| LineChart {
        title: title.into(),
        x: "pages".into(),
        left: left.into(),
        log_x: true,
        lines,
        ..LineChart::default()
    };
    let mut per_page: Vec<Line> = Vec::new();
    for (at, (name, _)) in SEARCHES.iter().enumerate() {
        per_page.push(line(name, &|row| {
            Some(row.2[at].as_ref()?.milliseconds / row.0 as f64)
        }));
    }
    per_page.push(line("parsing", &|row| Some(row.1 / row.0 as f64)));
    report.chart(
        "time",
        chart("Time of clustering per page", "ms per page", per_page),
    );
    report.chart(
        "relative-time",
        chart(
            "Time of clustering relative to parsing",
            "multiple of parsing time",
            each(|one, parsing| one.milliseconds / parsing),
        ),
    );
    let mut lines = each(|one, _| one.sites);
    for at in [1, 2] {
        let name = format!("{} with exact", SEARCHES[at].0);
        lines.push(line(&name, &|row| agreement(&row.2, at)));
    }
    report.chart(
        "agreement",
        chart("Agreement with the sites, and with exact", "ARI", lines),
    );
    Ok(())
}

/// Agreement with the sites in mixtures of few and of many.
pub fn mixtures(report: &mut Report, sites: &[Site], args: &Args) -> anyhow::Result<()> {
    let timed = Timed::new()?;
    // A site of a few pages has no template to tell.
    let fit: Vec<&Site> = sites.iter().filter(|site| site.pages.len() >= 5).collect();
    let most = usize::from(args.sites).min(fit.len());
    if most < 2 {
        return Ok(());
    }
    let _ = write!(
        report.text,
        "## Mixtures of few and of many sites\n\n\
         So many sites, up to {PAGES_A_SITE} pages of each, shuffled; ARI against the sites, means \
         over {DRAWS} draws and the least of them.\n\n\
         | sites | pages | exact | lsh | estimate | least exact | lsh | estimate | lsh with exact |\n\
         |{}\n",
        "---:|".repeat(9)
    );
    let mut lines = SEARCHES.map(|(name, _)| Line {
        name: name.into(),
        points: Vec::new(),
        right: false,
    });
    for count in 2..=most {
        let (mut all, mut pages) = (Vec::new(), 0);
        for draw in 0..DRAWS {
            let heap = mixture(&fit, count, draw);
            pages += heap.len();
            all.push(try_all(&timed, &heap, usize::MAX));
        }
        let value = |at: usize| {
            all.iter()
                .filter_map(move |tried| Some(tried[at].as_ref()?.sites))
        };
        let _ = write!(report.text, "| {count} | {} |", pages / DRAWS as usize);
        for (at, line) in lines.iter_mut().enumerate() {
            let mean = mean(value(at));
            let _ = write!(report.text, " {} |", number(mean));
            line.points.push((count as f64, mean.unwrap_or(f64::NAN)));
        }
        for at in 0..SEARCHES.len() {
            let _ = write!(report.text, " {} |", number(value(at).reduce(f64::min)));
        }
        let agreed = mean(all.iter().filter_map(|tried| agreement(tried, 1)));
        let _ = writeln!(report.text, " {} |", number(agreed));
    }
    report.text.push('\n');
    report.chart(
        "mixtures",
        LineChart {
            title: "Agreement with the sites of a mixture".into(),
            x: "sites".into(),
            left: "ARI".into(),
            lines: lines.into(),
            ..LineChart::default()
        },
    );
    Ok(())
}

/// Some pages of some sites, drawn at random by `draw`.
fn mixture<'a>(sites: &[&'a Site], count: usize, draw: u64) -> Vec<&'a Prepared> {
    let mut sites = sites.to_vec();
    sites.sort_by_cached_key(|site| {
        page_identity(None, &format!("{draw} {}/{}", site.set, site.name))
    });
    let pages = sites.iter().take(count).flat_map(|site| {
        let mut pages = shuffled(site.pages.iter(), draw);
        pages.truncate(PAGES_A_SITE);
        pages
    });
    shuffled(pages, draw)
}
