//! The stages one by one, and whether a page costs more when many have been learnt.
//!
//! `cargo bench -p unframe` uses the bundled demo; `UNFRAME_BENCH_PAGES=DIR` other pages.

use std::path::PathBuf;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use unframe::{Fingerprint, Limits, Method, Page, Stream, StreamMemory, StreamParams, Visit, text};

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

criterion_group!(benches, stages, growth);
criterion_main!(benches);
