//! `auto`, the default method.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::args;
use crate::harness::*;

const SITES: [&str; 3] = ["fieldnotes", "harbour-shop", "petromyra-museum"];

fn demo(site: &str) -> PathBuf {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    demo.join(site)
}

/// The cleaned texts of a demo site, by page.
fn clean(site: &str, more: &[&str]) -> BTreeMap<String, String> {
    let folder = Folder::new();
    let out = folder.path("out");
    let args = args!["clean", demo(site).join("pages"), "-o", out, "-q"];
    run(with(&args, more)).expect(0);
    tree(&out)
        .into_iter()
        .map(|(name, text)| {
            let name = name.trim_end_matches(".txt").to_string();
            (name, String::from_utf8(text).expect("text"))
        })
        .collect()
}

/// What somebody has labelled on a page, line by line.
fn gold(site: &str, page: &str, part: &str) -> Vec<String> {
    let file = demo(site).join("gold").join(format!("{page}.json"));
    let gold = fs::read(&file).unwrap_or_else(|_| panic!("{} is there", file.display()));
    let gold: Value = serde_json::from_slice(&gold).unwrap();
    let lines = gold[part].as_str().unwrap_or_default().lines();
    lines.map(|line| line.trim().to_string()).collect()
}

/// How often each line is there.
fn lines(text: &str) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        *found.entry(line.trim()).or_default() += 1;
    }
    found
}

fn words(text: &str) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    for word in text.split_whitespace() {
        *found.entry(word).or_default() += 1;
    }
    found
}

#[test]
fn hardly_any_frame_stays_and_content_does() {
    for site in SITES {
        let (mut frame, mut left) = (0, Vec::new());
        let texts = clean(site, &[]);
        let mut on_pages: BTreeMap<String, usize> = BTreeMap::new();
        for page in texts.keys() {
            let mut frame = gold(site, page, "template");
            frame.sort();
            frame.dedup();
            for line in frame {
                *on_pages.entry(line).or_default() += 1;
            }
        }
        for (page, text) in &texts {
            let content = gold(site, page, "content");
            let kept = lines(text);
            for line in gold(site, page, "template") {
                let is_common = 2 * on_pages[&line] > texts.len();
                if is_common && !content.iter().any(|own| own.contains(&line)) {
                    frame += 1;
                    if kept.contains_key(&*line) {
                        left.push(format!("{page}: {line}"));
                    }
                }
            }
            let kept = words(text);
            let content = content.join(" ");
            let content = words(&content);
            let all: usize = content.values().sum();
            let found: usize = content
                .iter()
                .map(|(word, times)| times.min(kept.get(word).unwrap_or(&0)))
                .sum();
            assert!(
                10 * found >= 9 * all,
                "{site}/{page}: {found} of {all} words"
            );
        }
        assert!(frame > 100, "{site}: {frame} lines of frame");
        // What stays is the line of a menu that names the page itself, and so is like its title.
        assert!(25 * left.len() < frame, "{site}: {left:#?} of {frame}");
    }
}

#[test]
fn values_of_records_stay_with_the_template_taken_off() {
    let texts = clean("harbour-shop", &["--remove", "template"]);
    let mut prices = 0;
    for (page, text) in &texts {
        let kept = words(text);
        for line in gold("harbour-shop", page, "content") {
            if line.starts_with('£') {
                prices += 1;
                let first = line.split_whitespace().next().unwrap();
                assert!(kept.contains_key(first), "{page}: {line}: {text}");
            }
        }
    }
    assert!(prices > 10, "{prices} prices");
}

#[test]
fn favoring_recall_keeps_more_and_precision_less() {
    let within = |less: &str, more: &str| {
        let more = words(more);
        let inside = |(word, times): (&&str, &usize)| more.get(word).unwrap_or(&0) >= times;
        words(less).iter().all(inside)
    };
    for site in SITES {
        for remove in ["template", "boilerplate"] {
            let of = |more: &[&str]| clean(site, &[&["--remove", remove][..], more].concat());
            let favor = |measure: &str| of(&["--favor", measure]);
            let (careful, usual, eager) = (favor("recall"), of(&[]), favor("precision"));
            for (page, text) in &usual {
                assert!(within(text, &careful[page]), "{site}/{page} {remove}");
                assert!(within(&eager[page], text), "{site}/{page} {remove}");
            }
        }
    }
}

#[test]
fn the_evidence_is_of_what_is_removed() {
    for remove in ["template", "boilerplate"] {
        let mut seen = 0;
        for records in clean("harbour-shop", &["--remove", remove, "--format", "jsonl"]).values() {
            for record in records.lines() {
                let record: Value = serde_json::from_str(record).expect("a record");
                for region in record["removed"].as_array().expect("regions") {
                    let evidence = &region["evidence"];
                    assert_eq!(evidence["probability"], evidence[remove], "{region}");
                    assert!(evidence["probability"].as_f64() >= evidence["from"].as_f64());
                    seen += 1;
                }
            }
        }
        assert!(seen > 20, "{seen} regions");
    }
}

