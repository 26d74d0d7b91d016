//! Reads inputs of every kind through the public interface.

mod corpora;
mod reading;
