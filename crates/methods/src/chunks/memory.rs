//! The chunk table of one site, and the sampled pages if only a sample is counted.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use unframe_dom::Dom;
use unframe_page::Fingerprint;
use unframe_site::{
    Amount, BadRow, Fields, Figure, FrameText, Memory, PageRecord, Visit, WriteRow, map_bytes,
    set_bytes,
};

use super::{Chunk, ChunkParams};
use crate::rows::{
    excerpt_bytes, key_bytes, keys, ledger_counts, recount, sample_place, short, top_texts,
};

/// Size of a row: fingerprint, pages, length.
const ROW_BYTES: u64 = 16 + 4 + 4;

/// Bytes of a frame chunk's text that are stored, to show users what was learned.
const EXCERPT_BYTES: usize = 120;

/// The numbers of the table of chunks and of the table of sampled pages.
const CHUNKS: u8 = 0;
const SAMPLE: u8 = 1;

/// One chunk of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Number of counted pages that contain it.
    pub df: u32,
    /// Length of its text.
    pub length: u32,
}

/// A row of the table, and flags that would be slow to look up elsewhere for every chunk of a page.
#[derive(Clone, Copy, Debug)]
struct Row {
    counted: Counted,
    /// Its key is in `changed`.
    changed: bool,
    /// Its beginning is in `excerpts`.
    shown: bool,
}

impl Row {
    fn new(counted: Counted) -> Row {
        Row {
            counted,
            changed: false,
            shown: false,
        }
    }
}

/// What `chunks` remembers about a site.
#[derive(Clone, Debug, Default)]
pub struct ChunkMemory {
    /// Number of pages learned, counted or not.
    pages: u64,
    rows: HashMap<Fingerprint, Row>,
    /// The beginning of each chunk that is on at least `excerpt_df` pages.
    excerpts: HashMap<Fingerprint, Box<str>>,
    excerpt_df: u32,
    /// Maximum number of counted pages; 0 if all are counted.
    sample_size: u32,
    /// What the order of the sample is drawn with.
    seed: u64,
    /// The distinct chunks of each sampled page, by its rank in the order of the sample. They are
    /// needed to undo the counts when another page replaces it.
    sample: BTreeMap<Fingerprint, Box<[Fingerprint]>>,
    /// How the rows were counted ([`ChunkParams::counting`]); empty before the first page.
    counting: Box<str>,
    /// Rows that changed since the last commit; one that was added and removed may be listed twice.
    changed: Vec<Fingerprint>,
    sample_changed: HashSet<Fingerprint>,
}

impl ChunkMemory {
    /// Counts the distinct chunks of a page. Returns what undoes it: the keys of the chunks, or nothing
    /// if there is a sample, because then the memory has them itself.
    pub(super) fn learn(
        &mut self,
        params: &ChunkParams,
        dom: &Dom,
        chunks: &[Chunk],
        visit: Visit<'_>,
    ) -> Vec<u8> {
        if self.counting.is_empty() {
            self.counting = params.counting().into();
            self.sample_size = params.sample.unwrap_or(0);
            self.seed = params.seed;
        }
        self.excerpt_df = params.threshold.least();
        match visit.former {
            None => self.pages += 1,
            Some(former) => self.take_out(visit.page, former),
        }
        let place = self.place(visit.page);
        if self.sample_size > 0 && !self.has_room_for(place) {
            return Vec::new();
        }
        let keyed = chunks.iter().map(|chunk| (short(chunk.key), chunk));
        let mut distinct: Vec<(Fingerprint, &Chunk)> = keyed.collect();
        // Stable, so that of two chunks with one key the first counts.
        distinct.sort_by_key(|(key, _)| *key);
        distinct.dedup_by_key(|(key, _)| *key);
        for (key, chunk) in &distinct {
            let row = self.rows.entry(*key).or_insert(Row::new(Counted {
                df: 0,
                length: chunk.length,
            }));
            row.counted.df = row.counted.df.saturating_add(1);
            if row.counted.df >= self.excerpt_df && !std::mem::replace(&mut row.shown, true) {
                let excerpt = chunk.excerpt(dom, params.images, EXCERPT_BYTES);
                self.excerpts.insert(*key, excerpt.into());
            }
            if !std::mem::replace(&mut row.changed, true) {
                self.changed.push(*key);
            }
        }
        let keys = distinct.iter().map(|(key, _)| *key);
        if self.sample_size == 0 {
            return key_bytes(keys);
        }
        self.sample.insert(place, keys.collect());
        self.sample_changed.insert(place);
        self.keep_to_sample_size();
        Vec::new()
    }

    /// The rank of a page in the order of the sample.
    fn place(&self, page: Fingerprint) -> Fingerprint {
        sample_place(page, &self.seed.to_string())
    }

