//! Archives of every format, whole and damaged.

use std::io::{Cursor, Write};

use unframe_read::ReadOptions;

use crate::making::{arc, arc_start, gzip, http, page, record, response, zst};
use crate::reading::read_bytes;

fn check(file: &str, bytes: &[u8], expected: &[&str]) {
    assert_eq!(
        read_bytes(file, bytes, ReadOptions::default()),
        expected,
        "{file}"
    );
}

/// Two pages on their own, as records.
fn two() -> (Vec<u8>, Vec<u8>) {
    (
        page("http://a.org/", "<p>one"),
        page("http://b.org/", "<p>two"),
    )
}

#[test]
fn every_packing_is_read() {
    let (one, two) = two();
    let both = [&one[..], &two].concat();
    let second = one.len();
    let (in_plain, in_gzip, in_zst) = (
        format!("#{second} b.org <p>two"),
        gzip(&one).len(),
        zst(&one).len(),
    );
    check("x.warc", &both, &["#0 a.org <p>one", &in_plain]);
    let members = [gzip(&one), gzip(&two)].concat();
    check(
        "x.warc.gz",
        &members,
        &["#0 a.org <p>one", &format!("#{in_gzip} b.org <p>two")],
    );
    let frames = [zst(&one), zst(&two)].concat();
    check(
        "x.warc.zst",
        &frames,
        &["#0 a.org <p>one", &format!("#{in_zst} b.org <p>two")],
    );
    // One large member, and members that are not aligned with records.
    let inside = format!("#0+{second} b.org <p>two");
    check("x.warc.gz", &gzip(&both), &["#0 a.org <p>one", &inside]);
    check("x.warc.zst", &zst(&both), &["#0 a.org <p>one", &inside]);
    for cut in 1..both.len() {
        let members = [gzip(&both[..cut]), gzip(&both[cut..])].concat();
        let lines = read_bytes("x", &members, ReadOptions::default());
        assert!(lines[0].ends_with("a.org <p>one"), "{cut} {lines:?}");
        assert!(lines[1].ends_with("b.org <p>two"), "{cut} {lines:?}");
        assert_eq!(lines.len(), 2, "{cut}");
    }
}

#[test]
fn records_that_are_no_page_say_why() {
    let (one, _) = two();
    let moved = b"HTTP/1.1 301 Moved\r\nContent-Type: text/html\r\n\r\n<p>moved";
    let rows: [(Vec<u8>, &str); 9] = [
        (
            record("WARC-Type: revisit", b"HTTP/1.1 200 OK\r\n\r\n"),
            "#0 revisit",
        ),
        (record("WARC-Type: request", b"GET /"), "#0 not-response"),
        (record("WARC-Type: warcinfo", b""), "#0 not-response"),
        (record("X: untyped", b""), "#0 not-response"),
        (response("http://a.org/", moved), "#0 http-status"),
        (
            response("http://a.org/", &http("Content-Type: image/png", b"x")),
            "#0 not-html",
        ),
        (
            response("http://a.org/", &http("X: y", b"some text")),
            "#0 not-html",
        ),
        (
            record("WARC-Type: resource\r\nContent-Type: text/css", b"p {}"),
            "#0 not-html",
        ),
        (
            record("WARC-Type: response\r\nContent-Type: text/dns", b"e.org"),
            "#0 not-html",
        ),
    ];
    for (record, expected) in rows {
        let after = format!("#{} a.org <p>one", record.len());
        check("x.warc", &[&record[..], &one].concat(), &[expected, &after]);
    }
}

