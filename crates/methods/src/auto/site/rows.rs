//! A table of the memory that tracks which rows have changed.

use std::hash::Hash;

use foldhash::HashMap;

/// Rows by their keys.
#[derive(Clone, Debug)]
pub(super) struct Rows<K, V> {
    rows: HashMap<K, Row<V>>,
    /// Keys of changed rows, removed ones included; duplicates are rare.
    changed: Vec<K>,
}

#[derive(Clone, Debug)]
struct Row<V> {
    value: V,
    changed: bool,
}

impl<K, V> Default for Rows<K, V> {
    fn default() -> Self {
        Rows {
            rows: HashMap::default(),
            changed: Vec::new(),
        }
    }
}

impl<K: Copy + Eq + Ord + Hash, V> Rows<K, V> {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn get(&self, key: K) -> Option<&V> {
        self.rows.get(&key).map(|row| &row.value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.rows.iter().map(|(key, row)| (*key, &row.value))
    }

    pub fn into_iter(self) -> impl Iterator<Item = (K, V)> {
        self.rows.into_iter().map(|(key, row)| (key, row.value))
    }

    /// A row to be changed, inserted if there is none.
    pub fn change_or_insert(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        let row = self.rows.entry(key).or_insert_with(|| Row {
            value: new(),
            changed: false,
        });
        row.change(key, &mut self.changed)
    }

    /// A row to be changed, if there is one.
    pub fn change(&mut self, key: K) -> Option<&mut V> {
        let row = self.rows.get_mut(&key)?;
        Some(row.change(key, &mut self.changed))
    }

    /// Removes a row that has been marked as changed.
    pub fn remove(&mut self, key: K) {
        self.rows.remove(&key);
    }

    /// Inserts a row as it was stored.
    pub fn load(&mut self, key: K, value: V) {
        let changed = false;
        self.rows.insert(key, Row { value, changed });
    }

    /// All keys, sorted.
    pub fn keys(&self) -> Vec<K> {
        let mut keys: Vec<K> = self.rows.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// The keys of the rows that have changed since the last call, sorted.
    pub fn take_changed(&mut self) -> Vec<K> {
        let mut keys = std::mem::take(&mut self.changed);
        keys.sort_unstable();
        keys.dedup();
        for key in &keys {
            if let Some(row) = self.rows.get_mut(key) {
                row.changed = false;
            }
        }
        keys
    }

    /// Bytes of memory in use: a hash map has a control byte per entry and an eighth of its entries free.
    pub fn bytes(&self) -> usize {
        let entries = self.rows.capacity();
        (entries + entries / 7) * (size_of::<(K, Row<V>)>() + 1)
            + self.changed.capacity() * size_of::<K>()
    }
}

impl<V> Row<V> {
    fn change<K>(&mut self, key: K, changed: &mut Vec<K>) -> &mut V {
        if !self.changed {
            self.changed = true;
            changed.push(key);
        }
        &mut self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_once() {
        let mut rows: Rows<u64, u32> = Rows::default();
        rows.load(7, 1);
        for key in [3, 1, 3] {
            *rows.change_or_insert(key, || 0) += 1;
        }
        assert_eq!(rows.get(3), Some(&2));
        assert_eq!(rows.take_changed(), [1, 3]);
        assert!(rows.take_changed().is_empty());
        *rows.change(7).unwrap() = 2;
        assert_eq!(rows.change(8), None);
        assert_eq!(rows.take_changed(), [7]);
    }

    #[test]
    fn a_row_that_is_gone_has_changed() {
        let mut rows: Rows<u64, u32> = Rows::default();
        rows.load(5, 1);
        rows.change(5);
        rows.remove(5);
        rows.change_or_insert(5, || 0);
        rows.change(5);
        rows.remove(5);
        assert_eq!((rows.take_changed(), rows.len()), (vec![5], 0));
    }
}
