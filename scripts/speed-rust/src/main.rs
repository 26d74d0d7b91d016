//! Two yardsticks for `scripts/speed.py`, on one thread: our own parser alone, and the Rust library resiliparse.
//!
//! `speed-rust parse LIST` reads and parses pages and throws them away. `speed-rust resiliparse LIST` writes
//! the main text of each page to a file. LIST has a line for each page: its path, a tab, the path of its text.

use std::error::Error;
use std::fs;

use unframe_dom::Limits;
use unframe_page::Page;

/// The allocator of `unframe`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [tool, list] = &args[..] else {
        return Err("usage: speed-rust parse|resiliparse LIST".into());
    };
    let work = match &tool[..] {
        "parse" => parse,
        "resiliparse" => extract,
        _ => return Err(format!("{tool}: no such tool").into()),
    };
    for line in fs::read_to_string(list)?.lines() {
        let (page, text) = line.split_once('\t').ok_or("a line without a tab")?;
        work(fs::read(page)?, text)?;
    }
    Ok(())
}

fn parse(page: Vec<u8>, _: &str) -> Result<(), Box<dyn Error>> {
    let page = Page::parse(page.into(), None, None, &Limits::default());
    std::hint::black_box(page.dom().nodes().len());
    Ok(())
}

#[cfg(feature = "resiliparse")]
fn extract(page: Vec<u8>, text: &str) -> Result<(), Box<dyn Error>> {
    use resiliparse::extract::html2text::{ExtractOptions, extract_plain_text};
    use resiliparse::parse::html::HtmlTree;

    let options = ExtractOptions {
        main_content: true,
        ..ExtractOptions::default()
    };
    let tree = HtmlTree::parse(&String::from_utf8_lossy(&page)).map_err(|error| format!("{error:?}"))?;
    let found = extract_plain_text(&tree, &options).map_err(|error| format!("{error:?}"))?;
    Ok(fs::write(text, found)?)
}

#[cfg(not(feature = "resiliparse"))]
fn extract(_: Vec<u8>, _: &str) -> Result<(), Box<dyn Error>> {
    Err("built without resiliparse".into())
}
