//! Turns the model, which is a text for people, into bytes that a program starts with in no time.

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
    // What cannot be read must not keep `fit` from being built, which makes a model anew.
    let [head, boilerplate, template] = in_bytes(&text).unwrap_or_else(|why| {
        println!("cargo::warning={MODEL}: {why}; fit it anew");
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

/// The head as it is, and both forests.
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
