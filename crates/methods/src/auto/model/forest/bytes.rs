//! A forest as bytes, so that a program does not parse hundreds of thousands of decimals at its start.
//!
//! All numbers are little-endian `f32`: bias, sure, the early exits below and above, each list after its
//! length, the number of trees, and for each tree its splits, leaves and covers.

use super::{EarlyExit, EarlyExits, Forest, Split, Tree};

impl Forest {
    /// The forest as bytes, which `from_bytes` reads back unchanged.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut write = |number: f32| bytes.extend(number.to_le_bytes());
        write(self.bias);
        write(self.sure);
        for early_exits in [&self.early_exits.below, &self.early_exits.above] {
            write(early_exits.len() as f32);
            for early_exit in early_exits {
                write(early_exit.threshold);
                write(early_exit.scale);
            }
        }
        write(self.trees.len() as f32);
        for tree in &self.trees {
            for split in &tree.splits {
                write(split.feature.into());
                write(split.threshold);
            }
            tree.leaves.iter().copied().for_each(&mut write);
            tree.covers.iter().copied().for_each(&mut write);
        }
        bytes
    }

    /// Reads the output of [`Forest::to_bytes`] without validating it; `None` if it is too short or too long.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Forest> {
        let (numbers, rest) = bytes.as_chunks();
        let mut numbers = Numbers(numbers);
        let (bias, sure) = (numbers.next()?, numbers.next()?);
        let early_exits = EarlyExits {
            below: numbers.early_exits()?,
            above: numbers.early_exits()?,
        };
        let count = numbers.next()? as usize;
        let trees: Option<Vec<Tree>> = (0..count).map(|_| numbers.tree()).collect();
        let forest = Forest {
            bias,
            trees: trees?,
            sure,
            early_exits,
        };
        (numbers.0.is_empty() && rest.is_empty()).then_some(forest)
    }
}

/// The numbers left to read.
struct Numbers<'a>(&'a [[u8; 4]]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<f32> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(f32::from_le_bytes(*first))
    }

    fn many<const COUNT: usize>(&mut self) -> Option<[f32; COUNT]> {
        let (first, rest) = self.0.split_first_chunk::<COUNT>()?;
        self.0 = rest;
        Some(first.map(f32::from_le_bytes))
    }

    fn early_exits(&mut self) -> Option<Vec<EarlyExit>> {
        let count = self.next()? as usize;
        let mut early_exit = || {
            let [threshold, scale] = self.many()?;
            Some(EarlyExit { threshold, scale })
        };
        (0..count).map(|_| early_exit()).collect()
    }

    fn tree(&mut self) -> Option<Tree> {
        let numbers: [f32; 2 * Tree::SPLITS] = self.many()?;
        let (splits, _) = numbers.as_chunks();
        let split = |at: usize| {
            let [feature, threshold] = splits[at];
            Split {
                feature: feature as u16,
                threshold,
            }
        };
        Some(Tree {
            splits: std::array::from_fn(split),
            leaves: self.many()?,
            covers: Box::new(self.many()?),
        })
    }
}
