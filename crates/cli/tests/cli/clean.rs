//! `unframe clean` on good input: what is read, what is written, where, and in which form.

use std::fs;
use std::io::{BufRead, BufReader, Read};

use serde_json::Value;

use crate::args;
use crate::harness::*;

const PAGES: usize = 8;

#[test]
fn a_dash_is_no_folder() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let said = run(args!["clean", "-mstream", site, "-o", "-"]).expect(2);
    assert!(said.stderr.contains("leave it out"), "{}", said.stderr);
}

#[test]
fn a_folder_of_pages_becomes_a_folder_of_files_with_the_same_tree() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    folder.write("site/a/b.html", page(90));
    folder.write("site/a/c/d.htm", page(91));
    for (format, extension) in [
        (None, "txt"),
        (Some("text"), "txt"),
        (Some("html"), "html"),
        (Some("jsonl"), "json"),
        (Some("json"), "json"),
    ] {
        let out = folder.path(format!("out-{format:?}"));
        let mut args = args!["clean", "-mstream", site, "-o", out].to_vec();
        args.extend(format.map_or(vec![], |format| args!["--format", format].to_vec()));
        let done = run(args).expect(0);
        assert!(done.stdout.is_empty(), "files were asked for");
        let files = tree(&out);
        let mut expected: Vec<String> = (0..PAGES)
            .map(|n| format!("p{n:03}.html.{extension}"))
            .collect();
        expected.insert(0, format!("a/b.html.{extension}"));
        expected.insert(1, format!("a/c/d.htm.{extension}"));
        assert_eq!(files.keys().cloned().collect::<Vec<_>>(), expected);
        for (name, bytes) in files {
            let text = String::from_utf8(bytes).unwrap();
            let own = text.contains("w0x0 ") || !name.starts_with("p000");
            assert!(own, "{name} has lost its text: {text}");
            let frame = text.contains(HEAD) && extension != "json";
            assert!(!frame, "{name} has kept the frame: {text}");
        }
    }
}

#[test]
fn a_second_run_into_the_same_folder_writes_the_same_files() {
    let folder = Folder::new();
    let (site, out) = (folder.site(PAGES), folder.path("out"));
    run(args!["clean", "-mstream", site, "-o", out]).expect(0);
    let first = tree(&out);
    run(args!["clean", "-mstream", site, "-o", out]).expect(0);
    assert_eq!(tree(&out), first);
}

#[test]
fn records_say_what_went_and_why() {
    let folder = Folder::new();
    let done = run(args!["clean", "-mstream", folder.site(PAGES)]).expect(0);
    let records = done.records();
    assert_eq!(records.len(), PAGES);
    for (n, record) in records.iter().enumerate() {
        let file = folder.path(format!("site/p{n:03}.html"));
        assert_eq!(record["url"], file.to_str().unwrap());
        assert_eq!(record["site"], "site");
        assert_eq!(record["title"], format!("Story {n}"));
        assert_eq!(record["flags"], Value::Array(vec![]));
        assert_eq!(record["state_pages"], PAGES);
        let removed = record["removed"].as_array().unwrap();
        assert_eq!(removed.len(), 2, "head and foot: {removed:?}");
        for region in removed {
            assert_eq!(region["label"], "template");
            assert_eq!(region["evidence"]["rule"], "block-ratio");
            assert_eq!(region["evidence"]["df_min"], PAGES);
            assert_eq!(region["evidence"]["pages"], PAGES);
        }
    }
}

