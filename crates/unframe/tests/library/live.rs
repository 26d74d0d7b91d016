//! The template of a page of a live site.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use unframe::Limits;
use unframe::dom::{NodeId, Tag};
use unframe::fetch::{FetchOptions, Fetcher, Reason};
use unframe::methods::links::{LinksParams, LoadError, PageSource, template_of};
use unframe::page::CanonicalUrl;
use unframe::template::LivePages;
use url::Url;

/// A site of five pages with one menu, a page that moved, and one that is none.
fn serve() -> Url {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let path = first.split(' ').nth(1).unwrap();
            let html = "Content-Type: text/html; charset=utf-8\r\n";
            let (head, body) = match path {
                "/" | "/a" | "/b" | "/c" | "/d" => {
                    let menu = ["/", "/a", "/b", "/c", "/d"];
                    let menu = menu.map(|to| format!("<li><a href='{to}'>to {to}</a></li>"));
                    let menu = menu.concat();
                    let body = format!("<ul id=menu>{menu}</ul><div><p>Story of {path}</p></div>");
                    (format!("200 OK\r\n{html}"), body)
                }
                "/moved" => (
                    "301 Moved\r\nLocation: http://elsewhere.example/x\r\n".to_owned(),
                    String::new(),
                ),
                "/picture" => (
                    "200 OK\r\nContent-Type: image/png\r\n".to_owned(),
                    String::new(),
                ),
                _ => ("404 Not Found\r\n".to_owned(), String::new()),
            };
            let length = body.len();
            let answer = format!("HTTP/1.1 {head}Content-Length: {length}\r\n\r\n{body}");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    Url::parse(&home).unwrap()
}

fn fetcher() -> Fetcher {
    Fetcher::new(FetchOptions {
        allow_private: true,
        delay: Duration::ZERO,
        ..FetchOptions::default()
    })
    .unwrap()
}

#[test]
fn the_menu_of_a_live_site_is_its_template() {
    let home = serve();
    let fetcher = fetcher();
    let (mut pages, key) = LivePages::open(&fetcher, &home, Limits::default()).unwrap();
    let params = LinksParams::default();
    let result = template_of(&key.url, &key.page, &mut pages, &params).unwrap();
    let dom = key.page.dom();
    let frame: Vec<_> = (0..dom.nodes().len() as NodeId)
        .filter(|&id| dom.node(id).tag == Tag::TEXT && result.is_template[id as usize])
        .map(|id| dom.text(id).to_string())
        .collect();
    assert_eq!(frame, ["to /", "to /a", "to /b", "to /c", "to /d"]);
    assert_eq!(fetcher.loads(), 1 + result.rests_on.len());
}

#[test]
fn what_gives_no_page_is_named() {
    let home = serve();
    let fetcher = fetcher();
    let (mut pages, _) = LivePages::open(&fetcher, &home, Limits::default()).unwrap();
    let mut why = |path: &str| {
        let url = home.join(path).unwrap();
        let url = CanonicalUrl::parse(url.as_str()).unwrap();
        pages.load(&url).unwrap_err()
    };
    assert_eq!(why("/none"), LoadError::Missing);
    assert_eq!(why("/picture"), LoadError::NotHtml("image/png".to_owned()));
    let elsewhere = CanonicalUrl::parse("http://elsewhere.example/x").unwrap();
    assert_eq!(why("/moved"), LoadError::OtherSite(elsewhere));
    let error = LivePages::open(&fetcher, &home.join("/none").unwrap(), Limits::default());
    let error = error.err().unwrap();
    assert!(matches!(error.reason, Reason::Status { status: 404, .. }));
}
