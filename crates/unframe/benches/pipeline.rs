//! The stages one by one, and whether a page costs more when many have been learnt.
//!
//! `cargo bench -p unframe` uses the bundled demo; `UNFRAME_BENCH_PAGES=DIR` other pages. `cargo
//! bench -p unframe -- "site of 20000"` compares both passes of `chunks` over a large site with one
//! bare parse of it.

use std::rc::Rc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tempfile::TempDir;
use unframe::batch::{CleanOptions, clean};
use unframe::methods::{Method, Stream, StreamMemory, StreamParams};
use unframe::page::Fingerprint;
use unframe::read::{Inputs, Item, ReadOptions};
use unframe::render::text;
use unframe::store::{Sites, Visit};
use unframe::{CleanPage, Limits, MethodSpec, Page};

#[path = "../../dom/benches/pages/mod.rs"]
mod pages;

fn pages() -> Vec<Page> {
    let parse = |bytes: Vec<u8>| Page::parse(bytes.into(), None, None, &Limits::default());
    pages::pages(300).into_iter().map(parse).collect()
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
                |page: &Page| Page::parse(page.bytes().into(), None, None, &Limits::default());
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

/// A folder of so many pages: the given ones again and again, each with a sentence of its own.
fn folder_of(pages: &[Page], number: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for number in 0..number {
        let mut bytes = pages[number % pages.len()].bytes().to_vec();
        bytes.extend(format!("<p>What only page number {number} says.").bytes());
        std::fs::write(folder.path().join(format!("{number}.html")), bytes).expect("room on disk");
    }
    folder
}

fn open(folder: &TempDir) -> Inputs {
    Inputs::open(&[folder.path().into()], ReadOptions::default()).expect("a readable folder")
}

/// Reads and parses every page once, and does nothing with it.
fn bare_parse(folder: &TempDir) -> usize {
    let pages = open(folder).read(false).expect("nothing was read yet");
    let parse = |item| match item {
        Item::Page(page) => Page::parse(page.body.into(), page.url, None, &Limits::default()),
        Item::Skipped(skipped) => panic!("{skipped:?}"),
    };
    pages.map(|item| parse(item).dom().nodes().len()).sum()
}

/// The whole run on one thread, with default options otherwise.
fn both_passes(folder: &TempDir, spec: &MethodSpec) -> u64 {
    let mut sites = Sites::in_memory(spec.engine().memory());
    let options = CleanOptions {
        jobs: 1,
        ..CleanOptions::default()
    };
    let mut length = 0;
    let mut sink = |page: &CleanPage| length += page.text().len();
    let summary = clean(
        &mut open(folder),
        spec.engine(),
        &mut sites,
        &options,
        &mut sink,
    );
    assert!(length > 0);
    summary.expect("there is no store that could fail").pages
}

fn large_site(c: &mut Criterion) {
    const PAGES: usize = 20_000;
    let mut group = c.benchmark_group("site of 20000 pages");
    group.sample_size(10);
    let mut folder = None;
    let mut folder = || {
        folder
            .get_or_insert_with(|| Rc::new(folder_of(&pages(), PAGES)))
            .clone()
    };
    group.bench_function("bare parse", |b| {
        let folder = folder();
        b.iter(|| bare_parse(&folder));
    });
    let spec: MethodSpec = "chunks".parse().expect("a method");
    group.bench_function("both passes of chunks", |b| {
        let folder = folder();
        b.iter(|| both_passes(&folder, &spec));
    });
    group.finish();
}

criterion_group!(benches, stages, growth, large_site);
criterion_main!(benches);
