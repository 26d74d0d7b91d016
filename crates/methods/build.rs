//! Turns the model, which is a text for people, into bytes that a program starts with in no time.

use std::path::Path;
use std::{env, fs};

#[allow(
    dead_code,
    unused_imports,
    reason = "only reading and writing is needed here"
)]
#[path = "src/auto/forest/mod.rs"]
mod forest;
#[path = "src/auto/sections.rs"]
mod sections;

const MODEL: &str = "model/auto.txt";

fn main() {
    println!("cargo::rerun-if-changed={MODEL}");
    println!("cargo::rerun-if-changed=src/auto/forest");
    println!("cargo::rerun-if-changed=src/auto/sections.rs");
    let text = fs::read_to_string(MODEL).expect(MODEL);
    let [head, boilerplate, template] = sections::sections(&text).unwrap_or_default();
    let out = env::var_os("OUT_DIR").expect("cargo names the folder");
    let write = |name: &str, bytes: &[u8]| {
        fs::write(Path::new(&out).join(name), bytes).expect("cargo's folder can be written to");
    };
    write("auto.head", head.as_bytes());
    for (name, forest) in [("boilerplate", boilerplate), ("template", template)] {
        // What cannot be read must not keep `fit` from being built, which makes a model anew.
        let bytes = match forest::Forest::parse(forest) {
            Ok(forest) => forest.to_bytes(),
            Err(why) => {
                println!("cargo::warning={MODEL}: [{name}]: {why}; fit it anew");
                Vec::new()
            }
        };
        write(&format!("auto.{name}"), &bytes);
    }
}
