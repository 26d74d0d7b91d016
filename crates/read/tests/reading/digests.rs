//! The digests of WARC records.

use unframe_read::{Item, ReadOptions};

use crate::making::{gzip, http, record};
use crate::reading::read;

/// What is said of a record with this block and these further fields.
fn wrong_digest(kind: &str, fields: &str, block: &[u8]) -> Option<&'static str> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.warc");
    let fields = format!(
        "WARC-Type: {kind}\r\nWARC-Target-URI: http://a.org/\r\nContent-Type: {}{fields}",
        match kind {
            "resource" => "text/html",
            _ => "application/http; msgtype=response",
        }
    );
    std::fs::write(&path, record(&fields, block)).unwrap();
    match &read(&[&path], ReadOptions::default())[..] {
        [Item::Page(page)] => page.wrong_digest,
        items => panic!("{items:?}"),
    }
}

/// SHA-1 of `<p>one`.
const PAYLOAD: &str = "sha1:MSUZ7UE6YJT5IN7DIXLSN5BKGX62NBFL";

#[test]
fn right_digests_pass_and_wrong_ones_are_told() {
    let block = http("Content-Type: text/html", b"<p>one");
    let hash = |bytes: &[u8]| sha1_hex(bytes);
    let (whole, body) = (hash(&block), hash(b"<p>one"));
    let other = hash(b"<p>two");
    let of = |fields: String| wrong_digest("response", &fields, &block);
    let (of_block, of_payload) = (
        "\r\nWARC-Block-Digest: sha1:",
        "\r\nWARC-Payload-Digest: sha1:",
    );
    assert_eq!(of(String::new()), None);
    assert_eq!(of(format!("{of_block}{whole}{of_payload}{body}")), None);
    assert_eq!(of(format!("\r\nWARC-Payload-Digest: {PAYLOAD}")), None);
    let wrong = of(format!("{of_block}{other}{of_payload}{body}")).unwrap();
    assert!(wrong.contains("WARC-Block-Digest"), "{wrong}");
    let wrong = of(format!("{of_block}{whole}{of_payload}{other}")).unwrap();
    assert!(wrong.contains("WARC-Payload-Digest"), "{wrong}");
    // Nothing is known of other algorithms, and of a record that was cut when it was written.
    assert_eq!(of("\r\nWARC-Payload-Digest: xxh3:00".to_owned()), None);
    let cut = format!("{of_payload}{other}\r\nWARC-Truncated: length");
    assert_eq!(of(cut), None);
    let segment = format!("{of_payload}{other}\r\nWARC-Segment-Number: 1");
    assert_eq!(of(segment), None);
    let resource = format!("{of_payload}{body}{of_block}{body}");
    assert_eq!(wrong_digest("resource", &resource, b"<p>one"), None);
}

#[test]
fn the_payload_may_be_as_sent_joined_or_decoded() {
    let page = b"<!doctype html><p>one";
    let packed = gzip(page);
    let mut sent = format!("{:x}\r\n", packed.len()).into_bytes();
    sent.extend(&packed);
    sent.extend(b"\r\n0\r\n\r\n");
    let fields = "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip";
    let block = http(fields, &sent);
    let of = |bytes: &[u8]| {
        let fields = format!("\r\nWARC-Payload-Digest: sha1:{}", sha1_hex(bytes));
        wrong_digest("response", &fields, &block)
    };
    assert_eq!(of(&sent), None);
    assert_eq!(of(&packed), None);
    assert_eq!(of(page), None);
    assert!(of(b"other").is_some());
}

fn sha1_hex(bytes: &[u8]) -> String {
    use sha1::Digest;
    let digest = sha1::Sha1::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
