//! What records say about a page: chosen fields, fields of the input, hashes; front matter.

use serde_json::{Value, json};
use yaml_rust2::YamlLoader;

use crate::args;
use crate::harness::*;

fn names(record: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = record.as_object().unwrap().keys().map(|k| &**k).collect();
    names.sort_unstable();
    names
}

#[test]
fn fields_are_chosen_and_written_in_the_order_of_the_list() {
    let folder = Folder::new();
    let site = folder.site(6);
    let fields = |list: &str| run(args!["clean", site, "-f", "jsonl", "--fields", list]).expect(0);

    let usual = run(args!["clean", site, "-f", "jsonl"]).expect(0).records();
    for name in ["markdown", "html", "record"] {
        assert_eq!(usual[3][name], Value::Null, "{name}");
    }
    let confidence = usual[3]["confidence"].as_f64().unwrap();
    assert!((0.5..=1.0).contains(&confidence), "{confidence}");

    let chosen = fields("title, markdown,url,html");
    let line = String::from_utf8(chosen.stdout.clone()).unwrap();
    assert!(
        line.starts_with("{\"title\":\"Story 0\",\"markdown\":\"# Headline 0"),
        "{line}"
    );
    let record = &chosen.records()[3];
    assert_eq!(names(record), ["html", "markdown", "title", "url"]);
    let html = record["html"].as_str().unwrap();
    assert!(html.starts_with("<!doctype html>") && html.contains("<h1>Headline 3</h1>"));
    assert!(!html.contains(FOOT), "{html}");

    let added = fields("+markdown,+title").records();
    let mut expected = usual[3].clone();
    expected["markdown"] = record["markdown"].clone();
    assert_eq!(added[3], expected);
}

#[test]
fn wrong_lists_of_fields_are_explained() {
    let folder = Folder::new();
    let site = folder.site(2);
    for (wrong, hints) in [
        (
            &["-f", "jsonl", "--fields", "url,txt"][..],
            &["no field `txt`", "url, source, site", "markdown, html"][..],
        ),
        (
            &["-f", "jsonl", "--fields", "url,+html"],
            &["+ before every name", "or before none"],
        ),
        (&["-f", "jsonl", "--fields", ","], &["at least one field"]),
        (
            &["-f", "text", "--fields", "url"],
            &["--fields works only with JSON lines", "add --format jsonl"],
        ),
        (
            &["-f", "html", "--front-matter"],
            &[
                "--front-matter works only with Markdown",
                "--format markdown",
            ],
        ),
        (
            &["-f", "jsonl", "--fields", "text", "--md-links", "no"],
            &["--md-links works only with Markdown", "+markdown"],
        ),
    ] {
        let refused = run(with(&args!["clean", site], wrong))
            .expect(2)
            .says(hints);
        assert!(refused.stdout.is_empty(), "{wrong:?}");
    }
    let help = String::from_utf8(run(["clean", "--help"]).expect(0).stdout).unwrap();
    assert!(
        help.contains("+markdown ") && help.contains("  content_hash "),
        "{help}"
    );
}

#[test]
fn html_is_text_whatever_the_charset_of_the_page() {
    let folder = Folder::new();
    for n in 0..4 {
        let story = format!("<p>Слово{n} о доме{n} и мире{n}</p>").replace("{n}", &n.to_string());
        let html = page_with(n, &story).replace("charset=utf-8", "charset=windows-1251");
        folder.write(format!("site/p{n}.html"), windows_1251(&html));
    }
    let flags = ["-mstream", "-f", "jsonl", "--fields", "html"];
    let done = run(with(&args!["clean", folder.path("site")], &flags)).expect(0);
    let html = done.records()[2]["html"].to_string();
    assert!(html.contains("Слово2 о доме2"), "{html}");
}

