//! Redirects; each hop is checked like the first URL.

use crate::server::{
    Answer, Server, fetcher_of, get, get_too_late, options, page, redirect, response, why,
};
use std::time::Duration;
use unframe_fetch::{FetchOptions, Reason};
use url::Url;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// Redirects from each path to the one beside it, and pages everywhere else.
fn server(rows: &'static [(&'static str, &'static str)]) -> Server {
    Server::start(move |asked| {
        if asked.path == "/robots.txt" {
            return None;
        }
        let row = rows.iter().find(|(from, _)| *from == asked.path);
        Some(Answer::Bytes(match row {
            Some((_, to)) => redirect(to),
            None => page("<p>here"),
        }))
    })
}

#[test]
fn a_page_is_found_where_it_went() {
    let server = server(&[
        ("/a", "b/c?x=y#z"),
        ("/b/c?x=y", "//site.example/d"),
        ("/d", "/e f/ü"),
    ]);
    let fetcher = fetcher_of(&server, options());
    let page = fetcher.get(&url("http://site.example/a")).unwrap();
    assert_eq!(page.url.as_str(), "http://site.example/e%20f/%C3%BC");
    assert_eq!(server.pages(), ["/a", "/b/c?x=y", "/d", "/e%20f/%C3%BC"]);
    assert_eq!(fetcher.loads(), 1);
}

#[test]
fn circles_and_chains_end() {
    let server = server(&[
        ("/self", "/self#again"),
        ("/a", "/b"),
        ("/b", "/a"),
        ("/1", "/2"),
        ("/2", "/3"),
        ("/3", "/4"),
        ("/4", "/5"),
        ("/5", "/6"),
        ("/6", "/7"),
    ]);
    for (path, to) in [("/self", "/self"), ("/a", "/a")] {
        let to = Box::new(server.url(to));
        assert_eq!(why(&server, path), Reason::RedirectLoop { to });
    }
    assert_eq!(why(&server, "/1"), Reason::TooManyRedirects(5));
    assert!(
        get(options(), &server.url("/2")).is_ok(),
        "five are allowed"
    );
}

#[test]
fn targets_that_are_no_url_of_the_web_are_refused() {
    let server = Server::start(|asked| {
        let location = match asked.path.as_str() {
            "/none" => "",
            "/empty" => "Location:\n",
            "/bad" => "Location: http://[not-a-host/\n",
            "/file" => "Location: file:///etc/passwd\n",
            "/script" => "Location: javascript:alert(1)\n",
            "/login" => "Location: http://me:secret@127.0.0.1/\n",
            _ => return None,
        };
        Some(Answer::Bytes(response("301 Moved", location, b"")))
    });
    for path in ["/none", "/empty", "/bad"] {
        let reason = why(&server, path);
        assert!(matches!(reason, Reason::BadRedirect(_)), "{path}: {reason}");
    }
    for path in ["/file", "/script"] {
        let reason = why(&server, path);
        assert!(matches!(reason, Reason::Scheme(_)), "{path}: {reason}");
    }
    assert_eq!(why(&server, "/login"), Reason::Login);
}

#[test]
fn another_host_is_followed_only_when_wanted() {
    let server = server(&[("/", "http://www.site.example/home")]);
    let fetcher = fetcher_of(&server, options());
    let start = url("http://site.example/");
    let error = fetcher.get(&start).unwrap_err();
    assert!(
        error.to_string().contains("http://www.site.example/home"),
        "{error}"
    );
    assert!(matches!(error.reason, Reason::OtherHost { .. }));
    assert_eq!(server.pages(), ["/"]);
    let page = fetcher.get_from_any_host(&start).unwrap();
    assert_eq!(page.url.as_str(), "http://www.site.example/home");
    // The `robots.txt` of each host was requested.
    let asked = server.asked().into_iter();
    let robots: Vec<_> = asked
        .filter(|asked| asked.path == "/robots.txt")
        .map(|asked| asked.field("host").unwrap().to_owned())
        .collect();
    assert_eq!(robots, ["site.example", "www.site.example"]);
}

