//! `unframe why`: what a user learns of one page, as text, as JSON, and on the page itself.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::args;
use crate::harness::*;

/// The region that has this text.
#[track_caller]
fn with_text<'a>(regions: &'a [Value], text: &str) -> &'a Value {
    let has = |region: &&Value| {
        region["text"]
            .as_str()
            .is_some_and(|own| own.contains(text))
    };
    regions
        .iter()
        .find(has)
        .unwrap_or_else(|| panic!("no region has `{text}`: {regions:?}"))
}

#[test]
fn every_method_says_why() {
    let folder = Folder::new();
    let site = folder.site(8);
    let page = folder.path("site/p003.html");
    let source = std::fs::read_to_string(&page).unwrap();
    for method in ["stream", "chunks", "mdl", "links"] {
        let done = run(args![
            "why", page, "--site", site, "--method", method, "--json"
        ])
        .expect(0);
        let regions = done.records();
        let head = with_text(&regions, HEAD);
        assert_eq!(head["label"], "template", "{method}");
        // links compares with some of the others, the rest with all.
        let seen = &head["seen"];
        assert_eq!(seen[0], seen[1], "{method}: {seen}");
        assert!(method == "links" || seen[1] == 7, "{method}: {seen}");
        assert_eq!(head["css"], "#head", "{method}");
        let bytes = |end: &str| head[end].as_u64().unwrap() as usize;
        let cut = &source[bytes("start")..bytes("end")];
        assert!(
            cut.starts_with(HEAD) && cut.ends_with("Tides"),
            "{method}: {cut}"
        );
        assert!(!head["rule"].as_str().unwrap().is_empty());
        let story = with_text(&regions, "w3x0 ");
        assert_eq!(story["label"], "content", "{method}");
        assert_eq!(story["seen"][0], 0, "{method}");
        let texts: Vec<_> = regions.iter().map(|region| &region["text"]).collect();
        assert_eq!(texts.len(), 7, "{texts:?}");
    }
}

#[test]
fn regions_are_shown_for_people() {
    let folder = Folder::new();
    let site = folder.site(8);
    let page = folder.path("site/p003.html");
    let done = run(args!["why", "-mstream", page, "--site", site]).expect(0);
    let text = String::from_utf8(done.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 7, "{text}");
    let row = |css: &str, text: &str| format!("        {css:<36}  {text}");
    assert_eq!(
        lines[0],
        format!(
            "   0  frame  {}",
            row("#head", &format!("{HEAD} Home Tides"))
        )
    );
    assert!(lines[1].starts_with("   1  content"), "{text}");
    let done = run(args!["why", "-mstream", page, "--site", site, "--details"]).expect(0);
    let text = String::from_utf8(done.stdout).unwrap();
    assert_eq!(text.split("\n\n").count(), 7, "{text}");
    for part in [
        &format!("[0] frame: {HEAD} Home Tides\n"),
        "[1] content: Headline 3\n",
        "    rule      100 % of its block repeats",
        "    seen on   7 of 7 other pages\n",
        "    css       #story > p:nth-of-type(2)\n",
        "    bytes     ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        done.stderr
            .contains(": 2 regions removed, 5 kept, compared with 7 other pages of site 'site'")
    );
}

