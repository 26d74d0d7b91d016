//! Each stage of `auto` on a site in memory, against parsing the same pages.

#[path = "../../dom/benches/pages/mod.rs"]
mod pages;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use unframe_dom::Limits;
use unframe_methods::auto::AutoView;
use unframe_methods::{Auto, AutoMemory, Method};
use unframe_page::Page;

/// Pages of the site.
const PAGES: usize = 100;

fn stages(criterion: &mut Criterion) {
    let bytes = pages::pages(PAGES);
    let parse = |bytes: &Vec<u8>| Page::parse(bytes.into(), None, None, &Limits::default());
    let parsed: Vec<Page> = bytes.iter().map(parse).collect();
    // As `clean` writes texts: only the forest that decides is asked.
    let auto = Auto::default();
    let views: Vec<AutoView> = parsed.iter().map(|page| auto.view(page)).collect();
    let mut memory = AutoMemory::default();
    views.iter().for_each(|view| memory.learn(view));
    let mut group = criterion.benchmark_group("auto");
    group.sample_size(10);
    group.bench_function("parse", |bench| {
        bench.iter(|| {
            bytes
                .iter()
                .map(parse)
                .for_each(|page| drop(black_box(page)))
        });
    });
    group.bench_function("view", |bench| {
        bench.iter(|| {
            parsed
                .iter()
                .for_each(|page| drop(black_box(auto.view(page))));
        });
    });
    group.bench_function("learn", |bench| {
        bench.iter(|| {
            let mut memory = AutoMemory::default();
            views.iter().for_each(|view| memory.learn(view));
            memory
        });
    });
    group.bench_function("label", |bench| {
        bench.iter(|| {
            views
                .iter()
                .for_each(|view| drop(black_box(auto.label(&memory, view))));
        });
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
