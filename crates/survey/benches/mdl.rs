//! Compares the time of clustering by description length with that of parsing, for growing numbers
//! of pages.
//!
//! `cargo bench -p unframe-survey` uses the bundled demo; set `UNFRAME_BENCH_PAGES=DIR` for other
//! pages. There are never enough of them, so each is repeated with a number at the end of every
//! paragraph: the same frame around different texts. The output is a table of single runs, on one
//! thread and on all; then criterion measures 300 pages.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use unframe_dom::{Dom, Limits, decode, parse};
use unframe_survey::mdl::{MdlParams, PagePaths, PathTable, Search, cluster};

#[path = "../../dom/benches/pages/mod.rs"]
mod pages;

/// Number of pages per run, and the search used.
const RUNS: [(usize, Search); 7] = [
    (300, Search::Exact),
    (300, Search::Lsh),
    (300, Search::Estimate),
    (2_000, Search::Lsh),
    (6_000, Search::Lsh),
    (20_000, Search::Lsh),
    (20_000, Search::Estimate),
];

fn main() {
    let pages = pages();
    println!("{} different pages", pages.len());
    println!(
        "  pages  search    threads   parse s   paths s   table s cluster s   / parse  clusters"
    );
    for (count, search) in RUNS {
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads")
                .install(|| print_run(&pages, count, search, threads));
        }
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}

fn print_run(pages: &[String], count: usize, search: Search, threads: usize) {
    let start = Instant::now();
    let nodes = (0..count)
        .into_par_iter()
        .map(|n| repeated(pages, n).nodes().len());
    black_box(nodes.sum::<usize>());
    let parsed = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let paths: Vec<PagePaths> = (0..count)
        .into_par_iter()
        .map(|n| PagePaths::of(&repeated(pages, n)))
        .collect();
    let with_paths = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let table = table(&paths);
    let gathered = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let found = cluster(table, &params(search));
    let clustered = start.elapsed().as_secs_f64();
    println!(
        "{count:7}  {:9} {threads:7} {parsed:9.2} {:9.2} {gathered:9.2} {clustered:9.2} {:9.2} {:9}",
        format!("{search:?}"),
        with_paths - parsed,
        (with_paths - parsed + gathered + clustered) / parsed,
        found.clusters.len(),
    );
}

fn of_300_pages(c: &mut Criterion) {
    let pages = pages();
    let mut group = c.benchmark_group("300 pages");
    group.sample_size(10);
    group.bench_function("parse", |b| {
        b.iter(|| {
            (0..300)
                .map(|n| repeated(&pages, n).nodes().len())
                .sum::<usize>()
        });
    });
    let paths: Vec<PagePaths> = (0..300)
        .map(|n| PagePaths::of(&repeated(&pages, n)))
        .collect();
    for search in [Search::Exact, Search::Lsh, Search::Estimate] {
        group.bench_function(format!("{search:?}").to_lowercase(), |b| {
            b.iter(|| cluster(table(&paths), &params(search)).clusters.len());
        });
    }
    group.finish();
}

fn params(search: Search) -> MdlParams {
    let mut params = MdlParams::default();
    params.search = search;
    params
}

fn table(paths: &[PagePaths]) -> PathTable {
    let mut table = PathTable::default();
    for page in paths {
        table.add(page);
    }
    table
}

/// Page number `n` of an unlimited supply.
fn repeated(pages: &[String], n: usize) -> Dom {
    let html = &pages[n % pages.len()];
    let again = n / pages.len();
    parse(
        html.replace("</p>", &format!(" {again}</p>")),
        &Limits::default(),
    )
}

fn pages() -> Vec<String> {
    let pages = pages::pages(2_000).into_iter();
    pages.map(|bytes| decode(bytes, None).text.into()).collect()
}

criterion_group!(benches, of_300_pages);
