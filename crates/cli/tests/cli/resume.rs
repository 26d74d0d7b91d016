//! `clean --resume`: runs that were killed, and what the next one makes of it.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::args;
use crate::durability::feed_for_ever;
use crate::harness::*;
use crate::state::open_pipe;

const PAGES: usize = 1_500;
/// Kills of each kind of output that must hit a run while it writes.
const KILLS: usize = 6;

/// 1,500 pages to clean.
struct Crawl {
    folder: Folder,
    pages: PathBuf,
}

impl Crawl {
    fn new() -> Crawl {
        let folder = Folder::new();
        let urls = |n: usize| match n % 50 {
            // Some pages have the same URL.
            0 => "http://a.example/again".to_string(),
            _ => format!("http://a.example/{n}"),
        };
        let pages = folder.write("big.jsonl", jsonl((0..PAGES).map(|n| (urls(n), page(n)))));
        Crawl { folder, pages }
    }

    fn command(&self, out: &str, more: &[&str]) -> std::process::Command {
        let out = self.folder.path(out);
        let args = args!["clean", "-mstream", self.pages, "-q", "-j", "2", "-o", out];
        command(with(&args, more))
    }
}

/// Kills runs to `name` at ever other moments, and continues them, until the output is complete.
fn survives_kills(name: &str, more: &[&str]) {
    survives_kills_with(name, more, false);
}

fn survives_kills_with(name: &str, more: &[&str], has_state: bool) {
    let crawl = Crawl::new();
    let with_state = |mut command: std::process::Command, folder: &Folder, name: &str| {
        if has_state {
            command.arg("--state").arg(folder.path(name));
        }
        command
    };
    let run = crawl.command(&format!("quiet/{name}"), more);
    let started = Instant::now();
    finish(start(with_state(run, &crawl.folder, "quiet.unframe"))).expect(0);
    let mut time = started.elapsed();
    let expected = tree(&crawl.folder.path("quiet"));
    let resume: Vec<&str> = more.iter().copied().chain(["--resume"]).collect();
    let (mut kills, mut round) = (0, 0u32);
    while kills < KILLS {
        round += 1;
        assert!(round < 200, "{kills} kills in {round} rounds");
        // Older output of another method must neither be lost before, nor be taken for the new.
        let place = format!("killed-{round}");
        let out = crawl.folder.path(&place);
        fs::create_dir_all(&out).unwrap();
        for (old, _) in expected.iter().take(3) {
            crawl
                .folder
                .write(format!("{place}/{old}"), "of another day");
        }
        // By their times, too, they are older than what is written now.
        std::thread::sleep(Duration::from_millis(20));
        let mut attempt = 0;
        loop {
            attempt += 1;
            let flags = if attempt == 1 { more } else { &resume };
            let run = crawl.command(&format!("{place}/{name}"), flags);
            let state = format!("{place}.unframe");
            let mut child = with_state(run, &crawl.folder, &state)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let share = 0.7 * (f64::from(round * 7 + attempt) * 0.618_034).fract();
            let code = match attempt {
                8 => finish(child).expect(0).code,
                _ => kill_when(&mut child, time.mul_f64(share), || is_begun(&out)),
            };
            if code.is_some() {
                assert_eq!(code, Some(0), "{name}");
                // Other tests may have ended meanwhile, so that runs take less time.
                time = time.mul_f64(0.8);
                break;
            }
            kills += 1;
        }
        // The same files with the same bytes, and nothing else.
        let found = tree(&out);
        assert!(
            found.keys().eq(expected.keys()),
            "{name}: {:?}",
            found
                .keys()
                .filter(|name| !expected.contains_key(*name))
                .collect::<Vec<_>>()
        );
        let differs = expected
            .iter()
            .find(|(name, bytes)| found[*name] != **bytes);
        assert_eq!(differs.map(|(name, _)| name), None, "{name}, round {round}");
        fs::remove_dir_all(out).unwrap();
    }
    println!("{name}: {kills} kills in {round} rounds");
}

/// True if a run has begun to write below this folder, and has not come to its end.
fn is_begun(out: &Path) -> bool {
    let entries = fs::read_dir(out).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().contains("unframe-partial"))
}

#[test]
fn files_of_a_folder_survive_kill_9() {
    survives_kills("", &[]);
}

#[test]
fn json_lines_survive_kill_9() {
    survives_kills("out.jsonl", &[]);
}

#[test]
fn json_lines_and_a_state_survive_kill_9() {
    survives_kills_with("out.jsonl", &[], true);
}

#[test]
fn compressed_json_lines_survive_kill_9() {
    survives_kills("out.jsonl.gz", &[]);
}

#[test]
fn shards_survive_kill_9() {
    survives_kills("out.jsonl.zst", &["--shard-size", "200kB"]);
}

#[test]
fn archives_survive_kill_9() {
    survives_kills("out.warc.wet.gz", &[]);
}

#[test]
fn shards_of_parquet_survive_kill_9() {
    survives_kills("out.parquet", &["--shard-size", "200kB"]);
}

