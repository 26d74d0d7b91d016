//! What a client can take from the service.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use unframe_server::http::{Limits, serve};

use crate::harness::{service, story, url};

#[tokio::test]
async fn requests_and_pages_that_are_too_large_are_refused() {
    let service = service("max-page = \"10kB\"");
    let long = "x".repeat(20_000);
    assert_eq!(
        service
            .post("/v1/extract", json!({ "html": long }))
            .await
            .problem(),
        "too-large"
    );
    let line = service
        .ask(
            "POST",
            "/v1/clean/batch",
            "",
            format!("{{\"html\": \"{long}\"}}\n"),
        )
        .await;
    assert_eq!(line.json()["problem"]["status"], 413);
}

#[tokio::test]
async fn more_than_can_be_held_is_refused_with_a_time_to_come_back() {
    let service = service("queue-memory = \"4kB\"");
    let refused = service
        .post("/v1/extract", json!({ "html": "x".repeat(8000) }))
        .await;
    assert_eq!(refused.problem(), "busy");
    assert_eq!(refused.headers["retry-after"], "1");
    // The room is there again.
    assert_eq!(
        service
            .post("/v1/extract", json!({ "html": "x".repeat(1000) }))
            .await
            .status,
        200
    );
    let service = super::harness::service("queue = 4\njobs = 1");
    let posts = (0..64).map(|number| {
        let page = json!({ "url": url(number), "html": story(number).repeat(20) });
        let service = &service;
        async move { service.post("/v1/clean", page).await }
    });
    let answers = futures_util::future::join_all(posts).await;
    let busy = answers.iter().filter(|answer| answer.status == 503).count();
    assert!((1..64).contains(&busy), "{busy}");
    assert_eq!(service.pages("a.example").await, 64 - busy as u64);
}

#[tokio::test]
async fn a_client_that_sends_nothing_more_is_cut() {
    let service = service("client-timeout = 0.2");
    let never = Body::from_stream(futures_util::stream::pending::<
        Result<bytes::Bytes, std::io::Error>,
    >());
    let request = Request::builder()
        .method("POST")
        .uri("/v1/clean")
        .header("host", "localhost");
    let answer = service.send(request.body(never).unwrap()).await;
    assert_eq!(answer.problem(), "too-slow");
}

/// Time enough for what is to be answered, however much else the machine has to do.
const LONG: Duration = Duration::from_secs(300);

/// A service on a socket of this machine.
async fn listening(settings: &str, connections: usize, client_timeout: Duration) -> SocketAddr {
    let service = service(settings);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let limits = Limits {
        connections,
        client_timeout,
        stop_timeout: Duration::from_secs(1),
    };
    tokio::spawn(async move {
        serve(
            listener,
            service.app.router(),
            limits,
            std::future::pending(),
        )
        .await;
    });
    address
}

async fn answer(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(LONG, stream.read_to_end(&mut bytes)).await;
    read.expect("the service closes the connection").ok();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a new connection is answered.
async fn answer_to_another(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let alive = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    // A connection that is refused may be closed before anything is written.
    let _ = stream.write_all(alive).await;
    answer(stream).await
}

/// Asks again until the answer has this status: the service notices what other connections do when it gets to it.
async fn answer_in_time(address: SocketAddr, status: &str) -> String {
    let mut last = String::new();
    let asked = async {
        while !last.starts_with(status) {
            last = answer_to_another(address).await;
        }
    };
    let asked = tokio::time::timeout(LONG, asked).await;
    assert!(asked.is_ok(), "not `{status}`, but: {last}");
    last
}

#[tokio::test]
async fn slow_heads_and_floods_of_headers_are_cut() {
    let address = listening("", 100, Duration::from_millis(200)).await;
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: local")
        .await
        .unwrap();
    answer(slow).await;
    let address = listening("", 100, LONG).await;
    for flood in [
        "a: b\r\n".repeat(5000),
        format!("a: {}\r\n", "b".repeat(1 << 20)),
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let _ = stream
            .write_all(
                format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{flood}\r\n").as_bytes(),
            )
            .await;
        let answer = answer(stream).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
            "{answer}"
        );
    }
    let alive = answer_to_another(address).await;
    assert!(alive.starts_with("HTTP/1.1 200"), "{alive}");
}

#[tokio::test]
async fn connections_too_many_are_refused_until_others_end() {
    let address = listening("", 3, LONG).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(TcpStream::connect(address).await.unwrap());
    }
    let refused = answer(TcpStream::connect(address).await.unwrap()).await;
    assert!(
        refused.starts_with("HTTP/1.1 503") && refused.contains("Retry-After: 1"),
        "{refused}"
    );
    drop(held);
    answer_in_time(address, "HTTP/1.1 200").await;
}

#[tokio::test]
async fn one_client_has_not_all_of_the_service() {
    let address = listening("max-per-client = 1\nclient-timeout = 300", 100, LONG).await;
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nab")
        .await
        .unwrap();
    let refused = answer_in_time(address, "HTTP/1.1 429").await;
    assert!(refused.contains("retry-after: 1"), "{refused}");
}

#[tokio::test]
async fn decompression_is_not_offered_so_bombs_are_text() {
    let service = service("");
    let bomb = Request::builder()
        .method("POST")
        .uri("/v1/extract")
        .header("host", "localhost");
    let bomb = bomb
        .header("content-type", "text/html")
        .header("content-encoding", "gzip");
    let answer = service
        .send(bomb.body(Body::from(&b"\x1f\x8b\x08\x00\x00"[..])).unwrap())
        .await;
    assert_eq!(answer.problem(), "unusable");
}
