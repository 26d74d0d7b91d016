//! Caches responses on disk between runs.
//!
//! ```text
//! 3f0c…e1.page                      one file per response, named by the hash of its URL
//! ├ unframe-page-1 9d41…07 ⏎        format, and hash of all that follows
//! ├ {"url":…,"status":200,…} ⏎      head
//! └ <!doctype html>…                body, decompressed
//! ```
//!
//! A file is written under a temporary name and then moved, so it exists either completely or not
//! at all. A damaged file is ignored and replaced by the next response. HTTP's own rules
//! (`http-cache-semantics`) decide whether a response is still fresh.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use http_cache_semantics::{BeforeRequest, CacheOptions, CachePolicy};
use serde::{Deserialize, Serialize};
use ureq::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use ureq::http::{Request, Response, StatusCode};
use url::Url;
use xxhash_rust::xxh3::xxh3_128;

/// The first word of every file.
const FORMAT: &str = "unframe-page-1";
const EXTENSION: &str = ".page";
/// Name prefix of files that are being written.
const UNFINISHED: &str = "unframe-unfinished-";
/// Temporary files older than this were left by a run that was killed.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// Maximum length of the head of a file.
const MAX_HEAD: u64 = 128 << 10;

/// After a day, whatever the server said, a response is revalidated. Pages that state nothing would
/// be fresh for a tenth of their age, and `robots.txt` may be used for a day at most.
const NOT_OLDER: &str = "max-age=86400";

/// The headers that are stored: the type of the page, and how long it is fresh.
const KEPT: [HeaderName; 10] = [
    header::AGE,
    header::CACHE_CONTROL,
    header::CONTENT_TYPE,
    header::DATE,
    header::ETAG,
    header::EXPIRES,
    header::LAST_MODIFIED,
    header::LOCATION,
    header::PRAGMA,
    header::VARY,
];

/// A stored response.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// When the server last confirmed it.
    pub(crate) at: SystemTime,
}

impl Stored {
    /// The storable part of a response.
    pub(crate) fn new(status: StatusCode, headers: &HeaderMap, body: Vec<u8>) -> Stored {
        Stored {
            status,
            headers: kept(headers),
            body,
            at: SystemTime::now(),
        }
    }

    /// Whether HTTP's rules allow this response to be stored.
    pub(crate) fn may_be_kept(&self, request: &Request<()>) -> bool {
        let redirect = [301, 302, 303, 307, 308].contains(&self.status.as_u16());
        (self.status == StatusCode::OK || redirect) && self.policy(request).is_storable()
    }

    /// `None` if this response is still fresh for the request; otherwise the request that
    /// revalidates it.
    pub(crate) fn to_ask(&self, request: &Request<()>) -> Option<Request<()>> {
        let policy = self.policy(request);
        let mut wanted = request.clone();
        let not_older = HeaderValue::from_static(NOT_OLDER);
        wanted
            .headers_mut()
            .insert(header::CACHE_CONTROL, not_older);
        match policy.before_request(&wanted, SystemTime::now()) {
            BeforeRequest::Fresh(_) => None,
            BeforeRequest::Stale { mut request, .. } => {
                // This header was only meant for the cache rules.
                request.headers.remove(header::CACHE_CONTROL);
                Some(Request::from_parts(request, ()))
            }
        }
    }

    /// Applies the headers of a 304 response, which say how long this response is fresh. The
    /// headers that identify it stay unchanged.
    pub(crate) fn renew(&mut self, headers: &HeaderMap) {
        let identity = [header::CONTENT_TYPE, header::ETAG, header::LAST_MODIFIED];
        self.headers.remove(header::AGE);
        for (name, value) in &kept(headers) {
            if !identity.contains(name) {
                self.headers.insert(name, value.clone());
            }
        }
        self.at = SystemTime::now();
    }

    fn policy(&self, request: &Request<()>) -> CachePolicy {
        let mut response = Response::new(());
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        let options = CacheOptions {
            shared: false,
            ..CacheOptions::default()
        };
        CachePolicy::new_options(request, &response, self.at, options)
    }
}

fn kept(headers: &HeaderMap) -> HeaderMap {
    let mut out = HeaderMap::new();
    for name in KEPT {
        for value in headers.get_all(&name) {
            if value.to_str().is_ok() {
                out.append(&name, value.clone());
            }
        }
    }
    // The cache rules add to the age, and a server can state one that overflows.
    let age = out.get(header::AGE).and_then(|age| age.to_str().ok());
    if age.is_some_and(|age| age.trim().parse::<u32>().is_err()) {
        out.remove(header::AGE);
    }
    out
}

/// The head of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    url: String,
    status: u16,
    /// Seconds since 1970.
    at: u64,
    headers: Vec<(String, String)>,
}

