//! Converts the model, a text file for people, to bytes that a program loads fast.

use std::path::Path;
use std::{env, fs};

#[allow(
    dead_code,
    unused_imports,
    reason = "only reading and writing is needed here"
)]
#[path = "src/auto/model/forest/mod.rs"]
mod forest;
#[path = "src/auto/model/sections.rs"]
mod sections;

const MODEL: &str = "model/auto.txt";

fn main() {
    println!("cargo::rerun-if-changed={MODEL}");
    println!("cargo::rerun-if-changed=src/auto/model/forest");
    println!("cargo::rerun-if-changed=src/auto/model/sections.rs");
    let text = fs::read_to_string(MODEL).expect(MODEL);
    // A damaged model must not keep `fit` from building, which makes a new one.
    let [head, boilerplate, template] = in_bytes(&text).unwrap_or_else(|why| {
        println!("cargo::warning={MODEL}: {why}; fit a new one");
        Default::default()
    });
    let out = env::var_os("OUT_DIR").expect("cargo names the folder");
    for (name, bytes) in [
        ("auto.head", head),
        ("auto.boilerplate", boilerplate),
        ("auto.template", template),
    ] {
        fs::write(Path::new(&out).join(name), bytes).expect("cargo's folder can be written to");
    }
}

/// The head as text, and both forests as bytes.
fn in_bytes(model: &str) -> Result<[Vec<u8>; 3], String> {
    let [head, boilerplate, template] = sections::sections(model)?;
    let forest = |name: &str, text: &str| match forest::Forest::parse(text) {
        Ok(forest) => Ok(forest.to_bytes()),
        Err(why) => Err(format!("[{name}]: {why}")),
    };
    Ok([
        head.into(),
        forest("boilerplate", boilerplate)?,
        forest("template", template)?,
    ])
}
