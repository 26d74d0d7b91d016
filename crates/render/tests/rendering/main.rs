//! What is written of labelled pages, through the public interface.

mod cut;
mod front_matter;
mod inert;
mod markdown;
mod marked;
mod metadata;
mod skeleton;
