//! Pipes: read once or, through the spool, twice. Standard input uses the same code.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use unframe_read::{InputError, Inputs, Item, ReadOptions};

use crate::making::{gzip, page, zst};
use crate::reading::{open, show};

/// A pipe that delivers these bytes once.
fn pipe(folder: &Path, bytes: Vec<u8>) -> PathBuf {
    let path = folder.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    let writer = path.clone();
    std::thread::spawn(move || std::fs::write(writer, bytes));
    path
}

fn pass(inputs: &mut Inputs, twice: bool, folder: &Path) -> Vec<String> {
    let items: Vec<Item> = inputs.read(twice).unwrap().collect();
    show(&items, folder)
}

#[test]
fn every_format_comes_through_a_pipe_twice() {
    let warc = [
        page("http://a.org/", "<p>one"),
        page("http://b.org/", "<p>two"),
    ];
    let second = warc[0].len();
    let in_warc = vec![
        "pipe#0 a.org <p>one".to_owned(),
        format!("pipe#{second} b.org <p>two"),
    ];
    let in_gzip = vec![
        in_warc[0].clone(),
        format!("pipe#{} b.org <p>two", gzip(&warc[0]).len()),
    ];
    let lines = b" \n{\"html\": \"1\"}\n{\"html\": \"2\"}\n".to_vec();
    let in_lines = vec!["pipe:2 stdin 1".to_owned(), "pipe:3 stdin 2".to_owned()];
    let rows = [
        (
            b"<p>a page".to_vec(),
            vec!["pipe stdin <p>a page".to_owned()],
        ),
        (Vec::new(), vec!["pipe stdin ".to_owned()]),
        (b"\x89PNG".to_vec(), vec!["pipe not-html".to_owned()]),
        (b"PK\x03\x04".to_vec(), vec!["pipe unreadable".to_owned()]),
        (zst(&lines), in_lines.clone()),
        (lines, in_lines),
        (warc.concat(), in_warc),
        ([gzip(&warc[0]), gzip(&warc[1])].concat(), in_gzip),
    ];
    for (bytes, expected) in rows {
        let folder = tempfile::tempdir().unwrap();
        let path = pipe(folder.path(), bytes);
        let mut inputs = open(&[&path], ReadOptions::default()).unwrap();
        assert_eq!(inputs.total_bytes(), None);
        assert_eq!(pass(&mut inputs, true, folder.path()), expected);
        assert_eq!(pass(&mut inputs, false, folder.path()), expected);
    }
}

#[test]
fn the_url_option_names_the_page_of_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let path = pipe(folder.path(), b"<p>x".to_vec());
    let url = Some("https://u.org/x".to_owned());
    let mut inputs = open(
        &[&path],
        ReadOptions {
            url,
            ..ReadOptions::default()
        },
    )
    .unwrap();
    assert_eq!(pass(&mut inputs, false, folder.path()), ["pipe u.org <p>x"]);
}

#[test]
fn a_pipe_that_was_not_kept_cannot_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = pipe(folder.path(), b"<p>x".to_vec());
    let mut inputs = open(&[&path], ReadOptions::default()).unwrap();
    assert_eq!(inputs.read(false).unwrap().count(), 1);
    assert!(matches!(
        inputs.read(false),
        Err(InputError::AlreadyRead { .. })
    ));
}

#[test]
fn a_pipe_in_a_directory_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    let mut inputs = open(&[folder.path()], ReadOptions::default()).unwrap();
    assert_eq!(pass(&mut inputs, false, folder.path()), ["pipe not-html"]);
}
