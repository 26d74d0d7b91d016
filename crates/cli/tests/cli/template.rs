//! `unframe template`: the frame as a page.

use std::path::PathBuf;

use serde_json::Value;

use crate::args;
use crate::harness::*;

fn other_build(n: usize) -> String {
    page(n + 100)
        .replace("div", "section")
        .replace("<p>", "<p><i>")
}

/// Pages of two templates, and one of none.
fn three_builds(folder: &Folder) -> PathBuf {
    for n in 0..5 {
        folder.write(format!("site/a{n}.html"), page(n));
        folder.write(format!("site/b{n}.html"), other_build(n));
    }
    folder.write(
        "site/c.html",
        "<table><tr><td>Something else altogether</table>",
    );
    folder.path("site")
}

#[track_caller]
fn is_skeleton(html: &str) {
    for part in [
        HEAD,
        FOOT,
        "<!-- unframe: slot ",
        "data-unframe-slot=",
        "href=\"/tides\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    for part in ["Headline", "w0x", "w1x", "Story"] {
        assert!(!html.contains(part), "{part}: {html}");
    }
}

#[test]
fn one_template_goes_to_standard_output() {
    let folder = Folder::new();
    let done = run(args!["template", folder.site(6)]).expect(0);
    let html = String::from_utf8(done.stdout).unwrap();
    is_skeleton(&html);
    assert!(html.starts_with("<!doctype html><html>"), "{html}");
    assert!(
        html.contains("<title data-unframe-slot=\"0\"></title>"),
        "{html}"
    );
    assert!(html.contains("<div id=\"story\""), "{html}");
    assert!(done.stderr.is_empty(), "{}", done.stderr);
    // It is a page again, with nothing of its own.
    let file = folder.write("again/t.html", &html);
    let text = run(args!["clean", file, "--method", "text", "-f", "text"]).expect(0);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains(HEAD) && text.contains(FOOT) && !text.contains("w1x"));
}

#[test]
fn scripts_and_loading_have_flags() {
    let folder = Folder::new();
    for n in 0..6 {
        let active = page(n).replace(
            "<div id=head",
            "<script>x()</script><div onclick=x() id=head",
        );
        assert!(active.contains("onclick"), "{active}");
        folder.write(format!("site/{n}.html"), active);
    }
    let made = |more: &[&str]| {
        let done = run(with(&args!["template", folder.path("site"), "-q"], more)).expect(0);
        String::from_utf8(done.stdout).unwrap()
    };
    let inert = made(&[]);
    assert!(
        !inert.contains("x()") && inert.contains("<div id=\"head\""),
        "{inert}"
    );
    assert!(
        inert.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    );
    let active = made(&["--scripts"]);
    assert!(
        active.contains("<script>x()</script><div onclick=\"x()\""),
        "{active}"
    );
    assert!(
        active.contains("script-src 'unsafe-inline' 'unsafe-eval';"),
        "{active}"
    );
    assert!(made(&["--load-assets"]).contains("img-src data: http: https: file:;"));
}

#[test]
fn a_title_that_all_share_stays() {
    let folder = Folder::new();
    for n in 0..6 {
        let same = page(n).replace(&format!("Story {n}"), "The Gazette");
        folder.write(format!("site/{n}.html"), same);
    }
    let done = run(args!["template", folder.path("site"), "-q"]).expect(0);
    let html = String::from_utf8(done.stdout).unwrap();
    assert!(html.contains("<title>The Gazette</title>"), "{html}");
}

