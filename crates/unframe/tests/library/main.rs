//! The library as its users see it: what is kept of sites, and what is said of them.

mod case_table;
mod collect;

mod cases;
mod cluster;
mod comments;
mod golden;
#[cfg(feature = "fetch")]
mod live;
mod oracle;
mod parts;
mod passes;
mod public_api;
mod site;
mod survey;
mod template;
