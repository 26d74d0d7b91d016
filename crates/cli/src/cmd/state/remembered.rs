//! What each method has to show of its memory.

use std::collections::HashMap;

use serde_json::{Value, json};
use unframe::mdl::MdlParams;
use unframe::{
    AutoMemory, ChunkMemory, Fingerprint, LinksMemory, MdlMemory, Memory, PageRecord, StreamMemory,
};
use unframe_report::numbers::bytes;

/// A memory that can be looked into.
pub trait Remembered: Memory {
    /// Headings of [`cells`](Self::cells).
    const COLUMNS: [&'static str; 3];

    /// Its numbers for people.
    fn cells(&self) -> [String; 3];

    /// Its numbers for programs.
    fn numbers(&self) -> Vec<(&'static str, Value)>;

    /// The frame texts that cover most: beginning, pages, length.
    fn frame_texts(&self, most: usize) -> Vec<(String, u32, u32)>;

    /// How many counts differ from a recount of the pages in the ledger.
    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64;
}

impl Remembered for AutoMemory {
    const COLUMNS: [&'static str; 3] = ["texts", "tables", "on most pages"];

    fn cells(&self) -> [String; 3] {
        [
            self.texts().to_string(),
            bytes(self.table_bytes() as f64),
            self.frame_texts().to_string(),
        ]
    }

    fn numbers(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("texts", json!(self.texts())),
            ("frame_texts", json!(self.frame_texts())),
            ("rows", json!(self.len())),
            ("table_bytes", json!(self.table_bytes())),
        ]
    }

    /// Texts are known by their hashes alone.
    fn frame_texts(&self, _: usize) -> Vec<(String, u32, u32)> {
        Vec::new()
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        self.wrong_rows(ledger.iter().map(|(_, page)| &*page.contribution))
    }
}

impl Remembered for StreamMemory {
    const COLUMNS: [&'static str; 3] = ["segments", "table", "dropped"];

    fn cells(&self) -> [String; 3] {
        [
            self.len().to_string(),
            bytes(self.table_bytes() as f64),
            self.dropped().to_string(),
        ]
    }

    fn numbers(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("segments", json!(self.len())),
            ("table_bytes", json!(self.table_bytes())),
            ("average_size", json!(self.average_size())),
            ("dropped", json!(self.dropped())),
        ]
    }

    fn frame_texts(&self, most: usize) -> Vec<(String, u32, u32)> {
        let texts = self.top_texts(most).into_iter();
        texts
            .map(|(text, seen)| (text.into(), seen.df, seen.length))
            .collect()
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        let recount = recount(ledger.iter().flat_map(|(_, page)| keys(page)));
        // Rows that were dropped in between cannot be recounted.
        let whole = self.dropped() == 0;
        let wrong = self.table().filter(|(key, seen)| {
            let counted = recount.get(key).copied().unwrap_or(0);
            seen.df > counted || (whole && seen.df != counted)
        });
        wrong.count() as u64 + u64::from(whole && self.len() != recount.len())
    }
}

impl Remembered for ChunkMemory {
    const COLUMNS: [&'static str; 3] = ["chunks", "table", "counted"];

    fn cells(&self) -> [String; 3] {
        [
            self.len().to_string(),
            bytes(self.table_bytes() as f64),
            self.counted_pages().to_string(),
        ]
    }

    fn numbers(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("chunks", json!(self.len())),
            ("table_bytes", json!(self.table_bytes())),
            ("counted_pages", json!(self.counted_pages())),
            ("counting", json!(self.counting())),
        ]
    }

    fn frame_texts(&self, most: usize) -> Vec<(String, u32, u32)> {
        let texts = self.top_texts(most).into_iter();
        texts
            .map(|(text, row)| (text.into(), row.df, row.length))
            .collect()
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        // Of a sample the memory has the chunks itself, the ledger only its pages' places.
        let recount = match self.is_sampled() {
            true => recount(self.sampled().flatten().copied()),
            false => recount(ledger.iter().flat_map(|(_, page)| keys(page))),
        };
        let right = |key: &Fingerprint| recount.get(key).copied().unwrap_or(0);
        let wrong = self.table().filter(|(key, row)| row.df != right(key));
        wrong.count() as u64 + u64::from(self.len() != recount.len())
    }
}

impl Remembered for MdlMemory {
    const COLUMNS: [&'static str; 3] = ["paths", "table", "clusters"];

    fn cells(&self) -> [String; 3] {
        [
            self.paths().to_string(),
            bytes(self.table_bytes() as f64),
            self.shared_clusters(&MdlParams::default()).to_string(),
        ]
    }

    fn numbers(&self) -> Vec<(&'static str, Value)> {
        let clusters = self.shared_clusters(&MdlParams::default());
        vec![
            ("paths", json!(self.paths())),
            ("table_bytes", json!(self.table_bytes())),
            ("clusters", json!(clusters)),
        ]
    }

    /// Paths are kept without their texts.
    fn frame_texts(&self, _: usize) -> Vec<(String, u32, u32)> {
        Vec::new()
    }

    /// Pages that only one of ledger and memory has.
    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        let both = ledger.iter().filter(|(page, _)| self.knows(*page)).count() as u64;
        ledger.len() as u64 + self.pages() - 2 * both
    }
}

impl Remembered for LinksMemory {
    const COLUMNS: [&'static str; 3] = ["nodes", "trees", "kept"];

    fn cells(&self) -> [String; 3] {
        [
            self.len().to_string(),
            bytes(self.table_bytes() as f64),
            self.kept_pages().to_string(),
        ]
    }

    fn numbers(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("nodes", json!(self.len())),
            ("tree_bytes", json!(self.table_bytes())),
            ("kept_pages", json!(self.kept_pages())),
            ("rules", json!(self.rules())),
        ]
    }

    /// Trees are kept without their texts.
    fn frame_texts(&self, _: usize) -> Vec<(String, u32, u32)> {
        Vec::new()
    }

    /// Kept pages that the ledger does not have, and kept pages that cannot be read.
    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        let known = ledger.iter().flat_map(|(_, page)| keys(page));
        let known = known.filter(|place| self.keeps(*place)).count();
        (self.kept_pages() - known) as u64 + self.unreadable() as u64
    }
}

fn keys(page: &PageRecord) -> impl Iterator<Item = Fingerprint> {
    let (keys, _) = page.contribution.as_chunks::<16>();
    keys.iter()
        .map(|key| Fingerprint(u128::from_be_bytes(*key)))
}

fn recount(keys: impl Iterator<Item = Fingerprint>) -> HashMap<Fingerprint, u32> {
    let mut counts = HashMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}