#[test]
fn several_go_to_a_folder_or_one_is_chosen() {
    let folder = Folder::new();
    let (site, out) = (three_builds(&folder), folder.path("out"));
    let several = run(args!["template", site]).expect(2);
    several.says(&[
        "2 templates",
        "-o DIR",
        "--cluster 0   5 pages like",
        "--cluster 1",
    ]);
    run(args!["template", site, "-o", out])
        .expect(0)
        .says(&["2 templates of 11 pages"]);
    folder.write("out/site-0.html", "of another day");
    run(args!["template", site, "-o", out]).expect(0);
    assert_ne!(tree(&out)["site-0.html"], b"of another day");
    run(args!["template", site, "-o", out.join("site-0.html")])
        .expect(2)
        .says(&["is a file", "folder"]);
    let files = tree(&out);
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["site-0.html", "site-1.html"]
    );
    for (name, html) in &files {
        let html = std::str::from_utf8(html).unwrap();
        is_skeleton(html);
        assert_eq!(html.contains("<section"), name == "site-1.html");
        let number = &name["site-".len()..][..1];
        let one = run(args!["template", site, "--cluster", number, "--jobs", "1"]).expect(0);
        assert_eq!(String::from_utf8(one.stdout).unwrap(), html);
    }
    run(args!["template", site, "--cluster", "2"])
        .expect(2)
        .says(&["single page"]);
    run(args!["template", site, "--cluster", "9"])
        .expect(2)
        .says(&["there are 3"]);
}

#[test]
fn the_list_says_what_there_is() {
    let folder = Folder::new();
    let (site, out) = (three_builds(&folder), folder.path("out"));
    let listed = run(args!["template", site, "--json"]).expect(0).records();
    assert_eq!(listed.len(), 2);
    for (number, line) in listed.iter().enumerate() {
        assert_eq!(
            (&line["cluster"], &line["pages"]),
            (&number.into(), &5.into())
        );
        assert_eq!(line["site"], "site");
        assert!(line["template_paths"].as_u64().unwrap() > 15);
        assert!(line["slots"].as_u64().unwrap() > 0);
        assert!(
            line["representative"]["source"]
                .as_str()
                .unwrap()
                .contains("site/")
        );
        assert_eq!(line.get("file"), None);
    }
    let written = run(args![
        "template", site, "--json", "-o", out, "--view", "page"
    ])
    .expect(0);
    for line in written.records() {
        let file = PathBuf::from(line["file"].as_str().unwrap());
        let html = std::fs::read_to_string(file).unwrap();
        assert!(
            html.contains("end of slot") && html.contains("Headline"),
            "{html}"
        );
    }
    let mixed = run(args!["template", site, "--json", "--mixed"])
        .expect(0)
        .records();
    assert_eq!(mixed.len(), 2);
    assert_eq!(mixed[0].get("site"), None::<&Value>);
}

#[test]
fn links_lead_where_they_led() {
    let folder = Folder::new();
    let pages = folder.write("pages.jsonl", jsonl_site("h.example", 0..6));
    for (links, expected) in [
        ("as-is", "href=\"/tides\""),
        ("absolute", "href=\"http://h.example/tides\""),
        ("http://h.example/x/y", "href=\"../tides\""),
        ("http://other.example/", "href=\"http://h.example/tides\""),
    ] {
        let done = run(args!["template", pages, "--relative-to", links]).expect(0);
        let html = String::from_utf8(done.stdout).unwrap();
        assert!(html.contains(expected), "{links}: {html}");
    }
}

#[test]
fn the_content_without_its_frame() {
    let folder = Folder::new();
    let done = run(args!["template", folder.site(6), "--view", "content"]).expect(0);
    let html = String::from_utf8(done.stdout).unwrap();
    assert!(html.contains("Headline") && !html.contains(FOOT), "{html}");
}

#[test]
fn no_template_is_no_success() {
    let folder = Folder::new();
    let one = run(args!["template", folder.site(1)]).expect(1);
    assert!(one.stdout.is_empty());
    one.says(&["no template was found", "more pages"]);
    folder.write("none/notes.txt", "no page");
    run(args!["template", folder.path("none")])
        .expect(1)
        .says(&["no page was found"]);
    for (wrong, hint) in [
        (&["--view", "frame"][..], "template, content and page"),
        (&["--relative-to", "relative"], "as-is, absolute"),
        (&["--preset", "paper"], "modern, kim-shim"),
        (&["--method", "chunks"], "mdl"),
        (&["--cluster", "first"], "--cluster"),
        (&["--json", "--view", "page"], "-o DIR"),
        (&["--bands", "7"], "multiple of bands"),
    ] {
        let site = folder.site(3);
        run(with(&args!["template", site], wrong))
            .expect(2)
            .says(&[hint]);
    }
    let inside = folder.path("site/out");
    run(args!["template", folder.site(3), "-o", inside])
        .expect(2)
        .says(&["inside the input"]);
}
