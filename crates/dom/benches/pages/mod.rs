//! The pages for benchmarks: the bundled demo, or those below `UNFRAME_BENCH_PAGES`.

use std::path::PathBuf;

/// The bytes of at most `most` pages, folder by folder, sorted by name.
pub fn pages(most: usize) -> Vec<Vec<u8>> {
    let demo = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../demo"));
    let root = std::env::var_os("UNFRAME_BENCH_PAGES").map_or_else(demo, PathBuf::from);
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
            } else if path.extension().is_some_and(|e| e == "html") && pages.len() < most {
                pages.push(std::fs::read(&path).unwrap());
            }
        }
    }
    pages
}
