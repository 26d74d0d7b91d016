//! Reads all of some inputs, and shows items as lines of text that tests can compare.

use std::ffi::OsString;
use std::path::Path;

use unframe_read::{Inputs, Item, ReadOptions};

/// All items of these arguments.
pub fn read<A: AsRef<Path>>(args: &[A], options: ReadOptions) -> Vec<Item> {
    let args: Vec<OsString> = args.iter().map(|arg| arg.as_ref().as_os_str().to_owned()).collect();
    let mut inputs = Inputs::open(&args, options).unwrap();
    inputs.read(false).unwrap().collect()
}
