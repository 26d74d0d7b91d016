//! What a method remembers of one site, as the store sees it: rows under fingerprints.
//!
//! The store knows nothing of the methods. A method brings a type that can write its rows, take
//! them back, and undo what a page contributed; tables, rows and their bytes are its own affair.

use unframe_page::Fingerprint;

/// One row of a method's tables: the table's number, the key, and the bytes, or `None` if the row
/// is gone.
pub type WriteRow<'a> = dyn FnMut(u8, Fingerprint, Option<&[u8]>) + 'a;

/// A row or head that a method cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored row has a shape that this version does not know")]
pub struct BadRow;

/// What one method has learnt of one site.
pub trait Memory: Default + Send + Sync {
    /// The method's name, under which the store files it.
    const METHOD: &'static str;

    /// Takes back a stored row.
    fn load(&mut self, table: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow>;

    /// Takes back the numbers that are not in rows; called before the rows.
    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow>;

    /// The numbers that are not in rows.
    fn head(&self) -> Vec<u8>;

    /// Writes every row.
    fn rows(&self, write: &mut WriteRow<'_>);

    /// Writes the rows that changed since this was last called, and forgets that they did.
    fn take_changes(&mut self, write: &mut WriteRow<'_>);

    /// Undoes what a page once contributed; the bytes are those that learning it returned.
    fn unlearn(&mut self, contribution: &[u8]);

    /// Adds what another memory has learnt from other pages of the same site.
    fn merge(&mut self, other: Self);

    /// How many rows there are.
    fn len(&self) -> usize;

    /// Memory that it takes, roughly.
    fn bytes(&self) -> usize {
        /// Of a short row with its key.
        const ROW_BYTES: usize = 64;
        self.len() * ROW_BYTES
    }

    /// True if nothing has been learnt.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