#[test]
fn bodies_are_decoded() {
    let html = "Content-Type: text/html; charset=latin1";
    let page = b"<p>hello hello hello hello";
    let broken = gzip(&page.repeat(100));
    let rows: [(String, Vec<u8>, &str); 9] = [
        (html.to_owned(), b"<p>x".to_vec(), "<p>x"),
        (html.to_owned(), Vec::new(), ""),
        (
            format!("{html}\r\nTransfer-Encoding: chunked"),
            b"3\r\n<p>\r\n1\r\nx\r\n0\r\n\r\n".to_vec(),
            "<p>x",
        ),
        (
            format!("{html}\r\nTransfer-Encoding: chunked"),
            b"<p>not chunked".to_vec(),
            "<p>not chunked",
        ),
        (
            format!("{html}\r\nTransfer-Encoding: chunked"),
            b"3\r\n<p>\r\nbad".to_vec(),
            "<p> (cut)",
        ),
        (
            format!("{html}\r\nContent-Encoding: gzip"),
            gzip(page),
            "<p>hello hello hello hello",
        ),
        (
            format!("{html}\r\nContent-Encoding: zstd, gzip"),
            gzip(&zst(page)),
            "<p>hello hello hello hello",
        ),
        (
            format!("{html}\r\nContent-Encoding: gzip"),
            b"<p>plain".to_vec(),
            "<p>plain",
        ),
        (
            "X: y".to_owned(),
            b" <!DOCTYPE html><p>x".to_vec(),
            " <!DOCTYPE html><p>x",
        ),
    ];
    for (fields, body, expected) in rows {
        let bytes = response("http://a.org/", &http(&fields, &body));
        check("x.warc", &bytes, &[&format!("#0 a.org {expected}")]);
    }
    let clipped = http(
        &format!("{html}\r\nContent-Encoding: gzip"),
        &broken[..broken.len() - 9],
    );
    let lines = read_bytes(
        "x.warc",
        &response("http://a.org/", &clipped),
        ReadOptions::default(),
    );
    assert!(lines[0].starts_with("#0 a.org <p>hello") && lines[0].ends_with("(cut)"));
}

#[test]
fn long_pages_and_bombs_are_cut() {
    let options = ReadOptions {
        max_page_bytes: 10,
        ..ReadOptions::default()
    };
    let after = page("http://b.org/", "<p>two");
    let bomb = http(
        "Content-Type: text/html\r\nContent-Encoding: gzip",
        &gzip(&[b'x'; 1 << 16]),
    );
    let long = http("Content-Type: text/html", &[b'x'; 3 << 20]);
    for http in [bomb, long] {
        let first = response("http://a.org/", &http);
        let expected = [
            "#0 a.org xxxxxxxxxx (cut)".to_owned(),
            format!("#{} b.org <p>two", first.len()),
        ];
        assert_eq!(
            read_bytes("x.warc", &[first, after.clone()].concat(), options.clone()),
            expected
        );
    }
}

#[test]
fn damage_is_reported_and_stepped_over() {
    let (one, two) = two();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let with_length = |length: &str| {
        let record = text(&one);
        let length = format!("Content-Length: {length}\r\n");
        record
            .replacen("Content-Length: 50\r\n", &length, 1)
            .into_bytes()
    };
    assert!(text(&one).contains("Content-Length: 50\r\n"));
    let headless = b"WARC/1.0\r\nWARC-Type: response\r\n".to_vec();
    let rows: [(Vec<u8>, &[&str]); 9] = [
        (b"garbage\r\n".to_vec(), &["#0 broken"]),
        (
            b"WARC/1.0 is what this text is about\n".to_vec(),
            &["#0 broken"],
        ),
        (one.clone(), &["#0 a.org <p>one"]),
        (with_length("41"), &["#0 broken"]),
        (with_length("48"), &["#0 a.org <p>o (cut)", "#0 broken"]),
        (
            with_length("60"),
            &["#0 a.org <p>one\r\n\r\n (cut)", "#0 broken"],
        ),
        (
            with_length("99999999999999"),
            &["#0 a.org <p>one\r\n\r\n (cut)", "#0 broken"],
        ),
        (with_length("-5"), &["#0 broken"]),
        (headless, &["#0 broken"]),
    ];
    for (damaged, expected) in rows {
        let after = format!("#{} b.org <p>two", damaged.len());
        let expected = [expected, &[&after]].concat();
        check("x.warc", &[&damaged[..], &two].concat(), &expected);
    }
}

#[test]
fn garbage_between_records_belongs_to_neither() {
    let (one, two) = two();
    let garbage = b"garbage\r\nmore garbage\r\n";
    let (at, after) = (one.len(), one.len() + garbage.len());
    let expected = [&format!("#{at} broken"), &format!("#{after} b.org <p>two")];
    let expected = ["#0 a.org <p>one", expected[0], expected[1]];
    check("x.warc", &[&one[..], garbage, &two].concat(), &expected);
}

#[test]
fn a_file_full_of_wrong_lengths_is_read_once() {
    let one = String::from_utf8(page("http://a.org/", "<p>one")).unwrap();
    let wrong = one.replacen(
        "Content-Length: 50\r\n",
        "Content-Length: 5000000000\r\n",
        1,
    );
    let lines = read_bytes(
        "x.warc",
        wrong.repeat(20_000).as_bytes(),
        ReadOptions::default(),
    );
    assert_eq!(lines.len(), 40_000);
}

