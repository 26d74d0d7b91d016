//! The text segment table of one site.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use unframe_dom::NodeId;
use unframe_page::{Fingerprint, Segment};
use unframe_site::{
    Amount, BadRow, Fields, Figure, FrameText, Memory, PageRecord, Visit, WriteRow, map_bytes,
    set_bytes,
};

use super::StreamParams;
use super::lifetime::dropped_at;
use crate::rows::{excerpt_bytes, key_bytes, keys, ledger_counts, short, top_texts};

/// Size of a row: fingerprint, DF, page last seen on, length. The size of the table is computed
/// from it.
const ROW_BYTES: u64 = 16 + 4 + 8 + 4;

/// Characters of a frame text that are stored, to show users what was learned.
const EXCERPT_BYTES: usize = 120;

/// One segment of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Number of pages that contain it.
    pub df: u32,
    /// Number of the page it was last seen on.
    pub last: u64,
    /// Length of its text.
    pub length: u32,
}

/// What `stream` remembers about a site.
#[derive(Clone, Debug, Default)]
pub struct StreamMemory {
    /// Number of the last page.
    page: u64,
    rows: HashMap<Fingerprint, Seen>,
    /// The beginning of each text that has been a template segment.
    excerpts: HashMap<Fingerprint, Box<str>>,
    changed: HashSet<Fingerprint>,
    /// The rows to check on each page, built when the first page is learned. A row that was seen
    /// again in the meantime is rescheduled when its page comes, so that the cost of a page depends
    /// on the page and not on the table.
    expiry: Option<BTreeMap<u64, Vec<Fingerprint>>>,
    /// Sum over pages of the number of rows when the page arrived (AverageSize of the paper).
    rows_sum: u64,
    rows_count: u64,
    dropped: u64,
}

impl StreamMemory {
    /// Steps 2 and 4 of the paper. Returns the page's distinct keys, which undo it.
    pub(super) fn learn(
        &mut self,
        params: &StreamParams,
        segments: &[Segment],
        visit: Visit<'_>,
        text_of: &mut dyn FnMut(NodeId) -> String,
    ) -> Vec<u8> {
        let keyed = segments.iter().map(|segment| (short(segment.key), segment));
        let mut distinct: Vec<(Fingerprint, &Segment)> = keyed.collect();
        // Stable, so that of two texts with one key the first counts.
        distinct.sort_by_key(|(key, _)| *key);
        distinct.dedup_by_key(|(key, _)| *key);
        // A changed page keeps its position in the count. Segments that it no longer has are
        // subtracted, and those it still has are not counted again.
        let mut former: HashSet<Fingerprint> = HashSet::default();
        match visit.former {
            None => self.page += 1,
            Some(contribution) => former.extend(keys(contribution)),
        }
        for (key, _) in &distinct {
            let known = former.remove(key) && self.rows.contains_key(key);
            if known {
                self.rows.entry(*key).and_modify(|row| row.df -= 1);
            }
        }
        for key in former {
            self.take_back(key);
            if self.df(key) < params.df {
                self.excerpts.remove(&key);
            }
        }
        let mut expiry = self.expiry.take().unwrap_or_else(|| self.file_all(params));
        let contribution = key_bytes(distinct.iter().map(|(key, _)| *key));
        for (key, segment) in distinct {
            let row = self.rows.entry(key).or_insert_with(|| {
                let due = dropped_at(self.page, 1, params.tb, params.n);
                expiry.entry(due).or_default().push(key);
                Seen {
                    df: 0,
                    last: 0,
                    length: segment.length,
                }
            });
            row.df = row.df.saturating_add(1);
            row.last = self.page;
            if row.df >= params.df && !self.excerpts.contains_key(&key) {
                let text = text_of(segment.node);
                let excerpt = &text[..text.floor_char_boundary(EXCERPT_BYTES)];
                self.excerpts.insert(key, excerpt.into());
            }
            self.changed.insert(key);
        }
        self.rows_sum = self.rows_sum.saturating_add(self.rows.len() as u64);
        self.rows_count += 1;
        self.shrink(params, &mut expiry);
        self.expiry = Some(expiry);
        contribution
    }

