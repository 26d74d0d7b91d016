//! Reads inputs of every kind through the public interface.

mod archives;
mod arguments;
mod corpora;
mod directories;
mod making;
mod prefixes;
mod reading;
mod streams;
