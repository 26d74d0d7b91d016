//! What hostile or broken inputs hold: control characters, binary data, wrong charsets and digests.

use std::fs;

use crate::args;
use crate::harness::{Folder, Run, gzip, jsonl, page, run, tree, warc_record};

const PAGES: usize = 6;

/// Fails the test if a terminal would act on anything but line breaks.
#[track_caller]
fn is_harmless(text: &str) {
    let acts = |c: &char| (c.is_control() && !matches!(c, '\n' | '\t')) || *c == '\u{202e}';
    let found: Vec<char> = text.chars().filter(acts).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
}

#[test]
fn control_characters_of_names_do_not_reach_the_terminal() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let names = [
        "\u{1b}[2Jp.html",
        "\u{202e}x.html",
        "\u{9b}31m.html",
        "a\nunframe: all is well\n.html",
    ];
    for name in names {
        folder.write(format!("site/{name}"), page(0));
        folder.write(
            format!("site/broken-{name}.gz"),
            &gzip(page(1).as_bytes())[..9],
        );
    }
    let shown = |done: &Run| {
        is_harmless(&done.stderr);
        assert!(done.stderr.contains("\\u001b[2Jp.html"), "{}", done.stderr);
        assert!(done.stderr.contains("\\u202ex.html"), "{}", done.stderr);
        let forged = done
            .stderr
            .lines()
            .filter(|line| line.starts_with("unframe: all is well"));
        assert_eq!(forged.count(), 0, "{}", done.stderr);
    };
    let out = folder.path("out");
    shown(&run(args!["clean", site, "-v", "-o", out]).expect(1));
    // Data has the names as they are.
    let records = run(args!["clean", site, "-q"]).expect(1).records();
    let is_exact = |record: &serde_json::Value| {
        record["source"]
            .as_str()
            .is_some_and(|name| name.ends_with("\u{1b}[2Jp.html"))
    };
    assert!(records.iter().any(is_exact));
    // Tables are for people, wherever they go.
    let done = run(args!["dedup", site]).expect(1);
    let list = String::from_utf8(done.stdout).unwrap();
    is_harmless(&list);
    assert!(list.contains("\\u009b31m.html"), "{list}");
    let done = run(args!["cluster", site, "--format", "table"]).expect(1);
    is_harmless(&String::from_utf8(done.stdout).unwrap());
}

#[test]
fn control_characters_of_urls_titles_and_fields_do_not_reach_the_terminal() {
    let folder = Folder::new();
    let evil = "http://a.example/\u{1b}]0;owned\u{7}";
    let html = page(3).replace("Headline", "Head\u{1b}[31mline");
    let lines =
        jsonl((0..PAGES).map(|n| (format!("{evil}{n}"), html.replace('3', &n.to_string()))));
    let lines = folder.write("lines.jsonl", lines);
    let done = run(args!["clean", lines, "-v", "-o", folder.path("out")]).expect(0);
    is_harmless(&done.stderr);
    let done = run(args!["clean", lines, "--dry-run"]).expect(0);
    is_harmless(&done.stderr);
    is_harmless(&String::from_utf8(done.stdout).unwrap());
    let odd = folder.write("odd.jsonl", "{\"\\u001b[2Jbody\": \"x\"}\n");
    let done = run(args!["clean", odd])
        .expect(1)
        .says(&["its fields are \\u001b[2Jbody"]);
    is_harmless(&done.stderr);
    let done = run(args!["clean", folder.path("no\u{1b}[2Jsuch")]).expect(2);
    is_harmless(&done.stderr);
}

/// Bytes without any pattern.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[test]
fn binary_data_is_neither_learned_nor_written() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    folder.write("site/noise.html", noise(5000));
    let half = [
        page(50).as_bytes(),
        &b"<p>text</p>".repeat(500),
        &noise(4096),
    ]
    .concat();
    folder.write("site/half.html", half);
    let out = folder.path("out");
    let clean = args!["clean", "-mstream", site, "-v", "-o", out];
    let done = run(&clean).expect(0).says(&[
        "noise.html: binary data",
        "skipped: 1 undecodable",
        "half.html: parts of it are binary data",
        "7 pages",
    ]);
    let flagged = done
        .stderr
        .lines()
        .find(|line| line.starts_with("flagged: "));
    assert!(
        flagged.is_some_and(|line| line.contains("1 undecodable")),
        "{}",
        done.stderr
    );
    assert_eq!(tree(&out).len(), PAGES + 1);
    // A response whose encoding cannot be undone is a page that was lost.
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\n\r\n";
    let http = [&head[..], &noise(900)].concat();
    let fields = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
         Content-Length: {}\r\n\r\n",
        http.len()
    );
    let plain = [fields.as_bytes(), &http, b"\r\n\r\n"].concat();
    let warc = folder.write("x.warc", plain);
    run(args!["clean", warc])
        .expect(1)
        .says(&["cannot be decoded to text: Content-Encoding: br"]);
}

#[test]
fn latin_1_that_is_called_utf_8_is_read_and_flagged() {
    let folder = Folder::new();
    let text = "Les \u{e9}l\u{e8}ves fran\u{e7}ais pr\u{e9}f\u{e8}rent l'\u{e9}t\u{e9}";
    let html = crate::harness::page_with(0, &format!("<p>{text}, et ils ont bien raison.</p>"));
    let bytes: Vec<u8> = html.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let wrong = folder.write("site/wrong.html", bytes);
    let done = run(args!["clean", wrong, "--json"]).expect(0);
    let record = &done.records()[0];
    assert!(record["text"].as_str().unwrap().contains(text), "{record}");
    assert!(
        record["flags"].to_string().contains("charset-guessed"),
        "{record}"
    );
    assert_eq!(done.summary()["flags"]["charset-guessed"], 1);
    // The same page in UTF-8 is not flagged.
    let right = folder.write("site/right.html", html);
    let done = run(args!["clean", right]).expect(0);
    let record = &done.records()[0];
    assert!(!record["flags"].to_string().contains("charset"), "{record}");
}

#[test]
fn a_page_that_does_not_match_its_digest_is_named_and_flagged() {
    let folder = Folder::new();
    let whole = warc_record("http://a.example/1", page(1).as_bytes());
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&whole[..]), &mut plain).unwrap();
    let field = "\r\nWARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\nContent-Length";
    let plain = String::from_utf8(plain)
        .unwrap()
        .replacen("\r\nContent-Length", field, 1);
    let warc = folder.write("x.warc", plain);
    let done = run(args!["clean", warc]).expect(0).says(&[
        "x.warc#0: its body does not match its WARC-Payload-Digest",
        "flagged: 1 digest-mismatch",
    ]);
    let record = &done.records()[0];
    assert!(
        record["flags"].to_string().contains("digest-mismatch"),
        "{record}"
    );
    fs::remove_file(warc).unwrap();
}
