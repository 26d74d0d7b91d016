//! The service itself: is it there, can it work, what has it done.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::statuses::Common;
use crate::app::App;
use crate::http::Json;
use crate::problem::Problem;

/// The service is there.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    status: &'static str,
    /// The version of unframe.
    version: &'static str,
    /// Whether what is learned outlives the process.
    durable: bool,
    /// Whether pages can be fetched.
    fetches: bool,
}

/// Is the service there?
#[utoipa::path(
    get, path = "/healthz", tag = "service",
    responses((status = 200, description = "It is", body = Health), Common)
)]
pub async fn healthz(State(app): State<App>) -> Json<Health> {
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        durable: app.engine.is_durable(),
        fetches: app.fetcher.is_some(),
    })
}

/// Can the service learn?
///
/// 503 if pages cannot be kept, because the disk is full or the state was removed, and while it is stopped.
#[utoipa::path(
    get, path = "/readyz", tag = "service",
    responses((status = 200, description = "It can", body = Health), Common)
)]
pub async fn readyz(State(app): State<App>) -> Result<Json<Health>, Problem> {
    // If the reason is gone, this finds out.
    app.engine.try_again().await;
    match app.engine.is_ready() {
        true => Ok(healthz(State(app)).await),
        false => Err(Problem::new(
            "not-kept",
            "the last commit failed; the log says why",
        )),
    }
}

/// What has it done?
///
/// Numbers in the format of Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service", security(("token" = []), ()),
    responses((status = 200, description = "Numbers", body = String, content_type = "text/plain"), Common)
)]
pub async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    let mut out = String::new();
    app.metrics.write(&mut out);
    let counts = app.engine.counts();
    let all: [(&str, &str, &AtomicU64); 5] = [
        ("pages_learned", "Pages that were learned", &counts.learned),
        (
            "pages_known",
            "Pages that were sent again as they were",
            &counts.known,
        ),
        (
            "pages_labelled",
            "Pages that were labelled",
            &counts.labelled,
        ),
        ("commits", "Commits to the state", &counts.commits),
        (
            "failed_commits",
            "Commits that failed",
            &counts.failed_commits,
        ),
    ];
    for (name, about, count) in all {
        let count = count.load(Ordering::Relaxed);
        let _ = writeln!(
            out,
            "# HELP unframe_{name}_total {about}.\n# TYPE unframe_{name}_total counter\nunframe_{name}_total {count}"
        );
    }
    let known = app.engine.with_crawl(|crawl| {
        let size = crawl.state_size().map_or(0, |size| size.bytes);
        Ok([
            ("state_bytes", "Bytes of the state on disk", size),
            (
                "memory_bytes",
                "Bytes of main memory that sites in use take",
                crawl.bytes() as u64,
            ),
            ("sites", "Sites that are known", crawl.names().len() as u64),
        ])
    });
    let waiting = (
        "queue_pages",
        "Pages that wait or are in work",
        app.engine.slots.in_use() as u64,
    );
    for (name, about, value) in known.await?.into_iter().chain([waiting]) {
        let _ = writeln!(
            out,
            "# HELP unframe_{name} {about}.\n# TYPE unframe_{name} gauge\nunframe_{name} {value}"
        );
    }
    let kind = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    Ok((kind, out).into_response())
}
