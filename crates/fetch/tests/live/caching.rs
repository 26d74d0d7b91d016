//! The cache on disk.

use crate::server::{Answer, Server, fetcher, options, page, response};
use std::fs;
use std::path::Path;
use unframe_fetch::{BadOptions, FetchOptions, Fetcher};

fn with_cache(folder: &Path) -> FetchOptions {
    FetchOptions {
        cache: Some(folder.to_owned()),
        ..options()
    }
}

/// A page with these response headers, and 304 for clients that have it.
fn server(fields: &'static str) -> Server {
    Server::start(move |asked| {
        let known = asked.field("if-none-match") == Some("\"one\"")
            || asked.field("if-modified-since").is_some();
        Some(Answer::Bytes(match asked.path.as_str() {
            "/robots.txt" => return None,
            _ if known => response("304 Not Modified", "", b""),
            _ => {
                let fields = format!("Content-Type: text/html; charset=latin1\n{fields}");
                response("200 OK", &fields, b"<p>kept")
            }
        }))
    })
}

#[test]
fn a_fresh_page_is_not_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("Cache-Control: max-age=600\n");
    let first = fetcher(with_cache(folder.path()));
    let url = server.url("/a");
    assert!(!first.get(&url).unwrap().from_cache);
    let second = fetcher(with_cache(folder.path()));
    let page = second.get(&url).unwrap();
    assert!(page.from_cache);
    assert_eq!(page.bytes, b"<p>kept");
    assert_eq!(page.charset.as_deref(), Some("latin1"));
    assert_eq!((first.loads(), second.loads()), (1, 0));
    assert_eq!(server.pages(), ["/a"]);
}

#[test]
fn a_stale_page_is_asked_about() {
    for fields in [
        "ETag: \"one\"\nCache-Control: no-cache\n",
        "Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT\nCache-Control: max-age=0\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server = server(fields);
        let url = server.url("/a");
        for round in 0..3 {
            let page = fetcher(with_cache(folder.path())).get(&url).unwrap();
            assert_eq!(page.from_cache, round > 0, "{fields}");
            assert_eq!(page.bytes, b"<p>kept");
            assert_eq!(page.charset.as_deref(), Some("latin1"));
        }
        assert_eq!(server.pages().len(), 3);
    }
}

#[test]
fn a_changed_page_replaces_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|asked| {
        let body = match (asked.path.as_str(), asked.field("if-none-match")) {
            ("/robots.txt", _) => return None,
            (_, None) => "<p>old",
            _ => "<p>new",
        };
        let fields = "Content-Type: text/html\nETag: \"x\"\n";
        Some(Answer::Bytes(response("200 OK", fields, body.as_bytes())))
    });
    for (expected, from_cache) in [("<p>old", false), ("<p>new", false)] {
        let page = fetcher(with_cache(folder.path()));
        let page = page.get(&server.url("/")).unwrap();
        assert_eq!(page.bytes, expected.as_bytes());
        assert_eq!(page.from_cache, from_cache);
    }
}

#[test]
fn damaged_files_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("Cache-Control: max-age=600\n");
    let get = || {
        let fetcher = fetcher(with_cache(folder.path()));
        fetcher.get(&server.url("/a")).unwrap().from_cache
    };
    assert!(!get() && get());
    let files = fs::read_dir(folder.path()).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let whole = fs::read(&files[0]).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for damaged in [&flipped[..], &whole[..whole.len() / 2], b"", b"\n\n\n"] {
        fs::write(&files[0], damaged).unwrap();
        assert!(!get(), "a damaged page was used");
        assert!(get(), "the damaged file was not replaced");
    }
}

#[test]
fn what_must_not_be_kept_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("Cache-Control: no-store\n");
    let fetcher = fetcher(with_cache(folder.path()));
    fetcher.get(&server.url("/a")).unwrap();
    assert!(fetcher.get(&server.url("/robots.txt")).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_cache_that_cannot_be_written_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Fetcher::new(with_cache(&file)).unwrap_err();
    assert!(matches!(error, BadOptions::Cache { .. }));
    assert!(
        error
            .to_string()
            .contains("file: cannot store the page cache"),
        "{error}"
    );
    // If the directory disappears meanwhile, pages are still fetched.
    let gone = folder.path().join("gone");
    let fetcher = fetcher(with_cache(&gone));
    fs::remove_dir(&gone).unwrap();
    let server = Server::one("/", page("<p>here"));
    let page = fetcher.get(&server.url("/")).unwrap();
    assert!(page.not_kept.is_some());
}
