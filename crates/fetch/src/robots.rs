//! The rules of each site's `robots.txt` (RFC 9309).
//!
//! The file is read once per origin, before the first page, and expires after a day. If it does not
//! exist, everything may be fetched; if it cannot be read, nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use robotxt::Robots;
use ureq::http::StatusCode;
use url::{Position, Url};

use crate::error::{FetchError, Reason};

/// Our name in the groups of a `robots.txt`.
const AGENT: &str = "unframe";
/// RFC 9309 2.4: how long the file may be cached.
const GOOD_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// The rules of all sites.
#[derive(Debug, Default)]
pub(crate) struct AllRobots {
    origins: Mutex<HashMap<String, Slot>>,
}

/// Locked while the file is being fetched, so that it is fetched once.
type Slot = Arc<Mutex<Option<(Instant, Arc<SiteRobots>)>>>;

/// The rules of one site.
#[derive(Debug)]
pub(crate) enum SiteRobots {
    Rules(Robots),
    /// The file could not be read; this is the error for every page of the site.
    Unknown(Reason),
}

/// The URL and the content of a `robots.txt`.
pub(crate) type Answer = Result<(Url, StatusCode, Vec<u8>), FetchError>;

impl AllRobots {
    /// The rules of this URL's site; `fetch` gets its `robots.txt` if needed.
    pub(crate) fn of(&self, url: &Url, fetch: impl FnOnce(&Url) -> Answer) -> Arc<SiteRobots> {
        let slot = self.slot(url);
        let mut known = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, robots)) = known.as_ref()
            && since.elapsed() < GOOD_FOR
        {
            return Arc::clone(robots);
        }
        let Ok(file) = url.join("/robots.txt") else {
            return Arc::new(SiteRobots::Rules(Robots::allow_all()));
        };
        let answer = fetch(&file);
        let found = answer.as_ref().ok().map(|(found, ..)| found.clone());
        let robots = Arc::new(SiteRobots::read(&file, answer));
        *known = Some((Instant::now(), Arc::clone(&robots)));
        // `http://` usually redirects to the file that `https://` would ask for next. Never wait
        // for that one's lock here: its holder may be waiting for ours.
        if let Some(found) = found.filter(|found| found.path() == file.path() && *found != file)
            && let Ok(mut other) = self.slot(&found).try_lock()
        {
            *other = Some((Instant::now(), Arc::clone(&robots)));
        }
        robots
    }

    fn slot(&self, url: &Url) -> Slot {
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        let origin = url.origin().ascii_serialization();
        Arc::clone(origins.entry(origin).or_default())
    }
}

impl SiteRobots {
    fn read(file: &Url, answer: Answer) -> SiteRobots {
        let unreachable = |error: FetchError| {
            let text = error.to_string();
            // The hint is about the requested page, not about this file.
            let first = text.lines().next().unwrap_or_default();
            SiteRobots::Unknown(Reason::RobotsUnreachable(first.to_owned()))
        };
        match answer {
            Ok((_, status, body)) if status.is_success() => {
                SiteRobots::Rules(Robots::parse(&body, AGENT))
            }
            Ok((_, status, _)) if status.is_server_error() || status == 429 => {
                let reason = Reason::Status {
                    status: status.as_u16(),
                    retry_after: None,
                };
                unreachable(reason.at(file, file))
            }
            Ok(_) => SiteRobots::Rules(Robots::allow_all()),
            Err(error) => match error.reason {
                // Treated as if the file did not exist.
                Reason::TooManyRedirects(_)
                | Reason::RedirectLoop { .. }
                | Reason::BadRedirect(_) => SiteRobots::Rules(Robots::allow_all()),
                // Fetching the page would fail for the same reason.
                Reason::PrivateAddress { .. }
                | Reason::NoSuchHost(_)
                | Reason::NoConnection(_)
                | Reason::NotSecure(_)
                    if error.asked == error.url =>
                {
                    SiteRobots::Unknown(error.reason)
                }
                _ => unreachable(error),
            },
        }
    }

    /// The delay that the site asks for, or why this URL must not be fetched.
    pub(crate) fn permit(&self, url: &Url) -> Result<Duration, Reason> {
        let rules = match self {
            SiteRobots::Rules(rules) => rules,
            SiteRobots::Unknown(reason) => return Err(reason.clone()),
        };
        if rules.is_url_allowed(url) {
            return Ok(rules.crawl_delay().unwrap_or_default());
        }
        let path = &url[Position::BeforePath..Position::AfterQuery];
        let rule = rules.matching_rule(path).map_or("/", |rule| rule.pattern());
        let rule = crate::error::printable(rule);
        Err(Reason::Robots { rule })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn site(status: u16, body: &str) -> SiteRobots {
        let file = url("http://site.example/robots.txt");
        let status = StatusCode::from_u16(status).unwrap();
        SiteRobots::read(&file, Ok((file.clone(), status, body.into())))
    }

    #[test]
    fn the_status_decides_before_the_rules() {
        let closed = "User-agent: *\nDisallow: /";
        let page = url("http://site.example/a");
        let rows = [
            (200, "", true),
            (200, closed, false),
            (200, "<!doctype html><p>Not found", true),
            (404, closed, true),
            (403, closed, true),
            (429, "", false),
            (500, "", false),
            (503, "", false),
        ];
        for (status, body, allowed) in rows {
            let answer = site(status, body).permit(&page);
            assert_eq!(answer.is_ok(), allowed, "{status} {answer:?}");
        }
    }

    #[test]
    fn our_own_group_counts_if_there_is_one() {
        let robots = site(
            200,
            "User-agent: *\nDisallow: /\n\nUser-Agent: Unframe\nCrawl-delay: 2.5\nDisallow: /*.pdf$\n\
             Disallow: /private/\nAllow: /private/open",
        );
        let rows = [
            ("/", true),
            ("/a.pdf", false),
            ("/a.pdf?x", true),
            ("/private/", false),
            ("/private/open/x", true),
            ("/%70rivate/x", false),
        ];
        for (path, allowed) in rows {
            let page = url("http://site.example/").join(path).unwrap();
            assert_eq!(robots.permit(&page).is_ok(), allowed, "{path}");
        }
        let open = robots.permit(&url("http://site.example/"));
        assert_eq!(open, Ok(Duration::from_millis(2_500)));
        let closed = robots.permit(&url("http://site.example/private/x"));
        let rule = "/private/".to_owned();
        assert_eq!(closed, Err(Reason::Robots { rule }));
    }

    #[test]
    fn it_is_asked_for_once_an_origin() {
        let all = AllRobots::default();
        let mut asked = Vec::new();
        for page in [
            "http://site.example/a",
            "http://site.example/b",
            "https://site.example/a",
            "http://site.example:8080/a",
        ] {
            all.of(&url(page), |file| {
                asked.push(file.to_string());
                let found = match file.scheme() {
                    "http" if file.port().is_none() => url("https://site.example/robots.txt"),
                    _ => file.clone(),
                };
                Ok((found, StatusCode::OK, Vec::new()))
            });
        }
        assert_eq!(
            asked,
            [
                "http://site.example/robots.txt",
                "http://site.example:8080/robots.txt"
            ]
        );
    }
}
