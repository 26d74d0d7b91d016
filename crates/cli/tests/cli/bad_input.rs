//! Pages and files that are broken, hostile or plain wrong. Each costs little, is named where
//! something is lost, and leaves the pages around it as they are.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::args;
use crate::harness::*;

const PAGES: usize = 6;

/// A file beside good pages, and what is to become of it.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    code: i32,
    /// The flags of its record, or `None` if it gives none.
    flags: Option<&'static [&'static str]>,
    /// What `-v` says besides the file's name.
    said: &'static str,
}

fn times(part: &str, number: usize) -> Vec<u8> {
    part.repeat(number).into_bytes()
}

fn html(body: impl AsRef<[u8]>) -> Vec<u8> {
    [b"<!doctype html><title>t</title><body>", body.as_ref()].concat()
}

fn numbered(number: usize, part: impl Fn(usize) -> String) -> Vec<u8> {
    (0..number).map(part).collect::<String>().into_bytes()
}

fn cases() -> Vec<Case> {
    let page = |name, bytes, flags| Case {
        name,
        bytes,
        code: 0,
        flags: Some(flags),
        said: "% frame",
    };
    let skipped = |name, bytes, code, said| Case {
        name,
        bytes,
        code,
        flags: None,
        said,
    };
    let random: Vec<u8> = (0..100_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    vec![
        page("empty.html", vec![], &["no-text"]),
        page("blank.html", times(" \n", 500_000), &["no-text"]),
        skipped("binary.html", random, 0, "binary data"),
        page(
            "huge.html",
            html(times(
                "<p>some words of a page, again and again and again and again\n",
                300_000,
            )),
            &["truncated"],
        ),
        page(
            "one-text.html",
            html(times("word ", 3_500_000)),
            &["truncated"],
        ),
        page(
            "nested.html",
            html(times("<div>x", 100_000)),
            &["depth-capped", "truncated-work"],
        ),
        page(
            "nested-closed.html",
            html([times("<div>", 100_000), times("</div>", 100_000)].concat()),
            &["depth-capped", "no-text"],
        ),
        page(
            "nested-fonts.html",
            html(times("<font><b>x", 100_000)),
            &["depth-capped", "truncated-work"],
        ),
        page(
            "nested-tables.html",
            html(times("<table><tr><td>x", 50_000)),
            &["depth-capped"],
        ),
        page(
            "nested-foreign.html",
            html(times("<svg><g>x", 100_000)),
            &["depth-capped", "truncated-work", "no-text"],
        ),
        page(
            "nested-templates.html",
            html(times("<template>x", 100_000)),
            &["depth-capped", "truncated-work", "no-text"],
        ),
        page(
            "misnested.html",
            html(times("<a><b><p></a></b>x", 50_000)),
            &[],
        ),
        page(
            "end-tags.html",
            html(times("</p></b></table>x", 100_000)),
            &[],
        ),
        page(
            "fostered.html",
            html([times("<table>", 1), times("x<b>y<tr>", 100_000)].concat()),
            &[],
        ),
        page(
            "attributes.html",
            html(
                [
                    b"<p ".to_vec(),
                    numbered(50_000, |n| format!("a{n}=v{n} ")),
                    b">own words".to_vec(),
                ]
                .concat(),
            ),
            &["attributes-capped"],
        ),
        page(
            "same-attribute.html",
            html(
                [
                    b"<p ".to_vec(),
                    times("a=v ", 50_000),
                    b">own words".to_vec(),
                ]
                .concat(),
            ),
            &[],
        ),
        page(
            "long-attribute.html",
            html(
                [
                    b"<p title='".to_vec(),
                    times("x", 5_000_000),
                    b"'>own words".to_vec(),
                ]
                .concat(),
            ),
            &[],
        ),
        page("nul.html", html(times("one\0two\0 ", 100_000)), &[]),
        page(
            "russian.html",
            [
                b"<meta charset=windows-1251>".to_vec(),
                windows_1251("<p>Слова").repeat(900_000),
            ]
            .concat(),
            &["truncated-nodes"],
        ),
        page(
            "custom-tags.html",
            html(numbered(500_000, |n| format!("<x-{n}>y"))),
            &["depth-capped", "truncated-work"],
        ),
        page(
            "adopted.html",
            html([times("<div><b>", 250), times("<p>x</b>", 500_000)].concat()),
            &["truncated-work"],
        ),
        page("angles.html", times("<", 1 << 20), &[]),
        page("ampersands.html", times("&", 1 << 20), &[]),
        page(
            "references.html",
            html(times("&notit;&#x110000;&ampx", 100_000)),
            &[],
        ),
        page(
            "comments.html",
            html([times("<!--", 300_000), b"--> own words".to_vec()].concat()),
            &[],
        ),
        page(
            "open-comment.html",
            html([b"own words<!--".to_vec(), times("- >", 500_000)].concat()),
            &[],
        ),
        page(
            "open-script.html",
            html([b"own words<script>".to_vec(), times("</scrip", 300_000)].concat()),
            &[],
        ),
        page(
            "open-quote.html",
            html([b"own words<a href=\"".to_vec(), times("<p>x", 300_000)].concat()),
            &[],
        ),
        page(
            "segments.html",
            html(numbered(300_000, |n| format!("<p>own {n}"))),
            &[],
        ),
        page(
            "tag-names.html",
            html(numbered(100_000, |n| format!("<x-{n}>{n}</x-{n}>"))),
            &[],
        ),
        page(
            "long-tag-name.html",
            html([b"<".to_vec(), times("x", 5_000_000), b">own words".to_vec()].concat()),
            &[],
        ),
        page(
            "wrong-label.html",
            [
                b"<meta charset=utf-8><p>".to_vec(),
                windows_1251("Слова не в той кодировке"),
            ]
            .concat(),
            &["charset-guessed"],
        ),
        page(
            "unknown-label.html",
            b"<meta charset=klingon><p>own words".to_vec(),
            &[],
        ),
        page(
            "utf-16-label.html",
            b"<meta charset=utf-16><p>own words".to_vec(),
            &[],
        ),
        page(
            "odd-utf-16.html",
            [&b"\xff\xfe"[..], b"<\0p\0>\0o\0w\0n\0!"].concat(),
            &[],
        ),
        page("not-gzip.html.gz", html("own words"), &[]),
        skipped(
            "not-gzip.warc.gz",
            b"this is no archive\n".repeat(50),
            1,
            "damaged",
        ),
        skipped(
            "not-gzip.jsonl.gz",
            b"this is no JSON\n".to_vec(),
            1,
            "not JSON",
        ),
        // What can be read of it is a page; the rest is missed.
        Case {
            code: 1,
            said: "damaged",
            ..page(
                "cut.html.gz",
                {
                    let mut gz = gzip(&html(numbered(9000, |n| format!("<p>own {n}"))));
                    gz.truncate(gz.len() / 2);
                    gz
                },
                &["truncated"],
            )
        },
        skipped(
            "cut-at-once.html.gz",
            gzip(b"x")[..10].to_vec(),
            1,
            "damaged",
        ),
        skipped("cut.wacz", b"PK\x03\x04 and no more".to_vec(), 1, "damaged"),
    ]
}

#[test]
fn hostile_pages_cost_little_and_harm_no_other() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let alone = texts(&run(args!["clean", "-mstream", site]).expect(0).records());
    let mut wrong: Vec<String> = Vec::new();
    for case in cases() {
        let name = case.name;
        let file = folder.write(format!("site/{name}"), &case.bytes);
        let done = run_briefly(args!["clean", "-mstream", site, "-v"]).expect(case.code);
        let said = done.stderr.lines().find(|line| line.contains(name));
        let said = said.unwrap_or_else(|| panic!("{name} is not named: {}", done.stderr));
        assert!(said.contains(case.said), "{name}: {said}");
        let (own, others): (Vec<_>, Vec<_>) = done
            .records()
            .into_iter()
            .partition(|record| record["source"].as_str().unwrap().ends_with(name));
        let others = texts(&others);
        assert!(others.keys().eq(alone.keys()), "{name} harms other pages");
        for (url, (text, _)) in &others {
            assert_eq!(*text, alone[url].0, "{name} changes {url}");
        }
        match case.flags {
            None => assert!(own.is_empty(), "{name} is no page"),
            Some(flags) => {
                assert_eq!(own.len(), 1, "{name}");
                if own[0]["flags"] != serde_json::json!(flags) {
                    wrong.push(format!("{name}: {}", own[0]["flags"]));
                }
            }
        }
        fs::remove_file(file).unwrap();
    }
    assert!(wrong.is_empty(), "other flags: {wrong:#?}");
}

