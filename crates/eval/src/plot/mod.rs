//! Numbers as pictures: SVG without scripts and without links, to stand beside a report.

mod bars;

pub use bars::{BarGroup, bars};
