//! What overrules the method, and runs that write nothing.

use crate::args;
use crate::harness::*;

/// A site whose frame is in `#head` and `#foot`, with a licence on every page.
fn licensed(folder: &Folder) -> std::path::PathBuf {
    for n in 0..8 {
        let licence = "<div class=licence>Free to copy, with the name of the author</div>";
        folder.write(format!("site/{n}.html"), page_with(n, licence) + &page(n));
    }
    folder.path("site")
}

#[test]
fn protected_texts_stay() {
    let folder = Folder::new();
    let site = licensed(&folder);
    let licence = "Free to copy";
    let texts = |more: &[&str]| {
        let done = run(with(&args!["clean", "-mstream", site, "-f", "text"], more)).expect(0);
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(!texts(&[]).contains(licence));
    let kept = texts(&["--protect", ".licence"]);
    assert!(kept.contains(licence) && !kept.contains(FOOT));
    let both = texts(&["--protect", ".none, .licence", "--protect", "#foot"]);
    assert!(both.contains(licence) && both.contains(FOOT) && !both.contains(HEAD));
    run(args!["clean", "-mstream", site, "--protect", "p:hover"])
        .expect(2)
        .says(&["p:hover", "nth-of-type"]);
    let page = site.join("3.html");
    let why = run(args![
        "why",
        "-mstream",
        page,
        "--site",
        site,
        "--protect",
        ".licence",
        "--text",
        licence,
        "--json"
    ]);
    let region = &why.expect(0).records()[0];
    assert_eq!(region["rule"], "protected by `.licence`");
    assert_eq!(region["label"], "content");
}

#[test]
fn short_pages_of_which_nothing_remains_are_flagged() {
    let folder = Folder::new();
    for n in 0..6 {
        folder.write(
            format!("moved/{n}.html"),
            "<p>We have moved to Pier Road.</p>",
        );
        let longer = format!("<p>{}</p>", "We have moved to Pier Road. ".repeat(12));
        folder.write(format!("long/{n}.html"), longer);
    }
    for (site, flag, is_kept) in [("moved", "all-frame", false), ("long", "suspicious", true)] {
        let records = run(args!["clean", "-mstream", folder.path(site)])
            .expect(0)
            .records();
        for record in records {
            let flags = record["flags"].as_array().unwrap();
            assert!(flags.contains(&flag.into()), "{site}: {flags:?}");
            assert_eq!(record["text"] != "", is_kept, "{record}");
        }
    }
}

#[test]
fn marks_of_the_owner_are_obeyed_unless_switched_off() {
    let folder = Folder::new();
    for n in 0..6 {
        let marked = format!(
            "<div data-nosnippet>Offer {n} of the day</div><p>Own words {n}</p>\
             <!--googleoff: index--><p>Related story {n}</p><!--googleon: index--><p>End {n}</p>"
        );
        folder.write(format!("site/{n}.html"), page_with(n, &marked));
    }
    let site = folder.path("site");
    let texts = |more: &[&str]| {
        let done = run(with(&args!["clean", site, "-f", "text"], more)).expect(0);
        String::from_utf8(done.stdout).unwrap()
    };
    let usual = texts(&[]);
    assert!(usual.contains("Own words 3") && usual.contains("End 3"));
    assert!(!usual.contains("Offer 3") && !usual.contains("Related story 3"));
    let off = texts(&["--owner-marks", "off"]);
    assert!(off.contains("Offer 3") && off.contains("Related story 3"));
    let protected = texts(&["--protect", "[data-nosnippet]"]);
    assert!(protected.contains("Offer 3") && !protected.contains("Related story 3"));
    // The method that keeps everything does, unless told otherwise.
    assert!(texts(&["--method", "text"]).contains("Offer 3"));
    assert!(!texts(&["--method", "text", "--owner-marks", "on"]).contains("Offer 3"));
    let removed = run(args!["clean", site]).expect(0).records()[3]["removed"].to_string();
    assert!(removed.contains("\"mark\":\"data-nosnippet\""), "{removed}");
    assert!(
        removed.contains("\"rule\":\"marked-by-owner\""),
        "{removed}"
    );
}

#[test]
fn a_dry_run_writes_nothing_and_says_what_would_go() {
    let folder = Folder::new();
    let site = folder.site(8);
    let state = folder.path("s.unframe");
    let dry = args!["clean", "-mstream", site, "--state", state, "--dry-run"];
    let done = run(&dry).expect(0);
    let text = String::from_utf8(done.stdout).unwrap();
    for part in [
        "nothing was written",
        " %  site (8 pages)",
        &format!("       8  {FOOT}"),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!state.exists(), "a state was made");
    assert_eq!(tree(&folder.path("")).len(), 8, "something was written");
    // A state that is there stays as it is, byte by byte.
    run(args!["clean", "-mstream", site, "--state", state, "-q"]).expect(0);
    let before = std::fs::read(&state).unwrap();
    folder.write("site/new.html", page(99));
    let done = run(with(&dry, &["--json"])).expect(0);
    assert_eq!(done.summary()["new"], 1);
    let would = &done.records()[0];
    assert_eq!(would["dry_run"], true);
    assert_eq!(would["sites"][0]["pages"], 9);
    assert_eq!(would["frame_texts"][0]["times"], 9);
    assert_eq!(before, std::fs::read(&state).unwrap());
    let real = run(args![
        "clean",
        "-mstream",
        site,
        "--json",
        "-o",
        folder.path("out")
    ])
    .expect(0);
    let share = real.records()[0]["template_share"].as_f64().unwrap();
    let site = &would["sites"][0];
    let removed = site["removed"].as_f64().unwrap() / site["length"].as_f64().unwrap();
    assert!((share - removed).abs() < 1e-9, "{share} {removed}");
    run(with(&dry, &["-o", "out"])).expect(2).says(&["--out"]);
}

#[test]
fn the_help_lists_every_flag() {
    let help = run(["clean", "--help"]).expect(0);
    let help = String::from_utf8(help.stdout).unwrap();
    for flag in [
        "few-pages",
        "near-duplicate",
        "duplicate",
        "suspicious",
        "truncated",
        "drift",
        "no-text",
    ] {
        assert!(help.contains(&format!("\n  {flag} ")), "{flag}: {help}");
    }
}
