//! Decodes one content encoding, within a limit.
//!
//! Input: the name of the encoding and the encoded body. Output: the decoded body. A body that does
//! not match its header is returned unchanged, with the reason; a damaged one as far as it could be decoded. A
//! decompression bomb costs no more than the limit.

use std::io::{self, Read};

use super::Body;
use crate::sniff::looks_like_html;

pub(super) fn decode(encoding: &str, body: Body, limit: usize) -> Body {
    // Crawls contain many plain pages that still carry the header of their original encoding.
    if looks_like_html(&body.bytes) {
        return body;
    }
    let undecoded = |body, why: String| Body {
        undecoded: Some(format!("Content-Encoding: {encoding}, {why}")),
        ..body
    };
    match undo(encoding, &body.bytes, limit) {
        None => undecoded(body, "which is unknown".to_owned()),
        Some((bytes, Err(error))) if bytes.is_empty() => undecoded(body, error.to_string()),
        Some((bytes, _)) if bytes.len() <= limit && is_shrunk(&body.bytes, &bytes) => {
            undecoded(body, "which leaves nothing of it".to_owned())
        }
        Some((bytes, result)) => Body {
            truncated: body.truncated || bytes.len() > limit || result.is_err(),
            undecoded: body.undecoded,
            bytes,
        },
    }
}

/// Whether decoding left next to nothing: arbitrary bytes can begin with the code for the end.
fn is_shrunk(raw: &[u8], decoded: &[u8]) -> bool {
    raw.len() >= 64 && decoded.len() < raw.len() / 8
}

/// The decoded body, up to one byte more than the limit, and whether decoding succeeded; `None` for
/// an unknown encoding.
pub(super) fn undo(encoding: &str, raw: &[u8], limit: usize) -> Option<(Vec<u8>, io::Result<()>)> {
    let mut bytes = Vec::new();
    let result = match encoding {
        "gzip" | "x-gzip" => read_gzip(raw, limit, &mut bytes),
        "deflate" => read_deflate(raw, limit, &mut bytes),
        "br" => {
            let decoder = brotli::Decompressor::new(raw, 4096);
            read_bounded(decoder, limit, &mut bytes)
        }
        "zstd" => zstd::stream::read::Decoder::with_buffer(raw)
            .and_then(|decoder| read_bounded(decoder, limit, &mut bytes)),
        _ => return None,
    };
    Some((bytes, result))
}

/// Reads one byte more than the limit, to distinguish a body of exactly that length from a longer
/// one.
fn read_bounded(reader: impl Read, limit: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let room = (limit + 1).saturating_sub(out.len());
    reader.take(room as u64).read_to_end(out).map(drop)
}

/// Members follow one another. Data after the last member is ignored, as in browsers.
fn read_gzip(mut raw: &[u8], limit: usize, out: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut decoder = flate2::bufread::GzDecoder::new(raw);
        read_bounded(&mut decoder, limit, out)?;
        raw = decoder.into_inner();
        if out.len() > limit || !raw.starts_with(b"\x1f\x8b") {
            return Ok(());
        }
    }
}

/// `deflate` means zlib, but some servers send it without the zlib header.
fn read_deflate(raw: &[u8], limit: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let zlib = raw.len() >= 2
        && raw[0] & 0x0f == 8
        && u16::from_be_bytes([raw[0], raw[1]]).is_multiple_of(31);
    if zlib {
        let result = read_bounded(flate2::bufread::ZlibDecoder::new(raw), limit, out);
        if result.is_ok() || !out.is_empty() {
            return result;
        }
    }
    read_bounded(flate2::bufread::DeflateDecoder::new(raw), limit, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use std::io::Write;

    fn encode(encoding: &str, bytes: &[u8]) -> Vec<u8> {
        let level = Compression::default();
        match encoding {
            "gzip" => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            "zlib" => {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            "raw" => {
                let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            "br" => {
                let mut out = Vec::new();
                let mut encoder = brotli::CompressorWriter::new(&mut out, 4096, 5, 20);
                encoder.write_all(bytes).unwrap();
                drop(encoder);
                out
            }
            _ => zstd::encode_all(bytes, 3).unwrap(),
        }
    }

    fn decoded(encoding: &str, raw: &[u8], limit: usize) -> (Vec<u8>, bool) {
        let body = decode(encoding, Body::whole(raw.to_vec()), limit);
        (body.bytes, body.truncated)
    }

    const ALL: [(&str, &str); 5] = [
        ("gzip", "gzip"),
        ("deflate", "zlib"),
        ("deflate", "raw"),
        ("br", "br"),
        ("zstd", "zstd"),
    ];

    #[test]
    fn every_encoding_is_undone() {
        for (name, made) in ALL {
            for text in [&b"hello hello hello"[..], b""] {
                assert_eq!(
                    decoded(name, &encode(made, text), 99),
                    (text.to_vec(), false),
                    "{made}"
                );
            }
        }
        let two = [encode("gzip", b"a"), encode("gzip", b"b"), b"junk".to_vec()].concat();
        assert_eq!(decoded("gzip", &two, 99), (b"ab".to_vec(), false));
    }

    #[test]
    fn bombs_and_clipped_bodies_are_cut() {
        let text: Vec<u8> = (0..50_000u32)
            .flat_map(|n| n.wrapping_mul(2654435761).to_le_bytes())
            .collect();
        for (name, made) in ALL {
            let (bomb, cut) = decoded(name, &encode(made, &vec![b'a'; 1 << 20]), 1000);
            assert_eq!((bomb.len(), cut), (1001, true), "{made}");
            let whole = encode(made, &text);
            let (part, cut) = decoded(name, &whole[..whole.len() * 3 / 4], 1 << 20);
            assert!(
                cut && !part.is_empty() && text.starts_with(&part),
                "{made}: {}",
                part.len()
            );
        }
    }

    #[test]
    fn lies_are_ignored() {
        for (name, _) in ALL {
            let page = b"<!doctype html><p>plain";
            assert_eq!(decoded(name, page, 99), (page.to_vec(), false), "{name}");
        }
        assert_eq!(decoded("gzip", b"plain", 99), (b"plain".to_vec(), false));
        assert_eq!(decoded("utf-8", b"plain", 99), (b"plain".to_vec(), false));
    }
}
