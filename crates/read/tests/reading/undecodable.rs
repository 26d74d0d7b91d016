//! Bodies that are not text.

use unframe_read::{Item, ReadOptions};

use crate::making::{gzip, http, response};
use crate::reading::{read, read_bytes};

/// Bytes without any pattern, different for each seed.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

fn served(fields: &str, body: &[u8]) -> Vec<String> {
    let fields = format!("Content-Type: text/html\r\n{fields}");
    let record = response("http://a.org/", &http(&fields, body));
    read_bytes("x.warc", &record, ReadOptions::default())
}

#[test]
fn random_bytes_are_no_page_whatever_their_encoding() {
    for seed in 1..60 {
        for encoding in [
            "br", "gzip", "deflate", "zstd", "compress", "identity", "x, y",
        ] {
            let fields = format!("Content-Encoding: {encoding}");
            let lines = served(&fields, &noise(seed, 700));
            assert_eq!(lines, ["#0 undecodable"], "{encoding} {seed}");
        }
    }
    // Even if it is called a page by its name.
    let lines = read_bytes("x.html", &noise(3, 5000), ReadOptions::default());
    assert_eq!(lines, [" undecodable"]);
}

#[test]
fn text_under_a_wrong_header_is_a_page() {
    for encoding in ["br", "gzip", "utf-8", "none", "aws-chunked"] {
        let fields = format!("Content-Encoding: {encoding}");
        assert_eq!(
            served(&fields, b"<p>one"),
            ["#0 a.org <p>one"],
            "{encoding}"
        );
    }
    assert_eq!(served("X: y", b"\x89PNG\r\n\x1a\n\0"), ["#0 not-html"]);
}

#[test]
fn what_was_decoded_before_the_damage_is_kept() {
    let text = "<p>words and more of them</p>".repeat(2000);
    let mut packed = gzip(text.as_bytes());
    packed.truncate(packed.len() / 2);
    let lines = served("Content-Encoding: gzip", &packed);
    assert!(lines[0].starts_with("#0 a.org <p>words"), "{lines:?}");
    assert!(lines[0].ends_with("(cut)"), "{lines:?}");
    // Binary data in the middle of a page is left out.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.html");
    std::fs::write(
        &path,
        [text.as_bytes(), &noise(1, 9000), text.as_bytes()].concat(),
    )
    .unwrap();
    match &read(&[&path], ReadOptions::default())[..] {
        [Item::Page(page)] => {
            assert!(page.undecodable);
            assert!(
                page.body.len() <= 2 * text.len() + 2048,
                "{}",
                page.body.len()
            );
        }
        items => panic!("{} items", items.len()),
    }
}
