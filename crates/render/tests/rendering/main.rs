//! What is written of labelled pages, through the public interface.

mod cut;
mod front_matter;
mod inert;
mod markdown;
mod marked;
mod metadata;
#[path = "../../../dom/tests/parsing/processor_time.rs"]
mod processor_time;
mod skeleton;