#[test]
fn what_a_page_says_does_not_reach_the_terminal_as_commands() {
    let folder = Folder::new();
    let page = folder.write("p.html", "<p id='a&#27;b'>Red &#27;[31m words</p>");
    for style in [&[][..], &["--details"]] {
        let done = run(with(&args!["why", page, "-mtext"], style)).expect(0);
        let text = String::from_utf8(done.stdout).unwrap();
        assert!(text.contains("Red \u{fffd}[31m words"), "{text:?}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn regions_can_be_filtered_and_sorted() {
    let folder = Folder::new();
    let site = folder.site(8);
    let page = folder.path("site/p003.html");
    let regions = |more: &[&str]| {
        let all = args!["why", page, "--site", site, "--json"];
        run(with(&all, more)).expect(0).records()
    };
    let all = regions(&[]);
    let of = |label: &str| {
        let own = all.iter().filter(|region| region["label"] == label);
        own.cloned().collect::<Vec<_>>()
    };
    assert_eq!(regions(&["--only", "frame"]), of("template"));
    assert_eq!(regions(&["--only", "kept"]), of("content"));
    assert!(!of("template").is_empty() && !of("content").is_empty());
    let sorted = regions(&["--sort", "uncertainty"]);
    assert_eq!(sorted.len(), all.len());
    let certainty = |region: &Value| (region["probability"].as_f64().unwrap() - 0.5).abs();
    assert!(sorted.is_sorted_by(|one, other| certainty(one) <= certainty(other)));
    // Few regions that were asked for are explained at once.
    let shown = |more: &[&str]| {
        let done = run(with(&args!["why", page, "--site", site], more)).expect(0);
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(shown(&["--css", "#head"]).contains("    rule "));
    assert!(!shown(&["--only", "frame"]).contains("    rule "));
    assert!(shown(&["--only", "frame", "--details"]).contains("    rule "));
}

/// A page that the model would empty keeps what no other page has, and it is said.
#[test]
fn a_page_that_the_guard_kept_says_so() {
    let folder = Folder::new();
    let list = |of: &str, items: u32| {
        let items = (0..items).map(|n| format!("<li><a href=/{of}/{n}>{of} {n}</a></li>"));
        format!("<ul class={of}>{}</ul>", items.collect::<String>())
    };
    let (top, foot) = (list("section", 30), list("foot", 30));
    for n in 0..8 {
        let words = format!("word{n} and more of it. ").repeat(40);
        let own = match n {
            7 => format!("<aside class='sidebar widget'>{}</aside>", list("tag", 20)),
            _ => format!("<main><h1>Story {n}</h1><p>{words}</p></main>"),
        };
        let html = format!("<html><body><nav>{top}</nav>{own}<footer>{foot}</footer>");
        folder.write(format!("site/{n}.html"), html);
    }
    let (site, page) = (folder.path("site"), folder.path("site/7.html"));
    let said = "suspicious: nearly all of it would have been removed";
    run(args!["why", page, "--site", site])
        .expect(0)
        .says(&[said]);
    let out = folder.path("why.html");
    run(args!["why", page, "--site", site, "--html", out]).expect(0);
    assert!(std::fs::read_to_string(&out).unwrap().contains(said));
    let cleaned = run(args!["clean", site, "--format", "jsonl"]).expect(0);
    let cleaned = cleaned.records();
    let last = cleaned.last().unwrap();
    assert_eq!(last["flags"], serde_json::json!(["suspicious"]), "{last}");
    let text = last["text"].as_str().unwrap();
    assert!(
        text.contains("tag 0") && !text.contains("section 0"),
        "{text}"
    );
}

/// `auto` judges each text first; the other methods do not.
#[test]
fn regions_tell_the_votes_of_their_texts() {
    let folder = Folder::new();
    let site = folder.site(8);
    let page = folder.path("site/p003.html");
    let regions = run(args!["why", page, "--site", site, "--json"]).expect(0);
    let regions = regions.records();
    let head = with_text(&regions, HEAD);
    assert_eq!(head["votes"]["texts"], 3, "{head}");
    assert!(head["votes"]["alone"].is_u64() && head["votes"]["with"].is_array());
    let text = run(args!["why", page, "--site", site, "--text", HEAD]).expect(0);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("\n    removed   "), "{text}");
    let other = run(args!["why", "-mstream", page, "--site", site, "--json"]).expect(0);
    assert!(with_text(&other.records(), HEAD)["votes"].is_null());
}

#[test]
fn regions_can_be_asked_for_by_text_and_by_place() {
    let folder = Folder::new();
    let site = folder.site(8);
    let page = folder.path("site/p003.html");
    let shown = |more: &[&str]| {
        let all = args!["why", "-mstream", page, "--site", site, "--json"];
        let run = run(with(&all, more));
        let regions = run.records();
        let texts = regions
            .iter()
            .map(|region| region["text"].as_str().unwrap().to_string());
        texts.collect::<Vec<_>>()
    };
    assert_eq!(shown(&["--text", "HEADLINE"]), ["Headline 3"]);
    assert_eq!(shown(&["--css", "h1, #foot"]), ["Headline 3", FOOT]);
    assert_eq!(shown(&["--css", "#story > p"]).len(), 2);
    assert_eq!(shown(&["--css", "#story li", "--text", "w3x20"]).len(), 1);
    // What is shown as a path can be asked for.
    assert_eq!(shown(&["--css", "#story > p:nth-of-type(2)"]).len(), 1);
    run(args![
        "why", "-mstream", page, "--site", site, "--text", "nowhere"
    ])
    .expect(1)
    .says(&["no region matches"]);
    run(args![
        "why", "-mstream", page, "--site", site, "--css", "p + p"
    ])
    .expect(2)
    .says(&["siblings"]);
}

#[test]
fn a_page_may_come_from_elsewhere() {
    let folder = Folder::new();
    let site = folder.site(8);
    let new = folder.write("new.html", page(42));
    let label = |run: &Run| with_text(&run.records(), HEAD)["label"].clone();
    // Beside the site, by what is in a state, and alone.
    let beside = run(args!["why", "-mstream", new, "--site", site, "--json"]).expect(0);
    assert_eq!(label(&beside), "template");
    let state = folder.path("s.unframe");
    run(args!["clean", "-mstream", site, "--state", state, "-q"]).expect(0);
    let before = std::fs::read(&state).unwrap();
    let by_state = run(args!["why", "-mstream", new, "--state", state, "--json"]).expect(0);
    assert_eq!(label(&by_state), "template");
    assert_eq!(
        with_text(&by_state.records(), HEAD)["seen"],
        serde_json::json!([8, 8])
    );
    let piped = args![
        "why",
        "-mstream",
        "-",
        "--url",
        "http://else.example/9",
        "--state",
        state,
        "--json"
    ];
    let piped = run_with_stdin(piped, page(43).as_bytes()).expect(0);
    assert_eq!(label(&piped), "template");
    assert_eq!(
        before,
        std::fs::read(&state).unwrap(),
        "the state was changed"
    );
    let alone = run(args!["why", "-mstream", new, "--json"]).expect(0);
    assert_eq!(label(&alone), "content");
    assert!(alone.stderr.contains("few-pages"), "{}", alone.stderr);
    // By its URL in an archive.
    let lines = folder.write("a.jsonl", jsonl_site("a.example", 0..8));
    let url = "http://a.example/3";
    let archived = run(args!["why", "-mstream", url, "--site", lines, "--json"]).expect(0);
    assert_eq!(label(&archived), "template");
    assert_eq!(
        with_text(&archived.records(), "Headline")["text"],
        "Headline 3"
    );
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new();
    let site = folder.site(6);
    let state = folder.path("s.unframe");
    run(args!["clean", "-mstream", site, "--state", state, "-q"]).expect(0);
    let page = folder.path("site/p003.html");
    for (args, said) in [
        (
            args!["why", "-mstream", "p9.html"].to_vec(),
            "PAGE is a file",
        ),
        (
            args!["why", "-mstream", site].to_vec(),
            "choose one, as in `unframe why p001.html --site ",
        ),
        (
            args!["why", "-mstream", "http://a.example/"].to_vec(),
            "curl -s http://a.example/",
        ),
        (
            args!["why", "-mstream", "p9.html", "--site", site].to_vec(),
            "it contains p0",
        ),
        (
            args!["why", "-mstream", page, "--state", folder.path("none")].to_vec(),
            "none",
        ),
        (
            args!["why", page, "--state", state, "--method", "chunks"].to_vec(),
            "holds nothing learned by the method chunks",
        ),
        (
            args!["why", "-mstream", page, "--html", site].to_vec(),
            "is a folder",
        ),
        (
            args!["why", "-mstream", page, "--html", page].to_vec(),
            "is the input",
        ),
        (
            args!["why", "-mstream", page, "--css", "a:hover"].to_vec(),
            ":nth-of-type",
        ),
    ] {
        run(args).expect(2).says(&[said]);
    }
}

/// A page whose own programs, styles and texts try to get at the overlay.
const HOSTILE: &str = "<!doctype html><html><head><meta charset=latin1>\
    <meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">\
    <meta http-equiv=refresh content='0;url=about:blank'><title>T</title>\
    <style>* { font-size: 30px } span { display: none }</style>\
    <script>document.title = 'ran'</script></head>\
    <body onload=\"document.title='ran'\"><div id=head>Site name and menu of all pages</div>\
    <p id=story>A story with &lt;/script>&lt;script>document.title='ran'&lt;/script> in it</p>\
    <img src=x onerror=\"document.title='ran'\"><p>Unclosed <b>bold <textarea>typed";

#[test]
fn the_overlay_works_in_a_browser() {
    let folder = Folder::new();
    folder.site(6);
    let page = folder.write("site/hostile.html", HOSTILE);
    let out = folder.path("why.html");
    run(args![
        "why",
        "-mstream",
        page,
        "--site",
        folder.path("site"),
        "--html",
        out
    ])
    .expect(0);
    let made = std::fs::read_to_string(&out).unwrap();
    assert_eq!(made.matches("<script").count(), 2, "{made}");
    let Some(browser) = browser() else {
        eprintln!("no browser was found: the overlay is not looked at");
        return;
    };
    let plain = dumped(&browser, &out, "");
    assert!(
        plain.contains("<title>T</title>"),
        "a program of the page ran: {plain}"
    );
    assert!(plain.contains("id=\"unframe-legend\""), "{plain}");
    assert!(!plain.contains("id=\"unframe-panel\""), "{plain}");
    // As if region 1 had been clicked.
    let clicked = dumped(&browser, &out, "#unframe-open=1");
    let (_, panel) = clicked.split_once("id=\"unframe-panel\"").expect("a panel");
    for part in [
        "Content (region 1)",
        "A story with &lt;/script&gt;",
        "#story",
        "rule",
    ] {
        assert!(panel.contains(part), "{part}: {panel}");
    }
    assert!(clicked.contains("class=\"unframe-open\""), "{clicked}");
}

fn browser() -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |name: &&&str| {
        let shown = Command::new(name).arg("--version").output();
        shown.is_ok_and(|shown| shown.status.success())
    };
    names.iter().find(is_there).map(|name| name.to_string())
}

/// The page as a browser has it after its programs ran.
fn dumped(browser: &str, file: &Path, hash: &str) -> String {
    let profile = Folder::new();
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND",
        ])
        .arg(format!("--user-data-dir={}", profile.path("").display()))
        .arg(format!("file://{}{hash}", file.display()));
    let done = finish(start(command)).expect(0);
    String::from_utf8(done.stdout).unwrap()
}