    /// Step 4: drops segments that have not been seen for longer than their lifetime.
    fn shrink(&mut self, params: &StreamParams, expiry: &mut BTreeMap<u64, Vec<Fingerprint>>) {
        while let Some(entry) = expiry.first_entry() {
            if *entry.key() > self.page {
                break;
            }
            for key in entry.remove() {
                let Some(row) = self.rows.get(&key) else {
                    continue;
                };
                let due = dropped_at(row.last, row.df, params.tb, params.n);
                if due > self.page {
                    expiry.entry(due).or_default().push(key);
                } else {
                    self.remove(key);
                    self.dropped += 1;
                }
            }
        }
    }

    fn file_all(&self, params: &StreamParams) -> BTreeMap<u64, Vec<Fingerprint>> {
        let mut expiry: BTreeMap<u64, Vec<Fingerprint>> = BTreeMap::new();
        for (key, row) in &self.rows {
            let due = dropped_at(row.last, row.df, params.tb, params.n);
            expiry.entry(due).or_default().push(*key);
        }
        expiry
    }

    /// Decrements the page count of a segment.
    fn take_back(&mut self, key: Fingerprint) {
        match self.rows.get_mut(&key) {
            Some(row) if row.df > 1 => {
                row.df -= 1;
                self.changed.insert(key);
            }
            Some(_) => self.remove(key),
            // It had expired already.
            None => {}
        }
    }

    fn remove(&mut self, key: Fingerprint) {
        self.rows.remove(&key);
        self.excerpts.remove(&key);
        self.changed.insert(key);
    }

    /// The number of pages that contain a segment, as far as the table remembers.
    pub fn df(&self, key: Fingerprint) -> u32 {
        self.rows.get(&short(key)).map_or(0, |row| row.df)
    }

    /// The rows of the table, in no particular order.
    pub fn table(&self) -> impl Iterator<Item = (Fingerprint, Seen)> {
        self.rows.iter().map(|(key, row)| (*key, *row))
    }

    /// The number of the last page, which is the number of pages learned.
    pub fn pages(&self) -> u64 {
        self.page
    }

    /// Bytes of the table.
    pub fn table_bytes(&self) -> u64 {
        self.rows.len() as u64 * ROW_BYTES
    }

    /// The paper's AverageSize: mean size of the table in bytes when a page arrived.
    pub fn average_size(&self) -> f64 {
        self.rows_sum as f64 / self.rows_count.max(1) as f64 * ROW_BYTES as f64
    }

    /// Number of rows dropped so far because they expired.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The learned frame texts, those that cover most text first: excerpt, row.
    pub fn top_texts(&self, most: usize) -> Vec<(&str, Seen)> {
        let covers = |seen: &Seen| (seen.df, seen.length);
        top_texts(&self.excerpts, &self.rows, covers, most)
    }

    fn row_bytes(&self, key: Fingerprint, row: &Seen) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16);
        bytes.extend(row.df.to_le_bytes());
        bytes.extend(row.last.to_le_bytes());
        bytes.extend(row.length.to_le_bytes());
        if let Some(excerpt) = self.excerpts.get(&key) {
            bytes.extend(excerpt.as_bytes());
        }
        bytes
    }
}

