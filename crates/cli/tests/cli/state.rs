//! `unframe state`, and files given as states that are none, or not ours, or hurt.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;

use unframe::methods::MethodSpec;
use unframe::page::Fingerprint;
use unframe::store::{Sites, Store};

use crate::args;
use crate::harness::*;

const PAGES: usize = 8;

/// A folder with pages, and a state learned from them.
fn learned_site(folder: &Folder) -> (PathBuf, PathBuf) {
    let (site, state) = (folder.site(PAGES), folder.path("s.unframe"));
    run(args!["clean", "-mstream", site, "--state", state, "-q"]).expect(0);
    (site, state)
}

/// Fails the test unless every command refuses the file with this code and leaves it as it is.
#[track_caller]
fn refused_untouched(site: &Path, state: &Path, code: i32, hints: &[&str]) {
    let before = fs::read(state).unwrap();
    let merged = state.with_extension("merged");
    for args in [
        args!["clean", "-mstream", site, "--state", state].to_vec(),
        args!["state", "show", state].to_vec(),
        args!["state", "merge", state, "-o", merged].to_vec(),
    ] {
        let refused = run(&args).expect(code);
        assert!(refused.stdout.is_empty(), "{args:?}");
        refused.says(&[state.to_str().unwrap()]).says(hints);
        let same = fs::read(state).unwrap() == before;
        assert!(same, "{args:?} changed the file");
    }
    let checked = run(args!["state", "check", state]);
    assert_ne!(checked.code, Some(0), "not good: {}", checked.stderr);
    checked.says(&[state.to_str().unwrap()]).says(hints);
    assert!(
        fs::read(state).unwrap() == before,
        "`check` changed the file"
    );
    assert!(!merged.exists(), "a merge that fails leaves nothing behind");
}

#[test]
fn looking_changes_no_byte() {
    let folder = Folder::new();
    let (site, state) = learned_site(&folder);
    let mut about = fs::metadata(&state).unwrap().permissions();
    about.set_readonly(true);
    fs::set_permissions(&state, about).unwrap();
    let before = fs::read(&state).unwrap();
    let (page, merged) = (site.join("p001.html"), folder.path("merged.unframe"));
    for args in [
        args!["state", "show", state].to_vec(),
        args!["state", "merge", state, "-o", merged].to_vec(),
        args!["why", "-mstream", page, "--state", state].to_vec(),
        args!["clean", "-mstream", site, "--state", state, "--dry-run"].to_vec(),
    ] {
        run(&args).expect(0);
        assert!(
            fs::read(&state).unwrap() == before,
            "{args:?} changed the file"
        );
    }
}

#[test]
fn show_says_what_was_learnt() {
    let folder = Folder::new();
    let (_, state) = learned_site(&folder);
    let sites = learned(&state);
    assert_eq!(sites.len(), 1);
    let site = &sites[0];
    assert_eq!(site["site"], "site");
    assert_eq!(site["pages"], PAGES);
    let bytes: usize = (0..PAGES).map(|n| page(n).len()).sum();
    assert_eq!(site["page_bytes"], bytes);
    // Four texts of frame (head, two links, foot), and five a page: headline and four others.
    assert_eq!(site["segments"], 4 + 5 * PAGES);
    let shown = run(args!["state", "show", "--json", state]).expect(0);
    let file = &shown.records()[0]["state"];
    assert_eq!(file["bytes"], fs::metadata(&state).unwrap().len());
    assert_eq!(file["page_bytes"], bytes);
    let parts = ["rows", "ledger", "designs", "index", "slack"];
    let sum: u64 = parts.iter().map(|part| file[part].as_u64().unwrap()).sum();
    assert_eq!(file["bytes"], sum, "{file}");
    let texts = site["top_texts"].as_array().unwrap();
    assert_eq!(texts.len(), 4);
    assert!(texts.iter().all(|text| text["pages"] == PAGES));
    assert!(texts.iter().any(|text| text["text"] == HEAD), "{texts:?}");

    let shown = run(args!["state", "show", state]).expect(0);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.contains("1 site, 8 pages") && shown.contains(FOOT),
        "{shown}"
    );
    let checked = run(args!["state", "check", state]).expect(0);
    let checked = String::from_utf8(checked.stdout).unwrap();
    assert!(
        checked.contains("good; 1 site, 8 pages, each counted once"),
        "{checked}"
    );
}