#[test]
fn removed_spans_are_byte_positions_in_the_file_and_html_is_the_file_without_them() {
    let russian = |n: usize| {
        windows_1251(&format!(
            "<html><head><meta charset=windows-1251><title>Страница</title></head><body>\
             <div>Главная страница нашего порта и новости</div>\
             <div><p>Совсем новая история номер {n} о кораблях{n} и людях{n}</p></div>\
             <div>Все права защищены, портовая улица</div></body></html>"
        ))
    };
    let folder = Folder::new();
    for n in 0..PAGES {
        folder.write(format!("site/latin{n}.html"), page(n));
        folder.write(format!("site/russian{n}.html"), russian(n));
    }
    let out = folder.path("out");
    let records = run(args!["clean", "-mstream", folder.path("site")])
        .expect(0)
        .records();
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
    for record in &records {
        let file = record["source"].as_str().unwrap();
        let bytes = fs::read(file).unwrap();
        let name = file.rsplit('/').next().unwrap();
        let cyrillic = name.starts_with("russian");
        let (mut left, mut from) = (Vec::<u8>::new(), 0);
        let removed = record["removed"].as_array().unwrap();
        assert_eq!(removed.len(), 2, "{name}: {removed:?}");
        for region in removed {
            let at = |end: &str| usize::try_from(region[end].as_u64().unwrap()).unwrap();
            let (start, end) = (at("start"), at("end"));
            // The text of the region stands between the two positions, in the file's own charset.
            let text = region["text"].as_str().unwrap().trim_end_matches('…');
            let text = match cyrillic {
                true => windows_1251(text),
                false => text.as_bytes().to_vec(),
            };
            let inside = &bytes[start..end];
            let first = text.split(|byte| *byte == b' ').next().unwrap();
            assert!(inside.starts_with(b"<div") && inside.ends_with(b"</div>"));
            assert!(inside.windows(first.len()).any(|window| window == first));
            left.extend(&bytes[from..start]);
            from = end;
        }
        left.extend(&bytes[from..]);
        let written = fs::read(out.join(format!("{name}.html"))).unwrap();
        assert_eq!(written, left, "{name}");
        let kept = record["text"].as_str().unwrap();
        let own = if cyrillic {
            "Совсем новая"
        } else {
            "Headline"
        };
        assert!(kept.contains(own), "{name}: {kept}");
        assert!(!kept.contains("Главная") && !kept.contains("права") && !kept.contains(FOOT));
    }
}

#[test]
fn text_keeps_paragraphs_list_items_and_cells_apart() {
    let html = "<h1>Head</h1><p>One <b>bold</b>word.</p><p>Two</p><ul><li>a</li><li>b</li></ul>\
                <table><tr><td>c1</td><td>c2</td></tr><tr><td>c3</td><td>c4</td></tr></table>\
                line<br>break";
    let folder = Folder::new();
    let file = folder.write("p.html", html);
    let done = run(args![
        "clean", file, "--method", "text", "--format", "jsonl"
    ])
    .expect(0);
    let record = &done.records()[0];
    let text = record["text"].as_str().unwrap();
    // Inside a paragraph nothing is torn apart.
    assert!(text.contains("One boldword."), "{text}");
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    for whole in ["Head", "One boldword.", "Two", "line", "break"] {
        assert!(lines.contains(&whole), "`{whole}` is no line: {text}");
    }
    for pair in ["a", "b", "c1", "c2", "c3", "c4"] {
        let word = text.split_whitespace().any(|word| word == pair);
        assert!(word, "`{pair}` runs into its neighbour: {text}");
    }
    let rows = lines
        .iter()
        .filter(|l| l.contains("c1") || l.contains("c3"));
    assert_eq!(rows.count(), 2, "rows stand on lines of their own: {text}");
}

#[test]
fn formats_on_standard_output() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    // A pipe gets JSON lines unless told otherwise; texts get a heading each if asked for.
    let args = args!["clean", "-mstream", site, "--format", "text", "--headers"];
    let text = run(args).expect(0);
    let text = String::from_utf8(text.stdout).unwrap();
    assert_eq!(text.matches("==> ").count(), PAGES);
    assert!(text.contains("p003.html <==\n") && text.contains("w3x39"));
    assert!(!text.contains(HEAD));
    let html = run(args!["clean", "-mstream", site, "--format", "html"]).expect(0);
    let html = String::from_utf8(html.stdout).unwrap();
    assert_eq!(html.matches("<!doctype html>").count(), PAGES);
    assert!(!html.contains(HEAD));
}

#[test]
fn one_page_comes_from_standard_input_and_is_judged_by_the_state() {
    let folder = Folder::new();
    let pages = folder.write("pages.jsonl", jsonl_site("gazette.example", 0..PAGES));
    let state = folder.path("gazette.unframe");
    run(args!["clean", "-mstream", pages, "--state", state]).expect(0);
    let url = "http://gazette.example/new";
    let args = args!["clean", "-mstream", "-", "--url", url, "--state", state];
    let records = run_with_stdin(args, page(77).as_bytes())
        .expect(0)
        .records();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["url"], url);
    assert_eq!(records[0]["site"], "gazette.example");
    assert_eq!(records[0]["state_pages"], PAGES + 1);
    let text = records[0]["text"].as_str().unwrap();
    assert!(text.contains("w77x0") && !text.contains(HEAD), "{text}");
}

