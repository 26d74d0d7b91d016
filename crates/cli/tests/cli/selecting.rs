//! Which files and pages of the inputs are read: links, `--include` and `--exclude`.

use std::fs;
use std::os::unix::fs::symlink;

use crate::args;
use crate::harness::{Folder, jsonl_site, page, run, tree};

const PAGES: usize = 6;

#[test]
fn links_in_a_folder_are_followed_only_on_request() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let secret = folder.write("elsewhere/secret.html", page(77));
    symlink(&secret, site.join("planted.html")).unwrap();
    symlink(&site, site.join("loop")).unwrap();
    symlink("nowhere", site.join("dangling.html")).unwrap();
    let out = folder.path("out");
    let clean = args!["clean", "-mstream", site, "-v", "-o", out];
    let done = run(&clean).expect(0).says(&[
        "skipped: 3 link\n",
        "planted.html: a link to",
        "dangling.html: a link to nowhere",
        "--follow-links",
    ]);
    assert!(!done.stderr.contains("failed"), "{}", done.stderr);
    assert_eq!(tree(&out).len(), PAGES);
    fs::remove_dir_all(&out).unwrap();
    let clean = [&clean[..], &args!["--follow-links"]].concat();
    let done = run(clean).expect(0);
    done.says(&["1 dangling-link", "1 link-loop", "a link back to"]);
    assert_eq!(tree(&out).len(), PAGES + 1);
    // A link that is named is meant.
    let done = run(args!["clean", "-mstream", site.join("planted.html")]).expect(0);
    assert_eq!(done.records().len(), 1);
}

#[test]
fn patterns_choose_files_and_archived_pages() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    folder.write("site/old/p900.html", page(900));
    let lines = folder.write("lines.jsonl", jsonl_site("a.example", 0..12));
    let count = |args: &[std::ffi::OsString]| run(args).expect(0).records().len();
    let clean = |more: &[&str]| {
        let more: Vec<_> = more.iter().map(std::ffi::OsString::from).collect();
        [&args!["clean", "-mstream", "-q", site, lines][..], &more].concat()
    };
    assert_eq!(count(&clean(&[])), PAGES + 1 + 12);
    assert_eq!(count(&clean(&["--exclude", "old"])), PAGES + 12);
    assert_eq!(count(&clean(&["--include", "*.html"])), PAGES + 1);
    assert_eq!(count(&clean(&["--include", "http://a.example/1*"])), 3);
    let both = [
        "--include",
        "http://**",
        "--include",
        "p00?.html",
        "--exclude",
        "*/1",
    ];
    assert_eq!(count(&clean(&both)), PAGES + 12);
    let all = ["--include", "nothing", "--include", "*.pdf"];
    let done = run(clean(&all)).expect(1);
    assert!(done.records().is_empty());
    // All commands that read pages have them.
    let done = run(args!["dedup", site, "--json", "--exclude", "old/"]).expect(0);
    assert_eq!(done.summary()["pages"], PAGES);
    run(args!["clean", site, "--exclude", "[x"])
        .expect(2)
        .says(&["[x", "write for example"]);
}