#[test]
fn a_state_is_compacted() {
    let folder = Folder::new();
    let (site, state) = learned_site(&folder);
    let small = fs::metadata(&state).unwrap().len();
    // A program that does not end its runs leaves what it has replaced.
    let spec = MethodSpec::new("stream", &[]).unwrap();
    let store = Store::open(&state).unwrap();
    let mut sites = Sites::new(spec.engine().memory(), Some(store), usize::MAX).unwrap();
    for (version, name) in ["site", "other", "site", "other"].into_iter().enumerate() {
        sites.load(name).unwrap();
        sites.get_mut(name).unwrap();
        // A site without pages would be dropped.
        let version = Fingerprint(version as u128);
        sites
            .visit(name, Fingerprint(7), version, 1, |_, _| Vec::new())
            .unwrap();
        sites.commit().unwrap();
    }
    drop(sites);
    let known = learned(&state);
    let compacted = run(args!["state", "compact", state, "--json"]).expect(0);
    let report = &compacted.records()[0];
    let after = fs::metadata(&state).unwrap().len();
    assert_eq!(report["after"], after);
    assert!(
        report["before"].as_u64().unwrap() > after && after > small,
        "{report}"
    );
    assert_eq!(learned(&state), known);
    let again = run(args!["state", "compact", state]).expect(0);
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(
        said.contains("s.unframe: ") && said.contains(", before "),
        "{said}"
    );
    assert_eq!(fs::metadata(&state).unwrap().len(), after);
    // A file that is no state is not touched.
    let page = site.join("p001.html");
    let before = fs::read(&page).unwrap();
    run(args!["state", "compact", page])
        .expect(2)
        .says(&["not a state"]);
    assert!(fs::read(&page).unwrap() == before);
}

#[test]
fn a_run_says_what_its_state_takes() {
    let folder = Folder::new();
    let (site, state) = (folder.site(PAGES), folder.path("s.unframe"));
    let out = folder.path("out");
    let done = run(args!["clean", site, "--state", state, "-o", out]).expect(0);
    done.says(&["state: ", " on disk, ", " % of its pages"]);
    let done = run(args!["clean", site, "--state", state, "-o", out, "--json"]).expect(0);
    let length = fs::metadata(&state).unwrap().len();
    assert_eq!(done.records()[0]["state_bytes"], length);
    let done = run(args!["clean", site, "-o", out, "--json"]).expect(0);
    assert!(done.records()[0].get("state_bytes").is_none());
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let folder = Folder::new();
    let state = folder.path("many.unframe");
    // More sites than a pipe holds lines for.
    let lines: String = (0..600)
        .map(|n| jsonl_site(&format!("host{n}.example"), 0..1))
        .collect();
    let pages = folder.write("pages.jsonl", lines);
    run(args!["clean", "-mstream", pages, "--state", state, "-q"]).expect(0);
    for more in [&["--json"][..], &[]] {
        let mut child = start(command(with(&args!["state", "show", state], more)));
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut String::new()).unwrap();
        drop(out);
        let done = finish(child).expect(0);
        assert_eq!(done.stderr, "");
    }
}

#[test]
fn a_state_of_a_newer_version_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    let (site, state) = learned_site(&folder);
    let mut bytes = fs::read(&state).unwrap();
    bytes[8..12].copy_from_slice(&4711u32.to_le_bytes());
    fs::write(&state, bytes).unwrap();
    refused_untouched(&site, &state, 2, &["format 4711", "newer unframe"]);
}

#[test]
fn files_that_are_no_state_are_refused_and_left_as_they_are() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let letter = "Dear diary, this is no state.\n";
    for file in [
        folder.write("short.txt", "x"),
        folder.write("letter.txt", letter),
        folder.write("long.txt", letter.repeat(100_000)),
        folder.write("zeros", vec![0; 1 << 20]),
    ] {
        refused_untouched(&site, &file, 2, &["not a state", "name another file"]);
    }
}

