//! A law: any prefix of an archive yields all records that are complete in it, and at most one
//! break, at its end. And a weaker one: no damage makes the reader panic or hang.

use proptest::prelude::*;
use unframe_read::{Item, RawPage, ReadOptions};

use crate::making::{arc, arc_start, gzip, http, page, record, zst};
use crate::reading::read;

/// The bytes of an archive, and for each item the number of bytes up to its end.
fn archive(packing: &str) -> (Vec<u8>, Vec<usize>) {
    let body = http("Content-Type: text/html", b"<p>in an arc");
    let records: Vec<(Vec<u8>, usize)> = match packing {
        "arc" => vec![
            (arc_start("1"), 1),
            (arc("http://a.org/", "", &body), 1),
            (arc("http://b.org/", "", &body), 1),
        ],
        _ => vec![
            (record("WARC-Type: warcinfo", b"software: test"), 4),
            (page("http://a.org/", "<p>one"), 4),
            (record("WARC-Type: revisit", b"x"), 4),
            (page("http://b.org/", "<p>two"), 4),
        ],
    };
    let mut bytes = Vec::new();
    let mut ends = Vec::new();
    for (record, separator) in records {
        match packing {
            "gzip" => bytes.extend(gzip(&record)),
            "zstd" => bytes.extend(zst(&record)),
            _ => bytes.extend(&record),
        }
        // A plain record does not need the separator after it. A compressed record needs its last
        // byte, because the checksum is there.
        let compressed = matches!(packing, "gzip" | "zstd");
        ends.push(bytes.len() - if compressed { 0 } else { separator });
    }
    (bytes, ends)
}

#[test]
fn every_prefix_gives_its_whole_records() {
    let folder = tempfile::tempdir().unwrap();
    for packing in ["plain", "gzip", "zstd", "arc"] {
        let path = folder
            .path()
            .join(if packing == "arc" { "x.arc" } else { "x.warc" });
        let (bytes, ends) = archive(packing);
        std::fs::write(&path, &bytes).unwrap();
        let whole = undated(read(&[&path], ReadOptions::default()));
        assert_eq!(whole.len(), ends.len());
        for length in 0..bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let items = undated(read(&[&path], ReadOptions::default()));
            let due = ends.iter().filter(|&&end| end <= length).count();
            assert_eq!(items.get(..due), Some(&whole[..due]), "{packing} {length}");
            let broken = items.iter().filter(|item| is_broken(item)).count();
            assert!(
                broken <= 1 && items.len() <= due + 2,
                "{packing} {length}: {items:?}"
            );
        }
    }
}

/// These records state no date, so pages get the date of the file, which is rewritten repeatedly.
fn undated(items: Vec<Item>) -> Vec<Item> {
    let undated = |item| match item {
        Item::Page(page) => Item::Page(RawPage { date: None, ..page }),
        skipped => skipped,
    };
    items.into_iter().map(undated).collect()
}

fn is_broken(item: &Item) -> bool {
    matches!(item, Item::Skipped(skipped) if skipped.reason.is_failure())
}

proptest! {
    #[test]
    fn no_damage_is_fatal(
        packing in prop::sample::select(vec!["plain", "gzip", "zstd", "arc"]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..6),
    ) {
        let (mut bytes, _) = archive(packing);
        for (place, byte, how) in damage {
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, &bytes).unwrap();
        let items = read(&[&path], ReadOptions::default());
        prop_assert!(items.len() <= bytes.len());
        prop_assert_eq!(read(&[&path], ReadOptions::default()), items);
    }
}
