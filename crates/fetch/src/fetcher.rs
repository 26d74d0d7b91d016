//! Fetches pages: checks permission, waits for its turn, tries the cache, sends the request,
//! follows redirects.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use unframe_read::{MediaType, looks_like_html};
use ureq::http::header::{self, HeaderMap};
use ureq::http::{Request, StatusCode};
use url::Url;

use crate::cache::{Cache, Stored};
use crate::error::{FetchError, Reason, printable};
use crate::exchange::Client;
use crate::names::{Lookup, SystemLookup};
use crate::options::{BadOptions, FetchOptions};
use crate::pace::Pace;
use crate::robots::AllRobots;

/// Fetches pages politely and safely. It may be shared between threads; a host still gets only one
/// request at a time.
#[derive(Debug)]
pub struct Fetcher {
    options: FetchOptions,
    client: Client,
    cache: Option<Cache>,
    pace: Pace,
    robots: AllRobots,
    loads: AtomicUsize,
}

/// A fetched page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its URL after all redirects, without a fragment.
    pub url: Url,
    /// The page, in its original charset.
    pub bytes: Vec<u8>,
    /// The stated content type in lower case, such as `text/html`.
    pub content_type: Option<String>,
    /// The charset that the server states, as written. It may be wrong or unknown.
    pub charset: Option<String>,
    /// Whether the bytes come from the cache, revalidated or not.
    pub from_cache: bool,
    /// Why the page could not be stored in the cache, if the system failed to write it.
    pub not_kept: Option<String>,
}

/// What is fetched, and where redirects may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Errand {
    /// A page, with redirects on the same host or to any host.
    Page { any_host: bool },
    /// A site's `robots.txt`.
    Robots,
}

/// The state of following redirects from the requested URL to the response.
struct Trip {
    errand: Errand,
    /// The URLs visited so far.
    passed: Vec<Url>,
    /// Whether it has been counted as a load, or is never counted.
    counted: bool,
    /// The time that servers may still take.
    left: Duration,
}

/// A response from the server or the cache.
struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
    from_cache: bool,
    not_kept: Option<String>,
}

impl Fetcher {
    /// A fetcher that uses the system's name resolution.
    pub fn new(options: FetchOptions) -> Result<Fetcher, BadOptions> {
        Fetcher::with_lookup(options, Arc::new(SystemLookup))
    }

