//! Checks that mixed pages of several real sites are separated again. The pages cannot be shipped:
//! without `UNFRAME_CORPORA` these tests do nothing.
//!
//! There are two kinds of mixtures. *All sites* takes every page of every site of a set and
//! compares the clusters with the names of the sites, although many sites have several templates
//! (articles and lists, an old and a new design) and some share one. *One design* takes articles
//! only, one template per host, and no site whose pages link to unrelated style sheets; the two
//! sites that changed their design midway count as two.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use unframe_dom::{Dom, Limits, NodeId};
use unframe_eval::adjusted_rand_index;
use unframe_page::Page;
use unframe_survey::mdl::{
    Clustering, MdlParams, OnlineClusters, PagePaths, PathTable, Search, Sketch, cluster,
};

const SETS: [&str; 5] = [
    "dwt-dev",
    "built-dev",
    "news-dev",
    "portals-dev",
    "records-dev",
];

/// Maximum number of pages per site.
const PAGES: usize = 30;

#[test]
fn mixtures_of_sites_come_apart() {
    let Some(root) = std::env::var_os("UNFRAME_CORPORA").map(PathBuf::from) else {
        eprintln!("UNFRAME_CORPORA is not set: no sites to mix");
        return;
    };
    let mut everything: Vec<Site> = Vec::new();
    let mut of_one_design = Means::default();
    println!("set              mixtures  exact    lsh  estimate  online  online=exact");
    for set in SETS {
        let sites = sites(&root.join(set));
        of_one_design.add(&Means::of(
            &format!("{set}, one design"),
            &one_design(&sites),
        ));
        Means::of(set, &sites);
        everything.extend(sites);
    }
    let all = Means::of("all sites", &everything);
    of_one_design.add(&Means::of("all, one design", &one_design(&everything)));
    let [exact, lsh, estimate, online, agree] = of_one_design.means();
    println!("one design: {exact:.3} {lsh:.3} {estimate:.3} {online:.3} {agree:.3}");
    assert!(exact >= 0.95 && lsh >= 0.93 && estimate >= 0.9);
    assert!(agree >= 0.95);
    let [exact, lsh, ..] = all.means();
    assert!(exact >= 0.9 && lsh >= 0.9);
}

/// On each of the two sites that changed their design, no cluster has pages of both designs.
#[test]
fn two_designs_of_a_site_come_apart() {
    let Some(root) = std::env::var_os("UNFRAME_CORPORA").map(PathBuf::from) else {
        eprintln!("UNFRAME_CORPORA is not set: no designs to tell apart");
        return;
    };
    let sites = sites(&root.join("built-dev"));
    for name in ["hard_redesign_en", "hard_redesign_es"] {
        let site = sites.iter().find(|site| site.name == name).unwrap();
        let labels: Vec<u32> = site
            .pages
            .iter()
            .map(|page| u32::from(page.newer))
            .collect();
        let pages: Vec<&Sampled> = site.pages.iter().collect();
        for search in [Search::Exact, Search::Lsh, Search::Estimate] {
            let found = clusters(&pages, search);
            let ari = adjusted_rand_index(&labels, &found.of_page);
            println!(
                "{name} {search:?}: {} clusters, {ari:.3}",
                found.clusters.len()
            );
            for cluster in &found.clusters {
                let newer = cluster
                    .pages
                    .iter()
                    .filter(|page| labels[**page as usize] == 1);
                let newer = newer.count();
                assert!(
                    newer == 0 || newer == cluster.pages.len(),
                    "{name} {search:?}"
                );
            }
            assert!(ari >= 0.95, "{name} {search:?} {ari}");
        }
    }
}

/// Sums of the five columns over mixtures.
#[derive(Default)]
struct Means {
    sums: [f64; 5],
    mixtures: usize,
}

impl Means {
    /// Mixes k sites for k = 2…12, each k three times, and prints a line.
    fn of(name: &str, sites: &[Site]) -> Means {
        let mut means = Means::default();
        for k in 2..=12.min(sites.len()) {
            for seed in 0..3 {
                let columns = mixture(sites, k, seed);
                means.add(&Means {
                    sums: columns,
                    mixtures: 1,
                });
            }
        }
        let [exact, lsh, estimate, online, agree] = means.means();
        println!(
            "{name:24} {:3}  {exact:.3}  {lsh:.3}  {estimate:.3}  {online:.3}  {agree:.3}",
            means.mixtures
        );
        means
    }

    fn add(&mut self, other: &Means) {
        self.sums = std::array::from_fn(|at| self.sums[at] + other.sums[at]);
        self.mixtures += other.mixtures;
    }

    fn means(&self) -> [f64; 5] {
        self.sums.map(|sum| sum / self.mixtures.max(1) as f64)
    }
}

/// Adjusted Rand indices of exact, lsh, estimate and online; the share of pages on which online and
/// exact agree.
fn mixture(sites: &[Site], k: usize, seed: u64) -> [f64; 5] {
    let mut random = Random(1000 * k as u64 + seed);
    let mut order: Vec<&Site> = sites.iter().collect();
    random.shuffle(&mut order);
    let mut pages: Vec<(&str, &Sampled)> = Vec::new();
    for site in &order[..k] {
        pages.extend(site.pages.iter().map(|page| (site.label(page), page)));
    }
    random.shuffle(&mut pages);
    let mut names: BTreeMap<&str, u32> = BTreeMap::new();
    let labels: Vec<u32> = pages
        .iter()
        .map(|(label, _)| {
            let next = names.len() as u32;
            *names.entry(label).or_insert(next)
        })
        .collect();
    let pages: Vec<&Sampled> = pages.into_iter().map(|(_, page)| page).collect();
    let [exact, lsh, estimate] =
        [Search::Exact, Search::Lsh, Search::Estimate].map(|search| clusters(&pages, search));
    let mut online = OnlineClusters::default();
    let found: Vec<u32> = pages
        .iter()
        .map(|page| online.assign(&page.sketch))
        .collect();
    online.merge_by_length();
    let found: Vec<u32> = found
        .iter()
        .map(|number| online.canonical(*number))
        .collect();
    let index = |of_page: &[u32]| adjusted_rand_index(&labels, of_page);
    [
        index(&exact.of_page),
        index(&lsh.of_page),
        index(&estimate.of_page),
        index(&found),
        agreement(&found, &exact.of_page),
    ]
}

