//! The yardstick: html5ever's own tokenizer in front of the same tree.
//!
//! Tests require that [`parse`](crate::parse) builds the same tree, benchmarks that it is faster.
//! The result has no positions and no limits hold: not for pages of strangers.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};

use crate::parse::Scripts;
use crate::sink::{Names, Sink};
use crate::tree::Dom;

/// Parses as html5ever does by itself.
pub fn parse_with_html5ever(text: impl Into<String>, scripts: Scripts) -> Dom {
    let source = text.into();
    let names = Names::new();
    let options = ParseOpts {
        tree_builder: scripts.options(),
        ..ParseOpts::default()
    };
    let tree = parse_document(Sink::new(&names, &source), options)
        .one(&*source)
        .into_tree();
    tree.flatten(source, Vec::new(), scripts)
}
