//! Compares parsing with html5ever's own parser on the same pages.
//!
//! `cargo bench -p unframe-dom` uses the bundled demo; set `UNFRAME_BENCH_PAGES=DIR` for other
//! pages.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use unframe_dom::{Limits, Scripts, decode, parse};

mod pages;
#[path = "../tests/parsing/reference.rs"]
mod reference;

use reference::parse_with_html5ever;

fn parsers(c: &mut Criterion) {
    let pages = pages::pages(400).into_iter();
    let pages: Vec<String> = pages.map(|bytes| decode(bytes, None).text.into()).collect();
    let bytes: usize = pages.iter().map(String::len).sum();
    let mut group = c.benchmark_group("parse");
    group
        .throughput(Throughput::Bytes(bytes as u64))
        .sample_size(10);
    let limits = Limits::default();
    group.bench_function("unframe", |b| {
        b.iter(|| {
            pages
                .iter()
                .map(|page| parse(page.as_str(), &limits).nodes().len())
                .sum::<usize>()
        });
    });
    group.bench_function("html5ever", |b| {
        b.iter(|| {
            pages
                .iter()
                .map(|page| parse_with_html5ever(page, Scripts::On).node_count())
                .sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, parsers);
criterion_main!(benches);
