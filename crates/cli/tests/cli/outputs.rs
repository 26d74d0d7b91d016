//! `unframe clean -o …`: one file for all pages, shards, and the names of files.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::args;
use crate::harness::*;

const PAGES: usize = 8;

/// What is in a file, unpacked.
fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let mut plain = Vec::new();
    match path.extension().and_then(|end| end.to_str()) {
        Some("gz") => _ = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain),
        Some("zst") => plain = zstd::decode_all(&bytes[..]).unwrap(),
        _ => plain = bytes,
    }
    plain
}

/// The names of all files below a folder, hidden ones included.
fn names(folder: &Path) -> Vec<String> {
    tree(folder).into_keys().collect()
}

#[test]
fn a_name_with_the_extension_of_a_format_is_a_file() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let expected = run(args!["clean", "-mstream", site]).expect(0).stdout;
    assert_eq!(json_lines(&expected).len(), PAGES);
    for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.ndjson", "a.json"] {
        let out = folder.path(format!("new/{name}"));
        run(args!["clean", "-mstream", site, "-o", out]).expect(0);
        assert_eq!(unpacked(&out), expected, "{name}");
        // With the format it is the same file, and replaces the former.
        fs::write(&out, "of another day").unwrap();
        run(args!["clean", "-mstream", site, "-f", "jsonl", "-o", out]).expect(0);
        assert_eq!(unpacked(&out), expected, "{name}");
        assert_eq!(names(&folder.path("new")), [name], "nothing else is left");
        fs::remove_file(out).unwrap();
    }
    let out = folder.path("o.warc.wet.gz");
    run(args!["clean", "-mstream", site, "-o", out]).expect(0);
    let text = String::from_utf8(unpacked(&out)).unwrap();
    assert_eq!(text.matches("WARC-Type: conversion").count(), PAGES);
    // A folder stays a folder.
    let out = folder.path("some.jsonl/");
    let args = args!["clean", "-mstream", site, "-f", "jsonl", "-o"];
    run(with(&args, &[&format!("{}/", out.display())])).expect(0);
    assert_eq!(tree(&out).len(), PAGES);
    run(args!["clean", site, "-o", folder.path("some.jsonl")])
        .expect(2)
        .says(&["is a folder", "some.jsonl/"]);
    run(args!["clean", site, "-f", "text", "-o", "x.jsonl"])
        .expect(2)
        .says(&["FILE.txt"]);
}

#[test]
fn a_prefix_of_complete_members_can_be_read() {
    let folder = Folder::new();
    // Some megabytes of records.
    let pages = folder.write("big.jsonl", jsonl_site("a.example", 0..1500));
    let out = folder.path("out.jsonl.gz");
    run(args!["clean", "-mstream", pages, "-q", "-o", out]).expect(0);
    let bytes = fs::read(&out).unwrap();
    let (mut rest, mut lines, mut members) = (&bytes[..], 0, 0);
    while !rest.is_empty() {
        let mut member = Vec::new();
        let mut decoder = flate2::bufread::GzDecoder::new(rest);
        decoder.read_to_end(&mut member).unwrap();
        rest = decoder.into_inner();
        // Every member has whole lines.
        lines += json_lines(&member).len();
        members += 1;
    }
    assert_eq!(lines, 1500);
    assert!(members > 1, "{members}");
}

#[test]
fn a_single_page_has_no_heading_and_several_only_if_asked() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let page = site.join("p003.html");
    let text = |input: &Path, more: &[&str]| {
        let done = run(with(&args!["clean", "-mstream", input, "-f", "text"], more)).expect(0);
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(!text(&page, &[]).contains("==>"));
    assert!(!text(&page, &["--headers"]).contains("==>"));
    assert!(!text(&site, &[]).contains("==>"));
    let headed = text(&site, &["--headers"]);
    assert_eq!(headed.matches("==> ").count(), PAGES);
    assert!(headed.starts_with("==> ") && headed.contains("p003.html <==\nHeadline 3\n"));
    // Files likewise.
    let out = folder.path("one.md");
    run(args!["clean", "-mstream", page, "-o", out]).expect(0);
    assert!(
        fs::read_to_string(&out).unwrap().starts_with("# Story 3") || {
            let made = fs::read_to_string(&out).unwrap();
            made.contains("# Headline 3") && !made.contains("==>")
        }
    );
    let out = folder.path("all.txt");
    run(args!["clean", "-mstream", site, "-o", out]).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap(), text(&site, &[]));
    run(args!["clean", "-mstream", site, "-o", out, "--headers"]).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap(), headed);
    // Several documents are not a document.
    let out = folder.path("all.html");
    run(args!["clean", "-mstream", page, "-o", out]).expect(0);
    let before = fs::read(&out).unwrap();
    run(args!["clean", "-mstream", site, "-o", out])
        .expect(2)
        .says(&["all.html is for one page", "-o DIR/"]);
    assert_eq!(fs::read(&out).unwrap(), before);
    let left = names(&folder.path(""));
    assert!(
        !left.iter().any(|name| name.contains("partial")),
        "{left:?}"
    );
    for (more, hint) in [
        (&["-f", "jsonl", "--headers"][..], "works only with text"),
        (
            &["-o", "out", "--headers"],
            "no effect with one file per page",
        ),
    ] {
        run(with(&args!["clean", site], more))
            .expect(2)
            .says(&[hint]);
    }
}

