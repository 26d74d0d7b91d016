//! Method `auto`: the evidence of the other methods joined by boosted trees.

mod bayes;
mod evidence;
mod facts;
mod features;
mod figures;
mod forest;
mod head;
mod lexicon;
mod look;
mod memory;
mod outline;
mod tags;
mod view;

pub use features::{Feature, Group, features};
pub use forest::{Forest, Split, Table, Tree};
pub use memory::AutoMemory;
pub use view::AutoView;
