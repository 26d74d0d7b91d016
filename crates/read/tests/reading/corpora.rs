//! Reads the real and the broken archives of the corpora folder, if it exists. Without
//! `UNFRAME_CORPORA` these tests do nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use unframe_read::{Item, ReadOptions};

use crate::reading::read;

#[test]
fn every_archive_of_the_corpora_is_read_twice_alike() {
    let Some(folder) = std::env::var_os("UNFRAME_CORPORA") else {
        eprintln!("UNFRAME_CORPORA is not set; the archives in it are not read");
        return;
    };
    let folder = PathBuf::from(folder).join("warc");
    let mut files = Vec::new();
    list(&folder, &mut files);
    assert!(!files.is_empty(), "no files in {}", folder.display());
    for file in files {
        let items = read(&[&file], ReadOptions::default());
        assert!(
            read(&[&file], ReadOptions::default()) == items,
            "{}",
            file.display()
        );
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut broken = Vec::new();
        for item in &items {
            if let Item::Page(page) = item
                && let Some(wrong) = page.wrong_digest
            {
                *counts.entry("digest-mismatch").or_default() += 1;
                broken.push(format!("{}: {wrong}", page.name));
            }
            match item {
                Item::Page(page) if page.truncated => *counts.entry("cut-page").or_default() += 1,
                Item::Page(_) => *counts.entry("page").or_default() += 1,
                Item::Skipped(skipped) => {
                    *counts.entry(skipped.reason.kind()).or_default() += 1;
                    if skipped.reason.is_failure() {
                        broken.push(skipped.to_string());
                    }
                }
            }
        }
        let name = file.strip_prefix(&folder).unwrap_or(&file);
        println!("{}\t{counts:?}", name.display());
        for line in broken {
            println!("    {line}");
        }
    }
}

/// Flips, drops and doubles parts of real archives. The reader must finish with all of them, and
/// yield the same items twice.
#[test]
fn damaged_copies_of_the_corpora_are_survived() {
    let Some(folder) = std::env::var_os("UNFRAME_CORPORA") else {
        eprintln!("UNFRAME_CORPORA is not set; the archives in it are not damaged");
        return;
    };
    let mut files = Vec::new();
    list(&PathBuf::from(folder).join("warc"), &mut files);
    let copies = tempfile::tempdir().unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    for file in files {
        let whole = std::fs::read(&file).unwrap();
        for _ in 0..8 {
            let mut bytes = whole.clone();
            for _ in 0..=random(4) {
                let start = random(bytes.len());
                let end = (start + 1 + random(3000)).min(bytes.len());
                match random(3) {
                    0 => bytes[start..end].iter_mut().for_each(|byte| *byte ^= 0x55),
                    1 => drop(bytes.drain(start..end)),
                    _ => {
                        let twice = bytes[start..end].to_vec();
                        bytes.splice(start..start, twice);
                    }
                }
            }
            let copy = copies.path().join(file.file_name().unwrap());
            std::fs::write(&copy, &bytes).unwrap();
            let items = read(&[&copy], ReadOptions::default());
            assert!(
                read(&[&copy], ReadOptions::default()) == items,
                "{}",
                file.display()
            );
        }
    }
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => list(&path, files),
            false => files.push(path),
        }
    }
}