#[test]
fn shards_have_the_pages_of_one_file() {
    let folder = Folder::new();
    let pages = folder.write("big.jsonl", jsonl_site("a.example", 0..200));
    let expected = run(args!["clean", "-mstream", pages]).expect(0).stdout;
    let clean = |size: &str, jobs: &str| {
        let out = folder.path("new/out.jsonl.zst");
        let args = args!["clean", "-mstream", pages, "-q", "-j", jobs, "-o", out];
        run(with(&args, &["--shard-size", size])).expect(0);
        tree(&folder.path("new"))
    };
    let joined = |files: &std::collections::BTreeMap<String, Vec<u8>>| -> Vec<u8> {
        files
            .values()
            .flat_map(|bytes| zstd::decode_all(&bytes[..]).unwrap())
            .collect()
    };
    let small = clean("20kB", "1");
    assert!(
        small.len() > 5 && small.contains_key("out-00005.jsonl.zst"),
        "{:?}",
        small.keys()
    );
    assert_eq!(joined(&small), expected);
    for bytes in small.values().rev().skip(1) {
        let size = zstd::decode_all(&bytes[..]).unwrap().len();
        assert!((20_000..30_000).contains(&size), "{size}");
    }
    assert_eq!(clean("20kB", "4"), small);
    // Fewer shards leave none of the former behind, nor of runs that were given up, even if there are
    // gaps between them.
    for left in [".out-00003.jsonl.zst", ".out-00009.jsonl.zst"] {
        folder.write(format!("new/{left}.unframe-partial"), "of another run");
    }
    let large = clean("1MB", "1");
    assert_eq!(joined(&large), expected);
    assert!(large.len() < small.len());
    assert!(large.keys().all(|name| !name.ends_with("partial")));
    let out = folder.path("dir");
    let args = args!["clean", "-mstream", pages, "-q", "-f", "wet", "-o", out];
    run(with(&args, &["--shard-size", "20kB"])).expect(0);
    assert_eq!(names(&out)[0], "big-00000.warc.wet.gz");
    run(args!["clean", pages, "--shard-size", "1MB"])
        .expect(2)
        .says(&["needs -o"]);
    run(args!["clean", pages, "--shard-size", "big"])
        .expect(2)
        .says(&["256MB"]);
}

#[test]
fn parquet_has_the_fields_of_the_records() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let records = run(args!["clean", "-mstream", site]).expect(0).records();
    let out = folder.path("o.parquet");
    run(args!["clean", "-mstream", site, "-o", out]).expect(0);
    let reader = SerializedFileReader::new(fs::File::open(&out).unwrap()).unwrap();
    let rows: Vec<_> = reader
        .get_row_iter(None)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(rows.len(), PAGES);
    for (row, record) in rows.iter().zip(&records) {
        let names: Vec<&String> = row.get_column_iter().map(|(name, _)| name).collect();
        let at = |name: &str| names.iter().position(|column| *column == name).unwrap();
        for name in ["url", "source", "site", "title", "text"] {
            assert_eq!(
                row.get_string(at(name)).unwrap(),
                record[name].as_str().unwrap()
            );
        }
        for name in ["metadata", "links", "removed"] {
            let json: Value = serde_json::from_str(row.get_string(at(name)).unwrap()).unwrap();
            assert_eq!(json, record[name], "{name}");
        }
        let share = row.get_double(at("template_share")).unwrap();
        assert_eq!(Some(share), record["template_share"].as_f64());
        let pages = row.get_long(at("state_pages")).unwrap();
        assert_eq!(Some(pages), record["state_pages"].as_i64());
        let flags = row.get_list(at("flags")).unwrap().elements().len();
        assert_eq!(flags, record["flags"].as_array().unwrap().len());
    }
    let dir = folder.path("dir");
    run(args!["clean", "-mstream", site, "-f", "parquet", "-o", dir]).expect(0);
    assert_eq!(
        fs::read(dir.join("site.parquet")).unwrap(),
        fs::read(&out).unwrap()
    );
    run(args!["clean", site, "-o", out, "--resume"])
        .expect(2)
        .says(&["--shard-size"]);
}

