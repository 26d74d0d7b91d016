//! `unframe clean --format …`: what each format holds, and which flags go together.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::args;
use crate::harness::*;

const PAGES: usize = 8;

/// A page of the usual site with something of everything.
fn rich(n: usize) -> String {
    page_with(
        n,
        &format!(
            "<h2>Part {n}a</h2><p>Word w{n}x1 is <b>bold w{n}</b>, see <a href=/own{n}>own w{n}x2</a>.</p>\
             <ol start=3><li>three w{n}x3<li>four w{n}x4</ol>\
             <pre><code class=language-c>if (w{n}x5)\n  go{n}();</code></pre>\
             <table><tr><th>key{n}<th>value{n}<tr><td>a{n}<td>b|{n}</table>\
             <p>w{n}x6 w{n}x7 w{n}x8 w{n}x9 w{n}y1 w{n}y2 w{n}y3 w{n}y4 w{n}y5 w{n}y6</p>"
        ),
    )
}

fn rich_site(folder: &Folder) -> std::path::PathBuf {
    for n in 0..PAGES {
        let html = rich(n).replace(
            "<title>",
            &format!(
                "<meta name=author content='Ann {n}'><meta name=description content=d{n}><title>"
            ),
        );
        folder.write(
            format!("site/p{n}.html"),
            html.replace("<html>", "<html lang=en>"),
        );
    }
    folder.path("site")
}

#[test]
fn markdown_has_the_shape_of_the_page() {
    let folder = Folder::new();
    let (site, out) = (rich_site(&folder), folder.path("out"));
    run(args![
        "clean", site, "--method", "stream", "--format", "markdown", "-o", out
    ])
    .expect(0);
    let files = tree(&out);
    assert_eq!(files.len(), PAGES);
    let text = String::from_utf8(files["p3.html.md"].clone()).unwrap();
    assert_eq!(
        text,
        "# Headline 3\n\n## Part 3a\n\nWord w3x1 is **bold w3**, see [own w3x2](/own3).\n\n\
         3. three w3x3\n4. four w3x4\n\n```c\nif (w3x5)\n  go3();\n```\n\n\
         | key3 | value3 |\n| --- | --- |\n| a3 | b\\|3 |\n\n\
         w3x6 w3x7 w3x8 w3x9 w3y1 w3y2 w3y3 w3y4 w3y5 w3y6\n"
    );
    let plain = run(args![
        "clean",
        "-mstream",
        site,
        "--format",
        "md",
        "--md-links",
        "no"
    ])
    .expect(0);
    let plain = String::from_utf8(plain.stdout).unwrap();
    assert!(
        plain.contains("see own w3x2.") && !plain.contains("<=="),
        "{plain}"
    );
}

#[test]
fn marked_pages_are_the_pages_with_marks() {
    let folder = Folder::new();
    let (site, out) = (folder.site(PAGES), folder.path("out"));
    run(args![
        "clean", "-mstream", site, "--format", "html", "--marked", "-o", out
    ])
    .expect(0);
    for (name, bytes) in tree(&out) {
        let marked = String::from_utf8(bytes).unwrap();
        let mark = " data-unframe=\"template\"";
        assert_eq!(marked.matches(mark).count(), 2, "head and foot: {marked}");
        assert!(marked.contains(&format!("<div{mark} id=head>")), "{marked}");
        let original = fs::read_to_string(site.join(name.strip_suffix(".html").unwrap())).unwrap();
        assert_eq!(marked.replace(mark, ""), original);
    }
}

#[test]
fn records_say_what_the_page_states_and_where_it_leads() {
    let folder = Folder::new();
    let records = run(args!["clean", "-mstream", rich_site(&folder)])
        .expect(0)
        .records();
    let record = &records[2];
    let metadata = serde_json::json!({
        "title": "Story 2", "author": "Ann 2", "language": "en", "description": "d2",
    });
    assert_eq!(record["metadata"], metadata);
    let own = serde_json::json!([{"href": "/own2", "text": "own w2x2"}]);
    assert_eq!(record["links"]["own"], own);
    let frame = record["links"]["frame"].as_array().unwrap();
    let texts: Vec<_> = frame
        .iter()
        .map(|link| link["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["Home", "Tides"]);
    // Where the URL is known, addresses are whole.
    let lines = jsonl((0..PAGES).map(|n| (format!("http://h.example/dir/{n}"), rich(n))));
    let records = run(args!["clean", "-mstream", folder.write("p.jsonl", lines)])
        .expect(0)
        .records();
    assert_eq!(
        records[2]["links"]["own"][0]["href"],
        "http://h.example/own2"
    );
}

/// The records of a WARC file: their fields and their blocks.
fn warc_records(bytes: &[u8]) -> Vec<(Vec<String>, String)> {
    let mut rest = bytes;
    let mut records = Vec::new();
    while !rest.is_empty() {
        // Each record is a member of its own.
        let mut decoder = flate2::bufread::GzDecoder::new(rest);
        let mut record = String::new();
        decoder.read_to_string(&mut record).unwrap();
        rest = decoder.into_inner();
        let (head, block) = record.split_once("\r\n\r\n").unwrap();
        let fields: Vec<String> = head.split("\r\n").map(String::from).collect();
        let length = value(&fields, "Content-Length").parse::<usize>().unwrap();
        assert_eq!(&block[length..], "\r\n\r\n");
        records.push((fields, block[..length].to_string()));
    }
    records
}

fn value<'a>(fields: &'a [String], name: &str) -> &'a str {
    let mut fields = fields.iter().filter_map(|field| field.split_once(": "));
    fields
        .find(|(field, _)| *field == name)
        .map_or("", |(_, value)| value)
}

