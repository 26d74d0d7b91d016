//! Makes small archives.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A WARC record with these header lines (without `Content-Length`) around this block.
pub fn record(fields: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\n{fields}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// A response record with this HTTP response in it.
pub fn response(url: &str, http: &[u8]) -> Vec<u8> {
    let fields = format!(
        "WARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response"
    );
    record(&fields, http)
}

/// An HTTP response with these header lines.
pub fn http(fields: &str, body: &[u8]) -> Vec<u8> {
    let mut http = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").into_bytes();
    http.extend_from_slice(body);
    http
}

/// A response record with an HTML page in it.
pub fn page(url: &str, body: &str) -> Vec<u8> {
    response(url, &http("Content-Type: text/html", body.as_bytes()))
}

/// One gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// One zstd frame.
pub fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// An ARC record; version 2 if there are further words.
pub fn arc(url: &str, words: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "{url} 1.2.3.4 20140216050221 text/html {words}{}\n",
        block.len()
    )
    .into_bytes();
    record.extend_from_slice(block);
    record.push(b'\n');
    record
}

/// The first record of an ARC.
pub fn arc_start(version: &str) -> Vec<u8> {
    let names = match version {
        "1" => "",
        _ => "Result-code Checksum Location Offset Filename ",
    };
    let block = format!(
        "{version} 0 Test\nURL IP-address Archive-date Content-type {names}Archive-length\n"
    );
    let line = format!(
        "filedesc://t.arc 0.0.0.0 20140216050221 text/plain {}\n",
        block.len()
    );
    [line, block, "\n".to_owned()].concat().into_bytes()
}
