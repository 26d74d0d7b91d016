//! Forests as bytes, so that a program does not parse hundreds of thousands of decimals at its start.
//!
//! Numbers of one kind stand together, and splits and values that occur often are in a list from which they
//! are told by their place. So the bytes are half as large, and two thirds when both are compressed.
//!
//! In this order, all numbers being little-endian: the number of forests and, for each, its bias, its sure,
//! the early exits below and above, each list after its length, and its number of trees; the list of splits,
//! first the features, then the thresholds; the list of values; and for all trees the places of their
//! splits, then the places of their values, then their covers, seven bits in a byte.

use std::collections::HashMap;
use std::hash::Hash;

use super::{EarlyExit, EarlyExits, Forest, Split, Tree};

impl Forest {
    /// Forests as bytes, which `all_from_bytes` reads back unchanged.
    ///
    /// # Panics
    ///
    /// If they have more than 65,536 different splits or values.
    pub fn all_to_bytes(forests: &[Forest]) -> Vec<u8> {
        let trees = || forests.iter().flat_map(|forest| &forest.trees);
        let splits = List::of(trees().flat_map(|tree| tree.splits).map(Split::key));
        let leaves = List::of(trees().flat_map(|tree| tree.leaves).map(f32::to_bits));

        let mut out = Vec::new();
        number(&mut out, forests.len());
        for forest in forests {
            for value in [forest.bias, forest.sure] {
                out.extend(value.to_le_bytes());
            }
            for early_exits in [&forest.early_exits.below, &forest.early_exits.above] {
                number(&mut out, early_exits.len());
                for early_exit in early_exits {
                    out.extend(early_exit.threshold.to_le_bytes());
                    out.extend(early_exit.scale.to_le_bytes());
                }
            }
            number(&mut out, forest.trees.len());
        }
        number(&mut out, splits.all.len());
        for (feature, _) in &splits.all {
            out.extend(feature.to_le_bytes());
        }
        for (_, threshold) in &splits.all {
            out.extend(threshold.to_le_bytes());
        }
        number(&mut out, leaves.all.len());
        for leaf in &leaves.all {
            out.extend(leaf.to_le_bytes());
        }
        for split in trees().flat_map(|tree| tree.splits) {
            out.extend(splits.place(split.key()).to_le_bytes());
        }
        for leaf in trees().flat_map(|tree| tree.leaves) {
            out.extend(leaves.place(leaf.to_bits()).to_le_bytes());
        }
        for cover in trees().flat_map(|tree| tree.covers.iter()) {
            number(&mut out, *cover as usize);
        }
        out
    }

    /// Reads the output of [`Forest::all_to_bytes`]; `None` if it is too short, too long or damaged.
    pub(crate) fn all_from_bytes(bytes: &[u8]) -> Option<Vec<Forest>> {
        let mut rest = Bytes(bytes);
        let count = rest.number()?;
        let mut forests = rest.many(count, |rest| {
            let forest = Forest {
                bias: rest.float()?,
                sure: rest.float()?,
                early_exits: EarlyExits {
                    below: rest.early_exits()?,
                    above: rest.early_exits()?,
                },
                trees: Vec::new(),
            };
            Some((forest, rest.number()?))
        })?;
        let count = rest.number()?;
        let features = rest.many(count, Bytes::short)?;
        let thresholds = rest.many(count, Bytes::float)?;
        let split = |(feature, threshold)| Split { feature, threshold };
        let splits: Vec<Split> = features.into_iter().zip(thresholds).map(split).collect();
        let count = rest.number()?;
        let leaves = rest.many(count, Bytes::float)?;

        let mut trees = Vec::new();
        for _ in 0..forests.iter().map(|(_, trees)| *trees).sum() {
            let mut tree = Tree::default();
            for split in &mut tree.splits {
                *split = *splits.get(usize::from(rest.short()?))?;
            }
            trees.push(tree);
        }
        for leaf in trees.iter_mut().flat_map(|tree| &mut tree.leaves) {
            *leaf = *leaves.get(usize::from(rest.short()?))?;
        }
        for cover in trees.iter_mut().flat_map(|tree| tree.covers.iter_mut()) {
            *cover = rest.number()? as f32;
        }
        let mut trees = trees.into_iter();
        for (forest, count) in &mut forests {
            forest.trees = trees.by_ref().take(*count).collect();
        }
        let is_all = rest.0.is_empty();
        is_all.then(|| forests.into_iter().map(|(forest, _)| forest).collect())
    }
}

impl Split {
    /// What it is ordered by.
    fn key(self) -> (u16, u32) {
        (self.feature, self.threshold.to_bits())
    }
}

/// Values that occur, in order.
struct List<T> {
    all: Vec<T>,
    places: HashMap<T, u16>,
}

impl<T: Copy + Ord + Hash> List<T> {
    fn of(values: impl Iterator<Item = T>) -> List<T> {
        let mut all: Vec<T> = values.collect();
        all.sort_unstable();
        all.dedup();
        let place = |(value, place): (&T, usize)| {
            let place = u16::try_from(place).expect("at most 65,536 different splits or values");
            (*value, place)
        };
        let places = all.iter().zip(0..).map(place).collect();
        List { all, places }
    }

    fn place(&self, value: T) -> u16 {
        self.places[&value]
    }
}

/// Writes a whole number, seven bits in a byte, the low ones first.
fn number(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The bytes left to read.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn chunk<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn short(&mut self) -> Option<u16> {
        self.chunk().map(u16::from_le_bytes)
    }

    fn float(&mut self) -> Option<f32> {
        self.chunk().map(f32::from_le_bytes)
    }

    fn number(&mut self) -> Option<usize> {
        let mut value = 0;
        // A number has at most 32 bits.
        for shift in (0..35).step_by(7) {
            let [byte] = self.chunk()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn many<T>(&mut self, count: usize, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..count).map(|_| read(self)).collect()
    }

    fn early_exits(&mut self) -> Option<Vec<EarlyExit>> {
        let count = self.number()?;
        self.many(count, |rest| {
            let (threshold, scale) = (rest.float()?, rest.float()?);
            Some(EarlyExit { threshold, scale })
        })
    }
}
