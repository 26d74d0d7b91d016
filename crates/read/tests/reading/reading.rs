//! Reads inputs completely, and formats items as lines of text that tests can compare.

use std::ffi::OsString;
use std::path::Path;

use unframe_read::{InputError, Inputs, Item, ReadOptions};

/// Opens these arguments.
pub fn open<A: AsRef<Path>>(args: &[A], options: ReadOptions) -> Result<Inputs, InputError> {
    let args: Vec<OsString> = args
        .iter()
        .map(|arg| arg.as_ref().as_os_str().to_owned())
        .collect();
    Inputs::open(&args, options)
}

/// All items of these arguments.
pub fn read<A: AsRef<Path>>(args: &[A], options: ReadOptions) -> Vec<Item> {
    open(args, options).unwrap().read(false).unwrap().collect()
}

/// A page as `name site body`, with `(cut)` after a truncated one; anything else as its name and
/// the kind of its reason. `folder` is removed from the names.
pub fn show(items: &[Item], folder: &Path) -> Vec<String> {
    let folder = format!("{}/", folder.display());
    let line = |item: &Item| match item {
        Item::Page(page) => {
            let body = String::from_utf8_lossy(&page.body);
            let cut = if page.truncated { " (cut)" } else { "" };
            format!("{} {} {body}{cut}", page.name, page.site)
        }
        Item::Skipped(skipped) => format!("{} {}", skipped.name, skipped.reason.kind()),
    };
    items
        .iter()
        .map(|item| line(item).replace(&folder, ""))
        .collect()
}

/// Writes one file and formats the items read from it, without the file's name.
pub fn read_bytes(file: &str, bytes: &[u8], options: ReadOptions) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, bytes).unwrap();
    let items = read(&[&path], options);
    let lines = show(&items, folder.path());
    lines
        .iter()
        .map(|line| line.replacen(file, "", 1))
        .collect()
}
