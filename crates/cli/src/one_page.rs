//! One page that a command is about: a file of its own, or one of a site's, by whatever name.

use std::ffi::OsString;
use std::path::Path;

use unframe::read::{InputError, Inputs, Item, RawPage};
use unframe_console::exit::UsageError;
use unframe_console::skipped::warn_skipped;

/// Names that are listed when none is the one that was asked for.
const NAMED: usize = 4;

/// Sites that are named when it is not clear which is meant.
const NAMED_SITES: usize = 8;

/// The path in its folder of a file that was named from where we are.
pub fn inside(site: &[OsString], key: &str) -> Option<String> {
    let file = Path::new(key).canonicalize().ok()?;
    let inner = site.iter().find_map(|folder| {
        let folder = Path::new(folder).canonicalize().ok()?;
        file.strip_prefix(folder).ok()
    })?;
    let inner = inner.to_str().filter(|inner| !inner.is_empty())?;
    Some(inner.to_string())
}

/// The only page of an input called `key`; `which` is what to type if there are several, of which
/// one is called as it is given.
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
                    "{key}: there are several pages in it\n  hint: say which, as in `{}`",
                    which(&called(raw))
                );
                return Err(UsageError(message).into());
            }
            Item::Skipped(what) => warn_skipped(&what, quiet, false),
        }
    }
    found.ok_or_else(|| UsageError(format!("{key}: there is no page in it")).into())
}

/// That no page of a site is called `key`, and how some are called.
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

/// Which of the sites that are known a page belongs to: the one that was `asked` for, else its `own`,
/// else the only one. `place` is where they are known, `flag` what asks for one, `listing` how to see
/// all.
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
        "{place}: there is no site `{wanted}` in it\n  hint: {flag} says which is meant; there are \
         {known}{more}"
    )))
}