impl Memory for StreamMemory {
    fn load(&mut self, _: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let mut fields = Fields(row);
        let (df, last, length) = (fields.u32(), fields.u64(), fields.u32());
        let (Some(df), Some(last), Some(length)) = (df, last, length) else {
            return Err(BadRow);
        };
        if df == 0 {
            return Err(BadRow);
        }
        if !fields.0.is_empty() {
            let excerpt = std::str::from_utf8(fields.0).map_err(|_| BadRow)?;
            self.excerpts.insert(key, excerpt.into());
        }
        self.rows.insert(key, Seen { df, last, length });
        Ok(())
    }

    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
        let mut fields = Fields(head);
        let mut next = || fields.u64().ok_or(BadRow);
        (self.page, self.rows_sum) = (next()?, next()?);
        (self.rows_count, self.dropped) = (next()?, next()?);
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        [self.page, self.rows_sum, self.rows_count, self.dropped]
            .map(u64::to_le_bytes)
            .concat()
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        let mut sorted: Vec<_> = self.rows.iter().collect();
        sorted.sort_unstable_by_key(|(key, _)| **key);
        for (key, row) in sorted {
            write(0, *key, Some(&self.row_bytes(*key, row)));
        }
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        let mut sorted: Vec<_> = self.changed.drain().collect();
        sorted.sort_unstable();
        for key in sorted {
            match self.rows.get(&key) {
                Some(row) => write(0, key, Some(&self.row_bytes(key, row))),
                None => write(0, key, None),
            }
        }
    }

    fn unlearn(&mut self, _: Fingerprint, contribution: &[u8]) {
        self.page = self.page.saturating_sub(1);
        keys(contribution).for_each(|key| self.take_back(key));
    }

    /// Frequencies are added. Ages are preserved: a segment last seen `a` pages before the end of
    /// either history was last seen `a` pages before the end of the joint one.
    fn merge(&mut self, other: Self) {
        let page = self.page.saturating_add(other.page);
        let age = |memory: &StreamMemory, row: &Seen| memory.page - row.last.min(memory.page);
        let mut ages: HashMap<Fingerprint, u64> = HashMap::default();
        for (key, row) in &self.rows {
            ages.insert(*key, age(self, row));
        }
        for (key, row) in &other.rows {
            let age = age(&other, row);
            ages.entry(*key)
                .and_modify(|mine| *mine = age.min(*mine))
                .or_insert(age);
            let mine = self.rows.entry(*key).or_insert(Seen { df: 0, ..*row });
            mine.df = mine.df.saturating_add(row.df);
        }
        for (key, age) in ages {
            let row = self.rows.get_mut(&key).expect("just put there");
            row.last = page - age;
            self.changed.insert(key);
        }
        for (key, text) in other.excerpts {
            self.excerpts.entry(key).or_insert(text);
        }
        self.page = page;
        self.rows_sum = self.rows_sum.saturating_add(other.rows_sum);
        self.rows_count += other.rows_count;
        self.dropped += other.dropped;
        self.expiry = None;
    }

    fn lists_keys() -> bool {
        true
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self) -> usize {
        /// Of a key in the lists of what expires, which grow by doubling.
        const EXPIRY_BYTES: usize = 24;
        let expiry = self
            .expiry
            .as_ref()
            .map_or(0, |_| EXPIRY_BYTES * self.rows.len());
        let tables = map_bytes(&self.rows) + set_bytes(&self.changed);
        tables + excerpt_bytes(&self.excerpts) + expiry
    }

    fn figures(&self) -> Vec<Figure> {
        vec![
            Figure::count("segments", self.len() as u64).column("segments"),
            Figure::bytes("table_bytes", self.table_bytes()).column("table"),
            Figure::count("dropped", self.dropped()).column("dropped"),
            Figure::new("average_size", Amount::Mean(self.average_size())),
        ]
    }

    fn frame_texts(&self, most: usize) -> Vec<FrameText> {
        let texts = self.top_texts(most).into_iter();
        let texts = texts.map(|(text, seen)| FrameText {
            text: text.into(),
            pages: seen.df,
            length: seen.length,
        });
        texts.collect()
    }

    fn wrong_counts(&self, ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        let recount = ledger_counts(ledger);
        // Rows that were dropped in between cannot be recounted.
        let whole = self.dropped() == 0;
        let wrong = self.table().filter(|(key, seen)| {
            let counted = recount.get(key).copied().unwrap_or(0);
            seen.df > counted || (whole && seen.df != counted)
        });
        wrong.count() as u64 + u64::from(whole && self.len() != recount.len())
    }
}
