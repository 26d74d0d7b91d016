//! What a method remembers about one site, as the store sees it: rows, keyed by fingerprints.
//!
//! The store knows nothing about the methods. A method provides a type that can write its rows,
//! load them again, and undo the contribution of a page; the meaning of tables, rows and bytes is
//! up to the method.

use unframe_page::Fingerprint;

/// Writes one row of a method's tables: the number of the table, the key, and the bytes, or `None`
/// if the row was deleted.
pub type WriteRow<'a> = dyn FnMut(u8, Fingerprint, Option<&[u8]>) + 'a;

/// A row or head that a method cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored row has a shape that this version does not know")]
pub struct BadRow;

/// What one method has learned about one site.
pub trait Memory: Default + Send + Sync {
    /// The name of the method, under which the store files it.
    const METHOD: &'static str;

    /// Loads a stored row.
    fn load(&mut self, table: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow>;

    /// Loads the numbers that are not in rows; called before the rows.
    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow>;

    /// The numbers that are not in rows.
    fn head(&self) -> Vec<u8>;

    /// Writes every row.
    fn rows(&self, write: &mut WriteRow<'_>);

    /// Writes the rows that changed since the last call, and marks them as unchanged.
    fn take_changes(&mut self, write: &mut WriteRow<'_>);

    /// Undoes the contribution of a page; the bytes are those that learning it returned.
    fn unlearn(&mut self, contribution: &[u8]);

    /// Adds what another memory has learned from other pages of the same site.
    fn merge(&mut self, other: Self);

    /// The number of rows.
    fn len(&self) -> usize;

    /// Approximate memory use in bytes.
    fn bytes(&self) -> usize {
        /// The approximate size of a short row with its key.
        const ROW_BYTES: usize = 64;
        self.len() * ROW_BYTES
    }

    /// True if nothing has been learned.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
