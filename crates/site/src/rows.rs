//! The rows of a site as few bytes, whatever they mean.
//!
//! ```text
//! rows:   table*
//! table:  number u8 · rows · width of a key u8 · least length of a row
//!         · keys · lengths beyond the least · first bytes of the rows · what is beyond
//! ```
//!
//! Keys are written as differences and the beginnings of the rows as planes, so that bytes of the same
//! meaning are side by side. Keys are hashes; a method that can live with shorter ones than 128 bits
//! saves most of its state by that, and nothing else has to be changed.

use unframe_page::Fingerprint;

use crate::coding::{put_differences, put_number};
use crate::memory::{BadRow, Row};
use crate::record::Fields;

/// Packs rows; equal rows in another order give the same bytes.
pub(crate) fn pack(rows: &[Row]) -> Vec<u8> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_unstable_by_key(|(table, key, _)| (*table, *key));
    pack_in_order(&sorted)
}

/// Packs rows in the order given, which unpacking keeps. Rows of a table must be side by side.
pub(crate) fn pack_in_order(rows: &[&Row]) -> Vec<u8> {
    let mut out = Vec::new();
    for table in rows.chunk_by(|a, b| a.0 == b.0) {
        let keys: Vec<u128> = table.iter().map(|(_, key, _)| key.0).collect();
        let bits = keys.iter().fold(0, |all, key| all | key);
        let width = (16 - bits.leading_zeros() as usize / 8).max(1);
        let least = table.iter().map(|(_, _, row)| row.len()).min();
        let least = least.unwrap_or(0);
        out.push(table[0].0);
        put_number(&mut out, table.len() as u64);
        out.push(width as u8);
        put_number(&mut out, least as u64);
        put_differences(&mut out, width, &keys);
        for (_, _, row) in table {
            put_number(&mut out, (row.len() - least) as u64);
        }
        for at in 0..least {
            out.extend(table.iter().map(|(_, _, row)| row[at]));
        }
        for (_, _, row) in table {
            out.extend(&row[least..]);
        }
    }
    out
}

/// The rows that [`pack`] packed.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<Row>, BadRow> {
    let mut fields = Fields(packed);
    let mut rows: Vec<Row> = Vec::new();
    while !fields.0.is_empty() {
        let [table] = *fields.take().ok_or(BadRow)?;
        // A row has at least a byte of its key and its length.
        let count = fields.count(2)?;
        let [width] = *fields.take().ok_or(BadRow)?;
        let least = usize::try_from(fields.number()?).map_err(|_| BadRow)?;
        let keys = fields.differences(width.into(), count)?;
        let mut beyond = Vec::with_capacity(count);
        for _ in 0..count {
            beyond.push(fields.count(1)?);
        }
        let planes = fields.bytes(least.checked_mul(count).ok_or(BadRow)?)?;
        for (at, (key, beyond)) in keys.into_iter().zip(beyond).enumerate() {
            let end = fields.bytes(beyond)?;
            let mut row = Vec::with_capacity(least + beyond);
            row.extend((0..least).map(|plane| planes[plane * count + at]));
            row.extend(end);
            rows.push((table, Fingerprint(key), row));
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let mut rows = vec![
            (1, Fingerprint(7), b"seven".to_vec()),
            (1, Fingerprint(0), vec![]),
            (2, Fingerprint(u128::MAX), b"most".to_vec()),
        ];
        let long = [253, 254, 70_000].map(|length| vec![9; length]);
        rows.extend(long.map(|row| (3, Fingerprint(row.len() as u128), row)));
        rows
    }

    #[test]
    fn rows_come_back() {
        let mut rows = rows();
        let packed = pack(&rows);
        rows.reverse();
        assert_eq!(pack(&rows), packed, "equal rows, equal bytes");
        rows.sort();
        assert_eq!(unpack(&packed), Ok(rows));
        assert_eq!(unpack(&[]), Ok(vec![]));
    }

    #[test]
    fn broken_rows_are_refused() {
        let packed = pack(&rows()[..3]);
        for cut in 1..packed.len() {
            // What is left may be a whole number of tables.
            if let Ok(rows) = unpack(&packed[..cut]) {
                assert!(rows.len() < 3, "{cut}");
            }
        }
        for at in 0..packed.len() {
            for bit in 0..8 {
                let mut changed = packed.clone();
                changed[at] ^= 1 << bit;
                let _ = unpack(&changed);
            }
        }
    }
}