    /// A fetcher with custom name resolution. The addresses are still checked.
    pub fn with_lookup(
        options: FetchOptions,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Fetcher, BadOptions> {
        options.check()?;
        let client = Client::new(&options, lookup)?;
        let cache = match &options.cache {
            Some(path) => {
                let cache = Cache::open(path, options.max_cache_bytes);
                Some(cache.map_err(|reason| BadOptions::Cache {
                    path: path.clone(),
                    reason,
                })?)
            }
            None => None,
        };
        Ok(Fetcher {
            options,
            client,
            cache,
            pace: Pace::default(),
            robots: AllRobots::default(),
            loads: AtomicUsize::new(0),
        })
    }

    /// Fetches a page. Redirects are followed on the same host only: the same name, where `www.`
    /// makes a different name, and the same port, where `http` and `https` on their default ports
    /// count as one.
    pub fn get(&self, url: &Url) -> Result<Fetched, FetchError> {
        self.page(url, false)
    }

    /// Fetches a page wherever its redirects lead. This is for the first page, where a user may
    /// have written `site.example` for `www.site.example`. The `robots.txt` of every host on the
    /// way is obeyed.
    pub fn get_from_any_host(&self, url: &Url) -> Result<Fetched, FetchError> {
        self.page(url, true)
    }

    /// How many pages were fetched, or attempted, over the network so far.
    pub fn loads(&self) -> usize {
        self.loads.load(Ordering::Relaxed)
    }

    fn page(&self, asked: &Url, any_host: bool) -> Result<Fetched, FetchError> {
        let (url, reply) = self.follow(asked, Errand::Page { any_host })?;
        let stated = stated_type(&reply.headers);
        let failed = |reason: Reason| Err(reason.at(asked, &url));
        if !is_page(reply.status) {
            return failed(Reason::Status {
                status: reply.status.as_u16(),
                retry_after: retry_after(reply.status, &reply.headers),
            });
        }
        if let Err(reason) = check_type(stated.as_ref()) {
            return failed(reason);
        }
        let said = stated.as_ref().is_some_and(MediaType::is_html);
        if !said && !looks_like_html(&reply.body) {
            return failed(Reason::NotHtml("data of unknown type".to_owned()));
        }
        let (content_type, charset) = match stated {
            Some(stated) => (Some(stated.essence), stated.charset),
            None => (None, None),
        };
        Ok(Fetched {
            url,
            bytes: reply.body,
            content_type,
            charset,
            from_cache: reply.from_cache,
            not_kept: reply.not_kept,
        })
    }

    /// Follows redirects to a response that is not a redirect.
    fn follow(&self, asked: &Url, errand: Errand) -> Result<(Url, Reply), FetchError> {
        let mut url = match askable(asked.clone()) {
            Ok(url) => url,
            Err(reason) => {
                let shown = without_login(asked);
                return Err(reason.at(&shown, &shown));
            }
        };
        let asked = url.clone();
        let mut trip = Trip {
            errand,
            passed: vec![asked.clone()],
            counted: errand == Errand::Robots,
            left: self.options.timeout,
        };
        loop {
            let reply = self.ask(&url, &mut trip);
            let reply = reply.map_err(|reason| reason.at(&asked, &url))?;
            if !is_redirect(reply.status) {
                return Ok((url, reply));
            }
            let next = self.next_hop(&url, &reply.headers, &trip);
            url = next.map_err(|reason| reason.at(&asked, &url))?;
            trip.passed.push(url.clone());
        }
    }

    /// The target of a redirect, if it may be followed.
    fn next_hop(&self, url: &Url, headers: &HeaderMap, trip: &Trip) -> Result<Url, Reason> {
        let location = headers.get(header::LOCATION).map(|value| value.as_bytes());
        let location = String::from_utf8_lossy(location.unwrap_or_default());
        let target = match location.trim() {
            "" => None,
            location => url.join(location).ok(),
        };
        let target = target.ok_or_else(|| Reason::BadRedirect(printable(&location)))?;
        let target = askable(target)?;
        let same_host = trip.errand == Errand::Page { any_host: false };
        if same_host && !is_same_host(url, &target) {
            let to = Box::new(target);
            return Err(Reason::OtherHost { to });
        }
        if trip.passed.contains(&target) {
            let to = Box::new(target);
            return Err(Reason::RedirectLoop { to });
        }
        if trip.passed.len() > self.options.max_redirects {
            return Err(Reason::TooManyRedirects(self.options.max_redirects));
        }
        Ok(target)
    }

    /// One request, answered from the cache if possible, otherwise by the server.
    fn ask(&self, url: &Url, trip: &mut Trip) -> Result<Reply, Reason> {
        let (delay, limit) = match trip.errand {
            Errand::Robots => {
                let limit = self.options.max_bytes.max(robotxt::BYTE_LIMIT);
                (Duration::ZERO, limit)
            }
            Errand::Page { .. } => (self.permission(url)?, self.options.max_bytes),
        };
        let delay = delay.min(self.options.max_delay).max(self.options.delay);
        let request = self.client.request(url)?;
        let stored = self.cache.as_ref().and_then(|cache| cache.get(url, limit));
        let question = match &stored {
            None => request.clone(),
            Some(known) => match known.to_ask(&request) {
                Some(question) => question,
                None => return Ok(Reply::known(known.clone())),
            },
        };
        if !trip.counted {
            self.count_load()?;
            trip.counted = true;
        }
        let host = url.host_str().unwrap_or_default();
        let answer = self.pace.ask(host, delay, || {
            let mut pause = None;
            let start = Instant::now();
            let answer = self.client.send(question, trip.left, |status, headers| {
                pause = retry_after(status, headers);
                let page = matches!(trip.errand, Errand::Page { .. });
                let wanted = if page {
                    is_page(status)
                } else {
                    status.is_success()
                };
                if page && wanted {
                    check_type(stated_type(headers).as_ref())?;
                }
                Ok(wanted.then_some(limit))
            });
            trip.left = trip.left.saturating_sub(start.elapsed());
            (answer, pause.map(|pause| pause.min(self.options.max_delay)))
        })?;
        if let Some(mut known) = stored
            && answer.status == StatusCode::NOT_MODIFIED
        {
            known.renew(&answer.headers);
            let not_kept = self.keep(url, &request, &known);
            return Ok(Reply {
                not_kept,
                ..Reply::known(known)
            });
        }
        let fresh = Stored::new(answer.status, &answer.headers, answer.body);
        let not_kept = self.keep(url, &request, &fresh);
        Ok(Reply {
            status: answer.status,
            headers: answer.headers,
            body: fresh.body,
            from_cache: false,
            not_kept,
        })
    }

    /// The delay that the site asks for, if it allows the page to be fetched at all.
    fn permission(&self, url: &Url) -> Result<Duration, Reason> {
        let robots = self.robots.of(url, |file| {
            let (found, reply) = self.follow(file, Errand::Robots)?;
            Ok((found, reply.status, reply.body))
        });
        robots.permit(url)
    }

    fn count_load(&self) -> Result<(), Reason> {
        let most = self.options.max_loads;
        let count = |loads| (loads < most).then_some(loads + 1);
        let counted = self
            .loads
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
        counted.map(drop).map_err(|_| Reason::BudgetSpent(most))
    }

    /// Stores a response that may be stored; returns why it could not be.
    fn keep(&self, url: &Url, request: &Request<()>, stored: &Stored) -> Option<String> {
        let cache = self.cache.as_ref()?;
        if !stored.may_be_kept(request) {
            return None;
        }
        cache.put(url, stored).err().map(|error| error.to_string())
    }
}

impl Reply {
    fn known(stored: Stored) -> Reply {
        Reply {
            status: stored.status,
            headers: stored.headers,
            body: stored.body,
            from_cache: true,
            not_kept: None,
        }
    }
}

/// The URL as it is requested: without a fragment, and only if it is valid.
fn askable(mut url: Url) -> Result<Url, Reason> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Reason::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Reason::Login);
    }
    url.set_fragment(None);
    Ok(url)
}