#[test]
fn a_broken_member_costs_itself() {
    let (one, two) = two();
    let long: String = (0..4000u32)
        .map(|n| n.wrapping_mul(2654435761).to_string())
        .collect();
    let middle = gzip(&page("http://m.org/", &long));
    let mut flipped = middle.clone();
    for byte in &mut flipped[middle.len() / 2..][..40] {
        *byte ^= 0x55;
    }
    for damaged in [flipped, middle[..middle.len() / 2].to_vec()] {
        let bytes = [&gzip(&one)[..], &damaged, &gzip(&two)].concat();
        let lines = read_bytes("x.warc.gz", &bytes, ReadOptions::default());
        let start = gzip(&one).len();
        assert_eq!(lines[0], "#0 a.org <p>one");
        assert!(lines[1].starts_with(&format!("#{start} m.org ")) && lines[1].ends_with(" (cut)"));
        assert_eq!(lines[2], format!("#{start} broken"));
        assert_eq!(lines[3], format!("#{} b.org <p>two", start + damaged.len()));
        assert_eq!(lines.len(), 4);
    }
}

#[test]
fn a_length_that_runs_into_the_next_member_is_wrong() {
    let (one, two) = two();
    let one = String::from_utf8(one).unwrap();
    let one = gzip(
        one.replacen("Content-Length: 50", "Content-Length: 500", 1)
            .as_bytes(),
    );
    let second = format!("#{} b.org <p>two", one.len());
    let expected = ["#0 a.org <p>one\r\n\r\n (cut)", "#0 broken", &second];
    check("x.warc.gz", &[one, gzip(&two)].concat(), &expected);
}

#[test]
fn arc_records_are_read() {
    let block = http("Content-Type: text/html", b"<p>x");
    for (version, words) in [("1", ""), ("2", "200 - - 0 t.arc ")] {
        let start = arc_start(version);
        let spaced = arc("http://a.org/x?y=a b c", words, &block);
        let dns = arc("dns:a.org", words, b"a.org A 1.2.3.4");
        let last = arc("http://b.org/", words, &block);
        let parts = [start, spaced, dns, last];
        let mut offsets = parts.iter().scan(0, |sum, part| {
            *sum += part.len();
            Some(*sum)
        });
        let (first, second) = (offsets.next().unwrap(), offsets.next().unwrap());
        let third = offsets.next().unwrap();
        let expected = [
            "#0 not-response".to_owned(),
            format!("#{first} a.org <p>x"),
            format!("#{second} not-response"),
            format!("#{third} b.org <p>x"),
        ];
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check("x.arc", &parts.concat(), &expected);
        let members: Vec<u8> = parts.iter().flat_map(|part| gzip(part)).collect();
        assert_eq!(
            read_bytes("x.arc.gz", &members, ReadOptions::default()).len(),
            4
        );
    }
    // A wrong length and garbage in between.
    let mut damaged = arc_start("1");
    let at = damaged.len();
    damaged.extend(b"http://a.org/ 1.2.3.4 20140216050221 text/html 9999\n");
    damaged.extend(&block);
    damaged.extend(b"\ngarbage\n");
    let after = damaged.len();
    damaged.extend(arc("http://b.org/", "", &block));
    let cut = format!("#{at} a.org <p>x\ngarbage\n (cut)");
    let (broken, last) = (format!("#{at} broken"), format!("#{after} b.org <p>x"));
    check(
        "x.arc",
        &damaged,
        &["#0 not-response", &cut, &broken, &last],
    );
}

#[test]
fn the_warcs_in_a_wacz_are_read() {
    use zip::write::{SimpleFileOptions, ZipWriter};
    let (one, two) = two();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let deflated = stored.compression_method(zip::CompressionMethod::Deflated);
    for (name, options, bytes) in [
        ("pages/pages.jsonl", deflated, b"{}".to_vec()),
        ("archive/b.warc.gz", stored, gzip(&one)),
        ("archive/a.warc", deflated, two),
    ] {
        zip.start_file(name, options).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let expected = [
        "/archive/b.warc.gz#0 a.org <p>one",
        "/archive/a.warc#0 b.org <p>two",
    ];
    check("x.wacz", &bytes, &expected);
    check("x.wacz", &bytes[..bytes.len() - 30], &[" broken"]);
    check("x.wacz", b"", &[" broken"]);
}

#[test]
fn a_page_that_the_archive_cut_is_marked() {
    let fields =
        "WARC-Type: response\r\nWARC-Target-URI: <http://a.org/>\r\nWARC-Truncated: length";
    let bytes = record(fields, &http("Content-Type: text/html", b"<p>x"));
    check("x.warc", &bytes, &["#0 a.org <p>x (cut)"]);
}
