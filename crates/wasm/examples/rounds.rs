//! What the WebAssembly is compared with: cleans the same pages natively. `rounds LIST` reads the pages of
//! LIST, a line `SITE<tab>FILE` for each, and for each line of its standard input cleans all of them once and
//! prints how many milliseconds that took and how much text was kept.

use std::io::{BufRead, Write};
use std::time::Instant;

use unframe::methods::MethodSpec;
use unframe::{Crawl, PageBytes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let list = std::env::args().nth(1).ok_or("usage: rounds LIST")?;
    let mut sites: Vec<(String, Vec<Vec<u8>>)> = Vec::new();
    for line in std::fs::read_to_string(list)?.lines() {
        let (site, file) = line.split_once('\t').ok_or("a line without a tab")?;
        if sites.last().is_none_or(|(last, _)| last != site) {
            sites.push((site.into(), Vec::new()));
        }
        let (_, pages) = sites.last_mut().expect("just added");
        pages.push(std::fs::read(file)?);
    }
    for line in std::io::stdin().lock().lines() {
        line?;
        let started = Instant::now();
        let mut kept = 0;
        for (_, pages) in &sites {
            kept += clean(pages)?;
        }
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        println!("{milliseconds} {kept}");
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// Learns a site, then cleans it; returns how many characters of text were kept.
fn clean(pages: &[Vec<u8>]) -> Result<usize, unframe::StoreError> {
    let mut site = Crawl::with_method(&MethodSpec::default());
    for (number, page) in pages.iter().enumerate() {
        let viewed = site
            .viewer()
            .view(&url(number), PageBytes::from(page.clone()), None);
        site.learn_viewed("site", &viewed)?;
    }
    let mut kept = 0;
    for (number, page) in pages.iter().enumerate() {
        let viewed = site
            .viewer()
            .view(&url(number), PageBytes::from(page.clone()), None);
        let clean = site.label_viewed("site", &viewed)?;
        kept += clean.text().encode_utf16().count();
    }
    Ok(kept)
}

fn url(number: usize) -> String {
    format!("http://site.example/{number}")
}
