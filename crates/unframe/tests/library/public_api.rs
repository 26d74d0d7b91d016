//! The public API as a text under review: `tests/api.txt` lists every public item of the crates
//! behind the facade. `UNFRAME_UPDATE=1` writes it anew; the diff is what a reviewer reads.
//!
//! The list is made from the sources, so that it needs no other toolchain: items that say `pub`, by
//! crate and file, with their signatures.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 11] = [
    "dom", "page", "labels", "site", "survey", "methods", "read", "fetch", "render", "rules",
    "unframe",
];

/// Names at the root of the facade.
const MOST_ROOT_NAMES: usize = 40;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn the_public_api_is_as_reviewed() {
    let mut found = String::new();
    for name in CRATES {
        let src = crates().join(name).join("src");
        let mut files = Vec::new();
        sources(&src, &mut files);
        files.sort();
        for file in files {
            let items = public_items(&fs::read_to_string(&file).unwrap());
            if !items.is_empty() {
                let path = file.strip_prefix(&src).unwrap().display();
                writeln!(found, "{name}: {path}\n  {}", items.join("\n  ")).unwrap();
            }
        }
    }
    let listing = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api.txt");
    if std::env::var_os("UNFRAME_UPDATE").is_some() {
        fs::write(&listing, &found).unwrap();
    }
    let expected = fs::read_to_string(&listing).unwrap_or_default();
    let is_new = |line: &&str| !expected.lines().any(|known| known == *line);
    let is_gone = |line: &&str| !found.lines().any(|known| known == *line);
    let added: Vec<&str> = found.lines().filter(is_new).collect();
    let removed: Vec<&str> = expected.lines().filter(is_gone).collect();
    assert!(
        found == expected,
        "the public API has changed; if that is meant, run with UNFRAME_UPDATE=1\n\
         added: {added:#?}\nremoved: {removed:#?}"
    );
}

#[test]
fn the_root_has_few_names() {
    let root = fs::read_to_string(crates().join("unframe/src/lib.rs")).unwrap();
    let root = &root[..root.find("pub mod errors").unwrap()];
    let names: usize = public_items(root)
        .iter()
        .map(|item| match item.split_once('{') {
            Some((_, names)) => names.split(',').filter(|name| name.len() > 1).count(),
            None => 1,
        })
        .sum();
    assert!(names > 10 && names <= MOST_ROOT_NAMES, "{names} names");
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "tests" {
            sources(&path, files);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            files.push(path);
        }
    }
}

/// The items of a file that say `pub`, each on one line without its body.
fn public_items(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap();
    let kinds = [
        "fn", "const", "struct", "enum", "trait", "type", "static", "mod", "use", "async", "unsafe",
    ];
    let mut items = Vec::new();
    let mut open = String::new();
    for line in source.lines().map(str::trim) {
        let begins = line
            .strip_prefix("pub ")
            .and_then(|rest| rest.split([' ', '<']).next())
            .is_some_and(|kind| kinds.contains(&kind));
        if open.is_empty() && !begins {
            continue;
        }
        if !open.is_empty() {
            open.push(' ');
        }
        open.push_str(line);
        let is_use = open.starts_with("pub use");
        let end = match is_use {
            true => open.find(';'),
            false => open
                .find(" {")
                .or_else(|| open.find(';'))
                .or_else(|| open.find(" where")),
        };
        if let Some(end) = end {
            let item = open[..end].split_whitespace().collect::<Vec<_>>().join(" ");
            items.push(item.trim_start_matches("pub ").to_string());
            open.clear();
        }
    }
    items
}
