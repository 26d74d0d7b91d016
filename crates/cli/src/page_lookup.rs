//! Finds the page that a command is about: a separate file, or a page of a site by path or URL.

use std::ffi::OsString;
use std::path::Path;

use unframe::read::{InputError, Inputs, Item, RawPage};
use unframe_console::exit::UsageError;
use unframe_console::skipped::warn_skipped;

/// Names to list when the page was not found.
const NAMED: usize = 4;

/// Sites to list when the choice is ambiguous.
const NAMED_SITES: usize = 8;

/// The path, relative to its input folder, of a file named relative to the working directory.
pub fn inside(site: &[OsString], key: &str) -> Option<String> {
    let file = Path::new(key).canonicalize().ok()?;
    let inner = site.iter().find_map(|folder| {
        let folder = Path::new(folder).canonicalize().ok()?;
        file.strip_prefix(folder).ok()
    })?;
    let inner = inner.to_str().filter(|inner| !inner.is_empty())?;
    Some(inner.to_string())
}

/// The only page of the input `key`. If there are several, `which` turns the name of one of them into
/// the command to suggest.
pub fn only_page(
    inputs: &mut Inputs,
    key: &str,
    quiet: bool,
    which: impl Fn(&str) -> String,
) -> anyhow::Result<RawPage> {
    let mut found: Option<RawPage> = None;
    for item in inputs.read(true)? {
        match item {
            Item::Page(raw) if found.is_none() => found = Some(raw),
            Item::Page(raw) => {
                let message = format!(
                    "{key}: contains several pages\n  hint: choose one, as in `{}`",
                    which(&called(raw))
                );
                return Err(UsageError(message).into());
            }
            Item::Skipped(what) => warn_skipped(&what, quiet, false),
        }
    }
    found.ok_or_else(|| UsageError(format!("{key}: contains no page")).into())
}

/// The error that a site has no page `key`, with the names of some that it has.
pub fn not_found(
    inputs: &mut Inputs,
    site: &[OsString],
    key: &str,
) -> Result<UsageError, InputError> {
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
    let places: Vec<_> = site.iter().map(|site| site.to_string_lossy()).collect();
    let places = places.join(", ");
    if pages == 0 {
        let message = format!(
            "{places}: contains no page; `unframe clean --help` lists the inputs that can be read"
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
        "{key}: no such page in {places}\n  hint: it contains {known}{more}"
    )))
}

/// The name by which a page can be requested.
fn called(raw: RawPage) -> String {
    let path = || raw.path.as_ref().map(|path| path.display().to_string());
    raw.url.clone().or_else(path).unwrap_or(raw.name)
}

/// The known site that a page belongs to: the one that was `asked` for, else its `own`, else the only
/// one. For the error message: `place` is where the sites are stored, `flag` selects one, and `listing`
/// tells how to list all.
pub fn choose_site(
    mut sites: Vec<String>,
    own: &str,
    asked: Option<&str>,
    place: &str,
    flag: &str,
    listing: &str,
) -> Result<String, UsageError> {
    let wanted = asked.unwrap_or(own);
    if let Some(at) = sites.iter().position(|name| name == wanted) {
        return Ok(sites.swap_remove(at));
    }
    if asked.is_none() && sites.len() == 1 {
        return Ok(sites.remove(0));
    }
    let known = sites[..sites.len().min(NAMED_SITES)].join(", ");
    let more = match sites.len().saturating_sub(NAMED_SITES) {
        0 => String::new(),
        more => format!(", and {more} more{listing}"),
    };
    Err(UsageError(format!(
        "{place}: contains no site `{wanted}`\n  hint: choose one with {flag}; it contains \
         {known}{more}"
    )))
}
