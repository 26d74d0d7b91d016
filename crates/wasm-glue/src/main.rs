//! Writes the JavaScript and the WebAssembly of `unframe-wasm` from what the compiler makes of it:
//! `unframe-wasm-glue FILE.wasm FOLDER`. A program of this project, so that its version is that of the
//! lock file and the same source gives the same bytes.

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = arguments.as_slice() else {
        bail!("usage: unframe-wasm-glue FILE.wasm FOLDER");
    };
    Bindgen::new()
        .input_path(input)
        .out_name("unframe")
        .web(true)?
        // Its types are written by hand in npm/, with the objects that are passed.
        .typescript(false)
        .omit_default_module_path(true)
        // A host that lives for long can start anew after a page that needed more memory than there is.
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .with_context(|| format!("cannot write the glue of {input} to {folder}"))
}
