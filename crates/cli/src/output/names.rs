//! File names for pages: what each page is called below the output folder, and which name is free.
//!
//! Names are the same on every system and can be copied to any: characters that Windows forbids are
//! percent-encoded, and names that differ only in case count as equal. Files end in the extension of
//! their format, and folders never do, so no file stands where a folder has to be.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use unframe::page::{CanonicalUrl, Fingerprint, Kind, normalise, page_identity};
use unframe::read::RawPage;

/// Longest file name that is not shortened; with extension, number and the mark of a partial file it
/// must be below 255 bytes.
const LONGEST_NAME: usize = 200;

/// The extensions of output files.
const FILE_ENDINGS: [&str; 4] = [".txt", ".md", ".html", ".json"];

/// The extensions that pages have on servers.
const PAGE_ENDINGS: [&str; 8] = [
    ".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp",
];

/// The path of a page's file in the output folder, without the extension of the format: its path in the
/// input, or host and path of its URL. No input can name a path outside the folder.
pub fn place(raw: &RawPage, strip_extension: bool) -> PathBuf {
    let leaf = |name: &str, query: Option<&str>| {
        let name = match strip_extension {
            true => without_extension(name),
            false => name,
        };
        file_name(&match query {
            Some(query) => format!("{name}?{query}"),
            None => name.to_string(),
        })
    };
    if let Some(path) = &raw.path {
        let words: Vec<_> = path
            .components()
            .filter_map(|part| match part {
                Component::Normal(part) => Some(decoded(part)),
                _ => None,
            })
            .collect();
        if let Some((last, folders)) = words.split_last() {
            let mut place: PathBuf = folders.iter().map(|word| folder_name(word)).collect();
            place.push(leaf(last, None));
            return place;
        }
    }
    let Some(url) = raw.url.as_deref().and_then(CanonicalUrl::parse) else {
        return PathBuf::from(leaf(raw.url.as_deref().unwrap_or(&raw.name), None));
    };
    let words: Vec<&str> = url
        .path()
        .split('/')
        .filter(|word| !word.is_empty())
        .collect();
    let (last, folders) = match words.split_last() {
        Some((last, folders)) if !url.path().ends_with('/') => (*last, folders),
        _ => ("index", &words[..]),
    };
    let mut place = PathBuf::from(folder_name(url.host()));
    place.extend(folders.iter().map(|word| folder_name(word)));
    place.push(leaf(last, url.query()));
    place
}

/// The names that are taken. Finding the next free one takes constant time, however many pages have
/// the same name.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<Fingerprint>,
    /// The next number for places that several pages have.
    next: HashMap<Fingerprint, u64>,
}

impl Names {
    /// The page's path with the extension, or with `~2`, `~3`, … if another page of this run has that
    /// path or the file `is_taken`; and whether it has a number.
    pub fn free(
        &mut self,
        place: &Path,
        extension: &str,
        is_taken: impl Fn(&Path) -> bool,
    ) -> (PathBuf, bool) {
        let mut number = self.next.get(&key(place)).copied().unwrap_or(1);
        loop {
            let mut name = place.as_os_str().to_os_string();
            if number > 1 {
                name.push(format!("~{number}"));
            }
            name.push(format!(".{extension}"));
            let name = PathBuf::from(name);
            number += 1;
            if self.taken.insert(key(&name)) && !is_taken(&name) {
                if number > 2 {
                    self.next.insert(key(place), number);
                }
                return (name, number > 2);
            }
        }
    }
}

/// A name of a file, with bytes that are not UTF-8 percent-encoded.
fn decoded(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Equal for paths that some file systems do not tell apart.
fn key(path: &Path) -> Fingerprint {
    let folded = path.to_string_lossy().to_lowercase();
    let mut normal = String::new();
    Fingerprint::of(Kind::Page, normalise(&folded, &mut normal))
}

fn without_extension(name: &str) -> &str {
    let ends = |ending: &&&str| ends_with(name, ending) && name.len() > ending.len();
    match PAGE_ENDINGS.iter().find(ends) {
        Some(ending) => &name[..name.len() - ending.len()],
        None => name,
    }
}

fn ends_with(name: &str, ending: &str) -> bool {
    let start = name.len().checked_sub(ending.len());
    start
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

/// A text as the name of a folder, which must not look like that of a file.
fn folder_name(text: &str) -> String {
    let mut name = file_name(text);
    let bare = name.trim_end_matches('~');
    if FILE_ENDINGS.iter().any(|ending| ends_with(bare, ending)) {
        name.push('~');
    }
    name
}

/// A text as one file name.
fn file_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '/' | '\\' => name.push('_'),
            c if c.is_control() => name.push('_'),
            ':' | '?' | '*' | '"' | '<' | '>' | '|' => name.push_str(&percent(c)),
            c => name.push(c),
        }
    }
    if name.is_empty() || is_device(&name) {
        name.insert(0, '_');
    }
    if let Some(last @ ('.' | ' ')) = name.chars().last() {
        name.pop();
        name.push_str(&percent(last));
    }
    if name.len() > LONGEST_NAME {
        let print = page_identity(None, &name).to_string();
        name.truncate(name.floor_char_boundary(LONGEST_NAME - 17));
        name = format!("{name}~{}", &print[..16]);
    }
    name
}

