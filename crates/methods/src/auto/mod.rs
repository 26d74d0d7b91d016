//! `auto`: the evidence of the other methods, and of the page itself, joined by boosted trees.
//!
//! ```text
//! page ─► outline ─► subtrees ─► facts ─► memory of the site
//!            ├─────────┴──────► evidence ◄──┘
//!            └─► layout ──────────┴─► features ─► forests ─► decision
//! ```

mod method;
mod model;
mod options;
mod page;
mod site;
#[cfg(test)]
mod tests;

pub use method::Auto;
pub use model::features::{Feature, Group, features};
pub use model::forest::{
    Attribution, Attributor, EarlyExit, EarlyExits, Forest, Split, Table, Tree,
};
pub use model::{Decision, Model, Predictions};
pub use options::{Lean, Remove};
pub use page::view::AutoView;
pub use site::memory::AutoMemory;
