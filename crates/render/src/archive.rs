//! Cleaned pages as records of a WARC file, each a separate gzip member.
//! <https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/>

use std::io::Write;

use data_encoding::BASE32;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha1::{Digest, Sha1};
use unframe_page::Fingerprint;

/// The date of a page whose fetch time is not known.
pub const UNKNOWN_DATE: &str = "1970-01-01T00:00:00Z";

/// The page that a record is made from.
#[derive(Clone, Copy, Debug)]
pub struct ArchivedPage<'a> {
    /// Its URL.
    pub url: &'a str,
    /// When it was fetched, in WARC format; [`UNKNOWN_DATE`] if not known.
    pub date: Option<&'a str>,
    /// The record that it was read from, as `<urn:uuid:…>`.
    pub refers_to: Option<&'a str>,
    /// Its name in the input, which distinguishes copies.
    pub name: &'a str,
    /// Its language, as a tag.
    pub language: Option<&'a str>,
}

/// The first record of a file (`warcinfo`), which describes how the others were made.
pub fn archive_head(file_name: &str, date: Option<&str>, description: &str) -> Vec<u8> {
    let software = concat!("unframe/", env!("CARGO_PKG_VERSION"));
    let block = format!(
        "software: {software}\r\nformat: WARC File Format 1.0\r\nconformsTo: \
         http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf\r\n\
         description: {description}\r\n"
    );
    let mut head = Head::new("warcinfo", date.unwrap_or(UNKNOWN_DATE));
    head.field("WARC-Filename", file_name);
    head.finish("application/warc-fields", block.as_bytes(), file_name)
}

/// The text of a page as in WET files: a `conversion` record of plain text.
pub fn wet_record(page: ArchivedPage<'_>, text: &str) -> Vec<u8> {
    let mut head = page.head("conversion");
    if let Some(record) = page.refers_to {
        head.field("WARC-Refers-To", record);
    }
    if let Some(language) = page.language {
        head.field("WARC-Identified-Content-Language", language);
    }
    head.finish("text/plain", text.as_bytes(), page.name)
}

/// The cleaned bytes of a page as a `response` record with a new HTTP header, because archive readers
/// expect responses. `Unframe-Refers-To` names the original record: the standard has no such field
/// for responses.
pub fn warc_record(page: ArchivedPage<'_>, html: &[u8], charset: &str) -> Vec<u8> {
    let mut head = page.head("response");
    if let Some(record) = page.refers_to {
        head.field("Unframe-Refers-To", record);
    }
    head.field("WARC-Payload-Digest", &digest(html));
    let mut block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\n\
         Content-Length: {}\r\n\r\n",
        html.len()
    )
    .into_bytes();
    block.extend(html);
    head.finish("application/http; msgtype=response", &block, page.name)
}

impl ArchivedPage<'_> {
    fn head(&self, kind: &str) -> Head {
        let mut head = Head::new(kind, self.date.unwrap_or(UNKNOWN_DATE));
        head.field("WARC-Target-URI", self.url);
        head
    }
}

struct Head(String);

impl Head {
    fn new(kind: &str, date: &str) -> Head {
        let mut head = Head("WARC/1.0\r\n".into());
        head.field("WARC-Type", kind);
        head.field("WARC-Date", date);
        head
    }

    /// Adds a field. Values come from the input, so control characters such as line breaks are dropped.
    fn field(&mut self, name: &str, value: &str) {
        self.0.push_str(name);
        self.0.push_str(": ");
        self.0.extend(value.chars().filter(|c| !c.is_control()));
        self.0.push_str("\r\n");
    }

    fn finish(mut self, content_type: &str, block: &[u8], name: &str) -> Vec<u8> {
        self.field("WARC-Block-Digest", &digest(block));
        let id = record_id(&[self.0.as_bytes(), name.as_bytes()].concat());
        self.field("WARC-Record-ID", &id);
        self.field("Content-Type", content_type);
        self.field("Content-Length", &block.len().to_string());
        let mut member = GzEncoder::new(Vec::new(), Compression::default());
        for part in [self.0.as_bytes(), b"\r\n", block, b"\r\n\r\n"] {
            member.write_all(part).expect("writing to memory");
        }
        member.finish().expect("writing to memory")
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

/// An id derived from the record, so that equal runs produce equal files.
fn record_id(record: &[u8]) -> String {
    let print = Fingerprint::of(unframe_page::Kind::Content, record).0;
    // UUID version 8: custom bits.
    let print = print & !(0xF << 76) & !(0b11 << 62) | (0x8 << 76) | (0b10 << 62);
    let digits = format!("{print:032x}");
    let (a, b, c) = (&digits[..8], &digits[8..12], &digits[12..16]);
    let (d, e) = (&digits[16..20], &digits[20..]);
    format!("<urn:uuid:{a}-{b}-{c}-{d}-{e}>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn read(member: &[u8]) -> String {
        let mut text = String::new();
        flate2::read::GzDecoder::new(member)
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    #[test]
    fn a_text_is_a_conversion() {
        let page = ArchivedPage {
            url: "http://h.example/\r\nX: y",
            date: Some("2024-05-01T00:00:00Z"),
            refers_to: Some("<urn:uuid:1>"),
            name: "a.warc#1",
            language: Some("en"),
        };
        let record = read(&wet_record(page, "Tea\n"));
        let (head, block) = record.split_once("\r\n\r\n").unwrap();
        assert_eq!(block, "Tea\n\r\n\r\n");
        let fields: Vec<&str> = head.split("\r\n").collect();
        assert_eq!(fields[0], "WARC/1.0");
        for field in [
            "WARC-Type: conversion",
            "WARC-Date: 2024-05-01T00:00:00Z",
            "WARC-Target-URI: http://h.example/X: y",
            "WARC-Refers-To: <urn:uuid:1>",
            "WARC-Identified-Content-Language: en",
            "WARC-Block-Digest: sha1:IOQMYHSL4LWAN4GBU7R6JM5EDU6LCARX",
            "Content-Type: text/plain",
            "Content-Length: 4",
        ] {
            assert!(fields.contains(&field), "{field}: {head}");
        }
        assert_eq!(wet_record(page, "Tea\n"), wet_record(page, "Tea\n"));
        let other = ArchivedPage {
            name: "a.warc#2",
            ..page
        };
        assert_ne!(wet_record(other, "Tea\n"), wet_record(page, "Tea\n"));
    }

    #[test]
    fn ids_are_uuids() {
        let id = record_id(b"a");
        let id = id
            .strip_prefix("<urn:uuid:")
            .unwrap()
            .strip_suffix('>')
            .unwrap();
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&id[14..15], "8");
        assert!("89ab".contains(&id[19..20]));
    }
}
