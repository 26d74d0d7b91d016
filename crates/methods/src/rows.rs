//! What the memories that count keys have in common.

use foldhash::HashMap;
use unframe_page::Fingerprint;
use unframe_site::PageRecord;

/// The keys of a page as the ledger has them, one after another.
pub(crate) fn keys(contribution: &[u8]) -> impl Iterator<Item = Fingerprint> {
    let (keys, _) = contribution.as_chunks::<16>();
    keys.iter()
        .map(|key| Fingerprint(u128::from_be_bytes(*key)))
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