#[test]
fn pages_with_the_same_url_have_a_file_each() {
    let folder = Folder::new();
    let pages = jsonl((0..1000).map(|n| ("http://a.example/x".to_string(), page(n))));
    let (pages, out) = (folder.write("again.jsonl", pages), folder.path("out"));
    run(args!["clean", "-mtext", pages, "-o", out])
        .expect(0)
        .says(&["renamed: 999 pages"]);
    let files = tree(&out);
    assert_eq!(files.len(), 1000);
    let last = String::from_utf8_lossy(&files["a.example/x~1000.txt"]);
    assert!(last.contains("w999x0"), "{last}");
}

#[test]
fn a_page_and_the_folder_of_other_pages_do_not_clash() {
    let folder = Folder::new();
    let urls = [
        "http://a/x",
        "http://a/x.txt/y",
        "http://a/x.txt",
        "http://a/X",
    ];
    let cleaned = |order: &[usize]| {
        let pages = jsonl(order.iter().map(|n| (urls[*n].to_string(), page(*n))));
        let out = folder.path(format!("out-{order:?}"));
        let done = run(args![
            "clean",
            "-mtext",
            folder.write("p.jsonl", pages),
            "-o",
            out
        ]);
        done.expect(0);
        tree(&out)
    };
    let files = cleaned(&[0, 1, 2, 3]);
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(
        names,
        ["a/X~2.txt", "a/x.txt", "a/x.txt.txt", "a/x.txt~/y.txt"]
    );
    assert_eq!(cleaned(&[1, 2, 0, 3]), files);
}

#[test]
fn names_can_be_copied_to_any_system() {
    let folder = Folder::new();
    let urls = [
        "http://a.example:8080/q.php?x=1&y=*",
        "http://a.example:8080/con",
        "http://a.example:8080/dir./a\"b",
        "http://a.example:8080/about.html",
        "http://a.example:8080/About.htm",
    ];
    let pages = jsonl(
        urls.iter()
            .enumerate()
            .map(|(n, url)| (url.to_string(), page(n))),
    );
    let (pages, out) = (folder.write("p.jsonl", pages), folder.path("out"));
    run(args!["clean", "-mtext", pages, "-f", "md", "-o", out]).expect(0);
    assert_eq!(
        names(&out),
        [
            "a.example%3A8080/About.htm.md",
            "a.example%3A8080/_con.md",
            "a.example%3A8080/about.html.md",
            "a.example%3A8080/dir%2E/a%22b.md",
            "a.example%3A8080/q.php%3Fx=1&y=%2A.md",
        ]
    );
    let out = folder.path("short");
    let args = args!["clean", "-mtext", pages, "-f", "md", "-o", out];
    run(with(&args, &["--strip-extension"])).expect(0);
    let short = names(&out);
    assert!(
        short.contains(&"a.example%3A8080/about.md".to_string()),
        "{short:?}"
    );
    assert!(
        short.contains(&"a.example%3A8080/About~2.md".to_string()),
        "{short:?}"
    );
    assert_eq!(short.len(), urls.len());
    run(args!["clean", pages, "--strip-extension"])
        .expect(2)
        .says(&["-o DIR"]);
}

#[test]
fn pipes_and_devices_are_written_to_as_they_are() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let expected = run(args!["clean", "-mstream", site]).expect(0).stdout;
    run(args!["clean", "-mstream", site, "-q", "-o", "/dev/null"]).expect(0);
    assert!(!Path::new("/dev/null").is_file());
    // Standard output by its name, as a file.
    let file = folder.path("shell.jsonl");
    let mut child = command(args!["clean", "-mstream", site, "-q", "-o", "/dev/stdout"]);
    child.stdout(fs::File::create(&file).unwrap());
    assert!(child.status().unwrap().success());
    assert_eq!(fs::read(&file).unwrap(), expected);
    let pipe = folder.path("pipe.jsonl.gz");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let child = start(command(args!["clean", "-mstream", site, "-q", "-o", pipe]));
    let reader = Command::new("cat")
        .arg(&pipe)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let bytes = reader.wait_with_output().unwrap().stdout;
    finish(child).expect(0);
    let mut plain = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..])
        .read_to_end(&mut plain)
        .unwrap();
    assert_eq!(plain, expected);
}