#[test]
fn pages_that_only_look_bad_keep_their_words() {
    let folder = Folder::new();
    for (name, bytes, expected) in [
        ("nul.html", html("<p>one\0two"), "onetwo"),
        ("not-gzip.html.gz", html("<p>own words"), "own words"),
        (
            "unknown.html",
            b"<meta charset=klingon><p>own words".to_vec(),
            "own words",
        ),
        ("bare.html", b"own words".to_vec(), "own words"),
    ] {
        let file = folder.write(name, bytes);
        let records = run(args!["clean", "-mstream", file]).expect(0).records();
        assert_eq!(
            records[0]["text"].as_str().unwrap().trim(),
            expected,
            "{name}"
        );
    }
}

#[test]
fn what_is_cut_out_of_a_mislabelled_page_is_still_a_part_of_its_bytes() {
    let folder = Folder::new();
    for n in 0..PAGES {
        let mut bytes = b"<meta charset=utf-8><div>".to_vec();
        bytes.extend(windows_1251("Рамка сайта на каждой странице порта"));
        bytes.extend(b"</div><div><p>");
        bytes.extend(windows_1251(&format!(
            "Своя история номер {n} про корабли{n}"
        )));
        bytes.extend(b"</p></div>");
        folder.write(format!("site/{n}.html"), bytes);
    }
    let out = folder.path("out");
    run(args![
        "clean",
        "-mstream",
        folder.path("site"),
        "-o",
        out,
        "--format",
        "html"
    ])
    .expect(0);
    for n in 0..PAGES {
        let mut expected = b"<meta charset=utf-8><div><p>".to_vec();
        expected.extend(windows_1251(&format!(
            "Своя история номер {n} про корабли{n}"
        )));
        expected.extend(b"</p></div>");
        let found = fs::read(out.join(format!("{n}.html.html"))).unwrap();
        assert!(found == expected, "{}", String::from_utf8_lossy(&found));
    }
}

