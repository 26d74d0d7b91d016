//! Starts the binary, makes small pages, and reads back what was written. The tests of each program
//! include this file, and name the program in `crate::BINARY`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Nothing in these tests takes as long, on whatever machine: what does not come to its end within it hangs.
pub const LIMIT: Duration = Duration::from_secs(600);

/// Seconds of processor time for a run that is to have little to do. They are the same however much else the
/// machine has to do.
const BRIEF: u32 = 30;

/// Arguments of any type that is a name to the system, in one list.
#[macro_export]
macro_rules! args {
    ($($arg:expr),* $(,)?) => {
        [$(std::ffi::OsStr::new(&$arg).to_os_string()),*]
    };
}

/// How a run ended.
pub struct Run {
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// `None` if a signal ended it.
    pub code: Option<i32>,
}

impl Run {
    /// Fails the test unless the run ended with this code and did not panic on its way.
    #[track_caller]
    pub fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "stderr: {}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Fails the test unless the talk on standard error has all of these in it.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Run {
        for part in parts {
            assert!(
                self.stderr.contains(part),
                "`{part}` is not said: {}",
                self.stderr
            );
        }
        self
    }

    /// Standard output as JSON lines.
    #[track_caller]
    pub fn records(&self) -> Vec<Value> {
        json_lines(&self.stdout)
    }

    /// The summary of `--json` without `-o`, which is the last line of standard error.
    #[track_caller]
    pub fn summary(&self) -> Value {
        let line = self.stderr.lines().last().unwrap_or_default();
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {}", self.stderr))
    }
}

#[track_caller]
pub fn json_lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).expect("output is UTF-8");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

/// The binary with these arguments, its streams as the caller wants them.
pub fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(crate::BINARY);
    command.args(args).stdin(Stdio::null()).env("NO_COLOR", "1");
    command
}

/// Runs the binary to its end.
#[track_caller]
pub fn run(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    finish(start(command(args)))
}

/// Runs the binary, which must do with little processor time.
#[track_caller]
pub fn run_briefly(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -t $0; exec \"$@\""])
        .arg(BRIEF.to_string())
        .arg(crate::BINARY)
        .args(args)
        .stdin(Stdio::null())
        .env("NO_COLOR", "1");
    let done = finish(start(shell));
    assert!(
        done.code.is_some(),
        "the run has needed more than {BRIEF} s of processor time, or has crashed: {}",
        done.stderr
    );
    done
}

/// Runs the binary with this on its standard input.
#[track_caller]
pub fn run_with_stdin(args: impl IntoIterator<Item = impl AsRef<OsStr>>, stdin: &[u8]) -> Run {
    let mut command = command(args);
    command.stdin(Stdio::piped());
    let mut child = start(command);
    let mut pipe = child.stdin.take().expect("standard input is a pipe");
    let stdin = stdin.to_vec();
    std::thread::spawn(move || {
        // The run may end before it has read everything.
        let _ = pipe.write_all(&stdin);
    });
    finish(child)
}

/// Starts a run whose two outputs are collected by [`finish`].
pub fn start(mut command: Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Waits for a run, but not forever.
#[track_caller]
pub fn finish(child: Child) -> Run {
    let id = child.id();
    let (send, ended) = mpsc::channel();
    std::thread::spawn(move || send.send(child.wait_with_output()));
    let Ok(output) = ended.recv_timeout(LIMIT) else {
        signal(id, "KILL");
        panic!("the run did not end within {LIMIT:?}");
    };
    let output = output.expect("the run can be waited for");
    Run {
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
    }
}

/// Waits until something is so, but not forever.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < LIMIT, "not within {LIMIT:?}: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a run has said this on standard error. What it says until its end is joined from the thread.
#[track_caller]
pub fn wait_for_words(child: &mut Child, words: &'static str) -> JoinHandle<String> {
    let talk = BufReader::new(child.stderr.take().expect("standard error is a pipe"));
    let (send, heard) = mpsc::channel();
    let listener = std::thread::spawn(move || {
        let mut said = String::new();
        for line in talk.lines().map_while(Result::ok) {
            said += &line;
            said.push('\n');
            if line.contains(words) {
                let _ = send.send(());
            }
        }
        said
    });
    match heard.recv_timeout(LIMIT) {
        Ok(()) => listener,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            signal(child.id(), "KILL");
            panic!("not within {LIMIT:?}: `{words}` is said");
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            panic!("`{words}` is not said: {:?}", listener.join());
        }
    }
}

/// Kills a run, so long after something is so. Its exit code, or `None` if it was killed: it may end before.
#[track_caller]
pub fn kill_when(
    child: &mut Child,
    after: Duration,
    mut is_so: impl FnMut() -> bool,
) -> Option<i32> {
    let mut has_ended = || {
        child
            .try_wait()
            .expect("the run can be waited for")
            .is_some()
    };
    wait_until("the run is where it is to be killed", || {
        has_ended() || is_so()
    });
    // The moment of the kill is what is tested, so this does sleep.
    let kill_at = Instant::now() + after;
    while Instant::now() < kill_at && !has_ended() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("the run can be killed");
    let status = child.wait().expect("the run can be waited for");
    status.code()
}

/// Sends a signal to a process.
pub fn signal(process: u32, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &process.to_string()])
        .status();
    assert!(status.expect("`kill` is there").success());
}

