//! Some pages of a site, reduced to their trees, that other pages are compared with.
//!
//! They are the pages of smallest hash of their identity, so that which they are does not depend
//! on the order in which pages come. Rows have at most 254 bytes, so a page is stored in pieces,
//! under its hash with the number of the piece in the lowest 16 bits.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use unframe_page::Fingerprint;
use unframe_site::{BadRow, Fields, Memory, WriteRow};

use super::kept_page::KeptPage;

/// Bytes of a page in one row.
const PIECE_BYTES: usize = 240;
/// Larger pages are not kept; they are labelled all the same.
const MOST_NODES: usize = 50_000;

/// What `links` remembers of a site.
#[derive(Debug, Default)]
pub struct LinksMemory {
    /// Pages learnt, kept or not.
    pages: u64,
    /// How many are kept at most.
    most: u32,
    /// How their trees were made; empty before the first page.
    rules: Box<str>,
    kept: BTreeMap<Place, Kept>,
    /// Places whose page came or went since they were last written, and in how many pieces what
    /// was there before is stored.
    changed: BTreeMap<Place, usize>,
}

/// The place of a page in the order of which the first are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place(u128);

impl Place {
    const PIECE: u128 = 0xffff;

    fn of(hash: Fingerprint) -> Self {
        Place(hash.0 & !Place::PIECE)
    }

    fn piece(self, number: usize) -> Fingerprint {
        Fingerprint(self.0 | number as u128 & Place::PIECE)
    }
}

/// A page that is kept: read back when it is first needed.
#[derive(Debug, Default)]
struct Kept {
    page: OnceLock<Option<KeptPage>>,
    /// As read from the store; empty if it was learnt in this run.
    pieces: BTreeMap<u16, Box<[u8]>>,
    /// In how many pieces it is stored.
    stored: usize,
}

impl Kept {
    fn page(&self) -> Option<&KeptPage> {
        let read = || KeptPage::decode(&self.bytes());
        self.page.get_or_init(read).as_ref()
    }

    fn bytes(&self) -> Vec<u8> {
        match self.page.get() {
            Some(Some(page)) if self.pieces.is_empty() => page.encode(),
            _ => self.pieces.values().flatten().copied().collect(),
        }
    }
}

impl LinksMemory {
    /// Keeps a page, if its place is among the first. Returns what undoes it.
    pub(super) fn learn(
        &mut self,
        most: u32,
        rules: &str,
        hash: Fingerprint,
        is_new: bool,
        page: impl FnOnce() -> KeptPage,
    ) -> Vec<u8> {
        if self.rules.is_empty() {
            (self.rules, self.most) = (rules.into(), most);
        }
        self.pages += u64::from(is_new);
        let place = Place::of(hash);
        let contribution = place.0.to_be_bytes().to_vec();
        self.leave(place);
        let last = self.kept.last_key_value().map(|(last, _)| *last);
        if self.kept.len() >= self.most as usize && last.is_some_and(|last| last < place) {
            return contribution;
        }
        let page = page();
        if page.tree.len() > MOST_NODES {
            return contribution;
        }
        let kept = Kept {
            page: OnceLock::from(Some(page)),
            ..Kept::default()
        };
        self.kept.insert(place, kept);
        self.changed.entry(place).or_default();
        self.keep_to_size();
        contribution
    }

    fn keep_to_size(&mut self) {
        while self.kept.len() > self.most as usize {
            let (last, _) = self.kept.last_key_value().expect("is not empty");
            let last = *last;
            self.leave(last);
        }
    }

    fn leave(&mut self, place: Place) {
        if let Some(kept) = self.kept.remove(&place) {
            let stored = self.changed.entry(place).or_default();
            *stored = kept.stored.max(*stored);
        }
    }

    /// The pages that are kept, in the order of their hashes.
    pub(super) fn kept(&self) -> impl Iterator<Item = &KeptPage> {
        self.kept.values().filter_map(Kept::page)
    }

    /// Pages learnt.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Pages that others are compared with.
    pub fn kept_pages(&self) -> usize {
        self.kept.len()
    }

    /// True if the page that contributed this place is kept.
    pub fn keeps(&self, place: Fingerprint) -> bool {
        self.kept.contains_key(&Place(place.0))
    }

    /// Kept pages whose stored bytes are damaged; they are not compared with.
    pub fn unreadable(&self) -> usize {
        let damaged = self.kept.values().filter(|kept| kept.page().is_none());
        damaged.count()
    }

    /// How trees were made, as the command line spells it; empty before the first page.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// How many pages are kept at most.
    pub fn most_pages(&self) -> u32 {
        self.most
    }

    /// Bytes of what is kept, as stored.
    pub fn table_bytes(&self) -> u64 {
        let bytes = self.kept.values().map(|kept| kept.bytes().len() as u64);
        bytes.sum()
    }
}

/// Writes the pieces of a page; returns how many there are.
fn write_page(place: Place, kept: &Kept, write: &mut WriteRow<'_>) -> usize {
    let bytes = kept.bytes();
    for (number, piece) in bytes.chunks(PIECE_BYTES).enumerate() {
        write(0, place.piece(number), Some(piece));
    }
    bytes.len().div_ceil(PIECE_BYTES)
}

impl Memory for LinksMemory {
    const METHOD: &'static str = "links";

    fn load(&mut self, _: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let number = (key.0 & Place::PIECE) as u16;
        let kept = self.kept.entry(Place::of(key)).or_default();
        kept.pieces.insert(number, row.into());
        kept.stored = kept.pieces.len();
        Ok(())
    }

    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
        let mut fields = Fields(head);
        self.pages = fields.u64().ok_or(BadRow)?;
        self.most = fields.u32().ok_or(BadRow)?;
        self.rules = std::str::from_utf8(fields.0).map_err(|_| BadRow)?.into();
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        let mut head = self.pages.to_le_bytes().to_vec();
        head.extend(self.most.to_le_bytes());
        head.extend(self.rules.as_bytes());
        head
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        for (place, kept) in &self.kept {
            write_page(*place, kept, write);
        }
    }

    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        for (place, before) in std::mem::take(&mut self.changed) {
            let now = match self.kept.get_mut(&place) {
                Some(kept) => {
                    kept.stored = write_page(place, kept, write);
                    kept.stored
                }
                None => 0,
            };
            for number in now..before {
                write(0, place.piece(number), None);
            }
        }
    }

    fn unlearn(&mut self, contribution: &[u8]) {
        self.pages = self.pages.saturating_sub(1);
        if let Some(place) = Fields(contribution).take() {
            self.leave(Place(u128::from_be_bytes(*place)));
        }
    }

    /// Of the pages of both the first are kept, which are those that one memory of all would have.
    fn merge(&mut self, other: Self) {
        if self.rules.is_empty() {
            (self.rules, self.most) = (other.rules, other.most);
        }
        self.pages = self.pages.saturating_add(other.pages);
        for (place, mut kept) in other.kept {
            self.leave(place);
            kept.stored = 0;
            self.kept.insert(place, kept);
            self.changed.entry(place).or_default();
        }
        self.keep_to_size();
    }

    /// The nodes that are kept, roughly.
    fn len(&self) -> usize {
        self.kept
            .values()
            .map(|kept| match kept.page.get() {
                Some(Some(page)) => page.tree.len(),
                _ => kept.pieces.len() * PIECE_BYTES / 8,
            })
            .sum()
    }
}
