//! `unframe dedup`, and `clean` that does not learn from duplicates or learns templates apart.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::args;
use crate::harness::*;
use crate::state::open_pipe;

/// The sources of each group's pages, the one that is kept first, by their file name.
fn groups(records: &[Value]) -> Vec<Vec<String>> {
    let name = |page: &Value| {
        let source = page["source"].as_str().expect("a source");
        source.rsplit('/').next().unwrap().to_string()
    };
    let group = |record: &Value| {
        let duplicates = record["duplicates"].as_array().expect("a list");
        let all = std::iter::once(&record["kept"]).chain(duplicates);
        all.map(name).collect()
    };
    records.iter().map(group).collect()
}

/// A site of five pages, with copies of the second and of the last that look different.
fn site_with_copies(folder: &Folder) -> PathBuf {
    let site = folder.site(5);
    folder.write("site/q1.html", page(1).replace("<p>", "<p class=other>"));
    folder.write("site/q2.html", page(4));
    folder.write("site/q3.html", page(1).to_uppercase());
    site
}

#[test]
fn groups_are_listed_with_the_page_that_is_kept_first() {
    let folder = Folder::new();
    let site = site_with_copies(&folder);
    let done = run(args!["dedup", site]).expect(0);
    let listed = String::from_utf8(done.stdout.clone()).unwrap();
    let expected = "p001.html\n    q1.html\n    q3.html\np004.html\n    q2.html\n";
    let prefix = format!("{}/", site.display());
    assert_eq!(listed.replace(&prefix, ""), expected);
    done.says(&["1 site, 8 pages", "duplicates: 3 pages in 2 groups (37.5 %"]);

    let done = run(args!["dedup", site, "--json"]).expect(0);
    let found = groups(&done.records());
    assert_eq!(
        found,
        [
            &["p001.html", "q1.html", "q3.html"][..],
            &["p004.html", "q2.html"]
        ]
    );
    assert_eq!(done.records()[0]["kept"]["site"], "site");
    let summary = done.summary();
    assert_eq!(
        (&summary["pages"], &summary["groups"]),
        (&8.into(), &2.into())
    );
    assert_eq!(
        (&summary["duplicates"], &summary["duplicate_share"]),
        (&3.into(), &0.375.into())
    );

    let quiet = run(args!["dedup", site, "-q"]).expect(0);
    assert_eq!(
        (quiet.stdout.len(), quiet.stderr.as_str()),
        (listed.len(), "")
    );
}

#[test]
fn survivors_are_written_as_they_came() {
    let folder = Folder::new();
    let (site, out) = (site_with_copies(&folder), folder.path("out"));
    folder.write(
        "site/deep/p.html",
        windows_1251("<meta charset=windows-1251><p>Свежие новости гавани"),
    );
    run(args!["dedup", site, "-o", out]).expect(0);
    let written = tree(&out);
    let mut expected = tree(&site);
    expected.retain(|name, _| !name.starts_with('q'));
    assert_eq!(written.len(), 6);
    for (name, bytes) in expected {
        assert_eq!(written.get(&format!("{name}.html")), Some(&bytes), "{name}");
    }
    // The same names as `clean` gives.
    let cleaned = folder.path("cleaned");
    run(args![
        "clean", "-mstream", site, "-o", cleaned, "--format", "html", "-q"
    ])
    .expect(0);
    let cleaned = tree(&cleaned);
    assert!(written.keys().all(|name| cleaned.contains_key(name)));
}

#[test]
fn files_of_the_same_name_are_replaced_and_others_kept() {
    let folder = Folder::new();
    let (site, out) = (site_with_copies(&folder), folder.path("out"));
    folder.write("out/p000.html.html", "something dear");
    folder.write("out/mine.html", "something dear");
    run(args!["dedup", site, "-o", out]).expect(0);
    assert_eq!(tree(&out)["mine.html"], b"something dear");
    assert_eq!(tree(&out)["p000.html.html"], page(0).as_bytes());
    assert_eq!(tree(&out).len(), 6);

    let inside = run(args!["dedup", site, "-o", site.join("out")]).expect(2);
    inside.says(&["inside the input folder", "name one outside"]);
    let file = folder.write("taken", "something dear");
    assert_ne!(run(args!["dedup", site, "-o", file]).code, Some(0));
    assert_eq!(fs::read(file).unwrap(), b"something dear");
    assert_eq!(tree(&site).len(), 8, "the input is as it was");
}