#[test]
fn a_truncated_archive_gives_what_comes_before_the_damage() {
    let folder = Folder::new();
    let mut warc = Vec::new();
    let mut ends = Vec::new();
    for n in 0..PAGES {
        warc.extend(warc_record(
            &format!("http://w.example/{n}"),
            page(n).as_bytes(),
        ));
        ends.push(warc.len());
    }
    folder.write("all/good.jsonl", jsonl_site("other.example", 0..PAGES));
    let file = folder.write("all/crawl.warc.gz", &warc[..ends[PAGES - 1] - 60]);
    let done = run(args!["clean", "-mstream", folder.path("all"), "--json"]).expect(1);
    assert!(
        done.stderr.contains(file.to_str().unwrap()),
        "{}",
        done.stderr
    );
    assert_eq!(done.summary()["failed"], 1, "{}", done.stderr);
    let records = done.records();
    let of = |site: &str| records.iter().filter(|r| r["site"] == site).count();
    assert_eq!(of("other.example"), PAGES, "another input is unharmed");
    assert!(of("w.example") >= PAGES - 1, "whole records are pages");

    // Damage in the middle costs the record that it hit and no other.
    let mut hurt = warc.clone();
    hurt[ends[1] + 40..ends[2] - 40].fill(0x55);
    let file = folder.write("hurt.warc.gz", hurt);
    let done = run(args!["clean", "-mstream", file])
        .expect(1)
        .says(&["hurt.warc.gz#"]);
    assert!(
        done.records().len() >= PAGES - 1,
        "{}",
        done.records().len()
    );
}

#[test]
fn broken_json_lines_are_named_with_their_number() {
    let folder = Folder::new();
    let good = jsonl_site("a.example", 0..PAGES);
    let broken = "{\"url\": \"http://a.example/x\"\n[]\n{\"url\": \"http://a.example/y\"}\n\
                  {\"html\": 7}\n\u{0}\u{1}\n";
    let file = folder.write("pages.jsonl", format!("{broken}{good}"));
    let done = run(args!["clean", "-mstream", file, "--json"])
        .expect(1)
        .says(&[
            "pages.jsonl:1: ",
            "pages.jsonl:2: ",
            "pages.jsonl:3: damaged: the object has no field `html`",
            "pages.jsonl:4: ",
            "pages.jsonl:5: ",
        ]);
    assert_eq!(done.records().len(), PAGES);
    assert_eq!(done.summary()["skipped"]["broken"], 5);
}

