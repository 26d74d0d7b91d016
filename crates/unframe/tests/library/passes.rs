//! Two passes over an input of which only a part is kept in between.

use unframe::MethodSpec;
use unframe::batch::{CleanOptions, clean};
use unframe::read::{Inputs, ReadOptions, SiteFrom};
use unframe::store::Sites;

use crate::collect::Collect;

const PAGES: usize = 500;

/// Every page with its name, cleaned; and how many items were skipped.
fn cleaned(file: &std::path::Path, keep_bytes: usize, jobs: usize) -> (Vec<String>, Vec<String>) {
    let options = ReadOptions {
        site_from: SiteFrom::Folder,
        ..ReadOptions::default()
    };
    let mut inputs = Inputs::open(&[file.into()], options).unwrap();
    let spec: MethodSpec = "chunks".parse().unwrap();
    let options = CleanOptions {
        jobs,
        keep_bytes,
        ..CleanOptions::default()
    };
    let mut sites = Sites::in_memory(spec.engine().memory());
    let mut sink = Collect::new(|raw, page| {
        let (known, text) = (page.state_pages(), page.text());
        format!("{} of {known}: {text}", raw.name)
    });
    let summary = clean(&mut inputs, spec.engine(), &mut sites, &options, &mut sink).unwrap();
    let (pages, skipped) = (sink.made, sink.skipped);
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
    assert!(pages[3].ends_with(" of 490: Story 3\n"), "{}", pages[3]);
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

#[test]
fn finished_sites_are_emitted_in_turn() {
    let folder = tempfile::tempdir().unwrap();
    for (site, pages) in [("ash", 150), ("birch", 1), ("cedar", 300)] {
        std::fs::create_dir(folder.path().join(site)).unwrap();
        for n in 0..pages {
            let html = format!("<div>Home of {site}</div><p>Story {n}");
            std::fs::write(folder.path().join(format!("{site}/{n:03}.html")), html).unwrap();
        }
    }
    let (pages, skipped) = cleaned(folder.path(), usize::MAX, 1);
    assert_eq!((pages.len(), skipped.len()), (451, 0));
    assert!(pages.is_sorted(), "in the order of the input");
    for (page, of) in [(0, 150), (149, 150), (150, 1), (151, 300), (450, 300)] {
        let pages_known = format!(" of {of}: ");
        assert!(pages[page].contains(&pages_known), "{}", pages[page]);
    }
    assert!(pages[140].ends_with(": Story 140\n"), "{}", pages[140]);
    for keep_bytes in [0, 4_000, 6_000, 9_000, 12_000] {
        for jobs in [1, 2] {
            let (found, _) = cleaned(folder.path(), keep_bytes, jobs);
            assert_eq!(found, pages, "{keep_bytes} bytes");
        }
    }
}
