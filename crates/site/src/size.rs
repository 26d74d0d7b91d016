//! What is really held in main memory and on disk.

use std::hash::BuildHasher;

/// Bytes that a hash map or set has allocated, not counting what its entries point to. Its table has a
/// power of two of places, of which at most seven in eight are used, and a byte of its own for each.
pub fn map_bytes<K, V, S: BuildHasher>(map: &std::collections::HashMap<K, V, S>) -> usize {
    table_bytes(map.capacity(), size_of::<(K, V)>())
}

/// The same of a set.
pub fn set_bytes<K, S: BuildHasher>(set: &std::collections::HashSet<K, S>) -> usize {
    table_bytes(set.capacity(), size_of::<K>())
}

fn table_bytes(capacity: usize, entry: usize) -> usize {
    match capacity {
        0 => 0,
        1..8 => 8 * (entry + 1) + 16,
        _ => (capacity * 8 / 7).next_power_of_two() * (entry + 1) + 16,
    }
}

/// What a state takes on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateSize {
    /// The length of the file.
    pub bytes: u64,
    /// The bytes of the pages that were learned; if several methods have learned, of the one that has
    /// learned most.
    pub page_bytes: u64,
}

impl StateSize {
    /// The share of the page bytes; 0 if there are none.
    pub fn share(&self) -> f64 {
        match self.page_bytes {
            0 => 0.0,
            bytes => self.bytes as f64 / bytes as f64,
        }
    }
}
