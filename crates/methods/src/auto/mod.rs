//! `auto`: the evidence of the other methods, and of the page itself, joined by boosted trees.
//!
//! ```text
//! page ─► outline ─► figures ─► facts ─► memory of the site
//!            ├─────────┴──────► evidence ◄──┘
//!            └─► layout ──────────┴─► features ─► forests ─► decision
//! ```

mod bayes;
mod evidence;
mod explain;
mod facts;
mod features;
mod figures;
mod forest;
mod head;
mod layout;
mod letters;
mod lexicon;
mod lists;
mod look;
mod memory;
mod method;
mod model;
mod outline;
mod pairs;
mod params;
mod rows;
mod sections;
mod speakers;
mod spelling;
mod tags;
mod tally;
#[cfg(test)]
mod tests;
mod view;
mod wording;

pub use features::{Feature, Group, features};
pub use forest::{Explained, Forest, Shares, Split, Stop, Stops, Table, Tree};
pub use memory::AutoMemory;
pub use method::{Auto, Lean, Remove};
pub use model::{Decision, Judgement, Model};
pub use params::AutoParams;
pub use view::AutoView;
