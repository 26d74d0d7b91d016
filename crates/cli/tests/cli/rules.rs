//! `unframe rules`, `clean --rules` and `--remove-selector`: the frame as selectors, and back.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::args;
use crate::harness::*;

/// The texts of the records, in order.
fn texts(done: &Run) -> Vec<String> {
    let records = done.records();
    let texts = records
        .iter()
        .map(|record| record["text"].as_str().unwrap_or_default());
    texts.map(str::to_string).collect()
}

#[test]
fn rules_of_a_site_clean_it_as_the_method_does() {
    let folder = Folder::new();
    let site = folder.site(24);
    let rules = folder.path("site.rules");
    let done = run(args!["rules", site, "-o", rules]).expect(0);
    let done = done.says(&[
        "site: ",
        "keep and",
        "remove rules from 24 pages",
        "P 1.000",
        "held out",
    ]);
    assert!(done.stdout.is_empty());
    let text = fs::read_to_string(&rules).unwrap();
    for part in [
        "@site site;",
        "keep {\n  #story",
        "remove {\n  #head",
        "  #foot",
        "24 of 24 pages, 100 % removed",
    ] {
        assert!(text.contains(part), "`{part}` is missing: {text}");
    }
    let by_method = texts(&run(args!["clean", site]).expect(0));
    let by_rules = run(args!["clean", site, "--rules", rules]).expect(0);
    assert_eq!(texts(&by_rules), by_method);
    // A single page is enough.
    let one = run(args![
        "clean",
        folder.path("site/p003.html"),
        "--rules",
        rules
    ])
    .expect(0);
    assert_eq!(texts(&one), [by_method[3].as_str()]);
    let json = run(args!["rules", site, "-f", "json", "-q"]).expect(0);
    assert!(json.stderr.is_empty());
    let file = folder.write("rules.json", &json.stdout);
    assert_eq!(
        texts(&run(args!["clean", site, "--rules", file]).expect(0)),
        by_method
    );
    let sections: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(sections[0]["keep"][0]["selector"], "#story");
    assert_eq!(sections[0]["remove"][0]["of_pages"], 24);
    assert_eq!(sections[0]["score"]["f1"], 1.0);
}

#[test]
fn sites_get_sections_or_files_of_their_own() {
    let folder = Folder::new();
    let other = jsonl_site("b.example", 0..8).replace("id=story", "class=entry");
    let pages = folder.write("pages.jsonl", jsonl_site("a.example", 0..8) + &other);
    let rules = folder.path("rules/");
    fs::create_dir(&rules).unwrap();
    run(args!["rules", pages, "-o", rules])
        .expect(0)
        .says(&["a.example: ", "b.example: "]);
    assert_eq!(
        tree(&rules).keys().collect::<Vec<_>>(),
        ["a.example.rules", "b.example.rules"]
    );
    let all = folder.path("all.rules");
    run(args!["rules", pages, "-o", all]).expect(0);
    let text = fs::read_to_string(&all).unwrap();
    assert!(
        text.contains("@site a.example;") && text.contains("@site b.example;"),
        "{text}"
    );
    let by_method = texts(&run(args!["clean", pages]).expect(0));
    assert_eq!(
        texts(&run(args!["clean", pages, "--rules", all]).expect(0)),
        by_method
    );
    let filters = run(args!["rules", pages, "-f", "adblock", "-q"]).expect(0);
    let filters = String::from_utf8(filters.stdout).unwrap();
    assert!(filters.contains("\nb.example###head\n"), "{filters}");
    let config = run(args!["rules", pages, "-f", "ftr", "-q"]).expect(0);
    let config = String::from_utf8(config.stdout).unwrap();
    for line in [
        "body: //*[@id='story']",
        "strip: //*[@id='head']",
        "test_url: http://a.example/0",
    ] {
        assert!(config.contains(&format!("{line}\n")), "{config}");
    }
    let paths = run(args!["rules", pages, "-f", "xpath", "-q"]).expect(0);
    let paths = String::from_utf8(paths.stdout).unwrap();
    assert!(
        paths.contains("# keep\n") && paths.contains("\n//*[@id='foot']\n"),
        "{paths}"
    );
}

