//! The key page of a local site: a folder, an archive, JSON lines.

use unframe::methods::links::{Loaded, PageSource};
use unframe::page::CanonicalUrl;
use unframe::template::LocalPages;
use unframe::{Limits, Page};
use unframe_console::exit::say;
use unframe_console::input_args::refuse_output_over;
use unframe_console::skipped::warn_skipped;
use unframe_report::numbers::count;

use super::Args;
use super::kept::KeyPage;
use crate::page_lookup::{inside, not_found, only_page};

/// The pages of the site, and the key page.
pub fn open(args: &Args, key: &str) -> anyhow::Result<(LocalPages, Loaded)> {
    let mut inputs = args.reading.open(&args.site, None)?;
    refuse_output_over(&inputs.files(), args.out.as_deref(), "-o")?;
    let key = inside(&args.site, key).unwrap_or_else(|| key.to_string());
    let (mut pages, found) = LocalPages::read(&mut inputs, &key, Limits::default(), |skipped| {
        warn_skipped(skipped, args.quiet, false)
    })?;
    let asked = || CanonicalUrl::parse(&key).and_then(|url| pages.find(&url).cloned());
    let loaded = match found.or_else(asked) {
        Some(url) => pages.load(&url).ok(),
        None => None,
    };
    let Some(loaded) = loaded else {
        return Err(not_found(&mut inputs, &args.site, &key)?.into());
    };
    if pages.left_out() > 0 && !args.quiet {
        let left_out = count(pages.left_out() as u64, "page");
        say(format_args!(
            "unframe: the site does not fit into memory; {left_out} left out\n"
        ));
    }
    Ok((pages, loaded))
}

/// The key page as a separate file, without other pages.
pub fn one_file(args: &Args, key: &str) -> anyhow::Result<KeyPage> {
    let mut inputs = args.reading.open(&args.what, None)?;
    refuse_output_over(&inputs.files(), args.out.as_deref(), "-o")?;
    let raw = only_page(&mut inputs, key, args.quiet, |page| {
        format!("unframe template {page} --site {key} --state FILE")
    })?;
    let page = Page::parse(
        raw.body.clone().into(),
        raw.url.clone(),
        raw.charset.as_deref(),
        &Limits::default(),
    );
    Ok(KeyPage::local(&raw, page))
}
