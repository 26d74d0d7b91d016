//! Arguments that cannot be inputs, and what the messages say.

use std::path::{Path, PathBuf};

use unframe_read::ReadOptions;

use crate::reading::open;

fn message(args: &[PathBuf]) -> String {
    open(args, ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn every_message_says_what_to_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.html"), "a").unwrap();
    let dash = PathBuf::from("-");
    let rows: [(Vec<PathBuf>, &[&str]); 9] = [
        (vec![], &["no input", "`-`"]),
        (
            vec![path("b.html")],
            &[
                "b.html: not found",
                "list",
                &folder.path().to_string_lossy(),
            ],
        ),
        (vec![path("a.html/b")], &["not found"]),
        (
            vec!["https://a.example/?q=[x]".into()],
            &[
                "nothing is fetched",
                "curl -sL 'https://a.example/?q=[x]' |",
                "unframe template",
            ],
        ),
        (vec![path("a\nb\u{1b}")], &["a\\nb\\u001b: not found"]),
        (
            vec![path("*.htm")],
            &["*.htm: the pattern matches no file", "**/*.html"],
        ),
        (vec![path("[x")], &["not a valid pattern", "[*]"]),
        (vec![dash.clone(), dash], &["twice", "./-"]),
        (vec![PathBuf::new()], &["not found"]),
    ];
    for (args, expected) in rows {
        let text = message(&args);
        for part in expected {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[cfg(unix)]
#[test]
fn links_to_nowhere_and_sockets_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    assert!(message(&[link]).contains("a link to nowhere"));
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert!(message(&[socket]).contains("a socket"));
}

#[test]
fn sizes_are_known_for_files_and_not_for_streams() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.html"), "12345").unwrap();
    std::fs::write(folder.path().join("b.png"), "\u{89}PNG").unwrap();
    let mut inputs = open(&[folder.path()], ReadOptions::default()).unwrap();
    assert_eq!(inputs.total_bytes(), Some(10));
    let mut pages = inputs.read(false).unwrap();
    assert_eq!(pages.by_ref().count(), 2);
    assert_eq!(pages.bytes_read(), 10);
    assert_eq!(
        open(&[Path::new("-")], ReadOptions::default())
            .unwrap()
            .total_bytes(),
        None
    );
}

#[test]
fn a_pass_can_be_moved_to_another_thread() {
    fn is_send<T: Send + 'static>(_: &T) {}
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = open(&[folder.path()], ReadOptions::default()).unwrap();
    is_send(&inputs.read(false).unwrap());
}
