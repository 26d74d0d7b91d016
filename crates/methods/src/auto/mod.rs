//! Method `auto`: the evidence of the other methods joined by boosted trees.

mod forest;

pub use forest::{Forest, Split, Table, Tree};