#[test]
fn json_lines_come_from_standard_input_too() {
    let lines = jsonl_site("a.example", 0..PAGES);
    for mode in [&[][..], &["--arrival"]] {
        let args = with(&args!["clean", "-mstream", "-"], mode);
        let records = run_with_stdin(args, lines.as_bytes()).expect(0).records();
        assert_eq!(records.len(), PAGES);
        // The last page is known to have the frame in either mode.
        let last = records[PAGES - 1]["text"].as_str().unwrap();
        assert!(!last.contains(HEAD), "{last}");
    }
}

#[test]
fn fields_of_json_lines_can_have_other_names() {
    let folder = Folder::new();
    let lines = jsonl_site("a.example", 0..PAGES);
    let lines = lines
        .replace("\"url\":", "\"link\":")
        .replace("\"html\":", "\"body\":");
    let file = folder.write("pages.jsonl", lines);
    let fields = ["--url-field", "link", "--html-field", "body"];
    let records = run(with(&args!["clean", "-mstream", file], &fields))
        .expect(0)
        .records();
    assert_eq!(records.len(), PAGES);
    assert_eq!(records[0]["url"], "http://a.example/0");
}

#[test]
fn two_hosts_in_one_file_are_two_sites() {
    let folder = Folder::new();
    let mut lines = String::new();
    for n in 0..PAGES {
        lines += &jsonl([(format!("http://a.example/{n}"), page(n))]);
        let other = page(n + 100).replace(HEAD, "An entirely different shop of the far north");
        lines += &jsonl([(format!("http://b.example/{n}"), other)]);
    }
    let file = folder.write("pages.jsonl", lines);
    let done = run(args!["clean", "-mstream", file, "--json"]).expect(0);
    assert_eq!(done.summary()["sites"], 2);
    for record in done.records() {
        let url = record["url"].as_str().unwrap();
        assert!(url.contains(record["site"].as_str().unwrap()), "{record}");
        assert_eq!(record["state_pages"], PAGES);
    }
}

#[test]
fn the_registrable_domain_joins_hosts() {
    let folder = Folder::new();
    let lines = jsonl_site("a.example.com", 0..3) + &jsonl_site("b.example.com", 3..6);
    let file = folder.write("pages.jsonl", lines);
    for (from, sites) in [("host", 2), ("domain", 1)] {
        let done = run(args![
            "clean",
            "-mstream",
            file,
            "--json",
            "--site-from",
            from
        ])
        .expect(0);
        assert_eq!(done.summary()["sites"], sites, "{from}");
    }
}

#[test]
fn first_level_folders_are_sites_when_asked() {
    let folder = Folder::new();
    for n in 0..PAGES {
        folder.write(format!("sites/one/{n}.html"), page(n));
        folder.write(format!("sites/two/deep/{n}.html"), page(n + 50));
    }
    for (from, expected) in [("host", vec!["sites"]), ("folder", vec!["one", "two"])] {
        let args = args![
            "clean",
            "-mstream",
            folder.path("sites"),
            "--site-from",
            from
        ];
        let records = run(args).expect(0).records();
        let mut sites: Vec<_> = records
            .iter()
            .map(|r| r["site"].as_str().unwrap())
            .collect();
        sites.dedup();
        assert_eq!(sites, expected);
    }
}

#[test]
fn globs_that_the_shell_left_alone_are_matched() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    folder.write("site/deep/x.html", page(70));
    folder.write("site/notes.txt", "no page");
    for (pattern, pages) in [
        ("*.html", PAGES),
        ("**/*.html", PAGES + 1),
        ("p00[12].html", 2),
    ] {
        let out = folder.path(format!("out{pages}"));
        run(args!["clean", "-mstream", site.join(pattern), "-o", out]).expect(0);
        assert_eq!(tree(&out).len(), pages, "{pattern}");
    }
    // The tree begins where the pattern does.
    assert!(
        folder
            .path(format!("out{}/deep/x.html.txt", PAGES + 1))
            .exists()
    );
}

