//! Rows of a site, packed into pieces of bytes.
//!
//! A page changes about a hundred rows. Writing them one by one into a tree on disk would cost as
//! much as parsing the page, so the rows that changed since the last commit are written together,
//! as one piece. Loading a site reads its pieces in order; later rows replace earlier ones.
//!
//! ```text
//! piece:  row*
//! row:    table u8 · key u128 big-endian · length u8 · bytes
//! ```
//!
//! Length 255: the row is deleted. Length 254: the length follows, as a u32 little-endian.

use unframe_page::Fingerprint;

use crate::memory::{BadRow, Row};

/// A piece is closed when it has this many bytes.
pub(crate) const PIECE_BYTES: usize = 1 << 20;

const GONE: u8 = u8::MAX;
const LONG: u8 = GONE - 1;

/// Collects rows into pieces.
#[derive(Default)]
pub(crate) struct Pieces {
    full: Vec<Vec<u8>>,
    open: Vec<u8>,
}

impl Pieces {
    /// Adds a row.
    pub(crate) fn push(&mut self, table: u8, key: Fingerprint, row: Option<&[u8]>) {
        self.open.push(table);
        self.open.extend(key.0.to_be_bytes());
        match row {
            Some(row) => {
                match row.len() < usize::from(LONG) {
                    true => self.open.push(row.len() as u8),
                    false => {
                        self.open.push(LONG);
                        self.open.extend((row.len() as u32).to_le_bytes());
                    }
                }
                self.open.extend(row);
            }
            None => self.open.push(GONE),
        }
        if self.open.len() >= PIECE_BYTES {
            self.full.push(std::mem::take(&mut self.open));
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Vec<u8>> {
        if !self.open.is_empty() {
            self.full.push(self.open);
        }
        self.full
    }
}

/// Packs rows, whatever they mean.
pub(crate) fn pack(rows: &[Row]) -> Vec<u8> {
    let mut pieces = Pieces::default();
    for (table, key, row) in rows {
        pieces.push(*table, *key, Some(row));
    }
    pieces.finish().concat()
}

/// The rows that [`pack`] packed.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<Row>, BadRow> {
    let mut rows = Vec::new();
    read(packed, |table, key, row| {
        rows.push((table, key, row.ok_or(BadRow)?.to_vec()));
        Ok(())
    })?;
    Ok(rows)
}

/// Reads the rows of one piece.
pub(crate) fn read(
    mut piece: &[u8],
    mut row: impl FnMut(u8, Fingerprint, Option<&[u8]>) -> Result<(), BadRow>,
) -> Result<(), BadRow> {
    while let Some((head, rest)) = piece.split_at_checked(18) {
        let key = Fingerprint(u128::from_be_bytes(
            head[1..17].try_into().expect("16 bytes"),
        ));
        piece = rest;
        let length = match head[17] {
            GONE => {
                row(head[0], key, None)?;
                continue;
            }
            LONG => {
                let (length, rest) = piece.split_first_chunk().ok_or(BadRow)?;
                piece = rest;
                u32::from_le_bytes(*length) as usize
            }
            length => usize::from(length),
        };
        let (bytes, rest) = piece.split_at_checked(length).ok_or(BadRow)?;
        row(head[0], key, Some(bytes))?;
        piece = rest;
    }
    match piece.is_empty() {
        true => Ok(()),
        false => Err(BadRow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_in_order() {
        let mut pieces = Pieces::default();
        pieces.push(1, Fingerprint(7), Some(b"seven"));
        pieces.push(2, Fingerprint(u128::MAX), None);
        pieces.push(1, Fingerprint(0), Some(b""));
        let long = [253, 254, 255, 70_000].map(|length| vec![9; length]);
        for row in &long {
            pieces.push(3, Fingerprint(row.len() as u128), Some(row));
        }
        let bytes = pieces.finish().concat();
        let mut found = Vec::new();
        read(&bytes, |table, key, row| {
            found.push((table, key.0, row.map(<[u8]>::to_vec)));
            Ok(())
        })
        .unwrap();
        let mut expected = vec![
            (1, 7, Some(b"seven".to_vec())),
            (2, u128::MAX, None),
            (1, 0, Some(vec![])),
        ];
        expected.extend(long.map(|row| (3, row.len() as u128, Some(row))));
        assert_eq!(found, expected);
    }

    #[test]
    fn broken_pieces_are_refused() {
        let mut pieces = Pieces::default();
        pieces.push(1, Fingerprint(7), Some(&[7; 300]));
        let bytes = pieces.finish().concat();
        for cut in 1..bytes.len() {
            assert_eq!(read(&bytes[..cut], |_, _, _| Ok(())), Err(BadRow), "{cut}");
        }
    }
}
