//! Scores a folder of kept texts: `score_folder CORPUS PRED`, with PRED/<site>/<page>.txt.
//!
//! Tools in any language can be measured this way; a page without a text counts as empty. Prints
//! one line of JSON per set, with the means of every site.

use std::path::Path;
use std::{env, error::Error, fs};

use unframe_eval::{Corpus, GoldBags, SetTotal, SiteTotal};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [corpus, kept] = arguments.as_slice() else {
        return Err("usage: score_folder CORPUS PRED".into());
    };
    for set in Corpus::open(corpus)?.sets {
        let mut sites = Vec::new();
        for site in &set.sites {
            let mut pages = Vec::new();
            for page in &site.pages {
                let Some(labels) = GoldBags::read(page)? else {
                    continue;
                };
                let path = Path::new(kept)
                    .join(&site.name)
                    .join(format!("{}.txt", page.id));
                let text = fs::read(path).unwrap_or_default();
                pages.push(labels.score(&String::from_utf8_lossy(&text)));
            }
            sites.push(SiteTotal::new(&site.name, &pages));
        }
        println!(
            "{}",
            serde_json::to_string(&SetTotal::new(&set.name, sites))?
        );
    }
    Ok(())
}