/// True if the tests run as root, who may read and mount anything.
pub fn is_root() -> bool {
    let id = Command::new("id")
        .arg("-u")
        .output()
        .expect("`id` is there");
    id.stdout.trim_ascii() == b"0"
}

/// A folder that goes away with the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().expect("a temporary folder can be made"))
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, with the folders above it, and returns its path.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("has a folder")).expect("folders can be made");
        fs::write(&path, bytes).expect("the file can be written");
        path
    }

    /// A folder `site` with this many pages `p000.html`, `p001.html`, …
    pub fn site(&self, pages: usize) -> PathBuf {
        for n in 0..pages {
            self.write(format!("site/p{n:03}.html"), page(n));
        }
        self.path("site")
    }
}

/// All files below a folder by their relative path.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("the folder can be listed") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("is below it");
                let bytes = fs::read(&path).expect("the file can be read");
                found.insert(name.to_string_lossy().into_owned(), bytes);
            }
        }
    }
    found
}

/// What the frame of [`page`] says.
pub const HEAD: &str = "Harbour Gazette: news of the quay since 1887";
pub const FOOT: &str = "Printed and published by the Gazette company, Pier Road";

/// Page number `n` of a site: the frame, and around forty words that no other page has.
pub fn page(n: usize) -> String {
    page_with(n, &story(n))
}

/// A page with the frame of [`page`] around a story.
pub fn page_with(n: usize, story: &str) -> String {
    format!(
        "<!doctype html><html><head><meta charset=utf-8><title>Story {n}</title></head><body>\n\
         <div id=head><b>{HEAD}</b> <a href=/>Home</a> <a href=/tides>Tides</a></div>\n\
         <div id=story><h1>Headline {n}</h1>\n{story}\n</div>\n\
         <div id=foot>{FOOT}</div>\n</body></html>\n"
    )
}

fn story(n: usize) -> String {
    let words = |from: usize| {
        let words: Vec<String> = (from..from + 10).map(|at| format!("w{n}x{at}")).collect();
        words.join(" ")
    };
    format!(
        "<p>{}</p>\n<p>{}</p>\n<ul><li>{}</li><li>{}</li></ul>",
        words(0),
        words(10),
        words(20),
        words(30)
    )
}

/// The same frame and stories in other elements.
pub fn other_build(n: usize) -> String {
    let rows = page(n + 100).replace("<p>", "<table><tr><td>");
    rows.replace("</p>", "</table>").replace("div", "section")
}

/// A site of two templates, as many pages of each.
pub fn two_builds(folder: &Folder, pages: usize) -> PathBuf {
    for n in 0..pages {
        folder.write(format!("site/a{n}.html"), page(n));
        folder.write(format!("site/b{n}.html"), other_build(n));
    }
    folder.path("site")
}

/// Pages as JSON lines.
pub fn jsonl(pages: impl IntoIterator<Item = (String, String)>) -> String {
    let lines = pages
        .into_iter()
        .map(|(url, html)| format!("{}\n", json!({"url": url, "html": html})));
    lines.collect()
}

/// Pages `range` of the site `http://HOST/`.
pub fn jsonl_site(host: &str, range: std::ops::Range<usize>) -> String {
    jsonl(range.map(|n| (format!("http://{host}/{n}"), page(n))))
}

/// A response record as crawlers write it, in a gzip member of its own.
pub fn warc_record(url: &str, html: &[u8]) -> Vec<u8> {
    let mut http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n".to_vec();
    http.extend(html);
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{url}>\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        http.len()
    )
    .into_bytes();
    record.extend(http);
    record.extend(b"\r\n\r\n");
    gzip(&record)
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

/// Russian letters and ASCII in windows-1251.
pub fn windows_1251(text: &str) -> Vec<u8> {
    let byte = |c: char| match c {
        'А'..='я' => (c as u32 - 'А' as u32) as u8 + 0xc0,
        c => u8::try_from(c).expect("a letter of windows-1251"),
    };
    text.chars().map(byte).collect()
}

/// What `state show --json` says of each site, without what names or measures the file itself.
#[track_caller]
pub fn learned(state: &Path) -> Vec<Value> {
    let shown = run(args!["state", "show", "--json", "--top", "1000", state]).expect(0);
    let mut sites = shown.records();
    for site in &mut sites {
        let site = site.as_object_mut().expect("an object a site");
        // Pieces of rows are written as they come; how many bytes they take depends on the number
        // of commits.
        site.remove("file");
        site.remove("stored_bytes");
        site.remove("share");
        site.remove("state");
    }
    sites
}

/// Fails the test unless `state check` finds nothing; returns how many pages are in the state.
#[track_caller]
pub fn check(state: &Path) -> u64 {
    let checked = run(args!["state", "check", "--json", state]).expect(0);
    let report = &checked.records()[0];
    assert_eq!(report["ok"], true, "{report}");
    report["pages"].as_u64().expect("a number of pages")
}

/// The fields of records that say what was done to the pages, by URL or name.
pub fn texts(records: &[Value]) -> BTreeMap<String, (String, Value)> {
    let one = |record: &Value| {
        let url = record["url"].as_str().expect("a URL").to_string();
        let text = record["text"].as_str().expect("a text").to_string();
        (url, (text, record["removed"].clone()))
    };
    records.iter().map(one).collect()
}

/// A list of arguments that ends with some more.
pub fn with(args: &[OsString], more: &[&str]) -> Vec<OsString> {
    let more = more.iter().map(OsString::from);
    args.iter().cloned().chain(more).collect()
}
