//! Who may ask: the right host, no other web site, the token; and for how long.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::Token;
use crate::app::App;
use crate::problem::Problem;

/// The address of the client.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Refuses who may not ask.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let options = &app.options;
    let checked = check_host(options.hosts.as_deref(), &request)
        .and_then(|()| check_origin(&request))
        .and_then(|()| check_token(options.token.as_ref(), &request));
    if let Err(problem) = checked {
        return problem.into_response();
    }
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    let turn = match (options.max_per_client, peer) {
        (Some(most), Some(peer)) => app.clients.enter(peer, most).map(Some),
        _ => Ok(None),
    };
    match turn {
        Ok(turn) => {
            let response = next.run(request).await;
            match turn {
                // Batches are in work until the last line of their answer.
                Some(turn) if response.body().size_hint().exact().is_none() => {
                    response.map(|body| held(body, turn))
                }
                _ => response,
            }
        }
        Err(problem) => problem.into_response(),
    }
}

/// A body that has its turn until it is dropped.
fn held(body: Body, turn: Turn) -> Body {
    Body::new(body.map_frame(move |frame| {
        let _ = &turn;
        frame
    }))
}

/// Gives up on requests that take too long. Their pages may be learned all the same, and count once if they
/// are sent again.
pub async fn in_time(State(app): State<App>, request: Request, next: Next) -> Response {
    let limit = app.options.timeout;
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let message = format!("no answer within {} s", limit.as_secs_f64());
            Problem::new("took-too-long", message).into_response()
        }
    }
}

fn check_host(hosts: Option<&[String]>, request: &Request) -> Result<(), Problem> {
    let Some(hosts) = hosts else {
        return Ok(());
    };
    let asked = host(request).unwrap_or_default();
    let name = without_port(asked);
    // Every address of the loopback network is this machine.
    let is_own = || {
        let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
        address.is_some_and(|address| address.is_loopback())
    };
    match hosts.iter().any(|host| host.eq_ignore_ascii_case(name)) || is_own() {
        true => Ok(()),
        false => Err(Problem::new(
            "wrong-host",
            format!("this service is not `{name}`"),
        )),
    }
}

/// The host that the request is for: of its address, or of its header.
fn host(request: &Request) -> Option<&str> {
    let of_uri = request
        .uri()
        .authority()
        .map(|authority| authority.as_str());
    let of_header = || request.headers().get(header::HOST)?.to_str().ok();
    of_uri.or_else(of_header)
}

fn without_port(host: &str) -> &str {
    match host.rfind(':') {
        Some(at) if !host[at..].contains(']') => &host[..at],
        _ => host,
    }
}

/// Browsers say which web site a request comes from. Other clients say nothing.
fn check_origin(request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let foreign = |what: &str| Err(Problem::new("foreign-origin", what));
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let own = host(request).unwrap_or_default();
        let from = origin
            .strip_prefix("http://")
            .or(origin.strip_prefix("https://"));
        return match from.is_some_and(|from| !own.is_empty() && from.eq_ignore_ascii_case(own)) {
            true => Ok(()),
            false => foreign(&format!("it comes from `{origin}`")),
        };
    }
    let says = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_foreign = matches!(says("sec-fetch-site"), Some("cross-site" | "same-site"));
    // Following a link to the service is fine.
    let is_link = says("sec-fetch-mode") == Some("navigate") && request.method() == Method::GET;
    match is_foreign && !is_link {
        true => foreign("a page of another web site has sent it"),
        false => Ok(()),
    }
}

/// What is the same for everybody, or says nothing of any page.
fn is_public(path: &str) -> bool {
    matches!(path, "/" | "/healthz" | "/readyz" | "/openapi.json" | "/docs" | "/favicon.ico")
        || path.starts_with("/lens/static/")
        // Their addresses cannot be guessed.
        || path.starts_with("/lens/page/")
}

fn check_token(token: Option<&Token>, request: &Request) -> Result<(), Problem> {
    match token {
        Some(token) if !is_public(request.uri().path()) && !token.is_in(request.headers()) => {
            Err(Problem::new("no-token", said(request.headers())))
        }
        _ => Ok(()),
    }
}

fn said(headers: &HeaderMap) -> &'static str {
    match headers.contains_key(header::AUTHORIZATION) {
        true => "the token is not the right one",
        false => "the request has no token",
    }
}

/// How many requests of each client are in work.
#[derive(Clone, Default)]
pub struct Clients(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A request in work.
pub struct Turn {
    clients: Clients,
    peer: IpAddr,
}

impl Clients {
    fn enter(&self, peer: IpAddr, most: usize) -> Result<Turn, Problem> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.entry(peer).or_default();
        if *own >= most {
            let message = format!("{own} requests of this client are in work");
            return Err(Problem::new("too-many", message));
        }
        *own += 1;
        Ok(Turn {
            clients: self.clone(),
            peer,
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut all = self
            .clients
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = all.get_mut(&self.peer) {
            *own -= 1;
            if *own == 0 {
                all.remove(&self.peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().uri("/v1/sites");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(axum::body::Body::empty()).unwrap()
    }

    #[test]
    fn names_of_other_machines_are_refused() {
        let hosts = ["localhost", "127.0.0.1", "[::1]"].map(String::from);
        for (host, right) in [
            ("localhost:8080", true),
            ("LOCALHOST", true),
            ("127.0.0.1:8080", true),
            ("127.8.9.10", true),
            ("[::1]:8080", true),
            ("[::1]", true),
            ("evil.example", false),
            ("evil.example:8080", false),
            ("127.0.0.1.evil.example", false),
            ("localhost.evil.example:8080", false),
            ("", false),
        ] {
            let checked = check_host(Some(&hosts), &request(&[("host", host)]));
            assert_eq!(checked.is_ok(), right, "{host}");
        }
        assert!(check_host(Some(&hosts), &request(&[])).is_err());
        assert!(check_host(None, &request(&[("host", "a.example")])).is_ok());
    }

    #[test]
    fn other_web_sites_are_refused() {
        let host = ("host", "127.0.0.1:8080");
        for (headers, right) in [
            (&[host][..], true),
            (&[host, ("origin", "http://127.0.0.1:8080")], true),
            (&[host, ("origin", "http://127.0.0.1:8081")], false),
            (&[host, ("origin", "https://evil.example")], false),
            (&[host, ("origin", "null")], false),
            (&[host, ("sec-fetch-site", "same-origin")], true),
            (&[host, ("sec-fetch-site", "cross-site")], false),
            (
                &[
                    host,
                    ("sec-fetch-site", "cross-site"),
                    ("sec-fetch-mode", "navigate"),
                ],
                true,
            ),
        ] {
            assert_eq!(
                check_origin(&request(headers)).is_ok(),
                right,
                "{headers:?}"
            );
        }
    }

    #[test]
    fn one_client_has_so_many_requests() {
        let clients = Clients::default();
        let (one, two) = ([127, 0, 0, 1].into(), [127, 0, 0, 2].into());
        let turn = clients.enter(one, 1).ok().unwrap();
        assert_eq!(clients.enter(one, 1).err().unwrap().name(), "too-many");
        assert!(clients.enter(two, 1).is_ok());
        let body = held(Body::from("x"), turn);
        assert!(clients.enter(one, 1).is_err());
        drop(body);
        assert!(clients.enter(one, 1).is_ok());
        assert!(clients.0.lock().unwrap().is_empty());
    }
}
