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