#[test]
fn an_unreadable_file_is_named_and_the_rest_goes_on() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    fs::set_permissions(site.join("p002.html"), PermissionsExt::from_mode(0o000)).unwrap();
    if is_root() {
        eprintln!("skipped: root may read everything");
        return;
    }
    let done = run(args!["clean", "-mstream", site]).expect(1);
    let done = done.says(&["p002.html: cannot be read: Permission denied"]);
    assert_eq!(done.records().len(), PAGES - 1);
}

#[test]
fn file_names_need_not_be_utf_8() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let names: [&[u8]; 3] = [b"caf\xe9.html", b"caf\xe8.html", b"\xff\xfe.html"];
    for (at, name) in names.iter().enumerate() {
        fs::write(site.join(OsStr::from_bytes(name)), page(50 + at)).unwrap();
    }
    let out = folder.path("out");
    let done = run(args!["clean", "-mstream", site, "-o", out, "--json"]).expect(0);
    for name in ["caf%E9.html.txt", "caf%E8.html.txt", "%FF%FE.html.txt"] {
        assert!(out.join(name).exists(), "{name}");
    }
    // Names that differ in such a byte only are pages of their own.
    let summary = &done.records()[0];
    assert_eq!(summary["new"], PAGES + names.len(), "{summary}");
    assert_eq!(summary["changed"], 0, "{summary}");
}

#[test]
fn the_second_page_with_a_url_replaces_the_first() {
    let folder = Folder::new();
    let url = || "http://a.example/3".to_string();
    let lines = jsonl_site("a.example", 0..PAGES) + &jsonl([(url(), page(99)), (url(), page(99))]);
    let file = folder.write("pages.jsonl", lines);
    let (state, out) = (folder.path("s.unframe"), folder.path("out"));
    let done = run(args![
        "clean", "-mstream", file, "--state", state, "-o", out, "--json"
    ])
    .expect(0);
    let summary = &done.records()[0];
    for (field, number) in [
        ("new", PAGES),
        ("changed", 1),
        ("unchanged", 1),
        ("renamed", 2),
    ] {
        assert_eq!(summary[field], number, "{field}: {summary}");
    }
    assert_eq!(check(&state), PAGES as u64);
    // All three have files of their own, none is overwritten.
    let files = tree(&out);
    assert_eq!(files.len(), PAGES + 2);
    for (name, word) in [
        ("3.txt", "w3x0"),
        ("3~2.txt", "w99x0"),
        ("3~3.txt", "w99x0"),
    ] {
        let text = String::from_utf8_lossy(&files[&format!("a.example/{name}")]);
        assert!(text.contains(word), "{name}: {text}");
    }
}

#[test]
fn addresses_that_lead_elsewhere_stay_below_the_output_folder() {
    let folder = Folder::new();
    let urls = [
        "http://a.example/../../../../escaped",
        "http://a.example/%2e%2e/%2e%2e/escaped",
        "../../escaped",
        "/escaped",
        "file:///escaped",
        "http://../escaped",
    ];
    let lines = jsonl(urls.iter().map(|url| (url.to_string(), page(1))));
    let file = folder.write("pages.jsonl", lines);
    run(args![
        "clean",
        "-mstream",
        file,
        "-o",
        folder.path("deep/out")
    ])
    .expect(0);
    let names: Vec<String> = tree(&folder.path("")).into_keys().collect();
    let outside = |name: &&String| !name.starts_with("deep/out/") && *name != "pages.jsonl";
    assert_eq!(names.iter().find(outside), None);
    assert_eq!(names.len(), urls.len() + 1);
}

#[test]
fn a_page_whose_file_cannot_be_written_is_named_and_the_rest_goes_on() {
    let folder = Folder::new();
    let (site, out) = (folder.site(PAGES), folder.path("out"));
    folder.write("site/sub/p100.html", page(100));
    // A file is where a folder should be.
    folder.write("out/sub", "something dear");
    // A folder is where a file should be, which gets another name.
    fs::create_dir_all(out.join("p002.html.txt")).unwrap();
    let done = run(args!["clean", "-mstream", site, "-o", out]).expect(1);
    done.says(&["p100.html", "cannot write", "is not a folder", "failed: 1"]);
    let files = tree(&out);
    assert_eq!(files.len(), PAGES + 1);
    assert_eq!(files["sub"], b"something dear");
    assert!(files.contains_key("p002.html~2.txt"));
}