/// Half of the site has been redesigned: what all pages of a design have is its frame.
#[test]
fn a_redesigned_site_is_two() {
    let folder = Folder::new();
    let old = "<b>Filed under harbour news</b>";
    let new = "<b>More stories from the quay</b>";
    for n in 0..24 {
        let (design, line) = if n % 2 == 0 {
            ("old", old)
        } else {
            ("new", new)
        };
        let body = format!("<div class={design}-page>{line}");
        let html = page(n).replace("<body>", &format!("<body>{body}"));
        folder.write(
            format!("site/p{n:03}.html"),
            html.replace("</body>", "</div></body>"),
        );
    }
    let (site, out) = (folder.path("site"), folder.path("out"));
    run(args![
        "clean", site, "--remove", "template", "-o", out, "-q"
    ])
    .expect(0);
    for (name, text) in tree(&out) {
        let text = String::from_utf8(text).expect("text");
        assert!(text.contains("Headline"), "{name}: {text}");
        for line in ["Filed under", "More stories", HEAD] {
            assert!(!text.contains(line), "{name}: {text}");
        }
    }
    let why = run(args![
        "why",
        folder.path("site/p003.html"),
        "--site",
        site,
        "--text",
        "More stories"
    ]);
    let why = String::from_utf8(why.expect(0).stdout).expect("text");
    for part in [
        "seen on   11 of 23 other pages",
        "design    of 11 of 23 other pages",
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
}

/// Short values beside labels are what a page of records is for, also if no other page tells.
#[test]
fn values_of_a_record_stay() {
    let folder = Folder::new();
    let facts = "<p><b>Author:</b> Greta Holm</p><p><b>Publisher:</b> Quay Press</p>\
                 <p><b>ISBN:</b> 9780062506559</p><p><b>Binding:</b> Cloth</p>";
    let menu = ["Home", "Shop", "Sale", "Help", "Cart"].map(|name| {
        let target = name.to_lowercase();
        format!("<li><a href=/{target}>{name}</a></li>")
    });
    let html = format!(
        "<title>Tide Tables - Book Barn</title><body><ul class=menu>{}</ul>\
         <h1>Tide Tables</h1><div class=facts>{facts}</div><p>© 2011 Book Barn</p>",
        menu.concat()
    );
    let page = folder.write("book.html", html);
    let text = run(args!["clean", page, "--format", "text", "-q"]).expect(0);
    let text = String::from_utf8(text.stdout).expect("text");
    for value in ["Greta Holm", "Quay Press", "9780062506559", "Cloth"] {
        assert!(text.contains(value), "{value}: {text}");
    }
    assert!(!text.contains("Help") && !text.contains("Cart"), "{text}");
    let why = run(args!["why", page, "--text", "Quay Press"]).expect(0);
    let why = String::from_utf8(why.stdout).expect("text");
    assert!(why.contains("value beside a label"), "{why}");
}

#[test]
fn threads_change_nothing() {
    let expected = clean("harbour-shop", &["--jobs", "1", "--format", "jsonl"]);
    for jobs in ["2", "5"] {
        let found = clean("harbour-shop", &["--jobs", jobs, "--format", "jsonl"]);
        assert_eq!(found, expected);
    }
}

/// In whatever way the pages come: in one run, in another order, in two states put together.
#[test]
fn the_state_is_a_sum() {
    let folder = Folder::new();
    let (whole, parts) = (folder.path("whole.unframe"), folder.path("parts.unframe"));
    let (a, b) = (folder.path("a.unframe"), folder.path("b.unframe"));
    let first = folder.write("first.jsonl", jsonl_site("a.example", 0..9));
    let second = folder.write("second.jsonl", jsonl_site("a.example", 7..20));
    run(args!["clean", first, second, "--state", whole, "-q"]).expect(0);
    run(args!["clean", first, "--state", a, "-q"]).expect(0);
    run(args!["clean", second, "--state", b, "-q"]).expect(0);
    run(args!["state", "merge", b, a, "-o", parts]).expect(0);
    assert_eq!(check(&whole), 20);
    assert_eq!(check(&parts), 20);
    assert_eq!(learned(&parts), learned(&whole));
    assert_eq!(learned(&whole)[0]["method"], "auto");
    let again = |state: &PathBuf, inputs: &[&PathBuf]| {
        let mut args = args!["clean", "--state", state].to_vec();
        args.extend(inputs.iter().map(|input| input.as_os_str().to_owned()));
        texts(&run(args).expect(0).records())
    };
    assert_eq!(
        again(&parts, &[&second, &first]),
        again(&whole, &[&first, &second])
    );
    assert_eq!(learned(&parts), learned(&whole));
}

#[test]
fn a_state_of_another_method_is_not_begun_anew_unawares() {
    let folder = Folder::new();
    let (site, state) = (folder.site(6), folder.path("s.unframe"));
    run(args!["clean", site, "-mstream", "--state", state, "-q"]).expect(0);
    let before = learned(&state);
    run(args!["clean", site, "--state", state])
        .expect(2)
        .says(&["s.unframe", "stream", "--method stream", "--method auto"]);
    assert_eq!(learned(&state), before);
    run(args!["clean", site, "-mauto", "--state", state, "-q"]).expect(0);
    // Now that it holds both, the default is no question.
    run(args!["clean", site, "--state", state, "-q"]).expect(0);
    let shown = run(args!["state", "show", state]).expect(0);
    let shown = String::from_utf8(shown.stdout).unwrap();
    for words in ["1 site, 6 pages (auto)", "(stream)", "on most pages"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(check(&state), 12);
}

#[test]
fn the_summary_says_what_is_known() {
    let folder = Folder::new();
    let (site, out) = (folder.site(6), folder.path("out"));
    run(args!["clean", site, "-o", out])
        .expect(0)
        .says(&["from 6 pages", "of them are on most pages"]);
    let done = run(args!["clean", site, "-o", out, "--json"]).expect(0);
    let summary: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(summary["texts"]["pages"], 6);
    assert!(summary["texts"]["frame_texts"].as_u64() > Some(0));
    let alone = args!["clean", site.join("p000.html"), "-o", out];
    run(alone).expect(0).says(&["few-pages"]);
}