fn percent(c: char) -> String {
    format!("%{:02X}", u32::from(c))
}

/// Whether Windows opens a device under this name.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let is_port = |stem: &str| {
        let (port, number) = stem.split_at_checked(3).unwrap_or_default();
        let is_named = ["com", "lpt"].iter().any(|n| port.eq_ignore_ascii_case(n));
        is_named && number.chars().count() == 1 && "123456789¹²³".contains(number)
    };
    let devices = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    devices.iter().any(|name| stem.eq_ignore_ascii_case(name)) || is_port(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(path: Option<&str>, url: Option<&str>) -> RawPage {
        let mut raw = crate::output::tests::raw_page("pages.jsonl:17");
        raw.url = url.map(str::to_string);
        raw.path = path.map(PathBuf::from);
        raw
    }

    #[test]
    fn places() {
        for (path, url, expected) in [
            (Some("a/b.html"), None, "a/b.html"),
            (Some("a/b.html"), Some("http://h/x"), "a/b.html"),
            (Some("../../etc/passwd"), None, "etc/passwd"),
            (Some("/etc/passwd"), None, "etc/passwd"),
            (Some("c:/nul/a. "), None, "c%3A/_nul/a.%20"),
            (None, Some("http://h"), "h/index"),
            (None, Some("http://h/a/"), "h/a/index"),
            (None, Some("http://h/b.html?x=/../y"), "h/b.html%3Fx=_.._y"),
            (None, Some("http://h/%2e%2e/%2e%2e/x"), "h/x"),
            (
                None,
                Some("http://h:8080/..%2f..%2fx"),
                "h%3A8080/..%2F..%2Fx",
            ),
            (None, Some("http://h/x.TXT/y"), "h/x.TXT~/y"),
            (None, Some("http://h/x.txt~/y"), "h/x.txt~~/y"),
            (None, Some("http://h/com1.html"), "h/_com1.html"),
            (None, Some("http://h/com10"), "h/com10"),
            (None, Some("not a url"), "not a url"),
            (None, Some(".."), ".%2E"),
            (None, Some("."), "%2E"),
            (None, None, "pages.jsonl%3A17"),
        ] {
            let place = place(&raw(path, url), false);
            assert_eq!(place, PathBuf::from(expected), "{path:?} {url:?}");
        }
        let long = "x".repeat(4000);
        for raw in [
            raw(None, Some(&format!("http://h/{long}"))),
            raw(Some(&long), None),
        ] {
            let place = place(&raw, false);
            assert!(place.file_name().unwrap().len() <= LONGEST_NAME);
        }
    }

    #[test]
    fn extensions_of_pages_can_be_left_out() {
        for (url, expected) in [
            ("http://h/about.html", "h/about"),
            ("http://h/about.PHP?x=1", "h/about%3Fx=1"),
            ("http://h/.html", "h/.html"),
            ("http://h/v1.2", "h/v1.2"),
            ("http://h/é.htm", "h/%C3%A9"),
        ] {
            let place = place(&raw(None, Some(url)), true);
            assert_eq!(place, PathBuf::from(expected), "{url}");
        }
    }

    #[test]
    fn every_page_gets_a_name_of_its_own() {
        let mut names = Names::default();
        let mut free = |place: &str| {
            let (name, _) = names.free(place.as_ref(), "txt", |name| name == Path::new("in.txt"));
            name.to_str().unwrap().to_string()
        };
        for (place, expected) in [
            ("a~2", "a~2.txt"),
            ("a", "a.txt"),
            ("a", "a~3.txt"),
            ("A", "A~4.txt"),
            ("é", "é.txt"),
            ("e\u{301}", "e\u{301}~2.txt"),
            ("in", "in~2.txt"),
        ] {
            assert_eq!(free(place), expected);
        }
        // Trying all numbers for each of them would take hours.
        for n in 2..100_000 {
            let name = free("again");
            assert!(n < 99_999 || name == "again~99998.txt", "{name}");
        }
    }
}
