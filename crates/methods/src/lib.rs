//! The methods: each a thin composition of the engine with its own parameters.
//!
//! | name | source |
//! |---|---|
//! | [`Text`] | keeps everything: the floor |
//! | [`Stream`] | Wang et al. 2008: segments counted as pages arrive |
//!
//! To add one, write a [`Method`] and, if it learns, its [`Memory`](unframe_site::Memory); the
//! store, the readers and the renderers need no change.

mod labels;
mod method;
pub mod stream;
mod text;

pub use labels::{Label, Labels, Reason, TextLabel};
pub use method::Method;
pub use stream::{OutOfRange, Stream, StreamMemory, StreamParams};
pub use text::{NoMemory, Text};
