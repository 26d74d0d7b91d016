//! Links in folders: not followed unless asked, and then nothing is read twice.

use std::fs::{create_dir_all, write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use unframe_read::ReadOptions;

use crate::reading::{read, show};

/// Beside a folder `outside`, a folder `site` with links of all kinds.
fn site_with_links() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap();
    let site = top.join("site");
    create_dir_all(site.join("m")).unwrap();
    create_dir_all(top.join("outside/deep")).unwrap();
    write(site.join("m/x.html"), "x").unwrap();
    write(top.join("outside/secret.html"), "s").unwrap();
    write(top.join("outside/deep/d.html"), "d").unwrap();
    let link = |target: &str, name: &str| symlink(target, site.join(name)).unwrap();
    link("m", "a-copy");
    link("../outside/secret.html", "b.html");
    link("nowhere", "c.html");
    link("../outside", "d");
    link("../outside/deep", "e");
    link("../..", "m/up");
    link("..", "m/x-loop");
    link("x.html", "m/y.html");
    link("z.html", "z.html");
    (folder, site)
}

fn following() -> ReadOptions {
    ReadOptions {
        follow_links: true,
        ..ReadOptions::default()
    }
}

#[test]
fn links_that_a_walk_finds_are_reported_and_not_followed() {
    let (_folder, site) = site_with_links();
    let items = read(&[&site], ReadOptions::default());
    let expected = [
        "a-copy link",
        "b.html link",
        "c.html link",
        "d link",
        "e link",
        "m/up link",
        "m/x-loop link",
        "m/x.html site x",
        "m/y.html link",
        "z.html link",
    ];
    assert_eq!(show(&items, &site), expected);
}

#[test]
fn links_that_are_followed_lead_to_everything_once() {
    let (_folder, site) = site_with_links();
    let items = read(&[&site], following());
    let expected = [
        "a-copy linked-twice",
        "b.html site s",
        "c.html dangling-link",
        "d/deep/d.html site d",
        "d/secret.html linked-twice",
        "e linked-twice",
        "m/up/outside linked-twice",
        "m/up/site linked-twice",
        "m/x-loop link-loop",
        "m/x.html site x",
        "m/y.html linked-twice",
        "z.html dangling-link",
    ];
    assert_eq!(show(&items, &site), expected);
    // What an argument contains is read there, wherever links to it are found before.
    let outside = site.with_file_name("outside");
    let lines = show(&read(&[&site, &outside], following()), &site);
    let read: Vec<&String> = lines
        .iter()
        .filter(|line| !line.contains(" link"))
        .collect();
    assert_eq!(read.len(), 3 + 2, "{lines:?}");
    assert!(lines.contains(&"d linked-twice".to_owned()), "{lines:?}");
}

#[test]
fn a_link_that_is_named_is_read() {
    let (folder, site) = site_with_links();
    let all = show(&read(&[site.join("b.html")], ReadOptions::default()), &site);
    assert_eq!(all, ["b.html site s"]);
    let link = folder.path().canonicalize().unwrap().join("link");
    symlink(&site, &link).unwrap();
    let all = show(&read(&[&link], ReadOptions::default()), &link);
    assert!(all.contains(&"m/x.html site x".to_owned()), "{all:?}");
}

#[test]
fn links_that_a_glob_finds_are_not_named() {
    let (_folder, site) = site_with_links();
    let glob = |pattern: &str, options| show(&read(&[site.join(pattern)], options), &site);
    let default = ReadOptions::default;
    assert_eq!(
        glob("[bm]*", default()),
        [
            "b.html link",
            "m/up link",
            "m/x-loop link",
            "m/x.html site x",
            "m/y.html link"
        ]
    );
    assert_eq!(
        glob("*/*.html", default()),
        [
            "a-copy link",
            "d link",
            "e link",
            "m/x.html m x",
            "m/y.html link"
        ]
    );
    assert_eq!(
        glob("d/*.html", default()),
        ["d/secret.html outside s"],
        "d itself is named"
    );
    assert_eq!(
        glob("[be]*", following()),
        ["b.html site s", "e/d.html site d"]
    );
}

#[test]
fn links_that_multiply_paths_cost_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().canonicalize().unwrap();
    write(site.join("x.html"), "x").unwrap();
    for name in ["a", "b", "c"] {
        symlink(".", site.join(name)).unwrap();
    }
    for (pattern, options) in [
        ("", ReadOptions::default()),
        ("", following()),
        ("**/*.html", ReadOptions::default()),
        ("**/*.html", following()),
    ] {
        let items = read(&[site.join(pattern)], options);
        let pages = show(&items, Path::new(""))
            .iter()
            .filter(|line| line.ends_with(" x"))
            .count();
        assert_eq!(pages, 1, "{pattern}");
    }
}
