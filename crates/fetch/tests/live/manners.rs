//! Politeness towards the sites: delays and `robots.txt`.

use crate::server::{Answer, Asked, Server, fetcher, fetcher_of, options, page, response};
use std::thread;
use std::time::{Duration, Instant};
use unframe_fetch::{FetchOptions, Reason};
use url::Url;

/// Pages everywhere, and this `robots.txt`.
fn server(robots: &'static str) -> Server {
    Server::start(move |asked| {
        Some(Answer::Bytes(match asked.path.as_str() {
            "/robots.txt" => response("200 OK", "Content-Type: text/plain\n", robots.as_bytes()),
            _ => page("<p>here"),
        }))
    })
}

/// The shortest time between two requests.
fn shortest_pause(asked: &[Asked]) -> Duration {
    let pauses = asked.windows(2).map(|two| two[1].when - two[0].when);
    pauses.min().unwrap()
}

#[test]
fn robots_txt_is_read_once_and_obeyed() {
    let server = server("User-agent: *\nDisallow: /private/\nAllow: /private/door");
    let fetcher = fetcher(options());
    for path in ["/", "/private/door", "/public"] {
        assert!(fetcher.get(&server.url(path)).is_ok(), "{path}");
    }
    let error = fetcher.get(&server.url("/private/x")).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("robots.txt") && text.contains("Disallow: /private/"),
        "{text}"
    );
    let asked: Vec<_> = server.asked().into_iter().map(|asked| asked.path).collect();
    assert_eq!(asked, ["/robots.txt", "/", "/private/door", "/public"]);
    assert_eq!(fetcher.loads(), 3);
}

#[test]
fn a_site_whose_robots_txt_fails_is_left_alone() {
    let server = Server::start(|asked| {
        Some(Answer::Bytes(match asked.path.as_str() {
            "/robots.txt" => response("503 Busy", "", b""),
            _ => page("<p>here"),
        }))
    });
    let fetcher = fetcher(options());
    for _ in 0..2 {
        let error = fetcher.get(&server.url("/")).unwrap_err();
        assert!(
            matches!(error.reason, Reason::RobotsUnreachable(_)),
            "{error}"
        );
        assert!(error.to_string().contains("503"), "{error}");
    }
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn the_site_decides_the_pause_within_reason() {
    let server = server("User-agent: unframe\nCrawl-delay: 0.1");
    let fetcher = fetcher(options());
    for path in ["/a", "/b"] {
        fetcher.get(&server.url(path)).unwrap();
    }
    assert!(shortest_pause(&server.asked()) >= Duration::from_millis(100));
    // A site that asks for an hour gets the maximum from the options.
    let server = self::server("User-agent: *\nCrawl-delay: 3600");
    let fetcher = self::fetcher(FetchOptions {
        max_delay: Duration::from_millis(50),
        ..options()
    });
    let start = Instant::now();
    for path in ["/a", "/b"] {
        fetcher.get(&server.url(path)).unwrap();
    }
    assert!(start.elapsed() < Duration::from_secs(3600));
    assert!(shortest_pause(&server.asked()) >= Duration::from_millis(50));
}

#[test]
fn a_host_is_asked_one_thing_at_a_time() {
    let server = server("");
    let fetcher = fetcher(FetchOptions {
        delay: Duration::from_millis(40),
        ..options()
    });
    thread::scope(|scope| {
        for path in ["/a", "/b", "/c"] {
            let url = server.url(path);
            let fetcher = &fetcher;
            scope.spawn(move || fetcher.get(&url).unwrap());
        }
    });
    assert_eq!(server.asked().len(), 4);
    assert!(shortest_pause(&server.asked()) >= Duration::from_millis(40));
}

#[test]
fn a_busy_server_is_given_time() {
    let server = Server::start(|asked| {
        Some(Answer::Bytes(match asked.path.as_str() {
            "/robots.txt" => return None,
            "/busy" => response("429 Slow down", "Retry-After: 60\n", b""),
            _ => page("<p>here"),
        }))
    });
    let fetcher = fetcher(FetchOptions {
        max_delay: Duration::from_millis(100),
        ..options()
    });
    let error = fetcher.get(&server.url("/busy")).unwrap_err();
    assert!(error.to_string().contains("try again in 60 s"), "{error}");
    fetcher.get(&server.url("/")).unwrap();
    let asked = server.asked();
    assert!(shortest_pause(&asked[1..]) >= Duration::from_millis(100));
}

#[test]
fn no_more_pages_are_loaded_than_allowed() {
    let server = server("");
    let fetcher = fetcher_of(
        &server,
        FetchOptions {
            max_loads: 2,
            ..options()
        },
    );
    let get = |path: &str| {
        let url = Url::parse("http://site.example").unwrap().join(path);
        fetcher.get(&url.unwrap())
    };
    assert!(get("/a").is_ok() && get("/b").is_ok());
    let error = get("/c").unwrap_err();
    assert_eq!(error.reason, Reason::BudgetSpent(2));
    assert!(error.to_string().contains("--max-loads"));
    assert_eq!(fetcher.loads(), 2);
    assert_eq!(server.pages(), ["/a", "/b"]);
}
