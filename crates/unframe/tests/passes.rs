//! Two passes over an input of which only a part is kept in between.

use std::convert::Infallible;

use unframe::{
    ChunkMemory, ChunkParams, Chunks, CleanOptions, Inputs, ReadOptions, Sites, clean, text,
};

const PAGES: usize = 500;

/// Every page with its name, cleaned; and how many items were skipped.
fn cleaned(file: &std::path::Path, keep_bytes: usize, jobs: usize) -> (Vec<String>, Vec<String>) {
    let mut inputs = Inputs::open(&[file.into()], ReadOptions::default()).unwrap();
    let method = Chunks::new(ChunkParams::default()).unwrap();
    let options = CleanOptions {
        jobs,
        keep_bytes,
        ..CleanOptions::default()
    };
    let (mut pages, mut skipped) = (Vec::new(), Vec::new());
    let summary = clean(
        &mut inputs,
        &method,
        &mut Sites::<ChunkMemory>::new(None, usize::MAX),
        &options,
        |page| format!("{}: {}", page.raw.name, text(page.page.dom(), page.labels)),
        |page| {
            pages.push(page);
            Ok::<(), Infallible>(())
        },
        |item| skipped.push(item.name.clone()),
    );
    let summary = summary.unwrap();
    assert_eq!(summary.pages, pages.len() as u64);
    assert_eq!(
        summary.skipped.values().sum::<u64>(),
        skipped.len() as u64,
        "nothing is counted in both passes"
    );
    (pages, skipped)
}

#[test]
fn how_much_is_kept_for_the_second_pass_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pages.jsonl");
    let line = |n: usize| match n % 50 {
        7 => "{\"url\": broken\n".to_string(),
        _ => format!(
            "{{\"url\": \"http://site/{n}\", \"html\": \"<div>Home · About</div><p>Story {n}\"}}\n"
        ),
    };
    std::fs::write(&file, (0..PAGES).map(line).collect::<String>()).unwrap();

    let (pages, skipped) = cleaned(&file, usize::MAX, 1);
    assert_eq!(pages.len() + skipped.len(), PAGES);
    assert!(pages[3].ends_with(": Story 3\n"), "{}", pages[3]);
    // Nothing; the first batch; some batches; nearly all.
    for keep_bytes in [0, 6_000, 12_000, 18_000] {
        for jobs in [1, 2] {
            let found = cleaned(&file, keep_bytes, jobs);
            assert_eq!(
                found,
                (pages.clone(), skipped.clone()),
                "{keep_bytes} bytes"
            );
        }
    }
}
