//! The methods: each a thin composition of the engine with its own parameters.
//!
//! | name | source |
//! |---|---|
//! | [`Auto`] | all of their evidence and the page's own, weighed by a fitted model |
//! | [`Text`] | keeps everything: the floor |
//! | [`Chunks`] | Ma et al. 2003: text between delimiter tags that repeats on several pages |
//! | [`LinksMethod`] | Alarte 2014: trees of pages mapped onto each other |
//! | [`Mdl`] | Kim and Shim 2011: paths that most pages of a cluster have |
//! | [`Stream`] | Wang et al. 2008: segments counted as pages arrive |
//!
//! To add one, write a [`Method`] and, if it learns, its [`Memory`](unframe_site::Memory); the
//! store, the readers and the renderers need no change.

pub mod auto;
pub mod chunks;
mod explanation;
mod flag;
mod labels;
pub mod links;
pub mod mdl;
mod method;
mod out_of_range;
mod rows;
pub mod stream;
mod text;
mod text_places;

pub use auto::{Auto, AutoMemory, Lean, Remove};
pub use chunks::{
    Chunk, ChunkKey, ChunkMemory, ChunkParams, ChunkRules, Chunks, Delimiters, PageChunks, Preset,
    Threshold,
};
pub use explanation::{Explanation, Slot};
pub use flag::Flag;
pub use labels::{Label, Labels, Reason, TextLabel};
pub use links::{LinksMemory, LinksMethod, LinksParams, LinksPreset};
pub use mdl::{Mdl, MdlMemory, frame_nodes};
pub use method::Method;
pub use out_of_range::OutOfRange;
pub use stream::{Stream, StreamMemory, StreamParams};
pub use text::{NoMemory, Text};