fn clusters(pages: &[&Sampled], search: Search) -> Clustering {
    let mut table = PathTable::default();
    for page in pages {
        table.add(&page.paths);
    }
    let mut params = MdlParams::default();
    params.search = search;
    cluster(table, &params)
}

/// The share of pages in corresponding clusters. Clusters are matched one to one, largest overlap
/// first.
fn agreement(a: &[u32], b: &[u32]) -> f64 {
    let mut overlaps: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for pair in a.iter().zip(b) {
        *overlaps.entry((*pair.0, *pair.1)).or_default() += 1;
    }
    let mut overlaps: Vec<((u32, u32), usize)> = overlaps.into_iter().collect();
    overlaps.sort_by_key(|(_, pages)| std::cmp::Reverse(*pages));
    let (mut of_a, mut of_b, mut agree) = (BTreeSet::new(), BTreeSet::new(), 0);
    for ((x, y), pages) in overlaps {
        if !of_a.contains(&x) && !of_b.contains(&y) {
            of_a.insert(x);
            of_b.insert(y);
            agree += pages;
        }
    }
    agree as f64 / a.len() as f64
}

#[derive(Clone)]
struct Site {
    name: String,
    pages: Vec<Sampled>,
}

#[derive(Clone)]
struct Sampled {
    paths: PagePaths,
    sketch: Sketch,
    sheets: BTreeSet<String>,
    /// A list of pages, not an article.
    list: bool,
    /// Of the newer design, on the two sites that have two.
    newer: bool,
}

impl Site {
    fn label(&self, page: &Sampled) -> &str {
        match page.newer {
            true => "newer design",
            false => &self.name,
        }
    }

    /// True if the pages are connected by shared style sheets: neighbours have most in common.
    fn has_one_family_of_style_sheets(&self) -> bool {
        let mut families: Vec<Vec<&BTreeSet<String>>> = Vec::new();
        for page in &self.pages {
            let (same, mut others): (Vec<_>, Vec<_>) = families
                .into_iter()
                .partition(|family| family.iter().any(|sheets| alike(sheets, &page.sheets)));
            let mut family: Vec<&BTreeSet<String>> = same.into_iter().flatten().collect();
            family.push(&page.sheets);
            others.push(family);
            families = others;
        }
        families.len() <= 1
    }
}

fn alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    2 * a.intersection(b).count() >= a.union(b).count()
}

/// See the module documentation.
fn one_design(sites: &[Site]) -> Vec<Site> {
    let mut hosts = BTreeSet::new();
    let mut kept = Vec::new();
    for site in sites {
        let mut site = site.clone();
        site.pages.retain(|page| !page.list);
        let host = site.name.split("__").next().unwrap_or_default();
        // One agency's site is a copy of another's, and both redesigned sites share their new
        // design.
        let host = match host {
            "mac-agency" => "mac-web_main",
            "hard_redesign_es" => "hard_redesign_en",
            host => host,
        };
        if site.has_one_family_of_style_sheets() && hosts.insert(host.to_string()) {
            kept.push(site);
        }
    }
    kept
}

fn sites(set: &Path) -> Vec<Site> {
    let mut folders: Vec<PathBuf> = entries(set);
    folders.retain(|path| path.join("pages").is_dir());
    let site = |folder: &PathBuf| {
        let mut files = Vec::new();
        walk(&folder.join("pages"), &mut files);
        files.sort();
        let step = files.len().div_ceil(PAGES);
        Site {
            name: folder.file_name().unwrap().to_string_lossy().into(),
            pages: files
                .iter()
                .step_by(step)
                .map(|file| sampled(file))
                .collect(),
        }
    };
    folders.iter().map(site).collect()
}

fn sampled(file: &Path) -> Sampled {
    let page = Page::parse(
        fs::read(file).unwrap().into(),
        None,
        None,
        &Limits::default(),
    );
    let gold = file.to_string_lossy().replacen("/pages/", "/gold/", 1);
    let gold = fs::read_to_string(format!("{gold}.json")).unwrap_or_default();
    Sampled {
        paths: PagePaths::of(page.dom()),
        sketch: Sketch::of(page.dom(), None),
        sheets: style_sheets(page.dom()),
        list: gold.contains(r#""kind": "list""#),
        newer: gold.contains("https://hard-redesign")
            && page.dom().source().contains(r#"class="css-"#),
    }
}

fn style_sheets(dom: &Dom) -> BTreeSet<String> {
    let links = (0..dom.nodes().len() as NodeId).filter(|id| {
        let rel = dom.attribute(*id, "rel").unwrap_or_default();
        rel.to_ascii_lowercase().contains("stylesheet")
    });
    let addresses = links.filter_map(|id| dom.attribute(id, "href"));
    // The same sheet may be linked from another folder, or with a version.
    let name = |address: &str| {
        let address = address.split('?').next().unwrap_or_default();
        address.trim_start_matches(['.', '/']).to_string()
    };
    addresses.map(name).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        match path.is_dir() {
            true => walk(&path, files),
            false => files.push(path),
        }
    }
}

/// A linear congruential generator: the same mixtures every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
