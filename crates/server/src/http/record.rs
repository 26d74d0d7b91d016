//! Gives every request an id, logs it, and counts it. No text, no address and no token is logged.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::problem::ProblemKind;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST_ID: usize = 64;

/// Upper bounds of the buckets of durations, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

/// The outermost layer.
pub async fn record(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = id_of(request.headers(), &app.metrics);
    let method = match request.method().as_str() {
        known @ ("GET" | "POST" | "PUT" | "DELETE" | "HEAD" | "OPTIONS" | "PATCH") => {
            known.to_string()
        }
        _ => "other".into(),
    };
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", |route| route.as_str()).to_string();
    app.metrics.in_work.fetch_add(1, Ordering::Relaxed);
    let in_work = InWork(&app);
    let mut response = next.run(request).await;
    drop(in_work);
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    let problem = response
        .extensions()
        .get::<ProblemKind>()
        .map_or("", |kind| &kind.0);
    tracing::info!(
        id = id.to_str().unwrap_or_default(),
        method,
        route,
        status,
        problem,
        ms = took.as_secs_f64() * 1e3,
        "request"
    );
    app.metrics.count(method, route, status, took);
    harden(response.headers_mut());
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// A request that is given up leaves here, too.
struct InWork<'a>(&'a App);

impl Drop for InWork<'_> {
    fn drop(&mut self) {
        self.0.metrics.in_work.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is true of every answer, unless it says otherwise.
fn harden(headers: &mut HeaderMap) {
    let usual = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'self'",
        ),
    ];
    for (name, value) in usual {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}

/// The id of the client, if it is a plain one; else the number of the request.
fn id_of(headers: &HeaderMap, metrics: &Metrics) -> HeaderValue {
    let is_plain = |id: &&HeaderValue| {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        (1..=LONGEST_ID).contains(&id.len()) && id.as_bytes().iter().all(is_plain)
    };
    if let Some(id) = headers.get(&REQUEST_ID).filter(is_plain) {
        return id.clone();
    }
    let number = metrics.number.fetch_add(1, Ordering::Relaxed);
    let id = format!("{:08x}-{number:x}", std::process::id());
    HeaderValue::from_str(&id).expect("digits and letters")
}

/// What is counted of requests.
#[derive(Default)]
pub struct Metrics {
    number: AtomicU64,
    in_work: AtomicUsize,
    requests: Mutex<BTreeMap<(String, String, u16), u64>>,
    durations: Mutex<BTreeMap<String, Durations>>,
}

#[derive(Default)]
struct Durations {
    buckets: [u64; BUCKETS.len()],
    all: u64,
    seconds: f64,
}

impl Metrics {
    fn count(&self, method: String, route: String, status: u16, took: Duration) {
        let mut durations = self
            .durations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let own = durations.entry(route.clone()).or_default();
        let seconds = took.as_secs_f64();
        for (bucket, most) in own.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= most);
        }
        own.all += 1;
        own.seconds += seconds;
        drop(durations);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route, method, status)).or_default() += 1;
    }

    /// In the format of Prometheus.
    pub fn write(&self, out: &mut String) {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        out.push_str("# HELP unframe_requests_total Requests by route, method and status.\n");
        out.push_str("# TYPE unframe_requests_total counter\n");
        for ((route, method, status), number) in requests.iter() {
            let _ = writeln!(
                out,
                "unframe_requests_total{{route=\"{route}\",method=\"{method}\",status=\"{status}\"}} {number}"
            );
        }
        drop(requests);
        out.push_str("# HELP unframe_requests_in_work Requests in work.\n");
        out.push_str("# TYPE unframe_requests_in_work gauge\n");
        let _ = writeln!(
            out,
            "unframe_requests_in_work {}",
            self.in_work.load(Ordering::Relaxed)
        );
        let name = "unframe_request_seconds";
        let _ = writeln!(
            out,
            "# HELP {name} Time to an answer.\n# TYPE {name} histogram"
        );
        let durations = self
            .durations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (route, own) in durations.iter() {
            for (bucket, most) in own.buckets.iter().zip(BUCKETS) {
                let _ = writeln!(
                    out,
                    "{name}_bucket{{route=\"{route}\",le=\"{most}\"}} {bucket}"
                );
            }
            let _ = writeln!(
                out,
                "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {}",
                own.all
            );
            let _ = writeln!(out, "{name}_sum{{route=\"{route}\"}} {}", own.seconds);
            let _ = writeln!(out, "{name}_count{{route=\"{route}\"}} {}", own.all);
        }
    }
}
