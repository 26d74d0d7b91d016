//! `unframe state compact`: makes files as small as they can be.

use std::io::Write;

use serde_json::json;
use unframe::store::Store;
use unframe_console::exit::Exit;
use unframe_report::numbers::bytes;

use super::{CompactArgs, kinds, printer};

pub fn run(args: &CompactArgs) -> anyhow::Result<Exit> {
    let mut out = printer(args.json);
    let kinds: Vec<_> = kinds().collect();
    for path in &args.files {
        let mut store = Store::open_existing(path)?;
        // Damage must not get a new checksum.
        store.verify()?;
        let done = store.compact(&kinds)?;
        let file = path.display();
        match args.json {
            true => writeln!(
                out,
                "{}",
                json!({"file": file.to_string(), "before": done.before, "after": done.after})
            )?,
            false => writeln!(
                out,
                "{file}: {}, before {}",
                bytes(done.after as f64),
                bytes(done.before as f64)
            )?,
        }
    }
    Ok(Exit::Done)
}
