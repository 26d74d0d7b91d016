//! Numbers as pictures: SVG without scripts and without links, to stand beside a report.

mod bars;
mod lines;

pub use bars::{BarGroup, bars};
pub use lines::{Line, LineChart, stack};