/// See the module documentation.
#[derive(Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
    max_bytes: u64,
    /// Approximate total size of the files.
    used: Mutex<u64>,
}

impl Cache {
    pub(crate) fn open(directory: &Path, max_bytes: u64) -> io::Result<Cache> {
        fs::create_dir_all(directory)?;
        // Finds out now whether the directory is writable, not with every page.
        drop(unfinished(directory)?);
        let cache = Cache {
            directory: directory.to_owned(),
            max_bytes,
            used: Mutex::new(0),
        };
        cache.make_room(&mut cache.used.lock().unwrap_or_else(PoisonError::into_inner))?;
        Ok(cache)
    }

    /// The stored response for a URL, if there is an intact one.
    pub(crate) fn get(&self, url: &Url, max_body: usize) -> Option<Stored> {
        let path = self.path(url);
        if fs::metadata(&path).ok()?.len() > MAX_HEAD + max_body as u64 {
            return None;
        }
        read(&fs::read(path).ok()?, url)
    }

    /// Stores a response, unless it is larger than the whole cache may be.
    pub(crate) fn put(&self, url: &Url, stored: &Stored) -> io::Result<()> {
        let text = write(url, stored)?;
        let length = text.len() as u64;
        if length > self.max_bytes {
            return Ok(());
        }
        let mut file = unfinished(&self.directory)?;
        file.write_all(&text)?;
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        file.persist(self.path(url)).map_err(|error| error.error)?;
        *used += length;
        if *used > self.max_bytes {
            self.make_room(&mut used)?;
        }
        Ok(())
    }

    fn path(&self, url: &Url) -> PathBuf {
        let name = format!("{:032x}{EXTENSION}", xxh3_128(url.as_str().as_bytes()));
        self.directory.join(name)
    }

    /// Counts the size of the files. If they exceed the limit, removes the oldest until a quarter
    /// is free. Files that are not ours are not touched.
    fn make_room(&self, used: &mut u64) -> io::Result<()> {
        let mut pages = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let (name, Ok(about)) = (entry.file_name(), entry.metadata()) else {
                continue;
            };
            let name = name.to_string_lossy();
            let changed = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if name.starts_with(UNFINISHED) {
                if changed.elapsed().is_ok_and(|since| since > ABANDONED) {
                    let _ = fs::remove_file(entry.path());
                }
            } else if about.is_file() && is_name_of_page(&name) {
                pages.push((changed, entry.path(), about.len()));
            }
        }
        *used = pages.iter().map(|(_, _, length)| length).sum();
        if *used <= self.max_bytes {
            return Ok(());
        }
        pages.sort();
        for (_, path, length) in pages {
            if *used <= self.max_bytes / 4 * 3 {
                break;
            }
            // Another run may already have removed it.
            let _ = fs::remove_file(path);
            *used -= length;
        }
        Ok(())
    }
}

fn unfinished(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(directory)
}

fn is_name_of_page(name: &str) -> bool {
    let hash = name.strip_suffix(EXTENSION);
    hash.is_some_and(|hash| hash.len() == 32 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn write(url: &Url, stored: &Stored) -> io::Result<Vec<u8>> {
    let since = stored.at.duration_since(SystemTime::UNIX_EPOCH);
    let headers = stored.headers.iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    let head = Head {
        url: url.as_str().to_owned(),
        status: stored.status.as_u16(),
        at: since.unwrap_or_default().as_secs(),
        headers: headers.collect(),
    };
    let mut content = serde_json::to_vec(&head)?;
    content.push(b'\n');
    content.extend_from_slice(&stored.body);
    let mut text = format!("{FORMAT} {:032x}\n", xxh3_128(&content)).into_bytes();
    text.extend_from_slice(&content);
    Ok(text)
}

/// The content of a file, if it is intact and belongs to this URL.
fn read(text: &[u8], url: &Url) -> Option<Stored> {
    let (first, content) = split_line(text)?;
    let hash = std::str::from_utf8(first).ok()?.strip_prefix(FORMAT)?;
    let hash = u128::from_str_radix(hash.trim_start(), 16).ok()?;
    if hash != xxh3_128(content) {
        return None;
    }
    let (head, body) = split_line(content)?;
    let head: Head = serde_json::from_slice(head).ok()?;
    if head.url != url.as_str() {
        return None;
    }
    let at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(head.at))?;
    let mut headers = HeaderMap::new();
    for (name, value) in &head.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        headers.append(name, HeaderValue::from_str(value).ok()?);
    }
    Some(Stored {
        status: StatusCode::from_u16(head.status).ok()?,
        headers: kept(&headers),
        body: body.to_vec(),
        // Clocks can be set back; a response from the future would be fresh for too long.
        at: at.min(SystemTime::now()),
    })
}

