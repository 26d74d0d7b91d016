//! Numbers as pictures: SVG without scripts and without links, to stand beside a report.

mod lines;

pub use lines::{Line, LineChart};
