//! Parsing beside html5ever's own parser, on the same pages.
//!
//! `cargo bench -p unframe-dom` uses the bundled demo; `UNFRAME_BENCH_PAGES=DIR` other pages.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use unframe_dom::{Limits, decode, parse, parse_with_html5ever};

fn pages() -> Vec<String> {
    let root = std::env::var_os("UNFRAME_BENCH_PAGES")
        .map(std::path::PathBuf::from)
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../demo").into());
    let mut folders = vec![root];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html") && texts.len() < 400 {
                let bytes = std::fs::read(&path).unwrap();
                texts.push(decode(bytes, None).text);
            }
        }
    }
    texts
}

fn parsers(c: &mut Criterion) {
    let pages = pages();
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
                .map(|page| parse_with_html5ever(page.as_str()).nodes().len())
                .sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, parsers);
criterion_main!(benches);