#[test]
fn fields_of_json_lines_are_passed_through() {
    let folder = Folder::new();
    let lines: String = (0..6)
        .map(|n| {
            let html = json!(page(n));
            format!(
                "{{\"id\": 7{n}2345678901234567890123, \"url\": \"http://a.example/{n}\", \
                 \"html\": {html}, \"nested\": {{\"z\": [1, 2.50], \"a\": null}}, \"bad\": \"\\ud800\"}}\n"
            )
        })
        .collect();
    let file = folder.write("in.jsonl", lines);
    let done = run(args!["clean", file, "--fields", "url,input"]).expect(0);
    let first = String::from_utf8(done.stdout).unwrap();
    let expected = "{\"url\":\"http://a.example/1\",\"input\":{\"id\":712345678901234567890123,\
                    \"nested\":{\"z\": [1, 2.50], \"a\": null},\"bad\":\"\\ud800\"}}";
    assert_eq!(first.lines().nth(1), Some(expected));
}

/// A field that is longer than the page is named, not passed through; one that is not UTF-8 does not
/// lose the page.
#[test]
fn long_and_broken_fields_do_no_harm() {
    let folder = Folder::new();
    let mut lines = Vec::new();
    for n in 0..6 {
        let line = json!({
            "id": n, "url": format!("http://a.example/{n}"), "html": page(n),
            "raw": "x".repeat(200_000),
        });
        lines.extend(format!("{line}\n").into_bytes());
    }
    let line = json!({"url": "http://a.example/6", "html": page(6), "note": "%"});
    let line = line.to_string().into_bytes();
    lines.extend(
        line.iter()
            .map(|byte| if *byte == b'%' { 0xff } else { *byte }),
    );
    let file = folder.write("in.jsonl", lines);
    let records = run(args!["clean", file]).expect(0).records();
    assert_eq!(records.len(), 7);
    assert_eq!(records[3]["input"], json!({"id": 3}));
    assert_eq!(records[3]["input_left_out"], json!(["raw"]));
    assert_eq!(records[6]["input"], Value::Null);
    assert!(records[6]["text"].as_str().unwrap().contains("w6x7"));
}

#[test]
fn headers_of_archive_records_are_passed_through() {
    let folder = Folder::new();
    let warc: Vec<u8> = (0..6)
        .flat_map(|n| warc_record(&format!("http://a.example/{n}"), page(n).as_bytes()))
        .collect();
    let file = folder.write("crawl.warc.gz", warc);
    let records = run(args!["clean", file]).expect(0).records();
    assert_eq!(
        records[3]["input"],
        json!({
            "date": "2024-01-01T00:00:00Z",
            "record_id": "<urn:uuid:http://a.example/3>",
            "status": 200,
            "mime": "text/html",
            "charset": "utf-8",
        })
    );
    // The date of a file is not part of the page.
    let records = run(args!["clean", "-f", "jsonl", folder.site(3)])
        .expect(0)
        .records();
    assert_eq!(records[0]["input"], Value::Null);
}

/// A redesign with another frame, other white space and another menu does not change the hash; a word
/// does.
#[test]
fn the_content_hash_ignores_the_frame() {
    let folder = Folder::new();
    for n in 0..8 {
        let redesigned = page(n)
            .replace(HEAD, "The Gazette online, now with tide tables and weather")
            .replace(FOOT, "Contact, imprint and privacy of the Gazette company")
            .replace(
                "<a href=/tides>Tides</a>",
                "<a href=/w>Weather</a> <a href=/t>Tides</a>",
            )
            .replace(" w", "\n\t  w");
        folder.write(format!("old/p{n}.html"), page(n));
        folder.write(format!("new/p{n}.html"), redesigned);
        folder.write(
            format!("edited/p{n}.html"),
            page(n).replace(&format!("w{n}x7"), "changed"),
        );
    }
    let hashes = |site: &str| -> Vec<Value> {
        let flags = ["-mstream", "-f", "jsonl", "--fields", "content_hash,text"];
        let done = run(with(&args!["clean", folder.path(site)], &flags)).expect(0);
        let records = done.records();
        records
            .iter()
            .map(|record| record["content_hash"].clone())
            .collect()
    };
    let (old, new, edited) = (hashes("old"), hashes("new"), hashes("edited"));
    assert_eq!(old, new);
    assert!(old.iter().zip(&edited).all(|(old, edited)| old != edited));
    assert_eq!(old[0].as_str().map(str::len), Some(64));
}

