//! Directories, globs and loose files: what is read, in which order, and as which site.

use std::fs::{create_dir_all, write};
use std::path::{Path, PathBuf};

use unframe_read::{Item, ReadOptions, SiteFrom};

use crate::making::page;
use crate::reading::{open, read, show};

/// A folder `site` with these files; bodies are the names unless stated otherwise.
fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().canonicalize().unwrap().join("site");
    create_dir_all(&site).unwrap();
    for (name, bytes) in files {
        let path = site.join(name);
        create_dir_all(path.parent().unwrap()).unwrap();
        write(path, bytes).unwrap();
    }
    (folder, site)
}

const FILES: [(&str, &[u8]); 11] = [
    ("index.html", b"i"),
    ("Z.HTM", b"z"),
    ("a/b.php", b"b"),
    ("a.html", b"a"),
    ("a/page", b"<!doctype html>p"),
    ("a/style.css", b"p {}"),
    ("empty.html", b""),
    ("image.html", b"\x89PNG\r\n\x1a\n"),
    (
        "lines.jsonl",
        b"{\"html\": \"l\"}\n{\"html\": \"m\", \"url\": \"http://m.org/\"}\n",
    ),
    ("notes.txt", b"notes"),
    ("b/c/d.html", b"d"),
];

#[test]
fn a_directory_is_read_in_the_order_of_names() {
    let (_folder, site) = folder(&FILES);
    write(site.join("crawl"), page("http://w.org/", "w")).unwrap();
    let items = read(&[&site], ReadOptions::default());
    let expected = [
        "Z.HTM site z",
        "a/b.php site b",
        "a/page site <!doctype html>p",
        "a/style.css not-html",
        "a.html site a",
        "b/c/d.html site d",
        "crawl#0 w.org w",
        "empty.html site ",
        "image.html not-html",
        "index.html site i",
        "lines.jsonl:1 site l",
        "lines.jsonl:2 m.org m",
        "notes.txt not-html",
    ];
    assert_eq!(show(&items, &site), expected);
    let paths: Vec<&Path> = items.iter().filter_map(path_of).collect();
    let expected = [
        "Z.HTM",
        "a/b.php",
        "a/page",
        "a.html",
        "b/c/d.html",
        "empty.html",
        "index.html",
    ];
    assert_eq!(paths, expected.map(Path::new));
}

fn path_of(item: &Item) -> Option<&Path> {
    match item {
        Item::Page(page) => page.path.as_deref(),
        Item::Skipped(_) => None,
    }
}

#[test]
fn folders_name_sites_when_asked() {
    let (_folder, site) = folder(&FILES);
    let options = ReadOptions {
        site_from: SiteFrom::Folder,
        ..ReadOptions::default()
    };
    let sites: Vec<String> = read(&[&site], options)
        .iter()
        .filter_map(|item| match item {
            Item::Page(page) => Some(page.site.clone()),
            Item::Skipped(_) => None,
        })
        .collect();
    assert_eq!(
        sites,
        [
            "site", "a", "a", "site", "b", "site", "site", "site", "m.org"
        ]
    );
}

#[test]
fn loose_files_and_globs_are_one_site() {
    let (_folder, site) = folder(&FILES);
    let glob = site.join("a*");
    let all = site.join("**/*");
    let rows: [(Vec<PathBuf>, &[&str], &[&str]); 5] = [
        (vec![site.join("a.html")], &["a.html site a"], &["a.html"]),
        (vec![site.join("a/b.php")], &["a/b.php a b"], &["b.php"]),
        (
            vec![site.join("b/c/d.html"), site.join("a/b.php")],
            &["b/c/d.html site d", "a/b.php site b"],
            &["b/c/d.html", "a/b.php"],
        ),
        (
            vec![glob],
            &[
                "a/b.php site b",
                "a/page site <!doctype html>p",
                "a/style.css not-html",
                "a.html site a",
            ],
            &["a/b.php", "a/page", "a.html"],
        ),
        (vec![site.join("*/*.php")], &["a/b.php a b"], &["a/b.php"]),
    ];
    for (args, expected, paths) in rows {
        let items = read(&args, ReadOptions::default());
        assert_eq!(show(&items, &site), expected, "{args:?}");
        let found: Vec<&Path> = items.iter().filter_map(path_of).collect();
        assert_eq!(
            found,
            paths.iter().map(Path::new).collect::<Vec<_>>(),
            "{args:?}"
        );
    }
    // A pattern that matches directories and what is in them reads nothing twice.
    let items = read(&[&all], ReadOptions::default());
    assert_eq!(items.len(), FILES.len() + 1);
}

#[test]
fn a_named_file_is_believed_to_be_html() {
    let (_folder, site) = folder(&FILES);
    let items = read(
        &[site.join("notes.txt"), site.join("image.html")],
        ReadOptions::default(),
    );
    assert_eq!(
        show(&items, &site),
        ["notes.txt site notes", "image.html not-html"]
    );
}

