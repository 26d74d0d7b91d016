//! `unframe serve` and `unframe mcp`: arguments, and how they end. The service itself is tested where it is.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

const UNFRAME: &str = env!("CARGO_BIN_EXE_unframe");

#[test]
fn wrong_arguments_are_told_what_to_type() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let (short, bad) = (file("short", "abc\n"), file("bad.toml", "max_page = 1\n"));
    let foreign = file("foreign", "not a state");
    for (args, said) in [
        (
            &["serve", "--listen", "0.0.0.0:0"][..],
            "--token-file token",
        ),
        (&["serve", "--listen", "here"], "invalid value 'here'"),
        (
            &["serve", "--token-file", &short],
            "head -c 32 /dev/urandom",
        ),
        (&["serve", "--config", "/no/such/file"], "/no/such/file"),
        (
            &["serve", "--config", &bad],
            "such as `max-page = \"16MB\"`",
        ),
        (&["serve", "--queue", "0"], "write 1 or more"),
        (&["serve", "--contact", "me@a.example"], "add --allow-fetch"),
        (&["serve", "--max-page", "many"], "512kB"),
        (
            &["serve", "--state", &foreign, "--listen", "127.0.0.1:0"],
            "name another file",
        ),
        (&["mcp", "--contact", "me me"], "without spaces"),
    ] {
        let done = Command::new(UNFRAME)
            .args(args)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&done.stderr);
        assert!(text.contains(said), "{args:?}: {text}");
        assert_eq!(done.status.code(), Some(2), "{args:?}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn a_service_that_is_ended_has_kept_what_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let (state, config) = (
        folder.path().join("a.unframe"),
        folder.path().join("unframe.toml"),
    );
    fs::write(
        &config,
        format!("state = {state:?}\nlisten = \"127.0.0.1:0\"\n"),
    )
    .unwrap();
    let mut service = Command::new(UNFRAME)
        .args(["serve", "--config"])
        .arg(&config)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(service.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    let address = line
        .split_once("http://")
        .unwrap()
        .1
        .split_once('/')
        .unwrap()
        .0;
    let page = "<nav>Home</nav><p>A story of the week.";
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /v1/clean?url=https://a.example/1 HTTP/1.1\r\nHost: {address}\r\nContent-Type: text/html\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{page}",
        page.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("A story of the week."),
        "{answer}"
    );
    let id = service.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    let mut rest = String::new();
    log.read_to_string(&mut rest).unwrap();
    assert!(service.wait().unwrap().success(), "{rest}");
    assert!(
        !rest.contains("a.example") && !rest.contains("story"),
        "{rest}"
    );
    let shown = Command::new(UNFRAME)
        .args(["state", "show"])
        .arg(&state)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("1 site, 1 page "));
}