#[test]
fn archives_give_their_pages() {
    let folder = Folder::new();
    let mut warc = gzip(
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\n\
          WARC-Record-ID: <urn:uuid:0>\r\nContent-Length: 13\r\n\r\nsoftware: x\r\n\r\n\r\n",
    );
    for n in 0..PAGES {
        warc.extend(warc_record(
            &format!("http://w.example/{n}.html"),
            page(n).as_bytes(),
        ));
    }
    let file = folder.write("crawl.warc.gz", &warc);
    let done = run(args!["clean", "-mstream", file, "--json"]).expect(0);
    let records = done.records();
    assert_eq!(records.len(), PAGES);
    for (n, record) in records.iter().enumerate() {
        assert_eq!(record["url"], format!("http://w.example/{n}.html"));
        assert_eq!(record["site"], "w.example");
        let text = record["text"].as_str().unwrap();
        assert!(
            text.contains(&format!("w{n}x0")) && !text.contains(FOOT),
            "{text}"
        );
    }
    let summary = done.summary();
    assert_eq!(summary["skipped"]["not-response"], 1, "{summary}");
    // Below a folder for files the tree is that of the URLs.
    let out = folder.path("out");
    run(args!["clean", "-mstream", file, "-o", out]).expect(0);
    assert!(
        out.join("w.example/3.html.txt").exists(),
        "{:?}",
        tree(&out).keys()
    );
    // From standard input it is recognised by its bytes.
    let piped = run_with_stdin(args!["clean", "-mstream", "-"], &warc).expect(0);
    assert_eq!(texts(&piped.records()), texts(&records));
}

#[test]
fn the_summary_is_said_as_asked() {
    let folder = Folder::new();
    let (site, out) = (folder.site(PAGES), folder.path("out"));
    folder.write("site/picture.png", b"\x89PNG\r\n\x1a\n\0\0");

    run(args!["clean", "-mstream", site, "-o", out])
        .expect(0)
        .says(&["1 site", "8 pages", "frame: "]);

    let quiet = run(args!["clean", "-mstream", site, "-o", out, "-q"]).expect(0);
    assert_eq!((quiet.stderr.as_str(), quiet.stdout.len()), ("", 0));

    let verbose = run(args!["clean", "-mstream", site, "-o", out, "-v"]).expect(0);
    let verbose = verbose.says(&["picture.png: not HTML", "p003.html: ", "% frame"]);
    assert!(verbose.stdout.is_empty());

    // With files, the summary is the data on standard output; without, standard output is taken.
    let json = run(args!["clean", "-mstream", site, "-o", out, "--json"]).expect(0);
    let summary = &json.records()[0];
    for (field, value) in [
        ("sites", 1),
        ("pages", 8),
        ("new", 8),
        ("changed", 0),
        ("failed", 0),
    ] {
        assert_eq!(summary[field], value, "{field}: {summary}");
    }
    assert_eq!(summary["skipped"]["not-html"], 1);
    assert_eq!(summary["interrupted"], false);
    let share = summary["template_share"].as_f64().unwrap();
    assert!(share > 0.05 && share < 0.9, "{summary}");
    let piped = run(args!["clean", "-mstream", site, "--json"]).expect(0);
    assert_eq!(piped.summary()["pages"], 8);
    assert_eq!(piped.records().len(), 8);
}

#[test]
fn nothing_found_is_exit_code_1() {
    let folder = Folder::new();
    folder.write("empty/readme.txt", "no page here");
    run(args!["clean", "-mstream", folder.path("empty")])
        .expect(1)
        .says(&["no page was found"]);
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let folder = Folder::new();
    let state = folder.path("s.unframe");
    // Much more than a pipe and our own buffer hold, so that writing must fail.
    let pages = folder.write("pages.jsonl", jsonl_site("a.example", 0..1500));
    for mode in [&[][..], &["--arrival"], &["--jobs", "1"]] {
        let mut child = start(command(with(
            &args!["clean", "-mstream", pages, "--state", state],
            mode,
        )));
        let mut first = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut first).unwrap();
        drop(out);
        let done = finish(child).expect(0);
        assert_eq!(done.stderr, "", "{mode:?}");
        assert_eq!(json_lines(first.as_bytes()).len(), 1);
        check(&state);
    }
}

#[test]
fn a_reader_that_stops_listening_does_not_stop_the_run() {
    let folder = Folder::new();
    let (site, out) = (folder.site(PAGES), folder.path("out"));
    let mut child = start(command(args!["clean", "-mstream", site, "-o", out, "-v"]));
    drop(child.stderr.take());
    let mut stdout = Vec::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_end(&mut stdout)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(tree(&out).len(), PAGES);
}

#[test]
fn a_full_standard_output_is_an_error_that_names_it() {
    let folder = Folder::new();
    let mut command = command(args!["clean", "-mstream", folder.site(PAGES)]);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = command.stdout(full).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("standard output") && said.contains("space"),
        "{said}"
    );
}
