//! What the memories that count keys have in common.

use foldhash::HashMap;
use unframe_page::{Fingerprint, Kind};
use unframe_site::{PageRecord, map_bytes};

/// The key of a text in a table: 48 bits of it, because a state is mostly keys. In a site of 100,000 texts,
/// one text in 3 thousand million is taken for another, and its page count is one too high.
pub(crate) fn short(key: Fingerprint) -> Fingerprint {
    Fingerprint(key.0 & ((1 << 48) - 1))
}

/// The keys of a page as the ledger has them, one after another.
pub(crate) fn keys(contribution: &[u8]) -> impl Iterator<Item = Fingerprint> {
    let (keys, _) = contribution.as_chunks();
    keys.iter()
        .map(|key| Fingerprint(u64::from_be_bytes(*key).into()))
}

/// What [`keys`] reads.
pub(crate) fn key_bytes(keys: impl Iterator<Item = Fingerprint>) -> Vec<u8> {
    keys.flat_map(|key| (key.0 as u64).to_be_bytes()).collect()
}

/// The rank of a page in the order of a sample, computed from its identity as [`Sites`] shorten it.
///
/// [`Sites`]: unframe_site::Sites
pub(crate) fn sample_place(page: Fingerprint, seed: &str) -> Fingerprint {
    let page = Fingerprint((page.0 as u64).into());
    Fingerprint::below(Kind::Sample, page, seed)
}

/// Bytes of excerpts and their table.
pub(crate) fn excerpt_bytes(excerpts: &HashMap<Fingerprint, Box<str>>) -> usize {
    /// Of an allocation of about a hundred bytes, on average, with what the allocator adds.
    const TEXT_BYTES: usize = 80;
    map_bytes(excerpts) + TEXT_BYTES * excerpts.len()
}

/// On how many pages of the ledger each key is.
pub(crate) fn ledger_counts(ledger: &[(Fingerprint, PageRecord)]) -> HashMap<Fingerprint, u32> {
    recount(ledger.iter().flat_map(|(_, page)| keys(&page.contribution)))
}

/// How often each key comes.
pub(crate) fn recount(keys: impl Iterator<Item = Fingerprint>) -> HashMap<Fingerprint, u32> {
    let mut counts: HashMap<Fingerprint, u32> = HashMap::default();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// Excerpts with their rows, those that cover most text first; `covers` is on how many pages a row
/// is, and how long.
pub(crate) fn top_texts<'a, R: Copy>(
    excerpts: &'a HashMap<Fingerprint, Box<str>>,
    rows: &HashMap<Fingerprint, R>,
    covers: impl Fn(&R) -> (u32, u32),
    most: usize,
) -> Vec<(&'a str, R)> {
    let mut found: Vec<_> = excerpts
        .iter()
        .filter_map(|(key, text)| Some((&**text, *rows.get(key)?)))
        .collect();
    found.sort_by(|a, b| {
        let weight = |row: &R| {
            let (pages, length) = covers(row);
            u64::from(pages) * u64::from(length)
        };
        weight(&b.1).cmp(&weight(&a.1)).then(a.0.cmp(b.0))
    });
    found.truncate(most);
    found
}
