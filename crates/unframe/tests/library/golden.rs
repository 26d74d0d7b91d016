//! What each method keeps of the demo sites, word for word.
//!
//! One file per method and site in `tests/golden`; the sites are the folders of `demo/`.
//! `UNFRAME_UPDATE=1` writes the files anew. What the texts are worth is pinned by the tests of
//! `unframe-lab`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use unframe::MethodSpec;
use unframe::batch::{CleanOptions, clean};
use unframe::read::{Inputs, ReadOptions, SiteFrom};
use unframe::store::Sites;

use crate::collect::Collect;

/// `auto`, and the five papers' methods as the papers have them.
const METHODS: [&str; 7] = [
    "auto",
    "chunks:preset=ma-2003a",
    "chunks:preset=ma-2003b",
    "stream",
    "stream:separators=modern",
    "mdl",
    "links",
];

#[test]
fn the_demo_sites_are_cleaned_as_before() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let update = std::env::var_os("UNFRAME_UPDATE").is_some();
    let mut changed = Vec::new();
    for method in METHODS {
        for (site, text) in cleaned(root, method) {
            let folder = root
                .join("tests/golden")
                .join(method.replace([':', '='], "-"));
            let golden = folder.join(format!("{site}.txt"));
            if update {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&golden, &text).unwrap();
            }
            let expected = std::fs::read_to_string(&golden).unwrap_or_default();
            if text != expected {
                let mut lines = text.lines().zip(expected.lines());
                let first = lines.find(|(now, before)| now != before);
                changed.push(format!("{method} on {site}: {first:?}"));
            }
        }
    }
    assert!(
        changed.is_empty(),
        "cleaned in another way; if that is meant, run with UNFRAME_UPDATE=1:\n{}",
        changed.join("\n")
    );
}

/// The kept texts of all pages, by site.
fn cleaned(root: &Path, method: &str) -> BTreeMap<String, String> {
    let spec: MethodSpec = method.parse().unwrap();
    let options = ReadOptions {
        site_from: SiteFrom::Folder,
        ..ReadOptions::default()
    };
    let demo = root.join("../../demo");
    let mut inputs = Inputs::open(&[demo.into_os_string()], options).unwrap();
    let mut sites = Sites::in_memory(spec.engine().memory());
    let mut sink = Collect::new(|raw, page| {
        let path = raw.path.clone().unwrap();
        let flags: Vec<&str> = page.flags().iter().map(|flag| flag.name()).collect();
        let (flags, text) = (flags.join(" "), page.text());
        let text = format!("==> {} [{flags}]\n{text}\n", path.display());
        (raw.site.clone(), text)
    });
    let options = CleanOptions::default();
    let summary = clean(&mut inputs, spec.engine(), &mut sites, &options, &mut sink).unwrap();
    assert_eq!((summary.sites, summary.pages), (3, 29));
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (site, text) in sink.made {
        write!(found.entry(site).or_default(), "{text}").unwrap();
    }
    found
}
