//! The methods: each a thin composition of the engine with its own parameters.
//!
//! | name | source |
//! |---|---|
//! | [`Auto`] | all of their evidence and the page's own, weighed by a fitted model |
//! | [`KeepAll`] | keeps everything: the floor |
//! | [`Chunks`] | Ma et al. 2003: text between delimiter tags that repeats on several pages |
//! | [`LinksMethod`] | Alarte 2014: trees of pages mapped onto each other |
//! | [`Mdl`] | Kim and Shim 2011: paths that most pages of a cluster have |
//! | [`Stream`] | Wang et al. 2008: segments counted as pages arrive |
//!
//! A method is written as a [`Method`] and used as an [`Engine`], chosen by name from [`ALL`]. To add
//! one, write a [`Method`] with its [`Memory`](unframe_site::Memory) and its
//! [`Params`](params::Params), make it [`Registered`], and add one line to [`ALL`]. The tests have a
//! complete example in `tests/methods/example_method.rs`.

pub mod auto;
pub mod chunks;
mod engine;
mod keep_all;
mod learned;
pub mod links;
pub mod mdl;
mod method;
mod out_of_range;
pub mod params;
mod registry;
mod rows;
mod spec;
pub mod stream;
mod text_places;

pub use auto::{Auto, AutoMemory, AutoParams, Favor, Remove};
pub use chunks::{
    Chunk, ChunkKey, ChunkMemory, ChunkParams, ChunkRules, Chunks, Delimiters, PageChunks, Preset,
    Threshold,
};
pub use engine::{Engine, View};
pub use keep_all::{KeepAll, NoMemory};
pub use learned::Learned;
pub use links::{LinksMemory, LinksMethod, LinksParams, LinksPreset};
pub use mdl::{Mdl, MdlMemory, frame_nodes};
pub use method::Method;
pub use out_of_range::OutOfRange;
pub use registry::{ALL, MethodEntry, Registered, RunKey};
pub use spec::{Clustering, MethodSpec};
pub use stream::{Stream, StreamMemory, StreamParams};