#[test]
fn one_page_no_page_and_pages_without_text() {
    let folder = Folder::new();
    let done = run(args!["dedup", folder.site(1)]).expect(0);
    assert!(done.stdout.is_empty());
    done.says(&["1 page", "0 pages in 0 groups"]);

    for (n, html) in ["", " \n", "<p></p>", "<p></p>", "<script>x</script>"]
        .iter()
        .enumerate()
    {
        folder.write(format!("blank/{n}.html"), html);
    }
    let out = folder.path("out");
    let done = run(args!["dedup", folder.path("blank"), "-o", out]).expect(0);
    assert!(done.stdout.is_empty());
    done.says(&["5 pages", "5 no-text"]);
    assert_eq!(tree(&out).len(), 5);

    fs::create_dir(folder.path("nothing")).unwrap();
    let none = run(args!["dedup", folder.path("nothing")]).expect(1);
    none.says(&["no page was found", "unframe dedup --help"]);
}

#[test]
fn all_pages_the_same() {
    let folder = Folder::new();
    for n in 0..40 {
        folder.write(format!("site/{n:02}.html"), page(7));
    }
    let (site, out) = (folder.path("site"), folder.path("out"));
    let done = run(args!["dedup", site, "--json", "-o", out]).expect(0);
    let found = groups(&done.records());
    assert_eq!((found.len(), found[0].len()), (1, 40));
    assert_eq!(found[0][0], "00.html");
    assert_eq!(tree(&out).keys().collect::<Vec<_>>(), ["00.html.html"]);
}

#[test]
fn an_unreadable_file_among_them() {
    let folder = Folder::new();
    let site = site_with_copies(&folder);
    let broken = &gzip(page(7).as_bytes())[..9];
    folder.write("site/broken.html.gz", broken);
    let out = folder.path("out");
    let done = run(args!["dedup", site, "--json", "-o", out]).expect(1);
    let done = done.says(&["broken.html.gz"]);
    assert_eq!(groups(&done.records()).len(), 2);
    assert_eq!(done.summary()["failed"], 1);
    assert_eq!(
        done.stderr.matches("broken.html.gz").count(),
        1,
        "{}",
        done.stderr
    );
    assert_eq!(tree(&out).len(), 5);
}

/// Two hosts in one archive that serve the same pages, and one of them twice.
fn mixed_crawl(folder: &Folder) -> PathBuf {
    let record = |host: &str, name: usize, n: usize| {
        warc_record(&format!("http://{host}/{name}"), page(n).as_bytes())
    };
    let mut warc = Vec::new();
    for n in 0..6 {
        warc.extend(record("a.example", n, n));
        warc.extend(record("b.example", n, n));
    }
    warc.extend(record("b.example", 99, 3));
    folder.write("crawl.warc.gz", warc)
}

#[test]
fn sites_are_apart_unless_asked_for() {
    let folder = Folder::new();
    let crawl = mixed_crawl(&folder);
    let urls = |done: &Run| -> Vec<(String, usize)> {
        let records = done.records();
        let one = |record: &Value| {
            let kept = record["kept"]["url"].as_str().unwrap().to_string();
            (kept, record["duplicates"].as_array().unwrap().len())
        };
        records.iter().map(one).collect()
    };
    let apart = run(args!["dedup", crawl, "--json"]).expect(0);
    assert_eq!(urls(&apart), [("http://b.example/3".to_string(), 1)]);

    let out = folder.path("out");
    let across = run(args!["dedup", crawl, "--across-sites", "--json", "-o", out]).expect(0);
    let expected: Vec<_> = (0..6)
        .map(|n| (format!("http://a.example/{n}"), if n == 3 { 2 } else { 1 }))
        .collect();
    assert_eq!(urls(&across), expected);
    let written = tree(&out);
    assert_eq!(written.len(), 6);
    assert_eq!(written["a.example/3.html"], page(3).as_bytes());
}

