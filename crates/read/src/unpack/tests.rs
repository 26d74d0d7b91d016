use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::decoder::ZSTD_DICTIONARY;
use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// All bytes, with `|` for every break.
fn text_of(source: Vec<u8>) -> String {
    let mut stream = Unpacked::new(Box::new(Cursor::new(source)));
    let mut text = String::new();
    loop {
        let bytes = stream.peek(1);
        text.push_str(&String::from_utf8_lossy(bytes));
        let count = bytes.len();
        stream.advance(count);
        if count == 0 {
            match stream.take_break() {
                Some(_) => text.push('|'),
                None => return text,
            }
        }
    }
}

#[test]
fn damage_costs_one_member() {
    let noise: String = (0..2000u32)
        .map(|n| format!("{:x}", n.wrapping_mul(2654435761)))
        .collect();
    let member = gzip(noise.as_bytes());
    let (one, two) = (gzip(b"one"), gzip(b"two"));
    let mut wrong_checksum = gzip(b"bad");
    let checksum = wrong_checksum.len() - 8;
    wrong_checksum[checksum] ^= 1;
    let clipped = [&one[..], &two[..two.len() - 9]].concat();
    let rows = [
        (Vec::new(), ""),
        (b"plain".to_vec(), "plain"),
        ([&one[..], &two].concat(), "onetwo"),
        ([&one[..], &[0; 512]].concat(), "one"),
        ([&one[..], &[0; 5], &two].concat(), "onetwo"),
        ([&one[..], b"garbage", &two].concat(), "one|two"),
        ([&wrong_checksum[..], &two].concat(), "bad|two"),
        (clipped, "onetwo|"),
        (one[..5].to_vec(), "|"),
        (
            zstd::encode_all(&b"abc"[..], 3).unwrap().repeat(2),
            "abcabc",
        ),
    ];
    for (source, expected) in rows {
        assert_eq!(text_of(source), expected);
    }
    // A member that is cut in its middle is followed by a whole one.
    let cut = [&one[..], &member[..member.len() / 2], &two].concat();
    let text = text_of(cut);
    assert!(text.starts_with("one") && text.ends_with("|two"), "{text}");
}

#[test]
fn a_zstd_dictionary_may_be_compressed() {
    let samples: Vec<Vec<u8>> = (0..200)
        .map(|n| {
            format!(
                "WARC/1.0 response http://e.org/{n} text/html page {}",
                n * 7
            )
            .into_bytes()
        })
        .collect();
    let dictionary = zstd::dict::from_samples(&samples, 2000).unwrap();
    let mut encoder = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let frames: Vec<u8> = samples
        .iter()
        .flat_map(|s| encoder.compress(s).unwrap())
        .collect();
    for frame in [
        dictionary.clone(),
        zstd::encode_all(&dictionary[..], 3).unwrap(),
    ] {
        let mut source = ZSTD_DICTIONARY.to_vec();
        source.extend((frame.len() as u32).to_le_bytes());
        source.extend(&frame);
        source.extend(&frames);
        assert_eq!(text_of(source).into_bytes(), samples.concat());
    }
}

#[test]
fn places_name_the_member() {
    let source = [gzip(b"one"), gzip(b"two")].concat();
    let second = gzip(b"one").len();
    let mut stream = Unpacked::new(Box::new(Cursor::new(source)));
    assert_eq!(stream.peek(6), b"onetwo");
    assert_eq!(
        (stream.place().to_string(), stream.rest_of_member()),
        ("0".into(), 3)
    );
    stream.advance(3);
    assert_eq!(stream.place().to_string(), second.to_string());
    assert!(stream.at_member());
    stream.advance(1);
    assert_eq!(stream.place().to_string(), format!("{second}+1"));
    stream.put_back(b"et");
    assert_eq!(stream.position(), 2);
    assert_eq!(stream.peek(4), b"etwo");
}

#[test]
fn a_long_line_is_cut_and_the_next_one_whole() {
    let mut stream = Unpacked::new(Box::new(Cursor::new(b"abcdef\nxy\nz".to_vec())));
    for (expected, end) in [
        ("abc", LineEnd::TooLong),
        ("xy", LineEnd::Newline),
        ("z", LineEnd::End),
    ] {
        let mut line = Vec::new();
        assert_eq!(stream.read_line(&mut line, 3), end);
        assert_eq!(line, expected.as_bytes());
    }
}