#[test]
fn another_host_may_close_its_door() {
    let server = Server::start(|asked| {
        let closed = "User-agent: *\nDisallow: /";
        Some(Answer::Bytes(
            match (asked.path.as_str(), asked.field("host")) {
                ("/robots.txt", Some("b.example")) => response("200 OK", "", closed.as_bytes()),
                ("/robots.txt", _) => return None,
                _ => redirect("http://b.example/x"),
            },
        ))
    });
    let fetcher = fetcher_of(&server, options());
    let error = fetcher
        .get_from_any_host(&url("http://a.example/"))
        .unwrap_err();
    assert!(matches!(error.reason, Reason::Robots { .. }), "{error}");
    assert_eq!(error.url.as_str(), "http://b.example/x");
    assert_eq!(server.pages(), ["/"]);
}

#[test]
fn private_addresses_are_not_even_connected_to() {
    let server = Server::one("/", page("<p>secret"));
    let public_only = || FetchOptions {
        allow_private: false,
        ..options()
    };
    let error = get(public_only(), &server.url("/")).unwrap_err();
    assert!(
        matches!(error.reason, Reason::PrivateAddress { .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("127.0.0.1, a loopback address"),
        "{error}"
    );
    assert!(error.to_string().contains("--allow-private"), "{error}");
    // A name that resolves to a private address is refused too, whatever it resolved to before.
    let fetcher = fetcher_of(&server, public_only());
    let error = fetcher.get(&url("http://site.example/")).unwrap_err();
    assert!(
        matches!(error.reason, Reason::PrivateAddress { .. }),
        "{error}"
    );
    for spelling in [
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://[::ffff:127.0.0.1]/",
    ] {
        let error = get(public_only(), &url(spelling)).unwrap_err();
        assert!(
            matches!(error.reason, Reason::PrivateAddress { .. }),
            "{error}"
        );
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_redirect_does_not_lead_to_a_private_address() {
    // The first hop cannot be public in a test, so the cache answers it.
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|asked| {
        let lasting = "Cache-Control: max-age=600\n";
        Some(Answer::Bytes(match asked.path.as_str() {
            "/robots.txt" => response("200 OK", lasting, b""),
            "/" => {
                let fields = format!("{lasting}Location: http://10.0.0.1/admin\n");
                response("301 Moved", &fields, b"")
            }
            _ => return None,
        }))
    });
    let start = url("http://site.example/");
    let with = |allow_private| FetchOptions {
        allow_private,
        cache: Some(folder.path().to_owned()),
        ..options()
    };
    assert!(fetcher_of(&server, with(true)).get(&start).is_err());
    assert_eq!(server.pages(), ["/"]);
    let error = fetcher_of(&server, with(false)).get(&start).unwrap_err();
    assert!(matches!(error.reason, Reason::OtherHost { .. }), "{error}");
    let fetcher = unframe_fetch::Fetcher::new(with(false)).unwrap();
    let error = fetcher.get_from_any_host(&start).unwrap_err();
    assert!(
        matches!(error.reason, Reason::PrivateAddress { .. }),
        "{error}"
    );
    assert_eq!(error.url.as_str(), "http://10.0.0.1/admin");
    assert_eq!(server.pages(), ["/"]);
}

#[test]
fn slow_redirects_share_one_time() {
    const HOP: Duration = Duration::from_millis(90);
    let server = Server::start(|asked| {
        let hop = asked
            .path
            .strip_prefix('/')
            .and_then(|hop| hop.parse::<u32>().ok())?;
        std::thread::sleep(HOP);
        Some(Answer::Bytes(redirect(&format!("/{}", hop + 1))))
    });
    let options = FetchOptions {
        max_redirects: usize::MAX,
        ..options()
    };
    let (reason, timeout) = get_too_late(options, &server.url("/1"));
    assert_eq!(reason, Reason::TimedOut(timeout));
    // Each of them but the last has taken its time.
    let pages = server.pages();
    assert!(HOP * (pages.len() as u32 - 1) <= timeout, "{pages:?}");
}
