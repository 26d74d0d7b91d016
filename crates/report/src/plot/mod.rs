//! Charts as SVG, without scripts or external links.

mod bars;
mod lines;

pub use bars::{BarGroup, bars};
pub use lines::{Line, LineChart, stack};
