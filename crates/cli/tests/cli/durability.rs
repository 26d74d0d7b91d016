//! Law 7: what was acknowledged is durable. Real kills, a real interrupt, really full disks.
//!
//! A page is acknowledged when its line is in the output.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::args;
use crate::harness::*;
use crate::state::open_pipe;

const PAGES: usize = 1_500;
/// Kills that must hit a run in its middle.
const KILLS: usize = 20;

#[test]
fn after_kill_9_the_state_has_every_acknowledged_page_exactly_once() {
    let folder = Folder::new();
    let pages = folder.write("big.jsonl", jsonl_site("a.example", 0..PAGES));
    let lines: Vec<String> = fs::read_to_string(&pages)
        .unwrap()
        .lines()
        .map(String::from)
        .collect();
    let clean = |state: &Path| {
        let options = ["--arrival", "--commit-every", "7", "--jobs", "2", "-q"];
        command(with(&args!["clean", pages, "--state", state], &options))
    };

    let undisturbed = folder.path("undisturbed.unframe");
    let full = finish(start(clean(&undisturbed))).expect(0);
    assert_eq!(full.records().len(), PAGES);
    let expected = learned(&undisturbed);

    let (mut hits, mut late, mut completed, mut round) = (0, 0, 0, 0u32);
    let mut state = folder.path("killed-0.unframe");
    while hits < KILLS || completed == 0 {
        round += 1;
        assert!(round < 200, "{hits} hits in {round} rounds");
        // From the very start to late in a run, never twice at the same place. Enough hits: let it end.
        let share = 0.55 * (f64::from(round) * 0.618_034).fract();
        let written = match hits < KILLS {
            true => (full.stdout.len() as f64 * share) as u64,
            false => u64::MAX,
        };
        let output = folder.path("output.jsonl");
        let mut child = clean(&state)
            .stdout(File::create(&output).unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Not always right after a line was written.
        let after = Duration::from_micros(u64::from(round) * 1_618 % 10_000);
        let ended = kill_when(&mut child, after, || {
            output.metadata().is_ok_and(|file| file.len() >= written)
        });
        let acknowledged = complete_lines(&output);
        let known = match (ended, state.exists()) {
            // Killed before it had made a state, it has acknowledged nothing.
            (None, false) => 0,
            _ => check(&state),
        };
        assert!(acknowledged.len() as u64 <= known && known <= PAGES as u64);
        assert_counted(&folder, &state, &lines, &acknowledged);
        match ended {
            None if known > 0 && acknowledged.len() < PAGES => hits += 1,
            None => late += 1,
            Some(code) => assert_eq!(code, 0),
        }
        if known == PAGES as u64 {
            // Pieced together over many kills, it is what one quiet run learns.
            assert_eq!(learned(&state), expected, "round {round}");
            completed += 1;
            state = folder.path(format!("killed-{completed}.unframe"));
        }
    }
    println!(
        "{round} rounds: {hits} kills in the middle of a run, {late} before the first commit or \
         after the last line, {completed} states completed"
    );
}

/// Numbers of the pages whose whole line is in the output.
fn complete_lines(output: &Path) -> BTreeSet<usize> {
    let bytes = fs::read(output).unwrap();
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    json_lines(&bytes[..whole])
        .iter()
        .map(|record| {
            let url = record["url"].as_str().unwrap();
            url.rsplit('/').next().unwrap().parse().unwrap()
        })
        .collect()
}

/// Shows the acknowledged pages to a copy of the state, which must know all of them.
fn assert_counted(folder: &Folder, state: &Path, lines: &[String], acknowledged: &BTreeSet<usize>) {
    if acknowledged.is_empty() {
        return;
    }
    let copy = folder.path("copy.unframe");
    fs::copy(state, &copy).unwrap();
    let shown: String = acknowledged
        .iter()
        .map(|n| format!("{}\n", lines[*n]))
        .collect();
    let shown = folder.write("acknowledged.jsonl", shown);
    let out = folder.path("seen-again.jsonl");
    let mut again = command(args![
        "clean",
        shown,
        "--arrival",
        "--state",
        copy,
        "--json"
    ]);
    let output = again.stdout(File::create(&out).unwrap()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let summary: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(summary["unchanged"], acknowledged.len(), "{summary}");
    assert_eq!(summary["new"], 0, "{summary}");
    fs::remove_file(copy).unwrap();
}

#[test]
fn ctrl_c_ends_the_run_in_order() {
    let folder = Folder::new();
    let (state, pipe) = (folder.path("s.unframe"), folder.path("live.jsonl"));
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = start(command(args![
        "clean",
        pipe,
        "--arrival",
        "--state",
        state,
        "--commit-every",
        "7"
    ]));
    let feed = open_pipe(&pipe);
    let feeding = feed_for_ever(feed);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    signal(child.id(), "INT");
    // Whatever is still written must be read, or the run would wait.
    let rest = std::thread::spawn(move || output.lines().map_while(Result::ok).count());
    // It says how not to wait for input.
    let talk = wait_for_words(&mut child, "press Ctrl-C again");
    let done = finish(child).expect(130);
    let stderr = talk.join().unwrap();
    Run { stderr, ..done }.says(&[
        "interrupted: ",
        "what was learned is in the state",
        "run the same command again",
    ]);
    let acknowledged = 1 + rest.join().unwrap() as u64;
    let (known, fed) = (check(&state), feeding.join().unwrap() as u64);
    assert!(
        acknowledged <= known && known <= fed,
        "{acknowledged} {known} {fed}"
    );
}

/// Writes pages to a run until it reads no more, so that it cannot come to its end by itself. How many have been
/// begun.
pub fn feed_for_ever(mut feed: File) -> std::thread::JoinHandle<usize> {
    std::thread::spawn(move || {
        let mut fed = 0;
        loop {
            let line = jsonl_site("a.example", fed..fed + 1);
            fed += 1;
            if feed.write_all(line.as_bytes()).is_err() {
                return fed;
            }
        }
    })
}

#[test]
fn a_second_ctrl_c_ends_the_run_at_once() {
    let folder = Folder::new();
    let (state, pipe) = (folder.path("s.unframe"), folder.path("live.jsonl"));
    run(args!["clean", folder.site(5), "--state", state, "-q"]).expect(0);
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = start(command(args!["clean", pipe, "--state", state]));
    let feed = open_pipe(&pipe);
    signal(child.id(), "INT");
    wait_for_words(&mut child, "press Ctrl-C again");
    signal(child.id(), "INT");
    finish(child).expect(130);
    drop(feed);
    assert_eq!(check(&state), 5);
}

/// A file system of its own with little room, and a file that takes most of it.
struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// `None` where mounting is not allowed.
    fn mount(folder: &Path, kilobytes: u32) -> Option<SmallDisk> {
        fs::create_dir_all(folder).unwrap();
        let size = format!("size={kilobytes}k");
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(folder);
        match mount.output() {
            Ok(output) if output.status.success() => Some(SmallDisk {
                folder: folder.into(),
            }),
            _ => {
                eprintln!("skipped: a small disk cannot be mounted here");
                None
            }
        }
    }

    /// Leaves this much room.
    fn fill(&self, kilobytes_left: usize) {
        let mut ballast = File::create(self.folder.join("ballast")).unwrap();
        while ballast.write_all(&[7; 4096]).is_ok() {}
        let length = ballast.metadata().unwrap().len();
        let left = 1024 * kilobytes_left as u64;
        ballast.set_len(length.saturating_sub(left)).unwrap();
    }

    fn free(&self) {
        fs::remove_file(self.folder.join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}

#[test]
fn a_full_disk_below_the_state_loses_nothing_acknowledged() {
    let folder = Folder::new();
    let Some(disk) = SmallDisk::mount(&folder.path("disk"), 32 << 10) else {
        return;
    };
    let state = folder.path("disk/s.unframe");
    let pages = folder.write("big.jsonl", jsonl_site("a.example", 0..PAGES));
    let some = folder.write("some.jsonl", jsonl_site("a.example", 0..200));
    run(args!["clean", some, "--state", state, "-q"]).expect(0);
    for (mode, kilobytes_left) in [("--arrival", 0), ("--arrival", 4), ("-q", 8)] {
        disk.fill(kilobytes_left);
        let args = args![
            "clean",
            pages,
            mode,
            "--state",
            state,
            "--commit-every",
            "7"
        ];
        let full = run(args).expect(1);
        let full = full.says(&[
            "disk/s.unframe",
            "no space left",
            "Free some space and run again",
        ]);
        disk.free();
        let known = check(&state);
        assert!(full.records().len() as u64 <= known, "{known}");
        assert!((200..PAGES as u64).contains(&known), "{known}");
    }
    run(args!["clean", pages, "--state", state, "-q"]).expect(0);
    assert_eq!(check(&state), PAGES as u64);
    let undisturbed = folder.path("undisturbed.unframe");
    run(args!["clean", pages, "--state", undisturbed, "-q"]).expect(0);
    assert_eq!(learned(&state), learned(&undisturbed));
}

#[test]
fn a_disk_that_is_full_from_the_start_is_said_so() {
    let folder = Folder::new();
    let site = folder.site(6);
    let Some(disk) = SmallDisk::mount(&folder.path("disk"), 8 << 10) else {
        return;
    };
    let (state, out) = (folder.path("disk/s.unframe"), folder.path("disk/out"));
    disk.fill(0);
    run(args!["clean", site, "--state", state])
        .expect(1)
        .says(&["disk/s.unframe", "no space left"]);
    run(args!["clean", site, "-o", out])
        .expect(1)
        .says(&["disk/out", "No space left"]);
    disk.free();
    // What the failed attempt left behind does not stand in the way.
    run(args!["clean", site, "--state", state, "-o", out, "-q"]).expect(0);
    assert_eq!(check(&state), 6);
    assert_eq!(tree(&out).len(), 6);
}

#[test]
fn a_merge_onto_a_full_disk_can_be_repeated() {
    let folder = Folder::new();
    let a = folder.path("a.unframe");
    let pages = folder.write("a.jsonl", jsonl_site("a.example", 0..PAGES));
    run(args!["clean", pages, "--state", a, "-q"]).expect(0);
    let Some(disk) = SmallDisk::mount(&folder.path("disk"), 32 << 10) else {
        return;
    };
    let merged = folder.path("disk/m.unframe");
    disk.fill(fs::metadata(&a).unwrap().len() as usize / 1024 / 4);
    run(args!["state", "merge", a, "-o", merged])
        .expect(1)
        .says(&["no space left"]);
    disk.free();
    assert!(tree(&folder.path("disk")).is_empty(), "something is left");
    run(args!["state", "merge", a, "-o", merged]).expect(0);
    assert_eq!(check(&merged), PAGES as u64);
}

#[test]
fn a_full_disk_below_the_output_ends_the_run_and_keeps_what_was_learnt() {
    const FILES: usize = 400;
    let folder = Folder::new();
    let site = folder.site(FILES);
    let (state, out) = (folder.path("s.unframe"), folder.path("disk/out"));
    let Some(disk) = SmallDisk::mount(&folder.path("disk"), 8 << 10) else {
        return;
    };
    disk.fill(400);
    let full = run(args!["clean", site, "-o", out, "--state", state]).expect(1);
    full.says(&[
        "disk/out/p",
        "free some space and run again",
        "No space left",
    ]);
    assert_eq!(check(&state), FILES as u64);
    disk.free();
    run(args!["clean", site, "-o", out, "--state", state]).expect(0);
    assert_eq!(check(&state), FILES as u64);
    let elsewhere = folder.path("elsewhere");
    run(args!["clean", site, "-o", elsewhere, "-q"]).expect(0);
    assert!(
        tree(&out) == tree(&elsewhere),
        "files are complete after the second run"
    );
}

#[test]
fn a_full_folder_for_temporary_files_is_said_so() {
    let folder = Folder::new();
    let Some(disk) = SmallDisk::mount(&folder.path("disk"), 1 << 10) else {
        return;
    };
    disk.fill(0);
    let pages = folder.write("big.jsonl", jsonl_site("a.example", 0..PAGES));
    let mut child = command(args!["clean", "-"]);
    child
        .env("TMPDIR", folder.path("disk"))
        .stdin(File::open(&pages).unwrap());
    finish(start(child)).expect(1).says(&["-", "TMPDIR"]);
}

#[test]
fn a_full_disk_leaves_the_former_file_as_it_was() {
    let folder = Folder::new();
    let pages = folder.write("big.jsonl", jsonl_site("a.example", 0..PAGES));
    let some = folder.write("some.jsonl", jsonl_site("a.example", 0..50));
    let Some(disk) = SmallDisk::mount(&folder.path("disk"), 8 << 10) else {
        return;
    };
    for name in [
        "a.warc.wet.gz",
        "a.jsonl",
        "a.jsonl.zst",
        "a.parquet",
        "a.txt",
    ] {
        let out = folder.path(format!("disk/{name}"));
        run(args!["clean", "-mtext", some, "-q", "-o", out]).expect(0);
        let before = fs::read(&out).unwrap();
        disk.fill(20);
        let hint = match name {
            "a.jsonl" => "free some space and add --resume",
            _ => "",
        };
        run(args!["clean", "-mtext", pages, "-o", out])
            .expect(1)
            .says(&[name, "No space left", hint]);
        assert!(fs::read(&out).unwrap() == before, "{name}");
        disk.free();
        // What the failed run has left is continued, or replaced.
        let more: &[&str] = match name {
            "a.jsonl" => &["--resume"],
            _ => &[],
        };
        run(with(&args!["clean", "-mtext", pages, "-o", out], more)).expect(0);
        let elsewhere = folder.path(name);
        run(args!["clean", "-mtext", pages, "-q", "-o", elsewhere]).expect(0);
        assert!(
            fs::read(&out).unwrap() == fs::read(elsewhere).unwrap(),
            "{name}"
        );
        fs::remove_file(out).unwrap();
        assert!(tree(&folder.path("disk")).is_empty(), "{name}");
    }
}

/// The same where nothing can be mounted: a limit on the size of files ends the run in the middle of
/// a write.
#[test]
fn a_run_that_dies_while_writing_leaves_the_former_file_as_it_was() {
    let folder = Folder::new();
    let pages = folder.write("big.jsonl", jsonl_site("a.example", 0..2000));
    let out = folder.write("out.warc.wet.gz", "the archive of another day");
    let clean = format!(
        "ulimit -f 64; exec '{}' clean -mtext '{}' -q -o '{}'",
        crate::BINARY,
        pages.display(),
        out.display()
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &clean]);
    assert_ne!(finish(start(shell)).code, Some(0));
    assert_eq!(fs::read(&out).unwrap(), b"the archive of another day");
    let partial = folder.path(".out.warc.wet.gz.unframe-partial");
    assert!(partial.metadata().unwrap().len() > 1000);
    run(args!["clean", "-mtext", pages, "-q", "-o", out, "--resume"]).expect(0);
    assert!(!partial.exists());
    let elsewhere = folder.path("elsewhere/out.warc.wet.gz");
    run(args!["clean", "-mtext", pages, "-q", "-o", elsewhere]).expect(0);
    assert!(fs::read(&out).unwrap() == fs::read(elsewhere).unwrap());
}

#[test]
fn a_killed_run_leaves_no_temporary_files() {
    let folder = Folder::new();
    let (state, pipe) = (folder.path("s.unframe"), folder.path("live.jsonl"));
    run(args!["clean", folder.site(5), "--state", state, "-q"]).expect(0);
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let temporary = folder.path("tmp");
    fs::create_dir(&temporary).unwrap();
    // A dry run works on a copy of the state.
    let mut child = command(args!["clean", pipe, "--state", state, "--dry-run"])
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let feed = open_pipe(&pipe);
    child.kill().unwrap();
    child.wait().unwrap();
    drop(feed);
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}
