//! Reads inputs of every kind through the public interface.

mod archives;
mod arguments;
mod corpora;
mod digests;
mod directories;
mod filters;
#[cfg(unix)]
mod links;
mod making;
mod prefixes;
mod reading;
mod streams;
mod undecodable;
