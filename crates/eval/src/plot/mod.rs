//! Plots as SVG, to be put into reports. No background and no script; text takes the colour of the
//! page around it where that sets one.

mod bars;

pub use bars::{BarGroup, bars};
