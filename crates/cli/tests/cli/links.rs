//! The method `links`.

use crate::args;
use crate::harness::*;

#[test]
fn clean_takes_the_frame_off() {
    let folder = Folder::new();
    let site = folder.site(12);
    let out = folder.path("out");
    run(args!["clean", site, "--method", "links", "-o", out])
        .expect(0)
        .says(&["kept the trees of 12 of 12 pages", "frame: "]);
    let links = tree(&out);
    let usual = folder.path("usual");
    run(args!["clean", site, "-o", usual]).expect(0);
    assert_eq!(
        links.keys().collect::<Vec<_>>(),
        tree(&usual).keys().collect::<Vec<_>>()
    );
    let all = folder.path("all");
    run(args!["clean", site, "--method", "text", "-o", all]).expect(0);
    for (name, text) in tree(&all) {
        assert!(links[&name].len() < text.len(), "{name}");
    }
}

#[test]
fn state_is_learnt_on_from_shown_checked_and_merged() {
    let folder = Folder::new();
    let (one, two) = (folder.path("one.unframe"), folder.path("two.unframe"));
    let method = ["--method", "links", "--links", "keep=6", "--json"];
    for (state, range) in [(&one, 0..8), (&two, 8..16)] {
        let pages = folder.write(
            format!("{}.jsonl", range.start),
            jsonl_site("h.example", range),
        );
        run(with(&args!["clean", pages, "--state", state], &method)).expect(0);
    }
    // The same pages again change nothing.
    let again = with(
        &args!["clean", folder.path("0.jsonl"), "--state", one],
        &method,
    );
    let done = run(again).expect(0);
    assert_eq!(done.summary()["unchanged"], 8);
    assert_eq!(check(&one), 8);
    let shown = run(args!["state", "show", one]).expect(0);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.contains("links") && shown.contains("h.example"),
        "{shown}"
    );
    let both = folder.path("both.unframe");
    run(args!["state", "merge", one, two, "-o", both]).expect(0);
    assert_eq!(check(&both), 16);
    // Learnt together from the start, it is the same.
    let pages = folder.write("all.jsonl", jsonl_site("h.example", 0..16));
    let whole = folder.path("whole.unframe");
    let first = run(with(&args!["clean", pages, "--state", whole], &method)).expect(0);
    let second = run(with(&args!["clean", pages, "--state", both], &method)).expect(0);
    assert_eq!(first.stdout, second.stdout);
    // Trees of another make are refused.
    run(args![
        "clean",
        pages,
        "--state",
        one,
        "--method",
        "links",
        "--preset",
        "alarte-2014"
    ])
    .expect(2)
    .says(&["it was learned with `ids=unique-stable,classes=stable,keep=6`"]);
}

#[test]
fn threads_do_not_matter() {
    let folder = Folder::new();
    let site = folder.site(40);
    let done = |jobs: &str| {
        run(args![
            "clean", site, "-m", "links", "-f", "jsonl", "-j", jobs
        ])
        .expect(0)
        .stdout
    };
    assert_eq!(done("1"), done("3"));
}

#[test]
fn wrong_settings_say_what_is_right() {
    let folder = Folder::new();
    let site = folder.site(2);
    for (arguments, hint) in [
        (
            &["--method", "links", "--links", "t=9"][..],
            "t is 9, but must be at least 1 and at most n",
        ),
        (
            &["--method", "links", "--links", "df=2"],
            "`links` has no setting `df`",
        ),
        (
            &["--method", "links", "--preset", "ma-2003a"],
            "modern, alarte-2014, alarte-best",
        ),
        (&["--links", "n=2"], "--links belongs to the method links"),
        (
            &["--method", "links", "--df", "2"],
            "--df belongs to the method stream",
        ),
    ] {
        run(with(&args!["clean", site], arguments))
            .expect(2)
            .says(&[hint]);
    }
}
