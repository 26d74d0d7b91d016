//! States that are torn, damaged and taken away: each is noticed or harmless.

use std::fs;
use std::path::Path;

use unframe_site::{Sites, Store, StoreError};

use crate::texts::{Dice, kind, learn, learn_all, open, pages, read};

const SITES: u64 = 4;

/// A state with wholes, changes, slack and an index.
fn worn_state(path: &Path) {
    let mut sites = open(path);
    for page in 0..1200 {
        learn(&mut sites, SITES, page, 0);
        if page % 100 == 99 {
            sites.commit().unwrap();
        }
    }
    sites.finish().unwrap();
    drop(sites);
    let mut sites = open(path);
    for page in 0..20 {
        learn(&mut sites, SITES, page, 1);
        sites.commit().unwrap();
    }
}

#[derive(Default)]
struct Tally {
    noticed: usize,
    harmless: usize,
}

impl Tally {
    /// A changed file must be refused with a reason, or say what it said before.
    fn judge(
        &mut self,
        path: &Path,
        was: &std::collections::BTreeMap<String, Vec<u8>>,
        what: &str,
    ) {
        match read(path) {
            Ok(found) => {
                assert!(
                    found == *was,
                    "{what}: read without an error, and says something else"
                );
                self.harmless += 1;
            }
            Err(
                StoreError::Damaged { .. }
                | StoreError::Foreign(_)
                | StoreError::Newer { .. }
                | StoreError::Earlier(_)
                | StoreError::Empty(_),
            ) => self.noticed += 1,
            Err(error) => panic!("{what}: {error}"),
        }
        // Whoever writes to it must not panic either.
        if let Ok(store) = Store::open(path)
            && let Ok(mut sites) = Sites::new(kind(), Some(store), usize::MAX)
            && sites.load("site1.example").is_ok()
        {
            learn(&mut sites, SITES, 7001, 0);
            let _ = sites.finish();
        }
    }

    fn print(&self, what: &str) {
        println!("| {what} | {} | {} |", self.noticed, self.harmless);
    }
}

#[test]
fn damage_is_noticed_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.unframe");
    worn_state(&path);
    let (whole, was) = (fs::read(&path).unwrap(), read(&path).unwrap());
    println!(
        "| damage to a state of {} bytes | noticed | harmless |\n|---|---:|---:|",
        whole.len()
    );
    let hurt = folder.path().join("hurt.unframe");
    let mut dice = Dice(4711);

    let mut flips = Tally::default();
    for round in 0..200 {
        // Half of them in the first bytes, where the header is.
        let below = if round % 2 == 0 {
            400
        } else {
            whole.len() as u64
        };
        let (at, bit) = (dice.roll(below) as usize, dice.roll(8));
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << bit;
        fs::write(&hurt, bytes).unwrap();
        flips.judge(&hurt, &was, &format!("bit {bit} of byte {at}"));
    }
    flips.print("200 bit flips");

    let mut blocks = Tally::default();
    for round in 0..30 {
        let at = match round {
            0..10 => 4096 * dice.roll(whole.len() as u64 / 4096) as usize,
            _ => dice.roll(whole.len() as u64 - 1) as usize,
        };
        let mut bytes = whole.clone();
        let end = bytes.len().min(at + 4096);
        match round % 3 {
            0 => bytes[at..end].fill(0),
            _ => bytes[at..end]
                .iter_mut()
                .for_each(|byte| *byte = dice.roll(256) as u8),
        }
        fs::write(&hurt, bytes).unwrap();
        blocks.judge(&hurt, &was, &format!("block at {at}"));
    }
    blocks.print("30 damaged blocks of 4 kB");
    assert_eq!(blocks.noticed, 30);

    let mut cuts = Tally::default();
    for round in 0..150 {
        let length = match round {
            0..90 => round as usize,
            _ => dice.roll(whole.len() as u64) as usize,
        };
        fs::write(&hurt, &whole[..length]).unwrap();
        cuts.judge(&hurt, &was, &format!("cut to {length}"));
    }
    cuts.print("150 truncations");
    assert_eq!(cuts.harmless, 0);

    let mut tails = Tally::default();
    for round in 0..50u64 {
        let mut bytes = whole.clone();
        bytes.extend((0..round * 50).map(|_| dice.roll(256) as u8));
        fs::write(&hurt, bytes).unwrap();
        tails.judge(&hurt, &was, "something appended");
    }
    tails.print("50 tails of garbage");
    assert_eq!(tails.noticed, 0);
}

/// A commit that was cut anywhere, with or without its superblock, has never been.
#[test]
fn a_torn_commit_has_never_been() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.unframe");
    let mut sites = open(&path);
    learn_all(&mut sites, SITES, 0..20, 0);
    sites.commit().unwrap();
    let before = fs::read(&path).unwrap();
    learn_all(&mut sites, SITES, 20..25, 0);
    sites.commit().unwrap();
    drop(sites);
    let after = fs::read(&path).unwrap();
    let torn = folder.path().join("torn.unframe");
    for length in (before.len()..after.len()).step_by(37) {
        let mut bytes = before.clone();
        bytes.extend(&after[before.len()..length]);
        fs::write(&torn, &bytes).unwrap();
        assert_eq!(pages(&torn), 20, "{length}");
        // The next run continues from there.
        let mut sites = open(&torn);
        learn_all(&mut sites, SITES, 15..25, 0);
        sites.finish().unwrap();
        drop(sites);
        assert_eq!(pages(&torn), 25, "{length}");
    }
    // All frames, and the superblock of before: the commit is complete.
    let mut bytes = before.clone();
    bytes.extend(&after[before.len()..]);
    fs::write(&torn, bytes).unwrap();
    assert_eq!(pages(&torn), 25);
}

#[test]
fn a_state_that_was_removed_takes_no_more_pages_until_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, moved) = (folder.path().join("s.unframe"), folder.path().join("moved"));
    let mut sites = open(&path);
    learn_all(&mut sites, SITES, 0..40, 0);
    sites.commit().unwrap();
    fs::rename(&path, &moved).unwrap();
    learn_all(&mut sites, SITES, 40..80, 0);
    assert!(matches!(sites.commit(), Err(StoreError::Removed(_))));
    drop(open(&path));
    assert!(
        matches!(sites.commit(), Err(StoreError::Removed(_))),
        "another file has its name"
    );
    fs::rename(&moved, &path).unwrap();
    sites.commit().unwrap();
    drop(sites);
    assert_eq!(pages(&path), 80);
}
