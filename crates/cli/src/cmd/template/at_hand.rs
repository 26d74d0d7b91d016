//! The key page in a site that is at hand: a folder, an archive, JSON lines.

use std::ffi::OsString;
use std::path::Path;

use unframe::links::{Loaded, PageSource};
use unframe::{CanonicalUrl, InputError, Inputs, Item, Limits, Page, PagesAtHand, RawPage};

use super::Args;
use super::kept::KeyPage;
use crate::exit::{UsageError, say};
use crate::report::{count, warn_skipped};

/// Pages that are named when none is called as asked.
const NAMED: usize = 4;

/// The pages of the site, and the key page.
pub fn open(args: &Args, key: &str) -> anyhow::Result<(PagesAtHand, Loaded)> {
    let mut inputs = args.reading.open(&args.site, None)?;
    let key = inside(&args.site, key).unwrap_or_else(|| key.to_string());
    let (mut pages, found) = PagesAtHand::read(&mut inputs, &key, Limits::default(), |skipped| {
        warn_skipped(skipped, args.quiet, false)
    })?;
    let asked = || CanonicalUrl::parse(&key).and_then(|url| pages.find(&url).cloned());
    let loaded = match found.or_else(asked) {
        Some(url) => pages.load(&url).ok(),
        None => None,
    };
    let Some(loaded) = loaded else {
        return Err(not_found(&mut inputs, args, &key)?.into());
    };
    if pages.left_out() > 0 && !args.quiet {
        let left_out = count(pages.left_out() as u64, "page");
        say(format_args!(
            "unframe: the site is too large to be held; {left_out} left out\n"
        ));
    }
    Ok((pages, loaded))
}

/// The key page as a file of its own, with which no others come.
pub fn one_file(args: &Args, key: &str) -> anyhow::Result<KeyPage> {
    let mut inputs = args.reading.open(&args.what, None)?;
    let mut found: Option<RawPage> = None;
    for item in inputs.read(true)? {
        match item {
            Item::Page(raw) if found.is_none() => found = Some(raw),
            Item::Page(raw) => {
                let message = format!(
                    "{key}: there are several pages in it\n  hint: say which, as in `unframe \
                     template {} --site {key} --state FILE`",
                    called(raw)
                );
                return Err(UsageError(message).into());
            }
            Item::Skipped(what) => warn_skipped(&what, args.quiet, false),
        }
    }
    let Some(raw) = found else {
        return Err(UsageError(format!("{key}: there is no page in it")).into());
    };
    let page = Page::parse(
        raw.body.clone(),
        raw.url.clone(),
        raw.charset.as_deref(),
        &Limits::default(),
    );
    Ok(KeyPage::at_hand(&raw, page))
}

/// The path in its folder of a file that was named from where we are.
fn inside(site: &[OsString], key: &str) -> Option<String> {
    let file = Path::new(key).canonicalize().ok()?;
    let inner = site.iter().find_map(|folder| {
        let folder = Path::new(folder).canonicalize().ok()?;
        file.strip_prefix(folder).ok()
    })?;
    let inner = inner.to_str().filter(|inner| !inner.is_empty())?;
    Some(inner.to_string())
}

fn not_found(inputs: &mut Inputs, args: &Args, key: &str) -> Result<UsageError, InputError> {
    let stem = Path::new(key).file_stem().and_then(|stem| stem.to_str());
    let is_alike = |name: &str| stem.is_some_and(|stem| !stem.is_empty() && name.contains(stem));
    let (mut alike, mut others, mut pages) = (Vec::new(), Vec::new(), 0);
    for item in inputs.read(true)? {
        if let Item::Page(raw) = item {
            pages += 1;
            let name = called(raw);
            let list = match is_alike(&name) {
                true => &mut alike,
                false => &mut others,
            };
            if list.len() < NAMED {
                list.push(name);
            }
        }
    }
    let places: Vec<_> = args
        .site
        .iter()
        .map(|site| site.to_string_lossy())
        .collect();
    let places = places.join(", ");
    if pages == 0 {
        let message = format!(
            "{places}: there is no page in it; `unframe clean --help` says what can be read"
        );
        return Ok(UsageError(message));
    }
    alike.extend(others);
    alike.truncate(NAMED);
    let more = match pages - alike.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let known = alike.join(", ");
    Ok(UsageError(format!(
        "{key}: no page of {places} is called that\n  hint: there are {known}{more}"
    )))
}

/// What a page can be asked for by.
fn called(raw: RawPage) -> String {
    let path = || raw.path.as_ref().map(|path| path.display().to_string());
    raw.url.clone().or_else(path).unwrap_or(raw.name)
}
