//! The table of cases, which every face of the project runs: `cases/README.md`.

#[path = "../../../unframe/tests/library/case_table.rs"]
#[allow(dead_code, reason = "some of it is for other faces")]
mod case_table;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use case_table::{Case, CasePage, asked_fields, differences};
use serde_json::{Value, json};

use crate::args;
use crate::harness::*;

#[test]
fn the_command_line_answers_as_the_table_says() {
    let table = fs::read_to_string(case_table::path()).unwrap();
    let mut wrong = Vec::new();
    for case in case_table::read(&table).unwrap() {
        wrong.extend(differences(&case, "clean", &cleaned(&case), &[]));
    }
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_is_not_known_is_an_error() {
    let line = r#"{"name": "a", "about": "b", "pages": [{"html": ""}], "expct": [{}]}"#;
    let error = case_table::read(line).err().expect("a mistake");
    assert_eq!(error, "line 1: a case has no key `expct`");
}

#[test]
fn a_difference_names_case_page_and_field() {
    let line = r#"{"name": "a", "about": "b", "pages": [{"url": "https://a.example/", "html": "<p>x"}], "expect": [{"text": "y\n"}]}"#;
    let case = &case_table::read(line).unwrap()[0];
    let found = differences(case, "clean", &cleaned(case), &[]);
    assert_eq!(
        found,
        [
            "case `a`, clean, page 1 (https://a.example/), text:\n  expected \"y\\n\"\n  found    \"x\\n\""
        ]
    );
}

/// The records of a case.
fn cleaned(case: &Case) -> Vec<Value> {
    match case.extract {
        true => {
            let alone = |page: &CasePage| records(case, std::slice::from_ref(page));
            case.pages.iter().flat_map(alone).collect()
        }
        false => records(case, &case.pages),
    }
}

fn records(case: &Case, pages: &[CasePage]) -> Vec<Value> {
    let folder = Folder::new();
    let input = written(&folder, pages);
    let fields = asked_fields(case).join(",");
    let mut args = args!["clean", input, "-f", "jsonl", "--fields", fields, "--quiet"].to_vec();
    args.extend(flags(case));
    let run = run(&args);
    assert_eq!(run.code, Some(0), "case `{}`: {}", case.name, run.stderr);
    run.records()
}

/// A file of these pages that keeps their bytes and charsets: JSON lines if all of them are text.
fn written(folder: &Folder, pages: &[CasePage]) -> PathBuf {
    if pages.iter().all(|page| page.is_text) {
        let lines = pages.iter().map(|page| {
            let html = str::from_utf8(&page.body).expect("it was given as text");
            format!("{}\n", json!({"url": page.url, "html": html}))
        });
        return folder.write("pages.jsonl", lines.collect::<String>());
    }
    let mut archive = Vec::new();
    for page in pages {
        let charset = page.charset.as_deref();
        let charset = charset.map_or(String::new(), |charset| format!("; charset={charset}"));
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html{charset}\r\n\r\n");
        let (url, length) = (page.url.as_deref().unwrap(), http.len() + page.body.len());
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{http}"
        );
        archive.extend(head.as_bytes());
        archive.extend(&page.body);
        archive.extend(b"\r\n\r\n");
    }
    folder.write("pages.warc", archive)
}

/// The flags for the settings of a case.
fn flags(case: &Case) -> Vec<OsString> {
    let settings = &case.settings;
    let mut flags: Vec<OsString> = Vec::new();
    let mut add = |flag: &str, value: &str| flags.extend([flag.into(), value.into()]);
    let named = [
        ("--method", &settings.method),
        ("--remove", &settings.remove),
        ("--favor", &settings.favor),
        ("--comments", &settings.comments),
        ("--site-from", &settings.site_from),
        ("--site-name", &settings.site),
    ];
    for (flag, value) in named {
        if let Some(value) = value {
            add(flag, value);
        }
    }
    for selector in &settings.protect {
        add("--protect", selector);
    }
    for selector in &settings.remove_selector {
        add("--remove-selector", selector);
    }
    if let Some(obeyed) = settings.owner_marks {
        add("--owner-marks", if obeyed { "on" } else { "off" });
    }
    let of_markdown = [
        ("--md-links", settings.markdown_links),
        ("--md-images", settings.markdown_images),
    ];
    for (flag, value) in of_markdown {
        if let Some(value) = value {
            add(flag, if value { "yes" } else { "no" });
        }
    }
    flags.extend(settings.body_only.then(|| "--body-only".into()));
    flags.extend(case.arrival.then(|| "--arrival".into()));
    flags
}
