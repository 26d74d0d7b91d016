//! A forest as bytes, which are read in no time: a program that starts does not want to spell out
//! hundreds of thousands of decimals.
//!
//! Numbers stand in a row, lowest byte first: bias, sure, the early_exits below and above, each with how many
//! there are before, how many trees there are, and for each its splits, leaves and covers.

use super::{EarlyExit, EarlyExits, Forest, Split, Tree};

impl Forest {
    /// The forest in bytes, which `from_bytes` reads back unchanged.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut write = |number: f32| bytes.extend(number.to_le_bytes());
        write(self.bias);
        write(self.sure);
        for early_exits in [&self.early_exits.below, &self.early_exits.above] {
            write(early_exits.len() as f32);
            for early_exit in early_exits {
                write(early_exit.from);
                write(early_exit.gain);
            }
        }
        write(self.trees.len() as f32);
        for tree in &self.trees {
            for split in &tree.splits {
                write(split.feature.into());
                write(split.above);
            }
            tree.leaves.iter().copied().for_each(&mut write);
            tree.covers.iter().copied().for_each(&mut write);
        }
        bytes
    }

    /// Reads what [`Forest::to_bytes`] wrote, which is not doubted; nothing if it is cut or too long.
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

/// Numbers that are still to be read.
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
            let [from, gain] = self.many()?;
            Some(EarlyExit { from, gain })
        };
        (0..count).map(|_| early_exit()).collect()
    }

    fn tree(&mut self) -> Option<Tree> {
        let numbers: [f32; 2 * Tree::SPLITS] = self.many()?;
        let (splits, _) = numbers.as_chunks();
        let split = |at: usize| {
            let [feature, above] = splits[at];
            Split {
                feature: feature as u16,
                above,
            }
        };
        Some(Tree {
            splits: std::array::from_fn(split),
            leaves: self.many()?,
            covers: Box::new(self.many()?),
        })
    }
}
