//! Patterns that include and exclude pages.

use std::fs::{create_dir_all, write};
use std::path::PathBuf;

use unframe_read::{PageFilter, ReadOptions};

use crate::making::page;
use crate::reading::{read, show};

fn options(include: &[&str], exclude: &[&str]) -> ReadOptions {
    let list = |patterns: &[&str]| -> Vec<String> {
        patterns.iter().map(|pattern| pattern.to_string()).collect()
    };
    ReadOptions {
        filter: PageFilter::new(&list(include), &list(exclude)).unwrap(),
        ..ReadOptions::default()
    }
}

/// Files of a site, an archive and JSON lines.
fn site() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().canonicalize().unwrap().join("site");
    for name in ["index.html", "docs/a.html", "docs/old/b.htm", "old/c.html"] {
        let path = site.join(name);
        create_dir_all(path.parent().unwrap()).unwrap();
        write(path, "<!doctype html>").unwrap();
    }
    let archive = [
        page("http://w.org/", "root"),
        page("https://w.org/docs/d?x=1", "d"),
        page("http://v.org/docs/old/e.html#top", "e"),
    ];
    write(site.join("crawl.warc"), archive.concat()).unwrap();
    let lines = b"{\"html\": \"f\", \"url\": \"http://v.org/news/f.html\"}\n{\"html\": \"g\"}\n";
    write(site.join("lines.jsonl"), lines).unwrap();
    (folder, site)
}

/// What is read, by the first letters of the names: `index`, `docs/a`, `root`, `d`, …
fn names(include: &[&str], exclude: &[&str]) -> String {
    let (_folder, site) = site();
    let items = read(&[&site], options(include, exclude));
    let lines = show(&items, &site);
    let pages = lines.iter().filter(|line| !line.ends_with(" excluded"));
    let short = pages.map(|line| match line.rsplit_once(' ') {
        Some((name, "<!doctype html>")) => unreachable!("{name}"),
        Some((rest, "html>")) => rest.split('.').next().unwrap_or_default(),
        Some((_, body)) => body,
        None => line,
    });
    short.collect::<Vec<_>>().join(" ")
}

#[test]
fn patterns_match_paths_and_urls() {
    let rows: [(&[&str], &[&str], &str); 14] = [
        (&[], &[], "root d e docs/a docs/old/b index f g old/c"),
        (&["*.html"], &[], "e docs/a index f old/c"),
        (&["docs/"], &[], "d e docs/a docs/old/b"),
        (&["docs"], &["old"], "d docs/a"),
        (&["docs/*"], &[], "d e docs/a docs/old/b"),
        (&["docs/*.html"], &[], "docs/a"),
        (&["docs/**/*.{html,htm}"], &[], "e docs/a docs/old/b"),
        (&["/old"], &[], "old/c"),
        (&[], &["docs/**", "*.jsonl"], "root index old/c"),
        (&[], &["old/"], "root d docs/a index f g"),
        (&["http*://w.org/**"], &[], "root d"),
        (&["*://*.org/docs/**"], &["https://**"], "e"),
        (&["*://v.org/", "index.*"], &[], "e index f"),
        (&["nothing"], &[], ""),
    ];
    for (include, exclude, expected) in rows {
        assert_eq!(names(include, exclude), expected, "{include:?} {exclude:?}");
    }
}

#[test]
fn what_is_left_out_is_reported_and_excluded_folders_are_not_entered() {
    let (_folder, site) = site();
    let lines = show(&read(&[&site], options(&["index.html"], &["docs"])), &site);
    let left_out = [
        "crawl.warc#0",
        "docs",
        "lines.jsonl:1",
        "lines.jsonl:2",
        "old/c.html",
    ];
    for name in left_out {
        assert!(
            lines.contains(&format!("{name} excluded")),
            "{name}: {lines:?}"
        );
    }
    assert!(
        !lines.iter().any(|line| line.starts_with("docs/")),
        "{lines:?}"
    );
}

#[test]
fn bad_patterns_are_refused() {
    for pattern in ["[x", "", "/", "{a"] {
        let list = [pattern.to_string()];
        let error = PageFilter::new(&list, &[]).unwrap_err().to_string();
        assert!(error.contains("write for example"), "{error}");
    }
}
