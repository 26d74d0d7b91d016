//! Lists of keys, each known by the row that it is a key of.
//!
//! Methods that count keys undo a page by its keys. Most keys of a site are on one page only. So the
//! rows are ordered by the first page that has them: a page says how many of the next rows are its own,
//! and only keys of earlier pages, which are those of the frame, are written as numbers of their rows.
//!
//! ```text
//! page:  rows that begin here · number of others · differences of their numbers
//! ```

use foldhash::HashMap;

use crate::coding::put_number;
use crate::memory::{BadRow, Row};
use crate::record::Fields;

/// Bytes of a key in a contribution.
const KEY_BYTES: usize = 8;

/// The keys of a contribution.
fn keys(contribution: &[u8]) -> impl Iterator<Item = u128> {
    let (keys, _) = contribution.as_chunks::<KEY_BYTES>();
    keys.iter().map(|key| u64::from_be_bytes(*key).into())
}

/// Orders the rows of the first table by page, and writes the lists. Keys without a row are left out:
/// a row that is gone needs no undoing.
pub(crate) fn write<'r>(rows: &'r [Row], lists: &[&[u8]]) -> (Vec<&'r Row>, Vec<u8>) {
    let known = rows.iter().filter(|(table, _, _)| *table == 0);
    let mut waiting: HashMap<u128, &Row> = known.map(|row| (row.1.0, row)).collect();
    let mut numbers: HashMap<u128, u64> = HashMap::default();
    let mut ordered: Vec<&Row> = Vec::with_capacity(rows.len());
    let mut out = Vec::new();
    for list in lists {
        let (mut own, mut others): (Vec<&Row>, Vec<u64>) = (Vec::new(), Vec::new());
        for key in keys(list) {
            match waiting.remove(&key) {
                Some(row) => own.push(row),
                None => others.extend(numbers.get(&key)),
            }
        }
        own.sort_unstable_by_key(|row| row.1);
        others.sort_unstable();
        put_number(&mut out, own.len() as u64);
        put_number(&mut out, others.len() as u64);
        let mut former = 0;
        for number in others {
            put_number(&mut out, number - std::mem::replace(&mut former, number));
        }
        for row in own {
            numbers.insert(row.1.0, ordered.len() as u64);
            ordered.push(row);
        }
    }
    let mut rest: Vec<&Row> = waiting.into_values().collect();
    rest.extend(rows.iter().filter(|(table, _, _)| *table != 0));
    rest.sort_unstable_by_key(|(table, key, _)| (*table, *key));
    ordered.extend(rest);
    (ordered, out)
}

/// The lists of `pages` pages, from the rows in the order that [`write()`] gave them.
pub(crate) fn read(rows: &[Row], pages: usize, lists: &[u8]) -> Result<Vec<Vec<u8>>, BadRow> {
    let first_table = rows.iter().take_while(|(table, _, _)| *table == 0);
    let keys: Vec<u64> = first_table.map(|(_, key, _)| key.0 as u64).collect();
    let mut fields = Fields(lists);
    let (mut next, mut found) = (0, Vec::new());
    for _ in 0..pages {
        let own = usize::try_from(fields.number()?).map_err(|_| BadRow)?;
        let others = fields.count(1)?;
        let end = keys.len().min(next + own.min(keys.len()));
        let mut list = keys[next..end].to_vec();
        if list.len() != own {
            return Err(BadRow);
        }
        let mut number = 0u64;
        for _ in 0..others {
            number = number.checked_add(fields.number()?).ok_or(BadRow)?;
            let at = usize::try_from(number).map_err(|_| BadRow)?;
            list.push(*keys[..next].get(at).ok_or(BadRow)?);
        }
        next = end;
        list.sort_unstable();
        found.push(list.iter().flat_map(|key| key.to_be_bytes()).collect());
    }
    match fields.0.is_empty() {
        true => Ok(found),
        false => Err(BadRow),
    }
}

#[cfg(test)]
mod tests {
    use unframe_page::Fingerprint;

    use super::*;

    #[test]
    fn lists_come_back_without_the_keys_that_are_gone() {
        let row = |table: u8, key: u128| (table, Fingerprint(key), vec![key as u8]);
        let rows = vec![row(0, 9), row(0, 1), row(0, 5), row(1, 4), row(0, 2)];
        let list =
            |keys: &[u64]| -> Vec<u8> { keys.iter().flat_map(|key| key.to_be_bytes()).collect() };
        let lists = [
            list(&[5, 9, 77]),
            list(&[1, 5]),
            list(&[]),
            list(&[1, 5, 9]),
        ];
        let given: Vec<&[u8]> = lists.iter().map(|list| &**list).collect();
        let (ordered, out) = write(&rows, &given);
        let ordered: Vec<Row> = ordered.into_iter().cloned().collect();
        let keys: Vec<u128> = ordered.iter().map(|row| row.1.0).collect();
        assert_eq!(keys, [5, 9, 1, 2, 4]);
        let found = read(&ordered, 4, &out).unwrap();
        assert_eq!(found[0], list(&[5, 9]));
        assert_eq!(found[1..], lists[1..]);
        for cut in 0..out.len() {
            assert!(read(&ordered, 4, &out[..cut]).is_err());
        }
        assert!(read(&ordered[..2], 4, &out).is_err());
    }
}