#[test]
fn the_list_is_the_same_for_any_number_of_jobs_and_from_a_pipe() {
    let folder = Folder::new();
    let lines: String = (0..2)
        .map(|round| {
            jsonl((0..300).map(|n| (format!("http://a.example/{round}/{n}"), page(n % 190))))
        })
        .collect();
    let file = folder.write("pages.jsonl", &lines);
    let expected = run(args!["dedup", file, "--jobs", "1"]).expect(0);
    assert_eq!(expected.stdout.split(|b| *b == b'\n').count(), 601);
    for jobs in ["2", "7"] {
        let out = folder.path(format!("out{jobs}"));
        let found = run(args!["dedup", file, "--jobs", jobs, "-o", out]).expect(0);
        assert!(found.stdout == expected.stdout, "{jobs} jobs");
        assert_eq!(tree(&out).len(), 190);
    }
    let out = folder.path("piped");
    let piped = run_with_stdin(args!["dedup", "-", "--json", "-o", out], lines.as_bytes());
    assert_eq!(piped.expect(0).records().len(), 190);
    assert_eq!(tree(&out).len(), 190);
}

#[test]
fn cut_offs_change_what_is_the_same() {
    let folder = Folder::new();
    // A counter on each page, which no other page has.
    for n in 0..4 {
        let html = format!("{} <p>visitor c{n}</p>", page(n / 2));
        folder.write(format!("site/{n}.html"), html);
    }
    let site = folder.path("site");
    let count = |more: &[&str]| {
        run(with(&args!["dedup", site, "--json"], more))
            .expect(0)
            .records()
            .len()
    };
    assert_eq!(count(&[]), 0);
    assert_eq!(count(&["--hi", "0.9"]), 2);
    assert_eq!(count(&["--hi", "0.9", "--min-terms", "1000"]), 0);
    for (wrong, hints) in [
        (&["--lo", "2"][..], &["lo is 2", "between 0 and 1"][..]),
        (&["--lo", "0.5", "--hi", "0.4"], &["lo no more than hi"]),
        (&["--lo", "-1"], &["lo is -1"]),
        (&["--lo", "NaN"], &["between 0 and 1"]),
        (&["--hi", "high"], &["--hi"]),
        (&["--min-terms", "-1"], &["--min-terms"]),
        (&["--jobs", "0"], &["1..=1024"]),
        (&["--url", "no url"], &["https://a.example/page"]),
    ] {
        let refused = run(with(&args!["dedup", site], wrong))
            .expect(2)
            .says(hints);
        assert!(refused.stdout.is_empty(), "{wrong:?}");
    }
}

/// The flags of each record, by the page's file name.
fn flagged(records: &[Value], flag: &str) -> Vec<String> {
    let has = |record: &&Value| record["flags"].as_array().unwrap().contains(&flag.into());
    let name = |record: &Value| {
        let source = Path::new(record["source"].as_str().unwrap());
        source.file_name().unwrap().to_string_lossy().into_owned()
    };
    records.iter().filter(has).map(name).collect()
}

#[test]
fn cleaning_does_not_learn_from_duplicates_when_asked() {
    let folder = Folder::new();
    let site = folder.site(6);
    for n in 0..6 {
        folder.write(format!("site/q{n}.html"), page(2));
    }
    // Seven copies of a page are all frame, so the last is kept whole; if they count once, its
    // story is its own and the frame goes.
    let told = |done: &Run| {
        let records = done.records();
        let text = records[11]["text"].as_str().unwrap();
        text.contains("w2x5") && !text.contains(HEAD)
    };
    let all = run(args!["clean", "-mstream", site]).expect(0);
    assert!(!told(&all));
    assert_eq!(flagged(&all.records(), "suspicious").len(), 7);
    assert!(flagged(&all.records(), "duplicate").is_empty());
    for mode in [
        &["--dedup"][..],
        &["--no-dedup", "--dedup"],
        &["--dedup", "--arrival"],
    ] {
        let done = run(with(&args!["clean", "-mstream", site, "--json"], mode)).expect(0);
        assert!(told(&done), "{mode:?}");
        let names: Vec<String> = (0..6).map(|n| format!("q{n}.html")).collect();
        assert_eq!(flagged(&done.records(), "duplicate"), names);
        assert_eq!(done.records()[11]["state_pages"], 6);
        assert_eq!(done.summary()["flags"]["duplicate"], 6);
        assert_eq!(done.summary()["new"], 6);
    }
    let overridden = run(args!["clean", "-mstream", site, "--dedup", "--no-dedup"]).expect(0);
    assert_eq!(overridden.stdout, all.stdout);
    // From a pipe, in files, on other numbers of threads.
    let expected = run(args!["clean", "-mstream", site, "--dedup", "--jobs", "1"]).expect(0);
    let found = run(args!["clean", "-mstream", site, "--dedup", "--jobs", "5"]).expect(0);
    assert!(expected.stdout == found.stdout);
    let lines = jsonl_site("a.example", 0..6) + &jsonl([("http://a.example/x".into(), page(2))]);
    let piped =
        run_with_stdin(args!["clean", "-mstream", "-", "--dedup"], lines.as_bytes()).expect(0);
    assert_eq!(piped.records().len(), 7);
    assert_eq!(piped.records()[6]["flags"][0], "duplicate");
}

