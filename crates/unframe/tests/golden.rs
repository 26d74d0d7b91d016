//! What is left of the demo sites, word for word.
//!
//! One file a site in `tests/golden`, found by the folders of `demo/`; `UNFRAME_UPDATE=1` writes
//! them anew.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write;
use std::path::Path;

use unframe::{
    CleanOptions, Inputs, ReadOptions, Separators, SiteFrom, Sites, Stream, StreamParams, clean,
    text,
};

#[test]
fn the_demo_sites_are_cleaned_as_before() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let options = ReadOptions {
        site_from: SiteFrom::Folder,
        ..ReadOptions::default()
    };
    let demo = root.join("../../demo");
    let mut inputs = Inputs::open(&[demo.into_os_string()], options).unwrap();
    let mut params = StreamParams::default();
    params.separators = Separators::modern();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let summary = clean(
        &mut inputs,
        &Stream::new(params).unwrap(),
        &mut Sites::new(None, usize::MAX),
        &CleanOptions::default(),
        |page| {
            let path = page.raw.path.clone().unwrap();
            let flags = page.flags.join(" ");
            let text = text(page.page.dom(), page.labels);
            (
                page.raw.site.clone(),
                format!("==> {} [{flags}]\n{text}\n", path.display()),
            )
        },
        |(site, text)| {
            write!(found.entry(site).or_default(), "{text}").unwrap();
            Ok::<(), Infallible>(())
        },
        |_| (),
    )
    .unwrap();
    assert_eq!((summary.sites, summary.pages), (3, 29));

    let update = std::env::var_os("UNFRAME_UPDATE").is_some();
    for (site, text) in found {
        let golden = root.join("tests/golden").join(format!("{site}.txt"));
        if update {
            std::fs::write(&golden, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        let change = text
            .lines()
            .zip(expected.lines())
            .find(|(now, before)| now != before);
        assert!(
            text == expected,
            "{site} is cleaned in another way: {change:?}; if that is meant, run with UNFRAME_UPDATE=1"
        );
    }
}