/// Puts `partial` in place of what a killed run of `name` has left.
fn leave(folder: &Folder, name: &str, partial: &[u8]) {
    folder.write(format!("out/.{name}.unframe-partial"), partial);
}

#[test]
fn a_torn_end_is_dropped_wherever_it_is_torn() {
    let folder = Folder::new();
    let site = folder.site(12);
    for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.warc.wet.gz"] {
        let out = folder.path(format!("out/{name}"));
        let args = args!["clean", "-mstream", site, "-o", out, "--json"];
        run(&args).expect(0);
        let whole = fs::read(&out).unwrap();
        for n in 0..=20 {
            let cut = whole.len() * n / 20;
            fs::write(&out, "of another day").unwrap();
            leave(&folder, name, &whole[..cut]);
            let done = run(with(&args, &["--resume"])).expect(0);
            assert!(fs::read(&out).unwrap() == whole, "{name} cut at {cut}");
            let skipped = done.records()[0]["already_written"].as_u64().unwrap();
            assert!(n < 20 || skipped == 12, "{name}: {skipped}");
            let partial = folder.path(format!("out/.{name}.unframe-partial"));
            assert!(!partial.exists());
        }
    }
}

#[test]
fn a_complete_output_gets_only_what_is_new() {
    let folder = Folder::new();
    let site = folder.site(6);
    for (name, file) in [
        ("dir", "dir/p003.html.txt"),
        ("a.jsonl", "a.jsonl"),
        ("a.jsonl.zst", "a.jsonl.zst"),
        ("a.warc.gz", "a.warc.gz"),
    ] {
        let args = args!["clean", "-mtext", site, "-o", folder.path(name), "--resume"];
        run(&args).expect(0);
        let before = folder.path(file).metadata().unwrap().modified().unwrap();
        run(&args)
            .expect(0)
            .says(&["resumed: 6 pages had been written before"]);
        let after = folder.path(file).metadata().unwrap().modified().unwrap();
        assert_eq!(before, after, "{name}");
        folder.write("site/p100.html", page(100));
        run(&args).expect(0).says(&["resumed: 6 pages"]);
        run(&args).expect(0).says(&["resumed: 7 pages"]);
        fs::remove_file(folder.path("site/p100.html")).unwrap();
    }
    let lines = fs::read(folder.path("a.jsonl")).unwrap();
    assert_eq!(json_lines(&lines).len(), 7);
    let mut text = String::new();
    let archive = fs::read(folder.path("a.warc.gz")).unwrap();
    let mut decoder = flate2::read::MultiGzDecoder::new(&archive[..]);
    decoder.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("WARC-Type: response").count(), 7);
    assert_eq!(text.matches("WARC-Type: warcinfo").count(), 1);
}

#[test]
fn ctrl_c_leaves_the_former_file_and_can_be_resumed() {
    let folder = Folder::new();
    let pages = folder.path("big.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pages).status();
    assert!(made.unwrap().success());
    let out = folder.write("out.jsonl", "of another day");
    let args = args![
        "clean",
        "-mstream",
        pages,
        "-o",
        out,
        "--arrival",
        "--commit-every",
        "7"
    ];
    let mut child = start(command(&args));
    let feeding = feed_for_ever(open_pipe(&pages));
    let partial = folder.path(".out.jsonl.unframe-partial");
    wait_until("a page is written", || {
        partial.metadata().is_ok_and(|file| file.len() > 0)
    });
    signal(child.id(), "INT");
    let talk = wait_for_words(&mut child, "press Ctrl-C again");
    finish(child).expect(130);
    let said = talk.join().unwrap();
    assert!(said.contains("add --resume to continue"), "{said}");
    assert_eq!(fs::read(&out).unwrap(), b"of another day");
    // The same pages and some more, from a file that comes to its end.
    let all = feeding.join().unwrap() + 100;
    fs::remove_file(&pages).unwrap();
    fs::write(&pages, jsonl_site("a.example", 0..all)).unwrap();
    run(with(&args, &["--resume"])).expect(0);
    let records = json_lines(&fs::read(&out).unwrap());
    assert_eq!(records.len(), all);
}

#[test]
fn what_cannot_be_resumed_is_refused() {
    let folder = Folder::new();
    let site = folder.site(3);
    for (more, hint) in [
        (&["--resume"][..], "--resume needs -o"),
        (&["--resume", "-o", "/dev/null"], "--resume needs -o"),
        (&["--resume", "-o", "x.txt"], "write JSON lines"),
        (&["--resume", "-o", "x.parquet"], "--shard-size"),
    ] {
        run(with(&args!["clean", site], more))
            .expect(2)
            .says(&[hint]);
    }
    let other = folder.write("other.jsonl", "{\"id\": 1}\n");
    run(args!["clean", site, "-o", other, "--resume"])
        .expect(1)
        .says(&["other.jsonl", "`url` and `source`"]);
    assert_eq!(fs::read(&other).unwrap(), b"{\"id\": 1}\n");
}
