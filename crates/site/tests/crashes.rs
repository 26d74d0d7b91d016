//! States whose process is killed, and states without room: nothing that was safe is lost.
//!
//! `UNFRAME_CRASHES=200 cargo test -p unframe-site --test crashes -- --nocapture` kills more often, and
//! prints what happened.
//!
//! These tests start processes. Until it runs its program, a process has all files open that this one has open, and
//! holds their locks: a state that another thread has closed may still be in use. So they are a program of their
//! own, and one of them runs at a time.

#[path = "states/texts.rs"]
#[allow(dead_code, reason = "some of it is for the other program")]
mod texts;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use texts::{Dice, learn, learn_all, open, pages, read};
use unframe_site::StoreError;

const SITES: u64 = 4;

/// Waits until no other test of this program runs.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const STATE: &str = "UNFRAME_TEST_STATE";
const PAGES: u64 = 1200;

/// The process that is killed. It says which pages are safe. As a test, it does nothing.
#[test]
fn learns_until_it_is_killed() {
    let Some(path) = std::env::var_os(STATE) else {
        return;
    };
    let mut sites = open(Path::new(&path));
    let mut out = std::io::stdout().lock();
    for page in 0..PAGES {
        learn(&mut sites, SITES, page, 0);
        if page % 7 == 6 {
            sites.commit().unwrap();
            writeln!(out, "safe {page}").unwrap();
        }
        if page % 400 == 399 {
            sites.finish().unwrap();
        }
    }
    sites.finish().unwrap();
}

#[test]
fn after_kill_9_every_safe_page_is_there_once() {
    let _alone = alone();
    let kills: u32 = std::env::var("UNFRAME_CRASHES").map_or(25, |n| n.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let quiet = folder.path().join("quiet.unframe");
    let (code, _) = run_child(&quiet, None);
    assert_eq!(code, Some(0));
    let expected = read(&quiet).unwrap();
    let (mut killed, mut completed, mut left) = (0, 0, 0);
    let mut path = folder.path().join("0.unframe");
    let mut dice = Dice(99);
    while killed < kills || completed == 0 {
        // Some pages before or after the last one that is told, or before the first.
        let kill = || {
            (
                dice.roll(PAGES * 9 / 10),
                Duration::from_micros(dice.roll(5000)),
            )
        };
        let (code, safe) = run_child(&path, (killed < kills).then(kill));
        killed += u32::from(code.is_none());
        if path.exists() {
            assert!(pages(&path) >= safe, "{safe} pages were said to be safe");
        } else {
            assert_eq!(safe, 0);
        }
        left = left.max(fs::read_dir(folder.path()).unwrap().count());
        if code == Some(0) {
            // Put together over many kills, it is what one quiet run learns, and as small.
            assert!(read(&path).unwrap() == expected);
            let (one, other) = (length(&path), length(&quiet));
            assert!(
                one < other * 11 / 10 && other < one * 11 / 10,
                "{one} {other}"
            );
            completed += 1;
            path = folder.path().join(format!("{completed}.unframe"));
        }
    }
    println!("| {killed} kills | {completed} states completed | {left} files at most |");
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

/// A child that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs the child to its end, or kills it this long after so many pages are safe. Its exit code, or `None` if it
/// was killed, and the number of pages that it said are safe.
fn run_child(path: &Path, mut kill: Option<(u64, Duration)>) -> (Option<i32>, u64) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "learns_until_it_is_killed", "--nocapture"])
        .env(STATE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (send, told) = mpsc::channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let mut safe = 0;
    loop {
        match told.recv_timeout(PATIENCE) {
            Ok(line) => {
                let page = line
                    .strip_prefix("safe ")
                    .and_then(|page| page.parse().ok());
                safe = page.map_or(safe, |page: u64| page + 1);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                child.kill().unwrap();
                panic!("nothing is said after {safe} pages");
            }
        }
        if let Some((_, then)) = kill.take_if(|(pages, _)| safe >= *pages) {
            std::thread::sleep(then);
            child.kill().unwrap();
        }
    }
    (child.wait().unwrap().code(), safe)
}

/// A small disk; `None` where none can be mounted.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(folder: &Path) -> Option<SmallDisk> {
        fs::create_dir_all(folder).unwrap();
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(folder);
        match mount.output() {
            Ok(output) if output.status.success() => Some(SmallDisk(folder.into())),
            _ => {
                eprintln!("skipped: a small disk cannot be mounted here");
                None
            }
        }
    }

    /// Leaves this many bytes.
    fn fill(&self, left: u64) {
        let mut ballast = fs::File::create(self.0.join("ballast")).unwrap();
        while ballast.write_all(&[7; 4096]).is_ok() {}
        let length = ballast.metadata().unwrap().len();
        ballast.set_len(length.saturating_sub(left)).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_loses_nothing_and_is_overcome() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
        return;
    };
    let path = folder.path().join("disk/s.unframe");
    let mut sites = open(&path);
    learn_all(&mut sites, SITES, 0..400, 0);
    sites.commit().unwrap();
    for (round, left) in [0, 4096, 16384].into_iter().enumerate() {
        disk.fill(left);
        let from = 400 + 400 * round as u64;
        learn_all(&mut sites, SITES, from..from + 400, 0);
        assert!(matches!(sites.commit(), Err(StoreError::DiskFull(_))));
        // Still full, and still not confused.
        assert!(matches!(sites.commit(), Err(StoreError::DiskFull(_))));
        let copy = folder.path().join("copy.unframe");
        fs::copy(&path, &copy).unwrap();
        assert_eq!(pages(&copy), from);
        fs::remove_file(disk.0.join("ballast")).unwrap();
        sites.commit().unwrap();
        fs::copy(&path, &copy).unwrap();
        assert_eq!(pages(&copy), from + 400);
    }
    // No room for a second file: the state stays as it is, and the run has succeeded.
    learn_all(&mut sites, SITES, 0..300, 1);
    sites.commit().unwrap();
    disk.fill(0);
    let before = fs::read(&path).unwrap();
    assert!(matches!(sites.finish(), Ok(Some(StoreError::DiskFull(_)))));
    assert!(fs::read(&path).unwrap() == before);
    fs::remove_file(disk.0.join("ballast")).unwrap();
    assert!(matches!(sites.finish(), Ok(None)));
    drop(sites);
    assert!(length(&path) < before.len() as u64);
    assert_eq!(pages(&path), 1600);
    let quiet = folder.path().join("quiet.unframe");
    let mut sites = open(&quiet);
    learn_all(&mut sites, SITES, 0..300, 1);
    learn_all(&mut sites, SITES, 300..1600, 0);
    sites.finish().unwrap();
    drop(sites);
    assert!(read(&path).unwrap() == read(&quiet).unwrap());
}
