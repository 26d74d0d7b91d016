//! Accepts connections, within limits, until it is told to stop.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;

use super::Peer;
use super::stall::Unstalled;

/// What connections may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Open connections.
    pub connections: usize,
    /// The time for the head of a request, for what comes after it, and for taking an answer.
    pub client_timeout: Duration,
    /// The time for requests in work when the service is stopped.
    pub stop_timeout: Duration,
}

/// Bytes of the head of a request.
const MOST_HEAD: usize = 32 << 10;
/// Lines of the head of a request.
const MOST_HEADERS: usize = 100;
/// Without file handles left, accepting fails until a connection is closed.
const OUT_OF_HANDLES: Duration = Duration::from_millis(50);

/// The answer to a connection too many. Nothing is read of it.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n\
    Retry-After: 1\r\nConnection: close\r\nContent-Length: 128\r\n\r\n\
    {\"type\":\"/docs#busy\",\"title\":\"Too many connections are open\",\"status\":503,\"detail\":\"no more are \
    taken\",\"remedy\":\"Wait a second\"}";

/// Answers requests until `stop` is ready; then finishes those in work.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let room = Arc::new(Semaphore::new(limits.connections));
    let all = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.client_timeout)
        .max_headers(MOST_HEADERS)
        .max_buf_size(MOST_HEAD);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(OUT_OF_HANDLES).await;
                    continue;
                }
            },
        };
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
            refuse(&stream);
            continue;
        };
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer));
            let router = router.clone();
            async move {
                Ok::<_, Infallible>(
                    router
                        .oneshot(request)
                        .await
                        .unwrap_or_else(|never| match never {}),
                )
            }
        });
        let stream = Unstalled::new(stream, limits.client_timeout);
        let connection = all.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    tokio::select! {
        () = all.shutdown() => {}
        () = tokio::time::sleep(limits.stop_timeout) => {
            tracing::warn!("some requests were not finished in time");
        }
    }
}

fn refuse(stream: &TcpStream) {
    // If that cannot be written at once, closing says the same.
    let _ = stream.try_write(FULL);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_a_whole_answer() {
        let text = std::str::from_utf8(FULL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("Content-Length: {}\r\n", body.len()))
                || head.ends_with(&format!("Content-Length: {}", body.len())),
            "{}",
            body.len()
        );
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["status"], 503);
    }
}