    fn has_room_for(&self, place: Fingerprint) -> bool {
        let full = self.sample.len() >= self.sample_size as usize;
        !full
            || self
                .sample
                .last_key_value()
                .is_some_and(|(last, _)| place < *last)
    }

    /// Removes the pages with the largest ranks from the sample until it has its size.
    fn keep_to_sample_size(&mut self) {
        while self.sample.len() > self.sample_size as usize {
            let (last, _) = self.sample.last_key_value().expect("is not empty");
            let last = *last;
            self.leave_sample(last);
        }
    }

    fn leave_sample(&mut self, place: Fingerprint) {
        if let Some(keys) = self.sample.remove(&place) {
            self.sample_changed.insert(place);
            keys.iter().for_each(|key| self.take_back(*key));
        }
    }

    /// Undoes the contribution of a page.
    fn take_out(&mut self, page: Fingerprint, contribution: &[u8]) {
        match self.sample_size {
            0 => keys(contribution).for_each(|key| self.take_back(key)),
            _ => self.leave_sample(self.place(page)),
        }
    }

    /// Decrements the page count of a chunk.
    fn take_back(&mut self, key: Fingerprint) {
        let Some(row) = self.rows.get_mut(&key) else {
            return;
        };
        row.counted.df = row.counted.df.saturating_sub(1);
        if row.counted.df < self.excerpt_df && std::mem::replace(&mut row.shown, false) {
            self.excerpts.remove(&key);
        }
        if !std::mem::replace(&mut row.changed, true) {
            self.changed.push(key);
        }
        if row.counted.df == 0 {
            self.rows.remove(&key);
        }
    }

    /// The number of counted pages that contain a chunk.
    pub fn df(&self, key: Fingerprint) -> u32 {
        self.rows.get(&short(key)).map_or(0, |row| row.counted.df)
    }

    /// Number of pages learned.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Number of pages on which the chunks were counted: all, or those of the sample.
    pub fn counted_pages(&self) -> u64 {
        match self.sample_size {
            0 => self.pages,
            _ => self.sample.len() as u64,
        }
    }

    /// How the chunks were counted, in command line syntax; empty before the first page.
    pub fn counting(&self) -> &str {
        &self.counting
    }

    /// The rows of the table, in no particular order.
    pub fn table(&self) -> impl Iterator<Item = (Fingerprint, Counted)> {
        self.rows.iter().map(|(key, row)| (*key, row.counted))
    }

    /// The distinct chunks of each sampled page; empty if all pages are counted.
    pub fn sampled(&self) -> impl Iterator<Item = &[Fingerprint]> {
        self.sample.values().map(|keys| &**keys)
    }

    /// Whether the chunks were counted on a sample.
    pub fn is_sampled(&self) -> bool {
        self.sample_size > 0
    }

    /// Bytes of the table, including the data of sampled pages.
    pub fn table_bytes(&self) -> u64 {
        let sampled: usize = self.sample.values().map(|keys| 16 * (keys.len() + 1)).sum();
        self.rows.len() as u64 * ROW_BYTES + sampled as u64
    }

    /// The beginnings of the frame chunks that cover most text.
    pub fn top_texts(&self, most: usize) -> Vec<(&str, Counted)> {
        let covers = |row: &Row| (row.counted.df, row.counted.length);
        let found = top_texts(&self.excerpts, &self.rows, covers, most);
        let counted = |(text, row): (_, Row)| (text, row.counted);
        found.into_iter().map(counted).collect()
    }

    fn row_bytes(&self, key: Fingerprint, row: &Row) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8);
        bytes.extend(row.counted.df.to_le_bytes());
        bytes.extend(row.counted.length.to_le_bytes());
        if let Some(excerpt) = self.excerpts.get(&key) {
            bytes.extend(excerpt.as_bytes());
        }
        bytes
    }
}

fn sorted<'a, K: Ord + Copy + 'a>(keys: impl Iterator<Item = &'a K>) -> Vec<K> {
    let mut keys: Vec<K> = keys.copied().collect();
    keys.sort_unstable();
    keys
}