/// A URL that is safe to show.
fn without_login(url: &Url) -> Url {
    let mut url = url.clone();
    // This fails only for URLs that cannot have a login.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

fn is_same_host(a: &Url, b: &Url) -> bool {
    // Ports 80 and 443 are the defaults.
    let place = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        let port = url.port().filter(|port| !matches!(port, 80 | 443));
        (host.trim_end_matches('.').to_owned(), port)
    };
    place(a) == place(b)
}

fn is_page(status: StatusCode) -> bool {
    matches!(status.as_u16(), 200 | 203)
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The stated content type; if there are several, browsers use the last.
fn stated_type(headers: &HeaderMap) -> Option<MediaType> {
    let stated = headers.get_all(header::CONTENT_TYPE).iter();
    let stated = stated.map(|value| String::from_utf8_lossy(value.as_bytes()));
    stated
        .filter_map(|value| MediaType::read(&value))
        .next_back()
}

/// Rejects a response that states a type other than HTML. One without a type may still be a page.
fn check_type(stated: Option<&MediaType>) -> Result<(), Reason> {
    match stated.filter(|stated| !stated.is_html() && !stated.is_unknown()) {
        Some(stated) => Err(Reason::NotHtml(printable(&stated.essence))),
        None => Ok(()),
    }
}

/// How long an overloaded server asks clients to wait.
fn retry_after(status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    if !matches!(status.as_u16(), 429 | 503) {
        return None;
    }
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    let seconds = value.trim().parse::<u32>().ok()?;
    Some(Duration::from_secs(seconds.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn www_is_another_host_but_https_is_not() {
        let rows = [
            ("http://a.example/x", "https://a.example/y", true),
            ("http://A.example/", "http://a.example./", true),
            ("http://a.example/", "http://www.a.example/", false),
            ("http://a.example/", "http://a.example:8080/", false),
            ("http://a.example:8080/", "http://a.example:8080/b", true),
            ("http://a.example/", "http://b.example/", false),
            ("http://[::1]/", "http://[::1]/b", true),
        ];
        for (a, b, same) in rows {
            assert_eq!(is_same_host(&url(a), &url(b)), same, "{a} {b}");
        }
    }

    #[test]
    fn only_plain_web_urls_are_asked() {
        assert_eq!(
            askable(url("http://a.example/b?c#d")).unwrap().as_str(),
            "http://a.example/b?c"
        );
        for scheme in [
            "file:///etc/passwd",
            "ftp://a.example/",
            "data:,x",
            "javascript:x",
        ] {
            assert!(
                matches!(askable(url(scheme)), Err(Reason::Scheme(_))),
                "{scheme}"
            );
        }
        let login = url("http://me:secret@a.example/");
        assert_eq!(askable(login.clone()), Err(Reason::Login));
        assert_eq!(without_login(&login).as_str(), "http://a.example/");
    }
}
