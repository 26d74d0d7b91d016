//! The stages one by one, and whether a page costs more when many have been learnt.
//!
//! `cargo bench -p unframe` uses the bundled demo; `UNFRAME_BENCH_PAGES=DIR` other pages. `cargo
//! bench -p unframe -- "site of 20000"` compares both passes of `chunks` over a large site with one
//! bare parse of it.

use std::path::PathBuf;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use unframe::{
    ChunkMemory, ChunkParams, Chunks, Fingerprint, Limits, Method, Page, Sites, Stream,
    StreamMemory, StreamParams, Visit, content_fingerprint, page_identity, text,
};

fn pages() -> Vec<Page> {
    let root = std::env::var_os("UNFRAME_BENCH_PAGES").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../demo")),
        PathBuf::from,
    );
    let mut folders = vec![root];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html") && pages.len() < 300 {
                let bytes = std::fs::read(&path).unwrap();
                pages.push(Page::parse(bytes, None, None, &Limits::default()));
            }
        }
    }
    pages
}

fn stages(c: &mut Criterion) {
    let pages = pages();
    let method = Stream::new(StreamParams::default()).unwrap();
    let views: Vec<_> = pages.iter().map(|page| method.view(page)).collect();
    let mut memory = StreamMemory::default();
    for (page, view) in pages.iter().zip(&views) {
        method.learn(
            &mut memory,
            page,
            view,
            Visit::first(Fingerprint::default()),
        );
    }
    let bytes: usize = pages.iter().map(|page| page.bytes().len()).sum();
    let mut group = c.benchmark_group("stage");
    group
        .throughput(Throughput::Bytes(bytes as u64))
        .sample_size(10);
    group.bench_function("parse", |b| {
        b.iter(|| {
            let parse =
                |page: &Page| Page::parse(page.bytes().to_vec(), None, None, &Limits::default());
            pages
                .iter()
                .map(|page| parse(page).dom().nodes().len())
                .sum::<usize>()
        });
    });
    group.bench_function("features", |b| {
        b.iter(|| pages.iter().for_each(|page| drop(method.view(page))));
    });
    group.bench_function("learn", |b| {
        b.iter(|| {
            let mut memory = StreamMemory::default();
            for (page, view) in pages.iter().zip(&views) {
                method.learn(
                    &mut memory,
                    page,
                    view,
                    Visit::first(Fingerprint::default()),
                );
            }
            memory.pages()
        });
    });
    group.bench_function("label and render", |b| {
        b.iter(|| {
            let render =
                |(page, view): (&Page, _)| text(page.dom(), &method.label(&memory, view)).len();
            pages.iter().zip(&views).map(render).sum::<usize>()
        });
    });
    group.finish();
}

/// A site of one layout: every page has the frame and texts of its own.
fn made_up_page(number: usize) -> Page {
    let frame: String = (0..60)
        .map(|n| format!("<li><a href=/{n}>Section {n}</a>"))
        .collect();
    let own: String = (0..40)
        .map(|n| format!("<p>Sentence {n} of page {number}."))
        .collect();
    let html = format!("<div><ul>{frame}</ul></div><div>{own}</div><div>Imprint, terms</div>");
    Page::parse(html.into(), None, None, &Limits::default())
}

fn growth(c: &mut Criterion) {
    let method = Stream::new(StreamParams::default()).unwrap();
    let mut memory = StreamMemory::default();
    let mut group = c.benchmark_group("learn and label the page after");
    for learnt in [100, 1_000, 10_000] {
        for number in memory.pages() as usize..learnt {
            let page = made_up_page(number);
            method.learn(
                &mut memory,
                &page,
                &method.view(&page),
                Visit::first(Fingerprint::default()),
            );
        }
        let page = made_up_page(usize::MAX);
        let view = method.view(&page);
        group.bench_function(learnt.to_string(), |b| {
            b.iter_batched_ref(
                || memory.clone(),
                |memory| {
                    method.learn(memory, &page, &view, Visit::first(Fingerprint::default()));
                    method.label(memory, &view).template_length()
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

/// Page number `number` of a large site: one of the given pages, with a sentence of its own.
fn nth_page(pages: &[Page], number: usize) -> Vec<u8> {
    let mut bytes = pages[number % pages.len()].bytes().to_vec();
    bytes.extend(format!("<p>What only page number {number} says.").bytes());
    bytes
}

/// Two passes, as `clean` makes them over a site that does not fit into memory: each page is parsed
/// twice, learnt in between, and rendered.
fn two_passes(method: &Chunks, pages: &[Page], number: usize) -> usize {
    let mut sites = Sites::<ChunkMemory>::new(None, usize::MAX);
    for number in 0..number {
        let page = parsed(nth_page(pages, number));
        let view = method.view(&page);
        let content = content_fingerprint(page.bytes());
        let identity = page_identity(None, &number.to_string());
        let learn =
            |memory: &mut ChunkMemory, visit: Visit<'_>| method.learn(memory, &page, &view, visit);
        let visited = sites.visit("site", identity, content, page.bytes().len() as u64, learn);
        visited.expect("there is no store that could fail");
    }
    let memory = sites.get("site").expect("was visited");
    let second = |number| {
        let page = parsed(nth_page(pages, number));
        text(page.dom(), &method.label(memory, &method.view(&page))).len()
    };
    (0..number).map(second).sum()
}

fn parsed(bytes: Vec<u8>) -> Page {
    Page::parse(bytes, None, None, &Limits::default())
}

fn large_site(c: &mut Criterion) {
    const PAGES: usize = 20_000;
    let pages = pages();
    let mut group = c.benchmark_group("site of 20000 pages");
    group.sample_size(10);
    group.bench_function("bare parse", |b| {
        let nodes = |number| parsed(nth_page(&pages, number)).dom().nodes().len();
        b.iter(|| (0..PAGES).map(nodes).sum::<usize>());
    });
    let method = Chunks::new(ChunkParams::default()).unwrap();
    group.bench_function("both passes of chunks", |b| {
        b.iter(|| two_passes(&method, &pages, PAGES));
    });
    group.finish();
}

criterion_group!(benches, stages, growth, large_site);
criterion_main!(benches);