#[test]
fn front_matter_is_yaml() {
    let folder = Folder::new();
    for n in 0..6 {
        let head = "<meta name=author content='Ann: \"Leaf\" #1'>\
                    <meta property=article:published_time content=2024-05-01><title>";
        let html = page(n)
            .replace("<title>", head)
            .replace("<html>", "<html lang=no>");
        folder.write(format!("site/p{n}.html"), html);
    }
    let (site, out) = (folder.path("site"), folder.path("out"));
    run(args![
        "clean",
        site,
        "-f",
        "markdown",
        "--front-matter",
        "-o",
        out
    ])
    .expect(0);
    let file = tree(&out).into_iter().nth(3).unwrap();
    let text = String::from_utf8(file.1).unwrap();
    let (yaml, markdown) = text
        .strip_prefix("---\n")
        .unwrap()
        .split_once("\n---\n")
        .unwrap();
    assert!(markdown.starts_with("\n# Headline 3\n"), "{markdown}");
    let found = &YamlLoader::load_from_str(yaml).unwrap()[0];
    for (name, expected) in [
        ("title", "Story 3"),
        ("date", "2024-05-01"),
        ("author", "Ann: \"Leaf\" #1"),
        ("language", "no"),
        ("site", "site"),
    ] {
        assert_eq!(found[name].as_str(), Some(expected), "{yaml}");
    }
    assert!(
        found["kind"].as_str().is_some() && found["source"].as_str().is_some(),
        "{yaml}"
    );
}

/// Frame records follow the pages: what was removed from two pages or more, and from how many.
#[test]
fn the_frame_of_each_site_is_a_record_of_its_own() {
    let folder = Folder::new();
    let lines = jsonl_site("b.example", 0..6) + &jsonl_site("a.example", 10..15);
    let file = folder.write("in.jsonl", lines);
    let flags = ["-mstream", "--frame-records", "--fields", "url,text"];
    let clean = |jobs: &str| {
        let args = with(&args!["clean", file, "-f", "jsonl", "-j", jobs], &flags);
        run(args).expect(0)
    };
    let done = clean("1");
    assert_eq!(done.stdout, clean("3").stdout);
    let records = done.records();
    assert_eq!(records.len(), 6 + 5 + 2);
    assert!(
        records[..11]
            .iter()
            .all(|record| record["record"] == "page")
    );
    let line = String::from_utf8(done.stdout).unwrap();
    assert!(
        line.starts_with("{\"record\":\"page\",\"url\":\"http://b.example/0\","),
        "{line}"
    );

    let frame = &records[11];
    assert_eq!(frame["record"], "frame");
    assert_eq!(
        (&frame["site"], &frame["pages"]),
        (&json!("a.example"), &json!(5))
    );
    assert_eq!(frame["complete"], true);
    let texts = frame["texts"].as_array().unwrap();
    for text in [HEAD, FOOT, "Tides"] {
        assert!(
            texts.contains(&json!({"text": text, "pages": 5})),
            "{frame}"
        );
    }
    let tides = json!({"href": "http://a.example/tides", "text": "Tides", "pages": 5});
    assert!(
        frame["links"].as_array().unwrap().contains(&tides),
        "{frame}"
    );
    assert_eq!(records[12]["site"], "b.example");

    // In a file for all pages, too; elsewhere it has no place.
    let out = folder.path("out.jsonl");
    run(with(&args!["clean", file, "-o", out], &flags)).expect(0);
    assert_eq!(json_lines(&std::fs::read(out).unwrap()), records);
    for (wrong, hint) in [
        (&["-f", "text"][..], "add --format jsonl"),
        (&["-f", "jsonl", "-o", "texts/"], "-o FILE.jsonl"),
    ] {
        let args = with(&args!["clean", file, "--frame-records"], wrong);
        run(args).expect(2).says(&["--frame-records", hint]);
    }
}
