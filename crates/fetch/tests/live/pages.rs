//! Pages that are fetched, and responses that are not pages.

use crate::server::{Answer, Server, fetcher, get, options, page, response, why};
use std::io::Write;
use unframe_fetch::{FetchOptions, Reason};

#[test]
fn a_page_comes_with_what_is_known_of_it() {
    let server = Server::one("/a?b=c", page("<p>hello"));
    let fetcher = fetcher(FetchOptions {
        contact: Some("me@site.example".to_owned()),
        ..options()
    });
    let page = fetcher.get(&server.url("/a?b=c#part")).unwrap();
    assert_eq!(page.url, server.url("/a?b=c"));
    assert_eq!(page.bytes, b"<p>hello");
    assert_eq!(page.content_type.as_deref(), Some("text/html"));
    assert_eq!(page.charset.as_deref(), Some("utf-8"));
    assert!(!page.from_cache && page.not_kept.is_none());
    assert_eq!(fetcher.loads(), 1);
    let asked = &server.asked()[1];
    let agent = concat!("unframe/", env!("CARGO_PKG_VERSION"), " (+me@site.example)");
    assert_eq!(asked.field("user-agent"), Some(agent));
    assert_eq!(
        asked.field("host"),
        Some(server.address.to_string().as_str())
    );
    assert_eq!(asked.field("cookie"), None);
}

#[test]
fn every_packing_that_is_asked_for_is_undone() {
    let server = Server::start(|asked| {
        let text = b"<!doctype html><p>packed";
        let (encoding, body) = match asked.path.as_str() {
            "/gzip" => {
                let level = flate2::Compression::default();
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(text).unwrap();
                ("gzip", encoder.finish().unwrap())
            }
            "/deflate" => {
                let level = flate2::Compression::default();
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
                encoder.write_all(text).unwrap();
                ("deflate", encoder.finish().unwrap())
            }
            "/br" => {
                let mut out = Vec::new();
                let mut encoder = brotli::CompressorWriter::new(&mut out, 4096, 5, 20);
                encoder.write_all(text).unwrap();
                drop(encoder);
                ("br", out)
            }
            "/zstd" => ("zstd", zstd::encode_all(&text[..], 3).unwrap()),
            "/wrong" => ("gzip", text.to_vec()),
            "/unknown" => ("compress", vec![1, 2, 3]),
            "/damaged" => ("gzip", b"\x1f\x8b\x08 no more".to_vec()),
            _ => return None,
        };
        let fields = format!("Content-Type: text/html\nContent-Encoding: {encoding}\n");
        Some(Answer::Bytes(response("200 OK", &fields, &body)))
    });
    for path in ["/gzip", "/deflate", "/br", "/zstd", "/wrong"] {
        let page = get(options(), &server.url(path)).unwrap();
        assert_eq!(page.bytes, b"<!doctype html><p>packed", "{path}");
        let asked = server.asked().pop().unwrap();
        let offered = asked.field("accept-encoding").unwrap();
        assert!(
            path == "/wrong" || offered.contains(&path[1..]),
            "{offered}"
        );
    }
    for path in ["/unknown", "/damaged"] {
        assert!(
            matches!(why(&server, path), Reason::Undecodable(_)),
            "{path}"
        );
    }
}

#[test]
fn chunks_are_joined() {
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\
        Content-Type: text/html\r\n\r\n3\r\n<p>\r\n5\r\nhello\r\n0\r\n\r\n";
    let server = Server::one("/", chunked.to_vec());
    assert_eq!(get(options(), &server.url("/")).unwrap().bytes, b"<p>hello");
}

#[test]
fn an_error_of_the_server_is_named() {
    let server = Server::start(|asked| {
        let status = match asked.path.as_str() {
            "/500" => "500 Oh No",
            "/204" => "204 Nothing",
            "/304" => "304 Why",
            "/999" => "999 Stop",
            _ => return None,
        };
        Some(Answer::Bytes(response(status, "", b"")))
    });
    for (path, code) in [
        ("/none", 404),
        ("/500", 500),
        ("/204", 204),
        ("/304", 304),
        ("/999", 999),
    ] {
        let reason = why(&server, path);
        let expected = Reason::Status {
            status: code,
            retry_after: None,
        };
        assert_eq!(reason, expected, "{path}");
    }
}

#[test]
fn only_pages_are_taken() {
    let server = Server::start(|asked| {
        let html = &b"<!doctype html><p>x"[..];
        let (fields, body) = match asked.path.as_str() {
            "/pdf" => ("Content-Type: application/pdf\n", html),
            "/text" => ("Content-Type: text/plain\n", html),
            "/last" => ("Content-Type: image/png\nContent-Type: text/html\n", html),
            "/xhtml" => ("Content-Type: application/xhtml+xml\n", html),
            "/none" => ("", html),
            "/any" => ("Content-Type: */*\n", html),
            "/binary" => ("", &b"\x89PNG"[..]),
            "/nothing" => ("", &b""[..]),
            "/empty" => ("Content-Type: text/html\n", &b""[..]),
            _ => return None,
        };
        Some(Answer::Bytes(response("200 OK", fields, body)))
    });
    for path in ["/last", "/xhtml", "/none", "/any", "/empty"] {
        assert!(get(options(), &server.url(path)).is_ok(), "{path}");
    }
    for (path, what) in [
        ("/pdf", "application/pdf"),
        ("/text", "text/plain"),
        ("/binary", "data of unknown type"),
        ("/nothing", "data of unknown type"),
    ] {
        let reason = why(&server, path);
        assert!(
            matches!(&reason, Reason::NotHtml(found) if found.contains(what)),
            "{path}: {reason}"
        );
    }
}

#[test]
fn a_wrong_charset_is_handed_on_and_does_no_harm() {
    let fields = "Content-Type: text/html; charset=klingon-8\n";
    let body = "<!doctype html><meta charset=utf-8><p>Grüße";
    let server = Server::one("/", response("200 OK", fields, body.as_bytes()));
    let page = get(options(), &server.url("/")).unwrap();
    assert_eq!(page.charset.as_deref(), Some("klingon-8"));
    let decoded = unframe_dom::decode(page.bytes, page.charset.as_deref());
    assert!(decoded.text.ends_with("Grüße"));
}
