//! The methods through the public interface: how they are named, and what they store.

mod example_method;
mod spec;
mod stored_bytes;
