//! What is read is never written over, whatever it is called.

use std::fs;

use crate::args;
use crate::harness::*;

/// Two archives of two pages each.
fn archives(folder: &Folder) -> [std::path::PathBuf; 2] {
    ["mon", "tue"].map(|day| {
        let records = (0..2).flat_map(|n| {
            let url = format!("http://{day}.example/{n}");
            warc_record(&url, page(n).as_bytes())
        });
        let records: Vec<u8> = records.collect();
        folder.write(format!("crawl/{day}.warc.gz"), records)
    })
}

#[test]
fn an_archive_that_is_read_is_no_output() {
    let folder = Folder::new();
    let [mon, tue] = archives(&folder);
    let hard = folder.path("hard.warc.gz");
    fs::hard_link(&mon, &hard).unwrap();
    let before = fs::read(&mon).unwrap();
    let all = folder.path("crawl/*.warc.gz");
    for (input, out) in [(&all, &mon), (&mon, &hard), (&folder.path("crawl"), &hard)] {
        run(args!["clean", input, "-f", "warc", "-o", out])
            .expect(2)
            .says(&["is the input", "-o"]);
        assert_eq!(fs::read(&mon).unwrap(), before);
    }
    let other = folder.path("other.warc.gz");
    run(args!["clean", all, "-f", "warc", "-o", other, "-q"]).expect(0);
    assert!(other.exists() && tue.exists());
}

#[test]
fn without_a_page_an_earlier_archive_stays() {
    let folder = Folder::new();
    let [mon, _] = archives(&folder);
    let out = folder.path("out.warc.gz");
    let clean = |input: &std::path::Path| run(args!["clean", input, "-f", "warc", "-o", out, "-q"]);
    clean(&mon).expect(0);
    let before = fs::read(&out).unwrap();
    clean(&folder.write("junk.warc", b"no archive")).expect(1);
    assert_eq!(fs::read(&out).unwrap(), before);
    // With pages it is written anew, and nothing of the former is left behind.
    folder.write("longer.warc.gz", [&before[..], &before[..]].concat());
    fs::copy(folder.path("longer.warc.gz"), &out).unwrap();
    clean(&mon).expect(0);
    assert_eq!(fs::read(&out).unwrap(), before);
}

#[test]
fn pages_beside_their_outputs_stay_as_they_are() {
    let folder = Folder::new();
    let names = ["a.html", "a.html.html"];
    for (n, name) in names.into_iter().enumerate() {
        folder.write(format!("site/{name}"), page(n));
    }
    let (all, site) = (folder.path("site/*.html"), folder.path("site"));
    run(args!["clean", all, "-f", "html", "-o", site])
        .expect(0)
        .says(&["renamed: 1 page"]);
    let after = tree(&site);
    for (n, name) in names.into_iter().enumerate() {
        assert_eq!(after[name], page(n).as_bytes(), "{name}");
    }
    assert_eq!(after.len(), 4);
}

#[test]
fn reports_do_not_replace_what_they_are_about() {
    let folder = Folder::new();
    let site = folder.site(4);
    let page = site.join("p001.html");
    let before = fs::read(&page).unwrap();
    for args in [
        args!["why", page, "--html", page].to_vec(),
        args!["cluster", page, "--report", page].to_vec(),
    ] {
        run(&args).expect(2).says(&["is the input"]);
        assert_eq!(fs::read(&page).unwrap(), before, "{args:?}");
    }
}

/// Nothing below a folder is the remains of a run.
#[track_caller]
fn assert_tidy(folder: &std::path::Path) {
    let names: Vec<String> = tree(folder).into_keys().collect();
    assert!(
        !names.iter().any(|name| name.contains("partial")),
        "{names:?}"
    );
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let lines = jsonl((0..4).map(|n| (format!("http://a.example/dir/{n}"), page(n))));
    let pages = folder.write("p.jsonl", lines);
    let victim = folder.write("elsewhere/0.txt", "precious");
    let elsewhere = folder.path("elsewhere");
    // A planted folder is not followed, and its pages are said to be lost.
    fs::create_dir_all(folder.path("out/a.example")).unwrap();
    symlink(&elsewhere, folder.path("out/a.example/dir")).unwrap();
    run(args!["clean", "-mtext", pages, "-o", folder.path("out")])
        .expect(1)
        .says(&["dir is a symbolic link, which is not followed", "failed: 4"]);
    assert_eq!(tree(&elsewhere).len(), 1);
    // A planted file is replaced, not what it leads to.
    let files = folder.path("files");
    fs::create_dir_all(files.join("a.example/dir")).unwrap();
    for name in ["0.txt", ".1.txt.unframe-partial"] {
        symlink(&victim, files.join("a.example/dir").join(name)).unwrap();
    }
    symlink(&victim, files.join(".unframe-partial")).unwrap();
    run(args!["clean", "-mtext", pages, "-o", files]).expect(0);
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert!(!files.join("a.example/dir/0.txt").is_symlink());
    assert_tidy(&files);
    // A link that was named is not guessed at.
    let link = folder.path("link.jsonl");
    symlink(&victim, &link).unwrap();
    run(args!["clean", "-mtext", pages, "-o", link])
        .expect(2)
        .says(&["is a symbolic link", "elsewhere/0.txt"]);
    let one = folder.path("one.jsonl");
    symlink(&victim, folder.path(".one.jsonl.unframe-partial")).unwrap();
    run(args!["clean", "-mtext", pages, "-o", one]).expect(0);
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    // The output folder may be a link: the user has named it.
    let linked = folder.path("linked");
    symlink(&elsewhere, &linked).unwrap();
    run(args!["clean", "-mtext", pages, "-o", linked]).expect(0);
    assert_eq!(tree(&elsewhere).len(), 5);
    let html = folder.path("why.html");
    symlink(&victim, &html).unwrap();
    let site = folder.site(3);
    run(args!["why", site.join("p001.html"), "--html", html])
        .expect(2)
        .says(&["is a symbolic link"]);
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
}

#[test]
fn two_runs_do_not_write_the_same_file() {
    let folder = Folder::new();
    let site = folder.site(4);
    let (out, pipe) = (folder.path("out.jsonl"), folder.path("live.jsonl"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let first = start(command(args!["clean", "-mtext", pipe, "-o", out]));
    let feed = crate::state::open_pipe(&pipe);
    let partial = folder.path(".out.jsonl.unframe-partial");
    wait_until("the first run has begun its file", || partial.exists());
    run(args!["clean", "-mtext", site, "-o", out])
        .expect(1)
        .says(&["another run is writing", "out.jsonl"]);
    drop(feed);
    finish(first).expect(0);
    run(args!["clean", "-mtext", site, "-o", out]).expect(0);
    assert_eq!(json_lines(&fs::read(&out).unwrap()).len(), 4);
}
