//! Grows a forest by gradient boosting.
//!
//! | file | subject |
//! |---|---|
//! | `bins` | the values of a feature become at most 64 bins |
//! | `histogram` | sums of gradients by leaf and bin; the gain of each split |
//! | `tree` | one tree: level by level, for each leaf the split with the largest gain |
//! | `boost` | tree after tree, each fitted to the gradients that are left |
//!
//! The same rows and parameters give the same forest on any number of threads: each sum is made by
//! one thread in the order of the rows, and of equal gains the first counts, in the order in which
//! features were drawn.
//!
//! ```
//! use unframe_fit::grow::{GrowParams, Rows, grow};
//!
//! let x: Vec<f32> = (0..200).map(|n| n as f32).collect();
//! let rows = Rows {
//!     target: x.iter().map(|x| f32::from(*x > 120.0)).collect(),
//!     weight: vec![1.0; x.len()],
//!     features: vec![x],
//! };
//! let (forest, gains) = grow(&rows, &GrowParams { trees: 5, ..GrowParams::default() });
//! assert_eq!(forest.trees.len(), 5);
//! assert!(gains.by_feature[0] > 0.0);
//! ```

mod bins;
mod boost;
mod histogram;
mod random;
mod tree;

pub use boost::{Gains, GrowParams, Rows, grow};

#[cfg(test)]
mod tests;