fn crawl(folder: &Folder) -> std::path::PathBuf {
    let records =
        (0..PAGES).map(|n| warc_record(&format!("http://h.example/{n}"), page(n).as_bytes()));
    folder.write("crawl.warc.gz", records.collect::<Vec<_>>().concat())
}

#[test]
fn wet_has_a_text_a_page_and_says_where_it_is_from() {
    let folder = Folder::new();
    let (input, out) = (crawl(&folder), folder.path("out"));
    let texts = run(args!["clean", "-mstream", input]).expect(0).records();
    run(args![
        "clean", "-mstream", input, "--format", "wet", "-o", out
    ])
    .expect(0);
    let bytes = fs::read(out.join("crawl.warc.wet.gz")).unwrap();
    let records = warc_records(&bytes);
    assert_eq!(records.len(), PAGES + 1);
    assert_eq!(value(&records[0].0, "WARC-Type"), "warcinfo");
    assert_eq!(value(&records[0].0, "WARC-Filename"), "crawl.warc.wet.gz");
    assert!(records[0].1.contains("software: unframe/"));
    for (n, (fields, block)) in records[1..].iter().enumerate() {
        let url = format!("http://h.example/{n}");
        assert_eq!(value(fields, "WARC-Type"), "conversion");
        assert_eq!(value(fields, "WARC-Target-URI"), url);
        assert_eq!(value(fields, "WARC-Date"), "2024-01-01T00:00:00Z");
        assert_eq!(value(fields, "WARC-Refers-To"), format!("<urn:uuid:{url}>"));
        assert_eq!(value(fields, "Content-Type"), "text/plain");
        assert_eq!(texts[n]["text"], block.as_str());
    }
    // On standard output, but for the name of the file, the same; and again the same.
    let first = run(args!["clean", "-mstream", input, "--format", "wet"])
        .expect(0)
        .stdout;
    assert_eq!(warc_records(&first)[1..], records[1..]);
    assert_eq!(
        run(args![
            "clean", "-mstream", input, "--format", "wet", "-j", "1"
        ])
        .expect(0)
        .stdout,
        first
    );
}

#[test]
fn a_cleaned_archive_can_be_read_as_one() {
    let folder = Folder::new();
    let (input, out) = (crawl(&folder), folder.path("some/where.warc.gz"));
    run(args![
        "clean", "-mstream", input, "--format", "warc", "-o", out
    ])
    .expect(0);
    let records = warc_records(&fs::read(&out).unwrap());
    assert_eq!(records.len(), PAGES + 1);
    let fields = &records[1].0;
    assert_eq!(value(fields, "WARC-Type"), "response");
    assert_eq!(
        value(fields, "Unframe-Refers-To"),
        "<urn:uuid:http://h.example/0>"
    );
    let before = run(args!["clean", "-mstream", input]).expect(0).records();
    let after = run(args!["clean", out, "--method", "text"])
        .expect(0)
        .records();
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["url"], after["url"]);
        assert_eq!(before["text"], after["text"]);
    }
}

#[test]
fn files_have_addresses_and_dates_in_archives() {
    let folder = Folder::new();
    let (site, out) = (folder.site(PAGES), folder.path("out"));
    run(args![
        "clean", "-mstream", site, "--format", "wet", "-o", out
    ])
    .expect(0);
    let records = warc_records(&fs::read(out.join("site.warc.wet.gz")).unwrap());
    let fields = &records[1].0;
    assert_eq!(
        value(fields, "WARC-Target-URI"),
        "http://site.invalid/p000.html"
    );
    // The day when the test ran, not the day when nobody knows.
    assert!(value(fields, "WARC-Date") > "2020");
    assert_eq!(value(fields, "WARC-Refers-To"), "");
}