#[test]
fn a_state_that_knows_a_duplicate_forgets_it() {
    let folder = Folder::new();
    let (site, state) = (folder.site(6), folder.path("s.unframe"));
    for n in 0..3 {
        folder.write(format!("site/q{n}.html"), page(2));
    }
    run(args!["clean", "-mstream", site, "--state", state, "-q"]).expect(0);
    assert_eq!(check(&state), 9);
    let done = run(args![
        "clean", "-mstream", site, "--state", state, "--dedup"
    ])
    .expect(0);
    assert_eq!(check(&state), 6);
    // As if only the others had been learned.
    let fresh = folder.path("fresh.unframe");
    let expected = run(args![
        "clean", "-mstream", site, "--state", fresh, "--dedup"
    ])
    .expect(0);
    assert_eq!(texts(&done.records()), texts(&expected.records()));
    let again = run(args![
        "clean", "-mstream", site, "--state", state, "--dedup"
    ])
    .expect(0);
    assert_eq!(again.stdout, done.stdout);
    assert_eq!(check(&state), 6);
}

#[test]
fn ctrl_c_ends_it_in_order() {
    let folder = Folder::new();
    let pipe = folder.path("live.jsonl");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut child = start(command(args!["dedup", pipe]));
    let mut feed = open_pipe(&pipe);
    feed.write_all(jsonl_site("a.example", 0..9).as_bytes())
        .unwrap();
    signal(child.id(), "INT");
    // It waits for input, and ends when that ends.
    let talk = wait_for_words(&mut child, "press Ctrl-C again");
    drop(feed);
    finish(child).expect(130);
    let said = talk.join().unwrap();
    assert!(
        said.contains("interrupted: the list is not complete"),
        "{said}"
    );
}

#[test]
fn clusters_are_learnt_apart() {
    let folder = Folder::new();
    for n in 0..8 {
        folder.write(format!("site/a{n}.html"), page(n));
        let rows = page(n + 100)
            .replace("<p>", "<table><tr><td>")
            .replace("</p>", "</table>");
        folder.write(format!("site/b{n}.html"), rows.replace("div", "section"));
    }
    let site = folder.path("site");
    let learned = |done: &Run| -> Vec<u64> {
        let records = done.records();
        records
            .iter()
            .map(|record| record["state_pages"].as_u64().unwrap())
            .collect()
    };
    let together = run(args![
        "clean",
        "-mstream",
        site,
        "--cluster-by",
        "none",
        "--json"
    ])
    .expect(0);
    assert_eq!(learned(&together), [16; 16]);
    assert!(together.summary().get("clusters").is_none());
    let mut first = None;
    for jobs in ["1", "4"] {
        let apart = run(args![
            "clean",
            "-mstream",
            site,
            "--cluster-by",
            "minmax",
            "--json",
            "--jobs",
            jobs
        ]);
        let apart = apart.expect(0);
        assert_eq!(learned(&apart), [8; 16]);
        assert_eq!(apart.summary()["clusters"], 2);
        assert_eq!(apart.summary()["sites"], 1);
        assert!(
            apart
                .records()
                .iter()
                .all(|record| record["site"] == "site")
        );
        assert_eq!(*first.get_or_insert(apart.stdout.clone()), apart.stdout);
    }
    run(args![
        "clean",
        "-mstream",
        site,
        "--cluster-by",
        "minmax",
        "--dedup",
        "-q"
    ])
    .expect(0);

    let state = folder.path("s.unframe");
    let refused = run(args![
        "clean",
        "-mstream",
        site,
        "--cluster-by",
        "minmax",
        "--state",
        state
    ])
    .expect(2);
    refused.says(&["--cluster-by", "leave out --cluster-by or --state"]);
    assert!(!state.exists());
    let wrong = run(args!["clean", "-mstream", site, "--cluster-by", "magic"]).expect(2);
    wrong.says(&["none", "minmax"]);
}