#[test]
fn a_state_cannot_be_a_folder() {
    let folder = Folder::new();
    let site = folder.site(PAGES);
    let refused = run(args!["clean", "-mstream", site, "--state", site]);
    assert_ne!(refused.code, Some(0));
    assert!(!refused.stderr.contains("panicked"));
    refused.says(&[site.to_str().unwrap()]);
}

#[test]
fn a_truncated_state_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    let (site, state) = learned_site(&folder);
    let whole = fs::read(&state).unwrap();
    for length in [
        1,
        10,
        100,
        512,
        whole.len() / 4,
        whole.len() / 2,
        whole.len() - 1,
    ] {
        let file = folder.write("cut.unframe", &whole[..length]);
        let before = fs::read(&file).unwrap();
        for args in [
            args!["clean", "-mstream", site, "--state", file].to_vec(),
            args!["state", "show", file].to_vec(),
            args!["state", "check", file].to_vec(),
        ] {
            let refused = run(&args);
            assert!(
                matches!(refused.code, Some(1 | 2)),
                "{length}: {}",
                refused.stderr
            );
            assert!(
                !refused.stderr.contains("panicked"),
                "{length}: {}",
                refused.stderr
            );
            assert!(refused.stdout.is_empty());
            refused.says(&["cut.unframe"]);
            assert!(
                fs::read(&file).unwrap() == before,
                "{args:?} changed the file of {length}"
            );
        }
    }
}

#[test]
fn a_hurt_state_is_never_a_crash_and_never_passes_with_wrong_counts() {
    let folder = Folder::new();
    let (site, state) = learned_site(&folder);
    let good = learned(&state);
    let whole = fs::read(&state).unwrap();
    let step = whole.len() / 48 + 1;
    let mut found = 0;
    for at in (0..whole.len()).step_by(step) {
        let mut hurt = whole.clone();
        for byte in hurt.iter_mut().skip(at).take(1 + at % 256) {
            *byte ^= 0x5a;
        }
        let file = folder.write("hurt.unframe", hurt);
        let checked = run(args!["state", "check", file]);
        assert!(
            matches!(checked.code, Some(0..=2)),
            "{at}: {}",
            checked.stderr
        );
        assert!(
            !checked.stderr.contains("panicked"),
            "{at}: {}",
            checked.stderr
        );
        match checked.code {
            Some(0) => assert_eq!(learned(&file), good, "{at}: passed with other counts"),
            _ => found += 1,
        }
        let used = run(args!["clean", "-mstream", site, "--state", file, "-q"]);
        assert!(matches!(used.code, Some(0..=2)), "{at}: {}", used.stderr);
    }
    assert!(found > 0, "no damage was ever found");
}

#[test]
fn a_state_in_use_is_named_and_its_user_is_not_disturbed() {
    let folder = Folder::new();
    let state = folder.path("s.unframe");
    let pipe = folder.path("live.jsonl");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let user = start(command(args!["clean", "-mstream", pipe, "--state", state]));
    // Opening a pipe waits for its reader, who opens it after the state.
    let mut feed = open_pipe(&pipe);

    let other = folder.site(PAGES);
    for args in [
        args!["clean", "-mstream", other, "--state", state].to_vec(),
        args!["state", "show", state].to_vec(),
        args!["state", "check", state].to_vec(),
        args!["state", "merge", state, "-o", folder.path("m.unframe")].to_vec(),
    ] {
        let refused = run(&args).expect(1);
        refused.says(&["s.unframe", "in use by another process", "wait"]);
    }
    feed.write_all(jsonl_site("a.example", 0..PAGES).as_bytes())
        .unwrap();
    drop(feed);
    assert_eq!(finish(user).expect(0).records().len(), PAGES);
    assert_eq!(check(&state), PAGES as u64);
}

/// Opens a named pipe for writing once somebody reads it, but does not wait forever.
pub fn open_pipe(pipe: &Path) -> fs::File {
    let path = pipe.to_path_buf();
    let (send, opened) = mpsc::channel();
    std::thread::spawn(move || send.send(fs::OpenOptions::new().write(true).open(path)));
    let opened = opened.recv_timeout(LIMIT);
    opened.expect("somebody reads the pipe").unwrap()
}
