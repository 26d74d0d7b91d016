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
    let (head, forests) = in_bytes(&text).unwrap_or_else(|why| {
        println!("cargo::warning={MODEL}: {why}; fit a new one");
        Default::default()
    });
    let out = env::var_os("OUT_DIR").expect("cargo names the folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = Path::new(&out).join(format!("auto.{name}"));
        fs::write(path, bytes).expect("cargo's folder can be written to");
    };
    write("head", head.as_bytes());
    write("forests", &forests);
}

/// The head as text, and the forests as bytes.
fn in_bytes(model: &str) -> Result<(String, Vec<u8>), String> {
    let (head, texts) = sections::sections(model)?;
    let mut forests = Vec::new();
    for (name, text) in sections::FORESTS.iter().zip(texts) {
        let forest = forest::Forest::parse(text);
        forests.push(forest.map_err(|why| format!("[{name}]: {why}"))?);
    }
    Ok((head.into(), forest::Forest::all_to_bytes(&forests)))
}