#[test]
fn a_file_edited_by_hand_is_applied_and_explained() {
    let folder = Folder::new();
    let site = folder.site(3);
    let rules = folder.write(
        "my.rules",
        "/* mine */\nkeep {\n  #story\n}\nremove {\n  #story ul   /* lists */\n}\n",
    );
    let done = run(args!["clean", site, "--rules", rules]).expect(0);
    for text in texts(&done) {
        assert!(text.contains("Headline") && text.contains("x19"), "{text}");
        assert!(!text.contains("x20 ") && !text.contains(HEAD), "{text}");
    }
    let page = folder.path("site/p001.html");
    let why = run(args!["why", page, "--rules", rules, "--json"]).expect(0);
    let regions = why.records();
    let rule_of = |part: &str| {
        let has = |r: &&Value| r["text"].as_str().is_some_and(|text| text.contains(part));
        regions
            .iter()
            .find(has)
            .map(|region| region["rule"].clone())
            .unwrap()
    };
    assert_eq!(rule_of("Headline"), "kept by `#story`");
    assert_eq!(rule_of("w1x20"), "removed by `#story ul`");
    assert_eq!(rule_of(HEAD), "in no element that the rules keep");
    // Protection wins over the rules.
    let done = run(args!["clean", site, "--rules", rules, "--protect", "#foot"]).expect(0);
    assert!(texts(&done).iter().all(|text| text.contains(FOOT)));
}

#[test]
fn pages_that_rules_do_not_fit_are_flagged() {
    let folder = Folder::new();
    let site = folder.site(2);
    let rules = folder.write("r", "keep { main }\nremove { #head }");
    let done = run(args!["clean", site, "--rules", rules]).expect(0);
    done.says(&["flagged: 2 rules-unmatched"]);
    let rules = folder.write("r", "@site other.example;\nremove { #head }");
    let done = run(args!["clean", site, "--rules", rules]).expect(0);
    assert!(texts(&done)[0].contains(HEAD));
    assert_eq!(done.records()[0]["flags"][0], "rules-unmatched");
}

#[test]
fn selectors_remove_unless_others_protect() {
    let folder = Folder::new();
    let site = folder.site(8);
    let done = run(args![
        "clean",
        site,
        "--remove-selector",
        "ul, h1",
        "--protect",
        "h1"
    ])
    .expect(0);
    for (n, text) in texts(&done).iter().enumerate() {
        assert!(text.contains(&format!("Headline {n}")), "{text}");
        assert!(text.contains("x19") && !text.contains("x20 "), "{text}");
    }
    let page = folder.path("site/p001.html");
    let flags = ["--remove-selector", "ul", "--only", "frame", "--details"];
    let why = run(with(&args!["why", page, "--site", site], &flags)).expect(0);
    let why = String::from_utf8(why.stdout).unwrap();
    assert!(why.contains("removed by `ul`"), "{why}");
    run(args!["clean", site, "--remove-selector", "a:hover"])
        .expect(2)
        .says(&["unsupported selector"]);
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new();
    let site = folder.site(3);
    let bad = folder.write("bad.rules", "remove {\n  nav\n  a + b\n}\n");
    run(args!["clean", site, "--rules", bad])
        .expect(2)
        .says(&["bad.rules, line 3: ", "siblings"]);
    let none = folder.path("none.rules");
    run(args!["clean", site, "--rules", none])
        .expect(2)
        .says(&["cannot read the rules"]);
    let empty = folder.write("empty.rules", "/* nothing */");
    run(args!["clean", site, "--rules", empty])
        .expect(2)
        .says(&["contains no rule"]);
    let good = folder.write("good.rules", "remove { #head }");
    for flags in [
        &["--method", "stream"][..],
        &["--favor", "recall"],
        &["--state", "s"],
    ] {
        let done = run(with(&args!["clean", site, "--rules", good], flags)).expect(2);
        done.says(&[flags[0], "no effect with --rules"]);
    }
    run(args!["rules", site, "-f", "yaml"])
        .expect(2)
        .says(&["css, json, xpath"]);
    run(args!["rules", site, "-o", folder.path("site/x.rules")])
        .expect(2)
        .says(&["inside the input"]);
    run(args!["rules", site, "-o", folder.path("no/x.rules")])
        .expect(2)
        .says(&["create it first"]);
    run(args!["rules"]).expect(2);
    run(args!["rules", "--state", folder.path("no.unframe")]).expect(2);
}