#[test]
fn a_url_can_be_given_for_a_single_page() {
    let (_folder, site) = folder(&FILES);
    let url = Some("http://u.org/".to_owned());
    let options = ReadOptions {
        url,
        ..ReadOptions::default()
    };
    let one = read(&[site.join("a.html")], options.clone());
    assert_eq!(show(&one, &site), ["a.html u.org a"]);
    let two = read(&[site.join("a.html"), site.join("index.html")], options);
    assert_eq!(show(&two, &site), ["a.html site a", "index.html site i"]);
}

/// Folders with the same name are not the same site: `sites/*/pages` are separate sites.
#[test]
fn directories_of_one_name_are_told_apart() {
    let files = ["a/x/pages/i.html", "b/x/pages/i.html", "c/pages/i.html"];
    let (_folder, site) = folder(&files.map(|name| (name, &b"i"[..])));
    let sites = |args: &[&str], from: SiteFrom| -> Vec<String> {
        let args: Vec<PathBuf> = args.iter().map(|arg| site.join(arg)).collect();
        let options = ReadOptions {
            site_from: from,
            ..ReadOptions::default()
        };
        let items = read(&args, options).into_iter();
        let site = |item| match item {
            Item::Page(page) => page.site,
            Item::Skipped(skipped) => panic!("{skipped}"),
        };
        items.map(site).collect()
    };
    for (args, expected) in [
        (&["a/x/pages"][..], &["pages"][..]),
        (&["a/x/pages", "a/x/../x/pages"], &["pages", "pages"]),
        (&["a/x/pages", "c/pages"], &["x/pages", "c/pages"]),
        (
            &["c/pages", "a/x/pages", "b/x/pages"],
            &["c/pages", "a/x/pages", "b/x/pages"],
        ),
        (
            &["a/x/pages", "b/x/pages/*.html"],
            &["a/x/pages", "b/x/pages"],
        ),
    ] {
        assert_eq!(sites(args, SiteFrom::Host), expected, "{args:?}");
    }
    // With `SiteFrom::Folder`, the user has chosen the names.
    assert_eq!(sites(&["a", "b"], SiteFrom::Folder), ["x", "x"]);
}

#[cfg(unix)]
#[test]
fn files_that_are_read_are_known_by_any_name() {
    let (folder, site) = folder(&[("a.html", b"a"), ("b.html", b"b"), ("c.txt", b"c")]);
    std::fs::hard_link(site.join("a.html"), folder.path().join("hard")).unwrap();
    std::os::unix::fs::symlink(site.join("b.html"), folder.path().join("soft")).unwrap();
    let inputs = open(&[site.join("*.html")], ReadOptions::default()).unwrap();
    let files = inputs.files();
    for (path, expected) in [
        (site.join("a.html"), true),
        (site.join("../site/b.html"), true),
        (folder.path().join("hard"), true),
        (folder.path().join("soft"), true),
        (site.join("c.txt"), false),
        (site.join("new.html"), false),
    ] {
        assert_eq!(files.contains(&path), expected, "{}", path.display());
    }
}

#[test]
fn compressed_and_long_pages() {
    let (_folder, site) = folder(&[]);
    let packed = crate::making::gzip(b"<html>packed");
    write(site.join("1.html.gz"), &packed).unwrap();
    write(site.join("2.html.gz"), &packed[..packed.len() - 4]).unwrap();
    write(site.join("3.html.gz"), &packed[..5]).unwrap();
    write(site.join("4.html"), b"<html>and much more").unwrap();
    let options = ReadOptions {
        max_page_bytes: 12,
        ..ReadOptions::default()
    };
    let expected = [
        "1.html.gz site <html>packed",
        "2.html.gz site <html>packed (cut)",
        "2.html.gz broken",
        "3.html.gz broken",
        "4.html site <html>and mu (cut)",
    ];
    assert_eq!(show(&read(&[&site], options), &site), expected);
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let (_folder, site) = folder(&[]);
    let name = Path::new(OsStr::from_bytes(b"caf\xe9/\xff.html"));
    create_dir_all(site.join(name).parent().unwrap()).unwrap();
    write(site.join(name), b"x").unwrap();
    for arg in [site.clone(), site.join(name)] {
        let items = read(&[&arg], ReadOptions::default());
        assert_eq!(items.len(), 1);
        let path = path_of(&items[0]).unwrap();
        assert!(name.ends_with(path), "{path:?}");
    }
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_skipped_in_their_turn() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, site) = folder(&[("a.html", b"a"), ("b.html", b"b"), ("c.html", b"c")]);
    let closed = site.join("b.html");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    if std::fs::File::open(&closed).is_ok() {
        eprintln!("running as root, for whom every file is readable");
        return;
    }
    let items = read(&[&site], ReadOptions::default());
    assert_eq!(
        show(&items, &site),
        ["a.html site a", "b.html unreadable", "c.html site c"]
    );
}

#[test]
fn the_list_is_fixed_when_it_is_opened() {
    let (_folder, site) = folder(&[("a.html", b"a")]);
    let mut inputs = crate::reading::open(&[&site], ReadOptions::default()).unwrap();
    let first: Vec<Item> = inputs.read(true).unwrap().collect();
    write(site.join("output.html"), b"o").unwrap();
    let second: Vec<Item> = inputs.read(false).unwrap().collect();
    assert_eq!(first, second);
}