impl Memory for ChunkMemory {
    fn load(&mut self, table: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        match table {
            CHUNKS => {
                let mut fields = Fields(row);
                let (Some(df), Some(length)) = (fields.u32(), fields.u32()) else {
                    return Err(BadRow);
                };
                if df == 0 {
                    return Err(BadRow);
                }
                let mut row = Row::new(Counted { df, length });
                if !fields.0.is_empty() {
                    let excerpt = std::str::from_utf8(fields.0).map_err(|_| BadRow)?;
                    self.excerpts.insert(key, excerpt.into());
                    row.shown = true;
                }
                self.rows.insert(key, row);
            }
            SAMPLE if row.len().is_multiple_of(8) => {
                self.sample.insert(key, keys(row).collect());
            }
            _ => return Err(BadRow),
        }
        Ok(())
    }

    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
        let mut fields = Fields(head);
        self.pages = fields.u64().ok_or(BadRow)?;
        self.excerpt_df = fields.u32().ok_or(BadRow)?;
        self.sample_size = fields.u32().ok_or(BadRow)?;
        self.seed = fields.u64().ok_or(BadRow)?;
        self.counting = std::str::from_utf8(fields.0).map_err(|_| BadRow)?.into();
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        let mut head = self.pages.to_le_bytes().to_vec();
        head.extend(self.excerpt_df.to_le_bytes());
        head.extend(self.sample_size.to_le_bytes());
        head.extend(self.seed.to_le_bytes());
        head.extend(self.counting.as_bytes());
        head
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        for key in sorted(self.rows.keys()) {
            write(CHUNKS, key, Some(&self.row_bytes(key, &self.rows[&key])));
        }
        for (place, keys) in &self.sample {
            write(SAMPLE, *place, Some(&key_bytes(keys.iter().copied())));
        }
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        for key in changed {
            if let Some(row) = self.rows.get_mut(&key) {
                row.changed = false;
            }
            let row = self.rows.get(&key).map(|row| self.row_bytes(key, row));
            write(CHUNKS, key, row.as_deref());
        }
        for place in sorted(self.sample_changed.iter()) {
            let keys = self.sample.get(&place);
            let keys = keys.map(|keys| key_bytes(keys.iter().copied()));
            write(SAMPLE, place, keys.as_deref());
        }
        self.sample_changed.clear();
    }

    fn unlearn(&mut self, page: Fingerprint, contribution: &[u8]) {
        self.pages = self.pages.saturating_sub(1);
        self.take_out(page, contribution);
    }

    /// Counts are added. Of two samples, the pages with the smallest ranks are kept, which are
    /// those that one sample of all pages would have.
    fn merge(&mut self, other: Self) {
        if self.counting.is_empty() {
            self.counting = other.counting;
            self.sample_size = other.sample_size;
            self.seed = other.seed;
        }
        self.excerpt_df = self.excerpt_df.max(other.excerpt_df);
        self.pages = self.pages.saturating_add(other.pages);
        for (key, row) in &other.rows {
            let none = Counted {
                df: 0,
                ..row.counted
            };
            let mine = self.rows.entry(*key).or_insert(Row::new(none));
            mine.counted.df = mine.counted.df.saturating_add(row.counted.df);
            if !std::mem::replace(&mut mine.changed, true) {
                self.changed.push(*key);
            }
        }
        for (key, text) in other.excerpts {
            self.excerpts.entry(key).or_insert(text);
            if let Some(row) = self.rows.get_mut(&key) {
                row.shown = true;
            }
        }
        for (place, keys) in other.sample {
            self.sample_changed.insert(place);
            // The page is in both: its chunks have been added twice.
            if let Some(twice) = self.sample.insert(place, keys) {
                twice.iter().for_each(|key| self.take_back(*key));
            }
        }
        if self.sample_size > 0 {
            self.keep_to_sample_size();
        }
    }

    fn lists_keys() -> bool {
        true
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self) -> usize {
        let key = size_of::<Fingerprint>();
        let sampled = self.sample.values().map(|keys| key * keys.len() + 64);
        let changed = self.changed.capacity() * key + set_bytes(&self.sample_changed);
        map_bytes(&self.rows) + excerpt_bytes(&self.excerpts) + sampled.sum::<usize>() + changed
    }

    fn learned_with(&self) -> Option<&str> {
        (!self.counting.is_empty()).then_some(&self.counting)
    }

    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::count("chunks", self.len() as u64).column("chunks"),
            Figure::bytes("table_bytes", self.table_bytes()).column("table"),
            Figure::count("counted_pages", self.counted_pages()).column("counted"),
            Figure::new("counting", Amount::Words(self.counting().into())),
        ]
    }

    fn frame_texts(&self, most: usize) -> Vec<FrameText> {
        let texts = self.top_texts(most).into_iter();
        let texts = texts.map(|(text, row)| FrameText {
            text: text.into(),
            pages: row.df,
            length: row.length,
        });
        texts.collect()
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        // Of a sample the memory has the chunks itself, the ledger only its pages' places.
        let recount = match self.is_sampled() {
            true => recount(self.sampled().flatten().copied()),
            false => ledger_counts(ledger),
        };
        let right = |key: &Fingerprint| recount.get(key).copied().unwrap_or(0);
        let wrong = self.table().filter(|(key, row)| row.df != right(key));
        wrong.count() as u64 + u64::from(self.len() != recount.len())
    }
}
