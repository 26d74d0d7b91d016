//! Pages become the trees that browsers make of them, whatever the pages are.

mod hostile;
mod html5lib;
mod processor_time;
mod reference;
mod same_tree;
