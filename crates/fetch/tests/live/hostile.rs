//! Hostile and broken servers. Each costs a bounded time and results in a clear message.

use crate::server::{Answer, Server, get, get_too_late, options, response, why};
use std::io::Write;
use std::net::TcpListener;
use std::time::Duration;
use unframe_fetch::{FetchOptions, Reason};
use url::Url;

/// A server that gives this answer to everything but `robots.txt`.
fn server(answer: fn() -> Answer) -> Server {
    Server::start(move |asked| (asked.path != "/robots.txt").then(answer))
}

#[test]
fn servers_that_drip_run_out_of_time() {
    const PAUSE: Duration = Duration::from_millis(5);
    let servers: [fn() -> Answer; 5] = [
        || Answer::Never,
        // The status line, the header, the body, the chunks: each without end.
        || Answer::Drips(Vec::new(), b"H", PAUSE),
        || Answer::Drips(b"HTTP/1.1 200 OK\r\n".to_vec(), b"A: b\r\n", PAUSE),
        || {
            let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
            Answer::Drips(head.to_vec(), b"x", PAUSE)
        },
        || {
            let head =
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
            Answer::Drips(head.to_vec(), b"1\r\nx\r\n", PAUSE)
        },
    ];
    std::thread::scope(|scope| {
        for (row, answer) in servers.into_iter().enumerate() {
            scope.spawn(move || {
                let (reason, _) = get_too_late(options(), &server(answer).url("/"));
                // A status line that never ends may be detected sooner.
                let garbled = row == 1 && matches!(reason, Reason::NotHttp(_));
                let late = matches!(reason, Reason::TimedOut(_));
                assert!(late || garbled, "{row}: {reason}");
            });
        }
    });
}

#[test]
fn interim_answers_without_end_run_out_of_time() {
    let server = server(|| {
        let interim = b"HTTP/1.1 103 Early Hints\r\n\r\n";
        Answer::Drips(Vec::new(), interim, Duration::from_millis(5))
    });
    let (reason, _) = get_too_late(options(), &server.url("/"));
    assert!(
        matches!(
            reason,
            Reason::TimedOut(_) | Reason::NotHttp(_) | Reason::Status { .. }
        ),
        "{reason}"
    );
}

#[test]
fn a_robots_txt_that_drips_costs_its_time_once() {
    let server = Server::start(|asked| {
        (asked.path == "/robots.txt").then(|| {
            let head = b"HTTP/1.1 200 OK\r\n\r\n";
            Answer::Drips(head.to_vec(), b"#", Duration::from_millis(5))
        })
    });
    let fetcher = crate::server::fetcher(FetchOptions {
        timeout: Duration::from_millis(200),
        ..options()
    });
    for path in ["/a", "/b", "/c"] {
        let error = fetcher.get(&server.url(path)).unwrap_err();
        assert!(
            matches!(error.reason, Reason::RobotsUnreachable(_)),
            "{error}"
        );
    }
    assert!(server.connections() <= 1 && server.pages().is_empty());
}

#[test]
fn long_pages_are_refused() {
    let limit = options().max_bytes;
    let server = Server::start(|asked| {
        let (extra, stated) = match asked.path.as_str() {
            "/most" => (0, true),
            "/stated" => (1, true),
            "/unstated" => (1, false),
            _ => return None,
        };
        let body = vec![b'x'; options().max_bytes + extra];
        let fields = "Content-Type: text/html\n";
        let whole = response("200 OK", fields, &body);
        Some(Answer::Bytes(if stated {
            whole
        } else {
            let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
            [&head[..], &body].concat()
        }))
    });
    let page = get(options(), &server.url("/most")).unwrap();
    assert_eq!(page.bytes.len(), limit);
    for path in ["/stated", "/unstated"] {
        assert_eq!(why(&server, path), Reason::TooLong(limit), "{path}");
    }
}

#[test]
fn bombs_stop_at_the_limit() {
    let server = Server::start(|asked| {
        let zeros = vec![0; 20 << 20];
        let gzip = |bytes: &[u8]| {
            let level = flate2::Compression::fast();
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let (encoding, body) = match asked.path.as_str() {
            "/gzip" => ("gzip", gzip(&zeros)),
            "/twice" => ("gzip, gzip", gzip(&gzip(&zeros))),
            "/zstd" => ("zstd", zstd::encode_all(&zeros[..], 1).unwrap()),
            _ => return None,
        };
        let fields = format!("Content-Type: text/html\nContent-Encoding: {encoding}\n");
        Some(Answer::Bytes(response("200 OK", &fields, &body)))
    });
    for path in ["/gzip", "/twice", "/zstd"] {
        let reason = why(&server, path);
        assert_eq!(reason, Reason::TooLong(options().max_bytes), "{path}");
    }
}

#[test]
fn heads_without_measure_are_refused() {
    let servers: [fn() -> Answer; 3] = [
        // One long field, many fields, and fields without end.
        || {
            let fields = format!("X: {}\n", "x".repeat(200_000));
            Answer::Bytes(response("200 OK", &fields, b""))
        },
        || Answer::Bytes(response("200 OK", &"X: y\n".repeat(5_000), b"")),
        || {
            Answer::Drips(
                b"HTTP/1.1 200 OK\r\n".to_vec(),
                &[b'x'; 4096],
                Duration::ZERO,
            )
        },
    ];
    for (row, answer) in servers.into_iter().enumerate() {
        let reason = why(&server(answer), "/");
        assert!(
            matches!(reason, Reason::HeadTooLong | Reason::NotHttp(_)),
            "{row}: {reason}"
        );
    }
}

#[test]
fn a_page_that_breaks_off_is_no_page() {
    let servers: [fn() -> Answer; 4] = [
        || Answer::Bytes(Vec::new()),
        || Answer::Bytes(b"HTTP/1.1 200 OK\r\nContent-Type: te".to_vec()),
        || {
            let mut whole = response("200 OK", "Content-Type: text/html\n", b"<p>whole");
            whole.truncate(whole.len() - 3);
            Answer::Bytes(whole)
        },
        || {
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n";
            Answer::Bytes(format!("{head}\r\n9\r\n<p>").into_bytes())
        },
    ];
    for (row, answer) in servers.into_iter().enumerate() {
        let reason = why(&server(answer), "/");
        assert!(matches!(reason, Reason::BrokenOff(_)), "{row}: {reason}");
    }
}

#[test]
fn what_is_not_http_is_said() {
    let servers: [fn() -> Answer; 3] = [
        || Answer::Bytes(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()),
        || Answer::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n".to_vec()),
        || {
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n";
            Answer::Bytes(format!("{head}\r\nnot a number\r\n").into_bytes())
        },
    ];
    for (row, answer) in servers.into_iter().enumerate() {
        let reason = why(&server(answer), "/");
        assert!(matches!(reason, Reason::NotHttp(_)), "{row}: {reason}");
    }
}

#[test]
fn servers_that_are_not_there_are_said() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = port.local_addr().unwrap();
    drop(port);
    let closed = Url::parse(&format!("http://{closed}/")).unwrap();
    let error = get(options(), &closed).unwrap_err();
    assert!(matches!(error.reason, Reason::NoConnection(_)), "{error}");
    // No name server is asked for a name whose parts are longer than 63 letters.
    let nowhere = Url::parse(&format!("http://{}.example/", "x".repeat(64))).unwrap();
    let error = get(options(), &nowhere).unwrap_err();
    assert!(matches!(error.reason, Reason::NoSuchHost(_)), "{error}");
}
