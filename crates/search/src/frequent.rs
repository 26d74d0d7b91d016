//! Finds the most frequent items of a stream in bounded memory.

use std::collections::HashMap;

/// Counts items and drops the rare ones when there are too many (Misra and Gries, 1982, in
/// batches). No item that was seen more than [`missed`](FrequentItems::missed) times is dropped,
/// and no count is too small by more than that.
#[derive(Clone, Debug)]
pub struct FrequentItems {
    counts: HashMap<String, u64>,
    capacity: usize,
    missed: u64,
}

impl FrequentItems {
    /// A counter that holds at most twice this many items.
    pub fn new(capacity: usize) -> Self {
        FrequentItems {
            counts: HashMap::new(),
            capacity: capacity.max(1),
            missed: 0,
        }
    }

    /// Counts an item once more.
    pub fn add(&mut self, item: &str) {
        if let Some(count) = self.counts.get_mut(item) {
            *count += 1;
            return;
        }
        self.counts.insert(item.to_string(), 1);
        if self.counts.len() >= 2 * self.capacity {
            self.forget();
        }
    }

    /// Subtracts from all counts that of the first item beyond the capacity.
    fn forget(&mut self) {
        let mut counts: Vec<u64> = self.counts.values().copied().collect();
        let at = self.capacity;
        let (_, cut, _) = counts.select_nth_unstable_by(at, |a, b| b.cmp(a));
        let cut = *cut;
        self.missed += cut;
        self.counts.retain(|_, count| {
            *count = count.saturating_sub(cut);
            *count > 0
        });
    }

    /// The maximum error of any count.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// The items with the highest counts, highest first; equal ones by name.
    pub fn top(&self, most: usize) -> Vec<(&str, u64)> {
        let mut items: Vec<(&str, u64)> = self
            .counts
            .iter()
            .map(|(item, count)| (item.as_str(), *count))
            .collect();
        items.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        items.truncate(most);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_items_survive_a_flood_of_rare_ones() {
        let mut counter = FrequentItems::new(10);
        for n in 0..1000 {
            counter.add("often");
            counter.add(["b", "a"][n % 2]);
            counter.add(&format!("rare {n}"));
            assert!(counter.counts.len() < 20);
        }
        let top: Vec<&str> = counter.top(3).into_iter().map(|(item, _)| item).collect();
        assert_eq!(top, ["often", "a", "b"]);
        let (_, count) = counter.top(1)[0];
        assert!(count <= 1000 && count + counter.missed() >= 1000);
    }

    #[test]
    fn few_items_are_counted_exactly() {
        let mut counter = FrequentItems::new(10);
        for item in ["x", "y", "x"] {
            counter.add(item);
        }
        assert_eq!(counter.top(9), [("x", 2), ("y", 1)]);
        assert_eq!(counter.missed(), 0);
    }
}
