//! The library for JavaScript: in browsers, in Node and in everything else that runs WebAssembly.
//!
//! ```text
//! options.rs ─► site.rs ─► page.rs          learn and clean pages
//!               finder.rs                    the template of one page, with pages that the host loads
//!               rules.rs, robots.rs          what is exported, what may be loaded
//!               benchmark.rs                 scores on labelled sites
//! ```
//!
//! There are no files, no threads and no network here: pages come as values, and states are bytes. The types
//! that JavaScript sees are in `npm/unframe.d.ts`.

mod benchmark;
mod finder;
mod html;
mod json;
mod options;
mod page;
mod robots;
mod rules;
mod site;

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the library.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