fn split_line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|&byte| byte == b'\n')?;
    Some((&text[..end], &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("http://site.example/")
            .unwrap()
            .join(path)
            .unwrap()
    }

    fn stored(headers: &[(&'static str, &str)], body: &str) -> Stored {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        Stored::new(StatusCode::OK, &map, body.into())
    }

    fn request() -> Request<()> {
        Request::get("http://site.example/").body(()).unwrap()
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 10_000).unwrap();
        let page = stored(&[("etag", "\"a\""), ("x-other", "b")], "line\nline");
        assert!(cache.get(&url("a"), 100).is_none());
        cache.put(&url("a"), &page).unwrap();
        let back = cache.get(&url("a"), 100).unwrap();
        assert_eq!((back.status, &back.body), (page.status, &page.body));
        assert_eq!(back.headers.len(), 1, "{:?}", back.headers);
        assert!(cache.get(&url("b"), 100).is_none());
    }

    #[test]
    fn every_damage_is_noticed() {
        let text = write(&url("a"), &stored(&[("etag", "\"a\"")], "body")).unwrap();
        assert!(read(&text, &url("a")).is_some());
        assert!(read(&text, &url("b")).is_none());
        for at in 0..text.len() {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            let read = read(&damaged, &url("a"));
            assert!(read.is_none(), "byte {at}");
            assert!(super::read(&text[..at], &url("a")).is_none(), "cut at {at}");
        }
    }

    #[test]
    fn the_oldest_go_first_and_strangers_stay() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("letter.page"), vec![b'x'; 5_000]).unwrap();
        let cache = Cache::open(folder.path(), 4_000).unwrap();
        let body = "x".repeat(900);
        for n in 0..6_u64 {
            let page = url(&n.to_string());
            cache.put(&page, &stored(&[], &body)).unwrap();
            let old = SystemTime::UNIX_EPOCH + Duration::from_secs(n);
            let file = fs::File::open(cache.path(&page)).unwrap();
            file.set_modified(old).unwrap();
        }
        let there = |n: u64| cache.get(&url(&n.to_string()), 10_000).is_some();
        assert!(!there(0) && there(4) && there(5));
        assert!(folder.path().join("letter.page").exists());
        cache
            .put(&url("big"), &stored(&[], &"x".repeat(5_000)))
            .unwrap();
        assert!(cache.get(&url("big"), 10_000).is_none());
        assert!(there(5));
        let again = Cache::open(folder.path(), 1_000).unwrap();
        assert!(again.get(&url("5"), 10_000).is_none());
    }

    #[test]
    fn http_says_how_long_a_page_is_good() {
        let rows = [
            (vec![("cache-control", "max-age=60")], true, true),
            (vec![("cache-control", "no-store")], false, false),
            (vec![("cache-control", "no-cache")], true, false),
            (vec![("cache-control", "private, max-age=60")], true, true),
            (vec![("etag", "\"x\"")], true, false),
            (
                vec![("cache-control", "max-age=60"), ("vary", "*")],
                true,
                false,
            ),
            (vec![("expires", "0")], true, false),
            // Numbers that would overflow.
            (
                vec![
                    ("cache-control", "max-age=18446744073709551615"),
                    ("age", "18446744073709551615"),
                    ("date", "Fri, 31 Dec 9999 23:59:59 GMT"),
                    ("expires", "Fri, 31 Dec 9999 23:59:59 GMT"),
                    ("last-modified", "Mon, 01 Jan 0001 00:00:00 GMT"),
                ],
                true,
                true,
            ),
        ];
        for (headers, kept, fresh) in rows {
            let page = stored(&headers, "");
            assert_eq!(page.may_be_kept(&request()), kept, "{headers:?}");
            assert_eq!(page.to_ask(&request()).is_none(), fresh, "{headers:?}");
        }
    }

    #[test]
    fn nothing_is_believed_for_more_than_a_day() {
        let mut page = stored(
            &[("cache-control", "max-age=9999999"), ("etag", "\"x\"")],
            "",
        );
        assert!(page.to_ask(&request()).is_none());
        page.at -= Duration::from_secs(25 * 60 * 60);
        let ask = page.to_ask(&request()).unwrap();
        assert_eq!(ask.headers()[header::IF_NONE_MATCH], "\"x\"");
        assert!(!ask.headers().contains_key(header::CACHE_CONTROL));
    }

    #[test]
    fn a_stale_page_is_asked_about_and_renewed() {
        let mut page = stored(&[("etag", "\"x\""), ("content-type", "text/html")], "");
        let ask = page.to_ask(&request()).unwrap();
        assert_eq!(ask.headers()[header::IF_NONE_MATCH], "\"x\"");
        let newer = stored(
            &[("cache-control", "max-age=60"), ("content-type", "a/b")],
            "",
        );
        page.renew(&newer.headers);
        assert!(page.to_ask(&request()).is_none());
        assert_eq!(page.headers[header::CONTENT_TYPE], "text/html");
    }
}