#[test]
fn every_format_is_written_of_the_demo() {
    let folder = Folder::new();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    for format in ["text", "markdown", "html", "jsonl", "wet", "warc"] {
        let out = folder.path(format);
        run(args![
            "clean",
            "-mstream",
            demo,
            "--site-from",
            "folder",
            "--format",
            format,
            "-o",
            out
        ])
        .expect(0);
        assert!(
            tree(&out).values().all(|bytes| !bytes.is_empty()),
            "{format}"
        );
        assert!(!tree(&out).is_empty(), "{format}");
    }
}

#[test]
fn flags_that_do_not_go_together_are_refused_with_a_hint() {
    let folder = Folder::new();
    let (site, crawl) = (folder.site(2), crawl(&folder));
    let (out, index) = (folder.path("out"), folder.path("idx"));
    let refused = |args: &[std::ffi::OsString], hint: &str| {
        run(args).expect(2).says(&[hint]);
    };
    refused(
        &args!["clean", "-mstream", site, "--marked", "--format", "text"],
        "--format html",
    );
    refused(
        &args!["clean", "-mstream", site, "--marked", "-o", out],
        "--format html",
    );
    refused(
        &args!["clean", "-mstream", site, "--md-links", "no", "-o", out],
        "--format markdown",
    );
    refused(
        &args![
            "clean",
            "-mstream",
            site,
            "--md-images",
            "yes",
            "--format",
            "html"
        ],
        "--format markdown",
    );
    refused(
        &args![
            "clean", "-mstream", site, "--format", "wet", "--index", index
        ],
        "--index",
    );
    refused(
        &args![
            "clean", "-mstream", site, "--format", "wet", "--index", index, "-o", out
        ],
        "--index",
    );
    refused(
        &args!["clean", "-mstream", crawl, "--format", "warc", "-o", crawl],
        "is the input",
    );
    assert!(!out.exists() && !index.exists());
}

/// A site of articles, each with headline, byline, date and caption.
fn articles(folder: &Folder) -> std::path::PathBuf {
    for n in 0..PAGES {
        let opening = format!(
            "<p class=byline>By w{n}z1 w{n}z2</p><p class=date>{} May 2011</p>\
             <div><img src=a{n}.png><p class=caption>w{n}c1 w{n}c2</p></div>",
            n + 1
        );
        let html = page(n).replace("</h1>", &format!("</h1>{opening}"));
        folder.write(format!("site/p{n}.html"), html);
    }
    folder.path("site")
}

#[test]
fn records_have_the_parts_of_an_article() {
    let folder = Folder::new();
    let site = articles(&folder);
    for flags in [&[][..], &["--body-only"]] {
        let all = args!["clean", "-mstream", site, "--format", "jsonl"];
        let record = &run(with(&all, flags)).expect(0).records()[3];
        assert_eq!(
            record["parts"],
            serde_json::json!({
                "headline": "Headline 3",
                "byline": "By w3z1 w3z2",
                "date": "4 May 2011",
                "captions": ["w3c1 w3c2"],
            })
        );
        let text = record["text"].as_str().unwrap();
        let (whole, body) = ("Headline 3\n", "w3x0 ");
        assert!(
            text.starts_with(if flags.is_empty() { whole } else { body }),
            "{text}"
        );
        // The parts are not frame.
        let removed = record["removed"].to_string();
        assert!(!removed.contains("Headline"), "{removed}");
        assert!(record.get("kind").is_none() && record.get("comments").is_none());
    }
}

#[test]
fn the_body_alone_can_be_written() {
    let folder = Folder::new();
    let site = articles(&folder);
    for (format, file) in [
        ("text", "p3.html.txt"),
        ("markdown", "p3.html.md"),
        ("html", "p3.html.html"),
    ] {
        let out = folder.path(format);
        run(args![
            "clean",
            "-mstream",
            site,
            "--format",
            format,
            "--body-only",
            "-o",
            out
        ])
        .expect(0);
        let text = fs::read_to_string(out.join(file)).unwrap();
        assert!(text.contains("w3x0 w3x1"), "{format}: {text}");
        for part in ["Headline 3", "w3z1", "4 May 2011", "w3c1"] {
            assert!(!text.contains(part), "{format}: {part} in {text}");
        }
    }
    let index = folder.path("idx");
    let alone = args!["clean", "-mstream", site, "--index", index, "--body-only"];
    if cfg!(feature = "search") {
        run(alone).expect(2).says(&["--body-only needs -o"]);
    }
}

#[test]
fn without_comments_there_is_nothing_to_keep() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let texts = |comments: &str| {
        let all = args!["clean", site, "--format", "jsonl"];
        let records = run(with(&all, &["--comments", comments]))
            .expect(0)
            .records();
        let flags = records[3]["flags"].to_string();
        assert!(!flags.contains("suspicious") && !flags.contains("all-frame"));
        records[3]["text"].as_str().unwrap().to_string()
    };
    assert_eq!(texts("keep"), texts("drop"));
    assert_eq!(texts("only"), "");
}