#[test]
fn a_state_helps_and_is_not_changed() {
    let folder = Folder::new();
    let (site, state) = (folder.site(12), folder.path("s.unframe"));
    run(args![
        "clean",
        site,
        "--state",
        state,
        "-o",
        folder.path("out")
    ])
    .expect(0);
    let before = fs::read(&state).unwrap();
    let page = folder.write("new/p.html", page(40));
    let args = args!["rules", page, "--state", state, "--site-name", "site"];
    let done = run(args).expect(0);
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(text.contains("#head"), "{text}");
    assert_eq!(fs::read(&state).unwrap(), before);
    run(args!["rules", "--state", state])
        .expect(2)
        .says(&["name pages"]);
}

/// Page number `n` of a site with a menu, a story and a footer.
fn paper(n: usize) -> String {
    const WORDS: [&str; 12] = [
        "harbour", "ship", "captain", "morning", "council", "bridge", "letter", "winter", "market",
        "river", "school", "train",
    ];
    let word = |at: usize| WORDS[(n * 7 + at * at * 5 + at * n) % WORDS.len()];
    let sentence = |s: usize| {
        format!(
            "In the {} of year {n}, the {} saw a {} near the {}, and number {s} of them said that the {} would \
             never reach the {} before the {} was over.",
            word(s),
            word(s + 1),
            word(s + 2),
            word(s + 3),
            word(s + 4),
            word(s + 5),
            word(s + 6)
        )
    };
    let paragraph = |p: usize| format!("<p>{} {}</p>", sentence(3 * p), sentence(3 * p + 1));
    let story: String = (0..4 + n % 3).map(paragraph).collect();
    format!(
        "<!doctype html><html><head><title>{} {n}</title></head><body>\n\
         <nav class=menu><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/tides>Tides</a>\
         <li><a href=/about>About us</a></ul></nav>\n\
         <main><article class=story><h1>The {} and the {} {n}</h1>{story}</article></main>\n\
         <footer><p>{FOOT}</p><a href=/terms>Terms of use</a> <a href=/privacy>Privacy</a></footer>\n\
         </body></html>",
        word(1),
        word(1),
        word(2)
    )
}

#[test]
fn a_state_of_many_pages_has_rules_without_them() {
    let folder = Folder::new();
    let site = jsonl((0..400).map(|n| (format!("http://a.example/{n}"), paper(n))));
    let (site, state) = (folder.write("pages.jsonl", site), folder.path("s.unframe"));
    let clean = args!["clean", site, "--state", state, "-o", folder.path("out")];
    run(clean).expect(0);
    let before = fs::read(&state).unwrap();
    let rules = folder.path("site.rules");
    let done = run(args!["rules", "--state", state, "-o", rules]).expect(0);
    done.says(&["a.example: 1 keep and 2 remove rules from 400 pages"]);
    assert_eq!(fs::read(&state).unwrap(), before);
    let text = fs::read_to_string(&rules).unwrap();
    for part in [
        "@site a.example;",
        "keep {\n  article",
        "remove {\n  ",
        " nav",
        " footer",
    ] {
        assert!(text.contains(part), "`{part}` is missing: {text}");
    }
    let page = jsonl([(String::from("http://a.example/new"), paper(1000))]);
    let page = folder.write("new.jsonl", page);
    let kept = texts(&run(args!["clean", page, "--rules", rules]).expect(0));
    assert!(kept[0].contains("of year 1000, the"), "{kept:?}");
    assert!(
        !kept[0].contains("Tides") && !kept[0].contains(FOOT),
        "{kept:?}"
    );
    // What it knows is what the method does by default.
    run(args!["rules", "--state", state, "--remove", "template"])
        .expect(2)
        .says(&["name pages"]);
}

/// A site of one page, a page without a frame, and nothing at all.
#[test]
fn little_input_is_no_failure() {
    let folder = Folder::new();
    let plain = folder.write("plain/a.html", "<p>Only a few words of text.");
    run(args!["rules", plain])
        .expect(0)
        .says(&["no frame was found"]);
    let empty = folder.path("empty");
    fs::create_dir(&empty).unwrap();
    run(args!["rules", empty]).expect(1);
}

/// The rules are the same for any number of threads.
#[test]
fn rules_do_not_depend_on_threads() {
    let folder = Folder::new();
    let pages = folder.write("pages.jsonl", jsonl_site("a.example", 0..300));
    let rules = |jobs: &str| {
        run(args!["rules", pages, "--jobs", jobs, "-q"])
            .expect(0)
            .stdout
    };
    let one = rules("1");
    assert_eq!(one, rules("4"));
    assert!(!one.is_empty() && !Path::new("a.example.rules").exists());
}
