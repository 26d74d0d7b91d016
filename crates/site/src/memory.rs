//! What a method remembers of one site, as the store sees it: rows under fingerprints.
//!
//! The store knows nothing of the methods. A method brings a type that can write its rows, read
//! them back, and undo what a page contributed. Tables, rows and their bytes are its own affair.

use std::any::{Any, type_name};
use std::fmt;

use unframe_page::Fingerprint;

use crate::figure::{Figure, FrameText};
use crate::record::PageRecord;
use crate::rows;
use crate::sampling::Sampling;

/// One row of a method's tables: the number of the table, the key, and the bytes, or `None` if the
/// row is gone.
pub type WriteRow<'a> = dyn FnMut(u8, Fingerprint, Option<&[u8]>) + 'a;

/// A row that is kept.
pub type Row = (u8, Fingerprint, Vec<u8>);

/// A row or head that a method cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored row has a shape that this version does not know")]
pub struct BadRow;

/// What one method has learned of one site.
///
/// Sites and stores hold it as `dyn Memory`; [`MemoryKind`] creates and merges memories of one type.
pub trait Memory: Any + Send + Sync {
    /// Reads back a stored row.
    fn load(&mut self, table: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow>;

    /// Reads back the numbers that are not in rows; called before the rows.
    fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow>;

    /// The numbers that are not in rows.
    fn head(&self) -> Vec<u8>;

    /// Writes every row.
    fn rows(&self, write: &mut WriteRow<'_>);

    /// Writes the rows that changed since this was last called, and marks them as unchanged.
    fn take_changes(&mut self, write: &mut WriteRow<'_>);

    /// Undoes what a page once contributed; the bytes are those that learning it returned.
    fn unlearn(&mut self, page: Fingerprint, contribution: &[u8]);

    /// All rows of a site as few bytes.
    fn pack(rows: &[Row]) -> Vec<u8>
    where
        Self: Sized,
    {
        rows::pack(rows)
    }

    /// The rows that [`pack`](Memory::pack) packed, in any order.
    fn unpack(packed: &[u8]) -> Result<Vec<Row>, BadRow>
    where
        Self: Sized,
    {
        rows::unpack(packed)
    }

    /// True if contributions are the keys of rows of table 0, eight bytes each, big-endian. They are
    /// then stored as references to the rows. A key without a row is not stored: what was dropped
    /// needs no undoing.
    fn lists_keys() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Adds what another memory has learned from other pages of the same site.
    fn merge(&mut self, other: Self)
    where
        Self: Sized;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Bytes of main memory that it takes, with room that it has allocated and does not use:
    /// [`map_bytes`](crate::map_bytes) counts that of hash maps. Called for each page.
    fn bytes(&self) -> usize {
        /// Of a short row with its key, in a hash map.
        const ROW_BYTES: usize = 64;
        self.len() * ROW_BYTES
    }

    /// True if nothing has been learned.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How it was learned, in the words of the command line, if memories that were learned in
    /// another way cannot be added to it. Known from the head alone.
    fn learned_with(&self) -> Option<&str> {
        None
    }

    /// What it holds, in numbers.
    fn figures(&self) -> Vec<Figure> {
        vec![Figure::count("rows", self.len() as u64).column("rows")]
    }

    /// Which pages it remembers, if it is a sample of them. Others need not be learned, and those that have
    /// dropped out of the sample once never return.
    fn sampling(&self) -> Sampling {
        Sampling::ALL
    }

    /// The frame texts that cover most text, at most `most` of them. Empty if the method keeps no
    /// texts.
    fn frame_texts(&self, _most: usize) -> Vec<FrameText> {
        Vec::new()
    }

    /// How many of its counts differ from a recount of the pages in the ledger.
    fn wrong_counts(&self, _ledger: &[(Fingerprint, PageRecord)]) -> u64 {
        0
    }
}

impl dyn Memory {
    /// The memory as the type that its method knows; `None` if it belongs to another method.
    pub fn downcast_ref<M: Memory>(&self) -> Option<&M> {
        (self as &dyn Any).downcast_ref()
    }

    /// The same, to be changed.
    pub fn downcast_mut<M: Memory>(&mut self) -> Option<&mut M> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// The memory of one method: the name and version that the store files it under, and how to create
/// and merge it.
#[derive(Clone, Copy)]
pub struct MemoryKind {
    /// The name of the method.
    pub method: &'static str,
    /// The version of its keys, rows, heads and contributions. What was stored by another version
    /// is refused.
    pub version: u32,
    create: fn() -> Box<dyn Memory>,
    merge: fn(&mut dyn Memory, Box<dyn Memory>),
    lists_keys: fn() -> bool,
    pack: fn(&[Row]) -> Vec<u8>,
    unpack: fn(&[u8]) -> Result<Vec<Row>, BadRow>,
}

impl MemoryKind {
    /// The memory of the method that is called `method`.
    pub fn of<M: Memory + Default>(method: &'static str, version: u32) -> MemoryKind {
        MemoryKind {
            method,
            version,
            create: || Box::new(M::default()),
            merge: |into, from| {
                let from: Box<dyn Any> = from;
                match (into.downcast_mut::<M>(), from.downcast::<M>()) {
                    (Some(into), Ok(from)) => into.merge(*from),
                    _ => unreachable!("memories of one kind are {}", type_name::<M>()),
                }
            },
            lists_keys: M::lists_keys,
            pack: M::pack,
            unpack: M::unpack,
        }
    }

    /// A memory that has learned nothing yet.
    pub fn create(&self) -> Box<dyn Memory> {
        (self.create)()
    }

    /// True if contributions are keys of rows.
    pub(crate) fn lists_keys(&self) -> bool {
        (self.lists_keys)()
    }

    /// All rows of a site as few bytes.
    pub fn pack(&self, rows: &[Row]) -> Vec<u8> {
        (self.pack)(rows)
    }

    /// The rows that [`pack`](MemoryKind::pack) packed, in any order.
    pub fn unpack(&self, packed: &[u8]) -> Result<Vec<Row>, BadRow> {
        (self.unpack)(packed)
    }

    /// Adds one memory of this kind to another.
    pub fn merge(&self, into: &mut dyn Memory, from: Box<dyn Memory>) {
        (self.merge)(into, from);
    }
}

impl fmt::Debug for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryKind({} {})", self.method, self.version)
    }
}
